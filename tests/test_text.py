"""Text from outside: one glyph for each character on a terminal, nothing unstorable in a database."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.text import clean, counted, folded, one_line, visible

any_text = st.text(st.characters(), max_size=60) | st.text(
    st.sampled_from("a\x00\x1b\x7f\x9b\u202e\u2066\u200b\ud800\udc00\ufdd0\uffff\U0001ffff\n\r\t [/x]가é"), max_size=30
)
OBEYED = {
    *map(chr, (*range(0x20), *range(0x7F, 0xA0))),
    *"\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
}


@given(any_text)
def test_visible_keeps_the_length_and_nothing_that_a_terminal_obeys(text: str) -> None:
    shown = visible(text)
    assert len(shown) == len(text)
    assert not OBEYED & set(shown)
    assert visible(shown) == shown
    shown.encode()  # a lone surrogate would raise
    assert OBEYED & set(visible(text, lines=True)) <= {"\n"}


@given(any_text, st.integers(1, 30))
def test_one_line_is_one_line_no_wider_than_asked(text: str, width: int) -> None:
    assert len(one_line(text, width)) <= width
    assert one_line(text).splitlines() in ([], [one_line(text)])


def test_what_is_hidden_is_seen() -> None:
    assert visible("a\x1b[31mb\u202ec\x9bd") == "a␛[31mb«c�d"
    assert visible("zero\u200bwidth\u2066x") == "zero·width»x"
    assert visible("می\u200cخواهم 👩\u200d🔬") == "می\u200cخواهم 👩\u200d🔬"


@given(any_text)
def test_clean_leaves_only_what_every_database_holds(text: str) -> None:
    done, count = clean(text)
    assert clean(done) == (done, 0)
    for ch in done:
        code = ord(ch)
        assert code
        assert not 0xD800 <= code < 0xE000
        assert not 0xFDD0 <= code <= 0xFDEF
        assert code & 0xFFFE != 0xFFFE
    assert count <= len(text)


def test_clean_counts_what_it_replaces_and_joins_pairs() -> None:
    assert clean("a\x00b\udc00c") == ("a\ufffdb\ufffdc", 2)
    assert clean("\ud83d\ude00") == ("😀", 0)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("The exclusion period", "the   EXCLUSION\n period"),
        ("exclusion", "exclu-\nsion"),
        ("EXCLUSION", "EXCLU-\nSION"),
        ("исключение", "исклю-\nчение"),
        ("a well-known rule", "a well-\nknown rule"),
        ("soft\u00adhyphen", "softhyphen"),
        ("ﬁve ﬂoors", "five floors"),
        ("café", "cafe\u0301"),
        ("５ days", "5 days"),
        ("Straße", "STRASSE"),
        ("수두", "수\n두"),
    ],
)
def test_folded_is_the_same_for_the_same_words(one: str, other: str) -> None:
    assert folded(one) == folded(other)


@pytest.mark.parametrize(
    ("one", "other"), [("5 days", "10 days"), ("COVID-19", "COVID19"), ("-5 °C", "5 °C"), ("is", "is not")]
)
def test_folded_keeps_what_matters_apart(one: str, other: str) -> None:
    assert folded(one) != folded(other)


@given(st.text(max_size=40))
def test_folded_is_stable(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert folded(unicodedata.normalize("NFD", text)) == folded(text)
    assert folded(text.replace(" ", "\n")) == folded(text)


@pytest.mark.parametrize(
    ("count", "said"), [(0, "0 cases wait"), (1, "1 case waits"), (2, "2 cases wait"), (1000, "1000 cases wait")]
)
def test_what_is_counted_agrees_with_its_number(count: int, said: str) -> None:
    assert counted(count, "case waits", "cases wait") == said
    assert counted(count, "row").endswith("row" if count == 1 else "rows")
