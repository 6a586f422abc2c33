"""How alike two whole documents are: the share of their runs of three words that both have, estimated by MinHash."""

from __future__ import annotations

from collections.abc import Iterable

from curator.matching.candidates import words

PERMUTATIONS = 64
RUN = 3


def _runs(texts: Iterable[str]) -> set[str]:
    runs: set[str] = set()
    for text in texts:
        found = words(text)
        runs.update(" ".join(found[n : n + RUN]) for n in range(max(1, len(found) - RUN + 1)) if found)
    return runs


def sketch(texts: Iterable[str]) -> str:
    """What a document is like, as 64 numbers in hexadecimal; "" when it has no words."""
    from rensa import RMinHash

    runs = _runs(texts)
    if not runs:
        return ""
    made = RMinHash(num_perm=PERMUTATIONS, seed=1)
    made.update(sorted(runs))
    return " ".join(f"{number:x}" for number in made.digest())


def likeness(one: str, two: str) -> float:
    """Estimated share of what both have in all that either has, 0 to 1; one sketch that is "" is like nothing."""
    a, b = one.split(), two.split()
    return sum(x == y for x, y in zip(a, b, strict=True)) / len(a) if a and len(a) == len(b) else 0.0


def containment(one: Iterable[str], two: Iterable[str]) -> float:
    """Share of the shorter of two documents that the other has too, 0 to 1: one that grew much is still itself."""
    a, b = _runs(one), _runs(two)
    return len(a & b) / min(len(a), len(b)) if a and b else 0.0
