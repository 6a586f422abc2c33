"""How far two labelers agree: raw, Cohen's kappa, Krippendorff's alpha.

Sources:
    kappa: J. Cohen, A coefficient of agreement for nominal scales, 1960.
    alpha: K. Krippendorff, Computing Krippendorff's alpha-reliability, 2011, for any distance.
    MASI: R. Passonneau, Measuring agreement on set-valued items, 2006.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import Any, TypeVar

from curator.domain.model import Model
from curator.domain.review import LABELED_FIELDS, Review

T = TypeVar("T", bound=Hashable)
Distance = Callable[[Any, Any], float]
FEW = 30
"""Below so many cases, a coefficient says little: one case more or less moves it by several hundredths."""


class Statistic(Model):
    """A coefficient, or why there is none: then `value` is None and `why` says it in words."""

    value: float | None = None
    why: str = ""


class Measured(Model):
    """Agreement in one field over the cases of one stratum.

    Attributes:
        field: expectedBehavior, expectedSourceIds or risk.
        stratum: Dimension -> value; empty = all cases.
        cases: Cases with two labels.
        equal: Those on which both are the same; sources are compared as sets.
        raw: Share of those.
        kappa: Cohen's kappa; a set of sources counts as one label.
        alpha: Krippendorff's alpha, nominal; of sources with Jaccard's distance.
        masi: Of sources, alpha with the MASI distance, which is milder on a set within the other.
    """

    field: str
    stratum: Mapping[str, str] = {}
    cases: int
    equal: int
    raw: Statistic
    kappa: Statistic
    alpha: Statistic
    masi: Statistic | None = None


def nominal(one: object, other: object) -> float:
    """0 for the same, 1 for anything else."""
    return float(one != other)


def jaccard(one: frozenset[T], other: frozenset[T]) -> float:
    """Share of what either has that not both have; two empty sets are the same."""
    return 1 - len(one & other) / len(one | other) if one | other else 0.0


def masi(one: frozenset[T], other: frozenset[T]) -> float:
    """Jaccard's likeness times 1 for equal sets, 2/3 for one within the other, 1/3 for an overlap; as a distance."""
    if one == other:
        return 0.0
    common = one & other
    if not common:
        return 1.0
    factor = 2 / 3 if common in (one, other) else 1 / 3
    return 1 - (1 - jaccard(one, other)) * factor


def raw(pairs: Sequence[tuple[T, T]]) -> Statistic:
    """Share of equal pairs."""
    if not pairs:
        return Statistic(why="no case has two labels")
    return Statistic(value=sum(a == b for a, b in pairs) / len(pairs))


def kappa(pairs: Sequence[tuple[T, T]]) -> Statistic:
    """Cohen's kappa: (observed - expected) / (1 - expected), expected from what each of the two says how often.

    Undefined when chance alone would make every pair equal: both said one and the same thing throughout.
    """
    if not pairs:
        return Statistic(why="no case has two labels")
    size = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum(a == b for a, b in pairs) * size
    expected = sum(count * second[label] for label, count in first.items())
    if expected == size * size:
        return Statistic(why=f"both said one and the same of all {size}: chance alone would make them agree")
    return Statistic(value=(observed - expected) / (size * size - expected))


def alpha(units: Sequence[Sequence[T]], distance: Distance = nominal) -> Statistic:
    """Krippendorff's alpha: 1 - observed / expected disagreement, for any number of labels a unit.

    Args:
        units: The labels of each unit, in any order; a unit with fewer than two cannot be compared and is left out.
        distance: Between two labels, 0 to 1.
    """
    paired = [tuple(u) for u in units if len(u) > 1]
    if not paired:
        return Statistic(why="no case has two labels")
    values = Counter(v for unit in paired for v in unit)
    total = values.total()
    if len(values) == 1:
        return Statistic(why=f"all {total} labels are the same: there is nothing to tell apart")
    between = {(a, b): distance(a, b) for a in values for b in values}
    observed = sum(sum(between[a, b] for a in unit for b in unit) / (len(unit) - 1) for unit in paired) / total
    expected = sum(n * m * between[a, b] for a, n in values.items() for b, m in values.items()) / (
        total * (total - 1)
    )  # fmt: skip
    if not expected:
        return Statistic(why="no two labels are apart by this distance")
    return Statistic(value=1 - observed / expected)


def measured(
    pairs: Sequence[tuple[Review, Review]], stratum: Mapping[str, str] | None = None
) -> tuple[Measured, ...]:  # fmt: skip
    """Agreement in each of the labeled fields over pairs of labels."""
    return tuple(_measure(field, n, pairs, stratum or {}) for n, field in enumerate(LABELED_FIELDS))


def _measure(
    field: str, place: int, pairs: Sequence[tuple[Review, Review]], stratum: Mapping[str, str]
) -> Measured:  # fmt: skip
    said: list[tuple[Any, Any]] = [(a.label[place], b.label[place]) for a, b in pairs]
    sets = field == "expectedSourceIds"
    return Measured(
        field=field,
        stratum=stratum,
        cases=len(said),
        equal=sum(a == b for a, b in said),
        raw=raw(said),
        kappa=kappa(said),
        alpha=alpha(said, jaccard if sets else nominal),
        masi=alpha(said, masi) if sets else None,
    )
