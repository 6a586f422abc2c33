"""What must be equal in two texts before they count as one: it sees every change of a number or a negation."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.matching import near_duplicates, wording

WORDS = st.lists(
    st.sampled_from(["a", "pupil", "with", "measles", "stays", "away", "for", "long", "after", "rash", "began"]),
    max_size=12,
)
ANY_TEXT = st.text(max_size=60)


@given(ANY_TEXT, ANY_TEXT)
def test_spelling_space_and_order_do_not_matter(one: str, other: str) -> None:
    text = f"{one} {other}"
    plain = near_duplicates.normalised(text)
    assert near_duplicates.normalised(plain) == plain
    assert near_duplicates.guard(plain) == near_duplicates.guard(text)
    assert near_duplicates.guard(f"  {text}  ") == near_duplicates.guard(text)
    assert list(wording.guard(plain)) == sorted(wording.guard(plain))


@given(WORDS, st.integers(0, 10**6), st.integers(0, 10**6), st.integers(0, 12))
def test_two_numbers_never_share_a_guard(words: list[str], one: int, other: int, place: int) -> None:
    texts = [" ".join([*words[:place], str(n), "days", *words[place:]]) for n in (one, other)]
    for guard in (near_duplicates.guard, wording.guard):
        assert (guard(texts[0]) == guard(texts[1])) == (one == other)


@given(WORDS, st.sampled_from(["not", "never", "without", "no", "unless"]), st.integers(0, 12))
def test_a_negation_changes_the_guard(words: list[str], negation: str, place: int) -> None:
    plain, denied = " ".join(words), " ".join([*words[:place], negation, *words[place:]])
    for guard in (near_duplicates.guard, wording.guard):
        assert guard(plain) != guard(denied)
