"""Which folds may ask the same in other words: suggested to a person, never merged.

By meaning where the model is there (cosine of at least .85), else by the words that carry content.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from rapidfuzz import fuzz

from curator.matching.folding import SMALL_WORDS
from curator.matching.wording import guard, last_question, wording

COSINE = 0.85
ALIKE = 80.0
_MOST = 20_000
_COMMON = 60

Embed = Callable[[Sequence[str]], Sequence[Sequence[float]]]


class Suggestion(NamedTuple):
    """Two folds that may be one: their numbers, the likeness from 0 to 1, and whether by meaning or by words."""

    one: int
    other: int
    likeness: float
    by: str


def content_of(question: str) -> frozenset[str]:
    """The stems of the words that carry content in the last question of a text."""
    plain = wording(last_question(question))
    return frozenset(_stem(w) for w in plain.split() if w not in SMALL_WORDS)


def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ed", "es", "s", "ly"):
        if word.endswith(ending) and len(word) - len(ending) >= 4:
            return word[: -len(ending)]
    return word


def by_words(questions: Mapping[int, str]) -> Iterator[Suggestion]:
    """Pairs of folds with the same content words, or nearly: spelled together, of one stem, one more on one side.

    Args:
        questions: Number of the fold -> its question, placeholders in it.
    """
    contents = {n: content_of(q) for n, q in questions.items()}
    guards = {n: _guard(questions[n]) for n in questions}
    holders: dict[str, list[int]] = defaultdict(list)
    for number, words in contents.items():
        for word in words:
            holders[word].append(number)
    seen: set[tuple[int, int]] = set()
    for number, words in contents.items():
        votes: Counter[int] = Counter()
        for word in sorted(words, key=lambda w: len(holders[w]))[:4]:
            if len(holders[word]) <= _COMMON:
                votes.update(holders[word])
        for other in votes:
            pair = (min(number, other), max(number, other))
            if other == number or pair in seen or not _agree(guards[number], guards[other]):
                continue
            seen.add(pair)
            if (likeness := _likeness(words, contents[other])) >= ALIKE:
                yield Suggestion(*pair, likeness / 100, "words")


def _guard(question: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The guard of the last question, and that of the whole text."""
    return guard(wording(last_question(question))), guard(wording(question))


def _agree(one: tuple[tuple[str, ...], tuple[str, ...]], other: tuple[tuple[str, ...], tuple[str, ...]]) -> bool:
    """The questions have one guard, and what stands before them does not contradict: "37.9" and "38.9" do."""
    if one[0] != other[0]:
        return False
    a, b = Counter(one[1]), Counter(other[1])
    return a <= b or b <= a


def _likeness(one: frozenset[str], other: frozenset[str]) -> float:
    """100 = the same content; 0 when each has a word that the other has nothing like."""
    only_a, only_b = sorted(one - other), sorted(other - one)
    if "".join(only_a) == "".join(only_b) or "".join(sorted(one)) == "".join(sorted(other)):
        return 100.0
    for word in list(only_a):
        if match := next((o for o in only_b if fuzz.ratio(word, o) >= 75), None):
            only_a.remove(word)
            only_b.remove(match)
    if only_a and only_b:
        joined = fuzz.ratio("".join(only_a), "".join(only_b))
        return joined if joined >= 85 else 0.0
    extra = len(only_a) + len(only_b)
    shared = len(one | other) - extra
    return 100.0 * shared / (shared + extra) if shared >= 2 else 0.0


def by_meaning(questions: Mapping[int, str], embed: Embed) -> Iterator[Suggestion]:
    """Pairs of folds of one guard whose questions mean nearly the same.

    Args:
        questions: As `by_words`; the first 20,000 are compared.
        embed: Texts -> unit vectors.
    """
    guards = {n: _guard(q) for n, q in questions.items()}
    groups: dict[tuple[str, ...], list[int]] = defaultdict(list)
    for number in list(questions)[:_MOST]:
        groups[guards[number][0]].append(number)
    for numbers in groups.values():
        if len(numbers) < 2:
            continue
        vectors = embed([last_question(questions[n]) for n in numbers])
        for i, one in enumerate(numbers):
            for j in range(i + 1, len(numbers)):
                if not _agree(guards[one], guards[numbers[j]]):
                    continue
                cosine = sum(a * b for a, b in zip(vectors[i], vectors[j], strict=True))
                if cosine >= COSINE:
                    yield Suggestion(min(one, numbers[j]), max(one, numbers[j]), round(float(cosine), 4), "meaning")
