"""Saving the current case, what happens when somebody else has saved it, and sending it to review."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from curator.errors import Conflict
from curator.tui.desk import Sheet, merged
from curator.tui.promoting import Promoting, failure_of, stored_new
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.domain.suggestion import Decided as DecidedSuggestion
    from curator.services.blind import Seen
    from curator.services.context import Context
    from curator.tui.screens.conflict import Decided

OPEN = ("draft", "changes_requested")


class Saving(Promoting):
    """Mix-in of the app."""

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
        if sheet.blind:
            self.notify("you label this case blind: a labels it, there is nothing to save", markup=False, timeout=4)
            return
        if not sheet.dirty and sheet.record is not None:
            if then is not None:
                then(sheet.record)
            else:
                self.notify("nothing has changed since it was saved", markup=False, timeout=3)
            return
        sent, record, key, decided = sheet.case, sheet.record, sheet.key, sheet.decided
        self.saving = "saving …"
        self.case_signal.publish("checked")
        serve(
            self,
            lambda: (
                cases.save(ctx, sent, record.version, draft=key, decided=decided)
                if record
                else stored_new(ctx, sent, key, decided)
            ),
            partial(self._saved, sheet, sent, decided, key, then),
            doing="save the case",
            failed=partial(self._not_saved, sheet),
        )

    def _saved(
        self,
        sheet: Sheet,
        sent: Case,
        decided: tuple[DecidedSuggestion, ...],
        key: str,
        then: Callable[[CaseRecord], None] | None,
        record: CaseRecord,
    ) -> None:
        self.collect()
        self.desk.saved(sheet, sent, record, decided)
        self.forget_draft(key)
        self.saving = "saved ✓"
        self.announce("saved")
        if sheet.dirty:
            self.note_change()
        self.came_from = failure_of(key) or self.came_from
        if then is not None:
            then(record)
        else:
            self.back_to_failures(record)

    # -- somebody else was faster -------------------------------------------------------------------------------

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

        self.push_screen(ConflictScreen(sheet.stored, sheet.case, theirs), partial(self._decided, sheet, theirs))

    def _decided(self, sheet: Sheet, theirs: CaseRecord, answer: Decided | None) -> None:
        """What was decided is stored over theirs, which stays in the history; what was left of mine stays a draft."""
        if answer is None:
            return
        if answer.left_out:
            self.put_aside(sheet.case)
            said = ", ".join(answer.left_out)
            self.notify(f"your version waits under Drafts (left out: {said})", markup=False)
        key, was_current = sheet.key, sheet is self.desk.sheet
        sheet.record = theirs
        sheet.put(answer.case)
        self.saving = ""
        self.announce("loaded")
        if not sheet.dirty:
            self.keep_drafts()
            sheet.forget_steps()
        elif was_current:
            self.save_case()
        else:
            self.notify(f"{key} is not saved yet", markup=False)

    # -- submitting ---------------------------------------------------------------------------------------------

    def action_submit(self) -> None:
        """Save the current case and send it to review; what stands against it is said."""
        self.save_case(partial(self._submit, None))

    def submit_and_go_on(self, then: Callable[[], None]) -> None:
        """As submit; when nothing stands against it, the next draft is the current case, or a new one.

        Args:
            then: Called when it is.
        """
        self.save_case(partial(self._submit, then))

    def _submit(self, onward: Callable[[], None] | None, record: CaseRecord) -> None:
        from curator.services import cases

        ctx, name = self.ctx, record.case.id
        assert ctx is not None
        if onward is not None and record.status not in OPEN:
            self._go_on(record, onward)
            return

        def work() -> tuple[Any, CaseRecord]:
            return cases.submit(ctx, [name])[0], cases.get(ctx, name)

        serve(self, work, partial(self._submitted, onward), doing=f"submit {name}")

    def _submitted(self, onward: Callable[[], None] | None, answer: tuple[Any, CaseRecord]) -> None:
        result, record = answer
        if onward is not None and not result.problems and not self.came_from:
            self._go_on(record, onward)
        else:
            self.take_record(record)
        if not result.problems:
            self.back_to_failures(record)
        if result.problems:
            first = result.problems[0]
            more = f", and {len(result.problems) - 1} more" if len(result.problems) > 1 else ""
            self.notify(f"not submitted: {first.message} ({first.hint}){more}", severity="warning", markup=False)
        else:
            self.notify(f"{result.case_id} is {result.status.replace('_', ' ')}", markup=False)

    def _go_on(self, record: CaseRecord, then: Callable[[], None]) -> None:
        ctx, name = self.ctx, record.case.id
        assert ctx is not None
        self.take_record(record)
        documents = record.case.documents

        def go(found: str) -> None:
            if found:
                self.open_case(found, then)
            else:
                self.start_case(documents[0].document_id if documents else "", then=then)

        serve(self, lambda: next_draft(ctx, name), go, doing="look for the next draft", group="open case")

    def open_case(self, case_id: str, then: Callable[[], None] | None = None) -> None:
        """Make a stored case the current one."""
        raise NotImplementedError

    def start_case(self, document_id: str = "", question: str = "", then: Callable[[], None] | None = None) -> None:
        """A new case."""
        raise NotImplementedError

    def take_record(self, record: CaseRecord) -> None:
        """A case changed in the store: its sheet follows, unsaved text stays."""
        ctx, sheet, name = self.ctx, self.desk.sheet, record.case.id
        if ctx is None or sheet is None or sheet.record is None or sheet.record.case.id != name:
            self.case_signal.publish("saved")
            return
        from curator.services import blind

        serve(self, lambda: blind.look(ctx, name), partial(self._taken, sheet), doing=f"open {name}")

    def _taken(self, sheet: Sheet, seen: Seen) -> None:
        self.collect()
        record = seen.record
        if sheet.record is not None and record.version >= sheet.record.version:
            was_blind = sheet.blind
            sheet.hidden = seen.hidden
            sheet.case = record.case if was_blind or sheet.blind else merged(sheet.stored, sheet.case, record.case)
            sheet.record = record
            if not sheet.dirty:
                sheet.forget_steps()
        self.announce("loaded" if sheet is self.desk.sheet else "saved")
        if sheet is self.desk.sheet:
            self.case_signal.publish("saved")


def next_draft(ctx: Context, name: str) -> str:
    """Id of the case that comes after this one, in order of creation, among those that are not submitted; in a worker.

    After the last comes the first; "" = there is no other.
    """
    from curator.services import cases

    here = next((line.seq for line in cases.page_of(ctx, contains=name) if line.id == name), 0)
    for place in (here, None):
        found = [
            line
            for status in OPEN
            for line in cases.page_of(ctx, after=place, where={"status": status}, limit=2)
            if line.id != name
        ]
        if found:
            return min(found, key=lambda line: line.seq).id
    return ""
