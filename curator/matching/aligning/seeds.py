"""Which passages a chunk may hold: pieces of eight letters that both have, looked up in an index of the passages.

The index has every place of the quotes; of a chunk every fourth is looked up. So the work for a
chunk follows its length, and memory the length of the passages, never the number of chunks.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence, Set
from itertools import accumulate

from curator.matching.aligning.passages import Passage

SIZE, STRIDE = 8, 4
COMMON = 6
"""A piece that stands in more places tells little: it is left out, but for the rarest of each passage."""
RAREST, RAREST_OF_ROW = 24, 8
LONG = 40
"""A text of so many letters must share three pieces; what is shorter is found by one."""
BRIEF = 28
DENSE = 0.45
"""Of the pieces that a text would share with a passage if it held it, so many must be there, in one line."""
FEW, DENSER = 6, 0.6
"""Where few would be shared, chance is nearer."""
_BAND = 12
_AWAY = 40
_BITS = 24
_PLACE = (1 << _BITS) - 1
Hits = list[tuple[int, int]]


class Seeds:
    """The index. A form is known by its number: twice the place of the passage in the list, plus that of the form."""

    def __init__(self, passages: Sequence[Passage]) -> None:
        index: dict[str, list[int]] = defaultdict(list)
        self._lengths: dict[int, int] = {}
        for number, passage in enumerate(passages):
            for place, form in enumerate(passage.forms):
                self._lengths[number * 2 + place] = len(form.bare)
                base = (number * 2 + place) << _BITS
                for start in _places(passage, len(form.bare)):
                    index[form.bare[start : start + SIZE]].append(base | start)
        rows = {n * 2 + f for n, p in enumerate(passages) if p.kind == "row" for f in (0, 1)}
        self._index = _thinned(index, rows)
        self._indexed = _counted(self._index.values(), self._lengths)
        self._quotes = {
            number * 2: [(q.start, q.end) for q in passage.quotes]
            for number, passage in enumerate(passages)
            if len(passage.quotes) > 1
        }
        self._needed = {
            number * 2 + place: self._least(number * 2 + place, _shortest(passage, len(form.bare)))
            for number, passage in enumerate(passages)
            for place, form in enumerate(passage.forms)
        }
        self._short = [
            (number * 2 + place, form.bare)
            for number, passage in enumerate(passages)
            for place, form in enumerate(passage.forms)
            if 0 < len(form.bare) < SIZE + STRIDE - 1
        ]

    def hits(self, text: str) -> dict[int, Hits]:
        """Forms that share enough with a bare text: form -> places in the form and in the text."""
        index = self._index
        by_form: dict[int, Hits] = {}
        end = len(text) - SIZE
        for at in (*range(0, end + 1, STRIDE), end) if end >= 0 else ():
            for post in index.get(text[at : at + SIZE], ()):
                form = post >> _BITS
                if form in by_form:
                    by_form[form].append((post & _PLACE, at))
                else:
                    by_form[form] = [(post & _PLACE, at)]
        needed = self._needed
        made = {
            form: pairs
            for form, pairs in by_form.items()
            if len(pairs) >= needed[form] and self._is_dense(form, pairs, len(text))
        }
        for form, short in self._short:
            if (at := text.find(short)) >= 0:
                made.setdefault(form, [(0, at)])
        return made

    def _least(self, form: int, shortest: int) -> int:
        """How many pieces must be shared at least: three, of a short text or one of common pieces fewer."""
        return max(1, min(3, self._indexed[form][-1] // STRIDE // 2)) if shortest >= LONG else 1

    def _is_dense(self, form: int, pairs: Hits, length: int) -> bool:
        if self._lengths[form] < BRIEF:
            return True
        shifts: dict[int, int] = {}
        for place, at in pairs:
            band = (place - at) // _BAND
            shifts[band] = shifts.get(band, 0) + 1
        band = max(shifts, key=shifts.__getitem__)
        count = sum(
            n for other, n in shifts.items() if abs(other - band) <= 1 or (n > 1 and abs(other - band) <= _AWAY)
        )
        if count < self._needed[form]:
            return False
        low = max(0, (band - 1) * _BAND)
        high = min(self._lengths[form], (band + 2) * _BAND + length)
        if self._is_enough(form, count, low, high):
            return True
        for start, end in self._quotes.get(form, ()):  # one of several may be held alone
            inside = sum(start <= place < end and abs((place - at) // _BAND - band) <= 1 for place, at in pairs)
            if inside >= self._needed[form] and self._is_enough(form, inside, max(low, start), min(high, end)):
                return True
        return False

    def _is_enough(self, form: int, count: int, low: int, high: int) -> bool:
        indexed = self._indexed[form]
        expected = (indexed[max(low, high - SIZE)] - indexed[low]) / STRIDE
        return count >= (DENSE if expected > FEW else DENSER) * expected


def _places(passage: Passage, length: int) -> range | list[int]:
    if passage.kind == "row":
        return range(max(0, length - SIZE + 1))
    wanted: set[int] = set()
    for quote in passage.quotes:
        wanted.update(range(quote.start, max(quote.start, min(length, quote.end) - SIZE) + 1))
    return sorted(wanted)


def _shortest(passage: Passage, length: int) -> int:
    """Letters of the shortest quote of a chunk, or of a row."""
    return length if passage.kind == "row" else min((q.end - q.start for q in passage.quotes), default=0)


def _thinned(index: dict[str, list[int]], rows: Set[int]) -> dict[str, list[int]]:
    """Without pieces that stand everywhere; each form keeps its rarest, whatever they are."""
    kept = {piece: posts for piece, posts in index.items() if len(posts) <= COMMON}
    forms = Counter(post >> _BITS for posts in kept.values() for post in posts)
    rare: dict[int, list[tuple[int, str, int]]] = defaultdict(list)
    for piece, posts in index.items():
        if len(posts) > COMMON:
            for post in posts:
                if forms[post >> _BITS] < (RAREST_OF_ROW if post >> _BITS in rows else RAREST):
                    rare[post >> _BITS].append((len(posts), piece, post))
    for form, entries in rare.items():
        for _, piece, post in sorted(entries)[: RAREST_OF_ROW if form in rows else RAREST]:
            kept.setdefault(piece, []).append(post)
    return kept


def _counted(posts: Iterable[Sequence[int]], lengths: dict[int, int]) -> dict[int, list[int]]:
    """For each form, how many of its places before each place are in the index."""
    marks = {form: [0] * (length + 1) for form, length in lengths.items()}
    for entries in posts:
        for post in entries:
            marks[post >> _BITS][(post & _PLACE) + 1] += 1
    return {form: list(accumulate(counts)) for form, counts in marks.items()}
