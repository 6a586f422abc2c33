"""Tables: header levels, units, section rows, merged cells, notes, pages, and what is no table."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from curator.domain.document import ParsedDocument
from curator.parsing.content import Rule
from curator.parsing.grid import find_grids

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


def _line(pdf, x0: int, y: int, x1: int) -> bytes:
    return b"%d %d m %d %d l S\n" % (x0, y, x1, y)


def _booktabs(pdf) -> bytes:
    """A header of two levels between two lines across, words in two columns, and no line between columns."""
    content = pdf.text("Table 3. Periods of exclusion", x=72, y=700, size=10)
    content += _line(pdf, 72, 690, 500) + pdf.text("Days at home", x=330, y=678, size=9)
    content += pdf.text("Disease", x=74, y=664, size=9) + pdf.text("Sign of return", x=180, y=664, size=9)
    content += (
        pdf.text("pupils", x=320, y=664, size=9) + pdf.text("staff", x=380, y=664, size=9) + _line(pdf, 72, 658, 500)
    )
    rows = [("Measles", "rash is gone", "4", "5"), ("Mumps", "no swelling", "5", "5"), ("Scabies", "treated", "1", "2")]
    for n, (name, sign, pupils, staff) in enumerate(rows):
        y = 644 - 24 * n
        content += pdf.text(name, x=74, y=y, size=9) + pdf.text(sign, x=180, y=y, size=9)
        content += pdf.text(pupils, x=330, y=y, size=9) + pdf.text(staff, x=388, y=y, size=9)
    content += pdf.text("and skin is dry", x=180, y=634, size=9)  # the rest of the first cell in its column
    return content + _line(pdf, 72, 580, 500)


def test_lines_across_alone_make_a_table(read: Read, pdf) -> None:
    table = read(pdf.simple([_booktabs(pdf)])).tables[0]
    assert table.title == "Table 3. Periods of exclusion"
    assert table.header == ("Disease", "Sign of return", "Days at home > pupils", "Days at home > staff")
    assert [row.cells for row in table.rows] == [
        ("Measles", "rash is gone and skin is dry", "4", "5"),
        ("Mumps", "no swelling", "5", "5"),
        ("Scabies", "treated", "1", "2"),
    ]
    assert table.origin == "rules"


def test_lines_over_two_columns_of_prose_make_no_table(read: Read, pdf) -> None:
    words = "the nurse decides on the day of return"
    left = pdf.text(*[f"{words} {n}" for n in range(20)], x=72, y=680, size=9)
    right = pdf.text(*[f"{words} {n}" for n in range(20)], x=320, y=680, size=9)
    frame = _line(pdf, 72, 700, 540) + _line(pdf, 72, 560, 540) + _line(pdf, 72, 400, 540)
    assert read(pdf.simple([frame + left + right])).tables == ()


def test_a_row_split_by_the_page_break_is_asked_about(read: Read, sheet) -> None:
    paper = sheet()
    rows = [["Disease", "Rule"], *([f"Disease {n}", "Stays at home for some days."] for n in range(40))]
    paper.grid(rows)
    whole = read(paper)
    assert not any(row.question for row in whole.tables[0].rows)
    first_there = next(n for n, row in enumerate(whole.tables[0].rows) if row.page == 2)
    rows[first_there + 1][0] = ""
    paper = sheet()
    paper.grid(rows)
    document = read(paper)
    asked = [row for row in document.tables[0].rows if row.question]
    assert [(row.page, row.cells[1]) for row in asked] == [(2, "Stays at home for some days.")]
    assert f'"Disease {first_there - 1}"' in asked[0].question
    assert [w.page for w in document.warnings if w.code == "split-row"] == [2]


def test_a_note_belongs_to_the_table_it_stands_under(read: Read, pdf) -> None:
    def table(y: int, cell: bytes) -> bytes:
        lines = b"".join(b"72 %d 300 24 re 72 %d 150 24 re S\n" % (y - 24 * n, y - 24 * n) for n in range(3))
        marked = b"BT /F1 10 Tf 76 %d Td (%s) Tj 4 Ts /F1 6 Tf (1) Tj 0 Ts ET\n" % (y - 16, cell)
        return lines + pdf.text("Name", x=76, y=y + 8, size=10) + pdf.text("Days", x=226, y=y + 8, size=10) + marked + (
            pdf.text("4", x=226, y=y - 16, size=10) + pdf.text("Other", x=76, y=y - 40, size=10)
            + pdf.text("5", x=226, y=y - 40, size=10)
        )  # fmt: skip

    note = b"BT /F1 6 Tf 3 Ts 72 %d Td (1) Tj 0 Ts /F1 8 Tf ( %s) Tj ET\n"
    page = table(640, b"Measles") + note % (582, b"Not for staff.") + table(500, b"Mumps")
    page += note % (442, b"Only after a test.") + pdf.text("More text follows below the tables.", y=300)
    first, second = read(pdf.simple([page])).tables
    assert first.footnotes == ("[^1] Not for staff.",)
    assert second.footnotes == ("[^1] Only after a test.",)


def test_section_rows_without_rows_are_kept(read: Read, sheet) -> None:
    paper = sheet()
    paper.grid(
        [["Item", "Rule", "Days"], ["1. Awareness", "<", "<"], ["2. Forced labor", "<", "<"], ["Other", "none", "4"]]
    )
    table = read(paper).tables[0]
    assert [row.cells for row in table.rows] == [("1. Awareness", "", ""), ("Other", "none", "4")]
    assert table.rows[1].section == "2. Forced labor"


def test_columns_of_numbers_inside_one_ruled_column(read: Read, pdf) -> None:
    content = b"".join(b"72 %d 360 20 re 72 %d 120 20 re S\n" % (y, y) for y in (600, 580, 560, 540))
    for n, cells in enumerate([("Answer", "Freq.", "Percent", "Cum."), ("None", "138", "6.9", "6.9"),
                               ("One", "178", "8.8", "15.7"), ("Two", "626", "31.1", "46.8")]):  # fmt: skip
        for x, cell in zip((76, 210, 290, 370), cells, strict=True):
            content += pdf.text(cell, x=x, y=606 - 20 * n, size=10)
    table = read(pdf.simple([content])).tables[0]
    assert table.header == ("Answer", "Freq.", "Percent", "Cum.")
    assert table.rows[2].cells == ("Two", "626", "31.1", "46.8")
    assert table.confidence < 1


def test_a_sentence_gives_a_table_no_id(read: Read, sheet) -> None:
    paper = sheet()
    paper.head("Article 1 Scope")
    paper.para("This regulation is about vehicles and their tests.")
    paper.head("Article 2 Tests")
    paper.para("The vehicle shall be tested at the following speeds:")
    paper.grid([["Speed", "Test"], ["45", "one"], ["90", "two"]])
    table = read(paper).tables[0]
    assert table.id == "doc.article-2-table"
    assert table.title == "The vehicle shall be tested at the following speeds:"


@pytest.mark.parametrize("turn", [90, 270])
def test_a_table_set_sideways_on_an_upright_page_reads_as_if_it_were_not(read: Read, pdf, turn: int) -> None:
    cells = [("Station", "Depth", "Oxygen"), ("Kallo", "2.5", "8.1"), ("Doel", "3.0", "7.6")]
    a, b, c, d, e, f = (0, 1, -1, 0, 400, 300) if turn == 270 else (0, -1, 1, 0, 200, 600)
    inner = b"".join(b"0 %d m 240 %d l S\n" % (y, y) for y in (0, 20, 40, 60))
    inner += b"".join(b"%d 0 m %d 60 l S\n" % (x, x) for x in (0, 80, 160, 240))
    for n, row in enumerate(cells):
        for m, cell in enumerate(row):
            inner += pdf.text(cell, x=80 * m + 4, y=60 - 20 * n - 14, size=10)
    inner += pdf.text("Table 5. June", x=0, y=70, size=10) + pdf.text("* Measured at noon.", x=0, y=-12, size=10)
    turned = b"q %d %d %d %d %d %d cm\n%sQ\n" % (a, b, c, d, e, f, inner)
    document = read(pdf.simple([pdf.text(*["The river is measured at three places every month."] * 4) + turned]))
    (table,) = document.tables
    assert (table.title, table.header) == ("Table 5. June", cells[0])
    assert [row.cells for row in table.rows] == cells[1:]
    assert table.footnotes == ("* Measured at noon.",)
    box = table.rows[0].box
    assert box is not None
    assert (round(box[2] - box[0]), round(box[3] - box[1])) == (20, 240)  # where it lies on the page
    assert "every month" in document.chunks[0].text
