"""Values by what they mean: pairs that are the same however written, pairs that are not, and laws that hold for all."""

from __future__ import annotations

import datetime
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.numerals import readings
from curator.domain.references import references
from curator.domain.units import units_in
from curator.domain.values import bears_out, other_unit, same, values, with_unit

SAME = [
    ("10,000,000", "$10M"), ("$10M", "10 million"), ("10 million dollars", "$10,000,000"), ("$2.5bn", "2,500 million"),
    ("1.5 %", "1,5 %"), ("ten percent", "10 %"), ("3 % of", "3 per cent of"), ("百分之五", "5 %"), ("5퍼센트", "5 %"),
    ("24 hours", "1 day"), ("2½ hours", "150 minutes"), ("1 year", "12 months"), ("sixty days", "60 days"),
    ("세 시간", "3시간"), ("三十天", "30 days"), ("5일", "5 days"), ("3개월", "3 months"), ("10日間", "10 days"),
    ("1천만 원", "10,000,000 KRW"), ("1억 2천만 원", "120,000,000원"), ("10億円", "1,000,000,000 JPY"),
    ("一百二十万元", "1,200,000 CNY"), ("¥500", "500円"), ("¥500", "500元"),
    ("1 March 2025", "2025-03-01"), ("March 1, 2025", "01.03.2025"), ("2026년 3월 1일", "1 March 2026"),
    ("2026年3月1日", "2026-03-01"), ("1/3/2025", "March 1, 2025"), ("1/3/2025", "3 January 2025"),
    ("0.5 kg", "500 g"), ("82 mg/km", "0.082 g/km"), ("6 × 10¹¹", "6x10^11"), ("500[^1] mm", "500 mm"),
    ("500¹ mm", "500 mm"), ("1.234.567,5", "1,234,567.5"), ("10'000", "10000"), ("10\u202f000", "10000"),
    ("5-10 days", "5 to 10 days"), ("$5 to 10 million", "$5 million to $10 million"), ("5 pm", "17:00"),
    ("15 mg for each kg", "15 mg/kg"), ("32 °F", "32 °F"), ("1,00,000", "100,000"),
]  # fmt: skip
DIFFERENT = [
    ("5 days", "10 days"), ("5 days", "5 weeks"), ("5 working days", "5 days"), ("1 month", "30 days"),
    ("€5", "$5"), ("5 EUR", "5 USD"), ("500円", "500元"), ("A$5", "US$5"), ("$10M", "$10,000"), ("5 %", "0.05"),
    ("1 March 2025", "2 March 2025"), ("1 March 2025", "1 March 2026"), ("-5 °C", "5 °C"), ("5 mg", "5 g"),
    ("82 mg/km", "82 mg"), ("0 million", "10 million"), ("1.5 %", "15 %"), ("10 basis points", "10 %"),
]  # fmt: skip


def read(text: str, language: str = "en") -> tuple:  # type: ignore[type-arg]
    return values(text, language)


@pytest.mark.parametrize(("one", "other"), SAME)
def test_the_same_however_it_is_written(one: str, other: str) -> None:
    mine, theirs = read(one), read(other)
    assert len(mine) == len(theirs) > 0, (mine, theirs)
    assert all(same(a, b) and same(b, a) for a, b in zip(mine, theirs, strict=True)), (mine, theirs)


@pytest.mark.parametrize(("one", "other"), DIFFERENT)
def test_what_differs_in_number_unit_money_or_day(one: str, other: str) -> None:
    mine, theirs = read(one), read(other)
    assert mine
    assert theirs
    assert not any(same(a, b) for a in mine for b in theirs), (mine, theirs)


@pytest.mark.parametrize(
    ("text", "language", "said"),
    [
        ("fünfundzwanzig Tage", "de", "25 days"), ("zwei Millionen Euro", "de", "2,000,000 EUR"),
        ("1,5 Mio. Euro", "de", "EUR 1.5 million"), ("quatre-vingt-dix jours", "fr", "90 days"),
        ("treinta y cinco días", "es", "35 days"), ("trentacinque giorni", "it", "35 days"),
        ("1. März 2025", "de", "2025-03-01"), ("1er mars 2025", "fr", "2025-03-01"),
        ("1 de marzo de 2025", "es", "2025-03-01"),
    ],
)  # fmt: skip
def test_words_of_other_languages(text: str, language: str, said: str) -> None:
    (mine,), (theirs,) = values(text, language), read(said)
    assert same(mine, theirs)


def test_percent_before_the_number_is_percent_too() -> None:
    assert [v.unit for v in read("百分之五")] == ["%"]
    assert not same(read("百分之五")[0], read("百分之六")[0])


def test_what_is_no_value() -> None:
    for text in (
        "Article 7(1), Table 4, p. 10",
        "CO2 under 443/2009 for M1 to N3",
        "§ 12",
        "제7조",
        "form E-2",
        "Annex IV",
    ):
        assert read(text) == (), text


def test_the_language_decides_what_one_point_five_hundred_is() -> None:
    assert readings("1.500", "de") == {1500}
    assert readings("1.500", "en") == {Fraction(3, 2)}
    assert readings("1.500") == {1500, Fraction(3, 2)}
    assert readings("1.2.3") == frozenset()


def test_a_bare_cell_takes_the_unit_of_its_header() -> None:
    (cell,) = read("84.2")
    (claim,) = read("$84.2 million")
    assert any(bears_out(v, claim) for v in with_unit(cell, units_in("Operating income ($ million)")))
    assert not any(bears_out(v, claim) for v in with_unit(cell, units_in("Operating income (€ million)")))
    assert units_in("Days away")
    assert not units_in("A report")


def test_a_claim_may_say_less_than_the_evidence_but_not_more() -> None:
    (day,), (month,) = read("1 March 2025"), read("March 2025")
    assert bears_out(day, month)
    assert not bears_out(month, day)
    assert bears_out(day, read("2025")[0])


def test_another_unit_of_the_same_number_is_told_apart_from_another_number() -> None:
    (days,), (weeks,), (more,) = read("10 days"), read("10 weeks"), read("12 weeks")
    assert other_unit(weeks, days)
    assert not other_unit(more, days)
    assert not other_unit(days, days)


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Article 7(1), Table X.1", [("article", "7"), ("table", "x.1")]),
        ("See § 5 and Annex IV, p. 10", [("§", "5"), ("annex", "iv"), ("page", "10")]),
        ("제7조(등교 중지)와 표 1", [("article", "7"), ("table", "1")]),
        ("第十二条", [("article", "12")]),
        ("part of the table", []),
    ],
)
def test_cited_places(text: str, found: list[tuple[str, str]]) -> None:
    assert [(r.kind, r.number) for r in references(text)] == found


numbers = st.integers(min_value=0, max_value=10**12)


@given(numbers)
def test_marks_between_thousands_do_not_change_a_number(number: int) -> None:
    for text in (f"{number}", f"{number:,}", f"{number:,}".replace(",", "."), f"{number:,}".replace(",", "'")):
        assert number in readings(text), text
    (value,) = read(f"{number:,} km")
    assert value.amounts == {number * 1000}


@given(st.integers(1, 10**6), st.sampled_from(["days", "working days", "EUR", "USD", "%", "kg", "months"]),
       st.sampled_from(["days", "working days", "EUR", "USD", "%", "kg", "months"]))  # fmt: skip
def test_two_are_the_same_only_with_the_same_unit(number: int, one: str, other: str) -> None:
    (mine,), (theirs,) = read(f"{number} {one}"), read(f"{number} {other}")
    assert same(mine, theirs) == (one == other)


@given(st.integers(1, 10**6), st.integers(1, 10**6))
def test_two_numbers_of_one_unit_are_the_same_only_when_equal(one: int, other: int) -> None:
    (mine,), (theirs,) = read(f"{one} days"), read(f"{other * 24} hours")
    assert same(mine, theirs) == (one == other)


@given(st.dates(datetime.date(1700, 1, 1), datetime.date(2150, 12, 31)))
def test_a_day_in_every_form(day: datetime.date) -> None:
    (iso,) = read(day.isoformat())
    forms = (f"{day:%B} {day.day}, {day.year}", f"{day.day} {day:%B} {day.year}",
             f"{day.year}년 {day.month}월 {day.day}일",
             f"{day.year}年{day.month}月{day.day}日", f"{day.day:02}.{day.month:02}.{day.year}",
             f"{day.day}/{day.month}/{day.year}")  # fmt: skip
    for form in forms:
        (value,) = read(form)
        assert same(value, iso), form


@given(st.text(max_size=80), st.sampled_from(["", "en", "de", "ko", "xx"]))
def test_no_text_is_too_odd(text: str, language: str) -> None:
    found = values(text, language)
    assert all(same(v, v) for v in found)
    assert all(v.said for v in found)
    assert values(text, language) == found
