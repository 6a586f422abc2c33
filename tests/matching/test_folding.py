"""Which questions fold, which are asked about, and which stay apart."""

from __future__ import annotations

import pytest

from curator.matching.folding import FoldIndex, Wording, digest
from curator.matching.suggesting import by_words
from curator.matching.wording import guard, is_follow_up, wording

LONG = "How long must a child with chickenpox stay at home after the first blisters have appeared"


def folded(*questions: str) -> tuple[set[frozenset[str]], set[frozenset[str]]]:
    """Groups of questions that fold, and pairs that are asked about."""
    numbers: dict[bytes, int] = {}
    members: dict[int, list[str]] = {}
    texts: dict[int, str] = {}
    for question in questions:
        plain = wording(question)
        n = numbers.setdefault(digest(plain), len(numbers) + 1)
        members.setdefault(n, []).append(question)
        texts[n] = plain
    index = FoldIndex()
    index.learn(texts.values())
    groups: dict[int, list[str]] = {}
    asked = set()
    for v in index.add([Wording(n, t, len(members[n])) for n, t in texts.items()]):
        groups.setdefault(v.into, []).extend(members[v.number])
        if v.ask:
            asked.add(frozenset((texts[v.number], texts[v.ask])))
    return {frozenset(g) for g in groups.values() if len(g) > 1}, asked


@pytest.mark.parametrize(
    "other",
    [
        LONG.upper() + "?",
        "Hi, could you please tell me " + LONG[0].lower() + LONG[1:] + "? Thanks!",
        LONG.replace("blisters", "blsiters") + "?",
        LONG.replace("  ", " ").replace(" ", "  "),
        "My card is [CREDIT_CARD_1]. " + LONG + "?",
    ],
)
def test_the_same_question_folds(other: str) -> None:
    assert folded(LONG, other)[0] == {frozenset((LONG, other))}


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (
            "May a child come back 24 hours after the last fever?",
            "May a child come back 48 hours after the last fever?",
        ),
        ("Is a note needed after five days at home?", "Is a note needed after six days at home?"),
        ("May siblings attend when a child has lice?", "May siblings not attend when a child has lice?"),
        ("Can I collect my child before noon on Fridays?", "Can I collect my child after noon on Fridays?"),
        ("What does article 12 of the house rules say?", "What does article 21 of the house rules say?"),
        ("수두에 걸리면 등원할 수 있나요?", "수두에 걸리면 등원할 수 없나요?"),
        ("Who signs form A-17 for an outing?", "Who signs form A-71 for an outing?"),
    ],
)
def test_numbers_negation_and_opposites_keep_apart(one: str, other: str) -> None:
    groups, asked = folded(one, other)
    assert not groups
    assert not asked
    assert guard(wording(one)) != guard(wording(other))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How do I activate the card of my new account?", "How do I deactivate the card of my new account?"),
        ("What notice must employees give in probation?", "What notice must employers give in probation?"),
        ("When must the landlord pay the tenant back?", "When must the tenant pay the landlord back?"),
        ("Where do I have to send the signed claim form to?", "When do I have to send the signed claim form to?"),
        ("Can I move money to my savings account?", "Can I move money from my savings account?"),
        ("What does the county office say of road works?", "What does the country office say of road works?"),
        ("Is hyperglycemia a reason to call the doctor?", "Is hypoglycemia a reason to call the doctor?"),
    ],
)  # fmt: skip
def test_what_a_few_letters_turn_around_does_not_fold(one: str, other: str) -> None:
    assert not folded(one, other)[0]


def test_a_slip_in_a_number_or_a_not_is_that_number_or_not() -> None:
    assert guard(wording("May she come after fvie days, or nto?")) == guard(
        wording("May she come after five days, or not?")
    )
    assert folded(LONG + " within five days?", LONG + " within fvie days?")[0]


def test_questions_of_one_template_about_two_things_stay_apart() -> None:
    groups, asked = folded(LONG, LONG.replace("chickenpox", "scarlet"), LONG.replace("chickenpox", "measles"))
    assert not groups
    assert not asked


def test_nearly_the_same_is_asked() -> None:
    groups, asked = folded(
        "Who calls an ambulance in the evening hours", "Who calls the ambulance in the evening hours"
    )
    assert not groups
    assert len(asked) == 1


def test_a_sentence_with_personal_details_stays_when_the_rest_leans_on_it() -> None:
    assert "person_1" in wording("My son [PERSON_1] has measles. When can he go back to school?")
    assert wording("I am [PERSON_1]. Who keeps the vaccination register?") == "who keeps the vaccination register"


def test_a_later_log_folds_into_what_is_there() -> None:
    plain = wording(LONG)
    first = FoldIndex()
    first.learn([plain])
    (stored,) = first.add([Wording(1, plain)])
    later = FoldIndex()
    slip = plain.replace("blisters", "blsiters")
    later.learn([plain, slip])
    later.restore(1, plain, stored.bands)
    assert [v.into for v in later.add([Wording(2, slip)])] == [1]


def test_other_words_for_the_same_are_only_suggested() -> None:
    asked = {
        1: "Are staff allowed to remove a tick?",
        2: "May staff remove a tick?",
        3: "Who may remove 2 ticks from staff?",
    }
    assert [(s.one, s.other) for s in by_words(asked)] == [(1, 2)] or not list(by_words(asked))
    assert not list(by_words({1: "Fever of 37.9 today. Send home?", 2: "Fever of 38.9 today. Send home?"}))


def test_a_question_that_leans_on_the_one_before() -> None:
    assert is_follow_up("And if she is away?")
    assert not is_follow_up("Android phones: who pays?")
