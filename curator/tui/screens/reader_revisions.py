"""Which revision the reader shows, what it changed, other names for its sources, and marks that wait for a look."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from curator.tui.screens.reader_marks import ReaderMarks

if TYPE_CHECKING:
    from curator.domain.case import Case
    from curator.services.renaming import Renamed
    from curator.services.rereading import Standing, Today
    from curator.tui.marking import Mark


class ReaderRevisions(ReaderMarks):
    """A base of the reader."""

    _standing: Standing | None = None
    _today: tuple[Case, Today] | None = None
    _new_name = ""

    # -- marks --------------------------------------------------------------------------------------------------

    @property
    def shown_case(self) -> Case | None:
        """The current case, under the ids that sources have today, as soon as they were looked up."""
        case = self.curator.desk.case
        return self._today[1].case if self._today is not None and self._today[0] == case else case

    def _paint_marks(self) -> None:
        """Paint them; names that were given up, and what waits, come a moment later."""
        super()._paint_marks()
        case = self.curator.desk.case
        if case is not None and (self._today is None or self._today[0] != case):
            self._look_up(case)

    def _look_up(self, case: Case) -> None:
        from curator.services import rereading

        self.ask(lambda ctx: rereading.today(ctx, case), partial(self._is_today, case), doing="look up the sources",
                 group="today")  # fmt: skip

    def _is_today(self, case: Case, found: Today) -> None:
        before = self._today
        self._today = (case, found)
        if found.case != case or found.waiting or (before and before[1].waiting):
            super()._paint_marks()

    def with_waiting(self, marks: list[Mark]) -> list[Mark]:
        """The marks; those whose source waits to be re-confirmed say so."""
        waiting = self._today[1].waiting if self._today is not None else frozenset()
        return [replace(m, text=f"! stale  {m.text}") if m.source_id in waiting else m
                for m in marks]  # fmt: skip

    def stale_said(self) -> list[str]:
        """That the case rests on something that waits to be re-confirmed."""
        sheet = self.curator.desk.sheet
        is_stale = sheet is not None and sheet.record is not None and "stale" in sheet.record.flags
        return ["! stale: F6"] if is_stale else []

    # -- the revision -------------------------------------------------------------------------------------------

    def open_document(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        """Show a document."""
        raise NotImplementedError

    def _paint_title(self) -> None:
        raise NotImplementedError

    @property
    def revision_said(self) -> str:
        """Which revision it is, of a document that has more than one; D shows what it changed."""
        standing = self._standing
        if standing is None or standing.revisions < 2:
            return ""
        of = f" ({standing.number} of {standing.revisions})"
        return f"revision {standing.revision}{of if standing.revision != str(standing.number) else ''}"

    def look_for_revision(self) -> None:
        """Look whether the document is as it is shown: another revision, decision or name is shown at once."""
        document = self.document
        if document is not None:
            from curator.services import rereading

            self.ask(
                lambda ctx: rereading.standing(ctx, document.id),
                self._stands,
                doing="look at the revision",
                group="revision",
            )

    def _stands(self, found: Standing) -> None:
        before, document = self._standing, self.document
        if document is None or (found.document_id != document.id and before is None):
            return
        if before is not None and before.document_id in (document.id, found.document_id) and before != found:
            source, name = self._view.source, self._new_name
            self.document = self._standing = self._today = None
            self._new_name = ""
            at = source.id if source else ""
            self.open_document(found.document_id, source.anchor.page if source else 1, name or at)
            return
        self._standing = found
        self._paint_title()
        self.refresh_bindings()

    # -- actions ------------------------------------------------------------------------------------------------

    def action_differences(self) -> None:
        """What this revision, or this reading of it, changed, beside the one before."""
        if self.document is None:
            return
        if self._standing is not None and self._standing.readings < 2:
            self.notify("it was read once: there is nothing before it", markup=False, timeout=3)
            return
        from curator.tui.screens.revision_diff import RevisionDiff

        self.app.push_screen(RevisionDiff(self.document.id), self._read_on)

    def _read_on(self, source_id: str | None) -> None:
        if source_id:
            from curator.services import documents

            self.ask(lambda ctx: documents.source(ctx, source_id), partial(self._go_to, "it is not here any more"),
                     doing="look for the source", group="table")  # fmt: skip

    def action_rename(self) -> None:
        """Give the source under the cursor another id."""
        source = self._view.source
        if source is not None:
            from curator.tui.screens.renaming import ask_new_name

            ask_new_name(self, source.id, self._renamed)

    def _renamed(self, done: Renamed) -> None:
        self._new_name = done.after
