"""Tables: header levels, units, section rows, merged cells, notes, pages, and what is no table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator.domain.document import ParsedDocument
from curator.parsing.grid import find_grids
from curator.parsing.pdfium import Rule

Read = Callable[..., ParsedDocument]
HEADER = ["Disease", "Exclusion period", "Notify"]


def test_one_table_over_three_pages(read: Read, sheet) -> None:
    paper = sheet("Guideline 2026", footer=True)
    paper.head("4 Exclusion")
    paper.para("Table 4. Exclusion periods by disease")
    rows = [[f"Disease {n}", f"until {n} days after onset", "Parents"] for n in range(70)]
    paper.grid([HEADER, *rows])
    paper.para("* Counted from the first day.")
    document = read(paper, "guide.pdf")
    (table,) = document.tables
    assert table.id == "guide.table-4"
    assert table.title == "Table 4. Exclusion periods by disease"
    assert table.pages == (1, 2, 3)
    assert table.header == tuple(HEADER)
    assert [list(row.cells) for row in table.rows] == rows
    assert table.rows[0].id == "guide.table-4:disease-0"
    assert table.rows[-1].page == 3
    assert table.footnotes == ("* Counted from the first day.",)
    assert table.section_path == ("4 Exclusion",)
    assert table.rows[3].text == (
        "Table 4. Exclusion periods by disease\n4 Exclusion\n"
        "Disease: Disease 3; Exclusion period: until 3 days after onset; Notify: Parents"
    )


def test_tables_with_text_between_stay_two(read: Read, sheet) -> None:
    paper = sheet()
    paper.para("Table 1. First")
    paper.grid([HEADER, ["Mumps", "5 days", "PHO"]])
    paper.add_page()
    paper.para("The second table has the same columns and is another one.")
    paper.grid([HEADER, ["Rubella", "7 days", "PHO"]])
    assert [len(table.rows) for table in read(paper).tables] == [1, 1]


def test_header_levels_units_and_section_rows(read: Read, sheet) -> None:
    paper = sheet()
    paper.para("Table 1. Limits")
    paper.grid(
        [
            ["Category", "Limit", "<", "Test"],
            ["", "NOx", "CO", ""],
            ["", "mg/km", "mg/km", "days"],
            ["Light vehicles", "<", "<", "<"],
            ["M1", "60", "500", "3"],
            ["Heavy vehicles", "<", "<", "<"],
            ["M1", "200", "1,500", "4"],
            ["N3", "Not measured", "<", "5"],
            ["Total of all", "<", "2,000", "12"],
        ],
        header=3,
    )
    (table,) = read(paper, "reg.pdf").tables
    assert table.header == ("Category", "Limit > NOx mg/km", "Limit > CO mg/km", "Test days")
    assert [(row.section, *row.cells) for row in table.rows] == [
        ("Light vehicles", "M1", "60", "500", "3"),
        ("Heavy vehicles", "M1", "200", "1,500", "4"),
        ("Heavy vehicles", "N3", "Not measured", "Not measured", "5"),
        ("Heavy vehicles", "Total of all", "", "2,000", "12"),
    ]
    assert [row.id for row in table.rows][:2] == ["reg.table-1:m1", "reg.table-1:heavy-vehicles.m1"]
    assert (
        table.rows[0].text
        == "Table 1. Limits\nLight vehicles\nCategory: M1; Limit > NOx mg/km: 60; Limit > CO mg/km: 500; Test days: 3"
    )


def test_a_cell_that_spans_rows_fills_them(read: Read, pdf) -> None:
    lines = "1 w 72 600 300 100 re S 172 600 m 172 700 l S 272 600 m 272 700 l S 72 680 m 372 680 l S "
    lines += "172 640 m 372 640 l S "
    words = [(80, 686, "Level"), (180, 686, "Who"), (280, 686, "Within"), (80, 640, "Blue"), (180, 660, "Teacher"),
             (280, 660, "24 hours"), (180, 620, "Nurse"), (280, 620, "2 hours")]  # fmt: skip
    content = lines.encode() + b" ".join(pdf.text(word, x=x, y=y, size=9) for x, y, word in words)
    (table,) = read(pdf.simple([content])).tables
    assert table.header == ("Level", "Who", "Within")
    assert [row.cells for row in table.rows] == [("Blue", "Teacher", "24 hours"), ("Blue", "Nurse", "2 hours")]


def test_marks_and_their_notes_stay_with_the_table(read: Read, pdf) -> None:
    lines = b"1 w 72 620 200 60 re S 172 620 m 172 680 l S 72 650 m 272 650 l S "
    cells = (
        pdf.text("Class", x=80, y=660, size=10)
        + pdf.text("Height", x=180, y=660, size=10)
        + pdf.text("A", x=80, y=630, size=10)
    )
    mark = b" BT /F1 10 Tf 180 630 Td (1,900) Tj 3 Ts /F1 6 Tf (1) Tj ET "
    note = b" BT /F1 6 Tf 72 100 Td 3 Ts (1) Tj 0 Ts /F1 9 Tf ( May be reduced by 100 mm.) Tj ET"
    (table,) = read(pdf.simple([lines + cells + mark + note])).tables
    assert table.rows[0].cells == ("A", "1,900[^1]")
    assert table.footnotes == ("[^1] May be reduced by 100 mm.",)


@pytest.mark.parametrize("turn", [0, 90, 270])
def test_turned_pages_have_the_same_table(read: Read, pdf, turn: int) -> None:
    lines = b"1 w 72 620 200 60 re S 172 620 m 172 680 l S 72 650 m 272 650 l S "
    words = [(80, 660, "Item"), (180, 660, "Number"), (80, 630, "Bandage"), (180, 630, "12")]
    content = lines + b" ".join(pdf.text(word, x=x, y=y, size=10) for x, y, word in words)
    (table,) = read(pdf.simple([content], page=b"/Rotate %d" % turn)).tables
    assert table.header == ("Item", "Number")
    assert table.rows[0].cells == ("Bandage", "12")


def test_a_frame_around_prose_is_no_table(read: Read, pdf) -> None:
    frame = b"1 w 40 300 530 460 re S 40 280 530 500 re S "
    document = read(pdf.simple([frame + pdf.text(*[f"Line {n} of prose that stands in a frame." for n in range(20)])]))
    assert document.tables == ()
    assert "Line 7 of prose" in document.chunks[0].text


def test_a_drawing_is_no_table(read: Read, pdf) -> None:
    boxes = b"".join(b"%d %d 60 40 re S " % (80 + 90 * n, 500 + 23 * n) for n in range(5))
    lines = b"80 500 m 400 500 l S 110 450 m 110 700 l S 200 480 m 200 660 l S "
    document = read(
        pdf.simple(
            [b"1 w " + boxes + lines + pdf.text("Figure 1 Gauge", x=80, y=430) + pdf.text("300 min", x=115, y=600)]
        )
    )
    assert document.tables == ()


def test_grid_of_lines_that_do_not_quite_meet() -> None:
    across = [Rule(True, y, 10.0, 208.0) for y in (10.0, 30.4, 50.0)]
    down = [Rule(False, x, 11.5, 49.0) for x in (10.0, 110.0, 112.0, 210.0)]
    (grid,) = find_grids(across + down)
    assert len(grid.cells) == 4
    assert grid.at(60, 20) != grid.at(160, 20)


def test_missing_walls_merge_cells() -> None:
    across = [Rule(True, 0, 0, 300), Rule(True, 20, 0, 300), Rule(True, 40, 100, 300), Rule(True, 60, 0, 300)]
    down = [Rule(False, 0, 0, 60), Rule(False, 100, 20, 60), Rule(False, 200, 20, 60), Rule(False, 300, 0, 60)]
    (grid,) = find_grids(across + down)
    spans = sorted((cell.row, cell.column, cell.rows, cell.columns) for cell in grid.cells)
    assert spans == [(0, 0, 1, 3), (1, 0, 2, 1), (1, 1, 1, 1), (1, 2, 1, 1), (2, 1, 1, 1), (2, 2, 1, 1)]


def _columns(pdf, rows: list[list[str]], xs: list[int], top: int = 660, step: int = 14) -> bytes:
    return b"".join(
        pdf.text(word, x=x, y=top - n * step, size=10)
        for n, row in enumerate(rows)
        for x, word in zip(xs, row, strict=True)
        if word
    )


def test_columns_without_lines(read: Read, pdf) -> None:
    rows = [
        ["Group", "Cases", "Rate"],
        ["Children", "1,204", "12.5 %"],
        ["Adults", "310", "3.1 %"],
        ["Total", "1,514", "15.6 %"],
    ]
    words = pdf.text("Table 3. Cases by group", x=72, y=690, size=10)
    after = pdf.text("The rate is that of the whole year in all of the districts.", x=72, y=560, size=10)
    document = read(pdf.simple([words + _columns(pdf, rows, [72, 220, 320]) + after]), "report.pdf")
    (table,) = document.tables
    assert (table.id, table.title, table.origin) == ("report.table-3", "Table 3. Cases by group", "gaps")
    assert table.header == ("Group", "Cases", "Rate")
    assert [list(row.cells) for row in table.rows] == rows[1:]
    assert table.confidence < 1
    assert not any("1,204" in chunk.text for chunk in document.chunks)


def test_lists_and_contents_are_no_tables(read: Read, pdf) -> None:
    numbered = [
        ["1.1.", "The first provision speaks of vehicles"],
        ["1.2.", "The second one of engines"],
        ["1.3.", "The third of both"],
    ]
    contents = [
        ["Purpose ..........", "4"],
        ["Roles ...........", "5"],
        ["Prevention ......", "7"],
        ["Exclusion .......", "10"],
    ]
    page = _columns(pdf, numbered, [72, 120]) + _columns(pdf, contents, [72, 300], top=500)
    assert read(pdf.simple([page])).tables == ()


def test_records_that_only_the_outer_row_rules(read: Read, pdf) -> None:
    lines = b"1 w 72 600 300 100 re S 172 600 m 172 700 l S 272 600 m 272 700 l S 72 680 m 372 680 l S "
    rows = [
        ["Country", "Fund", "Total"],
        ["Bulgaria", "2.3", "5.5"],
        ["Cyprus", "0.21", "0.21"],
        ["Estonia", "1.1", "3.0"],
    ]
    (table,) = read(pdf.simple([lines + _columns(pdf, rows, [80, 180, 280], top=686, step=18)])).tables
    assert table.header == ("Country", "Fund", "Total")
    assert [list(row.cells) for row in table.rows] == rows[1:]


def test_shaded_rows_without_inner_lines_have_the_columns_of_the_others(read: Read, pdf) -> None:
    shade = b"0.9 g 72 620 300 20 re f 0 g "
    lines = b"1 w 72 600 300 60 re S 72 640 m 372 640 l S 72 620 m 372 620 l S "
    walls = b"172 640 m 172 660 l S 272 640 m 272 660 l S 172 600 m 172 620 l S 272 600 m 272 620 l S "
    rows = [["Country", "Cases", "Deaths"], ["Austria", "3,375", "12"], ["Belgium", "3,973", "9"]]
    (table,) = read(pdf.simple([shade + lines + walls + _columns(pdf, rows, [80, 180, 280], top=646, step=20)])).tables
    assert [list(row.cells) for row in table.rows] == rows[1:]


def test_lines_through_words_make_a_chart_not_a_table(read: Read, pdf) -> None:
    bars = b"".join(b"%d %d 40 14 re S " % (100 + 40 * c, 500 + 14 * r) for r in range(6) for c in range(5))
    labels = b"".join(pdf.text("sixteen percent", x=108 + 9 * r, y=503 + 14 * r, size=9) for r in range(6))
    assert read(pdf.simple([b"1 w " + bars + labels])).tables == ()
