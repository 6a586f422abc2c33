"""What a number of cases can show: intervals, the smallest change that a second run can prove, and clustering.

Everything is exact or a closed formula in double precision, by the standard library alone. The tests hold each function
against scipy or a published table.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Sequence
from functools import lru_cache
from statistics import NormalDist

CONFIDENCE = 0.95
ALPHA = 0.05
POWER = 0.8
_TINY = 1e-18
_STEP = 1e-6


def wilson(rate: float, n: float, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Score interval of a share: Wilson 1927, J. Am. Stat. Assoc. 22:209; method 3 of Newcombe 1998, Stat. Med. 17:857.

    Args:
        rate: Share that was right, 0 to 1.
        n: Cases; may be an effective number, and then no whole one. 0 gives (0, 1): nothing is known.
        confidence: Of both sides together.
    """
    if n <= 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf((1 + confidence) / 2)
    square = z * z / n
    middle = rate + square / 2
    half = z * math.sqrt((rate * (1 - rate) + square / 4) / n)
    low, high = (middle - half) / (1 + square), (middle + half) / (1 + square)
    return (0.0 if rate == 0 else max(0.0, low)), (1.0 if rate == 1 else min(1.0, high))


def student_t(quantile: float, degrees: float) -> float:
    """Quantile of Student's t distribution, by bisection of its integral: Student 1908, Biometrika 6:1.

    Args:
        quantile: Above 0, below 1.
        degrees: Degrees of freedom, at least 1.
    """
    if quantile < 0.5:
        return -student_t(1 - quantile, degrees)
    low, high = 0.0, 1.0
    while _t_above(high, degrees) > 1 - quantile:
        low, high = high, 2 * high
    while high - low > 1e-12 * max(1.0, high):
        middle = (low + high) / 2
        low, high = (middle, high) if _t_above(middle, degrees) > 1 - quantile else (low, middle)
    return high


def _t_above(t: float, degrees: float) -> float:
    """Chance of more than t: half the incomplete beta function of degrees / (degrees + t^2)."""
    return _beta_below(degrees / (degrees + t * t), degrees / 2, 0.5) / 2


def _beta_below(x: float, a: float, b: float) -> float:
    """Regularized incomplete beta function, by the continued fraction of Abramowitz and Stegun 26.5.8 (Lentz)."""
    if x <= 0 or x >= 1:
        return float(x >= 1)
    if x > (a + 1) / (a + b + 2):
        return 1 - _beta_below(1 - x, b, a)
    front = math.exp(math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)) / a
    upper, lower = 1.0, 1 / (1 - (a + b) * x / (a + 1))
    value = lower
    for m in range(1, 1000):
        even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        before = value
        for term in (even, odd):
            upper, lower = 1 + term / upper, 1 / (1 + term * lower)
            value *= upper * lower
        if abs(value - before) < 1e-16 * abs(value):
            break
    return front * value


def mcnemar_p(gained: int, lost: int) -> float:
    """Exact p, two-sided, that as many cases changed one way by chance: McNemar 1947, Psychometrika 12:153.

    The cases on which two runs differ are tosses of a fair coin: p is twice the binomial tail.

    Args:
        gained: Cases wrong before and right now.
        lost: Cases right before and wrong now.
    """
    changed = gained + lost
    return min(1.0, 2 * _upper(changed, max(gained, lost), 0.5)) if changed else 1.0


def mcnemar_power(n: int, discordance: float, change: float, *, alpha: float = ALPHA, sides: int = 2) -> float:
    """Chance that the exact McNemar test sees a change, over all numbers of cases that may differ.

    Unconditional exact power: the number that differs is binomial in n, and of those the gains are binomial (Schork and
    Williams 1980, Commun. Stat. B 9:349; SAS/STAT, procedure POWER, PAIREDFREQ with DIST=EXACT_COND).

    Args:
        n: Cases that both runs answered.
        discordance: Share of the cases on which the two runs differ, either way; above 0.
        change: By how much the share right differs; at most the discordance.
        alpha: Level of the test.
        sides: 2, or 1 for a test of a gain alone.
    """
    gains = min(1.0, (discordance + change) / (2 * discordance))
    spread = 9 * math.sqrt(n * discordance * (1 - discordance)) + 1
    first = max(1, math.floor(n * discordance - spread))
    last = min(n, math.ceil(n * discordance + spread))
    total = 0.0
    for m in range(first, last + 1):
        least = _least_significant(m, alpha / sides)
        if least <= m:
            seen = _upper(m, least, gains) + (_upper(m, least, 1 - gains) if sides == 2 else 0.0)
            total += _binomial(n, m, discordance) * seen
    return min(1.0, total)


@lru_cache(maxsize=4096)
def smallest_change(n: int, discordance: float, power: float = POWER, alpha: float = ALPHA) -> float | None:
    """Smallest change of the share right that n paired cases show with this power; None when no change at all is shown.

    A change larger than the assumed discordance needs more cases that differ: then all of them differ one way.

    Args:
        n: Cases that both runs answered.
        discordance: Share of the cases that is assumed to differ between two runs.
        power: Wanted chance that the change is seen.
        alpha: Level of the exact two-sided McNemar test.
    """

    def seen(change: float) -> float:
        return mcnemar_power(n, max(discordance, change), change, alpha=alpha)

    if n < 1 or seen(1.0) < power:
        return None
    z = NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
    guess = min(1.0, 1.5 * z * math.sqrt(discordance / n))  # the normal approximation, to begin near the answer
    low, high = (0.0, guess) if seen(guess) >= power else (guess, 1.0)
    while high - low > _STEP:
        middle = (low + high) / 2
        low, high = (low, middle) if seen(middle) >= power else (middle, high)
    return high


def design_effect(sizes: Collection[int], correlation: float) -> float:
    """By how much clustering blows up the variance: 1 + (m' - 1) * correlation, m' = sum of squares / sum of sizes.

    Kish 1965, Survey Sampling, 8.2; for unequal clusters Donner and Klar 2000, Cluster Randomization Trials, chapter 6.
    At least 1: a negative correlation is not counted upon.

    Args:
        sizes: Cases of each cluster.
        correlation: Intraclass correlation, at most 1.
    """
    n = sum(sizes)
    if not n:
        return 1.0
    mean = sum(s * s for s in sizes) / n
    return max(1.0, 1 + (mean - 1) * correlation)


def effective_n(sizes: Collection[int], correlation: float) -> float:
    """So many independent cases would tell as much: cases / design effect."""
    return sum(sizes) / design_effect(sizes, correlation)


def intraclass_correlation(clusters: Sequence[Sequence[float]]) -> float | None:
    """Analysis-of-variance estimate from results by cluster; None when it cannot be told from them.

    Fisher's estimator for unequal clusters: (MSB - MSW) / (MSB + (m0 - 1) * MSW), with
    m0 = (n - sum of squares / n) / (k - 1); Donner 1986, Int. Stat. Rev. 54:67; Searle 1971, Linear Models, chapter 11.

    Args:
        clusters: Results (1 = right, 0 = wrong) of each cluster.
    """
    full = [c for c in clusters if c]
    n, k = sum(map(len, full)), len(full)
    if k < 2 or n <= k:
        return None
    grand = sum(map(sum, full)) / n
    means = [sum(c) / len(c) for c in full]
    between = sum(len(c) * (m - grand) ** 2 for c, m in zip(full, means, strict=True)) / (k - 1)
    within = sum((x - m) ** 2 for c, m in zip(full, means, strict=True) for x in c) / (n - k)
    typical = (n - sum(len(c) ** 2 for c in full) / n) / (k - 1)
    spread = between + (typical - 1) * within
    return (between - within) / spread if spread > 0 else None


@lru_cache(maxsize=65536)
def _least_significant(m: int, tail: float) -> int:
    """The smallest larger part of m cases that has a one-sided tail of at most this; m + 1 when there is none."""
    k = max(m // 2 + 1, math.floor(m / 2 + NormalDist().inv_cdf(1 - tail) * math.sqrt(m) / 2) - 2)
    while k <= m and _upper(m, k, 0.5) > tail:
        k += 1
    while k > m // 2 + 1 and _upper(m, k - 1, 0.5) <= tail:
        k -= 1
    return k


def _binomial(n: int, k: int, p: float) -> float:
    """Chance of k of n."""
    if p <= 0 or p >= 1:
        return float(k == (n if p >= 1 else 0))
    ways = math.lgamma(n + 1) - math.lgamma(k + 1) - math.lgamma(n - k + 1)
    return math.exp(ways + k * math.log(p) + (n - k) * math.log1p(-p))


def _upper(n: int, k: int, p: float) -> float:
    """Chance of k of n or more, summed from the side that is smaller."""
    if k <= 0:
        return 1.0
    if k > n or p <= 0:
        return 0.0
    if p >= 1:
        return 1.0
    if k <= n * p:
        return 1 - _upper(n, n - k + 1, 1 - p)
    term = total = _binomial(n, k, p)
    odds = p / (1 - p)
    while k < n and term > total * _TINY:
        term *= (n - k) / (k + 1) * odds
        total += term
        k += 1
    return total
