"""Near-duplicate texts: the same wording but for case, punctuation and a few letters.

Normalised text, then a guard key (numbers, number words, negation, codes that have a digit): two texts whose guards
differ are never duplicates, however alike ("5 days" and "10 days"). Pairs come from MinHash bands (rensa) over
character 4-grams, and count as the same wording when rapidfuzz's ratio is at least 95. Between 88 and 95 lie
questions of one template about two things ("... with measles?", "... with mumps?"): nothing is joined for them.
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping

ALIKE = 95.0
PERMUTATIONS = 64
BANDS = 16
ALL_PAIRS_BELOW = 60
RESEMBLES = 75.0
_SMALL_WORDS = frozenset(
    re.findall(
        r"\w+",
        "a an the of in on at to for and or is are be do does did can could may must shall should will would please hi "
        "hello thanks thank you tell me i we it that this what which how quick question quickly know need want just so "
        "der die das ein eine und oder bitte le la les un une et el los las y por favor",
    )
)
_NUMBER_WORDS = frozenset(
    re.findall(
        r"\w+",
        "zero one two three four five six seven eight nine ten eleven twelve twenty thirty forty fifty hundred "
        "thousand million billion half twice once first second third "
        "한 두 세 네 다섯 여섯 일곱 여덟 아홉 열",
    )
)
_NEGATIONS = frozenset(
    re.findall(r"\S+", "not no never without none nothing nobody nowhere cannot neither nor except unless n't 안")
)
_NEGATING_SYLLABLES = ("않", "못", "없", "아니", "말아", "마세", "不", "没", "沒", "無", "未")


def normalised(text: str) -> str:
    """Compatibility forms and case folded, punctuation and repeated white space gone."""
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u2019", "'").replace("n't", " n't")
    return " ".join(re.sub(r"[^\w'%$€£¥.]+|(?<!\d)\.|\.(?!\d)", " ", folded).split())


def guard(text: str) -> tuple[str, ...]:
    """What must be equal in two duplicates: numbers and number words, negation, codes such as A12; sorted."""
    plain = normalised(text)
    found = [w for w in plain.split() if any(c.isdigit() for c in w) or w in _NUMBER_WORDS or w in _NEGATIONS]
    found += [m for m in _NEGATING_SYLLABLES for _ in range(plain.count(m))]
    return tuple(sorted(found))


def clusters(texts: Mapping[str, str]) -> dict[str, str]:
    """The cluster of each text that has a near-duplicate: id -> smallest id of its cluster.

    Args:
        texts: id -> text. Ids without a near-duplicate are not in the result.
    """
    parent = {name: name for name in texts}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    for one, other, _ in pairs(texts):
        a, b = root(one), root(other)
        if a != b:
            parent[max(a, b)] = min(a, b)
    members: dict[str, list[str]] = defaultdict(list)
    for name in texts:
        members[root(name)].append(name)
    return {name: key for key, names in members.items() if len(names) > 1 for name in names}


def pairs(
    texts: Mapping[str, str], *, alike: float = ALIKE, only: Collection[str] | None = None
) -> list[tuple[str, str, float]]:  # fmt: skip
    """Pairs of texts that are nearly the same, and how alike they are (100 = equal), in the order of the texts.

    Args:
        texts: id -> text.
        alike: Least likeness.
        only: Pairs with at least one of these ids, each compared with all others; None = all pairs, where of many
            texts those are compared that a sketch says may be alike.
    """
    from rapidfuzz import fuzz

    plain = {name: normalised(text) for name, text in texts.items()}
    candidates = _candidates(texts, plain) if only is None else _with(texts, only)
    found: dict[tuple[str, str], float] = {}
    for one, other in candidates:
        if (one, other) not in found and (ratio := fuzz.ratio(plain[one], plain[other], score_cutoff=alike)):
            found[one, other] = ratio
    return [(one, other, ratio) for (one, other), ratio in found.items()]


def _with(texts: Mapping[str, str], only: Collection[str]) -> Iterator[tuple[str, str]]:
    """Each of these texts with all that have its guard, in the order of the texts."""
    guards = {name: guard(text) for name, text in texts.items()}
    places = {name: n for n, name in enumerate(texts)}
    for one in only:
        for other in texts:
            if other != one and guards[other] == guards[one]:
                yield (one, other) if places[one] < places[other] else (other, one)


def _candidates(texts: Mapping[str, str], plain: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs with equal guards that may be alike."""
    buckets: dict[tuple[str, ...], list[str]] = defaultdict(list)
    for name, text in texts.items():
        buckets[guard(text)].append(name)
    for names in buckets.values():
        if len(names) <= ALL_PAIRS_BELOW:
            yield from ((a, b) for n, a in enumerate(names) for b in names[n + 1 :])
        else:
            yield from _banded(names, plain)


def _banded(names: list[str], plain: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Pairs that share a band of their MinHash; equal texts share all of them."""
    from rensa import RMinHash

    rows = PERMUTATIONS // BANDS
    bands: dict[tuple[int, tuple[int, ...]], list[str]] = defaultdict(list)
    for name in names:
        text = plain[name]
        sketch = RMinHash(num_perm=PERMUTATIONS, seed=1)
        sketch.update([text[i : i + 4] for i in range(max(1, len(text) - 3))])
        digest = sketch.digest()
        for band in range(BANDS):
            bands[band, tuple(digest[band * rows : (band + 1) * rows])].append(name)
    for members in bands.values():
        yield from ((a, b) for n, a in enumerate(members) for b in members[n + 1 : n + 61])


def same_subject(one: str, other: str) -> bool:
    """Whether two texts that are alike differ in their wording only, and not in what they are about.

    "How long with measles?" and "How long with mumps?" are alike by their letters. Where each has a word that nothing
    in the other resembles, they speak of two things.
    """
    from rapidfuzz import fuzz

    mine, theirs = (frozenset(_telling(text)) for text in (one, other))
    gone, come = mine - theirs, theirs - mine
    if not gone or not come:
        return True
    return all(max(fuzz.ratio(word, w) for w in come) >= RESEMBLES for word in gone) or all(
        max(fuzz.ratio(word, w) for w in gone) >= RESEMBLES for word in come
    )


def _telling(text: str) -> list[str]:
    return [word for word in re.findall(r"\w+", normalised(text)) if word not in _SMALL_WORDS]
