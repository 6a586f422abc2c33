"""What may not lie on two sides, however it is dressed up: hostile mixes of dev and holdout."""

from __future__ import annotations

import unicodedata

import pytest

from curator.domain.case import Case, CaseRecord
from curator.domain.partition import leaks
from curator.services.settling import described, partition_cases

ASKED = "How long must a pupil with varicella stay away from school after the rash appears?"
KOREAN = "수두에 걸린 학생은 발진이 나타난 뒤 학교에 며칠 동안 나오지 말아야 합니까?"
SAME = {
    "capitals": ASKED.upper(),
    "punctuation": f"“{ASKED}”  !!",
    "a letter": ASKED.replace("varicella", "varicela"),
    "wide letters": "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in ASKED),
    "no-break spaces": ASKED.replace(" ", "\u00a0"),
    "a space of no width": ASKED.replace("pupil", "pu\u200bpil"),
    "a letter of another script": ASKED.replace("a", "\u0430", 1),
    "a greeting": f"Hello there, {ASKED}",
    "please": f"Please tell me {ASKED[0].lower()}{ASKED[1:]}",
    "a quick question": f"Quick question: {ASKED[0].lower()}{ASKED[1:]} Thanks!",
    "a person": f"My daughter is [PERSON_1]. {ASKED}",
}
OTHER = {
    "another disease": ASKED.replace("varicella", "measles"),
    "a number": ASKED.replace("varicella", "varicella type 2"),
    "the contrary": ASKED.replace("must", "must not"),
    "another subject": "Who is told of a case of varicella, and when?",
}


def record(name: str, side: str, *turns: str, source: str = "") -> CaseRecord:
    evidence = [{"sourceId": source, "role": "required", "documentId": source.partition(":")[0]}] if source else []
    case = Case.model_validate({"id": f"{name}-000000", "turns": turns, "domain": "d", "evidence": evidence})
    return CaseRecord(case=case, status="approved", side=side)  # type: ignore[arg-type]


def keys(*records: CaseRecord) -> set[str]:
    return {tie.key.partition(":")[0] for tie in leaks(partition_cases(map(described, records)))}


@pytest.mark.parametrize("how", SAME)
def test_the_same_question_in_another_dress_is_a_leak(how: str) -> None:
    assert keys(record("a", "dev", ASKED), record("b", "holdout", SAME[how])) & {"near-duplicate", "conversation"}


@pytest.mark.parametrize("how", OTHER)
def test_another_question_is_none_however_alike(how: str) -> None:
    assert keys(record("a", "dev", ASKED), record("b", "holdout", OTHER[how])) == set()


def test_unicode_forms_of_a_korean_question_are_one() -> None:
    assert keys(record("a", "dev", KOREAN), record("b", "holdout", unicodedata.normalize("NFD", KOREAN)))


def test_a_row_is_shared_whatever_is_asked_of_it() -> None:
    pair = [
        record("a", "dev", ASKED, source="doc.t:row"),
        record("b", "holdout", "And who is told?", source="doc.t:row"),
    ]
    assert keys(*pair) == {"source"}


@pytest.mark.parametrize(
    "turns",
    [(ASKED, "And with mumps?"), (f"Hello, {ASKED}", "And with mumps?"), (ASKED.upper(), "Since when?", "By whom?")],
)
def test_a_follow_up_is_tied_to_the_question_it_begins_with(turns: tuple[str, ...]) -> None:
    assert keys(record("a", "dev", ASKED), record("b", "", *turns)) == set(), "no side, no leak"
    assert keys(record("a", "dev", ASKED), record("b", "holdout", *turns))
    assert keys(record("a", "holdout", ASKED, "Which letter?"), record("b", "dev", *turns))


def test_a_chain_of_ties_leaks_where_its_links_lie_on_two_sides() -> None:
    """Nearly the same wording, then a shared row: the ends have nothing in common."""
    chain = [record("a", "dev", ASKED), record("b", "dev", SAME["please"], source="doc.t:row"),
             record("c", "holdout", "And who is told?", source="doc.t:row")]  # fmt: skip
    assert keys(*chain) == {"source"}
    assert keys(chain[0], chain[2]) == set()
