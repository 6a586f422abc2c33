"""Writes laid-out pages as a PDF whose bytes depend on nothing but the sample: fixed dates, fixed document id."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime

from fpdf import FPDF

from .blocks import Sample
from .layout import BOTTOM, LEFT, PAPER, TOP, Ink, Rule, Shade, Sheet, pages
from .metrics import FILES, FONTS, width

CREATED = datetime(2026, 1, 5, 9, 0, 0, tzinfo=UTC)
SMALL = 8.0


class _Pdf(FPDF):
    """A PDF with an id of its own making."""

    sample_id = ""

    def file_id(self) -> str:
        half = hashlib.md5(self.sample_id.encode(), usedforsecurity=False).hexdigest().upper()
        return f"<{half}><{half}>"


def render(sample: Sample) -> tuple[bytes, int]:
    """Set a sample: its bytes and how many pages it has."""
    sheets, _ = pages(sample)
    pdf = _Pdf(unit="pt", format=sample.paper)
    pdf.sample_id = f"curator-sample:{sample.file}"
    pdf.set_creation_date(CREATED)
    pdf.set_title(sample.title)
    pdf.set_subject(sample.subject)
    pdf.set_lang(sample.language)
    pdf.set_creator("datasets/build.py")
    pdf.set_auto_page_break(auto=False)
    for (family, style), file in FILES.items():
        if family == sample.family:
            pdf.add_font(family, style, FONTS / file)
    for number, sheet in enumerate(sheets, 1):
        pdf.add_page()
        _running(pdf, sample, number, len(sheets))
        _draw(pdf, sample, sheet)
    return bytes(pdf.output()), len(sheets)


def _running(pdf: FPDF, sample: Sample, number: int, count: int) -> None:
    """Header and footer; the first page, the cover, has the footer alone."""
    wide, high = PAPER[sample.paper]
    pdf.set_font(sample.family, "", SMALL)
    foot = sample.footer.format(page=number, pages=count)
    pdf.text((wide - width(foot, sample.family, "", SMALL)) / 2, high - BOTTOM + 34, foot)
    if number > 1:
        pdf.text(LEFT, TOP - 34, sample.header)
        pdf.set_line_width(0.5)
        pdf.line(LEFT, TOP - 28, wide - LEFT, TOP - 28)


def _draw(pdf: FPDF, sample: Sample, sheet: Sheet) -> None:
    for op in sheet.ops:
        if isinstance(op, Shade):
            pdf.set_fill_color(op.gray)
            pdf.rect(op.x, op.y, op.width, op.height, style="F")
            pdf.set_fill_color(0)
    for op in sheet.ops:
        if isinstance(op, Rule):
            pdf.set_line_width(op.width)
            pdf.line(op.x1, op.y1, op.x2, op.y2)
    for op in sheet.ops:
        if isinstance(op, Ink) and op.text:
            pdf.set_font(sample.family, op.style, op.size)
            pdf.text(op.x, op.y, op.text)
