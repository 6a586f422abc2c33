"""Numbers, amounts, periods and days compared by what they mean, not by how they are written.

10,000,000 is $10M is 10 million; 24 hours are 1 day; 5 days are not 10 days, and 5 EUR are not 5 USD; 1.5 % is 1,5 %.
`values(text)` reads them, `bears_out(evidence, claim)` says whether one backs the other. What can be read in two ways
("1.500", "1/3/2025", "¥ 5") agrees with either.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from curator.domain.dates import Day, dates, says
from curator.domain.numerals import EXPONENT, SCIENCE, in_digits, plain, readings
from curator.domain.references import masked
from curator.domain.units import MONEY, NONE, PREFIX, Unit, agree, named, unit_at
from curator.text import folded


class Value(NamedTuple):
    """One value that a text names.

    Attributes:
        amounts: What it may amount to, in its base unit.
        unit: Base unit ("s", "month", "USD", "%", "g/m"); "" = none was said.
        days: The days that it may be, when it is a date (then amounts is empty).
        raw: The bare numbers, without unit and scale; empty where a bare number stands for nothing but itself.
        said: As it stands in the text, number words as digits.
    """

    amounts: frozenset[Fraction]
    unit: str = ""
    days: frozenset[Day] = frozenset()
    raw: frozenset[Fraction] = frozenset()
    said: str = ""


_DIGIT = re.compile(r"\d")
_NUMBER = re.compile(
    r"(?<![A-Za-zΑ-ω\d_.,^])(?P<digits>\d(?:[\d.,'\u00a0]*\d)?(?: \d{3}(?![\d.,]?\d))*)"
    rf"(?P<science>{SCIENCE.pattern})?(?P<scale>[{EXPONENT}-\ue00f])?(?P<glued>(?:st|nd|rd|th|er|ª|º)\b)?"
)
_ONE = Fraction(1)
_BEFORE = re.compile(rf"(?=[-+]|[^\w\s]|[A-Z])(?:(?<![\w.,)])(?P<sign>[-+]))?(?P<prefix>{PREFIX})?\s?\Z")
_CLOCK = re.compile(
    r"(?<![\d:.])([01]?\d|2[0-3]):([0-5]\d)(?![\d:])(?:\s?([ap])\.?m\b\.?)?|\b(1[0-2]|[1-9])\s?([ap])\.?m\b\.?", re.I
)
_CODE = re.compile(
    r"(?<![^\W_])[A-Za-zÀ-ÿΑ-ω]+[-_.]?\d[A-Za-z\d.\-]*|\b\d+/\d{2,}\b|\b\d+[A-Z]{1,3}\d\w*|#\d+|\bNo\. ?\d+/\d+"
)
_MONEY_CODE = re.compile(rf"{PREFIX}\d")
_PERCENT_FIRST = re.compile(r"百分之\s?(\d[\d.,]*)")
_RANGE = re.compile(r"\s?(?:-|~|to|bis|à|a|through|から|至|到|에서|～)\s?", re.IGNORECASE)
_LIST_MARK = re.compile(r"(?:(?<=^)|(?<=[\n;:]))\s*\(?\d{1,2}[.)](?=\s)")


@lru_cache(maxsize=32768)
def values(text: str, language: str = "") -> tuple[Value, ...]:
    """The values that a text names, in order; numbers of cited places ("Article 7") and of codes ("CO2") are none.

    Args:
        text: As it was written.
        language: Tag of its language, which decides what "1.500" is; "" = both ways count.
    """
    if not text:
        return ()
    said = masked(plain(text))
    if not _DIGIT.search(said):
        said = _spelled(said, language)
        return tuple(v for _, _, v in _amounts(said, language)) if _DIGIT.search(said) else ()
    found: list[tuple[int, int, Value]] = []
    for day in dates(said):
        value = Value(frozenset(), days=day.days, said=said[day.start : day.end].strip())
        found.append((day.start, day.end, value))
    said = _blank(said, ((a, b) for a, b, _ in found))
    dated = [v for _, _, v in found]
    said, timed = _clocks(said)
    said = _CODE.sub(lambda m: m[0] if _MONEY_CODE.match(m[0]) else " " * len(m[0]), said)
    said = _spelled(_LIST_MARK.sub(_blanked, said), language)
    return (*dated, *timed, *(v for _, _, v in _amounts(said, language)))


def _spelled(text: str, language: str) -> str:
    """Number words as digits, and "percent" behind the number also where a language has it before."""
    said = in_digits(text, language)
    return _PERCENT_FIRST.sub(r"\1%", said) if "百分之" in said else said


def _blanked(match: re.Match[str]) -> str:
    return " " * len(match[0])


def _blank(text: str, spans: Iterable[tuple[int, int]]) -> str:
    for start, end in spans:
        text = text[:start] + ";" + " " * (end - start - 1) + text[end:]
    return text


def _clocks(text: str) -> tuple[str, list[Value]]:
    found = []
    for match in _CLOCK.finditer(text):
        hour, minute, half = int(match[1] or match[4]), int(match[2] or 0), (match[3] or match[5] or "").lower()
        if half:
            hour = hour % 12 + (12 if half == "p" else 0)
        minutes = Fraction(hour * 60 + minute)
        found.append(Value(frozenset({minutes}), "clock", raw=frozenset({minutes}), said=match[0]))
    return _CLOCK.sub(_blanked, text) if found else text, found


def _amounts(text: str, language: str) -> list[tuple[int, int, Value]]:
    found: list[tuple[int, int, Value]] = []
    for match in _NUMBER.finditer(text):
        bare = readings(match["digits"], language)
        if not bare:
            continue
        scale = Fraction(10 ** (ord(match["scale"]) - ord(EXPONENT))) if match["scale"] else _ONE
        if match["science"] and (power := SCIENCE.fullmatch(match["science"])):
            scale *= Fraction(10) ** int(power[1])
        start = match.start()
        if start and (before := _BEFORE.search(text, max(0, start - 6), start)):
            start = before.start()
            scale = -scale if before["sign"] == "-" else scale
        unit, end = unit_at(text, match.end())
        if text[match.end() : end].strip() in ("年", "년") and all(1000 <= b < 3000 for b in bare):
            unit = NONE  # a year of the calendar, not so many years
        if start < match.start() and before and before["prefix"]:
            unit, end = named(before["prefix"]), match.end()
        value = _value(bare, scale, unit, _told(text[start:end]))
        if found and _RANGE.fullmatch(text[found[-1][1] : start]):
            _join(found, value, unit, scale)
            value = _after(found[-1][2], value)
        found.append((start, end, value))
    return found


_SCALE_WORDS = {2: "00", 3: " thousand", 6: " million", 9: " billion", 12: " trillion"}


_EXPONENTS = re.compile(rf"[{EXPONENT}-\ue00f]")


def _told(said: str) -> str:
    def word(match: re.Match[str]) -> str:
        exponent = ord(match[0]) - ord(EXPONENT)
        return _SCALE_WORDS.get(exponent, f" × 10^{exponent}")

    return (said if said.isascii() else _EXPONENTS.sub(word, said)).strip()


@lru_cache(maxsize=16384)
def normal(text: str, language: str = "") -> str:
    """The form in which two phrases are compared: number words as digits, white space and case gone."""
    return folded(_told(in_digits(plain(text), language)))


def _value(bare: frozenset[Fraction], scale: Fraction, unit: Unit, said: str) -> Value:
    factor = scale * unit.factor
    amounts = bare if factor == 1 else frozenset(b * factor for b in bare)
    return Value(amounts, unit.base, raw=bare, said=said)


def _join(found: list[tuple[int, int, Value]], value: Value, unit: Unit, scale: Fraction) -> None:
    """The first number of a range takes the unit of the second: "5 to 10 days", "2-3 million"."""
    start, end, first = found[-1]
    scaled = frozenset(b * scale for b in first.raw) if scale > 1 else frozenset()
    if first.unit and first.unit in MONEY and not value.unit:
        found[-1] = (start, end, first._replace(amounts=first.amounts | scaled))
    elif not first.unit and not first.days and (unit.base or scale > 1):
        amounts = frozenset(b * unit.factor for b in first.amounts | scaled)
        found[-1] = (start, end, first._replace(amounts=amounts, unit=value.unit))


def _after(first: Value, second: Value) -> Value:
    """The second number of a range takes money from the first: "$5 to 10"."""
    return second._replace(unit=first.unit) if first.unit in MONEY and not second.unit else second


def with_unit(value: Value, units: Sequence[Unit] | frozenset[Unit]) -> tuple[Value, ...]:
    """A bare number as it is under a header that names units; as it is when it has a unit or none is named."""
    named_units = [u for u in units if u != NONE]
    if value.unit or value.days or not named_units:
        return (value,)
    return tuple(
        value._replace(amounts=frozenset(a * u.factor for a in value.amounts), unit=u.base) for u in named_units
    )


def bears_out(evidence: Value, claim: Value) -> bool:
    """Whether a value of the evidence backs a claimed one.

    Equal amounts with units that agree; a number without a unit backs one with a unit (but for percent) and the other
    way round, since the unit may stand elsewhere; a day backs all that is said of it, such as its year.
    """
    if claim.days:
        return any(says(e, c) for e in evidence.days for c in claim.days)
    if evidence.days:
        return not claim.unit and any(d.year in claim.amounts or d.day in claim.amounts for d in evidence.days)
    if claim.unit and evidence.unit:
        return agree(evidence.unit, claim.unit) and bool(evidence.amounts & claim.amounts)
    if evidence.unit == claim.unit or claim.unit == "%":  # a share is written as one; a bare number is none
        return evidence.unit == claim.unit and bool(evidence.amounts & claim.amounts)
    if evidence.amounts & claim.amounts:
        return True
    bare, other = (claim, evidence) if evidence.unit else (evidence, claim)
    if other.unit in MONEY and bare.raw != bare.amounts:
        # "2 million" is no "$2 thousand"; a bare number of running text, which has no raw, is no "$2 million"
        return not bare.raw and other.amounts == other.raw and bool(bare.amounts & other.raw)
    return bool((bare.raw or bare.amounts) & other.raw)


def same(one: Value, other: Value) -> bool:
    """Whether two values are the same, or may be: the relation is symmetric."""
    return bears_out(one, other) or bears_out(other, one)


def other_unit(evidence: Value, claim: Value) -> bool:
    """Whether the same bare number stands there with another unit: 10 weeks for 10 days, EUR for USD."""
    if not claim.unit or not evidence.unit or claim.unit == "clock" or evidence.unit == "clock":
        return False
    return bool(evidence.raw & claim.raw) and not bears_out(evidence, claim)
