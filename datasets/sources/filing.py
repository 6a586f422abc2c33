"""The annual report of an invented company: 25 pages."""

from __future__ import annotations

from datasets.typeset.blocks import Block, Heading, PageBreak, Sample, Table, read

from . import text

OPENING = ("Part I", "Item 1A.", "Item 7.", "Item 8.", "Signatures")


def sample() -> Sample:
    """The annual report, on Letter paper."""
    return Sample(
        "annual-filing.pdf",
        "Halden Ridge Instruments, Inc. – Annual Report 2025",
        header="Halden Ridge Instruments, Inc. – Annual Report 2025",
        footer="{page}",
        family="serif",
        paper="Letter",
        size=11.1,
        leading=1.62,
        gap=9,
        shaded=False,
        subject="Annual report of an invented company. Invented sample text.",
        blocks=_opened(read(text("filing_1.md") + "\n" + text("filing_2.md"))),
    )


def _opened(blocks: list[Block]) -> list[Block]:
    """The parts that readers look for start a page, and so does each of the large statements."""
    result: list[Block] = []
    for block in blocks:
        opens = isinstance(block, Heading) and block.text.startswith(OPENING)
        if opens or (isinstance(block, Table) and "Consolidated" in block.caption and "income" not in block.caption):
            result.append(PageBreak())
        result.append(block)
    return result
