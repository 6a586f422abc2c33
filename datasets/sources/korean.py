"""The Korean school guideline on infections: 6 pages."""

from __future__ import annotations

from datasets.typeset.blocks import Sample, read

from . import text


def sample() -> Sample:
    """The guideline of the invented city of Saesol."""
    return Sample(
        "korean-health-guideline.pdf",
        "학교 감염병 예방 및 관리 지침 2026",
        header="학교 감염병 예방 및 관리 지침 2026",
        footer="{page} / {pages}",
        family="korean",
        size=11,
        leading=1.65,
        gap=6,
        language="ko-KR",
        subject="학교 감염병 관리. 가상의 예시 문서.",
        blocks=read(text("korean_guideline.md")),
    )
