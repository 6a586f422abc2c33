"""What other generators write: ligatures, accents apart, shades in cells, words in columns, captions below."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from curator.domain.document import ParsedDocument
from curator.parsing.accents import composed
from curator.parsing.content import Glyph, Style
from curator.parsing.hyphens import Hyphens

Reader = Callable[..., ParsedDocument]
STYLE = Style(10, False, False, 0, False, False)


def glyph(ch: str, x0: float, x1: float) -> Glyph:
    return Glyph(ch, x0, x1, 100, STYLE, False)


@pytest.mark.parametrize(
    ("drawn", "read"),
    [
        ([("e", 0, 5), ("´", 1, 4)], "é"),
        ([("´", 1, 4), ("e", 0, 5)], "é"),
        ([("¨", 1, 4), ("ı", 1, 4)], "ï"),
        ([("A", 0, 7), ("\u030a", 2, 5)], "Å"),
        ([("c", 0, 5), ("¸", 1, 4), ("a", 5, 10)], "ça"),
        ([("5", 0, 5), ("°", 6, 9), ("C", 9, 15)], "5°C"),
        ([("x", 0, 5), ("~", 6, 11), ("y", 12, 17)], "x~y"),
    ],
)
def test_an_accent_over_its_letter_is_that_letter(drawn: list[tuple[str, float, float]], read: str) -> None:
    assert "".join(g.ch for g in composed([glyph(*one) for one in drawn])) == read


def test_two_letters_of_one_glyph(read: Reader, pdf: Any) -> None:
    cmap = b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap 1 begincodespacerange <00> <FF> "
    cmap += b"endcodespacerange 2 beginbfchar <41> <00660066> <42> <0065> endbfchar endcmap end end"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /ToUnicode 5 0 R >>"
    data = pdf.simple([b"BT /F1 12 Tf 72 700 Td (BAB) Tj ET"], more={5: pdf.stream(cmap)})
    data = data.replace(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", font)
    assert read(data).pages[0].text == "effe"


def test_letters_drawn_twice_count_once(read: Reader, pdf: Any) -> None:
    twice = pdf.text("Bold", x=72, y=700) + pdf.text("Bold", x=72, y=700)
    assert read(pdf.simple([twice])).pages[0].text == "Bold"


def test_a_shade_behind_a_line_in_a_shaded_cell_divides_no_row(read: Reader, pdf: Any) -> None:
    frame = b"".join(b"%d %d 120 30 re S\n" % (72 + 120 * c, 640 - 30 * r) for r in range(3) for c in range(2))
    shade = b"0.8 g 72 640 120 30 re f 76 656 112 11 re f 76 645 112 11 re f 192 640 120 30 re f 0 g\n"
    texts = pdf.text("Resources", "needed", x=78, y=659, size=9, step=11) + pdf.text("Days", x=200, y=652, size=9)
    for n, (a, b) in enumerate([("Nurse", "4"), ("Doctor", "5")]):
        texts += pdf.text(a, x=78, y=622 - 30 * n, size=9) + pdf.text(b, x=200, y=622 - 30 * n, size=9)
    (table,) = read(pdf.simple([shade + frame + texts])).tables
    assert table.header == ("Resources needed", "Days")
    assert [row.cells for row in table.rows] == [("Nurse", "4"), ("Doctor", "5")]


ROWS = [("Role", "Duty of the role", "Deadline"), ("Nurse", "Decides on return", "same day"),
        ("Teacher", "Tells the parents", "next day"), ("Head", "Signs the form", "within a week")]  # fmt: skip


def columns(pdf: Any, rows: list[tuple[str, ...]], y: int = 660) -> bytes:
    return b"".join(
        pdf.text(cell, x=x, y=y - 16 * n, size=10)
        for n, row in enumerate(rows)
        for x, cell in zip((72, 180, 330), row, strict=False)
        if cell
    )


@pytest.mark.parametrize(("caption", "below"), [("Table 1. Duties", False), ("Table 1. Duties", True)])
def test_words_in_columns_under_or_over_a_caption_are_a_table(
    read: Reader, pdf: Any, caption: str, below: bool
) -> None:
    page = columns(pdf, ROWS) + pdf.text(caption, x=72, y=592 if below else 680, size=10)
    (table,) = read(pdf.simple([page])).tables
    assert table.title == caption
    assert [row.cells for row in table.rows][-2:] == list(ROWS[2:])


def test_a_wrapped_cell_is_one_row(read: Reader, pdf: Any) -> None:
    rows = [ROWS[0], ROWS[1], ("", "with the doctor", ""), ROWS[2], ("", "and the office", ""), ROWS[3]]
    page = columns(pdf, rows) + pdf.text("Table 1. Duties", x=72, y=680, size=10)
    (table,) = read(pdf.simple([page])).tables
    cells = [row.cells for row in table.rows]
    assert ("Nurse", "Decides on return with the doctor", "same day") in cells
    assert ("Teacher", "Tells the parents and the office", "next day") in cells


def test_a_list_with_its_marks_set_apart_is_no_table(read: Reader, pdf: Any) -> None:
    marks = pdf.text(*[f"({c})" for c in "abcdef"], x=72, y=660, size=10)
    words = pdf.text(*[f"the duty number {n} of the nurse" for n in range(6)], x=100, y=660, size=10)
    page = pdf.text("Table 1 is not here.", x=72, y=700) + marks + words
    assert read(pdf.simple([page])).tables == ()


def test_contents_without_leaders_are_no_table(read: Reader, pdf: Any) -> None:
    titles = [f"{n}. Matter of part {n}" for n in range(1, 7)]
    page = pdf.text("Contents", x=72, y=720, size=16) + pdf.text(*titles, x=72, y=690, size=10)
    page += pdf.text(*[str(n + 2) for n in range(1, 7)], x=500, y=690, size=10)
    assert read(pdf.simple([page])).tables == ()


def test_captions_below_stay_with_their_tables(read: Reader, pdf: Any) -> None:
    def grid(y: int, *words: str) -> bytes:
        lines = b"".join(b"%d %d 100 20 re S\n" % (72 + 100 * c, y - 20 * r) for r in range(2) for c in range(2))
        return lines + b"".join(
            pdf.text(word, x=76 + 100 * (n % 2), y=y + 6 - 20 * (n // 2), size=10) for n, word in enumerate(words)
        )

    page = grid(680, "Kind", "Days", "Cars", "4") + pdf.text("Table 1. Cars", x=72, y=645, size=10)
    page += grid(600, "Kind", "Days", "Ships", "9") + pdf.text("Table 2. Ships", x=72, y=565, size=10)
    found = read(pdf.simple([page])).tables
    assert [(table.title, table.rows[0].cells) for table in found] == [
        ("Table 1. Cars", ("Cars", "4")),
        ("Table 2. Ships", ("Ships", "9")),
    ]


def test_a_number_that_stands_alone_is_the_label(read: Reader, sheet: Any) -> None:
    paper = sheet("")
    for n in range(5):
        if n:
            paper.add_page()
        paper.set_font("Helvetica", size=8)
        paper.text(25, 12, f"Version 3.{n + 1} of 2026")
        paper.text(100, 285, f"- {n + 7} -")
        paper.para(f"Only page {n} says this, and the nurse decides on it.")
    assert [page.label for page in read(paper).pages] == ["7", "8", "9", "10", "11"]


def test_headings_at_the_top_of_pages_are_no_running_lines(read: Reader, sheet: Any) -> None:
    paper = sheet("Guideline", footer=True)
    for n in range(1, 6):
        if n > 1:
            paper.add_page()
        paper.head(f"{n}. Part number {n}")
        paper.para(f"This is what part {n} says. The nurse decides on it, and the head teacher signs. " * 6)
    document = read(paper)
    assert [section.title for section in document.sections] == [f"{n}. Part number {n}" for n in range(1, 6)]
    assert document.pages[2].running == ("Guideline", "Page 3")


def test_words_broken_by_a_sign_of_their_own() -> None:
    lines = ["well-known vehicle\u00ad", "mounted equip\u2010", "ment of the meas\u2010", "urement"]
    mended = Hyphens(["\n".join(lines)])
    assert mended.join(lines) == "well-known vehicle-mounted equipment of the measurement"


@pytest.mark.parametrize(
    ("drawn", "text"),
    [
        (b"(class T) Tj 4 Ts /F1 6 Tf (1) Tj 0 Ts /F1 10 Tf ( counts) Tj", "class T[^1] counts"),
        (b"(0.45 g) Tj 4 Ts /F1 6 Tf (5) Tj 0 Ts /F1 10 Tf ( holds) Tj", "0.45 g[^5] holds"),
        (b"(about x) Tj 4 Ts /F1 6 Tf (2) Tj 0 Ts /F1 10 Tf (, or less) Tj", "about x², or less"),
    ],
)
def test_what_is_raised_behind_a_single_letter(read: Reader, pdf: Any, drawn: bytes, text: str) -> None:
    assert read(pdf.simple([b"BT /F1 10 Tf 72 700 Td " + drawn + b" ET"])).pages[0].text == text
