"""How far a judge (a model that scores answers) agrees with people, overall and by risk and language.

People find an output right when its completeness and its accuracy, each averaged over raters, are at least 4 of 5. A
judge does when it says passed, else when its score reaches the middle of its scale (0 to 1), or 4 on a scale up to 5.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from curator.domain.agreement import kappa
from curator.domain.expecting import Expectation
from curator.domain.gate_report import JudgeRow
from curator.domain.tallying import rate, spearman

RIGHT = 4.0
MIDDLE = 0.5
DIMENSIONS = ("risk", "language")


class Human(NamedTuple):
    """What people said of one output: means over raters."""

    completeness: float
    accuracy: float

    @property
    def right(self) -> bool:
        """Whether they find it right."""
        return self.completeness >= RIGHT and self.accuracy >= RIGHT

    @property
    def mean(self) -> float:
        """One number for ranking."""
        return (self.completeness + self.accuracy) / 2


class Judged(NamedTuple):
    """What a judge said of one output."""

    score: float | None
    passed: bool | None


def agreement(
    judge: str, judged: Mapping[str, Judged], people: Mapping[str, Human], cases: Mapping[str, Expectation]
) -> tuple[JudgeRow, ...]:
    """A row over all cases that both looked at, then one for each risk and language."""
    both = [name for name in judged if name in people and name in cases]
    top = max((j.score for j in judged.values() if j.score is not None), default=0.0)
    said = {name: _right(judged[name], top) for name in both}
    kept = [name for name in both if said[name] is not None]
    rows = [_row(judge, "all", "all", kept, judged, people, said)]
    for dimension in DIMENSIONS:
        values = sorted({cases[name].stratum(dimension) for name in kept})
        for value in values if len(values) > 1 else ():
            mine = [name for name in kept if cases[name].stratum(dimension) == value]
            rows.append(_row(judge, dimension, value, mine, judged, people, said))
    return tuple(rows)


def _right(judged: Judged, top: float) -> bool | None:
    if judged.passed is not None:
        return judged.passed
    return None if judged.score is None else judged.score >= (MIDDLE if top <= 1 else RIGHT)


def _row(
    judge: str, dimension: str, value: str, names: Sequence[str], judged: Mapping[str, Judged],
    people: Mapping[str, Human], said: Mapping[str, bool | None],
) -> JudgeRow:  # fmt: skip
    pairs = [(bool(said[n]), people[n].right) for n in names]
    coefficient = kappa(pairs)
    ranked = [(s, people[n].mean) for n in names if (s := judged[n].score) is not None]
    rho = spearman(ranked)
    return JudgeRow(
        dimension=dimension,
        value=value,
        judge=judge,
        agree=rate((float(a == b), 1.0) for a, b in pairs),
        kappa=coefficient.value or 0.0,
        why=coefficient.why,
        lenient=sum(a and not b for a, b in pairs),
        strict=sum(b and not a for a, b in pairs),
        rho=rho or 0.0,
        why_rho="" if rho is not None else "no scores, or all of one value",
    )
