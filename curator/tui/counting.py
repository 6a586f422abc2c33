"""Coverage, as all of the app shares it: the board that counts, and the ways from a gap to the work that fills it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from curator.tui.casework import CaseWork

if TYPE_CHECKING:
    from curator.domain.case import Case
    from curator.domain.filling import Place, Work
    from curator.services.context import Context
    from curator.services.coverage import Board


@dataclass(frozen=True)
class CellOf:
    """A cell of the heat map: its cases are looked up whenever a list of them is read."""

    board: Board
    suite: str
    where: Mapping[str, str]

    @property
    def name(self) -> str:
        """The cell in words."""
        from curator.tui.widgets.heat_map import in_words

        cell = in_words(self.where) or "all cases"
        return f"{cell} of {self.suite}" if self.suite else cell

    def ids(self) -> tuple[str, ...]:
        """The cases in it now; in a worker."""
        self.board.refresh()
        return tuple(c.id for c in self.board.cell(self.suite, self.where))


class Counting(CaseWork):
    """Mix-in of the app."""

    _board: Board | None = None

    @property
    def board(self) -> Board:
        """What the suites have and lack; it keeps itself up to date, and every screen asks the same one."""
        if self._board is None:
            from curator.services.coverage import Board

            assert self.ctx is not None
            self._board = Board(self.ctx)
        return self._board

    def show_document(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        """Switch to the reader, on a document."""
        raise NotImplementedError

    def _switch_to(self, mode: str) -> None:
        if mode != self.current_mode:
            self.switch_mode(mode)

    def take_settings(self, ctx: Context) -> None:
        """`curator.toml` was read again: from now on everything goes by it."""
        self.ctx = ctx
        if self._board is not None:
            self._board.ctx = ctx

    def show_coverage(self, suite: str = "") -> None:
        """Show what a suite covers and lacks."""
        from curator.tui.screens.coverage import CoverageScreen

        self._switch_to("coverage")
        screen = self.screen
        if isinstance(screen, CoverageScreen):
            screen.show_suite(suite)

    def show_cell(self, suite: str, where: Mapping[str, str]) -> None:
        """List the cases of a cell, all of them for {}."""
        from curator.tui.screens.case import CaseScreen

        self._switch_to("case")
        screen = self.screen
        if isinstance(screen, CaseScreen):
            screen.show_cell(CellOf(self.board, suite, dict(where)))

    def show_failures(self, names: Sequence[str], name: str, about: str) -> None:
        """Show failures that have something in common, and one of them in full.

        Args:
            names: Their ids.
            name: The one to begin with.
            about: What they have in common.
        """
        from curator.tui.screens.failures import FailuresScreen

        self._switch_to("failures")
        screen = self.screen
        if isinstance(screen, FailuresScreen):
            screen.show_some(names, name, about)

    def start_for_gap(self, work: Work, place: Place | None) -> None:
        """Begin the case that a gap asks for, and show the pages where it would be made.

        What the gap asks for is not typed by anyone: left alone, the case leaves no draft.

        Args:
            work: The gap.
            place: Where; None = nowhere in particular: then the form is shown.
        """
        from curator.domain.case import Case
        from curator.domain.filling import begun
        from curator.services.selection import policy

        ctx = self.ctx
        if ctx is None:
            return
        fields = begun(work.where, policy(ctx, work.suite))
        self.collect()
        self.desk.start(Case().model_copy(update=fields))
        self._loaded(None)
        if place is None:
            self._switch_to("case")
            return
        self.mark(partial(_judged_against, place.document_id), "", given=True)
        self.show_document(place.document_id, place.page or place.first_page, place.source)
        said = f"a new case for {work.name}: e marks the source that proves it, f fills in the form"
        self.notify(said, markup=False, timeout=6)


def _judged_against(document_id: str, ctx: Context, case: Case) -> Case:
    """The case with the document; in a worker."""
    from curator.services import cases

    return cases.with_document(ctx, case, document_id)
