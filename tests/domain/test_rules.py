"""What a case must and must not have: each rule reached, its field named, and nothing that a line would refuse."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from curator.domain import rules
from curator.domain.canonical import case_hash
from curator.domain.case import Case
from curator.domain.problem import Problem
from curator.domain.rules import problems, structure, third
from curator.exporting.line import draft_line, filled, line_problems
from tests.domain.strategies import valid_cases


def errors(case: Case) -> tuple[Problem, ...]:
    return tuple(p for p in structure(case) if p.severity == "error")


SOURCE = {"sourceId": "reg:article-7", "quote": "Penalties up to $10M", "page": 9}
DOCUMENT = {"documentId": "reg", "pages": 12}
ANSWER: dict[str, Any] = {
    "id": "emission-3v8d0n",
    "turns": ["What does a late report cost?"],
    "referenceAnswer": "Up to $10M.",
    "evidence": [SOURCE],
    "documents": [DOCUMENT],
    "domain": "emission",
    "risk": "low",
}
REFUSE: dict[str, Any] = {
    "turns": ["Who wins?"],
    "expectedBehavior": "refuse",
    "refusalReason": "out_of_scope",
    "documents": [DOCUMENT],
    "domain": "x",
    "risk": "low",
    "evidence": [SOURCE | {"role": "distractor"}],
}
ESCALATE: dict[str, Any] = {
    "turns": ["Alert red?"],
    "expectedBehavior": "escalate",
    "escalateTo": "duty officer",
    "escalateWhen": "level red",
    "documents": [DOCUMENT],
    "domain": "x",
    "risk": "low",
}
PROVISION = {
    "id": "p1",
    "text": "Article 7",
    "accept": ["$10M"],
    "mandatory": True,
    "sourceId": "reg:article-7",
    "page": 9,
}
SUMMARY: dict[str, Any] = {
    "task": "summary",
    "turns": ["Summarize it."],
    "referenceAnswer": "It caps.",
    "documents": [DOCUMENT],
    "domain": "x",
    "risk": "low",
    "keyProvisions": [{"id": f"p{n}", "text": "t", "page": p} for n, p in enumerate((1, 6, 12), 1)],
}
FOLLOW_UP = ANSWER | {"turns": ["Article 7?", "And then?"]}

GOOD = [
    ANSWER,
    REFUSE,
    ESCALATE,
    SUMMARY,
    FOLLOW_UP,
    ANSWER | {"turnExpectations": []},
    FOLLOW_UP | {"turnExpectations": [{"turn": 1, "expectedSourceIds": ["reg:article-7"]}]},
    ANSWER | {"keyProvisions": [PROVISION], "language": "pt-BR", "asOf": "2024-02-29"},
    REFUSE | {"evidence": []},
    ESCALATE | {"evidence": [SOURCE]},
    REFUSE | {"task": "summary"},
    SUMMARY | {"documents": [{"documentId": "leaflet", "pages": 2}]},
    SUMMARY | {"documents": [{"documentId": "unknown-length"}]},
]

# (a case, the code, the field)
BAD: list[tuple[dict[str, Any], str, str]] = [
    (ANSWER | {"turns": []}, "question-missing", "turns"),
    (ANSWER | {"turns": ["  "]}, "question-missing", "turns"),
    (FOLLOW_UP | {"turns": ["", "b"]}, "question-missing", "turns"),
    (SUMMARY | {"turns": ["a", "b"]}, "summary-with-follow-up", "turns"),
    (ANSWER | {"referenceAnswer": " "}, "reference-missing", "referenceAnswer"),
    (SUMMARY | {"referenceAnswer": ""}, "reference-missing", "referenceAnswer"),
    (ANSWER | {"evidence": []}, "evidence-missing", "evidence"),
    (ANSWER | {"evidence": [SOURCE | {"role": "supporting"}]}, "evidence-missing", "evidence"),
    (REFUSE | {"refusalReason": ""}, "refusal-reason-missing", "refusalReason"),
    (REFUSE | {"evidence": [SOURCE]}, "refusal-with-evidence", "evidence"),
    (ANSWER | {"risk": ""}, "risk-missing", "risk"),
    (ANSWER | {"refusalReason": "unsafe"}, "refusal-reason-idle", "refusalReason"),
    (ESCALATE | {"refusalReason": "unsafe"}, "refusal-reason-idle", "refusalReason"),
    (ESCALATE | {"escalateTo": " "}, "escalate-whom-missing", "escalateTo"),
    (ESCALATE | {"escalateWhen": ""}, "escalate-when-missing", "escalateWhen"),
    (ANSWER | {"escalateTo": "x"}, "escalation-idle", "escalateTo"),
    (REFUSE | {"escalateWhen": "x"}, "escalation-idle", "escalateTo"),
    (ANSWER | {"evidence": [SOURCE | {"sourceId": "Reg:Article 7"}]}, "source-id-bad", "evidence"),
    (ANSWER | {"evidence": [SOURCE | {"quote": " "}]}, "quote-missing", "evidence"),
    (ANSWER | {"evidence": [SOURCE | {"documentSha256": "abc"}]}, "sha256-bad", "evidence"),
    (ANSWER | {"evidence": [SOURCE | {"effectiveFrom": "2024-02-30"}]}, "date-bad", "evidence"),
    (ANSWER | {"evidence": [SOURCE | {"effectiveTo": "soon"}]}, "date-bad", "evidence"),
    (
        ANSWER | {"evidence": [SOURCE | {"effectiveFrom": "2025-01-01", "effectiveTo": "2024-01-01"}]},
        "dates-crossed",
        "evidence",
    ),
    (ANSWER | {"evidence": [SOURCE | {"page": -1}]}, "page-bad", "evidence"),
    (ANSWER | {"keyProvisions": [PROVISION | {"id": "x"}]}, "provision-id-bad", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION, PROVISION]}, "provision-id-bad", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"text": ""}]}, "provision-empty", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"accept": [" "]}]}, "accept-missing", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"accept": ["a", ""]}]}, "empty-entry", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"mandatory": False, "accept": [""]}]}, "empty-entry", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"sourceId": "reg:other"}]}, "provision-uncited", "keyProvisions"),
    (ANSWER | {"keyProvisions": [PROVISION | {"page": -1}]}, "page-bad", "keyProvisions"),
    (SUMMARY | {"keyProvisions": SUMMARY["keyProvisions"][:2]}, "summary-provisions", "keyProvisions"),
    (SUMMARY | {"documents": []}, "summary-document", "documents"),
    (
        SUMMARY | {"keyProvisions": [{"id": f"p{n}", "text": "t", "page": p} for n, p in ((1, 1), (2, 2), (3, 12))]},
        "summary-one-sided",
        "keyProvisions",
    ),
    (FOLLOW_UP | {"turnExpectations": [{"turn": 2}]}, "turn-bad", "turnExpectations"),
    (FOLLOW_UP | {"turnExpectations": [{"turn": 1}, {"turn": 1}]}, "turn-bad", "turnExpectations"),
    (ANSWER | {"turnExpectations": [{"turn": 0}]}, "turn-bad", "turnExpectations"),
    (
        FOLLOW_UP | {"turnExpectations": [{"turn": 1, "expectedSourceIds": ["reg:x"]}]},
        "turn-uncited",
        "turnExpectations",
    ),
    (
        FOLLOW_UP | {"turnExpectations": [{"turn": 1, "expectedSourceIds": ["reg:article-7"] * 2}]},
        "repeated-entry",
        "turnExpectations",
    ),
    (ANSWER | {"documents": [{"documentId": ""}]}, "empty-entry", "documents"),
    (ANSWER | {"documents": [DOCUMENT | {"documentSha256": "x"}]}, "sha256-bad", "documents"),
    (ANSWER | {"documents": [DOCUMENT | {"pages": -3}]}, "page-bad", "documents"),
    (ANSWER | {"id": "Emission 1"}, "case-id-bad", "id"),
    (ANSWER | {"id": "../../x-000000"}, "case-id-bad", "id"),
    (ANSWER | {"language": "english please"}, "language-bad", "language"),
    (ANSWER | {"asOf": "01.03.2025"}, "date-bad", "asOf"),
    (ANSWER | {"asOf": "２０２５-03-01"}, "date-bad", "asOf"),
    (ANSWER | {"acceptableAnswers": [""]}, "empty-entry", "acceptableAnswers"),
    (ANSWER | {"mustNotClaim": ["a", ""]}, "empty-entry", "mustNotClaim"),
    (ANSWER | {"tags": ["a", "a"]}, "repeated-entry", "tags"),
    (ANSWER | {"requiredBehaviors": ["a", "a"]}, "repeated-entry", "requiredBehaviors"),
    (ANSWER | {"attributes": [{"name": ""}]}, "empty-entry", "attributes"),
]
ADVICE = [
    (ANSWER | {"risk": "high"}, "consequence-missing", "consequence"),
    (ANSWER | {"documents": []}, "documents-missing", "documents"),
    (ANSWER | {"domain": ""}, "domain-missing", "domain"),
]


@pytest.mark.parametrize("body", GOOD)
def test_a_complete_case_has_no_problem(body: dict[str, Any]) -> None:
    assert problems(Case.model_validate(body)) == ()


@pytest.mark.parametrize(("body", "code", "field"), BAD)
def test_what_is_missing_or_out_of_place_is_named(body: dict[str, Any], code: str, field: str) -> None:
    found = errors(Case.model_validate(body))
    assert (code, field) in {(p.code, p.field) for p in found}
    assert all(p.hint and "\n" not in p.message for p in found)


@pytest.mark.parametrize(("body", "code", "field"), ADVICE)
def test_advice_does_not_stop_a_submission(body: dict[str, Any], code: str, field: str) -> None:
    case = Case.model_validate(body)
    assert [(p.code, p.field) for p in problems(case)] == [(code, field)]
    assert errors(case) == ()


def test_every_rule_is_reached_by_an_example() -> None:
    text = Path(rules.__file__).read_text("utf-8")
    said = set(re.findall(r'(?:_need|advise)\(\s*"([a-z0-9-]+)"', text)) | {
        "escalate-whom-missing",
        "escalate-when-missing",
    }
    assert said == {code for _, code, _ in (*BAD, *ADVICE)}


@given(valid_cases())
def test_a_case_without_errors_makes_a_line_without_problems(case: Case) -> None:
    case = filled(case)
    assert errors(case) == ()
    line = draft_line(case, suite="s", reference_median=8)
    assert line_problems(line) == []
    assert line["contentHash"] == case_hash(case)


@pytest.mark.parametrize(("body", "code", "field"), BAD)
def test_what_a_line_refuses_is_refused_before(body: dict[str, Any], code: str, field: str) -> None:
    """The other way round: every example that makes a bad line is stopped at submission."""
    case = filled(Case.model_validate({"id": "x-000000"} | body))
    if line_problems(draft_line(case)):
        assert errors(case)


@pytest.mark.parametrize(
    ("page", "pages", "expected"),
    [
        (1, 3, "early"),
        (2, 3, "middle"),
        (3, 3, "late"),
        (4, 12, "early"),
        (5, 12, "middle"),
        (8, 12, "middle"),
        (9, 12, "late"),
        (1, 1, "early"),
        (2, 2, "middle"),
        (13, 12, "late"),
        (0, 12, "none"),
        (3, 0, "none"),
    ],
)
def test_thirds_at_their_borders(page: int, pages: int, expected: str) -> None:
    assert third(page, pages) == expected
