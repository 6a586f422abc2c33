"""The sample cases are whole lines, cite the documents as they are committed, and hold what the demo shows."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from curator.domain.case import Case
from curator.domain.rules import problems
from curator.exporting.line import line_problems
from curator.exporting.read import case_from_line

DATASETS = Path(__file__).parents[2] / "datasets"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATASETS / name).read_text(encoding="utf-8").splitlines()]


CASES = lines("cases.jsonl")


@pytest.mark.parametrize("line", CASES, ids=lambda line: line["id"])
def test_a_case_is_a_whole_line_and_could_be_submitted(line: dict[str, Any]) -> None:
    assert line_problems(line) == []
    case = case_from_line(line)
    assert isinstance(case, Case)
    assert problems(case) == ()


def test_the_cases_were_judged_against_the_committed_documents() -> None:
    kept = {p.stem: hashlib.sha256(p.read_bytes()).hexdigest() for p in (DATASETS / "documents").glob("*.pdf")}
    cited = {(d["documentId"], d["documentSha256"]) for line in CASES for d in line["documents"]}
    cited |= {(e["documentId"], e["documentSha256"]) for line in CASES for e in line["evidence"]}
    assert cited == set(kept.items()), "run python -m datasets.build_cases"


def test_no_answer_claims_what_must_not_be_claimed() -> None:
    for line in CASES:
        answers = [line["referenceAnswer"], *line["acceptableAnswers"]]
        assert not [c for c in line["mustNotClaim"] if any(c.casefold() in a.casefold() for a in answers)], line["id"]


def test_every_mandatory_provision_is_met_by_the_reference_answer() -> None:
    for line in CASES:
        answer = line["referenceAnswer"].casefold()
        for provision in line["keyProvisions"]:
            assert any(a.casefold() in answer for a in provision["accept"]), (line["id"], provision["id"])


def test_the_cases_cover_what_the_demo_shows() -> None:
    assert {line["expectedBehavior"] for line in CASES} == {"answer", "refuse", "escalate"}
    assert {line["refusalReason"] for line in CASES} == {
        "", "not_in_sources", "out_of_scope", "unsafe", "ambiguous", "personal_data",
    }  # fmt: skip
    assert {line["risk"] for line in CASES} == {"low", "medium", "high", "critical"}
    assert sum(len(line["turns"]) > 1 for line in CASES) >= 6
    assert sum(line["language"] == "ko" for line in CASES) >= 4
    summaries = [line for line in CASES if line["task"] == "summary"]
    assert sorted(line["documents"][0]["pages"] for line in summaries) == [12, 25, 160]
    bands = Counter((line["domain"], line["lengthStratum"]) for line in CASES)
    assert bands["emission", "10x"] == 2, "the suite regulated misses one case, so that the gap can be seen"
    assert bands["school-health", "5x"] >= 10


def test_reviews_speak_of_the_cases_and_their_times_rise() -> None:
    reviews = lines("reviews.jsonl")
    assert {r["caseId"] for r in reviews} == {line["id"] for line in CASES}
    times = [r["at"] for r in reviews]
    assert times == sorted(set(times))
    author = "nurse-ada"
    assert not [r for r in reviews if r["slot"] in ("approval", "adjudication") and r["actor"] == author]
    slots = {line["id"]: sorted(r["slot"] for r in reviews if r["caseId"] == line["id"]) for line in CASES}
    for line in CASES:
        if line["risk"] in ("high", "critical"):
            assert slots[line["id"]][-2:] == ["label-1", "label-2"], line["id"]
