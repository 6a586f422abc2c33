"""The emission regulation: twelve articles without annexes, and its long form with them."""

from __future__ import annotations

from datasets.typeset.blocks import Block, Heading, PageBreak, Sample, read

from . import text
from .annexes import cycles, diagnostics, forms, fuels, instruments, limits, particles, sampling, supplements


def short() -> Sample:
    """The regulation in 12 pages: the penalty clause is Article 7 on page 9."""
    return Sample(
        "emission-regulation.pdf",
        "Emission Regulation 2026",
        header="Emission Regulation 2026",
        family="serif",
        size=10.4,
        leading=1.44,
        shaded=False,
        subject="Emission limits, duties and penalties for road vehicles. Invented sample text.",
        blocks=read(text("emission_front.md") + "\n" + text("emission_articles.md") + "\n" + text("emission_back.md")),
    )


def consolidated() -> Sample:
    """The regulation with Annexes I to XII in 160 pages; numbering starts again in each annex."""
    road = text("annexes/road_evap_durability.md")
    road = road.replace("ONROAD", limits.on_road() + supplements.dynamics()).replace("AGING", supplements.aging())
    battery = text("annexes/conformity_battery.md").replace("SAMPLING", sampling.plan())
    annexes = [
        limits.annex(),
        cycles.annex() + supplements.shifting(),
        instruments.annex() + supplements.gases(),
        road,
        diagnostics.annex(),
        fuels.annex(),
        battery + supplements.fleet(),
        particles.annex(),
        forms.annex() + supplements.certificate(),
    ]
    front = text("emission_front.md").replace(
        "The text without annexes is given here. The consolidated edition contains Annexes I to XII with the limit tables, the test procedures and the forms.",
        "This consolidated edition contains Annexes I to XII with the limit tables, the test procedures and the forms. Section and table numbers begin again in each annex.",
    )
    blocks: list[Block] = []
    for block in read("\n".join([front, text("emission_articles.md"), *annexes])):
        if isinstance(block, Heading) and block.level == 1 and block.text.startswith("Annex"):
            blocks.append(PageBreak())
        if not (isinstance(block, PageBreak) and blocks and isinstance(blocks[-1], PageBreak)):
            blocks.append(block)
    return Sample(
        "emission-regulation-consolidated.pdf",
        "Emission Regulation 2026, consolidated edition",
        header="Emission Regulation 2026 – consolidated edition",
        family="serif",
        size=11.7,
        leading=1.6,
        gap=9,
        shaded=False,
        subject="Emission limits, duties, penalties and Annexes I to XII. Invented sample text.",
        blocks=blocks,
    )
