"""Suggested evidence for the question that is typed: by words a moment after the last key, then by meaning too.

Nothing is evidence because it is suggested. `e` and `x` say what a person decides; it goes with the unsaved case, is
taken back like every change of it, and is recorded when it is saved.
"""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.timer import Timer

from curator.errors import CuratorError
from curator.tui.marking import next_role
from curator.tui.messages import OpenDocument
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.room import Room
from curator.tui.widgets.suggestions import SuggestionList, SuggestionPane

if TYPE_CHECKING:
    from curator.domain.case import Case
    from curator.services.context import Context
    from curator.services.suggestions import Suggested, Suggestion
    from curator.tui.desk import Sheet

SOON = 0.02
Asked = tuple[str, tuple[str, ...]]


@dataclass(frozen=True)
class Answer:
    """What was found, and whether meaning can be asked: "on", or "off (why; ...)"."""

    found: Suggested
    semantic: str


class Suggesting(Room):
    """Mix-in of the case screen."""

    WAIT: ClassVar[float] = 0.4
    """Seconds after the last key before words are searched for."""
    IDLE: ClassVar[float] = 1.2
    """Seconds after that before meaning is asked: its first time loads the model."""

    def __init__(self) -> None:
        super().__init__()
        self._owner = ""
        self._question: Asked | None = None
        self._without: frozenset[str] = frozenset()
        self._found: Suggested | None = None
        self._better: Answer | None = None
        self._look_timer: Timer | None = None
        self._look_at = 0.0
        self._deep_timer: Timer | None = None
        self._stopped = threading.Event()
        self._failed = ""

    @property
    def _pane(self) -> SuggestionPane:
        return self.query_one("#suggested", SuggestionPane)

    # -- looking ------------------------------------------------------------------------------------------------

    def look_for_suggestions(self, *, anew: bool = False) -> None:
        """When the list is in sight: show what is decided, and look again when the question is another one.

        Args:
            anew: Look again in any case: what was rejected before may be another.
        """
        sheet = self.curator.desk.sheet
        if sheet is None or not self.has_class("-suggesting"):
            return
        if self._owner != sheet.key:  # those of another case must not be decided about here
            self._owner, self._found, self._better = sheet.key, None, None
            self._pane.show_suggestions(())
            self._pane.say("…")
        self._show_decisions(sheet)
        if not anew and self._question == (sheet.key, sheet.case.turns):
            return
        self._question = None
        self._stopped.set()  # what still runs is void
        self._stop_deep()
        wait = self.WAIT if self._found is not None else SOON
        self._look_at = monotonic() + wait
        if self._look_timer is None:
            self._look_timer = self.set_timer(wait, self._look)

    def _look(self) -> None:
        self._look_timer = None
        if (left := self._look_at - monotonic()) > 0:  # something was typed meanwhile
            self._look_timer = self.set_timer(left, self._look)
            return
        sheet = self.curator.desk.sheet
        if sheet is None or self.curator.ctx is None:
            return
        self._without = frozenset(_rejected(sheet))
        self._question = (sheet.key, sheet.case.turns)
        self._ask(sheet, deep=False)

    def _ask(self, sheet: Sheet, *, deep: bool) -> None:
        assert self._question is not None
        self._stopped = threading.Event()
        progress = AppProgress(partial(self.app.call_later, self._told), self._stopped)
        self.ask(
            partial(_suggest, sheet.case, self._without, not sheet.blind, deep, progress),
            partial(self._have, self._question, deep),
            doing="look for suggestions",
            group="suggestions",
            failed=self._not_found,
            reads=True,
        )

    def _told(self, snapshot: Snapshot) -> None:
        total = f" {snapshot.done}/{snapshot.total}" if snapshot.total else ""
        if self.is_mounted:
            self._pane.say(f"{snapshot.stage}{total} …")

    def _have(self, question: Asked, deep: bool, answer: Answer) -> None:
        sheet = self.curator.desk.sheet
        if sheet is None or question != self._question:
            return
        self._failed = ""
        pane, found = self._pane, answer.found
        chosen = pane.list.has_focus and pane.list.at > 0
        pane.list.empty = found.note if any(t.strip() for t in sheet.case.turns) else "no question yet"
        self._better = None
        if deep and chosen and self._found is not None:  # whoever has begun to go through the list keeps its order
            self._better, answer = answer, Answer(self._found, answer.semantic)
        self._show(sheet, answer)
        if not deep and answer.semantic == "on" and found.suggestions:
            self._deep_timer = self.set_timer(self.IDLE, self._look_deep)

    def _show(self, sheet: Sheet, answer: Answer) -> None:
        self._found = answer.found
        self._pane.show_suggestions(answer.found.suggestions)
        self._show_decisions(sheet)
        self._pane.say(_said(answer.found, answer.semantic))

    def left_suggestions(self) -> None:
        """Nobody goes through the list any more: it takes its better order."""
        sheet = self.curator.desk.sheet
        if self._better is not None and sheet is not None and self._question == (sheet.key, sheet.case.turns):
            self._show(sheet, self._better)
        self._better = None

    def _look_deep(self) -> None:
        self._deep_timer = None
        sheet = self.curator.desk.sheet
        if sheet is not None and self._question == (sheet.key, sheet.case.turns) and self.has_class("-suggesting"):
            self._ask(sheet, deep=True)

    def _stop_deep(self) -> None:
        if self._deep_timer is not None:
            self._deep_timer.stop()
            self._deep_timer = None

    def _not_found(self, error: Exception) -> bool:
        """One line says so; the same trouble is listed once, not at every pause in typing."""
        if type(error).__name__ == "Cancelled":
            return True
        said = error.message if isinstance(error, CuratorError) else type(error).__name__
        known, self._failed = self._failed, said
        self._pane.say(f"! no suggestions: {said}")
        return said == known

    # -- deciding -----------------------------------------------------------------------------------------------

    def _show_decisions(self, sheet: Sheet) -> None:
        renamed = self._found.renamed if self._found is not None else {}
        roles = {renamed.get(e.source_id, e.source_id): str(e.role) for e in sheet.case.evidence}
        self._pane.list.show_decisions(roles, _rejected(sheet))

    @on(SuggestionList.Decide)
    def _decide(self, event: SuggestionList.Decide) -> None:
        event.stop()
        from curator.domain.suggestion import Decided, without_decided

        sheet, found = self.curator.desk.sheet, event.suggestion
        if sheet is None:
            return
        if event.what == "read":
            self._read_suggestion(sheet, found)
        elif event.what == "accept":
            self.curator.mark(partial(next_role, found.source_id, ""), "", decided=Decided(proposal=found.proposal))
        elif found.source_id in _rejected(sheet):
            self.curator.collect()
            sheet.put(sheet.case, decided=without_decided(sheet.decided, found.source_id))
            self.curator.announce("marks")
        else:
            decided = Decided(proposal=found.proposal, rejected=True)
            self.curator.mark(partial(_without_source, found.source_id), "", decided=decided)

    def _read_suggestion(self, sheet: Sheet, found: Suggestion) -> None:
        """Read it where it stands; marked there, it was accepted from here."""
        from curator.domain.suggestion import Decided, with_decided

        if all(d.proposal.source_id != found.source_id for d in sheet.decided):
            sheet.decided = with_decided(sheet.decided, Decided(proposal=found.proposal))
        self.post_message(OpenDocument(found.document_id, found.page, found.source_id))

    def stop_all(self) -> None:
        """The app closes."""
        self._stopped.set()


def _rejected(sheet: Sheet) -> frozenset[str]:
    """What was rejected since the case was saved, by id."""
    return frozenset(d.proposal.source_id for d in sheet.decided if d.rejected)


def _said(found: Suggested, semantic: str) -> str:
    """How the list was made, in one line."""
    by = "by words and meaning" if found.semantic == "on" else "by words"
    said = [f"{len(found.suggestions)} {by}" if found.suggestions else by]
    said += [f"{found.rejected} rejected before"] if found.rejected else []
    if semantic != "on":
        said.append(f"semantic: {semantic}")
    if found.behavior:
        said.insert(0, f"! the list suggests {found.behavior}: B accepts it, b sets another")
    return " · ".join(said)


def _suggest(
    case: Case, without: frozenset[str], recall: bool, deep: bool, progress: AppProgress, ctx: Context
) -> Answer:
    """Look for suggestions; in a worker. Quick by words alone; deep by meaning too, where the extra is there."""
    from curator.services import search, suggestions

    found = suggestions.suggest(
        ctx, case, without=without, recall=recall, semantic=None if deep else False, progress=progress
    )
    state = found.semantic if deep else search.semantic_state()
    return Answer(found, state)


def _without_source(source_id: str, ctx: Context, case: Case) -> Case:
    """The case without evidence on a source; in a worker."""
    from curator.services import rereading, suggestions

    return suggestions.without_source(rereading.with_todays_name(ctx, case, source_id), source_id)
