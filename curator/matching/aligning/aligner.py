"""One pass over the chunks of a system: what each holds of a suite's passages is noted, and the chunk forgotten."""

from __future__ import annotations

import re
from collections import Counter, defaultdict, deque
from collections.abc import Sequence
from typing import NamedTuple

from curator.domain.alignment import How, Part
from curator.matching.aligning.bare import Mapped, bare, bare_of_cleaned, cleaned, mapped_cleaned
from curator.matching.aligning.comparing import Part as Held
from curator.matching.aligning.comparing import overlay, part_of
from curator.matching.aligning.passages import Passage, Quote
from curator.matching.aligning.seeds import Hits, Seeds
from curator.matching.aligning.tables import (
    find_row,
    has_header,
    has_title,
    is_caption_of,
    last_caption,
    lost_parts,
    may_hold,
    other_table,
)

MOST = 64
"""Of chunks that hold a quote, so many are kept: those of the right document first."""
_EDGE = 2
_LEADING = 4
_OVERLAPPED = 16
_CRUMB = 6
_HEADS = 6
_HEAD_REACH = 40
_FOLDER = re.compile(r".*[\\/]")
_SUFFIX = re.compile(r"\.(pdf|docx?|html?|md|txt|xml|xlsx?|csv|json)$", re.IGNORECASE)
_FIGURES = re.compile(r"\d+")
_LONGEST_LINE = 160


class Chunk(NamedTuple):
    """A chunk of the system: its place in the file, from 1, and what its line says."""

    line: int
    id: str
    text: str
    document: str = ""
    page: int = 0


class Piece(NamedTuple):
    """What one chunk holds of one quote.

    Attributes:
        line: Place of the chunk in the file; `chunk`, `document`, `page`: what it says.
        start: Bare place in the passage from which it holds the quote, and `end`.
        agreed: Letters around the quote that are the same, of `possible` that the chunk shows.
        inserted: Lines in the middle that must be running headers for the piece to hold.
        lost: For a row: what of its table is not with it; `restored_by`: the chunks before that have it.
        fault: Why it is not taken; "" = it is one.
        digest: Of the bare chunk: equal for chunks of the same words.
        shown: Whether the heading over the passage stands in the chunk or in the one before.
        captioned: For a row: whether the caption that was read last is that of its table.
    """

    line: int
    chunk: str
    document: str
    page: int
    start: int
    end: int
    how: How
    score: float
    agreed: int
    possible: int
    inserted: tuple[str, ...]
    lost: tuple[Part, ...]
    restored_by: tuple[str, ...]
    fault: str
    digest: int
    shown: bool
    captioned: bool = False


class _Seen(NamedTuple):
    chunk: Chunk
    text: str
    bare: str


class _Head(NamedTuple):
    """A chunk with the title of a table, or its header."""

    line: int
    id: str
    document: str
    title: bool
    header: bool


class _Open(NamedTuple):
    """A quote that goes on behind the end of a chunk: from `end` in the form of its passage that was found."""

    number: int
    quote: int
    form: int
    end: int


class Aligner:
    """Takes chunks in the order in which they were cut; `pieces` is what was found."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        self.passages = passages
        self.pieces: dict[tuple[int, int], list[Piece]] = defaultdict(list)
        self.lines: Counter[str] = Counter()
        self.named: set[str] = set()
        self._tables = _tables(passages)
        self._seeds = Seeds([*passages, *(head for head, _ in self._tables)])
        self._before: deque[_Seen] = deque(maxlen=2)
        self._open: list[_Open] = []
        self._heads: dict[tuple[str, str, tuple[str, ...]], deque[_Head]] = {}
        self._names = {name for p in passages for name in p.names}
        self._headings = [bare(p.section[-1]) if p.section else "" for p in passages]
        self._document = ("", "")
        self._caption = ("", "")

    def feed(self, chunk: Chunk) -> None:
        """Note what a chunk holds."""
        text = cleaned(chunk.text)
        small = bare_of_cleaned(text)
        hits = self._seeds.hits(small)
        self._note_heads(chunk, small, hits)
        opened, self._open = self._open, []
        if hits or opened:
            self._look(chunk, text, small, hits, opened)
        if self._tables and (caption := last_caption(text, small)):
            self._caption = (chunk.document, caption)
        self._before.append(_Seen(chunk, text, small))

    def name_of(self, document: str) -> str:
        """The bare name of a document of the system: without folder and suffix."""
        if document != self._document[0]:
            name = bare(_SUFFIX.sub("", _FOLDER.sub("", document)))
            if name in self._names:
                self.named.add(name)
            self._document = (document, name)
        return self._document[1]

    def _note_heads(self, chunk: Chunk, small: str, hits: dict[int, Hits]) -> None:
        """Where titles and headers of tables stand, for rows that come without them; takes them out of the hits."""
        first = 2 * len(self.passages)
        for form in [f for f in hits if f >= first]:
            del hits[form]
            head, row = self._tables[(form - first) // 2]
            title, header = has_title(row, small), has_header(row, small)
            if title or header:
                self._heads.setdefault(head.table, deque(maxlen=_HEADS)).append(
                    _Head(chunk.line, chunk.id, chunk.document, title, header)
                )

    def _look(self, chunk: Chunk, text: str, small: str, hits: dict[int, Hits], opened: list[_Open]) -> None:
        self.name_of(chunk.document)
        wanted = dict.fromkeys(form // 2 for form in hits)
        numbers = [n for n in wanted if self.passages[n].kind == "chunk" or may_hold(self.passages[n], small)]
        if not numbers and not opened:
            return
        whole = mapped_cleaned(text)
        noted: set[tuple[int, int]] = set()
        for number in numbers:
            passage = self.passages[number]
            if passage.kind == "row":
                noted |= self._row(chunk, whole, number, hits)
            else:
                noted |= self._text(chunk, whole, number, 0, hits[number * 2])
        for entry in opened:
            if (entry.number, entry.quote) not in noted:
                self._go_on(chunk, whole, entry)
        if noted:
            self._count_lines(chunk.text)

    def _row(
        self, chunk: Chunk, whole: Mapped, number: int, hits: dict[int, Hits]
    ) -> set[tuple[int, int]]:  # fmt: skip
        passage = self.passages[number]
        found = find_row(passage, whole)
        if found is None:
            noted: set[tuple[int, int]] = set()
            for form in (number * 2, number * 2 + 1):
                if form in hits and not self._is_sure(chunk, (number, 0)):
                    noted |= self._text(chunk, whole, number, form % 2, hits[form])
            return noted
        lost = lost_parts(passage, whole.bare[: found.last])
        end = len(passage.forms[0].bare)
        how: How = "normalized" if found.score == 100.0 else "aligned"
        self._keep(
            number, 0, chunk, whole, (0, end), (how, found.score), (0, 0), (), lost, found.fault
        )  # fmt: skip
        return {(number, 0)}

    def _text(
        self, chunk: Chunk, whole: Mapped, number: int, form: int, hits: Hits
    ) -> set[tuple[int, int]]:  # fmt: skip
        passage = self.passages[number]
        source = passage.forms[form]
        laid = overlay(source.bare, whole.bare, hits)
        noted: set[tuple[int, int]] = set()
        for place, quote in enumerate(passage.quotes) if laid else ():
            span = _whole(passage, quote, form)
            marks = dict(passage.marks) if form == 0 else {}
            part = part_of(source, whole, laid, span, free=passage.free[form], marks=marks)  # type: ignore[arg-type]
            if part is None:
                continue
            start, end = part.start, part.end
            if passage.kind == "row" and form == 1:
                start, end = passage.in_cells(start, end)
            fault = part.fault
            lost: tuple[Part, ...] = ()
            if passage.kind == "row":
                lost = lost_parts(passage, whole.bare[: part.last])
                if other := other_table(passage, whole.text, whole.places[part.first]):
                    fault = fault or f"the same row of another table: {other[:60]!r}"
            around = (part.agreed, part.possible)
            found = (part.how, part.score)
            self._keep(number, place, chunk, whole, (start, end), found, around, part.inserted, lost, fault)
            if not fault:
                noted.add((number, place))
                self._edges(number, place, form, part, len(whole.bare))
        return noted

    def _is_sure(self, chunk: Chunk, which: tuple[int, int]) -> bool:
        """Whether the chunk was seen to hold a part of it letter for letter."""
        return any(p.chunk == chunk.id and not p.fault and p.how != "aligned" for p in self.pieces.get(which, ()))

    def _edges(self, number: int, place: int, form: int, part: Held, length: int) -> None:
        """A quote that is cut by an edge of the chunk: the rest may share too little with its own to be found alone."""
        passage = self.passages[number]
        start, end = _whole(passage, passage.quotes[place], form)
        if part.end < end and length - part.last <= _EDGE:
            self._open.append(_Open(number, place, form, part.end))
        if part.start > start and part.first <= _EDGE and self._before:
            seen = self._before[-1]
            source = passage.forms[form].bare
            if part.start - start <= _CRUMB and seen.bare.endswith(source[start : part.start]):
                self._crumb(seen.chunk, mapped_cleaned(seen.text), (number, place), form, (start, part.start))
            elif hits := _continued(source, part.start, seen.bare, at_end=True):
                self._again(seen.chunk, mapped_cleaned(seen.text), (number, place), form, hits)

    def _go_on(self, chunk: Chunk, whole: Mapped, entry: _Open) -> None:
        passage = self.passages[entry.number]
        source = passage.forms[entry.form].bare
        _, end = _whole(passage, passage.quotes[entry.quote], entry.form)
        which = (entry.number, entry.quote)
        if end - entry.end <= _CRUMB and whole.bare.startswith(source[entry.end : end]):
            self._crumb(chunk, whole, which, entry.form, (entry.end, end))
        elif hits := _continued(source, entry.end, whole.bare, at_end=False):
            self._again(chunk, whole, which, entry.form, hits)

    def _again(self, chunk: Chunk, whole: Mapped, which: tuple[int, int], form: int, hits: Hits) -> None:
        """Look at a chunk where it must go on, unless it was found to hold something already."""
        if not any(p.chunk == chunk.id and not p.fault for p in self.pieces[which]):
            self._text(chunk, whole, which[0], form, hits)

    def _crumb(
        self, chunk: Chunk, whole: Mapped, which: tuple[int, int], form: int, span: tuple[int, int]
    ) -> None:  # fmt: skip
        """The few letters of a quote that a cut left at the edge of the next chunk, where they end as in the quote."""
        passage = self.passages[which[0]]
        size = span[1] - span[0]
        at_end = span[0] == _whole(passage, passage.quotes[which[1]], form)[0]
        at = len(whole.bare) - size if at_end else size
        if 0 < at < len(whole.bare) and not whole.gap(at):
            return  # the word goes on otherwise
        if passage.kind == "row":
            lost = lost_parts(passage, whole.bare)
            span = passage.in_cells(*span) if form else span
        else:
            lost = ()
        self._keep(which[0], which[1], chunk, whole, span, ("normalized", 100.0), (0, 0), (), lost, "")

    def _keep(
        self, number: int, place: int, chunk: Chunk, whole: Mapped, span: tuple[int, int], found: tuple[How, float],
        around: tuple[int, int], inserted: tuple[str, ...], lost: tuple[Part, ...], fault: str,
    ) -> None:  # fmt: skip
        passage = self.passages[number]
        quote = passage.quotes[place]
        how, score = found
        complete = span == ((0, len(passage.forms[0].bare)) if passage.kind == "row" else (quote.start, quote.end))
        if how == "normalized" and self._is_exact(passage, quote, span, complete, chunk.text):
            how = "exact"
        restored = self._restored(passage, chunk, lost) if lost and not fault else ()
        heading = self._headings[number]
        shown = bool(heading) and (heading in whole.bare or (bool(self._before) and heading in self._before[-1].bare))
        pieces = self.pieces[number, place]
        pieces.append(
            Piece(
                chunk.line,
                chunk.id,
                chunk.document,
                chunk.page,
                *span,
                how,
                score,
                *around,
                inserted,
                lost,
                restored,
                fault,
                hash(whole.bare),
                shown,
                self._is_captioned(passage, chunk),
            )
        )
        if len(pieces) > 2 * MOST:
            self._thin(passage, pieces)

    def _is_captioned(self, passage: Passage, chunk: Chunk) -> bool:
        """Whether the row stands under the caption of its table, in this chunk or in one before."""
        if passage.kind != "row":
            return False
        document, caption = self._caption
        return bool(caption) and document == chunk.document and is_caption_of(passage, caption)

    def _is_exact(self, passage: Passage, quote: Quote, span: tuple[int, int], complete: bool, text: str) -> bool:
        if complete:
            return quote.text in text or (passage.kind == "row" and any(f.text in text for f in passage.forms))
        return passage.forms[0].slice(*span) in text

    def _restored(self, passage: Passage, chunk: Chunk, lost: tuple[Part, ...]) -> tuple[str, ...]:
        """The nearest chunks before, of the same document, that have what is lost."""
        needed, chosen = set(lost), []
        for seen in reversed(self._heads.get(passage.table, ())):
            if seen.id == chunk.id or seen.document != chunk.document or chunk.line - seen.line > _HEAD_REACH:
                continue
            has: set[Part] = {name for name, there in (("title", seen.title), ("header", seen.header)) if there}  # type: ignore[misc]
            if needed & has:
                needed -= has
                chosen.append(seen.id)
            if not needed:
                return tuple(reversed(chosen))
        return ()

    def _count_lines(self, text: str) -> None:
        """Lines of chunks that hold something, figures masked: what repeats is a running header."""
        for line in text.split("\n"):
            if line and len(line) <= _LONGEST_LINE and (key := masked(line)):
                self.lines[key] += 1

    def _thin(self, passage: Passage, pieces: list[Piece]) -> None:
        """Keep those that matter most: sound ones, of the right document, on the right page, whose surroundings fit."""
        pieces.sort(key=lambda p: self._worth(passage, p), reverse=True)
        del pieces[MOST:]

    def _worth(self, passage: Passage, piece: Piece) -> tuple[bool, bool, float, float, int]:
        near = -abs(piece.page - passage.page) if piece.page and passage.page else 0
        fits = piece.agreed / piece.possible if piece.possible else 0.5
        return not piece.fault, self.name_of(piece.document) in passage.names, near, fits, piece.end - piece.start


def _whole(passage: Passage, quote: Quote, form: int) -> tuple[int, int]:
    """From where to where a quote goes in a form of its passage: a row is quoted whole."""
    return (0, len(passage.forms[form].bare)) if passage.kind == "row" else (quote.start, quote.end)


def _continued(source: str, place: int, text: str, *, at_end: bool) -> Hits:
    """Where a text goes on with a source from a place, or leads up to it; the two may overlap. [] = it does not."""
    if at_end:
        if text.endswith(source[max(0, place - _LEADING) : place]):
            return [(place - 1, len(text) - 1)]
        at = text.rfind(source[place : place + _OVERLAPPED])
        return [(place, at)] if at >= 0 else []
    if text.startswith(source[place : place + _LEADING]):
        return [(place, 0)]
    start = max(0, place - _OVERLAPPED)
    at = text.find(source[start:place])
    return [(start, at)] if at >= 0 else []


def masked(line: str) -> str:
    """A line without its figures, bare."""
    return bare(_FIGURES.sub("", line))


def _tables(passages: Sequence[Passage]) -> list[tuple[Passage, Passage]]:
    """The head of each table as a passage to be looked for, and one of its rows."""
    from curator.matching.aligning.bare import mapped

    found = {}
    for row in passages:
        if row.kind == "row" and row.table not in found:
            text = " ".join((row.title, *(h.rsplit(" > ", 1)[-1] for h in row.header)))
            head = Passage(row.source_id, "row", row.document_id, row.page, row.section, row.title, row.header)
            head.forms, head.free = (mapped(text),), (frozenset(),)
            found[row.table] = (head, row)
    return list(found.values())
