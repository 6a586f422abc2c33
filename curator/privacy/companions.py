"""More names from the names that were found: the same name again, the rest of it, and the others of a list."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator

from curator.privacy.finding import Finding
from curator.privacy.people import NOT_NAMES

_REST = re.compile(r"\.?(?:\s(?:[a-z]{1,3}\s)?[^\W\d_a-zß-ÿ][^\W\d_]*(?:-[^\W\d_]+)?)")
_INITIAL = re.compile(r"(?:^|\s)[^\W\d_]$")
_TOKEN = re.compile(r"[^\W\d_]{3,}(?:[-'’][^\W\d_]+)*")
_AND = r"(?:,|,?\s(?:and|or|und|et|y)\s|\s?&\s?)"
_NEXT = re.compile(rf"\s?{_AND}\s?([^\W\d_]\w+(?:\s[^\W\d_a-zß-ÿ]\w+)?)(?=\s?(?:{_AND}|[.:;!?]|$|\s))")
_LAST = re.compile(rf"(?:^|[\s(:])([^\W\d_]\w+(?:\s[^\W\d_a-zß-ÿ]\w+)?)\s?{_AND}\s?$")


def companions(text: str, found: Iterable[Finding]) -> Iterator[Finding]:
    """Names that stand beside, or repeat, the persons among the findings.

    Args:
        text: The text.
        found: Findings in it; kinds other than `person` are left alone.
    """
    spans = sorted({(f.start, f.end) for f in found if f.kind == "person"})
    if not spans:
        return
    words: set[str] = set()
    for start, end in spans:
        grown = _grown(text, start, end)
        if grown != end:
            yield Finding(start, grown, "person")
        words |= {w for w in _TOKEN.findall(text[start:grown]) if w[0].isupper() and w not in NOT_NAMES}
        yield from _listed(text, start, grown)
    if words:
        again = re.compile(r"(?<!\w)(?:" + "|".join(map(re.escape, sorted(words, key=len, reverse=True))) + r")(?!\w)")
        for m in again.finditer(text):
            place = bisect_right(spans, (m.start(), len(text)))
            if not place or spans[place - 1][1] <= m.start():
                yield Finding(*m.span(), "person")


def _grown(text: str, start: int, end: int) -> int:
    """The end of a name that was cut at an initial: "Faina D" of "Faina D. Yefremova"."""
    if not _INITIAL.search(text[start:end]) or not (rest := _REST.match(text, end)):
        return end
    return end if rest[0].strip(". ") in NOT_NAMES else rest.end()


def _listed(text: str, start: int, end: int) -> Iterator[Finding]:
    """The other names of "Ann, Bo and Cy", of the same case as the one that was found."""
    upper, place = text[start].isupper(), end
    while (m := _NEXT.match(text, place)) and m[1][0].isupper() == upper and upper and m[1].split()[0] not in NOT_NAMES:
        yield Finding(*m.span(1), "person")
        place = m.end(1)
    place = start
    while (
        (m := _LAST.search(text, max(0, place - 40), place)) and m[1][0].isupper() and m[1].split()[0] not in NOT_NAMES
    ):
        yield Finding(*m.span(1), "person")
        place = m.start(1)
