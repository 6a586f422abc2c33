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
from curator.domain.subjects import SAYS_NOTHING
from curator.domain.units import NONE, unit_at, units_in
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
        unit: Base of the unit behind it; "" = none.
    """

    amounts: frozenset[Fraction]
    said: str
    round: frozenset[str]
    part: int
    next: str
    unit: str


_NUMBER = re.compile(r"(?<![A-Za-z\d_.,^])\d(?:[\d.,'\u00a0]*\d)?(?: \d{3}(?![\d.,]?\d))*(?!\d)")
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[^\W\d_]|\d)|[\n。！？|]")
_STRONG = re.compile(r"[;；]|\s[–—]\s")  # no colon: what stands before it is of the number behind it
_WEAK = re.compile(
    r",\s|[、，(]|\b(?:and|or|but|while|whereas|und|oder|sowie|aber|et|ou|mais|tandis|y|e|o|pero|mientras)\s|及び|また|이고|이며"
)
_GAP = re.compile(r"\s")
# "30 of 148 (20 %) on placebo": a number alone in brackets is of what stands round them
_BRACKETED = re.compile(r"\((?=[\d.,]*\d\s?[^\W\d_]*%?\))")
_LIST = re.compile(r"[^\w;；]*(?:(?:and|or|to|und|oder|bis|et|ou|à|y|o|e|a)\b)?[^\w;；]*")
_EXCEPT = re.compile(
    r"\b(?:besides|beside|except|excluding|other than|apart from|without|instead|außer|ohne|neben|statt|sauf|hors|sans"
    r"|outre|salvo|excepto|aparte|sin|además|senza|tranne)\b|외에|제외|말고|없이|以外|除|ではなく",
    re.IGNORECASE,
)
_FILLERS = frozenset(words(" ".join(SAYS_NOTHING)))
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
            unit = unit_at(text, number.end())[0].base
            said_round = frozenset(words(near)) - _FILLERS
            yield Place(amounts, number[0], said_round, first + part, (behind[1] if behind else "")[:5], unit)


def _cut(text: str, start: int, end: int) -> int:
    """Where, between two numbers, the part of the second begins; 0 = they stand in one part, as in a bare list."""
    if _LIST.fullmatch(text, start, end):
        return 0
    for pattern in (_STRONG, _WEAK, *((_GAP,) if _EAST.search(text) else ())):
        last = [m.start() for m in pattern.finditer(text, start, end) if not _BRACKETED.match(text, m.start())]
        if last:
            return int(last[-1])
    return 0


def _of_evidence(entries: Sequence[Evidence], language: str) -> list[Place]:
    found: list[Place] = []
    for entry in entries:
        if entry.table_cells and len(entry.table_cells) == len(entry.table_header):
            texts = [
                *zip(entry.table_header, entry.table_cells, strict=True),
                *(("", note) for note in entry.footnotes),
            ]
        else:
            texts = [("", entry.quote), *(("", note) for note in entry.footnotes)]
        for head, text in texts:
            first = found[-1].part + 1 if found else 0
            for place in places(text, language):
                # one cell is one part: what is told of a number in it stands under the same heading
                round_it = place.round | _words_of_heading(head) if head else place.round
                found.append(place._replace(round=round_it, part=first + (0 if head else place.part)))
    return found


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
    if any(claim.strip().rstrip(".") in e.quote for e in entries):
        return  # what repeats the source exchanges nothing
    mine = places(claim, language)
    if len({p.amounts for p in mine}) < 2:
        return
    there = _Evidence(_of_evidence(entries, language))
    for one, other in itertools.combinations(mine, 2):
        if one.amounts & other.amounts or not (first := there.of(one)) or not (second := there.of(other)):
            continue
        if one.part == other.part or not {p.part for p in first}.isdisjoint(p.part for p in second):
            if _counts_the_other(one, other, first, second):
                yield one.said, other.said
        elif _may_change(first, second) and _round_the_other(
            one, other, first, second, asked if one == mine[0] else ""
        ):
            yield one.said, other.said


class _Evidence:
    """The numbers of the evidence, found by what they amount to."""

    def __init__(self, found: Sequence[Place]) -> None:
        self._by_amount: dict[Fraction, list[Place]] = {}
        for place in found:
            for amount in place.amounts:
                self._by_amount.setdefault(amount, []).append(place)

    def of(self, claimed: Place) -> list[Place]:
        """Where the evidence has the number; [] = nowhere."""
        return [p for amount in claimed.amounts for p in self._by_amount.get(amount, ())]


def _may_change(first: Sequence[Place], second: Sequence[Place]) -> bool:
    """Whether each of two numbers is said once by the evidence, and of the same kind: no 15 % is taken for 30 million.

    Of a number that stands at several places nobody knows which one is meant.
    """
    if any(len({p.part for p in places}) > 1 for places in (first, second)):
        return False
    here, there = {p.unit for p in first}, {p.unit for p in second}
    return not here.isdisjoint(there) or ("" in here | there and "%" not in here | there)


def _round_the_other(
    one: Place, other: Place, first: Sequence[Place], second: Sequence[Place], asked: str
) -> bool:  # fmt: skip
    """Whether the words round each of two numbers are those round the other in the evidence, and none its own.

    Where the claim says nothing round the first number, it answers the question, whose words count then.
    """
    here, there = (frozenset().union(*(p.round for p in places)) for places in (first, second))
    ours, theirs = one.round - other.round, other.round - one.round
    right = len(ours & (here - there)) + len(theirs & (there - here))
    wrong = len(ours & (there - here)) + len(theirs & (here - there))
    if asked and theirs and not right and not wrong:
        question = frozenset(words(asked)) - one.round - _FILLERS
        right, wrong = len(question & (here - there)), len(question & (there - here))
    return bool(wrong and not right)


def _counts_the_other(one: Place, other: Place, first: Sequence[Place], second: Sequence[Place]) -> bool:
    """Whether each counts what the evidence counts by the other alone: 48 samples, 3 hours for 3 samples, 48 hours."""
    here, there = {p.next for p in first}, {p.next for p in second}
    if not one.next or not other.next or one.next == other.next:
        return False
    return one.next in there - here and other.next in here - there


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

    A column is named when all words that tell its heading from the others stand in the question; one that excepts
    something ("besides teachers") says nothing.

    Args:
        claim: The answer.
        asked: The question.
        entries: The evidence, without distractors.
        language: Tag of the language.
    """
    if len(entries) != 1 or not entries[0].table_cells or _EXCEPT.search(asked):
        return
    row, asks = entries[0], frozenset(words(asked)) - _FILLERS
    if len(row.table_cells) != len(row.table_header) or all(
        asks.isdisjoint(_words_of_heading(h)) for h in row.table_header[1:]
    ):
        return
    if not (mine := places(claim, language)):
        return
    columns = _columns(row, language)
    others = [frozenset().union(*(c.words for c in columns if c != column)) for column in columns]
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
