"""Finding in the document that the reader shows."""

from __future__ import annotations

import re
from functools import partial
from typing import TYPE_CHECKING

from textual import events, on
from textual.timer import Timer
from textual.widgets import Input

from curator.tui.screens.room import Room
from curator.tui.widgets.safe import SafeInput
from curator.tui.widgets.source_view import SourceView

if TYPE_CHECKING:
    from curator.domain.document import Document, Source
    from curator.services.context import Context

FIND_WAIT = 0.15
LEADERS = re.compile(r"(?:\. ?|…|·\s?){5,}\s*\d")
ENTRIES = 3


class Finding(Room):
    """The base of the reader: a line to type in, the matches, and the way from one to the next."""

    document: Document | None
    _matches: list[Source]
    _found: str
    _looked = ""
    _timer: Timer | None

    @property
    def _view(self) -> SourceView:
        return self.query_one("#text", SourceView)

    def _paint_source(self) -> None:
        """Paint the line of the source under the cursor."""
        raise NotImplementedError

    def action_find(self) -> None:
        """Type what to find; the cursor goes to the first match as one types."""
        self.add_class("-finding")
        line = self.query_one("#find", SafeInput)
        self.set_focus(line)
        line.select_all()  # what was typed last is there again, and typing replaces it

    @on(Input.Changed, "#find")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(FIND_WAIT, partial(self._find, event.value.strip()))

    def _find(self, words: str) -> None:
        document = self.document
        if document is None or words == self._found:
            return
        self._found, self._looked = words, ""
        self._view.set_words(words)
        if len(words) < 2:
            self._matches = []
            self._paint_source()
            return
        self.ask(
            partial(_having, document.id, words),
            partial(self._matched, words),
            doing="find in the document",
            group="find",
        )

    def _matched(self, words: str, found: list[Source]) -> None:
        if words != self._found:
            return
        self._matches, self._looked = found, words
        here = self._view.source
        at = here.anchor.ordinal if here else 0
        if found:  # what a list of contents leads to is meant, not the list
            first = min(found, key=lambda m: (leads_on(m.anchor.text), m.anchor.ordinal < at, m.anchor.ordinal))
            self._view.go(first.anchor.page, source_id=first.id)
        self._paint_source()
        self.refresh_bindings()

    def found_said(self, source: Source) -> str:
        """How the finding stands, in a few words."""
        if len(self._found) < 2:
            return "two letters at least"
        if self._looked != self._found:
            return "finding …"
        place = next((n for n, m in enumerate(self._matches, 1) if m.id == source.id), 0)
        return f"match {place or '·'}/{len(self._matches)}" if self._matches else "not found: ? searches"

    @on(Input.Submitted, "#find")
    def _accepted(self, event: Input.Submitted) -> None:
        event.stop()
        self._find(event.value.strip())
        self._leave_find()

    def on_key(self, event: events.Key) -> None:
        """Arrows in the find line go from match to match."""
        if self.has_class("-finding") and event.key in ("up", "down"):
            event.stop()
            event.prevent_default()
            self.action_match(1 if event.key == "down" else -1)

    def _leave_find(self) -> None:
        self.remove_class("-finding")
        self.set_focus(self._view)

    def action_match(self, by: int) -> None:
        """The next match, or the one before; round the end."""
        source = self._view.source
        if source is None or not self._matches:
            return
        at = source.anchor.ordinal
        if by > 0:
            there = next((m for m in self._matches if m.anchor.ordinal > at), self._matches[0])
        else:
            there = next((m for m in reversed(self._matches) if m.anchor.ordinal < at), self._matches[-1])
        self._view.go(there.anchor.page, source_id=there.id)


def phrase(words: str) -> re.Pattern[str]:
    """Words as they follow one another in a text, whatever the case and the white space between them."""
    return re.compile(r"\s+".join(map(re.escape, words.split())), re.IGNORECASE)


def leads_on(text: str) -> bool:
    """Whether a text is a part of a list of contents: several of its entries lead to a page by dots."""
    return len(LEADERS.findall(text)) >= ENTRIES


def _having(document_id: str, words: str, ctx: Context) -> list[Source]:
    """The sources of a document that have these words one after the other, line breaks or not; in a worker."""
    from curator.services import documents

    found = documents.sources_on(ctx, document_id, contains=max(words.split(), key=len))
    wanted = phrase(words)
    return [s for s in found if wanted.search(s.anchor.text)]
