"""Human ratings: how complete and how accurate a person finds an output of a system, 1 to 5; by length, with intervals.

Sources:
    t: Student 1908, Biometrika 6:1; of a weighted mean with the standard error of Gatz and Smith 1995, Atmos. Environ.
        29:1185 (formula of Cochran 1977), which is the common one when all weigh the same.
    bounded: a mean of values within bounds has no more variance than a coin of that mean (Bhatia and Davis 2000, Am.
        Math. Monthly 107:353), so that Wilson's interval of that share holds for it too. Wide, and never of no width.
    kappa: Cohen 1968, Psychol. Bull. 70:213, quadratic weights. alpha: Krippendorff 2011, ordinal distance.
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Literal, get_args

from pydantic import Field

from curator.domain.agreement import Statistic, alpha
from curator.domain.case import LengthStratum, Partition
from curator.domain.model import Model
from curator.domain.statistics import CONFIDENCE, student_t, wilson

LOWEST, HIGHEST = 1, 5
FEWEST, MOST = 20, 30
"""How many outputs a sample has."""
THIN = 5
"""A stratum with fewer rated cases says little: one case moves its mean by a fifth of what it says."""
Measure = Literal["completeness", "accuracy"]
MEASURES: tuple[Measure, ...] = get_args(Measure)
LENGTHS: tuple[LengthStratum, ...] = get_args(LengthStratum)
Method = Literal["t", "bounded", "none"]
SAYS: dict[Measure, tuple[str, ...]] = {
    "completeness": ("nothing needed", "little of it", "half of it", "nearly all", "all that is needed"),
    "accuracy": ("wrong", "much is wrong", "some is wrong", "a slip", "all of it is right"),
}
"""What 1 to 5 mean."""
Score = Literal[1, 2, 3, 4, 5]


class Rating(Model):
    """What one person said of one output."""

    case_id: str
    length_stratum: LengthStratum
    partition: Partition
    rater: str
    completeness: Score
    accuracy: Score
    note: str = ""
    rated_at: str


class Item(Model):
    """An output that is rated: of a case of the release, the answer of a run to it.

    Attributes:
        side: The partition of the case.
        behavior: What the system said that it did: answer, refuse, escalate; "" = not said.
        earlier: Its answers to the earlier turns of a follow-up.
    """

    place: int
    case_id: str
    side: Partition
    length_stratum: LengthStratum
    behavior: str = ""
    output: str
    earlier: tuple[str, ...] = ()


class Said(Model):
    """What one person has said of an output so far; 0 = not yet."""

    case_id: str
    actor: str
    at: str = ""
    completeness: int = Field(default=0, ge=0, le=HIGHEST)
    accuracy: int = Field(default=0, ge=0, le=HIGHEST)
    note: str = ""

    @property
    def whole(self) -> bool:
        """Whether both are said."""
        return bool(self.completeness and self.accuracy)


class Person(Model):
    """How far a person is with a sample; "" = not yet. `saw_at`: when they first saw the results."""

    actor: str
    begun_at: str = ""
    finished_at: str = ""
    saw_at: str = ""


class Drawn(Model):
    """A length stratum of a sample: the cases that have an answer, and how many were drawn.

    `thin`: so few that they say little.
    """

    length_stratum: LengthStratum
    cases: int
    drawn: int
    thin: bool


class Summary(Model):
    """The mean of a measure over the rated cases of a length ("all" = over all), with its interval.

    Attributes:
        cases: Rated cases; ratings: by so many judgements. Several of one case are averaged first.
        mean: 0 when nothing was rated. Over all, each case weighs as much as its length has cases in the release for
            each one rated.
        low: Lower end of the interval; high: the upper one.
        method: t; bounded, where one case or equal ratings leave no spread to take a t interval from; none.
        thin: Fewer than five cases.
    """

    measure: Measure
    length_stratum: LengthStratum | Literal["all"]
    cases: int
    ratings: int
    mean: float
    low: float
    high: float
    confidence: float = CONFIDENCE
    method: Method
    thin: bool


class Accord(Model):
    """How far raters agree on the cases that two or more of them rated.

    Attributes:
        raters: Those who rated such a case.
        alpha: Krippendorff's alpha, ordinal, for any number of raters.
        kappa: Cohen's, with quadratic weights, of two raters.
        within_one: Share of the pairs of ratings that are at most one apart.
    """

    measure: Measure
    cases: int
    raters: int
    alpha: Statistic
    kappa: Statistic
    within_one: Statistic


class Sampled(Model):
    """A sample: outputs of a run over a released suite that people rate.

    Attributes:
        sample: Its number.
        run: Name of the run; system: what answered; run_sha256: hash of the file that the outputs were taken from.
        raters: Who has finished; unfinished: how many have begun and not finished. Their ratings do not count yet.
    """

    sample: int = Field(ge=1)
    suite: str
    version: str
    run: str
    system: str
    run_sha256: str
    seed: int
    drawn_at: str
    drawn_by: str
    cases: int
    strata: tuple[Drawn, ...]
    raters: tuple[str, ...] = ()
    unfinished: int = 0


def means(ratings: Iterable[Rating], measure: Measure) -> dict[str, float]:
    """Mean of the ratings of each case, by its id, in order of the ids."""
    ordered = sorted(ratings, key=lambda r: r.case_id)
    by_case = itertools.groupby(ordered, key=lambda r: r.case_id)
    return {
        name: math.fsum(values) / len(values)
        for name, some in by_case
        if (values := [getattr(r, measure) for r in some])
    }


def interval(
    values: Sequence[float], weights: Sequence[float] | None = None, confidence: float = CONFIDENCE
) -> tuple[float, float, float, Method]:
    """Mean of ratings, lower and upper end of its interval within the scale, and how it was got; see the module.

    Args:
        values: One a case.
        weights: One a value, above 0; None = all alike.
        confidence: Of both sides together.
    """
    n = len(values)
    if not n:
        return 0.0, float(LOWEST), float(HIGHEST), "none"
    weights = weights or [1.0] * n
    whole = math.fsum(weights)
    mean = math.fsum(w * v for w, v in zip(weights, values, strict=True)) / whole
    square = math.fsum((w * (v - mean)) ** 2 for w, v in zip(weights, values, strict=True))
    if n < 2 or square < 1e-18:
        # unequal weights tell as much as fewer cases: Kish 1965, 11.7
        effective = whole**2 / math.fsum(w * w for w in weights)
        low, high = wilson((mean - LOWEST) / (HIGHEST - LOWEST), effective, confidence)
        span = HIGHEST - LOWEST
        return mean, LOWEST + span * low, LOWEST + span * high, "bounded"
    half = student_t((1 + confidence) / 2, n - 1) * math.sqrt(square / whole**2 * n / (n - 1))
    return mean, max(float(LOWEST), mean - half), min(float(HIGHEST), mean + half), "t"


def summaries(ratings: Sequence[Rating], strata: Sequence[Drawn]) -> tuple[Summary, ...]:
    """Each measure over all lengths, then over each length of the sample, in the order of the lengths.

    Args:
        ratings: Those of raters who have finished.
        strata: The lengths of the sample, with their cases in the release.
    """
    length = {r.case_id: r.length_stratum for r in ratings}
    rated = Counter(length.values())
    weight = {s.length_stratum: s.cases / rated[s.length_stratum] for s in strata if rated[s.length_stratum]}
    made = []
    for measure in MEASURES:
        every = means(ratings, measure)
        made.append(_summary(measure, "all", every, ratings, [weight.get(length[name], 1.0) for name in every]))
        for s in sorted(strata, key=lambda s: LENGTHS.index(s.length_stratum)):
            some = {name: mean for name, mean in every.items() if length[name] == s.length_stratum}
            made.append(_summary(measure, s.length_stratum, some, ratings, None))
    return tuple(made)


def _summary(
    measure: Measure, length: LengthStratum | Literal["all"], values: dict[str, float], ratings: Sequence[Rating],
    weights: Sequence[float] | None,
) -> Summary:  # fmt: skip
    mean, low, high, method = interval(list(values.values()), weights)
    return Summary(
        measure=measure, length_stratum=length, cases=len(values), ratings=sum(r.case_id in values for r in ratings),
        mean=mean, low=low, high=high, method=method, thin=len(values) < THIN,
    )  # fmt: skip


def accords(ratings: Sequence[Rating]) -> tuple[Accord, ...]:
    """How far raters agree, by measure; empty when no case was rated by two."""
    by_case: dict[str, list[Rating]] = {}
    for r in sorted(ratings, key=lambda r: (r.case_id, r.rater)):
        by_case.setdefault(r.case_id, []).append(r)
    shared = [some for some in by_case.values() if len(some) > 1]
    if not shared:
        return ()
    raters = sorted({r.rater for some in shared for r in some})
    made = []
    for measure in MEASURES:
        units = [[int(getattr(r, measure)) for r in some] for some in shared]
        pairs = [pair for unit in units for pair in itertools.combinations(unit, 2)]
        close = sum(abs(a - b) <= 1 for a, b in pairs) / len(pairs)
        kappa = (
            weighted_kappa([(a, b) for a, b in units])
            if len(raters) == 2
            else Statistic(why=f"{len(raters)} raters: kappa is of two, see alpha")
        )
        made.append(
            Accord(
                measure=measure, cases=len(shared), raters=len(raters), alpha=ordinal_alpha(units), kappa=kappa,
                within_one=Statistic(value=close),
            )
        )  # fmt: skip
    return tuple(made)


def ordinal_alpha(units: Sequence[Sequence[int]]) -> Statistic:
    """Krippendorff's alpha of ranks: two are as far apart as there are ratings between them.

    The distance is (n_a / 2 + n_between + n_b / 2) squared, n counted over the ratings that can be compared.
    """
    numbers = Counter(v for unit in units if len(unit) > 1 for v in unit)

    def distance(one: int, other: int) -> float:
        low, high = sorted((one, other))
        between = sum(n for v, n in numbers.items() if low <= v <= high)
        return float((between - (numbers[low] + numbers[high]) / 2) ** 2)

    return alpha(units, distance)


def weighted_kappa(pairs: Sequence[tuple[int, int]]) -> Statistic:
    """Cohen's kappa with quadratic weights: 1 - sum (a - b)^2 over the pairs / the same over all pairings by chance."""
    if not pairs:
        return Statistic(why="no case has two ratings")
    size = len(pairs)
    first, second = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    observed = sum((a - b) ** 2 for a, b in pairs) * size
    expected = sum(n * m * (a - b) ** 2 for a, n in first.items() for b, m in second.items())
    if not expected:
        return Statistic(why=f"both said one and the same of all {size}: chance alone would make them agree")
    return Statistic(value=1 - observed / expected)


def allotted(sizes: dict[LengthStratum, int], total: int) -> dict[LengthStratum, int]:
    """How many are drawn of each length: as equal as there are cases, since it is lengths that are compared.

    Args:
        sizes: Cases of each length that have an answer.
        total: Cases in all; at most as many as there are.
    """
    drawn = dict.fromkeys(sizes, 0)
    left = min(total, sum(sizes.values()))
    order = [s for s in reversed(LENGTHS) if s in sizes]  # what does not divide goes to the long ones: 10x first
    order = [s for s in order if s != "none"] + [s for s in order if s == "none"]
    while left:
        for s in order:
            if left and drawn[s] < sizes[s]:
                drawn[s] += 1
                left -= 1
    return drawn
