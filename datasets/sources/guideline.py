"""The school-health guideline: 40 pages, its exclusion table over three of them."""

from __future__ import annotations

from datasets.typeset.blocks import Block, Heading, PageBreak, Sample, read

from . import text


def sample() -> Sample:
    """The guideline; large print, as it hangs in health rooms."""
    parts = [text(f"guideline_{n}.md") for n in (1, 2, 3)]
    return Sample(
        "school-health-guideline.pdf",
        "School Health Guideline 2026",
        header="School Health Guideline 2026",
        size=11,
        leading=1.55,
        gap=8,
        subject="Infection control, medicines and emergencies in schools. Invented sample text.",
        blocks=_opened(read("\n".join(parts))),
    )


def _opened(blocks: list[Block]) -> list[Block]:
    """Each chapter starts a page; of the annexes only those that are used on their own."""
    result: list[Block] = []
    for block in blocks:
        if isinstance(block, Heading) and block.level == 1 and not block.text.startswith(("Annex C", "Annex E")):
            result.append(PageBreak())
        result.append(block)
    return result
