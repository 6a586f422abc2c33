"""How often what must not be claimed is seen, and a warning of it is not taken for the claim, by language.

    python -m benchmarks.claims

claims.tsv was written for this: answers that claim something, and answers that warn of the same thing, rule it out or
report it. Printed: of the answers that make the claim, those in which it was seen; of those that do not, those that
were let pass; with the 95 % interval of Wilson. What was taken for the other follows, line by line.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import NamedTuple

from curator.domain.cautioning import asks_for_warnings
from curator.domain.stating import Said
from curator.domain.statistics import wilson

LIST = Path(__file__).with_suffix(".tsv")


class Labeled(NamedTuple):
    """An answer, and whether a person says that it makes the claim."""

    language: str
    made: str
    claim: str
    question: str
    answer: str

    @property
    def seen(self) -> bool:
        """Whether it is judged as the person judges it."""
        said = Said(self.answer, self.language)
        return said.claims(self.claim, asked=asks_for_warnings((self.question,))) == (self.made == "yes")


def labeled(path: Path = LIST) -> tuple[Labeled, ...]:
    """The list."""
    with path.open(encoding="utf-8", newline="") as stream:
        return tuple(Labeled(*row) for row in list(csv.reader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))[1:])


def main() -> None:
    """Print the table, then what was judged otherwise."""
    rows = labeled()
    for language in (*dict.fromkeys(r.language for r in rows), "all"):
        for made, words in (("yes", "made, seen"), ("no", "not made, let pass")):
            mine = [r.seen for r in rows if r.made == made and language in (r.language, "all")]
            low, high = wilson(sum(mine) / len(mine), len(mine))
            print(f"{language:4} {words:18} {sum(mine):3}/{len(mine):<3} {low:.2f}-{high:.2f}")
    for row in rows:
        if not row.seen:
            print(f"{row.language} {row.made:3} {row.claim}: {row.question} {row.answer}")


if __name__ == "__main__":
    main()
