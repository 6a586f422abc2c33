"""The canonical form: one byte string for one value."""

from __future__ import annotations

import importlib.util
import json
import unicodedata
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given

from curator.domain.canonical import (
    HASHED,
    canary,
    case_hash,
    content_hash,
    dumps,
    file_bytes,
    policy_hash,
    question_hash,
    row_quote,
    row_text,
)
from curator.domain.case import Case
from curator.exporting.line import draft_line
from tests.domain.strategies import valid_cases

PUBLISHED = Path(__file__).resolve().parents[2].parent / "shared" / "evaluators" / "_canonical"
BASE: dict[str, Any] = {
    "id": "emission-3v8d0n",
    "turns": ["What does a late café report cost?", "And twice?"],
    "referenceAnswer": "Up to $10M.",
    "acceptableAnswers": ["$10M"],
    "mustNotClaim": ["nothing"],
    "asOf": "2025-03-01",
    "requiredBehaviors": ["cites"],
    "evidence": [
        {
            "sourceId": "reg:article-7",
            "group": "g",
            "quote": "Penalties up to $10M",
            "tableTitle": "T",
            "tableHeader": ["a"],
            "page": 9,
            "documentVersion": "1",
            "documentSha256": "a" * 64,
        }
    ],
    "keyProvisions": [
        {
            "id": "p1",
            "text": "Article 7",
            "citation": "Article 7, p. 9",
            "sourceId": "reg:article-7",
            "page": 9,
            "accept": ["$10M"],
        }
    ],
    "turnExpectations": [{"turn": 1}],
    "notes": "n",
    "tags": ["t"],
    "domain": "emission",
}
CHANGES: dict[str, Any] = {
    "task": "summary",
    "turns": ["Other?"],
    "expectedBehavior": "escalate",
    "referenceAnswer": "x",
    "acceptableAnswers": [],
    "mustNotClaim": [],
    "asOf": "2025-03-02",
    "requiredBehaviors": [],
    "refusalReason": "unsafe",
    "escalateTo": "x",
    "escalateWhen": "x",
    "turnExpectations": [],
    "risk": "high",
}
NESTED = [
    ("evidence", {"sourceId": "reg:article-8"}),
    ("evidence", {"role": "supporting"}),
    ("evidence", {"group": "h"}),
    ("evidence", {"quote": "x"}),
    ("evidence", {"tableTitle": "x"}),
    ("evidence", {"tableHeader": ["b"]}),
    ("keyProvisions", {"id": "p2"}),
    ("keyProvisions", {"text": "x"}),
    ("keyProvisions", {"citation": "x"}),
    ("keyProvisions", {"sourceId": ""}),
    ("keyProvisions", {"mandatory": True}),
    ("keyProvisions", {"accept": ["x"]}),
]
UNHASHED: list[tuple[str, Any]] = [
    ("notes", "x"),
    ("tags", []),
    ("domain", "x"),
    ("route", "x"),
    ("difficulty", "hard"),
    ("language", "en"),
    ("consequence", "x"),
    ("evidence", {"page": 10}),
    ("evidence", {"documentVersion": "2"}),
    ("evidence", {"documentSha256": "b" * 64}),
    ("evidence", {"pageLabel": "x"}),
    ("keyProvisions", {"page": 1}),
    ("documents", [{"documentId": "x", "pages": 4}]),
]


def changed(field: str, value: Any) -> Case:
    body = dict(BASE)
    body[field] = [{**BASE[field][0], **value}] if isinstance(value, dict) else value
    return Case.model_validate(body)


@pytest.mark.parametrize(("field", "value"), [*CHANGES.items(), *NESTED])
def test_the_content_hash_covers_what_is_expected(field: str, value: Any) -> None:
    assert case_hash(changed(field, value)) != case_hash(Case.model_validate(BASE))


def test_every_hashed_field_is_tried() -> None:
    assert {*CHANGES, "evidence", "keyProvisions", "expectedSourceIds"} == set(HASHED)


@pytest.mark.parametrize(("field", "value"), UNHASHED)
def test_the_content_hash_never_covers_places_and_files(field: str, value: Any) -> None:
    assert case_hash(changed(field, value)) == case_hash(Case.model_validate(BASE))


def test_labels_speak_of_the_question_alone() -> None:
    base = question_hash(Case.model_validate(BASE))
    for field, value in (("task", "summary"), ("turns", ["x"]), ("asker", "x"), ("asOf", "2025-01-01")):
        assert question_hash(changed(field, value)) != base
    assert question_hash(changed("referenceAnswer", "x")) == base


def in_form(form: Any, value: Any) -> Any:
    if isinstance(value, str):
        return unicodedata.normalize(form, value)
    if isinstance(value, list):
        return [in_form(form, v) for v in value]
    return (
        {k: v if k in ("quote", "tableCells") else in_form(form, v) for k, v in value.items()}
        if isinstance(value, dict)
        else value
    )


def test_composed_and_decomposed_text_hash_alike_but_for_quotes() -> None:
    composed, decomposed = (Case.model_validate(in_form(form, BASE)) for form in ("NFC", "NFD"))
    assert composed != decomposed
    assert case_hash(composed) == case_hash(decomposed)
    quotes = [case_hash(changed("evidence", {"quote": q})) for q in ("caf\u00e9", "cafe\u0301")]
    assert quotes[0] != quotes[1]


@given(valid_cases())
def test_the_hash_of_a_case_is_that_of_its_line(case: Case) -> None:
    line = draft_line(case)
    assert line["contentHash"] == content_hash(line)
    assert json.loads(dumps(line)) == line


def test_no_reader_splits_a_line_and_no_number_is_nan() -> None:
    text = dumps({"a": "x\u2028y\u2029z\x85\n"})
    assert text == '{"a":"x\\u2028y\\u2029z\\u0085\\n"}'
    assert len(text.splitlines()) == 1
    with pytest.raises(ValueError, match="not JSON compliant"):
        dumps({"a": float("nan")})


def test_a_file_is_sorted_ends_in_a_line_feed_and_has_no_byte_order_mark() -> None:
    assert file_bytes([{"id": "b"}, {"id": "a"}]) == b'{"id":"a"}\n{"id":"b"}\n'
    assert file_bytes([]) == b""


def test_a_policy_hash_ignores_its_own_entry_and_the_order_of_keys() -> None:
    assert policy_hash({"a": 1, "b": {"d": 1, "c": 2}, "sha256": "x"}) == policy_hash({"b": {"c": 2, "d": 1}, "a": 1})
    assert policy_hash({"a": 1}) != policy_hash({"a": 2})


def test_what_an_evaluator_is_sent_for_a_row() -> None:
    assert (
        row_text("Table 2", ["Annex", "Rash"], ["Disease", ""], ["Measles", "4 days", "x"])
        == "Table 2\nAnnex > Rash\nDisease: Measles; 4 days; x"
    )
    assert row_text("", [], ["a"], [""]) == ""
    assert row_quote(["Measles", "", "4"]) == "Measles |  | 4"


def test_the_canary_follows_from_the_name() -> None:
    assert canary("regulated") == canary("regulated") != canary("regulated-2")


def test_canary_and_hash_are_the_published_ones() -> None:
    if not PUBLISHED.is_dir():
        pytest.skip("../shared/evaluators/_canonical is not beside the repository")
    spec = importlib.util.spec_from_file_location("published_canonical", PUBLISHED / "canonical.py")
    assert spec
    assert spec.loader
    published = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(published)
    lines = [json.loads(text) for text in (PUBLISHED / "suite.jsonl").read_text("utf-8").splitlines()]
    assert lines
    for line in lines:
        assert content_hash(line) == line["contentHash"]
    manifest = json.loads(next(PUBLISHED.glob("example-export/*/*/manifest.json")).read_text("utf-8"))
    assert canary(manifest["suite"]) == manifest["canary"]
