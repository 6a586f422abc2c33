"""What can be done to the current case from any screen: open, start, mark, check, save, submit."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.timer import Timer

from curator.errors import Conflict
from curator.tui.desk import Desk, Sheet, merged_marks
from curator.tui.workers import serve

if TYPE_CHECKING:
    from textual.signal import Signal

    from curator.domain.case import Case, CaseRecord
    from curator.domain.rules import Problem
    from curator.services.context import Context

    _App = App[int]
    Edit = Callable[[Context, Case], Case]
else:
    _App = object

CHECK_WAIT = 0.15


class CaseWork(_App):
    """Mix-in of the app. Every change is announced on `case_signal` with where it came from."""

    ctx: Context | None
    case_signal: Signal[str]

    def repaint_top(self) -> None:
        """Paint the top line again."""
        raise NotImplementedError

    def begin_case_work(self) -> None:
        """An empty desk."""
        self.desk = Desk()
        self.problems: tuple[Problem, ...] | None = None
        self.waits_for = ""
        self.saving = ""
        self._edits: deque[tuple[Edit, str]] = deque()
        self._editing = False
        self._check_timer: Timer | None = None
        self.collectors: list[Callable[[], None]] = []
        """Called before the desk changes: each puts what was typed into the sheet that it shows."""

    def collect(self) -> None:
        """Take what was typed and has not been told yet, so that the desk is as the person sees it."""
        for collector in self.collectors:
            collector()

    def announce(self, origin: str) -> None:
        """Tell every screen, and check the case again off this thread."""
        self.case_signal.publish(origin)
        self.repaint_top()
        if origin != "checked":
            if origin in ("form", "marks"):
                self.saving = ""
            if self._check_timer is not None:
                self._check_timer.stop()
            self._check_timer = self.set_timer(CHECK_WAIT, self._check)

    def _check(self) -> None:
        from curator.services import cases

        ctx, sheet = self.ctx, self.desk.sheet
        if ctx is None or sheet is None:
            return
        case, submitted = sheet.case, sheet.status == "in_review"

        def work() -> tuple[tuple[Problem, ...], str]:
            return cases.check(ctx, case), cases.standing(ctx, case.id)[0] if submitted else ""

        serve(self, work, self._checked, doing="check the case", group="check")

    def _checked(self, found: tuple[tuple[Problem, ...], str]) -> None:
        self.problems, self.waits_for = found
        self.announce("checked")

    # -- which case ---------------------------------------------------------------------------------------------

    def open_case(self, case_id: str, then: Callable[[], None] | None = None) -> None:
        """Make a stored case the current one, or bring one back from the shelf."""
        from curator.services import cases

        ctx = self.ctx
        if ctx is None:
            return
        self.collect()
        if self.desk.bring_back(case_id) is not None:
            self._opened(None, then)
            return
        serve(
            self,
            lambda: cases.get(ctx, case_id),
            lambda record: self._opened(record, then),
            doing=f"open {case_id}",
            group="open case",
        )

    def _opened(self, record: CaseRecord | None, then: Callable[[], None] | None) -> None:
        self.collect()
        if record is not None:
            self.desk.open(record)
        self.problems = None
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
        self.problems = None
        self.saving = ""
        self.announce("loaded")
        if document_id:
            from curator.services import cases

            self.mark(lambda ctx, case: cases.with_document(ctx, case, document_id), "")
        if then is not None:
            then()

    # -- changes ------------------------------------------------------------------------------------------------

    def edit_case(self, sheet: Sheet, **changes: Any) -> None:
        """Fields of a sheet that were typed."""
        self.desk.edit(sheet, **changes)
        self.announce("form")

    def mark(self, edit: Edit, said: str) -> None:
        """Change the marks of the current case by a service; marks made quickly follow one another.

        Args:
            edit: Gives the case with the mark.
            said: Shown when it is done; "" = nothing.
        """
        self._edits.append((edit, said))
        self._next_edit()

    def _next_edit(self) -> None:
        ctx, sheet = self.ctx, self.desk.sheet
        if self._editing or not self._edits or ctx is None or sheet is None:
            return
        self.collect()
        edit, said = self._edits.popleft()
        before = sheet.case
        self._editing = True
        serve(
            self,
            lambda: edit(ctx, before),
            partial(self._edited, sheet, before, said),
            doing="mark the source",
            failed=lambda _error: self._edit_failed(),
        )

    def _edited(self, sheet: Sheet, before: Case, said: str, after: Case) -> None:
        self._editing = False
        self.collect()
        sheet.case = merged_marks(sheet.case, before, after)
        self.announce("marks")
        if said:
            self.notify(said, markup=False, timeout=3)
        self._next_edit()

    def _edit_failed(self) -> bool:
        self._editing = False
        self.call_later(self._next_edit)
        return False

    # -- saving -------------------------------------------------------------------------------------------------

    def action_save(self) -> None:
        """Store the current case; "saved ✓" is shown after the commit only."""
        self.save_case()

    def save_case(self, then: Callable[[CaseRecord], None] | None = None) -> None:
        """Store the current case with the version that it was loaded with.

        Args:
            then: Takes the record when it is stored; called at once when nothing had changed.
        """
        from curator.services import cases

        ctx, sheet = self.ctx, self.desk.sheet
        if ctx is None or sheet is None or self.saving == "saving …":
            return
        self.collect()
        if not sheet.dirty and sheet.record is not None:
            if then is not None:
                then(sheet.record)
            else:
                self.notify("nothing has changed since it was saved", markup=False, timeout=3)
            return
        sent, record = sheet.case, sheet.record
        self.saving = "saving …"
        self.case_signal.publish("checked")
        serve(
            self,
            lambda: cases.save(ctx, sent, record.version) if record else cases.new(ctx, sent),
            partial(self._saved, sheet, sent, then),
            doing="save the case",
            failed=partial(self._not_saved, sheet),
        )

    def _saved(self, sheet: Sheet, sent: Case, then: Callable[[CaseRecord], None] | None, record: CaseRecord) -> None:
        self.collect()
        self.desk.saved(sheet, sent, record)
        self.saving = "saved ✓"
        self.announce("saved")
        if then is not None:
            then(record)

    def _not_saved(self, sheet: Sheet, error: Exception) -> bool:
        self.saving = "! not saved"
        self.case_signal.publish("checked")
        if not isinstance(error, Conflict) or sheet.record is None:
            return False
        from curator.services import cases

        ctx, name = self.ctx, sheet.record.case.id
        assert ctx is not None
        serve(self, lambda: cases.get(ctx, name), partial(self._both, sheet), doing=f"open {name}")
        return True

    def _both(self, sheet: Sheet, theirs: CaseRecord) -> None:
        from curator.tui.screens.conflict import ConflictScreen

        self.push_screen(ConflictScreen(sheet.case, theirs), partial(self._decided, sheet, theirs))

    def _decided(self, sheet: Sheet, theirs: CaseRecord, answer: str | None) -> None:
        from curator.services import cases

        ctx = self.ctx
        if answer is None or ctx is None:
            return
        if answer == "mine":
            sheet.record = theirs
            self.announce("loaded")
            self.save_case()
            return
        copy = sheet.case.model_copy(update={"id": ""})
        serve(self, lambda: cases.new(ctx, copy), partial(self._kept_apart, sheet, theirs), doing="keep your version")

    def _kept_apart(self, sheet: Sheet, theirs: CaseRecord, mine: CaseRecord) -> None:
        sheet.case, sheet.record = theirs.case, theirs
        self.saving = ""
        self.notify(f"your version is the new draft {mine.case.id}", markup=False)
        self.announce("loaded")

    # -- submitting ---------------------------------------------------------------------------------------------

    def action_submit(self) -> None:
        """Save the current case and send it to review; what stands against it is said."""
        self.save_case(self._submit)

    def _submit(self, record: CaseRecord) -> None:
        from curator.services import cases

        ctx, name = self.ctx, record.case.id
        assert ctx is not None

        def work() -> tuple[Any, CaseRecord]:
            return cases.submit(ctx, [name])[0], cases.get(ctx, name)

        serve(self, work, self._submitted, doing=f"submit {name}")

    def _submitted(self, answer: tuple[Any, CaseRecord]) -> None:
        result, record = answer
        self.take_record(record)
        if result.problems:
            first = result.problems[0]
            more = f", and {len(result.problems) - 1} more" if len(result.problems) > 1 else ""
            self.notify(f"not submitted: {first.message} ({first.hint}){more}", severity="warning", markup=False)
        else:
            self.notify(f"{result.case_id} is {result.status.replace('_', ' ')}", markup=False)

    def take_record(self, record: CaseRecord) -> None:
        """The standing of a case changed: its sheet follows, unsaved text stays."""
        self.collect()
        sheet = self.desk.sheet
        if sheet is not None and sheet.record is not None and sheet.record.case.id == record.case.id:
            if not sheet.dirty:
                sheet.case = record.case
            sheet.record = record
            self.announce("saved")
        else:
            self.case_signal.publish("saved")
