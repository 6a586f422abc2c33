"""Suggested evidence: all turns are asked, nothing is evidence by itself, and every decision is recorded and undone."""

from __future__ import annotations

from typing import Any

import pytest

from curator.domain.case import Case
from curator.domain.suggestion import Decided
from curator.errors import InputError, UsageError
from curator.matching import embedding
from curator.services import blind, cases, suggestions, undo
from curator.services.context import Context
from curator.services.renaming import rename
from curator.services.suggestions import Suggested, decide, suggest, suggest_for
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SIBLING, Desk

BOTH = "What does a late report cost, and where is the appeal lodged?"


def ids(found: Suggested) -> list[str]:
    return [s.source_id for s in found.suggestions]


def by_words(ctx: Context, case: Case, **how: Any) -> Suggested:
    return suggest(ctx, case, semantic=False, **how)


def told(ctx: Context, name: str) -> list[tuple[str, str, str, str]]:
    """Verb, source, before and after of what stands in the history about suggestions."""
    return [
        (e["verb"], e["data"]["suggestion"]["sourceId"], e["data"]["before"], e["data"]["after"])
        for e in cases.history(ctx, name)
        if e["entity"] == "suggestion"
    ]


def test_a_suggestion_says_where_it_stands_and_how_it_was_found(desk: Desk) -> None:
    found = by_words(desk.ada, Case(turns=("For how many days is a pupil with measles away?",)))
    first = found.suggestions[0]
    assert (first.source_id, first.kind, first.key) == (MEASLES, "row", "measles")
    assert (first.document_id, first.page, first.role) == ("regulation", 2, "")
    assert first.title
    assert first.section_path
    assert (first.proposal.method, first.proposal.rank) == ("words", 1)
    assert first.proposal.score > 0
    assert [s.proposal.rank for s in found.suggestions] == list(range(1, len(found.suggestions) + 1))


def test_all_turns_are_asked(desk: Desk) -> None:
    follow_up = "And how many days for that one?"
    assert ids(by_words(desk.ada, Case(turns=(follow_up,))))[0] != MUMPS
    assert ids(by_words(desk.ada, Case(turns=("A pupil has mumps.", follow_up))))[0] == MUMPS


def test_what_is_evidence_is_shown_as_marked_under_any_name_and_nothing_else_is(desk: Desk) -> None:
    record = desk.case("What does a late report cost?")
    rename(desk.ada, ARTICLE, "regulation:penalties")
    found = suggest_for(desk.ada, record.case.id, semantic=False)
    roles = {s.source_id: s.role for s in found.suggestions}
    assert roles.pop("regulation:penalties") == "required"
    assert set(roles.values()) == {""}
    assert found.renamed == {ARTICLE: "regulation:penalties"}
    assert cases.get(desk.ada, record.case.id) == record


def test_accepted_and_rejected_are_recorded_as_suggestion_then_decision(desk: Desk) -> None:
    name = desk.case(BOTH, source="").case.id
    shown = {s.source_id: s.proposal for s in suggest_for(desk.ada, name, semantic=False).suggestions}
    record = decide(desk.ada, name, accepted={ARTICLE: "supporting"}, rejected=[SIBLING], semantic=False)
    assert [(e.source_id, e.role) for e in record.case.evidence] == [(ARTICLE, "supporting")]
    assert told(desk.ada, name) == [
        ("suggestion accepted", ARTICLE, "", "supporting"),
        ("suggestion rejected", SIBLING, "", "rejected"),
    ]
    last = cases.history(desk.ada, name)[-1]["data"]["suggestion"]
    assert last == shown[SIBLING].model_dump(mode="json", by_alias=True)
    assert SIBLING not in ids(suggest_for(desk.ada, name, semantic=False))
    assert suggest_for(desk.ada, name, semantic=False).rejected == 1
    other = desk.case("Where is the appeal lodged?", source="")
    assert SIBLING in ids(suggest_for(desk.ada, other.case.id, semantic=False))


def test_a_rejected_one_stays_away_under_its_next_name(desk: Desk) -> None:
    name = desk.case("Where is the appeal lodged?", source="").case.id
    decide(desk.ada, name, accepted={}, rejected=[SIBLING], semantic=False)
    rename(desk.ada, SIBLING, "regulation:appeals")
    assert "regulation:appeals" not in ids(suggest_for(desk.ada, name, semantic=False))


def test_one_undo_takes_back_the_save_and_what_was_decided_with_it(desk: Desk) -> None:
    name = desk.case(BOTH, source="").case.id
    decide(desk.ada, name, accepted={ARTICLE: "required"}, rejected=[SIBLING], semantic=False)
    undone = undo.undo(desk.ada)
    assert undone is not None
    assert undone.case_ids == (name,)
    assert cases.get(desk.ada, name).case.evidence == ()
    assert SIBLING in ids(suggest_for(desk.ada, name, semantic=False))
    undo.redo(desk.ada)
    assert cases.get(desk.ada, name).case.expected_source_ids == (ARTICLE,)
    assert SIBLING not in ids(suggest_for(desk.ada, name, semantic=False))
    assert [t[0] for t in told(desk.ada, name)][2:] == ["undone", "undone", "redone", "redone"]


def test_a_rejection_alone_changes_no_case_and_is_undone_alone(desk: Desk) -> None:
    before = desk.approved(BOTH)
    record = decide(desk.ada, before.case.id, accepted={}, rejected=[SIBLING], semantic=False)
    assert record == before
    undone = undo.undo(desk.ada)
    assert undone is not None
    assert (undone.verb, undone.record, undone.names) == ("suggestion rejected", None, (before.case.id,))
    assert SIBLING in ids(suggest_for(desk.ada, before.case.id, semantic=False))
    assert cases.get(desk.ada, before.case.id) == before


def test_evidence_that_was_rejected_is_taken_away_and_may_come_back(desk: Desk) -> None:
    name = desk.case("What does a late report cost?").case.id
    assert decide(desk.ada, name, accepted={}, rejected=[ARTICLE], semantic=False).case.evidence == ()
    record = cases.get(desk.ada, name)
    marked = cases.with_evidence(desk.ada, record.case, ARTICLE)
    cases.save(desk.ada, marked, record.version)  # a person has changed their mind, and marked it in the reader
    assert {s.source_id: s.role for s in suggest_for(desk.ada, name, semantic=False).suggestions}[ARTICLE] == "required"


def test_taken_up_but_no_evidence_in_the_end_is_no_decision(desk: Desk) -> None:
    case = Case(turns=("What does a late report cost?",))
    proposal = by_words(desk.ada, case).suggestions[0].proposal
    record = cases.new(desk.ada, case, decided=[Decided(proposal=proposal)])
    assert told(desk.ada, record.case.id) == []


def test_the_same_role_again_is_no_decision_another_role_is(desk: Desk) -> None:
    name = desk.case("What does a late report cost?").case.id
    decide(desk.ada, name, accepted={ARTICLE: "required"}, semantic=False)
    assert told(desk.ada, name) == []
    decide(desk.ada, name, accepted={ARTICLE: "distractor"}, semantic=False)
    assert told(desk.ada, name) == [("suggestion accepted", ARTICLE, "required", "distractor")]


def test_what_is_not_suggested_cannot_be_decided_about(desk: Desk) -> None:
    record = desk.case("What does a late report cost?", source="")
    with pytest.raises(InputError, match="not suggested"):
        decide(desk.ada, record.case.id, accepted={"regulation:nosuch": "required"}, semantic=False)
    assert cases.get(desk.ada, record.case.id) == record


def test_who_labels_blind_is_told_nothing_of_what_was_decided(desk: Desk) -> None:
    name = desk.case(BOTH, source="", risk="high").case.id
    decide(desk.ada, name, accepted={ARTICLE: "required"}, rejected=[SIBLING], semantic=False)
    cases.require_submitted(cases.submit(desk.ada, [name]))
    assert told(desk.ada, name)
    found = suggest_for(desk.ben, name, semantic=False)
    assert {ARTICLE, SIBLING} <= set(ids(found))
    assert found.rejected == 0
    assert {s.role for s in found.suggestions} == {""}
    history = [e for e in blind.history(desk.ben, name) if e["entity"] == "suggestion"]
    assert [e["data"] for e in history] == [{}, {}]
    with pytest.raises(UsageError, match="hidden from you"):
        decide(desk.ben, name, accepted={}, rejected=[ARTICLE], semantic=False)


def test_without_a_question_nothing_is_suggested_and_it_is_said(desk: Desk) -> None:
    found = by_words(desk.ada, Case())
    assert found.suggestions == ()
    assert found.note


def test_without_the_extra_it_says_why_and_works(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MODEL_PACKAGE", "no_such_package")
    found = suggest(desk.ada, Case(turns=("What does a late report cost?",)))
    assert found.suggestions
    assert found.semantic.startswith("off (")
    assert {s.proposal.method for s in found.suggestions} == {"words"}


@pytest.mark.skipif(not embedding.available(), reason="the semantic extra is not installed")
def test_with_the_extra_meaning_is_told_beside_the_words(desk: Desk, capfd: pytest.CaptureFixture[str]) -> None:
    found = suggestions.suggest(desk.ada, Case(turns=("What does a late report cost?",)), semantic=True)
    assert {s.proposal.method for s in found.suggestions} == {"words and meaning"}
    assert found.suggestions[0].proposal.meaning > 0
    assert found.suggestions[0].proposal.score > 0
    assert capfd.readouterr() == ("", "")
