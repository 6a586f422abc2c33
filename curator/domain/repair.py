"""What a person repairs in the tables of a document, and what becomes of the document by it.

Everything here is pure: a repair applied to a document gives another document. Ids of rows that a repair does not name
stay as they are; a second half gets an id of its own; of two rows that are joined the first keeps its id, and the id
of the other speaks of it from then on.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Literal

from pydantic import Field, TypeAdapter

from curator.domain.document import ParsedDocument, Row, Table
from curator.domain.model import Model
from curator.domain.tables import LEVEL, Names, PutAt, around, levels, pages_of, put, retold, told, without_table
from curator.errors import InputError, UsageError
from curator.text import counted


class CellFix(Model):
    """What really stands in a cell; `column` counts from 0."""

    kind: Literal["cell"] = "cell"
    row: str
    column: int
    text: str


class LabelFix(Model):
    """What really stands over a column, its levels joined by " > ", its unit with it."""

    kind: Literal["label"] = "label"
    table: str
    column: int
    text: str


class TitleFix(Model):
    """The title that a table really has."""

    kind: Literal["title"] = "title"
    table: str
    text: str


class HeaderRows(Model):
    """How many rows of a table, from its top, are its header; those it has now are counted, one a level."""

    kind: Literal["header"] = "header"
    table: str
    rows: int


class Split(Model):
    """One row is two: the cells of both, as many as the table has columns."""

    kind: Literal["split"] = "split"
    row: str
    first: tuple[str, ...]
    second: tuple[str, ...]


class Join(Model):
    """Two rows, one right under the other, are one."""

    kind: Literal["join"] = "join"
    row: str
    other: str


class Apart(Model):
    """A row that may be the rest of the one above is a row of its own: the question is answered."""

    kind: Literal["apart"] = "apart"
    row: str


class Drop(Model):
    """A table is none: its text becomes running text."""

    kind: Literal["drop"] = "drop"
    table: str


class Put(Model):
    """Tables of a page as another reading has them.

    Attributes:
        kind: "reread": the page was read again; "region": a person said that a text is a table.
        page: Number of the page.
        engine: What read it.
        gone: Tables, or their rows on this page, whose place the new ones take.
        texts: Chunks that give up what stands in the new tables.
        tables: The new tables; their ids are of that reading only.
    """

    kind: Literal["reread", "region"]
    page: int
    engine: str
    gone: tuple[str, ...] = ()
    texts: tuple[str, ...] = ()
    tables: tuple[Table, ...]


Repair = Annotated[
    CellFix | LabelFix | TitleFix | HeaderRows | Split | Join | Apart | Drop | Put, Field(discriminator="kind")
]
REPAIR: TypeAdapter[Repair] = TypeAdapter(Repair)


@dataclass(frozen=True)
class Repaired:
    """A document after a repair; `aliases`: ids that speak of another row now, with that row's id."""

    document: ParsedDocument
    aliases: tuple[tuple[str, str], ...] = ()


def repaired(document: ParsedDocument, repair: Repair, taken: Iterable[str] = ()) -> Repaired:
    """The document after a repair.

    Args:
        document: As it is.
        repair: What is repaired in it.
        taken: Ids that may not be minted, beside those of the document.

    Raises:
        InputError: There is no such row or table.
        UsageError: The repair makes no sense there.
    """
    names = Names(document, taken)
    if isinstance(repair, Drop):
        return Repaired(without_table(document, table_of(document, repair.table), names))
    if isinstance(repair, Put):
        gone = [table_of(document, name) for name in dict.fromkeys(repair.gone)]
        return Repaired(put(document, gone, repair.tables, PutAt(repair.page, repair.texts), names))
    if isinstance(repair, (LabelFix, TitleFix, HeaderRows)):
        table = table_of(document, repair.table)
    else:
        table = table_with(document, repair.row)
    made = _in_table(table, repair, names)
    aliases = ((repair.other, repair.row),) if isinstance(repair, Join) else ()
    tables = tuple(made if t.id == table.id else t for t in document.tables)
    return Repaired(document.model_copy(update={"tables": tables}), aliases)


def _in_table(table: Table, repair: Repair, names: Names) -> Table:
    if isinstance(repair, CellFix):
        return _with_cell(table, repair)
    if isinstance(repair, LabelFix):
        header = list(table.header)
        header[_column(table, repair.column)] = repair.text
        return told(table.model_copy(update={"header": tuple(header)}))
    if isinstance(repair, TitleFix):
        return told(table.model_copy(update={"title": repair.text}))
    if isinstance(repair, HeaderRows):
        return _with_header(table, repair.rows, names)
    if isinstance(repair, Split):
        return _split(table, repair, names)
    if isinstance(repair, Join):
        return _joined(table, repair)
    assert isinstance(repair, Apart)
    return _with_rows(table, repair.row, 1, [_row(table, repair.row).model_copy(update={"question": ""})])


def table_of(document: ParsedDocument, name: str) -> Table:
    """The table of this id, or that has a row of this id.

    Raises:
        InputError: There is none.
    """
    found = next((t for t in document.tables if t.id == name), None)
    return found if found is not None else table_with(document, name)


def table_with(document: ParsedDocument, row_id: str) -> Table:
    """The table that has this row.

    Raises:
        InputError: There is none.
    """
    found = next((t for t in document.tables if any(r.id == row_id for r in t.rows)), None)
    if found is None:
        raise InputError(f"no table or row {row_id}", "`curator docs rows DOCUMENT` lists the rows and their ids")
    return found


def _row(table: Table, row_id: str) -> Row:
    return next(r for r in table.rows if r.id == row_id)


def _place(table: Table, row_id: str) -> int:
    return next(n for n, r in enumerate(table.rows) if r.id == row_id)


def _column(table: Table, column: int) -> int:
    if not 0 <= column < len(table.header):
        raise UsageError(
            f"{table.id} has {counted(len(table.header), 'column')}, no column {column + 1}", "count from 1"
        )
    return column


def _with_rows(table: Table, row_id: str, count: int, rows: Sequence[Row]) -> Table:
    """The table with other rows in the place of `count` rows from this one on."""
    at = _place(table, row_id)
    every = (*table.rows[:at], *(retold(table, r) for r in rows), *table.rows[at + count :])
    return table.model_copy(update={"rows": every, "pages": pages_of(table, every)})


def _with_cell(table: Table, repair: CellFix) -> Table:
    row, cells = _row(table, repair.row), list(_row(table, repair.row).cells)
    cells[_column(table, repair.column)] = repair.text
    if not any(cells):
        raise UsageError(f"{row.id} would have no text left", "join it with another row, or drop the table")
    return _with_rows(table, row.id, 1, [row.model_copy(update={"cells": tuple(cells)})])


def _with_header(table: Table, count: int, names: Names) -> Table:
    """The first `count` lines of a table, header and rows together, as its header."""
    own = levels(table)
    more = count - len(own)
    if count < 0 or more >= len(table.rows):
        most = len(own) + len(table.rows) - 1
        raise UsageError(f"{table.id} can have 0 to {most} header rows", "one row at least is not header")
    head = [*own, *(r.cells for r in table.rows[: max(0, more)])][:count]
    header = tuple(_path([line[n] for line in head]) for n in range(len(table.header)))
    freed = own[count:]
    first = table.rows[0]
    rows = [first.model_copy(update={"id": names.row(table.id, line), "cells": line, "section": "", "question": ""})
            for line in freed if any(line)]  # fmt: skip
    kept = table.rows[max(0, more) :]
    made = table.model_copy(update={"header": header, "rows": (*rows, *kept)})
    return told(made.model_copy(update={"pages": pages_of(made, made.rows)}))


def _path(parts: Sequence[str]) -> str:
    """Levels as one label; a merged cell counts once."""
    found: list[str] = []
    for part in parts:
        if part and (not found or found[-1] != part):
            found.append(part)
    return LEVEL.join(found)


def _split(table: Table, repair: Split, names: Names) -> Table:
    width, row = len(table.header), _row(table, repair.row)
    if len(repair.first) != width or len(repair.second) != width:
        raise UsageError(
            f"{table.id} has {counted(width, 'column')}", "give both halves a text for each, empty ones too"
        )
    if not any(repair.first) or not any(repair.second):
        raise UsageError("one half is empty", "say where at least one cell is cut")
    first = row.model_copy(update={"cells": repair.first})
    second = {"id": names.row(table.id, repair.second), "cells": repair.second, "question": ""}
    return _with_rows(table, row.id, 1, [first, row.model_copy(update=second)])


def _joined(table: Table, repair: Join) -> Table:
    row, at = _row(table, repair.row), _place(table, repair.row)
    below = table.rows[at + 1] if at + 1 < len(table.rows) else None
    if below is None or below.id != repair.other:
        raise UsageError(f"{repair.other} is not the row under {row.id}", "only neighbors are joined")
    cells = tuple(together(a, b) for a, b in zip(row.cells, below.cells, strict=True))
    box = around(row.box, below.box) if row.page == below.page else row.box
    return _with_rows(table, row.id, 2, [row.model_copy(update={"cells": cells, "box": box})])


def together(above: str, below: str) -> str:
    """Two parts of a cell as one text; what stands in both is a merged cell and counts once."""
    if not above or not below or above == below:
        return above or below
    solid = all(unicodedata.east_asian_width(ch) == "W" and not "가" <= ch <= "힣" for ch in (above[-1], below[0]))
    return f"{above}{'' if solid else ' '}{below}"
