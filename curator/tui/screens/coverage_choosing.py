"""What is looked at on the coverage screen: the suite, two dimensions, and what the size panel goes by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curator.domain.coverage import SHOWN
from curator.domain.suite import TITLES
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.choose import Choose
from curator.tui.screens.coverage_live import Live
from curator.tui.screens.listing import Listing
from curator.tui.widgets.heat_map import named
from curator.tui.widgets.row_list import Column

if TYPE_CHECKING:
    from curator.domain.coverage_report import CoverageReport
    from curator.domain.size_panel import Assumptions
    from curator.services.context import Context
    from curator.services.coverage import Board


@dataclass(frozen=True)
class Asked:
    """What is looked at.

    Attributes:
        suite: "" = all cases; None = the first one that lacks something.
        by: One or two dimensions.
        given: Assumptions of the size panel; None = the usual ones.
        results: Case id -> whether a run got it right; `run` names the file.
    """

    suite: str | None = None
    by: tuple[str, ...] = ("domain", "lengthStratum")
    given: Assumptions | None = None
    results: Mapping[str, bool] | None = None
    run: str = ""


def first_lacking(board: Board) -> str:
    """The first suite with an unmet quota, else the first; "" = there is none."""
    names = sorted(board.ctx.settings.suites)
    return next((n for n in names if any(not a.met for a in board.suite(n).asked)), names[0] if names else "")


@dataclass(frozen=True)
class Answer:
    """What was counted for `asked`: `seen` is the same with the suite that was chosen; None = nothing has changed."""

    asked: Asked
    seen: Asked
    version: int
    report: CoverageReport | None


def count(board: Board, asked: Asked, known: object, ctx: Context) -> Answer:
    """Count what is asked; in a worker.

    Args:
        board: Brought up to date.
        asked: What.
        known: Version of the board and what was asked of it when the screen was painted last.
        ctx: Open workspace.
    """
    from curator.services.coverage import coverage

    board.refresh()
    version = board.version
    if known == (version, (asked,)):
        return Answer(asked, asked, version, None)
    suite = first_lacking(board) if asked.suite is None else asked.suite
    if suite and suite not in board.ctx.settings.suites:
        suite = first_lacking(board)  # it was renamed, or taken out
    report = coverage(ctx, suite, asked.by, given=asked.given, results=asked.results, board=board)
    return Answer(asked, replace(asked, suite=suite), version, report)


class Choosing(Live):
    """The part of the screen that asks what is to be looked at.

    Attributes:
        asked: What is looked at.
        report: What was counted last; None = nothing yet.
    """

    asked: Asked
    report: CoverageReport | None

    def show_pane(self, name: str) -> None:
        """Show a pane."""
        raise NotImplementedError

    def look_at(self, asked: Asked) -> None:
        """Count something else."""
        self.asked = asked
        self.count_again()

    # -- what is looked at --------------------------------------------------------------------------------------

    def action_pick_suite(self) -> None:
        """Another suite, or all cases."""
        ctx = self.curator.ctx
        if ctx is None:
            return
        options = [("", "all cases, and the gaps of every suite")]
        options += [
            (n, f"{n}  {s.description}" if s.description else n) for n, s in sorted(ctx.settings.suites.items())
        ]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self.look_at(replace(self.asked, suite=answer[0]))

        self.app.push_screen(Choose("coverage of", options), chosen)

    def action_rows_by(self) -> None:
        """What the rows stand for."""
        options = [(d, TITLES[d]) for d in SHOWN]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self._turn(answer[0], *self.asked.by[1:])

        self.app.push_screen(Choose("rows", options), chosen)

    def action_columns_by(self) -> None:
        """What the columns stand for, or none."""
        options = [*((d, TITLES[d]) for d in SHOWN if d != self.asked.by[0]), ("", "No columns: rows alone")]

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self._turn(self.asked.by[0], answer[0])

        self.app.push_screen(Choose("columns", options), chosen)

    def action_turn_over(self) -> None:
        """Rows become columns."""
        self._turn(*reversed(self.asked.by))

    def _turn(self, rows: str, columns: str = "") -> None:
        """Look by these; what was the other one takes the place of what is given up."""
        if rows == columns:
            columns = self.asked.by[0]
        self.look_at(replace(self.asked, by=(rows, columns) if columns else (rows,)))

    def action_derived(self) -> None:
        """How the values of every dimension come about; Enter makes one the rows."""
        report = self.report
        if report is None:
            return
        shown = {
            d.name: ", ".join(f"{named(m.value)} {m.count}" for m in d.values if m.count) for d in report.dimensions
        }
        rows = [(d.title, d.how, shown[d.name]) for d in report.dimensions]

        def chosen(answer: str | None) -> None:
            if answer is not None:
                self._turn(report.dimensions[int(answer)].name, *self.asked.by[1:])

        columns = [Column("dimension", 16), Column("how a value comes about"), Column("cases", 0, least=100)]
        listing = Listing("strata, and how each is derived", columns, rows, empty="", enter="as rows")
        self.app.push_screen(listing, chosen)

    # -- the size panel -----------------------------------------------------------------------------------------

    def action_assume(self) -> None:
        """What the size panel takes for granted."""
        report = self.report
        if report is None:
            return
        now = report.assumed
        questions = [
            Question("share right where no results are given, in %", f"{now.rate * 100:g}", _share(0)),
            Question("cases that turn out otherwise in a second run, in %", f"{now.discordance * 100:g}", _share(0.1)),
            Question("correlation of results within a document, 0 to 1; empty: 0.1, or as measured",
                     f"{now.correlation:g}" if now.fixed else "", _correlation),
        ]  # fmt: skip
        self.app.push_screen(Ask("the size panel assumes", questions), self._assumed)

    def _assumed(self, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        from curator.domain.size_panel import Assumptions

        given = Assumptions(rate=_number(answer[0]) / 100, discordance=_number(answer[1]) / 100)
        if answer[2].strip():
            given = given.model_copy(update={"correlation": _number(answer[2]), "fixed": True})
        self.look_at(replace(self.asked, given=given))
        self.show_pane("sizes")

    def action_results(self) -> None:
        """Take the results of a run instead of an assumed share; an empty line goes back to the assumption."""
        from curator.tui.paths import completions

        question = Question("CSV or JSONL with caseId and passed; empty: none", complete=completions)
        self.app.push_screen(Ask("results of a run", [question]), self._results_named)

    def _results_named(self, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        name = answer[0].strip()
        if not name:
            self.look_at(replace(self.asked, results=None, run=""))
            return
        path = Path(name).expanduser()

        def read(_ctx: Context) -> Mapping[str, bool]:
            from curator.services.results import read_results

            return read_results(path)

        self.ask(read, partial(self._results_read, path.name), doing=f"read {path.name}", group="results")

    def _results_read(self, name: str, results: Mapping[str, bool]) -> None:
        self.look_at(replace(self.asked, results=results, run=name))
        self.show_pane("sizes")


def _number(text: str) -> float:
    return float(text.strip().removesuffix("%").replace(",", "."))


def _within(text: str, low: float, high: float) -> str:
    try:
        value = _number(text)
    except ValueError:
        return f"a number from {low:g} to {high:g}"
    return "" if low <= value <= high else f"from {low:g} to {high:g}"


def _share(low: float) -> Callable[[str], str]:
    return lambda text: _within(text, low, 100)


def _correlation(text: str) -> str:
    return _within(text, 0, 1) if text.strip() else ""
