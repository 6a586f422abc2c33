"""Releases on disk: the samples', and one in which every field of the line says something and every trap is set."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case, CaseRecord
from curator.exporting.line import case_line, source_line
from curator.exporting.release import ReleaseInput, Rendered, documents_of, render
from curator.services.targets import Exported, export
from tests.exporting.conftest import CASES, SOURCES, cite, judged, provision

ROOT = Path(__file__).parents[3]
SAMPLES = ROOT / "exports" / "school-health" / "1.0.0"
TRAPS = '=HYPERLINK("http://x") {{ env.HOME }} {% raw %} ||| |\u2028tab\tend'

MORE: tuple[tuple[str, dict[str, Any]], ...] = (
    ("dev", {
        "id": "school-health-0a0a0a", "turns": [TRAPS], "language": "en-GB", "expectedBehavior": "answer",
        "referenceAnswer": "+4 days, never five.", "acceptableAnswers": ["@four"], "mustNotClaim": ["five", "ten days"],
        "asOf": "2025-03-01", "asker": "nurse", "domain": "school-health", "documentType": "guideline", "risk": "high",
        "consequence": "outbreak", "difficulty": "hard", "route": "table-lookup", "documents": judged("guideline"),
        "evidence": [
            cite("guideline.exclusion:varicella", "supporting") | {"footnotes": ["[1] see Annex B"]},
            cite("guideline.exclusion:measles", "supporting"),
            cite("guideline.exclusion:mumps", group="any") | {"effectiveTo": "2027-01-01"},
            cite("guideline.exclusion:measles", group="any"),
        ],
        "keyProvisions": [
            provision("four days", 21, "guideline.exclusion:measles") | {"citation": "Table 2"},
            provision("optional", 22, "guideline.exclusion:mumps", mandatory=False),
        ],
        "requiredBehaviors": ["cites the table"], "tags": ["table", "trap"], "notes": "from a call",
        "failureStage": "retrieval", "origin": "production", "attributes": [{"name": "ticket", "value": "R-2"}],
    }),
    ("dev", {
        "id": "case-0b0b0b", "turns": ["file:///etc/hostname"], "referenceAnswer": "A file.", "language": "en",
        "evidence": [cite("emission:article-7")], "documents": judged("emission"),
    }),
    ("dev", {
        "id": "case-0c0c0c", "turns": ["file:///etc/hostname"], "referenceAnswer": "The same question.",
        "language": "en", "evidence": [cite("emission:article-8")], "documents": judged("emission"),
    }),
    ("dev", {
        "id": "case-0d0d0d", "turns": [f"Question {n}?" for n in range(1, 8)], "referenceAnswer": "Seven turns.",
        "language": "en", "evidence": [cite("emission:article-8"), cite("emission:article-7", "supporting")],
        "documents": judged("emission"), "domain": "emission",
        "turnExpectations": [
            {"turn": 1, "expectedBehavior": "answer", "referenceAnswer": "First.",
             "expectedSourceIds": ["emission:article-7"]},
            {"turn": 2, "expectedBehavior": "refuse"},
        ],
    }),
    ("dev", {
        "id": "emission-0e0e0e", "turns": ["First?", "Second?"], "referenceAnswer": "Both.", "language": "en",
        "evidence": [cite("emission:article-8")], "documents": judged("emission"), "domain": "emission",
        "turnExpectations": [{"turn": 1, "expectedBehavior": "refuse"}],
    }),
)  # fmt: skip
"""Cases beside those of the other export tests; with them every field of the line is filled somewhere."""


def write_release(folder: Path, rendered: Rendered) -> Path:
    """The files of a version in a folder."""
    folder.mkdir(parents=True)
    for name, data in rendered.files.items():
        (folder / name).write_bytes(data)
    return folder


@pytest.fixture
def every_line() -> list[dict[str, Any]]:
    """Lines of all the cases."""
    records = [
        CaseRecord(
            case=Case.model_validate({"risk": "low"} | values), status="approved", side=side, approvals=2,  # type: ignore[arg-type]
            confirmed_at="2025-11-03T09:30:00Z",
        )
        for side, values in (*CASES, *MORE)
    ]  # fmt: skip
    return [case_line(record, suite="regulated", reference_median=8) for record in records]


@pytest.fixture
def rich(make: Callable[..., ReleaseInput], every_line: list[dict[str, Any]], tmp_path: Path) -> Path:
    """A release with all sources in which every field of the line says something."""
    sources = [*(source_line(s) for s in SOURCES), chunk_nobody_cites()]
    data = make(lines=every_line, sources=sources, source_choice="all", documents=documents_of(every_line))
    return write_release(tmp_path / "regulated" / "2.0.0", render(data))


def chunk_nobody_cites() -> dict[str, Any]:
    """A source that makes a release one with all sources."""
    line = source_line(next(s for s in SOURCES if s.id == "emission:article-8"))
    return line | {"id": "emission:article-9", "text": "Nobody cites this."}


@pytest.fixture
def samples(tmp_path: Path) -> Path:
    """A copy of the release of the samples."""
    folder = tmp_path / "school-health" / "1.0.0"
    folder.mkdir(parents=True)
    for path in SAMPLES.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    return folder


@pytest.fixture
def everything(rich: Path) -> tuple[Path, Exported]:
    """The rich release, exported to all targets: the folder of targets, and what was said."""
    made = export(rich, ["all"])
    return rich.parent / "2.0.0.targets", made
