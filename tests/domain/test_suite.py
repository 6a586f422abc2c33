"""What a change of each field is called, how a version follows, and when a quota is met: the table, line by line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.canonical import HASHED
from curator.domain.case import Case
from curator.domain.suite import (
    Quota,
    Selector,
    SuitePolicy,
    changes,
    dimension,
    gaps,
    line_change,
    next_version,
    version_key,
)
from curator.exporting.caseline import CASE_KEYS
from curator.exporting.line import draft_line
from tests.domain.strategies import valid_cases

BODY: dict[str, Any] = {
    "id": "emission-3v8d0n",
    "turns": ["What does it cost?"],
    "referenceAnswer": "Up to $10M.",
    "acceptableAnswers": ["$10M", "ten"],
    "mustNotClaim": ["nothing"],
    "requiredBehaviors": ["cites"],
    "domain": "emission",
    "risk": "low",
    "tags": ["t"],
    "language": "en",
    "documents": [{"documentId": "reg", "documentVersion": "1", "documentSha256": "a" * 64, "pages": 12}],
    "evidence": [
        {"sourceId": "reg:a-7", "group": "g", "quote": "q7", "page": 9},
        {"sourceId": "reg:a-8", "group": "g", "quote": "q8"},
        {"sourceId": "reg:a-1", "quote": "q1"},
        {"sourceId": "reg:a-2", "role": "supporting", "quote": "q2"},
        {"sourceId": "reg:a-3", "role": "distractor", "quote": "q3"},
    ],
    "keyProvisions": [
        {"id": "p1", "text": "must", "mandatory": True, "accept": ["x"], "page": 9},
        {"id": "p2", "text": "may"},
    ],
}


def line(**changed: Any) -> dict[str, Any]:
    return draft_line(Case.model_validate(BODY | changed), suite="s", reference_median=8)


def evidence(number: int | None = None, **changed: Any) -> dict[str, Any]:
    """The evidence with one entry changed, or with one more."""
    found = [dict(e) for e in BODY["evidence"]]
    if number is None:
        return {"evidence": [*found, changed]}
    found[number] |= changed
    return {"evidence": found}


def without(field: str, number: int) -> dict[str, Any]:
    return {field: [e for n, e in enumerate(BODY[field]) if n != number]}


def provisions(number: int | None = None, **changed: Any) -> dict[str, Any]:
    found = [dict(e) for e in BODY["keyProvisions"]]
    if number is None:
        return {"keyProvisions": [*found, changed]}
    found[number] |= changed
    return {"keyProvisions": found}


MAJOR = [
    {"turns": ["Another?"]},
    {"expectedBehavior": "escalate"},
    {"referenceAnswer": "x"},
    {"mustNotClaim": []},
    {"mustNotClaim": ["nothing", "x"]},
    {"asOf": "2025-01-01"},
    {"requiredBehaviors": []},
    {"refusalReason": "unsafe"},
    {"escalateTo": "x"},
    {"escalateWhen": "x"},
    {"risk": "high"},
    {"task": "summary"},
    {"turns": ["a", "b"], "turnExpectations": [{"turn": 1}]},
    evidence(0, quote="other"),
    evidence(0, role="supporting"),
    evidence(0, group="h"),
    evidence(0, tableTitle="T"),
    evidence(2, tableHeader=["h"]),
    evidence(sourceId="reg:a-9", quote="q"),
    evidence(sourceId="reg:a-9", group="g", quote="q"),
    without("evidence", 0),
    # evidence that is not required: what is not an addition is a change of the content hash
    evidence(3, quote="other"),
    evidence(3, role="distractor"),
    without("evidence", 3),
    without("evidence", 4),
    {"evidence": [BODY["evidence"][n] for n in (0, 1, 2, 4, 3)]},
    provisions(0, text="other"),
    provisions(0, mandatory=False),
    provisions(0, accept=["x", "y"]),
    without("keyProvisions", 0),
    provisions(1, text="other"),
    provisions(1, mandatory=True, accept=["x"]),
    without("keyProvisions", 1),
    provisions(id="p3", text="t", mandatory=True, accept=["x"]),
    {"acceptableAnswers": ["$10M"]},
    {"acceptableAnswers": ["ten", "$10M"]},
    {"acceptableAnswers": ["$10M", "10"]},
]
MINOR = [
    evidence(sourceId="reg:a-9", role="supporting", quote="q"),
    evidence(sourceId="reg:a-9", role="distractor", quote="q"),
    {"evidence": [{"sourceId": "reg:a-9", "role": "distractor", "quote": "q"}, *BODY["evidence"]]},
    provisions(id="p3", text="t"),
    {"acceptableAnswers": ["x", "$10M", "ten"]},
]
PATCH = [
    evidence(0, page=10),
    evidence(0, documentVersion="2"),
    evidence(0, documentSha256="b" * 64),
    evidence(0, pageLabel="ix"),
    evidence(0, footnotes=["x"]),
    provisions(0, page=10),
    {"tags": []},
    {"notes": "x"},
    {"domain": "x"},
    {"route": "x"},
    {"difficulty": "hard"},
    {"documentType": "x"},
    {"consequence": "x"},
    {"language": "ko"},
    {"asker": "x"},
    {"origin": "import"},
    {"failureStage": "parsing"},
    {"attributes": [{"name": "a", "value": "b"}]},
    {"documents": [{"documentId": "reg", "pages": 160}]},
]


@pytest.mark.parametrize(
    ("changed", "level"),
    [(c, level) for level, table in (("major", MAJOR), ("minor", MINOR), ("patch", PATCH)) for c in table],
)
def test_the_level_of_a_change(changed: dict[str, Any], level: str) -> None:
    found, fields = line_change(line(), line(**changed))
    assert found == level
    assert set(changed) & set(fields)


def test_partition_is_major_and_standing_is_nothing() -> None:
    assert line_change(line(), line() | {"partition": "holdout"}) == ("major", ("partition",))
    assert line_change(
        line(), line() | {"approvals": 3, "confirmedAt": "2026-01-01", "caseVersion": 9, "canary": "x"}
    ) == ("none", ())
    assert line_change(line(), line() | {"lengthStratum": "10x"})[0] == "patch"


@given(valid_cases(), valid_cases())
def test_a_change_of_the_content_hash_is_never_a_patch(one: Case, other: Case) -> None:
    old, new = draft_line(one), draft_line(other.model_copy(update={"id": one.id}))
    level, fields = line_change(old, new)
    if old["contentHash"] != new["contentHash"]:
        assert level in ("minor", "major")
    elif level != "none":
        assert level == "patch" or "partition" in fields
    assert line_change(old, old) == ("none", ())


def test_every_key_of_the_line_is_tried() -> None:
    tried = {k for table in (MAJOR, MINOR, PATCH) for c in table for k in c}
    derived = {
        "id",
        "partition",
        "lengthStratum",
        "sectionPosition",
        "expectedSourceIds",
        "caseVersion",
        "confirmedAt",
        "approvals",
        "canary",
        "contentHash",
    }
    assert tried | derived == set(CASE_KEYS)
    assert set(HASHED) - {"expectedSourceIds"} <= tried


def test_cases_that_come_leave_and_move() -> None:
    old = {i: line() | {"id": i} for i in ("a", "b", "c", "d", "e")}
    new = {"a": old["a"], "e": old["e"] | {"partition": "holdout"}, "f": line() | {"id": "f"}}
    found = changes(old, new, stale=["b"], retired=["c"])
    assert [(c.id, c.what, c.level) for c in found] == [
        ("b", "removed", "minor"),
        ("c", "retired", "major"),
        ("d", "removed", "major"),
        ("e", "moved", "major"),
        ("f", "added", "minor"),
    ]


@pytest.mark.parametrize(
    ("parent", "levels", "version"),
    [
        ("", [], "1.0.0"),
        ("", ["minor"], "1.0.0"),
        ("1.2.3", ["patch", "minor", "patch"], "1.3.0"),
        ("1.2.3", ["minor", "major"], "2.0.0"),
        ("1.2.9", ["patch"], "1.2.10"),
        ("0.9.0", ["minor"], "0.10.0"),
        ("1.0.0", [], "1.0.1"),
    ],
)
def test_the_next_version(parent: str, levels: list[Any], version: str) -> None:
    assert next_version(parent, levels) == version
    assert not parent or version_key(version) > version_key(parent)


def test_quotas_by_cell_and_by_share() -> None:
    lines = [line(), line(risk="high"), line(turns=["a", "b"]), line(expectedBehavior="refuse")]
    quotas = (
        Quota(minimum=4),
        Quota(minimum=5),
        Quota(where={"conversation": "follow-up"}, minimum=1),
        Quota(where={"expectedBehavior": "refuse"}, minimum=0.25, unit="share"),
        Quota(where={"expectedBehavior": "refuse"}, minimum=0.26, unit="share"),
        Quota(where={"domain": "emission", "lengthStratum": "10x"}, minimum=3),
    )
    found = gaps(quotas, lines)
    assert [g.words for g in found] == [
        "all cases: has 4, needs 5",
        "expectedBehavior=refuse: has 25.0%, needs 26.0%",
        "domain=emission × lengthStratum=10x: has 0, needs 3",
    ]
    assert [g.have for g in gaps((Quota(minimum=0.5, unit="share"),), [])] == [0]


@given(st.integers(1, 400), st.data())
def test_a_share_that_is_met_exactly_is_no_gap(total: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(0, total))
    lines = [{"risk": "high"}] * part + [{"risk": "low"}] * (total - part)
    quota = Quota(where={"risk": "high"}, minimum=part / total, unit="share")
    assert gaps((quota,), lines) == ()


def test_selectors_take_and_leave_out() -> None:
    of = SuitePolicy(
        name="s", include=Selector(domain=("emission", "x"), language=("en",)), exclude=Selector(tag=("draft",))
    )
    assert of.takes(line())
    assert not of.takes(line(domain="other"))
    assert not of.takes(line(language="ko"))
    assert not of.takes(line(tags=["t", "draft"]))
    assert SuitePolicy(name="all").takes(line())
    for name, value in (("document", "reg"), ("tag", "t"), ("risk", "low"), ("task", "question")):
        assert Selector.model_validate({name: [value]}).matches(line())
        assert not Selector.model_validate({name: ["other"]}).matches(line())


def test_dimensions() -> None:
    assert dimension(line(), "conversation") == "single"
    assert dimension(line(turns=["a", "b"]), "conversation") == "follow-up"
    assert dimension(line(), "risk") == "low"
