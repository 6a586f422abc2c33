"""Tables as they are taken apart and put together: texts of rows, levels of headers, tables that come and go."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from curator.domain.canonical import row_text
from curator.domain.document import Box, Chunk, ParsedDocument, Row, Table
from curator.domain.identity import mint, slug

LEVEL = " > "


def pages_of(table: Table, rows: Sequence[Row]) -> tuple[int, ...]:
    """The pages that rows lie on."""
    return tuple(sorted({r.page for r in rows})) or table.pages


def retold(table: Table, row: Row) -> Row:
    """The row with its text made anew."""
    path = (*table.section_path, row.section) if row.section else table.section_path
    return row.model_copy(update={"text": row_text(table.title, path, table.header, row.cells)})


def told(table: Table) -> Table:
    """The table with the texts of all its rows made anew."""
    return table.model_copy(update={"rows": tuple(retold(table, r) for r in table.rows)})


def around(one: Box | None, two: Box | None) -> Box | None:
    """The smallest box around two."""
    if one is None or two is None:
        return one or two
    return min(one[0], two[0]), min(one[1], two[1]), max(one[2], two[2]), max(one[3], two[3])


def levels(table: Table) -> list[tuple[str, ...]]:
    """The rows of a table's header, the highest level first; [] = it has none."""
    split = [head.split(LEVEL) if head else [] for head in table.header]
    return [tuple(p[n] if n < len(p) else "" for p in split) for n in range(max(map(len, split), default=0))]


@dataclass
class Names:
    """Mints ids that nothing in the document has, or had."""

    document: ParsedDocument
    given: Iterable[str]
    taken: set[str] = field(init=False)

    def __post_init__(self) -> None:
        rows = (r.id for t in self.document.tables for r in t.rows)
        self.taken = {*self.given, *(c.id for c in self.document.chunks), *rows}

    def make(self, container: str, key: str) -> str:
        """An id that is free, and taken from now on."""
        name = mint(container, key, self.taken)
        self.taken.add(name)
        return name

    def row(self, table: str, cells: Sequence[str]) -> str:
        """An id for a row of a table, by its first cell with text."""
        return self.make(table, slug(next((c for c in cells if c), "row"), fallback="row"))


def _top(item: Chunk | Row) -> tuple[int, float]:
    return item.page, item.box[1] if item.box else 0.0


def _with_chunk(document: ParsedDocument, chunk: Chunk) -> ParsedDocument:
    at = next((n for n, c in enumerate(document.chunks) if _top(c) > _top(chunk)), len(document.chunks))
    return document.model_copy(update={"chunks": (*document.chunks[:at], chunk, *document.chunks[at:])})


def without_table(document: ParsedDocument, table: Table, names: Names) -> ParsedDocument:
    """The document with a table's text as a chunk, one row a line."""
    every = (*levels(table), *(r.cells for r in table.rows))
    lines = [" ".join(dict.fromkeys(c for c in cells if c)) for cells in every]
    box: Box | None = None
    for row in table.rows:
        box = around(box, row.box) if row.page == table.rows[0].page else box
    holder, _, key = table.id.partition(".")
    chunk = Chunk(
        id=names.make(holder, f"{key or 'table'}.text"),
        page=table.rows[0].page,
        page_end=table.rows[-1].page,
        section_path=table.section_path,
        text="\n".join(line for line in lines if line),
        box=box,
    )
    left = tuple(t for t in document.tables if t.id != table.id)
    return _with_chunk(document.model_copy(update={"tables": left}), chunk)


@dataclass(frozen=True)
class PutAt:
    """Where tables are put: the page, and the chunks that give up what stands in them."""

    page: int
    texts: tuple[str, ...]


def put(
    document: ParsedDocument, gone: Sequence[Table], tables: Sequence[Table], at: PutAt, names: Names
) -> ParsedDocument:  # fmt: skip
    """The document with tables of another reading in the place of those of a page.

    Rows that read the same, or have the same key cell, keep their ids. A table that goes on on other pages keeps its
    rows there; when one table with as many columns takes its place, the new rows stand among them.

    Args:
        document: As it is.
        gone: Tables that lose their rows on the page.
        tables: The new ones.
        at: Where.
        names: Mints ids.
    """
    old = [r for t in gone for r in t.rows if r.page == at.page]
    new = [_with_old_ids(t, old) for t in tables]
    if len(gone) == len(new) == 1 and len(gone[0].header) == len(new[0].header) and len(old) < len(gone[0].rows):
        made = [_inside(gone[0], new[0], at.page, names)]
    else:
        left = [_left_of(t, at.page) for t in gone]
        free = {t.id for t, rest in zip(gone, left, strict=True) if rest is None}
        used = {t.id for t in document.tables} - free
        made = [rest for rest in left if rest is not None]
        for n, table in enumerate(new):
            paired = gone[n] if n < len(gone) and gone[n].id in free else None
            made.append(_settled(table, paired, used, names, document, at))
    left_out = {t.id for t in gone}
    known = {t.id: t for t in made}
    kept = [known.pop(t.id, t) for t in document.tables if t.id in known or t.id not in left_out]
    for table in known.values():
        place = next((n for n, t in enumerate(kept) if _top(t.rows[0]) > _top(table.rows[0])), len(kept))
        kept.insert(place, table)
    said = " ".join(" ".join((*t.header, *(c for r in t.rows for c in r.cells))) for t in tables)
    chunks = [c if c.id not in at.texts else _reduced(c, said) for c in document.chunks]
    return document.model_copy(update={"tables": tuple(kept), "chunks": tuple(c for c in chunks if c is not None)})


def _with_old_ids(table: Table, old: Sequence[Row]) -> Table:
    """Rows that were there keep their ids; others get "".

    A row was there when it alone has the same cells, else the same key cell, else lies at the same place of the page.
    """
    by_cells, by_key = _once(old, lambda r: r.cells), _once(old, _key)
    own_cells, own_key = _once(table.rows, lambda r: r.cells), _once(table.rows, _key)
    same = {r.id: by_cells[r.cells].id for r in table.rows if r.cells in by_cells and r.cells in own_cells}
    used = set(same.values())
    for row in table.rows:
        other = by_key.get(_key(row)) if _key(row) in own_key else None
        if row.id not in same and other is not None and other.id not in used:
            same[row.id] = other.id
            used.add(other.id)
    same |= _by_place([r for r in table.rows if r.id not in same], [r for r in old if r.id not in used])
    return table.model_copy(
        update={"rows": tuple(r.model_copy(update={"id": same.get(r.id, ""), "question": ""}) for r in table.rows)}
    )


def _by_place(new: Sequence[Row], old: Sequence[Row]) -> dict[str, str]:
    """Ids of old rows by those of the new ones that lie where they lay, where neither meets another one."""
    pairs = [(a.id, b.id) for a in new for b in old if _same_line(a.box, b.box)]
    ones, others = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    return {a: b for a, b in pairs if ones[a] == others[b] == 1}


def _same_line(one: Box | None, two: Box | None) -> bool:
    """Whether two boxes share half of the lower one's height."""
    if one is None or two is None:
        return False
    shared = min(one[3], two[3]) - max(one[1], two[1])
    return shared >= 0.5 * min(one[3] - one[1], two[3] - two[1]) and one[0] < two[2] and two[0] < one[2]


def _key(row: Row) -> object:
    return next((c for c in row.cells if c), "")


def _once(rows: Sequence[Row], key: Callable[[Row], object]) -> Mapping[object, Row]:
    found: dict[object, list[Row]] = {}
    for row in rows:
        found.setdefault(key(row), []).append(row)
    return {k: r[0] for k, r in found.items() if len(r) == 1 and k}


def _inside(table: Table, new: Table, page: int, names: Names) -> Table:
    """A table of several pages with other rows on one of them."""
    first = next(n for n, r in enumerate(table.rows) if r.page == page)
    rows = [r if r.id else r.model_copy(update={"id": names.row(table.id, r.cells)}) for r in new.rows]
    left = [r for r in table.rows if r.page != page]
    every = (*left[:first], *rows, *left[first:])
    return told(table.model_copy(update={"rows": every, "pages": pages_of(table, every)}))


def _left_of(table: Table, page: int) -> Table | None:
    rows = tuple(r for r in table.rows if r.page != page)
    return table.model_copy(update={"rows": rows, "pages": pages_of(table, rows)}) if rows else None


def _settled(
    table: Table, paired: Table | None, used: set[str], names: Names, document: ParsedDocument, at: PutAt
) -> Table:  # fmt: skip
    """A new table under an id of this document, with the title and the section of the one whose place it takes."""
    name = paired.id if paired is not None else f"{_holder(document)}.{table.id.partition('.')[2] or 'table'}"
    base, count = name, 1
    while name in used:
        count += 1
        name = f"{base}-{count}"
    used.add(name)
    rows = tuple(r if r.id else r.model_copy(update={"id": names.row(name, r.cells)}) for r in table.rows)
    texts = [c for c in document.chunks if c.id in at.texts]
    path = paired.section_path if paired else texts[0].section_path if texts else table.section_path
    title = table.title or (paired.title if paired else "")
    return told(table.model_copy(update={"id": name, "rows": rows, "section_path": path, "title": title}))


def _holder(document: ParsedDocument) -> str:
    """The container of the document's ids."""
    names = [*(c.id for c in document.chunks[:1]), *(t.id for t in document.tables[:1])]
    return names[0].partition(":")[0].partition(".")[0] if names else "document"


def _reduced(chunk: Chunk, said: str) -> Chunk | None:
    """The chunk without the paragraphs whose words all stand in the tables; None when nothing is left."""
    inside = set(said.split())
    left = [line for line in chunk.text.split("\n") if not set(line.split()) <= inside]
    return chunk.model_copy(update={"text": "\n".join(left)}) if left else None
