"""How much of a quote a chunk holds, and whether it says the same: a pair of texts that share pieces, in detail.

Both bare forms are laid over one another (Levenshtein). Inside the quote, what differs is put into the words of the
source and judged as two wordings of one provision are (`domain.critical`): a number, unit, negation or deciding word
that differs refuses it, and so does any other word that stands in the place of one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz
from rapidfuzz.distance import Levenshtein

from curator.domain.alignment import How
from curator.domain.critical import critical, opposed
from curator.matching.aligning.bare import Mapped, bare
from curator.text import one_line

LEAST = 85.0
"""Letters of 100 that must be the same."""
NEARBY = 150
"""Letters around a quote that tell whether it is the place that is meant."""
_PAD = 40
_SPREAD = 600
_EDGE = 6
_BLOCK = 4
_SHORTEST = 6
_STRANGE = 2
_HOPELESS = 0.7
_OTHERWISE = 0.6
_ENDS = (".", ",", ";", ")", ".)", '."', ".”")
_SIGNS = frozenset("<>≤≥=±+%‰°€$£¥₩×÷√∞≠")
_DASHES = str.maketrans(dict.fromkeys("‐‑‒–—−", "-"))
_MINUS = re.compile(r"(?:^|[\s(|:;])-\s?$")


class Part(NamedTuple):
    """What a text holds of a quote.

    Attributes:
        start: Bare place in the passage from which it is held, and `end`: to which, both within the quote.
        first: Bare place in the text where it begins, and `last`: where it ends.
        how: The same letters, or alike; whether the same characters stand there is for the caller to see.
        score: 0 to 100.
        agreed: Letters around the quote that are the same too, of `possible` that the text could show.
        inserted: Lines that stand in its middle: a running header, if they are one.
        fault: Why it says something else; "" = it says the same.
    """

    start: int
    end: int
    first: int
    last: int
    how: How
    score: float
    agreed: int
    possible: int
    inserted: tuple[str, ...] = ()
    fault: str = ""


class Overlay(NamedTuple):
    """Two bare texts laid over one another: blocks of equal letters, in order; and what the text could show."""

    blocks: list[tuple[int, int, int]]
    low: int
    high: int


def overlay(source: str, text: str, hits: Sequence[tuple[int, int]]) -> Overlay | None:
    """Lay a text over a source where they share pieces; None: they do not fit anywhere.

    Args:
        source: Bare form of a passage.
        text: Bare form of a chunk.
        hits: Places of shared pieces in both.
    """
    shifts = Counter(s - t for s, t in hits)
    shift, _ = max(shifts.items(), key=lambda item: (item[1], -abs(item[0])))
    n, m = len(source), len(text)
    low, high = max(0, shift), min(n, shift + m)
    if low < high and source[low:high] == text[low - shift : high - shift]:
        return Overlay([(low, low - shift, high - low)], low, high)
    near = [s for s, count in shifts.items() if abs(s - shift) <= _SPREAD and (count > 1 or abs(s - shift) <= _PAD)]
    least, most = min([*near, shift]), max([*near, shift])
    s0, s1 = max(0, least - _PAD), min(n, most + m + _PAD)
    t0, t1 = max(0, -most - _PAD), min(m, n - least + _PAD)
    if s0 >= s1 or t0 >= t1:
        return None
    blocks = [
        (s0 + b.a, t0 + b.b, b.size)
        for b in Levenshtein.editops(source[s0:s1], text[t0:t1]).as_matching_blocks()
        if b.size
    ]
    blocks = _trimmed(_drawn_together(blocks, source, text))
    if not blocks:
        return None
    first, last = blocks[0], blocks[-1]
    # what stands in the text before the first block could show as much of the source, and likewise at the end
    low = max(0, first[0] - first[1]) if first[1] < _PAD * 4 else max(0, first[0] - _PAD * 4)
    high = min(n, last[0] + m - last[1])
    return Overlay(blocks, low, high)


def _drawn_together(blocks: list[tuple[int, int, int]], source: str, text: str) -> list[tuple[int, int, int]]:
    """The same blocks, letters that fit in two places moved to the longer neighbor.

    Where the text has something more, the fewest changes can be made in several ways: the "The" before it may be found
    in any t, h and e that stands there.
    """
    done: list[tuple[int, int, int]] = []
    for block in reversed(blocks):
        s, t, size = block
        while done:
            s2, t2, size2 = done[-1]
            if s + size != s2 or t + size >= t2:
                break
            if size <= size2:  # its end moves behind
                moved = 0
                while (
                    moved < size and source[s + size - 1 - moved] == text[t2 - 1 - moved] and t2 - 1 - moved >= t + size
                ):
                    moved += 1
                if not moved:
                    break
                done[-1] = (s2 - moved, t2 - moved, size2 + moved)
                size -= moved
                break
            moved = 0  # the beginning of the other moves before
            while moved < size2 and source[s2 + moved] == text[t + size + moved] and t + size + moved < t2:
                moved += 1
            if not moved:
                break
            size += moved
            if moved == size2:
                done.pop()
            else:
                done[-1] = (s2 + moved, t2 + moved, size2 - moved)
                break
        if size:
            done.append((s, t, size))
    return done[::-1]


def _trimmed(blocks: list[tuple[int, int, int]]) -> list[tuple[int, int, int]]:
    """Without the odd letters at both ends that fit by chance."""
    start, end = 0, len(blocks)
    while start < end and blocks[start][2] < _EDGE:
        start += 1
    while end > start and blocks[end - 1][2] < _EDGE:
        end -= 1
    if start >= end:
        return []
    # a short block next to a long one belongs to it when little lies between
    while start > 0 and _close(blocks[start - 1], blocks[start]):
        start -= 1
    while end < len(blocks) and _close(blocks[end - 1], blocks[end]):
        end += 1
    return blocks[start:end]


def _close(one: tuple[int, int, int], other: tuple[int, int, int]) -> bool:
    return other[0] - one[0] - one[2] <= 2 and other[1] - one[1] - one[2] <= 2


def part_of(
    source: Mapped, text: Mapped, laid: Overlay, quote: tuple[int, int], *, free: frozenset[int] = frozenset(),
    marks: dict[int, str] | None = None,
) -> Part | None:  # fmt: skip
    """What a text that was laid over a source holds of one quote of it; None: nothing to speak of."""
    q0, q1 = quote
    low, high = max(q0, laid.low), min(q1, laid.high)
    if high - low < min(_SHORTEST, q1 - q0):
        return None
    inside = [_cut(b, q0, q1) for b in laid.blocks if b[0] < q1 and b[0] + b[2] > q0]
    inside = [b for b in inside if b[2] > 0]
    if not inside:
        return None
    start, end = inside[0][0], inside[-1][0] + inside[-1][2]
    first, last = inside[0][1], inside[-1][1] + inside[-1][2]
    start, end, first, last = _to_edges(start, end, first, last, (low, high), (q0, q1), len(text.bare))
    same = sum(b[2] for b in inside)
    agreed, possible = _around(laid, q0, q1)
    if agreed and _other_around(source, text, laid, (q0, q1), marks or {}):
        agreed = int(agreed * _OTHERWISE)
    fault = _unfinished(start, end, low, high, first, last, len(text.bare))
    fault = fault or _boundary_fault(source, text, start, end, first, last)
    if same == end - start == last - first:
        fault = fault or _gap_fault(source, text, inside, free)
        return Part(start, end, first, last, "normalized", 100.0, agreed, possible, (), fault)
    if same < _HOPELESS * (end - start):
        score = round(100.0 * same / (end - start), 1)
        return Part(start, end, first, last, "aligned", score, agreed, possible, (), "too little of it is alike")
    judged = _Judge(source, text, inside, (start, end, first, last), marks or {})
    wide = max(1, end - start, last - first - judged.passed_over)
    score = round(100.0 * same / wide, 1)
    fault = fault or _gap_fault(source, text, inside, free) or judged.fault
    if not fault and score < LEAST:
        fault = "too little of it is alike"
    return Part(start, end, first, last, "aligned", min(score, 99.9), agreed, possible, tuple(judged.inserted), fault)


def _cut(block: tuple[int, int, int], low: int, high: int) -> tuple[int, int, int]:
    s, t, size = block
    skip = max(0, low - s)
    return s + skip, t + skip, min(s + size, high) - s - skip


def _to_edges(
    start: int, end: int, first: int, last: int, shown: tuple[int, int], quote: tuple[int, int], length: int
) -> tuple[int, int, int, int]:  # fmt: skip
    """A few letters at an edge that differ belong to it: they are judged, not left out."""
    room = min(start - shown[0], first)
    if 0 < room <= _EDGE and start - quote[0] <= _EDGE:
        start, first = start - room, first - room
    room = min(shown[1] - end, length - last)
    if 0 < room <= _EDGE and quote[1] - end <= _EDGE:
        end, last = end + room, last + room
    return start, end, first, last


def _around(laid: Overlay, q0: int, q1: int) -> tuple[int, int]:
    low, high = max(laid.low, q0 - NEARBY), min(laid.high, q1 + NEARBY)
    possible = max(0, min(q0, high) - low) + max(0, high - max(q1, low))
    agreed = 0
    for s, _, size in laid.blocks:
        agreed += max(0, min(s + size, q0) - max(s, low)) + max(0, min(s + size, high) - max(s, q1))
    return agreed, possible


def _other_around(
    source: Mapped, text: Mapped, laid: Overlay, quote: tuple[int, int], marks: dict[int, str]
) -> bool:  # fmt: skip
    """Whether what stands around a quote says something else: the quote may be that of another edition."""
    sides = ((max(laid.low, quote[0] - NEARBY), quote[0]), (quote[1], min(laid.high, quote[1] + NEARBY)))
    for low, high in sides:
        blocks = [_cut(b, low, high) for b in laid.blocks if b[0] < high and b[0] + b[2] > low]
        if len(blocks) > 1:
            span = (blocks[0][0], blocks[-1][0] + blocks[-1][2], blocks[0][1], blocks[-1][1] + blocks[-1][2])
            if _Judge(source, text, blocks, span, marks).fault:
                return True
    return False


def _unfinished(start: int, end: int, low: int, high: int, first: int, last: int, length: int) -> str:
    """Where the text goes on, and the quote goes on otherwise."""
    if (start - low > _EDGE and first > _EDGE) or (high - end > _EDGE and length - last > _EDGE):
        return "a part of it reads otherwise"
    return ""


def _boundary_fault(source: Mapped, text: Mapped, start: int, end: int, first: int, last: int) -> str:
    """A number that goes on beyond the edge is another number."""
    if _runs_on(source, start, text, first) or _runs_on(source, end, text, last):
        return "a number at its edge is longer"
    return ""


def _runs_on(source: Mapped, place: int, text: Mapped, at: int) -> bool:
    if not 0 < at < len(text.bare) or not (text.bare[at - 1].isdigit() and text.bare[at].isdigit()):
        return False
    gap = text.gap(at)
    if len(gap) > 1 or gap not in ("", ".", ",", "/", ":", "'"):
        return False
    inner = 0 < place < len(source.bare)
    return not (inner and source.bare[place - 1].isdigit() and source.bare[place].isdigit())


def _gap_fault(
    source: Mapped, text: Mapped, blocks: Iterable[tuple[int, int, int]], free: frozenset[int]
) -> str:  # fmt: skip
    """Signs between the letters that are equal: 5.0 is no 50, -5 no 5, and < 5 no > 5."""
    for s, t, size in blocks:
        s_places, t_places = source.places[s : s + size], text.places[t : t + size]
        for n in range(1, size):
            a, b = s_places[n] - s_places[n - 1], t_places[n] - t_places[n - 1]
            if a <= 1 and b <= 1:
                continue
            one = source.text[s_places[n - 1] + 1 : s_places[n]]
            two = text.text[t_places[n - 1] + 1 : t_places[n]]
            if one != two and not (one.isspace() and two.isspace()) and not _same_gap(
                one, two, source.bare[s + n - 1], source.bare[s + n], s + n in free
            ):  # fmt: skip
                near = source.slice(s + max(0, n - 8), s + min(size, n + 8))
                return f"signs differ at {one_line(near, 40)!r}"
    return ""


def _same_gap(one: str, two: str, before: str, after: str, free: bool) -> bool:
    one, two = one.translate(_DASHES), two.translate(_DASHES)
    if any(ch in _SIGNS for ch in one + two) and Counter(c for c in one if c in _SIGNS) != Counter(
        c for c in two if c in _SIGNS
    ):
        return free and not any(ch in _SIGNS for ch in one)
    if free or not after.isdigit():
        return True
    if before.isdigit():
        return "".join(one.split()) == "".join(two.split())
    for mine, other in ((one, two), (two, one)):
        if _MINUS.search(mine) and "-" not in other:
            # a dash at the beginning of a line is the mark of a list
            return "\n" in mine
    return True


class _Judge:
    """What differs inside a quote, and whether it changes what is said."""

    def __init__(
        self, source: Mapped, text: Mapped, blocks: Sequence[tuple[int, int, int]], span: tuple[int, int, int, int],
        marks: dict[int, str],
    ) -> None:  # fmt: skip
        self._source, self._text, self._marks = source, text, marks
        self.inserted: list[str] = []
        self.passed_over = 0
        self._strange: dict[int, int] = {}
        start, end, first, last = span
        words = self._patched(blocks, start, end, first, last)
        expected = source.slice(start, end)
        self.fault = meaning_fault(expected, words) or _word_fault(source, blocks, self._strange, start, end)

    def _patched(
        self, blocks: Sequence[tuple[int, int, int]], start: int, end: int, first: int, last: int
    ) -> str:  # fmt: skip
        """The words of the source with what the text has in their place."""
        parts: list[str] = []
        s, t = start, first
        for block in (*blocks, (end, last, 0)):
            parts.append(self._difference(s, block[0], t, block[1]))
            if block[2]:
                gap = self._source.gap(block[0]) if block[0] > start else ""
                parts.append(gap + self._source.slice(block[0], block[0] + block[2]))
            s, t = block[0] + block[2], block[1] + block[2]
        return "".join(parts)

    def _difference(self, s0: int, s1: int, t0: int, t1: int) -> str:
        if t1 == t0:
            return ""
        said = self._text.slice(t0, t1)
        if s1 == s0 and (self._is_mark(s0, t0, t1) or self._is_page(t0, t1)):
            self.passed_over += t1 - t0
            return ""
        if t1 - t0 - (s1 - s0) >= _BLOCK:
            self.inserted.append(self._lines(t0, t1))
            self.passed_over += t1 - t0 - (s1 - s0)
            return ""
        self._strange[s0] = t1 - t0
        before = self._text.gap(t0) if t0 and s1 == s0 else self._source.gap(s0) if s0 else ""
        return before + said

    def _is_mark(self, place: int, t0: int, t1: int) -> bool:
        """A footnote mark: a digit or two, of the source, behind a word without a space, or in brackets."""
        said = self._text.bare[t0:t1]
        known = self._marks.get(place) or self._marks.get(place + 1)
        if known and (said in known or known in said):
            return True
        if not said.isdigit() or len(said) > 2 or not t0:
            return False
        gap = self._text.gap(t0)
        behind = self._text.bare[max(0, t0 - 3) : t0]
        fused = len(behind) == 3 and behind.isalpha() and (gap == "" or (gap in _ENDS and self._ends(t1)))
        return fused or gap.strip() in ("[", "(", "*") or gap.strip().endswith("[")

    def _ends(self, place: int) -> bool:
        """Whether a sentence ends before a place in the text: "Art.5 applies" goes on."""
        return place >= len(self._text.bare) or not self._text.text[self._text.places[place]].islower()

    def _is_page(self, t0: int, t1: int) -> bool:
        """A number alone on its line."""
        after = self._text.gap(t1) if t1 < len(self._text.bare) else "\n"
        before = self._text.gap(t0) if t0 else "\n"
        return self._text.bare[t0:t1].isdigit() and t1 - t0 <= _BLOCK and "\n" in before and "\n" in after

    def _lines(self, t0: int, t1: int) -> str:
        """The lines of the text that an insertion fills."""
        text, places = self._text.text, self._text.places
        start = text.rfind("\n", 0, places[t0] + 1) + 1
        end = text.find("\n", places[t1 - 1])
        whole = text[start : end if end >= 0 else len(text)]
        own = self._text.slice(t0, t1)
        return whole if fuzz.ratio(bare(whole), bare(own)) >= 75 else own


def _word_fault(
    source: Mapped, blocks: Sequence[tuple[int, int, int]], strange: dict[int, int], start: int, end: int
) -> str:
    """A word of the source of which less than half is there, or that has strange letters: it may be another word.

    Extraction loses letters and breaks words apart; it does not put other letters in their place.
    """
    kept = bytearray(end - start)
    for s, _, size in blocks:
        kept[s - start : s - start + size] = b"\x01" * size
    for w0, w1 in _words(source, start, end):
        others = sum(strange.get(place, 0) for place in range(w0, w1))
        if sum(kept[w0 - start : w1 - start]) * 2 < w1 - w0 or others >= _STRANGE:
            return f"{one_line(source.slice(w0, w1), 30)!r} reads otherwise"
    return ""


def _words(source: Mapped, start: int, end: int) -> Iterator[tuple[int, int]]:
    """Words by what stands between them; a character of Chinese or a kana is a word."""
    begin = start
    for place in range(start + 1, end):
        if source.places[place] - source.places[place - 1] > 1 or "\u3040" <= source.bare[place] < "\uac00":
            yield begin, place
            begin = place
    yield begin, end


def meaning_fault(expected: str, words: str) -> str:
    """Whether two wordings differ in what decides; a word behind a negation may be misspelled."""
    if expected == words:
        return ""
    one, two = critical(expected), critical(words)
    if len(one) != len(two):
        other = next((b for a, b in zip((*one, ""), (*two, ""), strict=False) if a != b), "")
        missing = next((a for a, b in zip((*one, ""), (*two, ""), strict=False) if a != b), "")
        return _instead(missing, other)
    for a, b in zip(one, two, strict=True):
        alike = a.startswith("~") and b.startswith("~") and fuzz.ratio(a, b) >= 75
        if a != b and not alike:
            return _instead(a, b)
    return "a word stands in its opposite" if opposed(expected, words) else ""


def _instead(expected: str, other: str) -> str:
    said = one_line(other.strip(), 30) or "nothing"
    return f"{said!r} in place of {one_line(expected.strip(), 30) or 'nothing'!r}"
