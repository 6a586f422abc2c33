"""A repair found again in another parse: a next revision of the document, or the same file read once more.

A repair is made again only where all that it was made on is the same: the rows with every cell, under the same title,
header and notes, in one place alone. Anything else waits for a person.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from curator.domain.document import Chunk, ParsedDocument, Row, Table
from curator.domain.model import Model
from curator.domain.repair import Apart, CellFix, Drop, Join, Put, Repair, Split, table_of, table_with
from curator.domain.revision import settled, unnumbered


class Ground(Model):
    """What a repair was made on.

    Attributes:
        tables: The tables, with those rows alone that the repair is about.
        whole: Whether these are all rows that the tables have.
        texts: The chunks.
    """

    tables: tuple[Table, ...] = ()
    whole: bool = False
    texts: tuple[Chunk, ...] = ()


def ground(document: ParsedDocument, repair: Repair) -> Ground:
    """What a repair is made on, before it is made."""
    if isinstance(repair, Put):
        tables = [table_of(document, name) for name in dict.fromkeys(repair.gone)]
        cut = tuple(_with(t, [r for r in t.rows if r.page == repair.page]) for t in tables)
        return Ground(tables=cut, texts=tuple(c for c in document.chunks if c.id in repair.texts))
    if isinstance(repair, (CellFix, Split, Join, Apart)):
        table = table_with(document, repair.row)
        wanted = {repair.row, repair.other} if isinstance(repair, Join) else {repair.row}
        return Ground(tables=(_with(table, [r for r in table.rows if r.id in wanted]),))
    return Ground(tables=(table_of(document, repair.table),), whole=True)


def _with(table: Table, rows: Sequence[Row]) -> Table:
    return table.model_copy(update={"rows": tuple(rows)})


def again(document: ParsedDocument, repair: Repair, made_on: Ground) -> Repair | None:
    """The repair in terms of this document; None when what it was made on is not there, or more than once."""
    names: dict[str, str] = {}
    page = 0
    for table in made_on.tables:
        found = list(_places(document, table, whole=made_on.whole))
        if len(found) != 1:
            return None
        there, start = found[0]
        rows = there.rows[start : start + len(table.rows)]
        names |= {a.id: b.id for a, b in zip(table.rows, rows, strict=True)} | {table.id: there.id}
        page = rows[0].page if rows else page
    for chunk in made_on.texts:
        same = [c for c in document.chunks if settled(c.text) == settled(chunk.text)]
        if len(same) != 1:
            return None
        names[chunk.id] = same[0].id
        page = page or same[0].page
    return _renamed(repair, names, page) if names else None


def _renamed(repair: Repair, names: dict[str, str], page: int) -> Repair:
    if not isinstance(repair, Put):
        said = {name: names.get(value, value) for name in ("row", "other", "table")
                if (value := getattr(repair, name, None)) is not None}  # fmt: skip
        if isinstance(repair, Drop) or "table" in said:  # a table may be named by one of its rows
            said["table"] = next(v for k, v in names.items() if ":" not in k)
        return repair.model_copy(update=said)
    tables = tuple(
        t.model_copy(update={"pages": (page,), "rows": tuple(r.model_copy(update={"page": page}) for r in t.rows)})
        for t in repair.tables
    )
    gone, texts = (tuple(names[n] for n in some if n in names) for some in (repair.gone, repair.texts))
    return repair.model_copy(update={"page": page, "gone": gone, "texts": texts, "tables": tables})


def _places(document: ParsedDocument, wanted: Table, *, whole: bool) -> Iterator[tuple[Table, int]]:
    """Tables that read the same, and where in them these rows begin."""
    size, rows = len(wanted.rows), [_said(r) for r in wanted.rows]
    for table in document.tables:
        if _frame(table) != _frame(wanted) or (whole and len(table.rows) != size):
            continue
        said = [_said(r) for r in table.rows]
        yield from ((table, n) for n in range(len(said) - size + 1) if said[n : n + size] == rows)


def _said(row: Row) -> object:
    return settled(row.section), tuple(map(settled, row.cells))


def _frame(table: Table) -> object:
    return unnumbered(table.title), tuple(map(settled, table.header)), tuple(map(settled, table.footnotes))
