"""A small suite with every behavior, partition and kind of source; and the canonical checks when they are at hand."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case, CaseRecord
from curator.domain.changes import CaseChange
from curator.domain.document import Anchor, Source
from curator.domain.review import FieldAgreement, ReviewPolicy, RiskFloor
from curator.domain.suite import Quota, Selector, SuitePolicy
from curator.exporting.line import case_line, source_line
from curator.exporting.release import (
    PartitionFacts,
    Reference,
    ReleaseInput,
    Rendered,
    StaleCase,
    Tombstone,
    Waiver,
    documents_of,
    render,
)

CANONICAL = Path(__file__).resolve().parents[2].parent / "shared" / "evaluators" / "_canonical"
SHA = {name: char * 64 for name, char in (("guideline", "a"), ("emission", "b"), ("지침", "c"))}
PAGES = {"guideline": 40, "emission": 12, "지침": 6}
HEADER = ("Disease", "Exclusion > Period (days)")


@pytest.fixture(scope="session")
def canonical() -> Path:
    """Folder of the canonical checks beside the repository."""
    if not CANONICAL.is_dir():
        pytest.skip("../shared/evaluators/_canonical is not beside the repository")
    return CANONICAL


def row_source(key: str, cells: tuple[str, ...], page: int, aliases: tuple[str, ...] = ()) -> Source:
    anchor = Anchor(
        source_id=key, kind="row", ordinal=page, page=page, page_end=page, section_path=("Annex A", "Rash"),
        text="as parsed", quote=" | ".join(cells), text_hash="0" * 64, table_title="Table 2. Exclusion",
        table_header=HEADER, section_row="Rash", cells=cells,
    )  # fmt: skip
    return Source(
        id=key, aliases=aliases, kind="row", document_id="guideline", revision="2024",
        document_sha256=SHA["guideline"], anchor=anchor,
    )  # fmt: skip


def chunk_source(key: str, document: str, page: int, text: str) -> Source:
    anchor = Anchor(
        source_id=key, kind="chunk", ordinal=page, page=page, page_end=page, section_path=("Chapter II", "Article 7"),
        text=text, quote=text, text_hash="0" * 64,
    )  # fmt: skip
    return Source(
        id=key, kind="chunk", document_id=document, revision="2024", document_sha256=SHA[document], anchor=anchor
    )


SOURCES = (
    row_source("guideline.exclusion:measles", ("Measles", "4"), 21, ("guideline.exclusion:z", "guideline.exclusion:a")),
    row_source("guideline.exclusion:varicella", ("Varicella", "5, cafe\u0301"), 22),
    row_source("guideline.exclusion:mumps", ("Mumps", ""), 22),
    chunk_source("emission:article-7", "emission", 9, "Penalties up to $10M.\u2028Next line."),
    chunk_source("emission:article-8", "emission", 10, "Records are kept for five years."),
    chunk_source("지침:수두", "지침", 5, "모든 물집에 딱지가 앉을 때까지"),
)  # fmt: skip


def cite(key: str, role: str = "required", group: str = "") -> dict[str, Any]:
    source = next(s for s in SOURCES if s.id == key)
    anchor = source.anchor
    return {
        "sourceId": key, "role": role, "group": group, "quote": anchor.quote, "documentId": source.document_id,
        "documentVersion": source.revision, "documentSha256": source.document_sha256, "page": anchor.page,
        "pageLabel": str(anchor.page), "sectionPath": anchor.section_path, "tableTitle": anchor.table_title,
        "tableHeader": anchor.table_header, "tableCells": anchor.cells, "effectiveFrom": "2024-01-01",
    }  # fmt: skip


def judged(*names: str) -> list[dict[str, Any]]:
    return [
        {"documentId": n, "documentVersion": "2024", "documentSha256": SHA[n], "title": f"The {n}", "pages": PAGES[n]}
        for n in names
    ]


def provision(text: str, page: int = 0, key: str = "", *, mandatory: bool = True) -> dict[str, Any]:
    return {"text": text, "sourceId": key, "page": page, "mandatory": mandatory, "accept": [text] * mandatory}


CASES: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dev", {
        "id": "school-health-7k2m9q", "turns": ["How long is a child with measles out?"], "language": "en",
        "referenceAnswer": "4 days.", "acceptableAnswers": ["Four days."], "mustNotClaim": ["no exclusion"],
        "asOf": "2025-03-01", "asker": "nurse", "domain": "school-health", "documentType": "guideline", "risk": "high",
        "consequence": "outbreak", "documents": judged("guideline"),
        "evidence": [cite("guideline.exclusion:measles"), cite("guideline.exclusion:mumps", "distractor")],
        "keyProvisions": [provision("4 days", 21, "guideline.exclusion:measles")],
        "tags": ["table"],
        "attributes": [{"name": "ticket", "value": "R-1"}, {"name": "jurisdiction", "value": "EU"}],
    }),
    ("dev", {
        "id": "emission-3v8d0n", "turns": ["What does | a *late* <b>report</b> cost?\u2028And `why`?"],
        "language": "en",
        "referenceAnswer": "Up to $10M.", "domain": "emission", "documentType": "regulation",
        "origin": "production",
        "evidence": [cite("emission:article-7", group="penalty"), cite("emission:article-8", group="penalty")],
        "requiredBehaviors": ["cites the article"], "documents": judged("emission"), "difficulty": "hard",
    }),
    ("dev", {
        "id": "case-b8z4rj", "turns": ["Who wins the election?"], "expectedBehavior": "refuse", "language": "en",
        "refusalReason": "out_of_scope", "documents": judged("guideline"), "tags": ["refusal"],
    }),
    ("dev", {
        "id": "school-health-y3p9qh", "turns": ["Alert level red: what now?"], "expectedBehavior": "escalate",
        "escalateTo": "duty officer", "escalateWhen": "level red", "risk": "critical", "consequence": "harm",
        "domain": "school-health", "documents": judged("guideline"), "language": "en",
    }),
    ("dev", {
        "id": "emission-c7m3xe", "task": "summary", "turns": ["Summarize the regulation."], "language": "en",
        "referenceAnswer": "It caps emissions.", "domain": "emission", "documents": judged("emission"),
        "keyProvisions": [provision("caps", 2), provision("records", 6), provision("fine", 11, mandatory=False)],
    }),
    ("dev", {
        "id": "case-5tq0rz", "turns": ["수두 아동은 언제 등원하나요?"], "language": "ko",
        "referenceAnswer": "딱지가 앉은 뒤.",
        "domain": "감염병", "evidence": [cite("지침:수두")], "documents": judged("지침"),
    }),
    ("dev", {
        "id": "emission-w4c6tz", "turns": ["What is Article 7?", "And what must be kept?"], "language": "en",
        "referenceAnswer": "Records, five years.", "domain": "emission", "documents": judged("emission"),
        "evidence": [cite("emission:article-8"), cite("emission:article-7", "supporting")],
        "turnExpectations": [{"turn": 1, "referenceAnswer": "Penalties.", "expectedSourceIds": ["emission:article-7"]}],
    }),
    ("holdout", {
        "id": "school-health-p5x1he", "turns": ["HIDDEN-QUESTION about varicella"], "referenceAnswer": "HIDDEN-ANSWER",
        "domain": "school-health", "evidence": [cite("guideline.exclusion:varicella")],
        "documents": judged("guideline"), "language": "en",
    }),
    ("holdout", {
        "id": "case-6ny2sm", "turns": ["HIDDEN-ONE", "HIDDEN-TWO"], "expectedBehavior": "refuse", "language": "en",
        "refusalReason": "ambiguous", "evidence": [cite("guideline.exclusion:mumps", "distractor")],
        "documents": judged("guideline"),
    }),
)  # fmt: skip


@pytest.fixture
def records() -> tuple[CaseRecord, ...]:
    """Approved cases on both sides."""
    return tuple(
        CaseRecord(
            case=Case.model_validate({"risk": "low"} | values), status="approved", side=side, approvals=2,  # type: ignore[arg-type]
            confirmed_at="2025-11-03T09:30:00Z",
        )
        for side, values in CASES
    )  # fmt: skip


@pytest.fixture
def lines(records: tuple[CaseRecord, ...]) -> list[dict[str, Any]]:
    """Their canonical lines."""
    return [case_line(record, suite="regulated", reference_median=8) for record in records]


@pytest.fixture
def make(lines: list[dict[str, Any]]) -> Callable[..., ReleaseInput]:
    """Makes the input of a release; keywords replace parts of it."""
    cited = {e["sourceId"] for n in lines if n["partition"] in ("dev", "followup_dev") for e in n["evidence"]}

    def made(**changed: Any) -> ReleaseInput:
        values: dict[str, Any] = {
            "policy": SuitePolicy(
                name="regulated", description="Rules | of *schools* and <script>emissions</script>",
                include=Selector(domain=("school-health", "emission", "감염병", "")),
                quotas=(Quota(minimum=5), Quota(where={"expectedBehavior": "refuse"}, minimum=0.15, unit="share")),
            ),
            "version": "2.0.0", "parent": "1.1.0", "created_at": "2026-01-01T00:00:00Z", "lines": lines,
            "sources": [source_line(s) for s in SOURCES if s.id in cited], "documents": documents_of(lines),
            "parser_name": "curator", "parser_version": "1",
            "review": ReviewPolicy(seed=3, floors=(RiskFloor(domain="school-health", risk="medium"),)),
            "waivers": [Waiver(gap="domain=emission", reason="one | so far", by="lead-1", at="2025-12-30T10:00:00Z")],
            "stale": [StaleCase(id="emission-4e4rwp", document_id="emission")],
            "tombstones": [
                Tombstone(id="emission-x9d2zc", retired_at="2025-12-01", reason="repealed",
                          successor="emission-3v8d0n"),
                Tombstone(id="emission-q1w2e3", retired_at="2025-12-02", reason="SECRET-REASON", hidden=True),
            ],
            "reviewers": ["lead-1", "expert-2", "expert-1", "lead-1"], "double_labeled": 6,
            "agreement": [FieldAgreement(field="risk", cases=6, equal=5)],
            "changes": [
                CaseChange(id="emission-3v8d0n", what="changed", level="major", fields=("turns", "risk")),
                CaseChange(id="school-health-p5x1he", what="changed", level="major", fields=("referenceAnswer",)),
                CaseChange(id="emission-q1w2e3", what="retired", level="major"),
                CaseChange(id="emission-x9d2zc", what="retired", level="major"),
                CaseChange(id="emission-4e4rwp", what="removed", level="minor"),
                CaseChange(id="case-5tq0rz", what="added", level="minor"),
            ],
            "partitions": PartitionFacts(level="top section", seed=7, holdout=0.25),
            "reference": Reference(median=8, origin="production-lengths.csv", as_of="2025-06-30"),
            "notes": ["Made for the tests."], "build": {"python": "3.11"},
        }  # fmt: skip
        return ReleaseInput(**(values | changed))

    return made


@pytest.fixture
def rendered(make: Callable[..., ReleaseInput]) -> Rendered:
    """The whole release."""
    return render(make())
