"""lint over a workspace: what each look finds, who may know it, and that the next run remembers without going blind."""

from __future__ import annotations

import json
from typing import Any

import pytest

from curator.domain.case import Case
from curator.errors import InputError
from curator.services import cases, checking, review
from curator.services.lint import Linted, lint
from curator.services.lint_memory import FILE
from tests.services.desk import ARTICLE, SETTINGS, Desk

SECRET = "Up to 77 million euro."  # a number that no source has


def codes(found: Linted, name: str) -> set[str]:
    return {f.code for f in found.findings if f.case_id == name}


def test_sound_cases_have_no_finding_and_retired_ones_are_left_out(desk: Desk) -> None:
    draft, approved = desk.case(risk="low"), desk.approved("What is due for a late report?", risk="low")
    found = lint(desk.ada)
    assert found.findings == ()
    assert set(found.checked) == {draft.case.id, approved.case.id}
    assert lint(desk.ada, [draft.case.id]).checked == (draft.case.id,)
    with pytest.raises(InputError, match="no case"):
        lint(desk.ada, ["rules-zzzzzz"])


def test_near_duplicates_and_those_that_contradict(desk: Desk) -> None:
    first = desk.case("What does a late report cost the company?", risk="low")
    again = desk.case("What does a late report cost the company ?", risk="low")
    other = desk.case("What does a late report cost the  companies?", referenceAnswer="25 million euro.", risk="low")
    found = lint(desk.ada)
    assert codes(found, again.case.id) >= {"near-duplicate"}
    assert codes(found, other.case.id) == {"near-duplicate-conflict"}
    assert "near-duplicate-conflict" in codes(found, first.case.id)
    assert lint(desk.ada, [other.case.id]).findings != ()  # one alone is compared with all
    wanted = again.case.model_copy(update={"tags": ("variant",)})
    cases.save(desk.ada, wanted, again.version)
    assert "near-duplicate" not in codes(lint(desk.ada), again.case.id)
    later = other.case.model_copy(update={"as_of": "2030-01-01"})
    cases.save(desk.ada, later, other.version)
    assert codes(lint(desk.ada), other.case.id) == set()  # another day may have another answer


def test_identifiers_of_persons_are_named_by_kind_and_never_told(desk: Desk) -> None:
    record = desk.case("May john.doe@example.com pay a late report?", risk="low")
    (finding,) = lint(desk.ada).findings
    assert (finding.case_id, finding.code, finding.field) == (record.case.id, "personal-data", "turns")
    assert "john" not in finding.message


def test_a_refusal_that_a_source_may_answer(desk: Desk) -> None:
    body: dict[str, Any] = {
        "expectedBehavior": "refuse", "refusalReason": "not_in_sources", "referenceAnswer": "", "risk": "low",
    }  # fmt: skip
    silent = desk.case("How do I feed a hamster?", source="", **body)
    loud = desk.case("At which office is an appeal lodged?", source="", **body)
    found = lint(desk.ada)
    assert codes(found, silent.case.id) == set()
    assert codes(found, loud.case.id) == {"refusal-answerable"}
    judged = cases.with_evidence(desk.ada, loud.case, "regulation:article-8", "distractor")
    cases.save(desk.ada, judged, loud.version)
    assert codes(lint(desk.ada), loud.case.id) == set()


def test_who_may_still_label_learns_nothing_of_the_labels(desk: Desk) -> None:
    """Whatever the case expects, a labeler is told one and the same; the author is told what is wrong."""
    sound = desk.submitted("What does a late report cost?", risk="high", consequence="A fine.")
    wrong = desk.submitted("How much is a false report?", risk="high", referenceAnswer=SECRET)
    told = lint(desk.ben)
    assert (told.findings, told.hidden) == ((), 2)
    assert {"value-unsupported", "consequence-missing"} <= codes(lint(desk.ada), wrong.case.id)
    assert codes(lint(desk.by("")), wrong.case.id) == set()  # nobody named could be anybody
    refused = wrong.case.model_copy(
        update={"expected_behavior": "refuse", "refusal_reason": "unsafe", "reference_answer": "", "evidence": ()}
    )
    cases.save(desk.ada, refused, wrong.version)
    cases.submit(desk.ada, [refused.id])
    assert lint(desk.ben).findings == told.findings
    for name in (sound.case.id, refused.id):
        review.approve(desk.ben, name, desk.label())
    assert lint(desk.ben).hidden == 0


def test_two_alike_do_not_tell_that_their_hidden_labels_differ(desk: Desk) -> None:
    desk.submitted("What does a late report cost the company?", risk="high", consequence="x")
    other = {"referenceAnswer": "25 million euro.", "risk": "high", "consequence": "x"}
    desk.submitted("What does a late report cost the company ?", **other)
    assert {f.code for f in lint(desk.ben).findings} == {"near-duplicate"}
    assert {f.code for f in lint(desk.ada).findings} == {"near-duplicate-conflict"}


def test_who_approves_alone_is_not_told_the_risk(desk: Desk) -> None:
    record = desk.submitted(risk="medium")
    assert lint(desk.ben).findings == ()
    assert lint(desk.ben).hidden == 0
    assert record.case.risk == "medium"


def test_of_a_holdout_case_no_text_is_told(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("holdout = 0.25", "holdout = 0.9"))
    record = desk.approved(referenceAnswer=SECRET, risk="low")
    assert record.side == "holdout"
    (finding,) = lint(desk.carla).findings
    assert (finding.case_id, finding.code, finding.field) == (record.case.id, "value-unsupported", "referenceAnswer")
    assert "77" not in json.dumps(finding.model_dump())


def test_severity_is_that_of_the_workspace(desk: Desk) -> None:
    record = desk.case(referenceAnswer=SECRET, risk="low")
    desk.write_settings(SETTINGS + '\n[checks]\nvalue-unsupported = "error"\n')
    assert lint(desk.ada).counts == {"error": 1, "warning": 0}
    assert [p.severity for p in checking.check(desk.ada, record.case)] == ["error"]
    desk.write_settings(SETTINGS + '\n[checks]\nvalue-unsupported = "off"\n')
    assert lint(desk.ada).findings == ()
    desk.write_settings(SETTINGS + '\n[checks]\nvalue-unsuported = "off"\n')
    with pytest.raises(InputError, match="no such check"):
        lint(desk.ada)


def test_the_next_run_finds_the_same_and_what_changed(desk: Desk) -> None:
    first = desk.case("What does a late report cost the company?", risk="low")
    bad = desk.case("How much is a false report?", referenceAnswer=SECRET, risk="low")
    for n in range(25):
        desk.case(f"Is rule number {n} of the report in force, and since when?", risk="low")
    fresh = lint(desk.ada)
    assert lint(desk.ada) == fresh
    text = (desk.root / ".curator" / FILE).read_text()
    assert "million" not in text
    assert "report" not in text  # ids and hashes, nothing that anybody wrote
    twin = desk.case("What does a late report cost the company ?", risk="low")
    spoiled = cases.save(desk.ada, first.case.model_copy(update={"reference_answer": SECRET}), first.version)
    found = lint(desk.ada)
    assert "value-unsupported" in codes(found, spoiled.case.id)
    assert codes(found, twin.case.id) & {"near-duplicate", "near-duplicate-conflict"}
    assert codes(found, bad.case.id) == {"value-unsupported"}
    (desk.root / ".curator" / FILE).write_text('{"version": 1, "state": 3}')
    assert lint(desk.ada) == found


def test_a_look_around_for_the_form(desk: Desk) -> None:
    twin = desk.case("What does a late report cost the company?", risk="low")
    typed = Case.model_validate({"turns": ["What does a late report cost the company ?"], "notes": "ask a@example.org"})
    found = checking.look_around(desk.ada, typed)
    assert {p.code for p in found} == {"near-duplicate", "personal-data"}
    assert any(twin.case.id in p.message for p in found)
    assert checking.look_around(desk.ada, Case()) == ()
    assert {p.code for p in checking.check(desk.ada, twin.case)} == set()
    assert ARTICLE in twin.case.expected_source_ids


def test_a_label_that_looks_like_one_in_use_is_said_in_lint_and_in_the_form(desk: Desk) -> None:
    for n in range(2):
        desk.case(f"What does late report number {n} cost?", risk="low", domain="rules", tags=["deadline"])
    odd = desk.case(
        "Who reads the reports?", risk="low", domain="rul\u0435s", tags=["Deadline", "readers"]
    )  # Cyrillic e
    assert [f.field for f in lint(desk.ada).findings if f.code == "label-alike"] == ["domain", "tags"]
    assert {f.case_id for f in lint(desk.ada).findings if f.code == "label-alike"} == {odd.case.id}
    new = odd.case.model_copy(update={"id": "", "domain": "RULES", "tags": ()})
    assert [p.message for p in checking.look_around(desk.ada, new) if p.code == "label-alike"] == [
        "'RULES' looks like 'rules'"
    ]
