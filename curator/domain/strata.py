"""Strata of a case that are derived, never typed: length band and position in the document."""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.case import Case, LengthStratum, SectionPosition
from curator.domain.rules import third

BANDS: tuple[tuple[float, LengthStratum], ...] = ((10, "10x"), (5, "5x"), (2, "2x"))


def length_band(pages: int, reference_median: float) -> LengthStratum:
    """Band of a document: base < 2x <= 2x < 5x <= 5x < 10x <= 10x times the reference median; "none" when unknown.

    Args:
        pages: Pages of the longest document that the case was judged against.
        reference_median: Median pages of a document in production, as declared; never of the golden set itself.
    """
    if pages < 1 or reference_median <= 0:
        return "none"
    return next((name for factor, name in BANDS if pages >= factor * reference_median), "base")


def length_stratum(case: Case, reference_median: float) -> LengthStratum:
    """Length band of a case, by the longest of its documents."""
    return length_band(max((d.pages for d in case.documents), default=0), reference_median)


def section_position(case: Case) -> SectionPosition:
    """Third of the document in which the first required evidence lies, else the first provision that has a page.

    A summary speaks of the whole document: "none".
    """
    if case.task == "summary":
        return "none"
    pages = {d.document_id: d.pages for d in case.documents}
    home = {e.source_id: e.document_id for e in case.evidence}
    places = [(e.page, e.document_id) for e in case.evidence if e.role == "required"]
    places += [(p.page, home.get(p.source_id, "")) for p in case.key_provisions if p.page]
    found = (third(page, pages.get(document, 0)) for page, document in places)
    return next((t for t in found if t != "none"), "none")


def median(values: Sequence[float]) -> float:
    """Median; 0 for no values."""
    ordered = sorted(values)
    if not ordered:
        return 0
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
