"""What a change of each field is called, and how a version follows: the table, line by line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given

from curator.domain.canonical import HASHED
from curator.domain.case import Case
from curator.domain.changes import (
    CaseChange,
    Mark,
    beyond_wording,
    case_change,
    changes,
    field_changes,
    line_change,
    next_version,
    schema_level,
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


def told(found: tuple[CaseChange, ...]) -> list[tuple[str, str, str]]:
    return [(c.id, c.what, c.level) for c in found]


def test_cases_that_come_leave_and_move() -> None:
    old = {i: line() | {"id": i} for i in ("a", "b", "c", "d", "e")}
    new = {"a": old["a"], "e": old["e"] | {"partition": "holdout"}, "f": line() | {"id": "f"}, "g": line()}
    found = changes(
        old,
        new,
        stale={"b": "its evidence changed"},
        retired={"c": "repealed", "z": "had left before"},
        restored={"g": "in force again"},
        left={"d": "it is in review"},
    )
    assert told(found) == [
        ("b", "removed", "minor"),
        ("c", "retired", "major"),
        ("d", "removed", "major"),
        ("e", "moved", "major"),
        ("f", "added", "minor"),
        ("g", "restored", "major"),
        ("z", "retired", "major"),
    ]
    reasons = {c.id: c.reason for c in found if c.reason}
    assert (reasons["b"], reasons["d"], reasons["g"]) == ("its evidence changed", "it is in review", "in force again")


DETAILS: list[tuple[dict[str, Any], list[tuple[str, str, str, str]]]] = [
    (evidence(0, quote="other", page=10), [("evidence/reg:a-7/quote", "major", "q7", "other"),
                                           ("evidence/reg:a-7/page", "patch", "9", "10")]),
    (evidence(sourceId="reg:a-9", role="supporting", quote="q9"), [("evidence/reg:a-9", "minor", "", "q9")]),
    (without("keyProvisions", 1), [("keyProvisions/p2", "major", "may", "")]),
    ({"evidence": [BODY["evidence"][n] for n in (0, 1, 2, 4, 3)]},
     [("evidence", "major", "reg:a-7; reg:a-8; reg:a-1; reg:a-2; reg:a-3",
       "reg:a-7; reg:a-8; reg:a-1; reg:a-3; reg:a-2")]),
    ({"acceptableAnswers": ["$10M", "10", "ten"]}, [("acceptableAnswers/2", "minor", "", "10")]),
    ({"mustNotClaim": []}, [("mustNotClaim/1", "major", "nothing", "")]),
    ({"requiredBehaviors": ["quotes", "is brief"]}, [("requiredBehaviors/1", "major", "cites", "quotes"),
                                                     ("requiredBehaviors/2", "major", "", "is brief")]),
    (provisions(0, accept=["x", "y"]), [("keyProvisions/p1/accept", "major", "x", "x; y")]),
    ({"tags": ["t", "u"]}, [("tags/2", "patch", "", "u")]),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "wanted"), DETAILS)
def test_what_differs_is_told_where_it_lies(changed: dict[str, Any], wanted: list[tuple[str, str, str, str]]) -> None:
    found = field_changes(line(), line(**changed))
    fields = set(changed)
    assert [(c.path, c.level, c.before, c.after) for c in found if c.field in fields] == wanted
    assert all(c.why for c in found)


def test_of_a_case_in_the_holdout_nothing_is_told_but_its_fields() -> None:
    old = line()
    for hidden in (old | {"partition": "holdout"}, old):
        new = line(referenceAnswer="Secret.") | {"partition": "holdout"}
        change = case_change("a", hidden, new)
        assert change is not None
        assert "referenceAnswer" in change.fields
        assert "Secret" not in change.model_dump_json()
        assert case_change("a", new, old).details == ()  # type: ignore[union-attr]


def marked(old: dict[str, Any], new: dict[str, Any], by: str = "ben") -> Mark:
    return Mark(case_id="a", before=old["contentHash"], after=new["contentHash"], by=by, reason="a typing error")


def test_a_wording_that_a_second_person_marked_is_a_patch() -> None:
    one, two = line(referenceAnswer="Up to $10M, at most."), line(referenceAnswer="Up to $10M at most.")
    three = line(referenceAnswer="Up to $10M at most.", turns=["What does this cost?"])
    assert beyond_wording(one, three) == ()
    for marks, level, by in (
        ([], "major", ""),
        ([marked(one, two)], "patch", "ben"),
        ([marked(two, one)], "major", ""),
        ([marked(one, three)], "major", ""),
    ):
        change = case_change("a", one, two, marks=marks)
        assert change is not None
        assert (change.level, change.editorial) == (level, by)
    change = case_change("a", one, three, marks=[marked(two, three, "eva"), marked(one, two), marked(two, one)])
    assert change is not None
    assert (change.level, change.editorial, change.reason) == ("patch", "ben, eva", "a typing error")
    moved = case_change("a", one, two | {"partition": "holdout"}, marks=[marked(one, two)])
    assert moved is not None
    assert moved.level == "major"


@pytest.mark.parametrize(
    ("changed", "is_wording"),
    [
        ({"referenceAnswer": "Up to $10M!"}, True),
        ({"referenceAnswer": "Up to a fine of $10M."}, True),
        ({"referenceAnswer": "Up to $20M."}, False),
        ({"referenceAnswer": "Not up to $10M."}, False),
        ({"referenceAnswer": ""}, False),
        ({"turns": ["What would it cost?"]}, False),  # a modal
        ({"turns": ["What is its cost?"]}, True),
        ({"mustNotClaim": ["naught"]}, False),  # a negation
        ({"escalateTo": "x"}, False),
        ({"risk": "high"}, False),
        (evidence(0, role="supporting"), False),
        (evidence(1, quote="q8."), True),
        (provisions(1, text="may be"), True),
        (provisions(1, text="must"), False),
        (provisions(0, accept=["y"]), False),
    ],
)
def test_wording_is_no_number_no_negation_and_no_structure(changed: dict[str, Any], is_wording: bool) -> None:
    assert (beyond_wording(line(), line(**changed)) == ()) == is_wording


@pytest.mark.parametrize(
    ("before", "now", "level"),
    [
        ("urn:curator:case:1.0.0", "urn:curator:case:1.0.0", "none"),
        ("urn:curator:case:1.0.0", "urn:curator:case:1.1.0", "patch"),
        ("urn:curator:case:1.0.0", "urn:curator:case:2.0.0", "major"),
        ("urn:other:case:1.0.0", "urn:curator:case:1.0.0", "major"),
    ],
)
def test_a_schema_that_broke_is_major(before: str, now: str, level: str) -> None:
    assert schema_level(before, now) == level


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
