"""Repairs of a parse: rows that are not named keep their ids, and everything is taken back to the byte."""

from __future__ import annotations

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from curator.domain.anchoring import anchors
from curator.domain.canonical import row_text
from curator.domain.document import Chunk, ParsedDocument, Row, Table
from curator.domain.patch import Patch, patch, patched
from curator.domain.repair import (
    Apart,
    CellFix,
    Drop,
    HeaderRows,
    Join,
    LabelFix,
    Put,
    Repair,
    Split,
    TitleFix,
    repaired,
    together,
)
from curator.domain.repair_again import again, ground
from curator.domain.tables import levels
from curator.errors import Conflict, CuratorError

WORDS = st.sampled_from(["", "Measles", "4", "5 days", "nicht", "보고", "第7条", "n/a", "Rate > %", "10 million"])


def table(number: int, lines: list[list[str]], page: int = 1) -> Table:
    name, title = f"doc.table-{number}", f"Table {number}. Limits"
    header, body = lines[0], lines[1:]
    rows = tuple(
        Row(id=f"{name}:r{n}", page=page + n // 4, cells=tuple(cells), section="", box=(10, 100 + 9.0 * n, 90, 108),
            text=row_text(title, ("Article 1",), header, cells), question="?" if n == 4 else "")
        for n, cells in enumerate(body)
    )  # fmt: skip
    return Table(id=name, title=title, pages=tuple(sorted({r.page for r in rows})), header=tuple(header), rows=rows,
                 section_path=("Article 1",))  # fmt: skip


@st.composite
def parses(draw: st.DrawFn) -> ParsedDocument:
    tables = []
    for number in range(1, draw(st.integers(1, 3)) + 1):
        width, height = draw(st.integers(1, 4)), draw(st.integers(2, 9))
        lines = [draw(st.lists(WORDS, min_size=width, max_size=width)) for _ in range(height)]
        for n, cells in enumerate(lines[1:]):
            cells[0] = cells[0] or f"row {n}"
        tables.append(table(number, lines, page=3 * number))
    chunks = [Chunk(id=f"doc:p{n}", page=n, page_end=n, text=f"Paragraph {n}.\nMeasles 4", box=(10, 20, 90, 40))
              for n in range(1, 12)]  # fmt: skip
    return ParsedDocument(file="doc.pdf", sha256="0" * 64, page_count=20, chunks=tuple(chunks), tables=tuple(tables))


@st.composite
def repairs(draw: st.DrawFn, document: ParsedDocument) -> Repair:
    chosen = draw(st.sampled_from(document.tables))
    place = draw(st.integers(0, len(chosen.rows) - 1))
    row, column, text = chosen.rows[place], draw(st.integers(0, len(chosen.header) - 1)), draw(WORDS)
    below = chosen.rows[min(place + 1, len(chosen.rows) - 1)]
    cells = st.lists(WORDS, min_size=len(chosen.header), max_size=len(chosen.header)).map(tuple)
    other = draw(st.sampled_from(document.tables))
    read = tuple(r.model_copy(update={"page": row.page}) for r in other.rows)
    other = other.model_copy(update={"pages": (row.page,), "rows": read})  # a page that is read again gives its own
    wanted: list[Repair] = [
        CellFix(row=row.id, column=column, text=text),
        LabelFix(table=chosen.id, column=column, text=text),
        TitleFix(table=chosen.id, text=text),
        HeaderRows(table=chosen.id, rows=draw(st.integers(0, 4))),
        Split(row=row.id, first=draw(cells), second=draw(cells)),
        Join(row=row.id, other=below.id),
        Apart(row=row.id),
        Drop(table=chosen.id),
        Put(kind="reread", page=row.page, engine="camelot", gone=(chosen.id,), texts=("doc:p1",), tables=(other,)),
    ]
    return draw(st.sampled_from(wanted))


def named(document: ParsedDocument, wanted: Repair) -> set[str]:
    """Ids of rows that a repair is about, or may be."""
    if isinstance(wanted, Put):
        return {r.id for t in document.tables if t.id in wanted.gone for r in t.rows if r.page == wanted.page}
    if isinstance(wanted, (Drop, HeaderRows)):
        chosen = next(t for t in document.tables if t.id == wanted.table)
        count = wanted.rows - len(levels(chosen)) if isinstance(wanted, HeaderRows) else len(chosen.rows)
        return {r.id for r in chosen.rows[: max(0, count)]}
    return {wanted.other} if isinstance(wanted, Join) else set()


def ids(document: ParsedDocument) -> list[str]:
    return [r.id for t in document.tables for r in t.rows]


@given(st.data())
def test_ids_of_other_rows_stay_and_the_way_back_gives_the_same_bytes(data: st.DataObject) -> None:
    before = data.draw(parses())
    wanted = data.draw(repairs(before))
    try:
        made = repaired(before, wanted, {"doc.table-1:used"})
    except CuratorError:
        assume(False)
        raise
    after, left = made.document, named(before, wanted)
    assert [i for i in ids(after) if i in ids(before) and i not in left] == [i for i in ids(before) if i not in left]
    every = [*ids(after), *(c.id for c in after.chunks)]
    assert len(every) == len(set(every))
    assert "doc.table-1:used" not in every
    untouched = {
        r.id: r.cells for t in before.tables for r in t.rows if r.id not in left | {getattr(wanted, "row", "")}
    }
    assert {r.id: r.cells for t in after.tables for r in t.rows if r.id in untouched} == untouched
    assert all(len(r.cells) == len(t.header) for t in after.tables for r in t.rows)
    assert len(anchors(after)) == len(every)

    change = Patch.model_validate_json(patch(before, after, made.aliases).model_dump_json(exclude_defaults=True))
    assert patched(before, change).model_dump_json() == after.model_dump_json()
    assert patched(after, change.backwards).model_dump_json() == before.model_dump_json()


@given(st.data())
def test_a_repair_is_made_again_on_the_same_rows_under_other_ids_and_on_nothing_else(data: st.DataObject) -> None:
    before = data.draw(parses())
    wanted = data.draw(repairs(before))
    try:
        after = repaired(before, wanted).document
    except CuratorError:
        assume(False)
        raise
    on = ground(before, wanted)
    other = before.model_copy(update={"tables": tuple(_under_other_ids(t) for t in before.tables)})
    there = again(other, wanted, on)
    if there is not None:  # else the rows stand there twice
        cells = [[r.cells for r in t.rows] for t in repaired(other, there).document.tables]
        assert cells == [[r.cells for r in t.rows] for t in after.tables]
    changed = before.model_copy(
        update={"tables": tuple(t.model_copy(update={"footnotes": ("1 except in May",)}) for t in before.tables)}
    )
    assert again(changed, wanted, on) is None


def _under_other_ids(old: Table) -> Table:
    rows = tuple(r.model_copy(update={"id": r.id.replace("doc.table", "new.table")}) for r in old.rows)
    return old.model_copy(update={"id": old.id.replace("doc.table", "new.table"), "rows": rows})


def test_a_repair_is_found_again_where_its_rows_stand_once() -> None:
    document = ParsedDocument(file="d.pdf", sha256="0" * 64, page_count=3,
                              tables=(table(1, [["Disease", "Days"], ["Measles", "4"], ["Mumps", "5"]]),))  # fmt: skip
    wanted = CellFix(row="doc.table-1:r1", column=1, text="15")
    on = ground(document, wanted)
    moved = document.model_copy(
        update={"tables": (table(2, [["Disease", "Days"], ["Rubella", "7"], ["Mumps", "5"], ["Measles", "4"]]),)}
    )
    assert again(moved, wanted, on) == wanted.model_copy(update={"row": "doc.table-2:r1"})
    twice = document.model_copy(update={"tables": (table(1, [["Disease", "Days"], ["Mumps", "5"], ["Mumps", "5"]]),)})
    assert again(twice, wanted, on) is None


def test_a_change_is_not_taken_back_over_a_later_one() -> None:
    before = ParsedDocument(file="d.pdf", sha256="0" * 64, page_count=3,
                            tables=(table(1, [["Disease", "Days"], ["Measles", "4"], ["Mumps", "5"]]),))  # fmt: skip
    after = repaired(before, CellFix(row="doc.table-1:r1", column=1, text="15")).document
    later = repaired(after, CellFix(row="doc.table-1:r1", column=1, text="16")).document
    with pytest.raises(Conflict, match=r"table-1 was changed again"):
        patched(later, patch(before, after).backwards)


@pytest.mark.parametrize(
    ("above", "below", "whole"),
    [
        ("Whooping", "cough", "Whooping cough"),
        ("보고", "기한", "보고 기한"),
        ("第七", "条", "第七条"),
        ("4", "4", "4"),
        ("", "5", "5"),
        ("5", "", "5"),
    ],
)
def test_parts_of_a_cell_are_put_together(above: str, below: str, whole: str) -> None:
    assert together(above, below) == whole


def test_header_rows_are_counted_with_those_that_a_table_has() -> None:
    lines = [["", "Rate > North", "Rate > South"], ["Land", "1", "2"], ["Sea", "3", "4"]]
    document = ParsedDocument(file="d.pdf", sha256="0" * 64, page_count=3, tables=(table(1, lines),))
    less = repaired(document, HeaderRows(table="doc.table-1", rows=1)).document.tables[0]
    assert (less.header, [r.cells for r in less.rows]) == (
        ("", "Rate", "Rate"), [("", "North", "South"), ("Land", "1", "2"), ("Sea", "3", "4")],
    )  # fmt: skip
    more = repaired(document, HeaderRows(table="doc.table-1", rows=3)).document.tables[0]
    assert (more.header, [r.id for r in more.rows]) == (
        ("Land", "Rate > North > 1", "Rate > South > 2"), ["doc.table-1:r1"],
    )  # fmt: skip
