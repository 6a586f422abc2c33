"""A document as one flow of paragraphs and tables: lines that belong together, over columns and pages."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from itertools import pairwise

from curator.parsing.numbering import caption_number, is_bullet, is_contents, is_item, read_label
from curator.parsing.raw import SIDEWAYS, RawLine, RawPage, RawTable
from curator.parsing.rules import otherwise
from curator.parsing.words import LINE_HYPHEN, SOFT_HYPHEN

_ENDED = re.compile(r"""[.!?:;。！？：；…]["'”’»)\]]*(\[\^[^\]]*\])*$""")
_LEADER = re.compile(r"(?:\.{4,}|(?:\s\.){4,}|…{2,}|·{4,}|_{5,}|(?:․){4,})\s*\(?(?:\d{1,4}|[ivxlc]{1,7})\)?$")
_DIVIDED = re.compile(r"(?:[,;] (?:and|or|und|et)|,)$")
_MARKER = re.compile(r"\(?(?:\d{1,3}|[a-z]{1,4})[.)]|[•●○▪■–-]", re.IGNORECASE)
_NUMBER = re.compile(r"[1-9]\d{0,2}")
_STARRED = re.compile(r"[*∗†‡]{1,3}\s?[^\W\d_]")
_ACCENTS = re.compile(r"[\s˘ˇ´`¨ˆ˜˙˚˝¸˛\u0300-\u036f]+")
WIDE, ENOUGH = 1.6, 4  # a step of two baselines in font sizes, and how many show that lines are set so wide
_PAGE_AT_END = re.compile(r"\D\s*(\d{1,4})$")


@dataclass(slots=True)
class Para:
    """A paragraph. `lines` are (page from 1, line); `text` has no line breaks."""

    lines: list[tuple[int, RawLine]]
    text: str = ""
    footnote: bool = False
    contents: bool = False
    apart: bool = True

    @property
    def page(self) -> int:
        """Page that it starts on."""
        return self.lines[0][0]

    @property
    def page_end(self) -> int:
        """Page that it ends on."""
        return self.lines[-1][0]

    @property
    def first(self) -> RawLine:
        """Its first line."""
        return self.lines[0][1]

    @property
    def size(self) -> float:
        """Font size of its longest line."""
        return max((line for _, line in self.lines), key=lambda line: len(line.text)).size

    @property
    def bold(self) -> bool:
        """Whether all of it is bold."""
        return all(line.bold for _, line in self.lines)


@dataclass(slots=True)
class Piece:
    """One page's part of a table, in its place in the flow."""

    page: int
    table: RawTable


Item = Para | Piece


@dataclass(slots=True)
class Flow:
    """Items in reading order and the measures of the body text."""

    items: list[Item] = field(default_factory=list)
    body_size: float = 10.0
    body_bold: bool = False

    @property
    def paragraphs(self) -> list[Para]:
        """The paragraphs alone."""
        return [item for item in self.items if isinstance(item, Para)]


def make_flow(pages: list[RawPage], running: list[set[int]], outline: list[tuple[int, str, int]]) -> Flow:
    """Paragraphs and table pieces of all pages; running lines are left out, titles of the outline stand alone."""
    flow = Flow()
    sizes: Counter[tuple[float, bool]] = Counter()
    for page, out in zip(pages, running, strict=True):
        for i, line in enumerate(page.lines):
            if i not in out:
                sizes[round(line.size * 2) / 2, line.bold] += len(line.text)
    if sizes:
        (flow.body_size, flow.body_bold), _ = sizes.most_common(1)[0]
    pitch = _Pitches(pages, running)
    state = _State(flow, {(page, plain(title)) for _, title, page in outline})
    for page, out in zip(pages, running, strict=True):
        state.page(page, out, pitch)
    return flow


class _Pitches:
    """The usual distance of two baselines, by font size: the commonest one below 2.2 sizes.

    Single lines of headings and short paragraphs say nothing of how the lines of a paragraph are set: a distance that
    is wide and rare counts only below a line that is full (see `_goes_on`).
    """

    def __init__(self, pages: list[RawPage], running: list[set[int]]) -> None:
        self._usual, self._doubtful = _pitches(pages, running)

    def limit(self, size: float, factor: float, usual: float, step: float, *, full: bool = False) -> bool:
        """Whether a step is at most `factor` times the pitch of a size, or of `usual` sizes where none is known."""
        key = round(size)
        known = factor * self._usual.get(key, usual * size)
        if key not in self._doubtful or full:
            return step <= known
        fits = step <= factor * usual * size
        if fits != (step <= known):
            otherwise()
        return fits


def _pitches(pages: list[RawPage], running: list[set[int]]) -> tuple[dict[float, float], set[float]]:
    """The commonest distance by font size, and the sizes of which it is wide and rare."""
    found: dict[float, Counter[float]] = defaultdict(Counter)
    for page, out in zip(pages, running, strict=True):
        kept = [line for i, line in enumerate(page.lines) if i not in out]
        for a, b in pairwise(kept):
            step = b.bottom - a.bottom
            if a.group == b.group and abs(a.size - b.size) < 0.3 and 0.8 * a.size < step < 2.2 * a.size:
                found[round(a.size)][round(step * 2) / 2] += 1
    usual = {size: _usual(counter) for size, counter in found.items()}
    return usual, {size for size, step in usual.items() if step > WIDE * size and found[size][step] < ENOUGH}


def _usual(counter: Counter[float]) -> float:
    """The smallest step that is nearly as common as the commonest: paragraphs are more often wide than narrow."""
    most = max(counter.values())
    return min(step for step, n in counter.items() if n >= 0.5 * most)


class _State:
    """Adds pages to the flow; remembers the paragraph that may go on."""

    def __init__(self, flow: Flow, titles: set[tuple[int, str]]) -> None:
        self.flow = flow
        self.titles = titles
        self.open: Para | None = None
        self.rights: dict[int, float] = {}
        self.notes: list[Item] = []
        self.noted = False

    def page(self, page: RawPage, out: set[int], pitch: _Pitches) -> None:
        lines = [(i, line) for i, line in enumerate(page.lines) if i not in out and not _ACCENTS.fullmatch(line.text)]
        kept = _numbered_notes(lines, self.flow.body_size)
        # where tables stand, a note may be a table's and keeps its place
        self.notes = self.flow.items if page.tables else []
        contents = _contents_lines([line for _, line in kept])
        self.rights = _rights([line for _, line in kept])
        tables = sorted(page.tables, key=lambda t: t.place)
        last: RawLine | None = None
        footnotes = False
        for n, (i, line) in enumerate(kept):
            while tables and tables[0].place <= i:
                self._table(page.index, tables.pop(0))
                last, footnotes = None, False
            footnotes = self._is_footnote(page, line, footnotes, last)
            if n in contents:
                self._contents(page.index, line)
            elif footnotes:
                self._footnote(page.index, line)
            elif line.group == SIDEWAYS:
                self.flow.items.append(Para([(page.index, line)]))  # at the side: it cuts no sentence of the text
                continue
            elif last is None and self.noted and line.text.isdigit():
                self.flow.items.append(Para([(page.index, line)]))  # a page number below the notes
            elif (
                self.open is not None
                and not self._titled(page.index, line, last)
                and (self._goes_on(last, line, pitch) if last is not None else self._carries_over(line))
            ):
                self.open.lines.append((page.index, line))
            else:
                apart = last is None or not pitch.limit(line.size, 1.2, 1.25, line.bottom - last.bottom)
                if line.size > self.flow.body_size + 0.6 or (line.bold and not self.flow.body_bold):
                    self._flush()  # below a heading they would lie in its section
                self.open = Para([(page.index, line)], apart=apart)
                self.flow.items.append(self.open)
            last, self.noted = (None, True) if footnotes else (line, False)
        for table in tables:
            self._table(page.index, table)
        self._flush()

    def _flush(self) -> None:
        """The notes that waited for the end of the text come into the flow."""
        if self.notes is not self.flow.items:
            self.flow.items.extend(self.notes)
            self.notes = []

    def _titled(self, page: int, line: RawLine, last: RawLine | None) -> bool:
        """Whether the line, or the one before it, is a title of the outline."""
        if not self.titles:
            return False
        return any((page, plain(one.text)) in self.titles for one in (line, last) if one is not None)

    def _table(self, page: int, table: RawTable) -> None:
        self.flow.items.append(Piece(page, table))
        self.open = None

    def _contents(self, page: int, line: RawLine) -> None:
        """Lines of a table of contents make one paragraph."""
        item = self.flow.items[-1] if self.flow.items else None
        if isinstance(item, Para) and item.contents and item.page == page:
            item.lines.append((page, line))
        else:
            self.flow.items.append(Para([(page, line)], contents=True))
        self.open = None

    def _is_footnote(self, page: RawPage, line: RawLine, inside: bool, last: RawLine | None) -> bool:
        small = line.size < self.flow.body_size - 0.4
        if line.text.startswith("[^") and (small or line.top > 0.6 * page.height):
            return True
        if not page.tables and small and line.top > 0.6 * page.height and _STARRED.match(line.text):
            return True
        if not inside:
            return False
        item = self.notes[-1] if self.notes else None
        return isinstance(item, Para) and abs(line.size - item.first.size) < 0.3 and line.top > item.first.top

    def _footnote(self, page: int, line: RawLine) -> None:
        item = self.notes[-1] if self.notes else None
        starts = line.text.startswith("[^") or _STARRED.match(line.text)
        if isinstance(item, Para) and item.footnote and not starts:
            item.lines.append((page, line))
            return
        self.notes.append(Para([(page, line)], footnote=True))

    def _carries_over(self, line: RawLine) -> bool:
        """Whether the open paragraph goes on at the top of the next page."""
        assert self.open is not None
        before = self.open.lines[-1][1]
        if caption_number(self.open.first.text) is not None:
            return False
        return self._same_text(before, line) and not _ENDED.search(before.text) and not _starts_anew(line)

    def _same_text(self, a: RawLine, b: RawLine) -> bool:
        return abs(a.size - b.size) < 0.6 and a.bold == b.bold

    def _goes_on(self, a: RawLine, b: RawLine, pitch: _Pitches) -> bool:
        """Whether line b, just below line a on the page, belongs to the same paragraph."""
        assert self.open is not None
        if a.group != b.group or b.bottom < a.bottom:
            if SIDEWAYS in (a.group, b.group) or caption_number(self.open.first.text) is not None:
                return False
            return self._same_text(a, b) and not _ENDED.search(a.text) and not _starts_anew(b)
        em = a.size
        room = self.rights.get(a.group, a.x1) - a.x1
        word = (len(b.text.split(" ", 1)[0]) + 1) * 0.5 * em
        step = b.bottom - a.bottom - 0.5
        full = room < 1.2 * word and not _PAGE_AT_END.search(a.text)
        if abs(a.size - b.size) > 0.6 or not pitch.limit(em, 1.28, 1.3, step, full=full):
            return False
        if a.text.endswith((SOFT_HYPHEN, LINE_HYPHEN)):
            return True
        ended = _ENDED.search(a.text) is not None
        if _MARKER.fullmatch(a.text) and len(self.open.lines) == 1:
            return True
        ample = room > max(2 * word + 2 * em, 0.36 * (self.rights.get(a.group, a.x1) - a.x0))
        if is_bullet(b.text):
            return False
        if ample and not b.text[:1].islower() and not self._merely_short(a, b, pitch):
            return False  # the next word would have had room: the line was ended on purpose
        hanging = is_bullet(self.open.first.text) and b.x0 > self.open.first.x0 + 0.8 * em
        if a.bold != b.bold and (room > 2 * word or ended or (len(self.open.lines) == 1 and not hanging)):
            return False
        if _starts_anew(b):
            divided = is_item(b.text) and _DIVIDED.search(a.text)
            if ended or b.x0 < a.x0 - 0.8 * em or divided or room > 4 * word + 3 * em:
                return False
        if b.x0 < a.x0 - 0.8 * em and len(self.open.lines) >= 2 and b.x0 < self.open.lines[0][1].x0 - 0.8 * em:
            return False
        body = self.open.lines[1][1].x0 if len(self.open.lines) > 1 else None
        if body is not None and b.x0 > body + 0.9 * em and ended and b.x0 <= self.open.first.x0 + 3 * em:
            return False
        return not (ended and room > 1.6 * word + em and (b.text[:1].isupper() or not b.text[:1].isalpha()))

    def _merely_short(self, a: RawLine, b: RawLine, pitch: _Pitches) -> bool:
        """Whether line a breaks off in a sentence of running text: a full line before it, and b set just alike."""
        assert self.open is not None
        if len(self.open.lines) < 2 or _ENDED.search(a.text) or a.text.endswith(",") or _starts_anew(b):
            return False
        words = re.findall(r"\b[^\W\d_]{4,}", " ".join(line.text for _, line in self.open.lines[:3]))
        if len(self.open.lines) <= 3 and 2 * sum(word[0].isupper() for word in words) > len(words):
            return False  # a title in capitals
        before, right = self.open.lines[-2][1], self.rights.get(a.group, a.x1)
        near = 0.15 * (right - a.x0)
        alike = abs(a.x0 - b.x0) < 0.5 and abs(a.size - b.size) < 0.3 and (a.bold, a.italic) == (b.bold, b.italic)
        tight = pitch.limit(a.size, 1.1, 1.25, b.bottom - a.bottom)
        filled = right - b.x1 < near or _ENDED.search(b.text) is not None or b.text.endswith(",")
        return alike and tight and filled and right - before.x1 < near and before.group == a.group


def _numbered_notes(lines: list[tuple[int, RawLine]], body: float) -> list[tuple[int, RawLine]]:
    """Lines of a page; the small number of a note on a line of its own becomes the mark of the line after it."""
    kept: list[tuple[int, RawLine]] = []
    number: RawLine | None = None
    for n, (i, line) in enumerate(lines):
        after = lines[n + 1][1] if n + 1 < len(lines) else None
        if number is not None:
            text, top = f"[^{number.text}] {line.text}", min(number.top, line.top)
            kept.append((i, replace(line, text=text, top=top, x0=min(number.x0, line.x0))))
            number = None
        elif after is not None and _NUMBER.fullmatch(line.text) and _heads(line, after, body):
            number = line
        else:
            kept.append((i, line))
    return kept


def _heads(number: RawLine, text: RawLine, body: float) -> bool:
    """Whether a number much smaller than the small text below or beside it is the number of that note."""
    close = -0.5 * text.size < text.bottom - number.bottom < 1.6 * text.size
    small = number.size <= 0.8 * text.size and text.size < body - 0.4
    return small and close and number.group == text.group and -1 < text.x0 - number.x0 < 3 * text.size


def _rights(lines: list[RawLine]) -> dict[int, float]:
    """Right edge of the text of each column: the farthest that another line comes near to."""
    ends: dict[int, list[float]] = defaultdict(list)
    for line in lines:
        ends[line.group].append(line.x1)
    found = {}
    for group, xs in ends.items():
        xs.sort(reverse=True)
        near = (a for a, b in pairwise(xs) if a - b < 30)
        found[group] = next(near, xs[0]) if len(xs) > 3 else xs[0]
    return found


def plain(text: str) -> str:
    """Letters and digits alone, case folded: how titles are compared."""
    return re.sub(r"[\W_]+", "", text.casefold())


def _starts_anew(line: RawLine) -> bool:
    """A list item, a structural label or a caption."""
    text = line.text
    if is_item(text) or caption_number(text) is not None:
        return True
    label = read_label(text)
    if label is None:
        return False
    if label.kind == "decimal":
        return label.dotted or (len(label.numbers) > 1 and (not label.rest or label.rest[0].isupper()))
    return not label.rest[:1].islower()


def _contents_lines(lines: list[RawLine]) -> set[int]:
    """Positions of the lines of a table of contents on a page."""
    leaders = {i for i, line in enumerate(lines) if _LEADER.search(line.text)}
    if len(leaders) < 3:
        heads = [i for i, line in enumerate(lines) if is_contents(line.text)]
        if heads:
            ends = [
                (i, int(m[1])) for i, line in enumerate(lines) if i > heads[0] and (m := _PAGE_AT_END.search(line.text))
            ]
            rising = sum(1 for (_, a), (_, b) in pairwise(ends) if b >= a)
            if len(ends) >= 4 and rising >= 0.9 * (len(ends) - 1):
                return set(range(heads[0] + 1, ends[-1][0] + 1))
        return leaders
    span = range(min(leaders), max(leaders) + 1)
    return set(span) if 2 * len(leaders) >= len(span) else leaders
