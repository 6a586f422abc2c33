"""The emission regulation: twelve articles without annexes, and its long form with them."""

from __future__ import annotations

from ..typeset.blocks import Sample, read
from . import text


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
