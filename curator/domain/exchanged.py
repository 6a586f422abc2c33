"""Numbers of an answer that stand where the evidence has another one: exchanged, or taken from another column.

"28 days for an opioid, else 7" where the source says 7 for an opioid and 28 else. Every number of a text has a place:
the part of its sentence up to where the next number's part begins, or the heading of its column. Two numbers have
changed places when the words of the answer round each are those of the evidence round the other, and none its own.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import NamedTuple

from curator.domain.case import Evidence
from curator.domain.numerals import in_digits, plain, readings
from curator.domain.phrases import words
from curator.domain.units import NONE, units_in
from curator.domain.units import named as unit_named
from curator.domain.values import values


class Place(NamedTuple):
    """A number and the words round it.

    Attributes:
        amounts: What it may be, without its unit.
        said: As it stands, number words as digits.
        round: Words of its part of the sentence, or of its column, with the other numbers there.
        part: Number of the part; numbers of one part are told apart by the next word alone.
        next: The word behind it: of what it is the number.
    """

    amounts: frozenset[Fraction]
    said: str
    round: frozenset[str]
    part: int
    next: str


_NUMBER = re.compile(r"(?<![A-Za-z\d_.,^])\d(?:[\d.,'\u00a0]*\d)?(?: \d{3}(?![\d.,]?\d))*(?!\d)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_]|\d)|[\n。！？|]")
_STRONG = re.compile(r"[;；:]|\s[–—]\s")
_WEAK = re.compile(
    r",\s|[、，(]|\b(?:and|or|but|while|whereas|und|oder|sowie|aber|et|ou|mais|tandis|y|e|o|pero|mientras)\s|及び|また|이고|이며"
)
_GAP = re.compile(r"\s")
_BEHIND = re.compile(r"[\s-]?([^\W\d_]+|%)")
_EAST = re.compile("[\u3040-\u9fff\uac00-\ud7ff]")


@lru_cache(maxsize=4096)
def places(text: str, language: str = "") -> tuple[Place, ...]:
    """The numbers of a running text with what stands round each."""
    said = in_digits(plain(text), language)
    if not _NUMBER.search(said):
        return ()
    found: list[Place] = []
    at = 0
    for end in (*(m.start() for m in _SENTENCE.finditer(said)), len(said)):
        found += _of_sentence(said[at:end], len(found), language)
        at = end
    return tuple(found)


def _of_sentence(text: str, first: int, language: str) -> Iterator[Place]:
    numbers = list(_NUMBER.finditer(text))
    cuts = [0]
    part_of = []
    for n, number in enumerate(numbers):
        if n:
            cut = _cut(text, numbers[n - 1].end(), number.start())
            cuts += [cut] if cut else []
        part_of.append(len(cuts) - 1)
    cuts.append(len(text))
    for number, part in zip(numbers, part_of, strict=True):
        amounts = readings(number[0], language)
        if amounts:
            near = text[cuts[part] : number.start()] + " " + text[number.end() : cuts[part + 1]]
            behind = _BEHIND.match(text, number.end())
            yield Place(amounts, number[0], frozenset(words(near)), first + part, (behind[1] if behind else "")[:5])


def _cut(text: str, start: int, end: int) -> int:
    """Where, between two numbers, the part of the second begins; 0 = they stand in one part."""
    for pattern in (_STRONG, _WEAK, *((_GAP,) if _EAST.search(text) else ())):
        if last := list(pattern.finditer(text, start, end)):
            return int(last[-1].start())
    return 0


def _of_evidence(entries: Sequence[Evidence], language: str) -> list[Place]:
    found: list[Place] = []
    for entry in entries:
        if entry.table_cells and len(entry.table_cells) == len(entry.table_header):
            found += _of_row(entry, len(found), language)
        else:
            for text in (entry.quote, *entry.footnotes):
                found += [p._replace(part=p.part + len(found)) for p in places(text, language)]
    return found


def _of_row(entry: Evidence, first: int, language: str) -> Iterator[Place]:
    for n, (head, cell) in enumerate(zip(entry.table_header, entry.table_cells, strict=True)):
        for place in places(cell, language):
            # one cell is one part: what is told of a number in it stands under the same heading
            yield place._replace(round=place.round | _words_of_heading(head), part=first + n)


@lru_cache(maxsize=4096)
def _words_of_heading(head: str) -> frozenset[str]:
    return frozenset(words(head)) | frozenset(m[0] for m in _NUMBER.finditer(plain(head)))


def exchanged(
    claim: str, asked: str, entries: Sequence[Evidence], language: str = ""
) -> Iterator[tuple[str, str]]:  # fmt: skip
    """Pairs of numbers of a claim that have changed places, as they are said.

    Args:
        claim: The answer.
        asked: The question, whose words count for the first number of the claim.
        entries: The evidence, without distractors.
        language: Tag of the language.
    """
    mine = places(claim, language)
    if len({p.amounts for p in mine}) < 2:
        return
    there = _of_evidence(entries, language)
    for one, other in itertools.combinations(mine, 2):
        if one.amounts & other.amounts:
            continue
        first, second = _round(one.amounts, there), _round(other.amounts, there)
        if first is None or second is None:
            continue
        if one.part == other.part or _together(one, other, there):
            if _counts_the_other(one, other, there):
                yield one.said, other.said
            continue
        ours, theirs = one.round - other.round, other.round - one.round
        right = len(ours & (first - second)) + len(theirs & (second - first))
        wrong = len(ours & (second - first)) + len(theirs & (first - second))
        if mine[0] == one and not right and not wrong:
            question = frozenset(words(asked)) - one.round
            right, wrong = len(question & (first - second)), len(question & (second - first))
        if wrong and not right:
            yield one.said, other.said


def _round(amounts: frozenset[Fraction], there: Sequence[Place]) -> frozenset[str] | None:
    """All words round a number in the evidence; None = it is not there."""
    found = [p.round for p in there if p.amounts & amounts]
    return frozenset().union(*found) if found else None


def _together(one: Place, other: Place, there: Sequence[Place]) -> bool:
    """Whether the evidence has both in one part, where nothing tells them apart."""
    return any(
        a.part == b.part for a in there for b in there if a.amounts & one.amounts and b.amounts & other.amounts
    )  # fmt: skip


def _counts_the_other(one: Place, other: Place, there: Sequence[Place]) -> bool:
    """Whether each counts what the evidence counts by the other alone: 48 samples, 3 hours for 3 samples, 48 hours."""
    first = {p.next for p in there if p.amounts & one.amounts}
    second = {p.next for p in there if p.amounts & other.amounts}
    if not one.next or not other.next or one.next == other.next:
        return False
    return one.next in second - first and other.next in first - second


class Misread(NamedTuple):
    """A number of a claim that stands in another column of the row than the one asked for."""

    said: str
    its_heading: str
    asked_heading: str
    there: str


def from_another_column(
    claim: str, asked: str, entries: Sequence[Evidence], language: str = ""
) -> Iterator[Misread]:  # fmt: skip
    """Numbers of a claim that a row has in a column that nobody names, while one column is named and its value is not.

    A column is named when all words that tell its heading from the others stand in the question.

    Args:
        claim: The answer.
        asked: The question.
        entries: The evidence, without distractors.
        language: Tag of the language.
    """
    mine = places(claim, language)
    rows = [e for e in entries if e.table_cells and len(e.table_cells) == len(e.table_header)]
    if not mine or len(rows) != 1 or len(entries) != 1:
        return
    columns = _columns(rows[0], language)
    others = [frozenset().union(*(c.words for c in columns if c != column)) for column in columns]
    asks = frozenset(words(asked))
    named = [
        c for c, rest in zip(columns, others, strict=True) if (telling := c.words - rest) and telling <= asks
    ]  # fmt: skip
    if len(named) != 1 or any(p.amounts & w.amounts for p in mine for w in named[0].found):
        return
    questioned = places(asked, language)
    for place in mine:
        if any(place.amounts & q.amounts for q in questioned):
            continue
        for column in columns:
            if column.units == named[0].units and any(place.amounts & f.amounts for f in column.found):
                yield Misread(place.said, column.heading, named[0].heading, named[0].found[0].said)
                return


class _Column(NamedTuple):
    """A column with a number: its heading, what tells it from others, the numbers of its cell and their units."""

    heading: str
    words: frozenset[str]
    found: tuple[Place, ...]
    units: frozenset[str]


def _columns(row: Evidence, language: str) -> list[_Column]:
    """Those behind the first, which is the key of the row; a heading that is a unit ("Weeks") names nothing."""
    found = []
    for head, cell in list(zip(row.table_header, row.table_cells, strict=True))[1:]:
        if numbers := places(cell, language):
            units = frozenset(v.unit for v in values(cell, language)) - {""}
            words_of = frozenset[str]() if unit_named(head.strip()) != NONE else _words_of_heading(head)
            found.append(_Column(head, words_of, numbers, units or frozenset(u.base for u in units_in(head))))
    return found
