"""Pages: reading order, running lines and labels, hyphens, marks, turned pages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from curator.domain.document import ParsedDocument
from curator.parsing.language import guess_language
from curator.parsing.words import with_mark

Read = Callable[..., ParsedDocument]
ROOT = Path(__file__).resolve().parents[2]


def test_running_lines_are_kept_apart_and_give_the_page_label(read: Read, sheet) -> None:
    paper = sheet("Guideline 2026", footer=True)
    for n in range(6):
        if n:
            paper.add_page()
        paper.para(f"Only page {n} says this. The nurse decides. The head teacher signs it.")
    document = read(paper)
    assert [page.label for page in document.pages] == ["1", "2", "3", "4", "5", "6"]
    assert document.pages[3].running == ("Guideline 2026", "Page 4")
    assert "Guideline" not in " ".join(chunk.text for chunk in document.chunks)
    assert "Only page 3 says this." in document.pages[3].text


def test_labels_that_the_file_declares_win(read: Read, pdf) -> None:
    catalog = b"/PageLabels << /Nums [0 << /S /r /St 3 >> 1 << /P (A-) /S /D >>] >>"
    document = read(pdf.simple([pdf.text("preface"), pdf.text("body")], catalog=catalog))
    assert [page.label for page in document.pages] == ["iii", "A-1"]


def test_columns_of_prose_are_read_one_after_the_other(read: Read, pdf) -> None:
    left = [f"left column line {n} with enough words" for n in range(8)]
    right = [f"right column line {n} with more words" for n in range(8)]
    document = read(pdf.simple([pdf.text(*left, x=60, size=10) + pdf.text(*right, x=330, size=10)]))
    lines = document.pages[0].text.split("\n")
    assert lines == left + right


def test_a_narrow_column_of_numbers_is_no_column(read: Read, pdf) -> None:
    numbers = [f"5.{n}." for n in range(1, 7)]
    words = [f"the provision number {n} says what is to be done here" for n in range(1, 7)]
    document = read(pdf.simple([pdf.text(*numbers, x=60) + pdf.text(*words, x=120)]))
    assert document.pages[0].text.split("\n")[0] == "5.1. the provision number 1 says what is to be done here"


def test_broken_words_are_joined_and_compounds_keep_their_hyphen(read: Read, pdf) -> None:
    document = read(
        pdf.simple(
            [pdf.text("Notice of type-approval. The manu-", "facturer asks for type-", "approval of the vehicle.")]
        )
    )
    assert document.chunks[0].text == "Notice of type-approval. The manufacturer asks for type-approval of the vehicle."


def _raised(number: bytes, mark: bytes, after: bytes = b"") -> bytes:
    return b"BT /F1 10 Tf 72 700 Td (%s) Tj 4 Ts /F1 6 Tf (%s) Tj 0 Ts /F1 10 Tf (%s) Tj ET" % (number, mark, after)


def test_footnote_marks_stay_off_the_number(read: Read, pdf) -> None:
    assert read(pdf.simple([_raised(b"at most 500", b"1", b" mm")])).pages[0].text == "at most 500[^1] mm"
    assert read(pdf.simple([_raised(b"an area of 400 mm", b"2")])).pages[0].text == "an area of 400 mm²"


@pytest.mark.parametrize(
    ("base", "raised", "text"),
    [
        ("500", "1", "500[^1]"),
        ("1,900", "1,4", "1,900[^1,4]"),
        ("mm", "2", "mm²"),
        ("× 10", "11", "× 10¹¹"),
        ("10", "-3", "10⁻³"),
        ("vehicles", "a", "vehicles[^a]"),
        ("21", "st", "21st"),
        ("Ca", "2+", "Ca²⁺"),
        ("rule", "*", "rule[^*]"),
    ],
)
def test_what_a_raised_sign_means(base: str, raised: str, text: str) -> None:
    assert with_mark(base, raised) == text


@pytest.mark.parametrize("turn", [90, 180, 270])
def test_turned_pages_read_like_straight_ones(read: Read, pdf, turn: int) -> None:
    lines = ["First line of the page", "second line of the page"]
    straight = read(pdf.simple([pdf.text(*lines)]))
    turned = read(pdf.simple([pdf.text(*lines)], page=b"/Rotate %d" % turn))
    assert turned.pages[0].text == straight.pages[0].text
    box = turned.chunks[0].box
    width, height = (792, 612) if turn != 180 else (612, 792)
    assert box is not None
    assert 0 <= box[0] < box[2] <= width
    assert 0 <= box[1] < box[3] <= height


def test_boxes_are_display_coordinates_from_the_crop_box(read: Read, pdf) -> None:
    plain = read(pdf.simple([pdf.text("A line", x=100, y=700, size=10)])).chunks[0].box
    cut = read(pdf.simple([pdf.text("A line", x=100, y=700, size=10)], page=b"/CropBox [50 0 612 742]")).chunks[0].box
    assert plain is not None
    assert cut is not None
    assert plain[:2] == pytest.approx((100, 792 - 700 - 8), abs=0.5)
    assert cut[:2] == pytest.approx((50, 742 - 700 - 8), abs=0.5)


def test_an_empty_page_is_said_to_be_empty(read: Read, pdf) -> None:
    document = read(pdf.simple([b"", pdf.text("words")]))
    assert (document.pages[0].kind, document.pages[0].chars) == ("empty", 0)
    assert [warning.code for warning in document.warnings] == ["no-text"]


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("The manufacturer shall inform the authority of any change in the type of the vehicle. " * 3, "en"),
        ("Die Behörde unterrichtet den Hersteller über die Änderung und den Tag der Prüfung, die nicht zu " * 3, "de"),
        ("학교의 장은 감염병에 걸린 학생에게 등교 중지를 명할 수 있다. 다시 등교할 때에는 확인서를 낸다. " * 2, "ko"),
        ("第一条 この規則は、車両の排出ガスの限度を定めることを目的とする。" * 3, "ja"),
        ("第一条 为了控制机动车排放污染物制定本规定机动车制造企业应当遵守" * 3, "zh"),
        ("12 34 56", ""),
    ],
)
def test_language(text: str, language: str) -> None:
    assert guess_language(text) == language


def test_vertical_lines_are_read_from_right_to_left(read: Read, sheet) -> None:
    paper = sheet()
    paper.add_font("Nanum", fname=str(next((ROOT / "datasets" / "fonts").glob("*.ttf"))))
    paper.set_font("Nanum", size=12)
    columns = ["감염병에걸린학생은등교하지않는다", "다시등교할때에는확인서를낸다", "학교의장은이를보건소에알린다"]
    for n, letters in enumerate(columns):
        for k, letter in enumerate(letters):
            paper.text(170 - 9 * n, 40 + 4.6 * k, letter)
    document = read(paper)
    assert document.pages[0].text.split("\n") == columns
    assert [(w.page, w.code) for w in document.warnings] == [(1, "vertical-text")]
    box = document.chunks[0].box
    assert box is not None
    assert box[0] > 150 * 72 / 25.4 - 20  # at the right of the page as it is displayed


def test_fonts_that_give_no_meaning_are_said(read: Read, pdf) -> None:
    font = (
        b"<< /Type /Font /Subtype /Type0 /BaseFont /Any /Encoding /Identity-H /DescendantFonts [<< /Type /Font "
        b"/Subtype /CIDFontType2 /BaseFont /Any /CIDSystemInfo << /Registry (Adobe) /Ordering (Identity) "
        b"/Supplement 0 >> /FontDescriptor << /Type /FontDescriptor /FontName /Any /Flags 4 "
        b"/FontBBox [0 0 1000 1000] /ItalicAngle 0 "
        b"/Ascent 800 /Descent -200 /CapHeight 700 /StemV 80 >> >>] >>"
    )
    content = b"BT /F1 12 Tf 72 700 Td <%s> Tj ET" % b"".join(b"%04x" % n for n in range(40, 90))
    document = read(pdf.simple([content]).replace(b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>", font))
    assert "text-unreliable" in {w.code for w in document.warnings}


# -- scripts that run from right to left -------------------------------------------------------------------------------

LETTERS = dict(zip("abcdefghijklmnopqrstuvwxyz[", "אבגדהוזחטיכלמנסעפצקרשתךםןףץ", strict=True))


def leftward(pdf, *shown: tuple[int, int, str], rules: bytes = b"") -> bytes:
    """Courier of 10 points whose small letters are Hebrew: each text at its place, as it looks from left to right."""
    pairs = [(ord(latin), ord(letter)) for latin, letter in LETTERS.items()]
    pairs += [(n, n) for n in range(32, 91)]
    table = b"".join(b"<%02X> <%04X>\n" % pair for pair in pairs)
    cmap = (
        b"/CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapName /x def /CMapType 2 def\n"
        b"1 begincodespacerange <00> <FF> endcodespacerange\n"
        b"%d beginbfchar\n%sendbfchar endcmap end end" % (len(pairs), table)
    )
    content = rules + b"".join(
        b"BT /F2 10 Tf %d %d Td <%s> Tj ET\n" % (x, y, s.encode().hex().encode()) for x, y, s in shown
    )
    page = b"/Resources << /Font << /F2 5 0 R >> >>"
    font = b"<< /Type /Font /Subtype /Type1 /BaseFont /Courier /ToUnicode 6 0 R >>"
    data = pdf.simple([content], more={5: font, 6: pdf.stream(cmap)})
    return data.replace(b"/Resources << /Font << /F1 3 0 R >> >>", page)


def hebrew(text: str) -> str:
    return "".join(LETTERS.get(ch, ch) for ch in text)


def test_a_table_that_runs_leftward_begins_at_the_right_and_numbers_keep_their_direction(read: Read, pdf) -> None:
    lines = b"".join(b"72 %d m 432 %d l S\n" % (y, y) for y in (560, 580, 600, 620))
    lines += b"".join(b"%d 560 m %d 620 l S\n" % (x, x) for x in (72, 192, 312, 432))
    texts = ["edcba fedc ba", "13445-5 ISO jih"]  # as they look: the first word of each is the rightmost
    shown = [(320, 606, "(BAR) pon"), (200, 606, "srq"), (80, 606, "zyx"), (320, 586, "feda"), (200, 586, "12.5"),
             (80, 586, "21-24"), (320, 566, "nmlk"), (200, 566, "3.75"), (80, 566, "7-9"),
             (300, 660, texts[0]), (300, 646, ".24 nmlkjih"), (300, 632, texts[1])]  # fmt: skip
    parsed = read(leftward(pdf, *shown, rules=lines))
    (table,) = parsed.tables
    assert table.header == (hebrew("nop (BAR)"), hebrew("qrs"), hebrew("xyz"))
    assert [row.cells for row in table.rows] == [(hebrew("adef"), "12.5", "21-24"), (hebrew("klmn"), "3.75", "7-9")]
    text = parsed.pages[0].text
    assert hebrew("ab cdef abcde") in text
    assert hebrew("hijklmn 24.") in text
    assert hebrew("hij ISO 13445-5") in text or hebrew("hij 13445-5 ISO") in text
    box = table.rows[0].box
    assert box is not None
    assert (round(box[0]), round(box[2])) == (72, 432)
    assert parsed.parser == "curator-pdf 4"


def test_a_page_shown_upside_down_by_its_file_reads_as_if_it_were_not(read: Read, pdf) -> None:
    lines = b"".join(
        b"BT /F1 12 Tf 72 %d Td (T) Tj 6.2 0 Td (able of limits fr) Tj 76.8 0 Td (om the year %d) Tj ET\n"
        % (700 - 14 * n, n)
        for n in range(4)
    )
    upright, turned = (read(pdf.simple([lines], page=b"/Rotate %d" % turn)) for turn in (0, 180))
    assert "Table of limits from the year 3" in turned.pages[0].text
    assert [c.text for c in turned.chunks] == [c.text for c in upright.chunks]


def test_glyphs_of_a_font_with_units_of_its_own_have_the_size_that_they_show(read: Read, pdf) -> None:
    letters = "abcdefgh iklmnor"
    glyphs = {
        30 + n: pdf.stream(b"6 0 0 0 5 %d d1 0 0 5 %d re f" % (high := 7 if ch in "bdfhkl" else 5, high))
        if ch != " " else pdf.stream(b"6 0 0 0 0 0 d1")
        for n, ch in enumerate(letters)
    }  # fmt: skip
    names = [b"s" if ch == " " else ch.encode() for ch in letters]
    procs = b" ".join(
        b"/%s %d 0 R" % (name.replace(b"s", b"space"), number) for name, number in zip(names, glyphs, strict=True)
    )
    differences = b" ".join(
        b"%d /%s" % (ord(ch), name.replace(b"s", b"space")) for ch, name in zip(letters, names, strict=True)
    )
    font = (
        b"<< /Type /Font /Subtype /Type3 /FontBBox [0 0 6 14] /FontMatrix [1 0 0 1 0 0] /FirstChar 32 /LastChar 122"
        b" /Widths [%s] /CharProcs << %s >> /Encoding << /Type /Encoding /Differences [%s] >> /Resources << >> >>"
        % (b" ".join([b"6"] * 91), procs, differences)
    )
    content = b"".join(
        b"BT /F1 1 Tf 1 0 0 1 72 %d Tm (%s) Tj ET\n"
        % (700 - 13 * n, b"no name and no bold face can be a lemon or a mill here")
        for n in range(5)
    )
    document = read(pdf.simple([content], more={3: font, **glyphs}))
    assert [w.code for w in document.warnings] == ["text-unreliable"]  # not: too small to be seen
    assert len(document.chunks) == 1
    assert "\n" not in document.chunks[0].text  # lines of ten points at a pitch of 13
