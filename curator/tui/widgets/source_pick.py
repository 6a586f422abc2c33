"""A caret that goes by words and sentences through one source, and the selection that it draws. Pure."""

from __future__ import annotations

from bisect import bisect_right
from typing import TYPE_CHECKING

from curator.domain.quoting import Span, sentences, tokens
from curator.tui.widgets.source_layout import CELLS, shown_text

if TYPE_CHECKING:
    from curator.domain.document import Source


class Pick:
    """The caret on a word of a source; when it is anchored, all from the anchor to the caret is selected.

    Attributes:
        source_id: The source.
        words: Spans of its words: tokens that are more than punctuation.
        head: Place of the caret's word; `anchor`: of the one where the selection began, -1 = nothing is selected.
        growing: Whether the next move makes the selection longer or shorter.
    """

    def __init__(self, source: Source, at: int = 0) -> None:
        self.source_id = source.id
        self.text = shown_text(source)
        self.words = [(a, b) for a, b in tokens(self.text) if any(c.isalnum() for c in self.text[a:b])]
        self._sentences = _cells(self.text) if source.kind == "row" else sentences(self.text)
        self.anchor = -1
        self.growing = False
        self.head = 0
        self.to(at)

    def to(self, offset: int) -> None:
        """The caret on the word at an offset."""
        self.head = max(0, min(bisect_right(self.words, (offset, len(self.text) + 1)) - 1, len(self.words) - 1))

    def toggle(self) -> None:
        """Begin to select at the caret; again: the selection is done."""
        if self.growing:
            self.growing = False
        else:
            self.anchor, self.growing = self.head, True

    def select(self, start: int, end: int) -> None:
        """Select from one offset to another, whole words."""
        self.to(start)
        self.anchor = self.head
        self.to(end)
        self.growing = False

    def _before_move(self) -> None:
        if not self.growing:
            self.anchor = -1

    def word(self, by: int) -> None:
        """The caret some words on."""
        self._before_move()
        self.head = max(0, min(self.head + by, len(self.words) - 1))

    def sentence(self, by: int) -> None:
        """The caret to the end of a sentence (of a row: of a cell) while one selects, else to the next one's begin."""
        self._before_move()
        if not self.words:
            return
        place = self._place(self.words[self.head][0])
        edges = [(self._first(a), self._last(b)) for a, b in self._sentences[max(0, place - 1) : place + 2]]
        firsts, lasts = [a for a, _ in edges], [b for _, b in edges]
        if self.growing and by > 0:
            self.head = next((n for n in lasts if n > self.head), self.head)
        elif by > 0:
            self.head = next((n for n in firsts if n > self.head), self.head)
        else:
            self.head = next((n for n in reversed(firsts) if n < self.head), self.head)

    def _place(self, offset: int) -> int:
        return max(0, bisect_right(self._sentences, (offset, len(self.text) + 1)) - 1)

    def _sentence_at(self, offset: int) -> Span:
        return self._sentences[self._place(offset)]

    def _first(self, offset: int) -> int:
        return min(bisect_right(self.words, (offset, -1)), max(0, len(self.words) - 1))

    def _last(self, offset: int) -> int:
        return max(0, bisect_right(self.words, (offset, -1)) - 1)

    @property
    def caret(self) -> Span:
        """The caret's word."""
        return self.words[self.head] if self.words else (0, 0)

    @property
    def span(self) -> Span:
        """What is selected; whole sentences carry their closing mark. Empty = nothing."""
        if self.anchor < 0 or not self.words:
            return (0, 0)
        low, high = sorted((self.anchor, self.head))
        start, end = self.words[low][0], self.words[high][1]
        first, last = self._sentence_at(start), self._sentence_at(self.words[high][0])
        begins = not any(c.isalnum() for c in self.text[first[0] : start])
        if begins and not any(c.isalnum() for c in self.text[end : last[1]]):
            return first[0], last[1]
        return start, end

    @property
    def quote(self) -> str:
        """The selected text, as the source has it; "" = nothing."""
        start, end = self.span
        return self.text[start:end]


def _cells(text: str) -> list[Span]:
    spans: list[Span] = []
    at = 0
    for cell in text.split(CELLS):
        spans.append((at, at + len(cell)))
        at += len(cell) + len(CELLS)
    return spans
