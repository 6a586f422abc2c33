"""Near-duplicates: the same wording joins, a different number or a negation never does."""

from __future__ import annotations

import random
import time
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.matching.near_duplicates import clusters, guard, normalised, pairs, same_subject

LONG = "How long must a child with {} stay away from school after the first day of the rash, and who is told?"


def joined(one: str, other: str) -> bool:
    return bool(clusters({"a": one, "b": other}))


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("How long is the exclusion?", "how long is the EXCLUSION"),
        ("How long  is\nthe exclusion ?", "How long is the exclusion?"),
        ("How long is the exclusion for measles?", "How long is the exclusion for measels?"),
        (LONG.format("measles"), LONG.format("measles").replace("must", "should")),
        ("수두에 걸린 아이는 언제 등원할 수 있나요?", "수두에 걸린 아이는 언제 등원할 수 있나요"),
        ("수두에 걸린 아이는 언제 등원할 수 있나요?", "수두에 걸린 아이는 언제 등원 할수 있나요?"),
        ("ｆｕｌｌ width question?", "full width question?"),
        ("Does 1.5 mg suffice?", "does 1.5 mg suffice"),
    ],
)
def test_variants_of_one_wording_join(one: str, other: str) -> None:
    assert joined(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (LONG.format("measles") + " 5 days", LONG.format("measles") + " 10 days"),
        (LONG.format("measles") + " five days", LONG.format("measles") + " nine days"),
        (LONG.format("measles"), LONG.format("measles").replace("must", "must not")),
        (
            "You don't need to report this case to the county office.",
            "You do need to report this case to the county office.",
        ),
        (
            "You don\u2019t need to report this case to the county office.",
            "You do need to report this case to the county office.",
        ),
        (
            "Is a report needed with a certificate of vaccination for staff?",
            "Is a report needed without a certificate of vaccination for staff?",
        ),
        (
            "What does form A12 say about the exclusion of children?",
            "What does form A13 say about the exclusion of children?",
        ),
        ("Does 1.5 mg of the substance suffice for the test?", "Does 15 mg of the substance suffice for the test?"),
        (
            "수두에 걸린 아이는 내일 학교에 올 수 있습니까 없습니까",
            "수두에 걸린 아이는 내일 학교에 올 수 있습니까 있습니까",
        ),
        ("이 아이는 보고하지 않아도 되는 경우에 해당합니까?", "이 아이는 보고하지 아니 해도 되는 경우에 해당합니까?"),
        (
            "약을 두 번 먹어야 하는 아이는 언제 등원할 수 있나요?",
            "약을 세 번 먹어야 하는 아이는 언제 등원할 수 있나요?",
        ),
        ("How long is the exclusion?", "Who reports an outbreak?"),
    ],
)
def test_what_differs_in_substance_stays_apart(one: str, other: str) -> None:
    assert not joined(one, other)


def test_the_form_of_the_text_does_not_hide_a_negation() -> None:
    text = "보고하지 않는다"
    assert guard(unicodedata.normalize("NFD", text)) == guard(text) != guard("보고한다")


def test_a_cluster_is_named_by_its_smallest_id_and_singles_are_left_out() -> None:
    found = clusters({"c": "How long is it?", "a": "how long is it", "b": "HOW LONG IS IT", "z": "Something else"})
    assert found == {"a": "a", "b": "a", "c": "a"}


@given(st.dictionaries(st.text("abc", min_size=1, max_size=3), st.text(max_size=30), max_size=8))
def test_any_text_will_do(texts: dict[str, str]) -> None:
    found = clusters(texts)
    assert found == clusters(dict(reversed(texts.items())))
    assert set(found) <= set(texts)
    by_form: dict[str, set[str]] = {}
    for name, text in texts.items():
        by_form.setdefault(normalised(text), set()).add(found.get(name, name))
    assert all(len(names) == 1 for names in by_form.values())


def test_thousands_of_texts_are_compared_in_seconds() -> None:
    words = [a + b for a in ("mel", "tor", "gan", "pri", "sul") for b in ("a", "ock", "ide", "um")]
    chance = random.Random(1)
    # no number in them: all in one bucket, so that the bands of MinHash do the work
    texts = {f"x-{n:06d}": f"Does the {' '.join(chance.choices(words, k=9))} count?" for n in range(4000)}
    texts |= {f"y-{n:06d}": texts[f"x-{n:06d}"].upper() for n in range(500)}
    texts |= {f"z-{n:06d}": "the very same question without any number" + "!" * (n % 7) for n in range(500)}
    began = time.process_time()
    found = clusters(texts)
    assert time.process_time() - began < 10
    assert all(found[f"y-{n:06d}"] == f"x-{n:06d}" for n in range(500))
    assert {found[f"z-{n:06d}"] for n in range(500)} == {"z-000000"}


@pytest.mark.parametrize(
    ("one", "other", "same"),
    [
        ("How long must a child with measles stay at home?", "How long must a child with mumps stay at home?", False),
        ("How long must a child with measles stay at home?", "how long must a child with measels stay at home", True),
        ("How long must a child with measles stay home?", "Please how long must a child with measles stay home?", True),
        ("Who pays the fee for a late report?", "Who pays the fine for a late report?", False),
    ],
)  # fmt: skip
def test_alike_by_letters_is_not_about_the_same(one: str, other: str, same: bool) -> None:
    assert same_subject(one, other) is same


def test_pairs_of_some_are_those_of_all_that_they_are_in() -> None:
    texts = {
        "a": "Is the gate open on Monday?",
        "b": "Is the gate open on monday ?",
        "c": "Who cooks?",
        "d": "Who cooks ?",
    }
    every = pairs(texts, alike=88)
    assert [(a, b) for a, b, _ in every] == [("a", "b"), ("c", "d")]
    assert [(a, b) for a, b, _ in pairs(texts, alike=88, only=["d"])] == [("c", "d")]
