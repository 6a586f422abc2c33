"""Quotes are whole tokens."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.quoting import places, sentences, snapped, tokens

TEXT = "Article 7. A fine of up to $10 million, 2.5 % or 10,000 EUR (art. 9) applies. It doesn't end 7:30."

DEFINED = "2.7. Belt\nA device that holds. It is new."


def words(text: str) -> list[str]:
    return [text[a:b] for a, b in tokens(text)]


def test_numbers_are_one_token_with_their_signs() -> None:
    found = words(TEXT)
    assert "$10" in found
    assert "10,000" in found
    assert "2.5 %" in found
    assert "doesn't" in found
    assert "7:30" in found
    assert words("5-7 days") == ["5", "-", "7", "days"]
    assert words("from -5 to 5mm") == ["from", "-5", "to", "5mm"]
    assert words("수두 5일 격리") == ["수두", "5일", "격리"]


@pytest.mark.parametrize(("inside", "whole"), [("0 million", "$10 million"), ("000", "10,000"), ("oes", "doesn't")])
def test_a_quote_is_never_cut_inside_a_token(inside: str, whole: str) -> None:
    start = TEXT.index(inside)
    a, b = snapped(TEXT, start, start + len(inside))
    assert TEXT[a:b].startswith(whole)
    assert places("It costs 10 million.", "0 million") == []
    assert places("It costs 10 million.", "10 million") == [(9, 19)]


def test_sentences() -> None:
    assert [TEXT[a:b] for a, b in sentences(TEXT)] == [
        "Article 7.",
        "A fine of up to $10 million, 2.5 % or 10,000 EUR (art. 9) applies.",
        "It doesn't end 7:30.",
    ]
    assert [DEFINED[a:b] for a, b in sentences(DEFINED)] == ["2.7. Belt", "A device that holds.", "It is new."]


@given(st.text(max_size=80), st.integers(0, 80), st.integers(0, 80))
def test_spans_are_in_order_and_cover_every_word(text: str, one: int, two: int) -> None:
    found = tokens(text)
    assert all(a < b for a, b in found)
    assert all(b <= c for (_, b), (c, _) in itertools.pairwise(found))
    assert not any(c.isalnum() for c in "".join(text[b:c] for (_, b), (c, _) in itertools.pairwise(found)))
    start, end = sorted((min(one, len(text)), min(two, len(text))))
    a, b = snapped(text, start, end)
    assert (a, b) == snapped(text, a, b)
    for x, y in found:
        assert any(a <= x and y <= b for a, b in sentences(text)) or not text[x:y].strip()
