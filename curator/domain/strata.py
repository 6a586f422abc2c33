"""Strata of a case that are derived, never typed: length band, position and depth in the document, conversation.

What they are derived from is little of a case; anything that has it will do (`Placeable`), so that thousands of cases
are counted without reading all of each.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from curator.domain.case import LengthStratum, SectionPosition
from curator.domain.model import Model
from curator.domain.rules import third
from curator.text import counted

BANDS: tuple[tuple[float, LengthStratum], ...] = ((10, "10x"), (5, "5x"), (2, "2x"))
DEEPEST = 4


class PlacedDocument(Protocol):
    """A document that a case was judged against, as far as strata need it."""

    @property
    def document_id(self) -> str:
        """Its id."""

    @property
    def pages(self) -> int:
        """Its pages; 0 = unknown."""


class PlacedEvidence(Protocol):
    """Evidence, as far as strata need it."""

    @property
    def source_id(self) -> str:
        """What is cited."""

    @property
    def document_id(self) -> str:
        """Where it lies."""

    @property
    def role(self) -> str:
        """required, supporting or distractor."""

    @property
    def page(self) -> int:
        """From 1; 0 = unknown."""

    @property
    def section_path(self) -> Sequence[str]:
        """The sections round it, the outermost first."""


class PlacedProvision(Protocol):
    """A key provision, as far as strata need it."""

    @property
    def source_id(self) -> str:
        """Where it stands; "" = unknown."""

    @property
    def page(self) -> int:
        """From 1; 0 = unknown."""


class Placeable(Protocol):
    """What strata are derived from: a case, or the part of one that the store reads for counting."""

    @property
    def task(self) -> str:
        """Question or summary."""

    @property
    def domain(self) -> str:
        """As it stands on the line."""

    @property
    def document_type(self) -> str:
        """As it stands on the line."""

    @property
    def expected_behavior(self) -> str:
        """As it stands on the line."""

    @property
    def risk(self) -> str:
        """As it stands on the line."""

    @property
    def difficulty(self) -> str:
        """As it stands on the line."""

    @property
    def route(self) -> str:
        """As it stands on the line."""

    @property
    def language(self) -> str:
        """As it stands on the line."""

    @property
    def turns(self) -> Sequence[str]:
        """Only their number counts."""

    @property
    def tags(self) -> Sequence[str]:
        """As the person put them."""

    @property
    def documents(self) -> Sequence[PlacedDocument]:
        """What the case was judged against."""

    @property
    def evidence(self) -> Sequence[PlacedEvidence]:
        """In its order."""

    @property
    def key_provisions(self) -> Sequence[PlacedProvision]:
        """In their order."""


class Stratum(Model):
    """One stratum of one case: the dimension, the value, and in words how the value came about."""

    dimension: str
    value: str
    how: str


def length_band(pages: int, reference_median: float) -> LengthStratum:
    """Band of a document: base < 2x <= 2x < 5x <= 5x < 10x <= 10x times the reference median; "none" when unknown.

    Args:
        pages: Pages of the longest document that the case was judged against.
        reference_median: Median pages of a document in production, as declared; never of the golden set itself.
    """
    if pages < 1 or reference_median <= 0:
        return "none"
    for factor, name in BANDS:
        if pages >= factor * reference_median:
            return name
    return "base"


def longest(documents: Sequence[PlacedDocument]) -> int:
    """Pages of the longest document; 0 = none, or unknown."""
    return documents[0].pages if len(documents) == 1 else max((d.pages for d in documents), default=0)


def length_stratum(case: Placeable, reference_median: float) -> LengthStratum:
    """Length band of a case, by the longest of its documents."""
    return length_band(longest(case.documents), reference_median)


def section_position(case: Placeable) -> SectionPosition:
    """Third of the document in which the first required evidence lies, else the first provision that has a page.

    A summary speaks of the whole document: "none".
    """
    return _place(case)[0]


def _depth(case: Placeable, source: str) -> str:
    if case.task == "summary":
        return "none"
    required = -1
    for e in case.evidence:
        if source and e.source_id == source:
            return _deep(len(e.section_path))
        if required < 0 and e.role == "required":
            required = len(e.section_path)
    return _deep(required)


def _deep(depth: int) -> str:
    return "none" if depth <= 0 else str(depth) if depth < DEEPEST else f"{DEEPEST}+"


def conversation(turns: Sequence[str]) -> str:
    """Whether a case is one question or the last turn of several."""
    return "follow-up" if len(turns) > 1 else "single"


def _place(case: Placeable) -> tuple[SectionPosition, str, int, str]:
    """Position, and the source, page and document that give it."""
    if case.task == "summary":
        return "none", "", 0, ""
    pages = {d.document_id: d.pages for d in case.documents}
    for e in case.evidence:
        if e.role == "required" and (found := third(e.page, pages.get(e.document_id, 0))) != "none":
            return found, e.source_id, e.page, e.document_id
    home = {e.source_id: e.document_id for e in case.evidence}
    for p in case.key_provisions:
        document = home.get(p.source_id, "")
        if p.page and (found := third(p.page, pages.get(document, 0))) != "none":
            return found, p.source_id, p.page, document
    return "none", "", 0, ""


def placing_line(case: Placeable, reference_median: float) -> dict[str, Any]:
    """Of the line of a case what suites select and count by (`suite.Selector`, `suite.DIMENSIONS`), and its depth."""
    position, source, _, _ = _place(case)
    return {
        "turns": case.turns,
        "documents": [{"documentId": d.document_id} for d in case.documents],
        "tags": case.tags,
        "lengthStratum": length_stratum(case, reference_median),
        "sectionPosition": position,
        "sectionDepth": _depth(case, source),
        "conversation": conversation(case.turns),
        "domain": case.domain,
        "documentType": case.document_type,
        "expectedBehavior": case.expected_behavior,
        "task": case.task,
        "risk": case.risk,
        "difficulty": case.difficulty,
        "route": case.route,
        "language": case.language,
    }


HOW: dict[str, str] = {
    "lengthStratum": "pages of the longest document the case was judged against / the reference median",
    "sectionPosition": "third of the document in which the first required evidence lies, else the first provision",
    "sectionDepth": "sections round that evidence",
    "conversation": "more than one turn is a follow-up",
    "domain": "stated with the case",
    "documentType": "stated with the case, taken from its document",
    "expectedBehavior": "stated with the case: answer, refuse or escalate",
    "task": "stated with the case: a question, or a summary of whole documents",
    "risk": "stated by people, at least the floor of its domain and route",
    "difficulty": "stated with the case",
    "route": "stated with the case, or that of the failure it came from",
    "language": "of the question, found out and confirmed",
}
"""How a value of each dimension comes about."""


def strata(case: Placeable, reference_median: float) -> tuple[Stratum, ...]:
    """Every stratum of one case, each with how it was derived from this very case."""
    longest = max(case.documents, key=lambda d: d.pages, default=None)
    position, source, page, document = _place(case)
    pages = {d.document_id: d.pages for d in case.documents}
    line = placing_line(case, reference_median)
    told = {
        "lengthStratum": "no document with a known number of pages"
        if longest is None or not longest.pages
        else "no reference median is declared"
        if reference_median <= 0
        else f"{longest.pages} pages of {longest.document_id} / {reference_median:g} = "
        f"{longest.pages / reference_median:.1f}x",
        "sectionPosition": f"page {page} of {pages[document]} of {document}, by {source}"
        if position != "none"
        else "a summary speaks of the whole document"
        if case.task == "summary"
        else "no required evidence or provision has a page",
        "conversation": counted(len(case.turns), "turn"),
    }
    return tuple(Stratum(dimension=d, value=str(line[d]), how=told.get(d, how)) for d, how in HOW.items())


def median(values: Sequence[float]) -> float:
    """Median; 0 for no values."""
    ordered = sorted(values)
    if not ordered:
        return 0
    middle = len(ordered) // 2
    return float(ordered[middle]) if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2
