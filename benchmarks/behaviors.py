"""How often the patterns of `curator.domain.behaving` are right, by language.

    python -m benchmarks.behaviors

behaviors.tsv was written for this: answers of every kind, among them ones that are full of "not" and are none of the
system's own refusals. Precision: of those that were called so, the share that is. Recall: of those that are, the share
that was called so. An `answer` has no pattern: it must be called unknown.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from curator.domain.behaving import LANGUAGES, shown
from curator.domain.statistics import wilson

LIST = Path(__file__).with_suffix(".tsv")
LABELS = ("refuse", "escalate", "hedged")


class Labeled(NamedTuple):
    """An answer with what a person says it does."""

    language: str
    label: str
    answer: str


def labeled(path: Path = LIST) -> tuple[Labeled, ...]:
    """The list."""
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(Labeled(*row) for row in list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[1:])


def counts(rows: tuple[Labeled, ...]) -> Counter[tuple[str, str, str]]:
    """(language, label, what was seen) -> answers; one that shows two things counts under each."""
    return Counter((r.language, r.label, s) for r in rows for s in shown(r.answer, r.language))


def figures(rows: tuple[Labeled, ...]) -> Iterator[tuple[str, str, int, int, int]]:
    """Language, label, right, called so, really so; "all" is every language."""
    seen = counts(rows)
    for language in (*LANGUAGES, "all"):
        for label in LABELS:
            mine = {k: n for k, n in seen.items() if language in (k[0], "all")}
            right = sum(n for k, n in mine.items() if k[1] == label == k[2])
            called = sum(n for k, n in mine.items() if k[2] == label)
            really = sum(r.label == label and language in (r.language, "all") for r in rows)
            yield language, label, right, called, really


def main() -> None:
    """Print the table, then what was taken for something else."""
    rows = labeled()
    print(f"{'':4} {'':9} precision            recall")
    for language, label, right, called, really in figures(rows):
        low, high = wilson(right / called if called else 0, called)
        print(f"{language:4} {label:9} {right:3}/{called:<3} {low:.2f}-{high:.2f}     {right:3}/{really}")
    for row in rows:
        found = shown(row.answer, row.language)
        if found != {row.label if row.label in LABELS else "unknown"}:
            print(f"{row.language} {row.label:9} seen as {', '.join(sorted(found))}: {row.answer}")


if __name__ == "__main__":
    main()
