"""Sources as lines of a page: running text wrapped, table rows in aligned columns. Pure: no widget, no I/O."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len

from curator.text import visible
from curator.tui.widgets.safe import TABLESS, fit, flat, wrap

if TYPE_CHECKING:
    from curator.domain.document import Source

GAP = " │ "
CELLS = " | "
MORE = " ›"
WORD = 16
COLUMN = 28
SAMPLE = 200
WIDE = 96
KEY_WIDTH = 14

Piece = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Line:
    """One line: its text, a tone (text, name, head, rule, note, row, band), and whether it is the source's own.

    Attributes:
        pieces: Where the source's text stands in it: first character here, offset in `shown_text`, length.
    """

    text: str
    tone: str = "text"
    own: bool = True
    pieces: tuple[Piece, ...] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """A source with its lines.

    Attributes:
        lead: How many stand before it: pages without text, page rule, table title, header, section row.
        tail: How many stand after it, at the end of the document: footnotes, pages without text.
    """

    source: Source
    lines: tuple[Line, ...]
    lead: int
    tail: int = 0

    @property
    def own(self) -> tuple[Line, ...]:
        """The lines of the source itself."""
        return self.lines[self.lead : len(self.lines) - self.tail]

    @property
    def height(self) -> int:
        """Lines in all."""
        return len(self.lines)


@dataclass
class TableShape:
    """How the rows of one table are laid out: widths of its columns, and its heading lines.

    Attributes:
        room: Cells that a line has; a table that is wider is painted from `shift` on, behind its first column.
        shift: How many columns after the first are left out.
    """

    title: str
    widths: tuple[int, ...]
    room: int
    head: tuple[Line, ...] = ()
    shift: int = field(default=0)

    @property
    def is_wide(self) -> bool:
        """Whether not all columns fit."""
        return self.edges[-1] - len(GAP) > self.room

    @property
    def edges(self) -> list[int]:
        """The first cell of each column, and the end of the last, with its gap."""
        edges = [0]
        for width in self.widths:
            edges.append(edges[-1] + width + len(GAP))
        return edges

    @property
    def seen(self) -> tuple[int, int]:
        """First and last column, from 1, that are painted beside the first."""
        edges, count = self.edges, len(self.widths)
        first = last = 1 + self.shift
        left = self.room - edges[1]
        while last + 1 < count:
            more = 0 if last + 2 == count else len(MORE)
            if edges[last + 2] - len(GAP) - edges[first] + more > left:
                break
            last += 1
        return min(first + 1, count), min(last + 1, count)

    def scroll(self, by: int) -> bool:
        """Some columns further; False at either end."""
        before, most = self.shift, len(self.widths) - 2
        for self.shift in range(max(0, most)):
            if self.seen[1] == len(self.widths):
                most = self.shift
                break
        self.shift = max(0, min(before + by, most))
        return self.shift != before


def shown_text(source: Source) -> str:
    """The text of a source in which one selects: of a row its cells, joined as its quote is."""
    at = source.anchor
    return CELLS.join(" ".join(c.split()) for c in at.cells) if source.kind == "row" and at.cells else at.text


def column_widths(header: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> tuple[int, ...]:
    """Cells for each column. Where all can fit in room, they do; else each gets what its text needs, up to COLUMN.

    Each gets its longest word, as far as WORD goes; what is left is shared by how much text stands in the columns.
    """
    count = max([len(header), *(len(r) for r in rows)])
    if not count:
        return ()
    space = room - len(GAP) * (count - 1)
    columns = [[flat(r[n]) for r in (header, *rows) if n < len(r)] for n in range(count)]
    natural = [max(2, *(cell_len(c) for c in column)) for column in columns]
    if sum(natural) <= space:
        return tuple(natural)
    least = [max(2, min(WORD, max(_longest_word(c) for c in column))) for column in columns]
    spare = space - sum(least)
    if spare < 0:
        key = min(natural[0], max(12, room // 3))
        two = max(8, (room - key - 2 * len(GAP) - len(MORE)) // 2)  # beside the key
        return (key, *(min(n, COLUMN, max(w, two)) for n, w in zip(natural[1:], least[1:], strict=True)))
    wants = [sum(max(0, cell_len(c) - w) for c in column) ** 0.5 for column, w in zip(columns, least, strict=True)]
    total = sum(wants) or 1.0
    return tuple(min(n, w + int(spare * want / total)) for n, w, want in zip(natural, least, wants, strict=True))


def _longest_word(text: str) -> int:
    return max((cell_len(w) for w in text.split(" ")), default=0)


def placed(shown: str, lines: Iterable[str], base: int = 0) -> list[tuple[int, int]]:
    """Offset and length of each wrapped line in the text that it was wrapped from; base is added to the offsets."""
    found = []
    at = 0
    for line in lines:
        while line and at < len(shown) and not shown.startswith(line, at):
            at += 1  # a space or line feed that the wrapping took
        found.append((base + at, len(line)))
        at += len(line)
    return found


def row_lines(cells: Sequence[str], widths: Sequence[int], tone: str, *, own: bool = True) -> list[Line]:
    """A row in aligned columns, as many lines as its tallest cell."""
    columns: list[list[str]] = []
    spots: list[list[tuple[int, int]]] = []
    base = 0
    for n, width in enumerate(widths):
        cell = flat(cells[n]) if n < len(cells) else ""
        columns.append([cell] if cell_len(cell) <= width else wrap(cell, width))
        spots.append(placed(cell, columns[-1], base))
        base += len(cell) + len(CELLS)
    lines = []
    for n in range(max((len(c) for c in columns), default=1)):
        text, pieces = "", []
        for column, spot, width in zip(columns, spots, widths, strict=True):
            text += GAP if text else ""
            if n < len(column):
                pieces.append((len(text), *spot[n]))
            text += fit(column[n] if n < len(column) else "", width)
        lines.append(Line(text, tone, own, tuple(pieces) if own else ()))
    return lines


def labeled(page: int, label: str) -> str:
    """A page as people name it: "page 9", or "page 9 (printed 7)" where the two differ."""
    return f"page {page}" + (f" (printed {flat(label)})" if label and label != str(page) else "")


def page_lines(notes: Mapping[int, str], pages: Iterable[int], width: int) -> list[Line]:
    """What is said of pages that have no source; neighbors of which the same is true are said once."""
    noted = [(page, notes[page].removeprefix(f"page {page} ")) for page in pages if page in notes]
    lines: list[Line] = []
    for (_, said), group in groupby(enumerate(noted), key=lambda item: (item[1][0] - item[0], item[1][1])):
        numbers = [page for _, (page, _) in group]
        first, last = numbers[0], numbers[-1]
        name = f"page {first}" if first == last else f"pages {first}–{last}"
        note = notes[first] if first == last else f"each page {said}"
        lines.append(ruled(name, width))
        lines += [Line(t, "note", own=False) for t in wrap(flat(note), width)]
    return lines


def ruled(name: str, width: int) -> Line:
    """The rule at the beginning of a page."""
    text = fit(f"── {name} ", width).rstrip() + " "
    return Line(text + "─" * (width - cell_len(text)), "rule", own=False)


class Layout:
    """Lines of sources at one width; what was laid out once is kept.

    Args:
        width: Cells for text.
        notes: What is said of a page: that it has no text and why, or that a machine recognized its text.
    """

    def __init__(self, width: int, notes: Mapping[int, str] | None = None) -> None:
        self.width = width
        self.notes = notes or {}
        self.shapes: dict[str, TableShape] = {}
        self._own: dict[str, tuple[Line, ...]] = {}
        self._made: dict[tuple[str, str], Block] = {}

    def warm(self, sources: Sequence[Source], stopped: Callable[[], bool]) -> None:
        """Lay sources out ahead, in the worker that read them; their table's columns are taken from them."""
        for source in sources:
            if stopped():
                return
            self._lines(source, sources)

    def blocks(self, sources: Sequence[Source], first: int = 1, last: int = 0) -> list[Block]:
        """Blocks of consecutive sources, in reading order, without a gap.

        Args:
            sources: All that lie on the pages that are loaded.
            first: The first of these pages.
            last: The last page of the document, when it is loaded; 0 = there is more.
        """
        found: list[Block] = []
        before: Source | None = None
        for source in sources:
            key = (source.id, before.id if before else f" {first}")
            block = self._made.get(key)
            if block is None:
                own = self._lines(source, sources)
                lead = self._lead(source, before, first)
                block = self._made[key] = Block(source, (*lead, *own), len(lead))
            found.append(block)
            before = source
        if before is not None and last:
            tail = [
                *self._footnotes(before),
                *page_lines(self.notes, range(before.anchor.page + 1, last + 1), self.width),
            ]
            found[-1] = replace(found[-1], lines=(*found[-1].lines, *tail), tail=len(tail))
        return found

    def keep(self, sources: Iterable[Source]) -> None:
        """Forget the lines of all others."""
        kept = {s.id for s in sources}
        self._own = {k: v for k, v in self._own.items() if k in kept}
        self._made = {k: v for k, v in self._made.items() if k[0] in kept}

    def _lines(self, source: Source, sources: Sequence[Source]) -> tuple[Line, ...]:
        lines = self._own.get(source.id)
        if lines is None:
            table = source.anchor.table_id
            if table and table not in self.shapes:
                self.shapes[table] = self._shape(sources, table)
            made = self._row(source) if source.kind == "row" else self._chunk(source)
            lines = self._own[source.id] = tuple(made)
        return lines

    def _shape(self, sources: Sequence[Source], table_id: str) -> TableShape:
        """The layout of a table, from the rows of it that are loaded."""
        rows = [s.anchor for s in sources if s.anchor.table_id == table_id][:SAMPLE]
        first = rows[0]
        widths = column_widths(first.table_header, [r.cells for r in rows], self.width)
        shape = TableShape(first.table_title or table_id.partition(".")[2], widths, self.width)
        head = [Line(t, "title", own=False) for t in wrap(f"▦ {flat(shape.title)}", self.width)]
        if any(h.strip() for h in first.table_header):
            head += row_lines(first.table_header, widths, "head", own=False)
        shape.head = tuple(head)
        return shape

    def _lead(self, source: Source, before: Source | None, first: int) -> list[Line]:
        at, last = source.anchor, before.anchor if before else None
        width = self.width
        lines: list[Line] = []
        if before and last and last.table_id != at.table_id:
            lines += self._footnotes(before)
        lines += page_lines(self.notes, range(last.page + 1 if last else first, at.page), width)
        if last is None or at.page != last.page:
            lines.append(ruled(labeled(at.page, at.page_label), width))
            lines += [Line(t, "note", own=False) for t in wrap(flat(self.notes.get(at.page, "")), width) if t]
        elif not (at.table_id and at.table_id == last.table_id):
            lines.append(Line("", "text", own=False))
        if at.table_id and (last is None or last.table_id != at.table_id):
            lines += self.shapes[at.table_id].head
        if at.section_row and (last is None or last.table_id != at.table_id or last.section_row != at.section_row):
            lines += [Line(t, "section", own=False) for t in wrap(f"§ {flat(at.section_row)}", width)]
        return lines

    def _footnotes(self, source: Source) -> list[Line]:
        """What stands under the table that a source is the last row of."""
        notes = source.anchor.footnotes if source.anchor.table_id else ()
        return [Line(t, "note", own=False) for note in notes for t in wrap(flat(note), self.width)]

    def _row(self, source: Source) -> list[Line]:
        at = source.anchor
        tone = "band" if at.ordinal % 2 else "row"
        if at.table_id and at.cells:
            return row_lines(at.cells, self.shapes[at.table_id].widths, tone)
        return self._wrapped(shown_text(source), tone)

    def _chunk(self, source: Source) -> list[Line]:
        at, width = source.anchor, self.width
        place = f"p. {flat(at.page_label) or at.page}"
        if at.page_end != at.page:  # the label of the last page is not known here
            place += f"–{at.page_end}" if at.page_label in ("", str(at.page)) else " ff."
        name = fit(source.id, width - cell_len(place) - 1).rstrip()
        gap = max(1, width - cell_len(name) - cell_len(place))
        return [Line(name + " " * gap + place, "name"), *self._wrapped(at.text, "text")]

    def _wrapped(self, text: str, tone: str) -> list[Line]:
        lines = wrap(text, self.width)
        spots = placed(visible(text.translate(TABLESS), lines=True), lines)
        return [Line(t, tone, pieces=((0, *spot),)) for t, spot in zip(lines, spots, strict=True)]
