"""What a grid means: title, header levels, section rows, filled cells; pieces of one table over pages joined."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from curator.parsing.flow import Para, Piece
from curator.parsing.numbering import caption_number
from curator.parsing.raw import Box, RawCell, RawTable
from curator.parsing.rules import otherwise
from curator.parsing.sections import Node, Placed
from curator.parsing.surroundings import CONTINUED, NOTE, far_notes, notes_below, title_of

EDGE = 6.0
AT_FOOT = 0.93  # of the lowest line of the document
_NUMERIC = re.compile(
    r"(?=.*\d)[\d\s.,%+\-−–—()€$£¥₩/:<>≤≥~≈±*†‡°'′]+(?:\[\^[^\]]*\])*|[-–—−]|n/?a|\.{1,3}|…|[✓✔✗xX●○•□☐]", re.IGNORECASE
)
_YEAR = re.compile(r"(?:19|20)\d\d(?:\s?[-–/]\s?\d{2,4})?(?:\[\^[^\]]*\])?\*?")
_LETTER_UNIT = r"[mgWVANJKClLsht]"
_PLAIN_UNIT = (
    r"[kcdmµμn]m[²³23]?|m[²³23]|[kmµ]g|[kMG][WVAN]|kWh|MWh|[kMh]?Pa|m[lL]|min|ms|%|‰|°C?|ppm|dB|Hz|EUR|USD|KRW|CHF|[€$£¥₩]|원|#"
    r"|no\.?|number|years?|months?|weeks?|days?|hours?|minutes?|per \w+|kWh per \w+"
    r"|[\w#%$€µ]{1,5}/\(?[\w³²]{1,6}(?:/[\w]{1,5})?\)?"
)
_MARK = r"(?:\[\^[^\]]*\])?"
_UNIT = re.compile(rf"(?:\((?:in )?(?:{_PLAIN_UNIT}|{_LETTER_UNIT})\)|{_PLAIN_UNIT}){_MARK}")
_ANY_UNIT = re.compile(rf"\(?(?:{_PLAIN_UNIT}|{_LETTER_UNIT}|[-–—])\)?{_MARK}")
_MANY = r"(?:thousand|million|billion|mn|bn|tsd\.?|mio\.?|mrd\.?|milliers|millions|milliards|millones|milioni)"
_MONEY = r"(?:[€$£¥₩₪]|EUR|USD|GBP|CHF|JPY|euros?|dollars?)"
_AMOUNT = re.compile(
    rf"\(?(?:in )?(?:{_MONEY}\s?(?:in )?{_MANY}s?|{_MANY}s?(?:\s(?:(?:of|de|d['’])\s?)?{_MONEY})?"
    rf"|{_MONEY}\s?['’]?000s?)\)?{_MARK}",
    re.IGNORECASE,
)
_TOTAL = re.compile(r"total|\bsum(?:me)?\b|\ball\b|합\s*계|소\s*계|총\s*계|合\s*[计計]", re.IGNORECASE)
_ENDED = re.compile(r"""[.!?;。！？]["'”’»)\]]*(\[\^[^\]]*\])*$""")


@dataclass(slots=True)
class Body:
    """One row of a table that is being read: where it is, its filled texts, its own cells."""

    page: int
    box: Box
    cells: list[str]
    own: list[RawCell]
    full: list[str]
    section: str = ""
    question: str = ""


@dataclass(slots=True)
class Draft:
    """A table over one or more pieces."""

    pieces: list[Piece]
    node: Node | None
    columns: list[int]
    title: str = ""
    header: list[str] = field(default_factory=list)
    head_rows: list[list[str]] = field(default_factory=list)
    rows: list[Body] = field(default_factory=list)
    footnotes: list[str] = field(default_factory=list)

    @property
    def pages(self) -> tuple[int, ...]:
        """Pages that it stands on."""
        return tuple(dict.fromkeys(piece.page for piece in self.pieces))


def make_tables(placed: list[Placed]) -> list[Draft]:
    """Tables of the document in its order, joined over page breaks."""
    drafts: list[Draft] = []
    owned: set[int] = set()
    last_at = -2
    for i, entry in enumerate(placed):
        if not isinstance(entry.item, Piece):
            continue
        between = [p.item for p in placed[last_at + 1 : i] if isinstance(p.item, Para)] if drafts else []
        title, caption = title_of(placed, i) if not entry.item.table.turn else _read_there(entry.item)
        if not (drafts and _join(drafts[-1], entry.item, between, title)):
            draft = _read(entry.item, entry.node)
            if caption and draft.title:  # a numbered caption is the title: the first row stands over all the others
                for row in draft.rows:
                    row.section = row.section or draft.title
            draft.title = title if caption or not draft.title else draft.title
            drafts.append(draft)
        last_at = i
        notes = notes_below(placed, i) if not entry.item.table.turn else []
        drafts[-1].footnotes.extend(n for n in entry.item.table.notes if n not in drafts[-1].footnotes)
        owned.update(id(note) for note in notes)
        drafts[-1].footnotes.extend(n.text for n in notes if n.text not in drafts[-1].footnotes)
    foot = max((p.item.lines[-1][1].bottom for p in placed if isinstance(p.item, Para)), default=0.0)
    for draft in drafts:
        far_notes(draft, placed, owned, AT_FOOT * foot)
    return drafts


def _read_there(piece: Piece) -> tuple[str, bool]:
    """The title of a sideways table, and whether it is a caption."""
    return piece.table.title, bool(piece.table.title)


def _matrix(piece: Piece, columns: list[int]) -> list[Body]:
    """Rows with their cells filled from the cell that spans them."""
    table = piece.table
    starts: dict[int, list[RawCell]] = {}
    cover: dict[tuple[int, int], RawCell] = {}
    for cell in table.cells:
        if cell.text:
            starts.setdefault(cell.row, []).append(cell)
            for r in range(cell.row, cell.row + cell.rows):
                for c in range(cell.column, cell.column + cell.columns):
                    cover[r, c] = cell
    rows: list[Body] = []
    for r in sorted(starts):
        if rows and _rest_of_label(starts[r], starts, cover, columns):
            label = rows[-1].own[0]
            text = f"{label.text} {starts[r][0].text}"
            rows[-1].cells[0] = rows[-1].full[0] = label.text = text
            rows[-1].box = _around(rows[-1].box, _row_box(table, r))
            continue
        texts = [_filled(cover.get((r, c)), c, columns) for c in columns]
        box = _row_box(table, r)
        full = [cover[r, c].text if (r, c) in cover else "" for c in columns]
        rows.append(Body(piece.page, box, texts, sorted(starts[r], key=lambda c: c.column), full))
    return rows


def _row_box(table: RawTable, r: int) -> Box:
    return table.on_page((table.xs[0], table.ys[r], table.xs[-1], table.ys[r + 1]))


def _around(a: Box, b: Box) -> Box:
    return min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])


def _rest_of_label(
    own: list[RawCell], starts: dict[int, list[RawCell]], cover: dict[tuple[int, int], RawCell], columns: list[int]
) -> bool:
    """A row of nothing but the rest of the label above it, in small letters, beside cells that span down to it."""
    cell = own[0]
    above = starts.get(cell.row - 1, [])
    if len(own) != 1 or cell.column != columns[0] or not above or above[0].column != columns[0]:
        return False
    spanned = [cover.get((cell.row, c)) for c in columns[1:]]
    down = all(one is not None and one.row == cell.row - 1 for one in spanned)
    return down and bool(spanned) and (cell.text[:1].islower() or cell.text.startswith("("))


def _filled(cell: RawCell | None, column: int, columns: list[int]) -> str:
    """The text of the cell that covers a column: a label or a total that spans columns is named once, at its start."""
    if cell is None:
        return ""
    start = next(c for c in columns if c >= cell.column)
    label = cell.column <= columns[0] or _TOTAL.search(cell.text)
    return "" if label and column != start else cell.text


def _columns(piece: Piece) -> list[int]:
    """Columns in which some cell with text begins; what doubled lines leave between two columns is none."""
    table = piece.table
    filled = [cell for cell in table.cells if cell.text]
    own = {cell.column for cell in filled if cell.columns == 1}
    starts = {cell.column for cell in filled}
    narrow = 1.5 * table.size
    return sorted(c for c in starts if c in own or c + 1 not in own or table.xs[c + 1] - table.xs[c] > narrow)


def _whole(row: Body, columns: list[int]) -> bool:
    """Whether one cell fills the row from its first to its last column."""
    if len(row.own) != 1 or len(columns) < 2:
        return False
    cell = row.own[0]
    return cell.column <= columns[0] and cell.column + cell.columns > columns[-1]


def _read(piece: Piece, node: Node | None) -> Draft:
    columns = _columns(piece)
    rows = _matrix(piece, columns)
    draft = Draft([piece], node, columns)
    wholes = [n for n, row in enumerate(rows) if _whole(row, columns)]
    start, section = 0, ""
    while start < len(rows) and start in wholes:
        text = rows[start].own[0].text
        later = [
            n for n in wholes if n > start and n < len(rows) - 1 and rows[n].own[0].bold == rows[start].own[0].bold
        ]
        if later and len(rows) > start + 1 and start + 1 not in wholes:
            section = text
        elif not draft.title and len(text) <= 300:
            draft.title = text
        else:
            section = text
        start += 1
    given = piece.table.head - start
    count = given if 0 < given < len(rows) - start else _header_rows(rows[start:], columns)
    head = rows[start : start + count]
    draft.head_rows = [row.full for row in head]
    draft.header = _header(head, columns)
    _body(draft, rows[start + count :], section)
    if not draft.rows:  # nothing but headings: every row is kept as it stands
        draft.title, draft.head_rows, draft.footnotes = "", [], []
        draft.header, draft.rows = [""] * len(columns), rows
    return draft


def _body(draft: Draft, rows: list[Body], section: str) -> None:
    """Adds rows; a cell that fills a row is the section of those below it, or a note at the end.

    Of two such cells in a row the second lies under the first when the first alone is bold; else the first is a row
    without values.
    """
    waiting: Body | None = None
    for n, row in enumerate(rows):
        if _whole(row, draft.columns) or _bold_alone(row, draft.columns, rows):
            text = row.own[0].text
            if n == len(rows) - 1 or (NOTE.match(text) and n >= len(rows) - 3):
                draft.footnotes.append(text)
                continue
            if waiting is not None and waiting.own[0].bold and not row.own[0].bold:
                text = f"{section} > {text}"
            elif waiting is not None:
                _as_row(draft, waiting)
            waiting, section = row, text
            continue
        waiting = None
        row.section = section
        draft.rows.append(row)
    if waiting is not None:
        _as_row(draft, waiting)


def _as_row(draft: Draft, row: Body) -> None:
    """Keeps a row that is one cell: its text stands once, in the first column."""
    row.cells = [row.own[0].text, *[""] * (len(draft.columns) - 1)]
    draft.rows.append(row)


def _bold_alone(row: Body, columns: list[int], rows: list[Body]) -> bool:
    """A bold first cell with nothing beside it, in a table whose first cells are mostly not bold."""
    if len(row.own) != 1 or len(columns) < 3 or not row.own[0].bold or row.own[0].column != columns[0]:
        return False
    first = [r.own[0].bold for r in rows if len(r.own) > 1 and r.own[0].column == columns[0]]
    return bool(first) and 3 * sum(first) < len(first)


def _is_data(text: str) -> bool:
    return bool(_NUMERIC.fullmatch(text.strip()))


def _header_rows(rows: list[Body], columns: list[int]) -> int:
    """How many of the first rows are header: by weight, by kind of content, by spans."""
    if len(rows) < 2:
        return 0
    first = rows[0]
    texts = [cell.text for cell in first.own]
    body = rows[1:]
    years = [t for t in texts if _YEAR.fullmatch(t.strip())]
    data = [t for t in texts if _is_data(t) and t not in years]
    below_bold = sum(1 for row in body for cell in row.own if cell.bold)
    below = sum(len(row.own) for row in body)
    bold = all(cell.bold for cell in first.own) and 2 * below_bold < below
    numeric_below = sum(1 for row in body for cell in row.own if _is_data(cell.text))
    if years and len(years) >= len(texts) - 2 and not data:
        year_rows = sum(1 for row in body if sum(bool(_YEAR.fullmatch(c.text)) for c in row.own) >= len(years))
        plausible = 2 * year_rows < len(body)
    else:
        plausible = not data and not years
    long = max(len(t) for t in texts) > 120
    filled = sum(1 for cell in first.cells if cell)
    if not bold and (not plausible or long or 2 * filled < len(columns)):
        return 0
    if not bold and numeric_below == 0 and filled < len(columns) - 1:
        return 0
    return _deeper(rows, columns)


def _deeper(rows: list[Body], columns: list[int]) -> int:
    """Header rows below the first: under group cells, beside cells that span down, and rows of units."""
    count = max([1, *(cell.rows for cell in rows[0].own if cell.rows < len(rows) and cell.rows <= 4)])
    while count < min(len(rows) - 1, 5):
        groups = [
            c
            for c in rows[count - 1].own
            if c.columns > 1 and sum(c.column <= k < c.column + c.columns for k in columns) > 1
        ]
        row = rows[count]
        data = sum(1 for cell in row.own if _is_data(cell.text) and not _YEAR.fullmatch(cell.text))
        labels = data == 0 or (groups and 3 * data <= len(row.own) and len(row.own) >= 4)
        under = (
            groups
            and labels
            and any(g.column <= cell.column < g.column + g.columns for g in groups for cell in row.own)
        )
        units = _of_units(row)
        bold = (
            len(row.own) > 1
            and all(c.bold for c in row.own)
            and not any(c.bold for r in rows[count + 1 :] for c in r.own)
            and labels
        )
        if not (under or units or bold):
            break
        count += 1
    return max(count, _before_numbers(rows, columns))


def _of_units(row: Body) -> bool:
    """A row of nothing but units: of measures, or of money ("€ million")."""
    if all(_ANY_UNIT.fullmatch(cell.text) for cell in row.own):
        return True
    found = all(_ANY_UNIT.fullmatch(cell.text) or _AMOUNT.fullmatch(cell.text) for cell in row.own)
    if found:
        otherwise()
    return found


def _before_numbers(rows: list[Body], columns: list[int]) -> int:
    """In a table of numbers: how many broken rows of labels stand before the first full row of numbers."""
    cells = [cell for row in rows[1:] for cell in row.own if cell.column != columns[0]]
    if 2 * sum(_is_data(cell.text) for cell in cells) < len(cells):
        return 0
    for n, row in enumerate(rows[:6]):
        values = [_is_data(cell.text) for cell in row.own if cell.column != columns[0]]
        if values and 2 * sum(values) >= len(values):
            return n
        label_alone = len(row.own) == 1 and row.own[0].column == columns[0]
        after = rows[n + 1] if n + 1 < len(rows) else None
        if label_alone and after is not None and after.own[0].column != columns[0]:
            label_alone = any(_is_data(cell.text) for cell in after.own)  # else the rest of a label beside others
        if _whole(row, columns) or label_alone or (n and len(row.own) == len(columns)):
            return 0
    return 0


def _header(head: list[Body], columns: list[int]) -> list[str]:
    """One label a column: levels joined by " > ", a row of units put behind the labels above it.

    A level is what stands over several columns; two cells of one column, one below the other, are one wrapped label.
    """
    units = [_of_units(row) for row in head]
    labels = []
    for i, column in enumerate(columns):
        levels: list[str] = []
        narrow = False
        for row, unit in zip(head, units, strict=True):
            text, width = row.full[i], _width(row, column, columns)
            if not text or (levels and (not width or text == levels[-1] or text in "-–—")):
                continue
            alone = width == 1
            behind = levels and (unit or _UNIT.fullmatch(text)) and not levels[-1].endswith(text)
            if behind or (levels and narrow and alone):
                levels[-1] += f" {text}"
            else:
                levels.append(text)
            narrow = alone
        labels.append(" > ".join(levels))
    return labels


def _width(row: Body, column: int, columns: list[int]) -> int:
    """How many columns the row's own cell over this column covers; 0 when it comes from a row above."""
    cell = next((c for c in row.own if c.column <= column < c.column + c.columns), None)
    return sum(cell.column <= k < cell.column + cell.columns for k in columns) if cell is not None else 0


def _plain(text: str) -> str:
    return re.sub(r"\s+", "", CONTINUED.sub("", text)).casefold()


def _join(draft: Draft, piece: Piece, between: list[Para], title: str) -> bool:
    """Adds the piece to the table before it, when it is its continuation on the next page."""
    before = draft.pieces[-1]
    if piece.page != before.page + 1 or not _same_edges(before, piece):
        return False
    title_again = bool(title) and _plain(title) == _plain(draft.title) and bool(draft.title)
    for para in between:
        repeated = _plain(para.text) in ("", _plain(draft.title))
        note = para.footnote or (para.page == before.page and para.text in draft.footnotes)
        if not (repeated or note or (title_again and _plain(para.text) == _plain(title))):
            return False
    if title and not title_again and caption_number(title):
        return False
    rows = _matrix(piece, draft.columns)
    head = [[_plain(text) for text in row] for row in draft.head_rows]
    same = bool(head) and [[_plain(t) for t in row.full] for row in rows[: len(head)]] == head
    skip = 0
    while not same and skip < 2 and skip < len(rows) and _whole(rows[skip], draft.columns):
        skip += 1
        same = bool(head) and [[_plain(t) for t in row.full] for row in rows[skip : skip + len(head)]] == head
    if same:
        rows = rows[skip + len(head) :]
    elif head and _header_rows(rows, draft.columns) and all(c.bold for c in rows[0].own) and draft.head_rows:
        return False
    if rows and draft.rows and draft.rows[-1].page == before.page:
        rows[0].question = _rest_of(draft.rows[-1], rows[0], draft.columns)
    draft.pieces.append(piece)
    _body(draft, rows, draft.rows[-1].section if draft.rows else "")
    return True


def _rest_of(last: Body, first: Body, columns: list[int]) -> str:
    """The question whether the first row of a page is the rest of the last one of the page before; "" = it is none.

    It may be when nothing stands in its first column, when the text above it breaks off and its own begins small, or
    when each has what the other lacks.
    """
    if _whole(first, columns):
        return ""
    keyless = not first.cells[0] and bool(last.cells[0])
    broken = any(
        above and below[:1].islower() and not _ENDED.search(above)
        for above, below in zip(last.cells, first.cells, strict=True)
        if len(above) > 12
    )
    pairs = list(zip(last.cells, first.cells, strict=True))
    shared = not any(above and below for above, below in pairs) and any(last.cells) and any(first.cells)
    if not (keyless or broken or shared):
        return ""
    shown = next((cell for cell in last.cells if cell), "")[:40]
    return f'is it the rest of the row "{shown}" above the page break?'


def _same_edges(a: Piece, b: Piece) -> bool:
    """The same column edges, but for one sideways shift as between left and right pages."""
    xs, other = a.table.xs, b.table.xs
    origins = {a.table.origin, b.table.origin}
    if len(xs) != len(other) or a.table.turn != b.table.turn or (len(origins) > 1 and "camelot" not in origins):
        return False
    shift = other[0] - xs[0]
    return abs(shift) <= 60 and all(abs(y - x - shift) <= EDGE for x, y in zip(xs, other, strict=True))
