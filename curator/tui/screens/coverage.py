"""Coverage: the heat map, the gaps with what would fill them, the lengths, and what so many cases can show."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Vertical
from textual.widgets import Static

from curator.domain.suite import TITLES
from curator.text import counted
from curator.tui.screens.coverage_choosing import Answer, Asked, Choosing, count
from curator.tui.widgets.gap_rows import COLUMNS, Way, way_rows, ways
from curator.tui.widgets.heat_map import HeatMap, in_words, named
from curator.tui.widgets.length_bars import LengthsPane, lengths
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.domain.coverage_report import CoverageReport
    from curator.domain.size_panel import Size

PANES = (("map", "heat map"), ("gaps", "gaps"), ("lengths", "lengths"), ("sizes", "what it can show"))
LEGEND = "! −n below its quota · ✓ met · ░▒▓█ how full · +n on their way"
SIZE_COLUMNS = (
    Column("stratum"), Column("n", 5, right=True), Column("docs", 5, least=60, right=True),
    Column("eff. n", 7, least=52, right=True), Column("right", 5, right=True), Column("95 %", 7, right=True),
    Column("change", 7, right=True),
)  # fmt: skip


class CoverageScreen(Choosing):
    """F7. Narrow or low screens show one pane, others two or all four."""

    CSS_PATH = "coverage.tcss"
    VERTICAL_BREAKPOINTS = [(0, "-low"), (34, "-high")]
    BINDINGS: ClassVar[list[BindingType]] = [
        *(Binding(str(n), f"pane('{p}')", said, show=False) for n, (p, said) in enumerate(PANES, 1)),
        Binding("f", "next_pane", "other view"),
        Binding("s", "pick_suite", "suite"),
        Binding("r", "rows_by", "rows"),
        Binding("c", "columns_by", "columns"),
        Binding("t", "turn_over", "rows for columns", show=False),
        Binding("w", "derived", "how derived"),
        Binding("q", "quotas", "quotas"),
        Binding("d", "sides", "dev and holdout", show=False),
        Binding("a", "assume", "what the size panel assumes", show=False),
        Binding("i", "results", "read the results of a run", show=False),
        Binding("escape", "back_to_map", "map", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.asked = Asked()
        self.report: CoverageReport | None = None
        self._pane = "map"
        self._ways: list[Way] = []

    def compose_room(self) -> ComposeResult:
        """What is looked at, and four panes."""
        yield Static("", id="what")
        yield Static("", id="panes")
        with Container(id="all"):
            with Vertical(id="p-map"):
                yield HeatMap(self._paint_cell, dom_id="map")
                yield Static("", id="cell")
            with Vertical(id="p-gaps"):
                yield RowList(COLUMNS, head=False, empty="counting …", dom_id="gaps")
                yield Static("", id="way")
            with LengthsPane(id="p-lengths"):
                yield Static("", id="bars")
            with Vertical(id="p-sizes"):
                yield RowList(SIZE_COLUMNS, empty="counting …", opens=False, dom_id="sizes")
                yield Static("", id="sentence")

    def on_mount(self) -> None:
        """Keys act on the map, or on the gaps when they are asked for."""
        super().on_mount()
        self.show_pane(self._pane)

    # -- counting -----------------------------------------------------------------------------------------------

    def show_suite(self, name: str) -> None:
        """Look at a suite, its gaps first."""
        self.look_at(replace(self.asked, suite=name))
        if self.is_mounted:
            self.show_pane("gaps")
        else:
            self._pane = "gaps"

    def counted_by(self) -> tuple[object, ...]:
        """What the report on the screen goes by, the board apart."""
        return (self.asked,)

    def start_counting(self) -> None:
        """Count in a worker."""
        self.ask(
            partial(count, self.curator.board, self.asked, self.counted_at), self._counted, doing="count the cases",
            reads=True, failed=self._not_counted,
        )  # fmt: skip

    def _counted(self, found: Answer) -> None:
        if found.asked == self.asked:
            self.asked, troubled, self.trouble = found.seen, self.trouble, ""
            if found.report is not None:
                before, self.report = self.report, found.report
                self._paint(before)
            elif troubled:
                self._paint_what()
        self.was_counted(found.version, (found.seen,))

    def _not_counted(self, error: Exception) -> bool:
        """What stops the counting stands on the screen, and is listed once."""
        before, self.trouble = self.trouble, str(error)
        self.was_counted(-1, (self.asked,))
        self._paint_what()
        return before == self.trouble

    def settings_told(self) -> None:
        """It stands in the first line."""
        self._paint_what()

    # -- painting -----------------------------------------------------------------------------------------------

    def _paint(self, before: CoverageReport | None) -> None:
        """Paint what is not as it was before."""
        report = self.report
        assert report is not None
        self._paint_what()
        if before is None or before.grid != report.grid:
            self.query_one(HeatMap).show_grid(report.grid)
        if before is None or (before.work, before.quotas, before.suite) != (report.work, report.quotas, report.suite):
            self._paint_gaps(report)
        if before is None or (before.histogram, before.length, before.warnings) != (
            report.histogram, report.length, report.warnings
        ):  # fmt: skip
            self._paint_bars()
        if before is None or (before.sizes, before.assumed) != (report.sizes, report.assumed):
            sizes = self.query_one("#sizes", RowList)
            sizes.show_rows(ListedRows([_size_row(n, s) for n, s in enumerate(report.sizes)]), keep=True)
            self._paint_sentence()

    def _paint_gaps(self, report: CoverageReport) -> None:
        self._ways = ways(report.work)
        gaps = self.query_one("#gaps", RowList)
        gaps.empty = self._no_gaps(report)
        gaps.show_rows(ListedRows(way_rows(self._ways, many=not report.suite)), keep=True)
        if not self._ways:
            self.query_one("#way", Static).update("")

    def _no_gaps(self, report: CoverageReport) -> str:
        ctx = self.curator.ctx
        suites = ctx.settings.suites if ctx else {}
        if not suites:
            return "no suite: write a [suites.NAME] table into curator.toml"
        asks = report.quotas if report.suite else [q for s in suites.values() for q in s.quotas]
        return "✓ every quota is met" if asks else "no quotas: q sets some"

    def _paint_what(self) -> None:
        report = self.report
        if report is None:
            self.query_one("#what", Static).update(
                plain(f" {f'! {flat(self.trouble)}' if self.trouble else 'counting …'}")
            )
            return
        said = [f"{flat(report.suite) or 'all cases'}: {counted(report.cases, 'case')}"]
        said += [f"+{report.coming} on their way"] if report.coming else []
        said += [f"{report.stale} stale"] if report.stale else []
        unmet = len(report.work)
        if unmet:
            said.append(f"! {counted(unmet, 'quota')} not met")
        elif report.quotas:
            said.append("✓ every quota is met")
        elif report.suite:
            said.append("no quotas")
        warned = len(report.warnings)
        said += [f"! {counted(warned, 'warning')} on lengths: 3"] if warned else []
        wrong = self.trouble or self.unread
        if wrong:
            said.insert(1, f"! {flat(wrong)}")
        self.query_one("#what", Static).update(plain(" " + " · ".join(said)), layout=False)
        self.query_one("#what").set_class(bool(unmet or wrong), "-gap")
        self._paint_panes()

    def _paint_panes(self) -> None:
        report = self.report
        by = " × ".join(TITLES[d].lower() for d in self.asked.by)
        more = {"map": f": {by}", "gaps": f" {len(report.work)}" if report and report.work else ""}
        parts = [f"{n} {said}{more.get(p, '')}" for n, (p, said) in enumerate(PANES, 1)]
        marked = [f"[{t}]" if p == self._pane else f" {t} " for t, (p, _) in zip(parts, PANES, strict=True)]
        self.query_one("#panes", Static).update(plain(" ".join(marked)), layout=False)

    def _paint_cell(self) -> None:
        heat = self.query_one(HeatMap)
        under = heat.under
        if under is None:
            return
        name = in_words(heat.where) or "all cases"
        said = [f"{name}: {counted(under.count, 'case')}"]
        if under.state != "free":
            lacks = under.need - under.count
            said.append(f"! {lacks:g} missing of {under.need:g}" if lacks > 0 else f"✓ {under.need:g} asked for")
        said += [f"+{under.coming} on their way"] if under.coming else []
        self.query_one("#cell", Static).update(plain(f" {' · '.join(said)}\n {LEGEND}"), layout=False)

    @on(RowList.Highlighted, "#gaps")
    def _paint_way(self, event: RowList.Highlighted) -> None:
        event.stop()
        if (way := self._way) is not None:
            self.query_one("#way", Static).update(plain(way.whole), layout=False)

    @on(RowList.Highlighted, "#sizes")
    def _seen_size(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._paint_sentence()

    def _paint_sentence(self) -> None:
        report, row = self.report, self.query_one("#sizes", RowList).row
        if report is None or row is None or int(row.id) >= len(report.sizes):
            return
        run = f"results: {flat(self.asked.run)}. " if self.asked.run else ""
        said = f"{report.sizes[int(row.id)].sentence}\n{run}{report.assumptions}"
        self.query_one("#sentence", Static).update(plain(said), layout=False)

    def _paint_bars(self) -> None:
        width = self.query_one("#p-lengths").scrollable_content_region.width
        if self.report is not None and width:
            self.query_one("#bars", Static).update(lengths(self.report, width - 1))

    @on(LengthsPane.Sized)
    def _bars_have_room(self, event: LengthsPane.Sized) -> None:
        """The bars are as long as there is room."""
        event.stop()
        self._paint_bars()

    # -- panes --------------------------------------------------------------------------------------------------

    def show_pane(self, name: str) -> None:
        """Show a pane; the keys act on it."""
        self._pane = name
        for pane, _ in PANES:
            self.set_class(pane == name, f"-{pane}")
        target = {"lengths": "#p-lengths"}.get(name, f"#{name}")
        self.set_focus(self.query_one(target))
        self._paint_panes()
        self.call_after_refresh(self._paint_bars)

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Tab goes from pane to pane where several are seen."""
        name = (event.widget.id or "").removeprefix("p-")
        if name != self._pane and name in dict(PANES):
            self.show_pane(name)

    def action_pane(self, name: str) -> None:
        """Show a pane."""
        self.show_pane(name)

    def action_next_pane(self) -> None:
        """The next pane."""
        names = [p for p, _ in PANES]
        self.show_pane(names[(names.index(self._pane) + 1) % len(names)])

    def action_back_to_map(self) -> None:
        """The map again."""
        self.show_pane("map")

    # -- to work ------------------------------------------------------------------------------------------------

    @on(HeatMap.Chosen)
    def _list_cell(self, event: HeatMap.Chosen) -> None:
        event.stop()
        report = self.report
        if report is not None:
            self.curator.show_cell(report.suite, self.query_one(HeatMap).where)

    @property
    def _way(self) -> Way | None:
        row = self.query_one("#gaps", RowList).row
        return self._ways[int(str(row.key))] if row is not None and int(str(row.key)) < len(self._ways) else None

    @on(RowList.Chosen, "#gaps")
    def _start(self, event: RowList.Chosen) -> None:
        event.stop()
        way = self._way.best if self._way is not None else None
        if way is None:
            return
        app = self.curator
        if way.failure is not None:
            names = [f.failure_id for f in way.work.failures]
            app.show_failures(names, way.failure.failure_id, f"fills {way.work.words}")
        elif way.place is not None or not way.lacks_document:
            app.start_for_gap(way.work, way.place)
        else:
            self.notify(way.work.step, markup=False, timeout=6)
            if way.work.step.startswith("ingest"):
                app.action_mode("sources")

    # -- quotas, sides ------------------------------------------------------------------------------------------

    def action_quotas(self) -> None:
        """See and change what the suite asks for."""
        report = self.report
        if report is None:
            return
        if not report.suite:
            self.notify("quotas are of a suite: s chooses one", markup=False, timeout=4)
            return
        from curator.tui.screens.coverage_quotas import QuotaScreen

        self.app.push_screen(QuotaScreen(report.suite), lambda _written: self.look())

    def action_sides(self) -> None:
        """How dev and holdout lie, and who looked at the holdout."""
        from curator.tui.screens.coverage_sides import SidesScreen

        self.app.push_screen(SidesScreen())


def _size_row(number: int, line: Size) -> Row:
    name = f"{TITLES[line.dimension].lower()}: {named(line.value)}" if line.dimension else "all"
    change = "none" if line.change is None else f"{line.change * 100:.0f} pts"
    right = f"{line.rate:.0%}" + ("" if line.measured else "?")
    cells = (name, str(line.n), str(line.documents), f"{line.effective:.1f}", right,
             f"{line.low:.0%}–{line.high:.0%}".replace("%–", "–"), change)  # fmt: skip
    return Row(number, str(number), cells)
