"""How alike two whole documents are: the share of their runs of three words that both have, estimated by MinHash."""

from __future__ import annotations

from collections.abc import Iterable

from curator.matching.candidates import words

PERMUTATIONS = 64
RUN = 3


def sketch(texts: Iterable[str]) -> str:
    """What a document is like, as 64 numbers in hexadecimal; "" when it has no words."""
    from rensa import RMinHash

    made = RMinHash(num_perm=PERMUTATIONS, seed=1)
    empty = True
    for text in texts:
        found = words(text)
        runs = [" ".join(found[n : n + RUN]) for n in range(max(1, len(found) - RUN + 1))] if found else []
        made.update(runs)
        empty = empty and not runs
    return "" if empty else " ".join(f"{number:x}" for number in made.digest())


def likeness(one: str, two: str) -> float:
    """Estimated share of what both have in all that either has, 0 to 1; one sketch that is "" is like nothing."""
    a, b = one.split(), two.split()
    return sum(x == y for x, y in zip(a, b, strict=True)) / len(a) if a and len(a) == len(b) else 0.0
