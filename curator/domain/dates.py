"""Days of the calendar as people write them; whole, or without the day or the year."""

from __future__ import annotations

import datetime
import re
from typing import NamedTuple

_MONTHS = (
    "january jan januar janvier janv enero ene gennaio gen janeiro januari 一月",
    "february feb februar février févr fevrier febrero febbraio fevereiro februari 二月",
    "march mar märz maerz mars marzo março maart 三月",
    "april apr avril avr abril abr aprile 四月",
    "may mai mayo maggio maio mei 五月",
    "june jun juni juin junio giugno junho 六月",
    "july jul juli juillet juil julio luglio julho 七月",
    "august aug août aout agosto augustus 八月",
    "september sep sept septembre septiembre settembre setembro 九月",
    "october oct oktober okt octobre octubre ottobre outubro 十月",
    "november nov novembre noviembre novembro 十一月",
    "december dec dezember dez décembre diciembre dicembre dezembro 十二月",
)
MONTHS = {name: number for number, names in enumerate(_MONTHS, 1) for name in names.split()}
_MONTH = "(?P<month>" + "|".join(sorted((n for n in MONTHS if n.isalpha()), key=len, reverse=True)) + r")\b\.?"
_DAY = r"(?P<day>3[01]|[12]\d|0?[1-9])"
_YEAR = r"(?P<year>1[6-9]\d\d|20\d\d|21\d\d)"
_NO_DIGIT = r"(?![\d])"
_FORMS = tuple(
    re.compile(form, re.IGNORECASE)
    for form in (
        rf"(?<![\d-]){_YEAR}-(?P<month>1[0-2]|0[1-9])-{_DAY}{_NO_DIGIT}",
        rf"(?<!\d){_YEAR}\s?[年년.]\s?(?P<month>1[0-2]|0?[1-9])\s?[月월.]\s?(?:{_DAY}\s?[日일号號.]?)?{_NO_DIGIT}",
        rf"(?<!\d)(?P<month>1[0-2]|0?[1-9])\s?[月월]\s?{_DAY}\s?[日일号號]",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|\.|º|ª)?\s?(?:of\s|de\s|di\s|den\s)?\s?{_MONTH},?\s?(?:de\s|del\s)?{_YEAR}{_NO_DIGIT}",
        rf"\b{_MONTH}\s?{_DAY}(?:st|nd|rd|th)?\s?,?\s{_YEAR}{_NO_DIGIT}",
        rf"\b{_MONTH},?\s(?:de\s|del\s|of\s)?{_YEAR}{_NO_DIGIT}",
        rf"(?<!\d){_DAY}(?:st|nd|rd|th|er|\.|º)?\s?(?:of\s|de\s|di\s)?\s?{_MONTH}(?!\w)",
        rf"\b{_MONTH}\s?{_DAY}(?:st|nd|rd|th)?(?![\w%]|[.,]\d)",
    )
)
_DIGIT = re.compile(r"\d")
_GROUPED = re.compile(r"\d[-.]\d|\d\s?[年년月월]")
_WORD = re.compile(r"[^\W\d_]{3,10}")
_NUMERIC = re.compile(
    rf"(?<![\d./-])(?P<a>3[01]|[12]\d|0?[1-9])(?P<mark>[./-])(?P<b>3[01]|[12]\d|0?[1-9])(?P=mark){_YEAR}(?![\d/-])"
)


class Day(NamedTuple):
    """A day; a part that was not said is 0."""

    year: int
    month: int
    day: int


class Found(NamedTuple):
    """Days that one place of a text may mean (1/3/2025 is two of them), and where it stands."""

    days: frozenset[Day]
    start: int
    end: int


def dates(text: str) -> list[Found]:
    """The days that a text names, in order, not overlapping. Days that no calendar has are none."""
    found: list[Found] = []
    taken: list[tuple[int, int]] = []
    if not _DIGIT.search(text):
        return found
    if _GROUPED.search(text):
        for form in _FORMS[:3]:
            for match in form.finditer(text):
                _add(found, taken, match, frozenset({_day(match)}))
    for word in _WORD.finditer(text):
        if word[0].casefold() in MONTHS:
            near = max(0, word.start() - 14), word.end() + 14
            for form in _FORMS[3:]:
                for match in form.finditer(text, *near):
                    _add(found, taken, match, frozenset({_day(match)}))
    for match in _NUMERIC.finditer(text):
        a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
        ways = [Day(year, b, a)] if match["mark"] == "." else [Day(year, b, a), Day(year, a, b)]
        _add(found, taken, match, frozenset(w for w in ways if w.month <= 12))
    return sorted(found, key=lambda f: f.start)


def _add(
    found: list[Found], taken: list[tuple[int, int]], match: re.Match[str], days: frozenset[Day]
) -> None:  # fmt: skip
    real = frozenset(d for d in days if _exists(d))
    if real and all(match.end() <= a or match.start() >= b for a, b in taken):
        taken.append(match.span())
        found.append(Found(real, *match.span()))


def _day(match: re.Match[str]) -> Day:
    parts = match.groupdict()
    month = parts["month"].casefold()
    number = int(month) if month.isdecimal() else MONTHS[month]
    return Day(int(parts.get("year") or 0), number, int(parts.get("day") or 0))


def _exists(day: Day) -> bool:
    try:
        datetime.date(day.year or 2000, day.month, day.day or 1)
    except ValueError:
        return False
    return True


def says(evidence: Day, claim: Day) -> bool:
    """Whether a day that evidence names bears out a claim: all that the claim says is said, and the same."""
    return all(not mine or mine == theirs for theirs, mine in zip(evidence, claim, strict=True))
