"""Quotas: what presets ask for, what "*" stands for, and how many cases are missing."""

from __future__ import annotations

import itertools
import math
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from curator.domain.model import Model
from curator.domain.suite import EACH, Gap, Quota, dimension

ANY = EACH
"""As a value in `where`: one quota for each value that there is."""

PRESETS: Mapping[str, tuple[Quota, ...]] = {
    "smoke": (Quota(minimum=30),),
    "regulated": (
        Quota(minimum=30),
        *(Quota(where={"domain": ANY, "lengthStratum": band}, minimum=3) for band in ("2x", "5x", "10x")),
        Quota(where={"expectedBehavior": "refuse"}, minimum=0.15, unit="share"),
        Quota(where={"route": ANY, "risk": "critical"}, minimum=20),
    ),
}
"""smoke: enough to see that something broke. regulated: every domain long, refusals, every critical route."""

PRESET_WORDS = {
    "smoke": "30 cases: sees that something broke, proves no small change",
    "regulated": "30 cases, 3 of each domain at 2x, 5x and 10x, 15% refusals, 20 of each critical route",
}


class Asked(Model):
    """One quota as it stands now: what there is, what it asks for, and how many cases more would meet it."""

    quota: Quota
    have: float
    missing: int

    @property
    def met(self) -> bool:
        """Whether nothing is missing."""
        return not self.missing


def expanded(quotas: Sequence[Quota], known: Callable[[str, Mapping[str, str]], Sequence[str]]) -> tuple[Quota, ...]:
    """The quotas with "*" replaced by each value that there is; the same cell is asked for once, by the larger minimum.

    Args:
        quotas: As curator.toml says them.
        known: Gives the values of a dimension, told what else the quota says.
    """
    found: dict[tuple[tuple[tuple[str, str], ...], str], Quota] = {}
    for quota in quotas:
        fixed = {k: v for k, v in quota.where.items() if v != ANY}
        open_dimensions = [k for k, v in quota.where.items() if v == ANY]
        for values in itertools.product(*(known(d, fixed) for d in open_dimensions)):
            chosen = dict(zip(open_dimensions, values, strict=True))
            where = {k: chosen.get(k, v) for k, v in quota.where.items()}
            one = quota.model_copy(update={"where": where})
            key = (tuple(sorted(where.items())), quota.unit)
            if key not in found or found[key].minimum < one.minimum:
                found[key] = one
    return tuple(found.values())


def matches(line: Mapping[str, Any], where: Mapping[str, str]) -> bool:
    """Whether a line (or what stands for one) lies in a cell."""
    return all(dimension(line, k) == v for k, v in where.items())


def asked(quotas: Sequence[Quota], lines: Sequence[Mapping[str, Any]]) -> tuple[Asked, ...]:
    """Every quota, met or not, in their order; one pass over the lines for each set of dimensions."""
    counts: dict[tuple[str, ...], Counter[tuple[str, ...]]] = {}
    found = []
    for quota in quotas:
        names = tuple(quota.where)
        if names not in counts:
            columns = [[dimension(line, n) for line in lines] for n in names]
            counts[names] = Counter(zip(*columns, strict=True)) if names else Counter({(): len(lines)})
        count = counts[names].get(tuple(quota.where.values()), 0)
        have = float(count) if quota.unit == "cases" else (count / len(lines) if lines else 0.0)
        found.append(Asked(quota=quota, have=have, missing=missing(quota, count, len(lines))))
    return tuple(found)


def missing(quota: Quota, count: int, total: int) -> int:
    """How many cases more in its cell meet a quota; every one of them also adds to the total of a share."""
    if quota.unit == "cases":
        return max(0, math.ceil(quota.minimum - count))
    if (count / total if total else 0.0) >= quota.minimum:
        return 0
    if quota.minimum >= 1:
        return max(1, total - count)
    more = max(1, math.ceil((quota.minimum * total - count) / (1 - quota.minimum)))
    while more > 1 and (count + more - 1) / (total + more - 1) >= quota.minimum:
        more -= 1  # the quotient above may miss its whole number by a rounding, to either side
    while (count + more) / (total + more) < quota.minimum:
        more += 1
    return more


def least_new(found: Sequence[Asked]) -> int:
    """At least so many new cases meet them all: cells of the same dimensions do not overlap, others may."""
    by_dimensions: dict[tuple[str, ...], int] = defaultdict(int)
    for one in found:
        by_dimensions[tuple(sorted(one.quota.where))] += one.missing
    return max(by_dimensions.values(), default=0)


def gaps_of(found: Sequence[Asked]) -> tuple[Gap, ...]:
    """Those that are not met, as gaps."""
    return tuple(Gap(quota=a.quota, have=a.have, need=a.quota.minimum) for a in found if a.have < a.quota.minimum)
