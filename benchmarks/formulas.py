"""Every formula of the size panel, of allocations and of ratings against a reference; prints the largest deviation.

    python -m benchmarks.formulas

References are scipy, scikit-learn, exact fractions, and published examples (named). Exit code 1 above 1e-6, or beyond
the last digit that an example prints.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction

import numpy as np
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from curator.domain import allocation
from curator.domain import statistics as ours
from curator.domain.agreement import alpha
from curator.domain.ratings import interval, ordinal_alpha, weighted_kappa

CLOSE = 1e-6
Pairs = Iterator[tuple[float, float]]
KRIPPENDORFF = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3),
    (0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0),
)
"""Krippendorff 2011, section C: four observers, twelve units; 0 = not said."""


def wilson() -> Pairs:
    for n in (1, 2, 5, 10, 30, 155, 1000):
        for right in sorted({0, 1, n // 3, n // 2, n - 1, n}):
            for confidence in (0.8, 0.9, 0.95, 0.99):
                found = stats.binomtest(right, n).proportion_ci(confidence_level=confidence, method="wilson")
                yield from zip(ours.wilson(right / n, n, confidence), (found.low, found.high), strict=True)


def newcombe() -> Pairs:
    """Newcombe 1998, Stat. Med. 17:857, table I, method 3."""
    printed = {
        (81, 263): (0.2553, 0.3662),
        (15, 148): (0.0624, 0.1605),
        (0, 20): (0, 0.1611),
        (1, 29): (0.0061, 0.1718),
    }
    for (right, n), ends in printed.items():
        yield from zip((round(end, 4) for end in ours.wilson(right / n, n)), ends, strict=True)


def mcnemar() -> Pairs:
    for changed in (1, 2, 5, 6, 11, 40, 317, 2500):
        for gained in sorted({0, changed // 4, changed // 2, changed}):
            yield ours.mcnemar_p(gained, changed - gained), stats.binomtest(gained, changed, 0.5).pvalue


def power() -> Pairs:
    """Every outcome that is significant, with its chance."""
    for n, discordance, change in ((12, 0.6, 0.6), (30, 0.2, 0.15), (45, 0.35, 0.2), (60, 0.5, 0.25), (45, 1, 0.3)):
        total = 0.0
        for m in range(1, n + 1):
            k = np.arange(m + 1)
            tails = 2 * np.minimum(stats.binom.cdf(k, m, 0.5), stats.binom.sf(k - 1, m, 0.5))
            seen = stats.binom.pmf(k, m, (discordance + change) / (2 * discordance))[np.minimum(tails, 1) <= 0.05].sum()
            total += stats.binom.pmf(m, n, discordance) * seen
        yield ours.mcnemar_power(n, discordance, change), float(total)


def smallest() -> Pairs:
    """The power at the smallest change that is shown is the power that was asked for."""
    for n in (8, 30, 155, 600):
        found = ours.smallest_change(n, 0.2) or 1.0
        # the change is told to a millionth; the power moves by up to ten times as much
        yield round(ours.mcnemar_power(n, max(0.2, found), found), 4), 0.8


def effective() -> Pairs:
    draw = random.Random(2)
    for _ in range(50):
        sizes = [draw.randint(1, 20) for _ in range(draw.randint(1, 30))]
        correlation = Fraction(draw.randint(0, 100), 100)
        n = sum(sizes)
        effect = 1 + (Fraction(sum(s * s for s in sizes), n) - 1) * correlation
        yield ours.effective_n(sizes, float(correlation)), float(n / effect)


def correlation() -> Pairs:
    draw = random.Random(4)
    for _ in range(20):
        rates = [(draw.random(), draw.randint(2, 12)) for _ in range(draw.randint(3, 9))]
        clusters = [[float(draw.random() < rate) for _ in range(size)] for rate, size in rates]
        sizes = [len(c) for c in clusters]
        n, k = sum(sizes), len(sizes)
        typical = (n - sum(s * s for s in sizes) / n) / (k - 1)
        f = stats.f_oneway(*clusters).statistic
        if math.isfinite(f):
            yield ours.intraclass_correlation(clusters) or 0.0, (f - 1) / (f + typical - 1)


def _drawn() -> Iterator[tuple[dict[str, float], dict[str, float]]]:
    draw = random.Random(8)
    for _ in range(40):
        names = "abcdefg"[: draw.randint(2, 7)]
        yield {h: float(draw.randint(1, 5000)) for h in names}, {h: draw.randint(5, 95) / 100 for h in names}


def _shares(method: str) -> Pairs:
    """Cases before rounding are n W_h / sum W; whole ones lie less than one from it and add up (no floor)."""
    for sizes, rates in _drawn():
        spread = {h: s * math.sqrt(rates[h] * (1 - rates[h])) for h, s in sizes.items()}
        wanted = {"equal": dict.fromkeys(sizes, 1.0), "proportional": sizes, "neyman": spread}[method]
        made = {
            "equal": lambda s=sizes: allocation.equal(s, 997, 0),
            "proportional": lambda s=sizes: allocation.proportional(s, 997, 0),
            "neyman": lambda s=sizes, r=rates: allocation.neyman(s, r, 997, 0),
        }[method]()
        yield float(sum(s.cases for s in made)), 997.0
        for s in made:
            exact = 997 * wanted[s.stratum] / math.fsum(wanted.values())
            yield (0.0 if abs(s.cases - exact) < 1 else abs(s.cases - exact)), 0.0


def weight() -> Pairs:
    """(N_h / N) / (n_h / n) in exact fractions; the weighted rate is then that of the population."""
    for sizes, rates in _drawn():
        made = [s for s in allocation.equal(sizes, 400, 5) if s.cases]
        population, n = Fraction(sum(int(sizes[s.stratum]) for s in made)), sum(s.cases for s in made)
        for s in made:
            yield s.weight, float(Fraction(int(sizes[s.stratum])) / population / Fraction(s.cases, n))
        weighted = math.fsum(s.weight * s.cases * rates[s.stratum] for s in made) / n
        yield weighted, math.fsum(sizes[s.stratum] * rates[s.stratum] for s in made) / float(population)


def student() -> Pairs:
    draw = random.Random(6)
    for degrees in (1, 2, 3, 9, 29, 250):
        for quantile in (0.01, 0.3, 0.5, 0.9, 0.975, 0.9995):
            yield ours.student_t(quantile, degrees), float(stats.t.ppf(quantile, degrees))
    for n in (2, 5, 24):
        values = [draw.uniform(2.9, 3.1) for _ in range(n)]
        found = stats.t.interval(0.95, n - 1, np.mean(values), stats.sem(values))
        yield from zip(interval(values)[1:3], map(float, np.clip(found, 1, 5)), strict=True)


def kappa() -> Pairs:
    draw = random.Random(9)
    for _ in range(10):
        pairs = [(draw.randint(1, 5), draw.randint(1, 5)) for _ in range(30)]
        found = cohen_kappa_score(*zip(*pairs, strict=True), weights="quadratic", labels=[1, 2, 3, 4, 5])
        yield weighted_kappa(pairs).value or 0.0, float(found)


def krippendorff() -> Pairs:
    units: Sequence[Sequence[int]] = [[v for v in column if v] for column in zip(*KRIPPENDORFF, strict=True)]
    yield round(ordinal_alpha(units).value or 0.0, 3), 0.815
    yield round(alpha(units).value or 0.0, 3), 0.743


CHECKS: tuple[tuple[str, Callable[[], Pairs]], ...] = (
    ("Wilson's interval, scipy", wilson),
    ("the same, Newcombe 1998 table I", newcombe),
    ("exact McNemar test, scipy", mcnemar),
    ("exact McNemar power, all outcomes by scipy", power),
    ("power at the smallest change", smallest),
    ("effective n, exact fractions", effective),
    ("correlation within documents, scipy", correlation),
    ("equal allocation", lambda: _shares("equal")),
    ("proportional allocation", lambda: _shares("proportional")),
    ("Neyman allocation", lambda: _shares("neyman")),
    ("weights, exact fractions", weight),
    ("Student's t and its interval, scipy", student),
    ("weighted kappa, scikit-learn", kappa),
    ("alpha, Krippendorff 2011", krippendorff),
)


def main() -> None:
    worst = 0.0
    for name, pairs in CHECKS:
        off = [abs(a - b) for a, b in pairs()]
        worst = max(worst, *off)
        print(f"{name:44s} {len(off):5d} values, farthest {max(off):.1e}")
    print(f"largest deviation {worst:.1e} ({'within' if worst <= CLOSE else 'ABOVE'} {CLOSE:g})")
    sys.exit(worst > CLOSE)


if __name__ == "__main__":
    main()
