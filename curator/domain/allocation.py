"""How many cases each stratum gets, and the weight that undoes the choice.

A set drawn in other shares than the population answers for strata, not for the population; weighting each case by
population share / sample share makes the overall figure one of the population again. Cochran 1977, Sampling Techniques,
chapter 5. For the floor: SAS/STAT procedure SURVEYSELECT, option ALLOCMIN.
"""

from __future__ import annotations

import math
from collections.abc import Mapping

from curator.domain.model import Model
from curator.errors import UsageError

FLOOR = 2
"""With one case in a stratum nothing can be said of its spread."""


class Share(Model):
    """One stratum: its size in the population, its cases, and the weight of each of them (1 on average)."""

    stratum: str
    size: float
    cases: int
    weight: float


def equal(sizes: Mapping[str, float], total: int, floor: int = FLOOR) -> tuple[Share, ...]:
    """The same number for each stratum: to compare strata. n / H, at least the floor.

    Args:
        sizes: Stratum -> its size in the population; a stratum of size 0 gets none.
        total: Cases in all.
        floor: Least cases of a stratum.

    Raises:
        UsageError: The floors alone take more than there is.
    """
    return _shares(sizes, _rounded(dict.fromkeys(sizes, 1.0), sizes, total, floor))


def proportional(sizes: Mapping[str, float], total: int, floor: int = FLOOR) -> tuple[Share, ...]:
    """As in the population, so that every case weighs the same but where the floor lifts a stratum: n * N_h / N."""
    return _shares(sizes, _rounded(sizes, sizes, total, floor))


def neyman(
    sizes: Mapping[str, float], rates: Mapping[str, float], total: int, floor: int = FLOOR
) -> tuple[Share, ...]:  # fmt: skip
    """The smallest variance of the overall share right: n * N_h S_h / sum(N_j S_j), S_h = sqrt(p_h (1 - p_h)).

    Neyman 1934, J. R. Stat. Soc. 97:558; Cochran 1977, formula 5.26.

    Args:
        sizes: Stratum -> its size in the population.
        rates: Stratum -> its pass rate in a pilot, 0 to 1; one that had no pilot counts as 0.5, the widest spread.
        total: Cases in all.
        floor: Least cases of a stratum: a pilot in which all passed would leave it none.

    Raises:
        UsageError: A rate is none, or the floors alone take more than there is.
    """
    for name, rate in rates.items():
        if not 0 <= rate <= 1:
            raise UsageError(f"the pass rate of {name} is {rate:g}", "a share between 0 and 1")
    spread = {h: size * math.sqrt((p := rates.get(h, 0.5)) * (1 - p)) for h, size in sizes.items()}
    return _shares(sizes, _rounded(spread if any(spread.values()) else sizes, sizes, total, floor))


def weights(sizes: Mapping[str, float], cases: Mapping[str, int]) -> dict[str, float]:
    """Weight of a case of each stratum that has cases: (N_h / N) / (n_h / n), over the strata that have any."""
    held = {h: n for h, n in cases.items() if n}
    population = sum(sizes.get(h, 0.0) for h in held)
    drawn = sum(held.values())
    return {h: (sizes.get(h, 0.0) / population) / (n / drawn) if population else 1.0 for h, n in held.items()}


def _rounded(wanted: Mapping[str, float], sizes: Mapping[str, float], total: int, floor: int) -> dict[str, int]:
    """Whole numbers in these proportions that add up to the total, none below the floor; largest remainders first."""
    open_strata = [h for h in wanted if sizes[h] > 0]
    if floor * len(open_strata) > total:
        raise UsageError(
            f"{len(open_strata)} strata of at least {floor} take more than {total} cases",
            f"ask for {floor * len(open_strata)} or more, or lower the floor",
        )
    cases = dict.fromkeys(wanted, 0)
    left = total
    while open_strata:
        scale = sum(wanted[h] for h in open_strata)
        lifted = [h for h in open_strata if (left * wanted[h] / scale if scale else 0.0) < floor]
        if not lifted:
            break
        for h in lifted:
            cases[h] = floor
        left -= floor * len(lifted)
        open_strata = [h for h in open_strata if h not in lifted]
    if not open_strata:
        return cases
    scale = sum(wanted[h] for h in open_strata)
    exact = {h: left * wanted[h] / scale if scale else left / len(open_strata) for h in open_strata}
    cases |= {h: math.floor(x) for h, x in exact.items()}
    missing = left - sum(cases[h] for h in open_strata)
    for h in sorted(open_strata, key=lambda h: (math.floor(exact[h]) - exact[h], h))[:missing]:
        cases[h] += 1
    return cases


def _shares(sizes: Mapping[str, float], cases: Mapping[str, int]) -> tuple[Share, ...]:
    weight = weights(sizes, cases)
    return tuple(Share(stratum=h, size=s, cases=cases[h], weight=weight.get(h, 0.0)) for h, s in sizes.items())
