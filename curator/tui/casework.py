"""What can be done to the current case from any screen: open, start, copy, mark, check; see also saving and undoing."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.timer import Timer

from curator.tui.desk import Desk, Sheet, merged_marks
from curator.tui.undoing import Undoing
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.case import Case
    from curator.domain.problem import Problem
    from curator.domain.suggestion import Decided
    from curator.services.blind import Seen
    from curator.services.context import Context

    Edit = Callable[[Context, Case], Case]

CHECK_WAIT = 0.15


class CaseWork(Undoing):
    """Mix-in of the app. Every change is announced on `case_signal` with where it came from."""

    def begin_case_work(self) -> None:
        """An empty desk."""
        self.desk = Desk()
        self.problems: tuple[Problem, ...] | None = None
        self.waits_for = ""
        self.approves: bool | None = None
        """Whether who acts can approve the current case; None = not known yet."""
        self.saving = ""
        self._edits: deque[tuple[Edit, str, bool, Decided | None]] = deque()
        self._editing = False
        self._check_timer: Timer | None = None
        self._check_at = 0.0
        self._why_unchecked = ""
        self._top: tuple[str, bool] | None = None
        self.collectors: list[Callable[[], None]] = []
        self.begin_drafting()

    def announce(self, origin: str) -> None:
        """Tell every screen, and check the case again off this thread."""
        if origin == "saved":
            self.approves = None
        if origin in ("form", "marks"):
            self.saving = ""
            self.note_change()
        self.case_signal.publish(origin)
        sheet = self.desk.sheet
        top = (sheet.key, sheet.dirty) if sheet is not None else None
        if top != self._top:  # a key seldom changes it, and what lies between it and the cursor is painted with it
            self._top = top
            self.repaint_top()
        if origin != "checked":
            self._check_at = monotonic() + CHECK_WAIT
            if self._check_timer is None:
                self._check_timer = self.set_timer(CHECK_WAIT, self._check)

    def _check(self) -> None:
        from curator.services import cases, checking, queueing

        self._check_timer = None
        if (left := self._check_at - monotonic()) > 0:  # something was typed meanwhile
            self._check_timer = self.set_timer(left, self._check)
            return
        ctx, sheet = self.ctx, self.desk.sheet
        if ctx is None or sheet is None:
            return
        case, submitted, blind, hidden = sheet.case, sheet.waits, sheet.blind, sheet.hidden
        stale = sheet.record is not None and not sheet.dirty and "stale" in sheet.record.flags

        def work() -> tuple[tuple[Problem, ...], str, bool]:
            found = () if blind else checking.check(ctx, case, hidden, stale=stale)
            if not submitted:
                return found, "", False
            return found, cases.standing(ctx, case.id)[0], case.id in queueing.open_to(ctx, [case.id])

        serve(self, work, self._checked, doing="check the case", group="check", failed=self._not_checked)

    def _checked(self, found: tuple[tuple[Problem, ...], str, bool]) -> None:
        self._why_unchecked = ""
        self.problems, self.waits_for, self.approves = found
        self.announce("checked")

    def _not_checked(self, error: Exception) -> bool:
        """What stops the checks would stop them at every key: it is told once."""
        before, self._why_unchecked = self._why_unchecked, str(error)
        return before == self._why_unchecked

    # -- which case ---------------------------------------------------------------------------------------------

    def open_case(self, case_id: str, then: Callable[[], None] | None = None) -> None:
        """Make a stored case the current one, as the acting person may see it, or bring one back from the shelf."""
        ctx = self.ctx
        if ctx is None:
            return
        self.collect()
        if self.desk.bring_back(case_id) is not None:
            self._opened(then, None)
            return
        from curator.services import ledger

        serve(
            self,
            lambda: ledger.seen(ctx, case_id, "app"),
            partial(self._opened, then),
            doing=f"open {case_id}",
            group="open case",
        )

    def _opened(self, then: Callable[[], None] | None, seen: Seen | None) -> None:
        self.collect()
        if seen is not None:
            self.desk.open(seen.record, seen.hidden)
        self._loaded(then)

    def _loaded(self, then: Callable[[], None] | None) -> None:
        self.problems = self.approves = None
        self.saving = ""
        self.announce("loaded")
        if then is not None:
            then()

    def start_case(self, document_id: str = "", question: str = "", then: Callable[[], None] | None = None) -> None:
        """A new case, judged against a document when one is named; it is stored by the first save."""
        from curator.domain.case import Case

        self.collect()
        sheet = self.desk.start(Case())
        if question:
            self.desk.edit(sheet, turns=(question,))
            self.note_change()
        self._loaded(None)
        if document_id:
            from curator.services import cases

            self.mark(lambda ctx, case: cases.with_document(ctx, case, document_id), "", given=True)
        if then is not None:
            then()

    def copy_case(self, then: Callable[[], None] | None = None) -> bool:
        """A new case that says what the current one says, its evidence too; False when there is none to copy."""
        from curator.domain.case import Case

        self.collect()
        sheet = self.desk.sheet
        if sheet is None or sheet.blind:
            return False
        blank = Case()
        hidden = {name: getattr(blank, name) for name in sheet.hidden}
        self.desk.start(sheet.case.model_copy(update=hidden | {"id": ""}), start=blank)
        self.note_change()
        self._loaded(then)
        return True

    def show_case(self) -> None:
        """Go to the form."""
        if self.current_mode != "case":
            self.switch_mode("case")

    async def action_fill_in(self) -> None:
        """From the reader, where the case is marked, into the first field that it lacks."""
        if self.current_mode != "reader" or self.desk.sheet is None:
            return
        from curator.tui.screens.case import CaseScreen

        await self.switch_mode("case")
        if isinstance(self.screen, CaseScreen):
            self.screen.fill_in()

    # -- changes ------------------------------------------------------------------------------------------------

    def edit_case(self, sheet: Sheet, **changes: Any) -> None:
        """Fields of a sheet that were typed."""
        self.desk.edit(sheet, **changes)
        self.announce("form")

    def mark(self, edit: Edit, said: str, *, given: bool = False, decided: Decided | None = None) -> None:
        """Change the marks of the current case by a service; marks made quickly follow one another.

        Args:
            edit: Gives the case with the mark.
            said: Shown when it is done; "" = nothing.
            given: It comes with the new case: nobody typed it, so that alone there is nothing to save or take back.
            decided: What a person says of a suggestion with it: both are one change.
        """
        self._edits.append((edit, said, given, decided))
        self._next_edit()

    def _next_edit(self) -> None:
        ctx, sheet = self.ctx, self.desk.sheet
        if self._editing or not self._edits or ctx is None or sheet is None:
            return
        self.collect()
        edit, said, given, decided = self._edits.popleft()
        before = sheet.case
        self._editing = True
        serve(
            self,
            lambda: edit(ctx, before),
            partial(self._edited, sheet, before, said, given, decided),
            doing="mark the source",
            failed=lambda _error: self._edit_failed(),
        )

    def _edited(self, sheet: Sheet, before: Case, said: str, given: bool, decided: Decided | None, after: Case) -> None:
        from curator.domain.suggestion import with_decided

        self._editing = False
        self.collect()
        if given and sheet.record is None:
            sheet.start = merged_marks(sheet.start, before, after)
            sheet.case = merged_marks(sheet.case, before, after)
        else:
            more = with_decided(sheet.decided, decided) if decided else None
            sheet.put(merged_marks(sheet.case, before, after), decided=more)
        self.announce("marks")
        if said:
            self.notify(said, markup=False, timeout=3)
        self._next_edit()

    def _edit_failed(self) -> bool:
        self._editing = False
        self.call_later(self._next_edit)
        return False
