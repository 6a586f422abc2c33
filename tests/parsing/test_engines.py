"""The optional engines: text on pages that are images, and one page read again. Without the extra, its pip line."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from fpdf import FPDF
from PIL import Image, ImageDraw, ImageFont

from curator.cli.main import run
from curator.domain.document import ParsedDocument
from curator.errors import InputError, MissingExtra, UsageError
from curator.parsing import Limits, parse_pdf, reread
from curator.parsing.extras import OCR, TABLES, installed

Read = Callable[..., ParsedDocument]
needs_ocr = pytest.mark.skipif(not installed(OCR), reason="the extra 'ocr' is not installed")
needs_tables = pytest.mark.skipif(not installed(TABLES), reason="the extra 'tables' is not installed")
ROWS = [["Disease", "Days", "Return"], ["Measles", "4", "after rash"], ["Mumps", "5", "no swelling"]]


def _scan(folder: Path, rows: list[list[str]] | None = ROWS) -> Path:
    """A page of text, then a page that is a drawing of a ruled table; None = an empty drawing."""
    picture = Image.new("RGB", (1240, 700), "white")
    pen, font = ImageDraw.Draw(picture), ImageFont.load_default(size=36)
    for r, cells in enumerate(rows or []):
        for c, cell in enumerate(cells):
            box = (60 + 360 * c, 80 + 110 * r, 420 + 360 * c, 190 + 110 * r)
            pen.rectangle(box, outline="black", width=3)
            pen.text((box[0] + 24, box[1] + 32), cell, fill="black", font=font)
    data = io.BytesIO()
    picture.save(data, "PNG")
    paper = FPDF(format=(595, 336), unit="pt")
    paper.add_page()
    paper.set_font("Helvetica", size=11)
    paper.cell(0, 20, "This page has text of its own.")
    paper.add_page()
    paper.image(data, x=0, y=0, w=595)
    path = folder / "scan.pdf"
    path.write_bytes(bytes(paper.output()))
    return path


@needs_ocr
def test_text_of_an_image_is_marked_with_its_confidence(tmp_path: Path) -> None:
    document = parse_pdf(_scan(tmp_path))
    assert [page.kind for page in document.pages] == ["text", "scanned"]
    assert document.pages[0].recognized == 0
    assert document.pages[1].recognized > 0.8
    assert [row.cells for row in document.tables[0].rows] == [tuple(row) for row in ROWS[1:]]
    assert document.tables[0].header == tuple(ROWS[0])
    assert document.tables[0].origin == "ocr"
    assert 0 < document.tables[0].confidence < 1
    assert [(w.page, w.code) for w in document.warnings] == [(2, "ocr")]
    assert "rapidocr" in document.parser
    assert all(chunk.recognized == 0 for chunk in document.chunks if chunk.page == 1)


@needs_ocr
def test_nothing_recognized_is_said(tmp_path: Path) -> None:
    document = parse_pdf(_scan(tmp_path, None))
    assert [(w.page, w.code) for w in document.warnings] == [(2, "no-text")]
    assert document.pages[1].kind == "scanned"


@needs_ocr
def test_an_engine_that_takes_too_long_costs_its_page_alone(tmp_path: Path) -> None:
    document = parse_pdf(_scan(tmp_path), limits=Limits(engine_seconds=0.01))
    assert document.pages[0].text == "This page has text of its own."
    assert [(w.page, w.code) for w in document.warnings][-1] == (2, "ocr-failed")


def test_recognition_can_be_left_out(tmp_path: Path) -> None:
    document = parse_pdf(_scan(tmp_path), ocr=False)
    assert [(page.kind, page.chars) for page in document.pages] == [("text", 30), ("scanned", 0)]
    assert [(w.page, w.code) for w in document.warnings] == [(2, "no-text")]


@pytest.mark.skipif(installed(OCR), reason="the extra 'ocr' is installed")
def test_without_the_extra_every_image_names_its_pip_line(tmp_path: Path) -> None:
    path = _scan(tmp_path)
    assert [w.message for w in parse_pdf(path).warnings] == [
        "no text on page 2: it is an image (pip install 'golden-curator[ocr]' lets it be recognized)"
    ]
    with pytest.raises(MissingExtra) as error:
        parse_pdf(path, ocr=True)
    assert error.value.exit_code == 5
    assert error.value.hint == "pip install 'golden-curator[ocr]'"
    assert run(["parse", str(path), "--ocr"], lambda workspace: 0) == 5


def _table(read_folder: Path) -> Path:
    """A ruled table on the second of two pages."""
    paper = FPDF()
    paper.set_font("Helvetica", size=10)
    paper.add_page()
    paper.multi_cell(0, 5, "Nothing but text stands on this page, and it is long enough to be a paragraph.")
    paper.add_page()
    paper.cell(0, 8, "Table 1. Days of exclusion", new_x="LMARGIN", new_y="NEXT")
    with paper.table() as table:
        for cells in ROWS:
            row = table.row()
            for cell in cells:
                row.cell(cell)
    path = read_folder / "table.pdf"
    path.write_bytes(bytes(paper.output()))
    return path


@needs_tables
def test_camelot_finds_the_cells_and_we_fill_them(tmp_path: Path) -> None:
    reading = reread(_table(tmp_path), 2, "camelot")
    assert [row.cells for row in reading.tables[0].rows] == [tuple(row) for row in ROWS[1:]]
    assert reading.tables[0].title == "Table 1. Days of exclusion"
    assert (reading.tables[0].origin, reading.page, reading.engine) == ("camelot", 2, "camelot")
    assert "camelot" in reading.parser


@pytest.mark.skipif(installed(TABLES), reason="the extra 'tables' is installed")
def test_without_the_extra_camelot_is_a_pip_line(tmp_path: Path) -> None:
    with pytest.raises(MissingExtra) as error:
        reread(_table(tmp_path), 2, "camelot")
    assert error.value.hint == "pip install 'golden-curator[tables]'"


@needs_ocr
def test_a_page_with_text_can_be_recognized_as_well(tmp_path: Path) -> None:
    reading = reread(_table(tmp_path), 2, "ocr")
    assert reading.recognized > 0.8
    assert [row.cells[0] for row in reading.tables[0].rows] == ["Measles", "Mumps"]


def test_our_own_rules_give_the_page_alone(tmp_path: Path) -> None:
    path = _table(tmp_path)
    assert reread(path, 1, "curator").tables == ()
    reading = reread(path, 2, "curator")
    assert [row.cells for row in reading.tables[0].rows] == [tuple(row) for row in ROWS[1:]]
    assert reading.tables[0].rows[0].box is not None


def test_what_cannot_be_read_again_is_one_line(tmp_path: Path) -> None:
    path = _table(tmp_path)
    with pytest.raises(UsageError, match="has no page 3"):
        reread(path, 3, "curator")
    with pytest.raises(UsageError, match="no engine 'tesseract'"):
        reread(path, 1, "tesseract")
    with pytest.raises(InputError, match="no such file"):
        reread(tmp_path / "gone.pdf", 1, "curator")
