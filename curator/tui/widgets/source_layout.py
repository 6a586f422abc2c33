"""Sources as lines of a page: running text wrapped, table rows in aligned columns. Pure: no widget, no I/O."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from rich.cells import cell_len

from curator.domain.document import Source
from curator.tui.widgets.safe import fit, flat, wrap

GAP = " │ "
NARROWEST = 6
WORD = 16
WIDE = 96
KEY_WIDTH = 14


@dataclass(frozen=True)
class Line:
    """One line: its text, a tone (text, name, head, rule, note, row, band), and whether it is the source's own."""

    text: str
    tone: str = "text"
    own: bool = True


@dataclass(frozen=True)
class Block:
    """A source with its lines; `lead` of them stand before it: page rule, table title, header, section row."""

    source: Source
    lines: tuple[Line, ...]
    lead: int

    @property
    def height(self) -> int:
        """Lines in all."""
        return len(self.lines)


@dataclass
class TableShape:
    """How the rows of one table are laid out: widths of its columns, and its heading lines.

    Attributes:
        widths: Cells of each column; () = too many columns for this width, rows are written out as "header: cell".
    """

    title: str
    widths: tuple[int, ...]
    head: tuple[Line, ...]
    seen: int = field(default=0)


def column_widths(header: Sequence[str], rows: Sequence[Sequence[str]], room: int) -> tuple[int, ...]:
    """Cells for each column, so that all fit in room.

    Each gets its longest word, as far as WORD goes; what is left is shared by how much text stands in the columns.
    () when even that does not fit.
    """
    count = len(header)
    if not count:
        return ()
    room -= len(GAP) * (count - 1)
    columns = [[flat(h), *(flat(r[n]) for r in rows if n < len(r))] for n, h in enumerate(header)]
    natural = [max(2, *(cell_len(c) for c in column)) for column in columns]
    if sum(natural) <= room:
        return tuple(natural)
    least = [max(2, min(WORD, max(_longest_word(c) for c in column))) for column in columns]
    spare = room - sum(least)
    if spare < 0:
        return (room // count,) * count if room // count >= NARROWEST else ()
    wants = [sum(max(0, cell_len(c) - w) for c in column) ** 0.5 for column, w in zip(columns, least, strict=True)]
    total = sum(wants) or 1.0
    return tuple(min(n, w + int(spare * want / total)) for n, w, want in zip(natural, least, wants, strict=True))


def _longest_word(text: str) -> int:
    return max((cell_len(w) for w in flat(text).split(" ")), default=0)


def row_lines(cells: Sequence[str], widths: Sequence[int], tone: str) -> list[Line]:
    """A row in aligned columns, as many lines as its tallest cell."""
    columns = [wrap(flat(c), w) for c, w in zip(cells, widths, strict=False)]
    height = max((len(c) for c in columns), default=1)
    return [
        Line(GAP.join(fit(c[n] if n < len(c) else "", w) for c, w in zip(columns, widths, strict=True)), tone)
        for n in range(height)
    ]


def shape(sources: Sequence[Source], table_id: str, width: int) -> TableShape:
    """The layout of a table, from the rows of it that are loaded."""
    rows = [s.anchor for s in sources if s.anchor.table_id == table_id]
    first = rows[0]
    widths = column_widths(first.table_header, [r.cells for r in rows[:200]], width)
    title = first.table_title or table_id.partition(".")[2]
    head = [Line(t, "title", own=False) for t in wrap(f"▦ {flat(title)}", width)]
    if widths:
        head += [Line(x.text, "head", own=False) for x in row_lines(first.table_header, widths, "head")]
    return TableShape(title, widths, tuple(head), len(rows))


def labeled(page: int, label: str) -> str:
    """A page as people name it: "page 9", or "page 9 (printed 7)" where the two differ."""
    return f"page {page}" + (f" (printed {flat(label)})" if label and label != str(page) else "")


def layout(sources: Sequence[Source], width: int, shapes: dict[str, TableShape]) -> list[Block]:
    """Blocks of consecutive sources.

    Args:
        sources: In reading order, without a gap.
        width: Cells for text.
        shapes: Layouts of tables; those met for the first time are added, so that columns do not jump.
    """
    blocks: list[Block] = []
    before: Source | None = None
    for source in sources:
        lead = _lead(source, before, width, sources, shapes)
        own = _row(source, shapes, width) if source.kind == "row" else _chunk(source, width)
        blocks.append(Block(source, (*lead, *own), len(lead)))
        before = source
    return blocks


def _lead(
    source: Source, before: Source | None, width: int, sources: Sequence[Source], shapes: dict[str, TableShape]
) -> list[Line]:
    at, last = source.anchor, before.anchor if before else None
    lines: list[Line] = []
    if last and last.table_id and last.table_id != at.table_id:
        lines += [Line(t, "note", own=False) for note in last.footnotes for t in wrap(flat(note), width)]
    if last is None or at.page != last.page:
        name = f"── {labeled(at.page, at.page_label)} "
        lines.append(Line(name + "─" * max(0, width - cell_len(name)), "rule", own=False))
    elif not (at.table_id and at.table_id == last.table_id):
        lines.append(Line("", "text", own=False))
    if at.table_id and (last is None or last.table_id != at.table_id):
        if at.table_id not in shapes:
            shapes[at.table_id] = shape(sources, at.table_id, width)
        lines += shapes[at.table_id].head
    if at.section_row and (last is None or last.table_id != at.table_id or last.section_row != at.section_row):
        lines += [Line(t, "section", own=False) for t in wrap(f"§ {flat(at.section_row)}", width)]
    return lines


def _row(source: Source, shapes: dict[str, TableShape], width: int) -> list[Line]:
    at = source.anchor
    widths = shapes[at.table_id].widths if at.table_id in shapes else ()
    tone = "band" if at.ordinal % 2 else "row"
    if widths and len(widths) == len(at.cells):
        return row_lines(at.cells, widths, tone)
    pairs = zip(at.table_header, at.cells, strict=False) if at.table_header else (("", c) for c in at.cells)
    said = "; ".join(f"{flat(h)}: {flat(c)}" if h else flat(c) for h, c in pairs if c.strip())
    return [Line(t, tone) for t in wrap(said or at.text, width)]


def _chunk(source: Source, width: int) -> list[Line]:
    at = source.anchor
    until = f"–{at.page_end}" if at.page_end != at.page else ""
    name = fit(source.id, width - 10).rstrip()
    place = f"p. {flat(at.page_label) or at.page}{until}"
    gap = max(1, width - cell_len(name) - cell_len(place))
    return [Line(name + " " * gap + place, "name"), *(Line(t) for t in wrap(at.text, width))]
