"""Folding: which wordings say the same, so that a failure seen a thousand times is judged once.

Exact wording first; then pairs from MinHash bands with the guard in the bucket key, so that "5 days" and "10 days"
are never even compared; then the likeness of the letters, and what differs word by word. At 95 and above, when only
slips of typing and small words differ, a wording folds; from 88 it is asked about. Folds are stars: a wording is
compared with the middle of a fold alone, so that chains do not drift. Nothing is merged by meaning.
"""

from __future__ import annotations

import hashlib
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz
from rensa import RMinHash

from curator.matching.slips import Difference, difference
from curator.matching.wording import guard

FOLDS = 95.0
ASKS = 88.0
PERMUTATIONS = 64
BANDS = 16
_ROWS = PERMUTATIONS // BANDS
_MOST_IN_BUCKET = 60
_MOST_COMPARED = 200
BYTES_A_WORDING = 2400
"""Most memory that one distinct wording takes in the index, measured; repeats of it take none."""


class Wording(NamedTuple):
    """One distinct wording: its number, its normalised text, and how many failures have it."""

    number: int
    text: str
    uses: int = 1


class Verdict(NamedTuple):
    """What became of a wording.

    Attributes:
        number: Of the wording.
        into: Wording that it folds into; itself when it stands alone.
        ratio: Likeness of the two, 0 to 100.
        ask: Wording about which a person is asked, 0 = none.
        ask_ratio: Likeness with that.
        bands: Its buckets, for the next time.
    """

    number: int
    into: int
    ratio: float = 100.0
    ask: int = 0
    ask_ratio: float = 0.0
    bands: bytes = b""


def digest(plain: str, context: str = "") -> bytes:
    """What is equal for equal wordings: sixteen bytes of a hash without spaces.

    Args:
        plain: The normalised text.
        context: The conversation before it, for a question that leans on it.
    """
    solid = plain.replace(" ", "") + ("\x00" + context if context else "")
    return hashlib.blake2b(solid.encode("utf-8", "surrogatepass"), digest_size=16).digest()


class FoldIndex:
    """The folds so far, to which wordings are added in order of how common they are."""

    def __init__(self) -> None:
        self._texts: dict[int, str] = {}
        self._buckets: dict[int, int | array[int]] = {}
        self._words: Counter[str] = Counter()

    def __len__(self) -> int:
        """How many folds there are."""
        return len(self._texts)

    def learn(self, texts: Iterable[str]) -> None:
        """Count the words of distinct wordings: a word that several have is no slip of typing."""
        for text in texts:
            self._words.update(set(text.split()))

    def restore(self, number: int, text: str, bands: bytes) -> None:
        """Put the middle of a fold back that was stored earlier."""
        self._texts[number] = text
        for key in array("q", bands):
            self._put(key, number)

    def add(self, wordings: Sequence[Wording]) -> Iterator[Verdict]:
        """Fold new wordings, or let them stand, the commonest first; `learn` their words before."""
        for wording in sorted(wordings, key=lambda w: (-w.uses, w.number)):
            yield self._placed(wording)

    def _placed(self, wording: Wording) -> Verdict:
        keys = bands_of(wording.text)
        best, best_ratio, ask, ask_ratio = 0, 0.0, 0, 0.0
        for number in self._near(keys):
            other = self._texts[number]
            ratio = fuzz.ratio(wording.text, other, score_cutoff=ASKS)
            if not ratio:
                continue
            differ = self.difference(wording.text, other)
            if differ == "none" and ratio >= FOLDS:
                if ratio > best_ratio:
                    best, best_ratio = number, ratio
            elif differ != "words" and ratio > ask_ratio:
                ask, ask_ratio = number, ratio
        if best:
            return Verdict(wording.number, best, best_ratio)
        self._texts[wording.number] = wording.text
        for key in keys:
            self._put(key, wording.number)
        return Verdict(wording.number, wording.number, 100.0, ask, ask_ratio, keys.tobytes())

    def difference(self, one: str, other: str) -> Difference:
        """What differs between two wordings of one guard; as `slips.difference`, with the words that were learnt."""
        return difference(one, other, self._words)

    def _near(self, keys: array[int]) -> list[int]:
        """Middles that share a bucket, those that share most first."""
        votes: Counter[int] = Counter()
        for key in keys:
            found = self._buckets.get(key)
            if isinstance(found, int):
                votes[found] += 1
            elif found is not None:
                votes.update(found)
        return [number for number, _ in votes.most_common(_MOST_COMPARED)]

    def _put(self, key: int, number: int) -> None:
        found = self._buckets.get(key)
        if found is None:
            self._buckets[key] = number
        elif isinstance(found, int):
            self._buckets[key] = array("q", (found, number))
        else:
            if len(found) >= _MOST_IN_BUCKET:
                found.pop(0)
            found.append(number)


def bands_of(text: str) -> array[int]:
    """The buckets of a wording: sixteen numbers of 64 bits, each of its guard and four MinHashes over 4-grams."""
    sketch = RMinHash(num_perm=PERMUTATIONS, seed=1)
    sketch.update([text[i : i + 4] for i in range(max(1, len(text) - 3))])
    hashes = sketch.digest()
    key = hash_of("\x00".join(guard(text)))
    made = array("q")
    for band in range(BANDS):
        mixed = key ^ (band * 0x9E3779B97F4A7C15)
        for value in hashes[band * _ROWS : (band + 1) * _ROWS]:
            mixed = ((mixed ^ value) * 0x100000001B3 + 0x9E3779B9) & 0xFFFFFFFFFFFFFFFF
            mixed ^= mixed >> 29
        made.append(mixed - (1 << 64) if mixed >= 1 << 63 else mixed)
    return made


def hash_of(text: str) -> int:
    """A hash of 64 bits that is the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=8).digest(), "little")
