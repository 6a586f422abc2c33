"""Whether two wordings differ by slips of typing only, or in what they say.

A slip is a letter doubled, left out inside a word, or exchanged with its neighbor. What changes a word at its beginning
or its end changes what it means more often than not ("activate" and "deactivate", "employer" and "employee"), and so do
two changed letters ("hyper" and "hypo"): about those a person is asked, unless the odd word is nowhere else.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import zip_longest
from pathlib import Path
from typing import Literal

from rapidfuzz import fuzz
from rapidfuzz.distance import OSA

Difference = Literal["none", "extra", "words"]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


SMALL_WORDS = _set(
    "a an the is are was were be been being am do does did doing have has had having of to in on at for from by "
    "with as into onto about and or so if when then than that this these those there here it its i you we they he "
    "she my your our his their me us them who what which where why how much many will would shall should can could "
    "may might must need allowed please just also still get got der die das den dem des ein eine einen einem einer "
    "und oder zu im in am an auf von bei mit für le la les un une des du de et à au aux en el los las del y al lo "
    "il gli di da"
)
"""Words that carry no subject."""
_FREE = _set(
    "a an the is are was were be been being am do does did doing have has had having of that this these those there "
    "here it its and just please also still get got i der die das den dem des ein eine einen einem einer le la les "
    "un une du de el los las del al lo il gli"
)
"""Small words of which one may stand for another, or none."""
ASKING = _set(
    "who whom whose where when why how wer wen wem wo wann warum wie qui où quand pourquoi comment quién dónde "
    "cuándo cómo"
)
_TURNING = _set("de un in im ir il dis non mis ab anti hypo hyper ent ver re pre post sub over under out mal des")
"""What before a word makes another of it."""
_RARER = 8
_ALIKE = 90.0
"""Least likeness of what is left on both sides when one wording has words that the other writes apart or not at all."""


@cache
def _confusable() -> frozenset[tuple[str, str]]:
    lines = Path(__file__).with_name("confusable.txt").read_text("utf-8").splitlines()
    pairs = [tuple(p.split("/")) for line in lines if not line.startswith("#") for p in line.split()]
    return frozenset((a, b) for a, b in pairs) | frozenset((b, a) for a, b in pairs)


def is_slip(one: str, other: str) -> bool:
    """Whether two words are one, misspelt: one letter doubled, left out inside, or exchanged with the next."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    if len(short) < 3 or len(long) < 4 or (one, other) in _confusable() or not (one.isalpha() and other.isalpha()):
        return False
    if OSA.distance(one, other, score_cutoff=1) != 1:
        return False
    if len(long) == len(short):
        return sorted(one) == sorted(other)
    place = next((n for n, (a, b) in enumerate(zip_longest(long, short)) if a != b), len(short))
    doubled = long[place] in long[max(0, place - 1) : place] + long[place + 1 : place + 2]
    return doubled or (0 < place < len(long) - 1 and len(long) >= 5)


def resembles(one: str, other: str) -> bool:
    """Whether two words may be one: near in letters, with the same beginning."""
    long, short = (one, other) if len(one) >= len(other) else (other, one)
    turned = long.endswith(short) and long[: -len(short)] in _TURNING
    sides = {word.rstrip("s")[-2:] for word in (one, other)}
    if turned or (sides & {"er", "or"} and sides & {"ee", "ed"}):
        return False  # the insurer and the insured
    length = max(len(one), len(other))
    allowed = 1 if length <= 5 else 2
    return length >= 3 and min(len(one), len(other)) >= 2 and OSA.distance(one, other, score_cutoff=allowed) <= allowed


def _is_odd(one: str, other: str, uses: Mapping[str, int]) -> bool:
    """Whether two words differ by one letter at an end and one of them is in a single wording, the other in many.

    Also a letter of an article or an auxiliary, where nothing hangs on it: "th" for "the".
    """
    rare, common = sorted((one, other), key=lambda w: uses.get(w, 0))
    if common in SMALL_WORDS:
        if rare in SMALL_WORDS or OSA.distance(rare, common, score_cutoff=1) != 1:
            return False
        same_letters = set(rare) == set(common) and len(rare) >= len(common)  # "tto", "ni", "woh"
        return common in _FREE or (same_letters and uses.get(common, 0) >= _RARER * uses.get(rare, 0))
    if (one, other) in _confusable() or min(len(one), len(other)) < 5 or uses.get(rare, 0) > 1:
        return False
    cut = common.startswith(rare) or common.endswith(rare) or rare.startswith(common)
    return cut and abs(len(one) - len(other)) == 1 and uses.get(common, 0) >= _RARER


def _both_known(one: Sequence[str], other: Sequence[str], uses: Mapping[str, int]) -> bool:
    """Whether the words on both sides are words that others use too, neither far rarer than the other.

    A slip of typing is rare beside the word that was meant, even where it was made more than once.
    """
    rare, common = sorted((min(uses.get(w, 0) for w in one), min(uses.get(w, 0) for w in other)))
    return rare > 2 and common < _RARER * rare


def difference(one: str, other: str, uses: Mapping[str, int]) -> Difference:
    """What differs between two wordings of one guard.

    Args:
        one: A normalised wording.
        other: Another.
        uses: Word -> how many wordings have it.

    Returns:
        "none" = slips of typing and articles; "extra" = small words, order or letters, about which a person is asked;
        "words" = each has a word of its own, or the two have changed their parts.
    """
    first, second = one.split(), other.split()
    a, b = Counter(first), Counter(second)
    only_a, only_b = list((a - b).elements()), list((b - a).elements())
    if "".join(first) == "".join(second):
        return "none"
    doubtful = False
    for word in list(only_a):
        near = [o for o in only_b if resembles(word, o) and not _both_known([word], [o], uses)]
        sure = [o for o in near if is_slip(word, o) or _is_odd(word, o, uses)]
        if match := next(iter(sure or near), None):
            only_a.remove(word)
            only_b.remove(match)
            doubtful |= not sure
            second[second.index(match)] = word
    if {"from", "to"} == {w for w in (*only_a, *only_b) if w in ("from", "to")} and ("to" in only_a) != (
        "to" in only_b
    ):
        return "words"
    asked_a, asked_b = ASKING.intersection(only_a), ASKING.intersection(only_b)
    if asked_a and asked_b and asked_a != asked_b:
        return "words"
    left_a = [w for w in only_a if w not in SMALL_WORDS]
    left_b = [w for w in only_b if w not in SMALL_WORDS]
    if not left_a and not left_b:
        order = _order(first, second)
        if order == "words":
            return "words"
        binding = [w for w in only_a if w not in _FREE], [w for w in only_b if w not in _FREE]
        return "extra" if doubtful or order == "extra" or asked_a or asked_b or all(binding) else "none"
    joined_a, joined_b = "".join(only_a), "".join(only_b)
    if is_slip(joined_a, joined_b) or joined_a == joined_b:
        return "none" if not doubtful and not _both_known(only_a, only_b, uses) else "extra"
    if left_a and left_b:
        near_enough = fuzz.ratio(joined_a, joined_b) >= _ALIKE and not _both_known(only_a, only_b, uses)
        return "extra" if near_enough else "words"
    return "extra"


def _order(first: Sequence[str], second: Sequence[str]) -> Difference:
    """Whether words that carry content come in one order; "words" = two have changed places across others."""
    a = [w for w in first if w not in SMALL_WORDS]
    b = [w for w in second if w not in SMALL_WORDS]
    if a == b:
        return "none"
    return "words" if swapped(a, b) else "extra"


def swapped(one: Sequence[str], other: Sequence[str]) -> bool:
    """Whether two words have changed places, with others between them that stayed: who pays whom."""
    if len(one) != len(other):
        return False
    places = [n for n, (a, b) in enumerate(zip(one, other, strict=True)) if a != b]
    if len(places) != 2 or places[1] - places[0] < 2:
        return False
    i, j = places
    return one[i] == other[j] and one[j] == other[i]
