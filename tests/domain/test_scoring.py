"""What becomes of one case: behavior, provisions, evidence, and the stage at which it failed."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from benchmarks.behaviors import LABELS, counts, labeled
from curator.domain.alignment import Alignment, Alternative, Placement
from curator.domain.answers import Answer, Retrieved, TurnAnswer, question_key
from curator.domain.behaving import LANGUAGES, shown
from curator.domain.expecting import Entry, Expectation, Group, Provision, Turn
from curator.domain.scoring import Rules, score

ROW = Entry("guide.table-4:measles", "Measles | 4 days", ("Measles", "4 days"), ("Disease", "Exclusion"), "Table 4")
RULES = Rules(k=3, containers=frozenset({"guide", "guide.table-4"}), routes=frozenset({"lookup", "refuse"}))


def case(**changes: Any) -> Expectation:
    made = Expectation(
        id="school-health-7k2m9q", hidden=False, behavior="answer", language="en", risk="high", route="lookup",
        strata=("base", "health", "early", "lookup", "en", "high", "answer", "single", "guideline", "question", "easy"),
        pages=40, weight=1.0, groups=(Group("g1", (ROW,)),), supporting=frozenset({"guide:4.1"}),
        provisions=(Provision("p1", "Four days", True, ("4 days",)), Provision("p2", "Tell", False, ("parents",))),
        must_not_claim=("5 days",), references=("Four days after the rash.",), escalate_to="", turns=(),
        asked=question_key(("How long?",)),
    )  # fmt: skip
    return dataclasses.replace(made, **changes)


def answer(text: str = "4 days after the rash.", *ids: str, **changes: Any) -> Answer:
    found = tuple(Retrieved(name, "", n) for n, name in enumerate(ids or (ROW.source_id,), 1))
    return dataclasses.replace(Answer(case_id="x", answer=text, behavior="answer", retrieved=found), **changes)


def test_a_right_answer_from_its_evidence_passes() -> None:
    made = score(case(), answer(citations=("guide.table-4:measles", "guide:9")), RULES)
    assert (made.passed, made.retrieved, made.carried, made.short, made.stage) == (True, True, ("p1",), ("p2",), "none")
    assert made.cited == (0.5, 1.0)


@pytest.mark.parametrize(
    ("made", "stage", "why"),
    [
        (answer("4 days.", "guide:1", "guide:2"), "retrieval", "g1 was not retrieved"),
        (answer("4 days.", *"abc", ROW.source_id), "ranking", "g1 came at rank 4, beyond 3"),
        (answer("4 days.", "guide:1", route="refuse"), "routing", "went another route"),
        (answer("It is 5 days."), "generation", "claims mustNotClaim 1"),
        (answer("Two weeks."), "generation", "lacks p1"),
        (answer("4 days.", stage="parsing"), "parsing", "parsing failed"),
        (answer("I will not say.", behavior="refuse"), "generation", "refuse instead of answer"),
    ],
)
def test_a_fault_has_a_stage_and_a_reason(made: Answer, stage: str, why: str) -> None:
    found = score(case(), made, RULES)
    assert found.failed
    assert found.stage == stage
    assert why in found.why


def test_a_harness_error_is_no_answer() -> None:
    found = score(case(), answer("", stage="harness"), RULES)
    assert (found.stage, found.passed, found.groups) == ("harness", False, ())


def test_a_row_is_known_by_its_text_and_torn_without_its_header() -> None:
    def retrieved(text: str) -> Answer:
        return answer("4 days.", retrieved=(Retrieved("chunk-1", text, 1),))

    whole = score(case(), retrieved("Table 4\nDisease: Measles; Exclusion: 4  days"), RULES)
    torn = score(case(), retrieved("Measles 4 days"), RULES)
    other = score(case(), retrieved("Disease: Mumps; Exclusion: 5 days"), RULES)
    assert (whole.retrieved, torn.retrieved, other.retrieved) == (True, False, False)
    assert (torn.stage, other.stage) == ("chunking", "retrieval")


def test_the_map_says_what_no_retrieval_could_find() -> None:
    def aligned(*alternatives: Alternative, found: str = "whole") -> Rules:
        place = Placement(
            source_id=ROW.source_id, quote=ROW.quote, kind="row", document_id="guide", page=1, found=found,  # type: ignore[arg-type]
            alternatives=alternatives,
        )  # fmt: skip
        return RULES._replace(alignment=Alignment("s", "1.0.0", "", [place]))

    whole = Alternative(chunks=("c1",), how="exact", score=100)
    torn = Alternative(chunks=("c1",), how="exact", score=100, lost=("header",))
    assert score(case(), answer("4 days.", "c9", "c1"), aligned(whole)).retrieved
    assert score(case(), answer("4 days.", "c1"), aligned(torn, found="torn")).stage == "chunking"
    assert score(case(), answer("4 days.", "c9"), aligned(torn, found="torn")).stage == "chunking"
    assert score(case(), answer("4 days.", "c9"), aligned(found="missing")).stage == "parsing"


def test_a_follow_up_that_lost_the_thread() -> None:
    asked = case(turns=(Turn(1, "answer", ("guide:1",)),))
    earlier = (TurnAnswer(1, "Yes.", "answer", (Retrieved("guide:1", "", 1),)),)
    assert score(asked, answer("4 days.", "guide:7", turns=earlier), RULES).stage == "conversation"
    lost = (TurnAnswer(1, "Yes.", "answer", (Retrieved("guide:3", "", 1),)),)
    assert score(asked, answer("4 days.", "guide:7", turns=lost), RULES).stage == "retrieval"


REFUSAL = {"behavior": "refuse", "groups": (), "provisions": (), "references": ()}


@pytest.mark.parametrize(
    ("text", "behavior", "seen", "passed"),
    [
        ("The sources do not say anything about it.", "", "refuse", True),
        ("It is four weeks.", "", "unknown", False),
        ("It is 5 days.", "", "answer", False),
        ("I am not sure, perhaps a week.", "", "hedged", False),
        ("I cannot advise, but usually it is 7 days.", "", "hedged", False),
        ("I'm sorry, but I cannot find this in the Guideline 2026.", "", "refuse", True),
        ("The sources do not say it. For reference, it is 7 days.", "", "hedged", False),
        ("It is four weeks.", "refuse", "refuse", True),
        ("The sources do not say anything about it.", "answer", "answer", False),
        ("The sources do not say it, so it is 5 days.", "", "hedged", False),
        ("I can't give 0.5 mg; give 0.3 mg.", "", "hedged", False),
        ("I cannot give medical advice. The dose is 0.3 mg. Please ask the nurse.", "", "escalate", False),
        ("I cannot give legal advice. However, you may terminate without notice.", "", "hedged", False),
        ("The limit is 5 days. I cannot say more.", "", "hedged", False),
        ('"I cannot answer that" is what the clerk has to say.', "", "unknown", False),
        ("The school cannot disclose records to third parties.", "", "unknown", False),
        ("Die Unterlagen sagen dazu nichts. In der Regel zahlt der Arbeitgeber.", "", "hedged", False),
        ("文档中没有提到。一般来说由公司支付。", "", "hedged", False),
        (
            "I can't tell from the three documents. They cover grades 1 to 6 only. Ask HR (tel. 030 1234).",
            "",
            "refuse",
            True,
        ),
        ("The passages mention a fee of 20 EUR, but they do not say anything about adults.", "", "refuse", True),
        ("I cannot give a dose of 0.3 mg to adults: the guideline of 2026 does not cover them.", "", "refuse", True),
        ("", "", "unknown", False),
    ],
)
def test_what_counts_as_a_refusal(text: str, behavior: str, seen: str, passed: bool) -> None:
    found = score(case(**REFUSAL), answer(text, behavior=behavior), RULES)
    assert (found.shown, found.passed) == (seen, passed)


def test_an_escalation_names_whom() -> None:
    asked = case(behavior="escalate", escalate_to="emergency services (112)", groups=(), provisions=(), references=())
    told = score(asked, answer("Call 112 now.", behavior=""), RULES)
    silent = score(asked, answer("Wait and see.", behavior=""), RULES)
    assert (told.shown, told.named, told.passed) == ("escalate", True, True)
    assert (silent.shown, silent.named, silent.passed) == ("unknown", False, False)


def test_without_provisions_an_answer_is_held_against_its_reference() -> None:
    asked = case(provisions=(), must_not_claim=())
    assert score(asked, answer("Four days after onset of the rash.", behavior=""), RULES).passed
    assert not score(asked, answer("Nine days after the rash.", behavior=""), RULES).passed
    assert not score(case(provisions=(), references=()), answer("4 days."), RULES).passed


def test_of_a_hidden_case_no_source_is_named() -> None:
    found = score(case(hidden=True), answer("It is 5 days.", "guide:1"), RULES)
    assert found.why == ("evidence was not retrieved", "lacks p1", "claims mustNotClaim 1")


def test_patterns_of_behavior_are_right_on_the_labeled_list() -> None:
    rows = labeled()
    seen = counts(rows)
    assert {r.language for r in rows} == set(LANGUAGES)
    for language in LANGUAGES:
        for label in LABELS:
            called = sum(n for k, n in seen.items() if k[0] == language and k[2] == label)
            right = seen[language, label, label]
            assert right / called >= 0.9, (language, label)
            assert right >= 0.75 * sum(r.language == language and r.label == label for r in rows), (language, label)


def test_what_an_answer_does_is_seen_whatever_the_question_was_asked_in() -> None:
    other = dict(zip(LANGUAGES, (*LANGUAGES[1:], LANGUAGES[0]), strict=True))
    assert [r.answer for r in labeled() if shown(r.answer, other[r.language]) != shown(r.answer, r.language)] == []
    assert shown("Dazu liegen mir keine Angaben vor.", "sv") == {"refuse"}
