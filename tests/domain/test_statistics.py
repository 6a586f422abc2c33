"""The formulas against scipy, and against tables that others published."""

from __future__ import annotations

import random

import pytest
from scipy import stats

from curator.domain.statistics import (
    design_effect,
    effective_n,
    intraclass_correlation,
    mcnemar_p,
    mcnemar_power,
    smallest_change,
    wilson,
)

CLOSE = 1e-6


@pytest.mark.parametrize(
    ("right", "n", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilson_as_newcombe_1998_table_1_prints_it(right: int, n: int, low: float, high: float) -> None:
    assert wilson(right / n, n) == pytest.approx((low, high), abs=5e-5)


@pytest.mark.parametrize("n", [1, 5, 30, 100, 1234])
@pytest.mark.parametrize("confidence", [0.8, 0.95, 0.99])
def test_wilson_as_scipy(n: int, confidence: float) -> None:
    for right in {0, 1, n // 3, n - 1, n}:
        expected = stats.binomtest(right, n).proportion_ci(confidence_level=confidence, method="wilson")
        assert wilson(right / n, n, confidence) == pytest.approx((expected.low, expected.high), abs=CLOSE)


def test_thirty_cases_of_which_24_are_right_say_63_to_90_percent() -> None:
    low, high = wilson(24 / 30, 30)
    assert (round(low, 2), round(high, 2)) == (0.63, 0.90)
    assert wilson(0.8, 0) == (0, 1)


@pytest.mark.parametrize("changed", [0, 1, 2, 5, 6, 11, 40, 317, 2500])
def test_the_exact_test_as_scipys_binomial_test(changed: int) -> None:
    for gained in {0, changed // 4, changed // 2, changed}:
        expected = stats.binomtest(gained, changed, 0.5).pvalue if changed else 1.0
        assert mcnemar_p(gained, changed - gained) == pytest.approx(expected, abs=CLOSE)


def test_five_changes_one_way_prove_nothing_and_six_do() -> None:
    assert (mcnemar_p(5, 0), mcnemar_p(6, 0)) == pytest.approx((0.0625, 0.03125))


def power_by_scipy(n: int, discordance: float, change: float) -> float:
    """Every outcome that is significant, with its chance, by brute force."""
    total = 0.0
    gains = (discordance + change) / (2 * discordance)
    for m in range(n + 1):
        significant = [k for k in range(m + 1) if m and stats.binomtest(k, m, 0.5).pvalue <= 0.05]
        total += stats.binom.pmf(m, n, discordance) * stats.binom.pmf(significant, m, gains).sum()
    return float(total)


@pytest.mark.parametrize(
    ("n", "discordance", "change"), [(12, 0.6, 0.6), (30, 0.2, 0.15), (45, 0.35, 0.2), (45, 1, 0.3)]
)
def test_power_is_the_sum_over_all_outcomes(n: int, discordance: float, change: float) -> None:
    assert mcnemar_power(n, discordance, change) == pytest.approx(power_by_scipy(n, discordance, change), abs=CLOSE)


@pytest.mark.parametrize("n", [6, 8, 30, 155, 600])
def test_the_smallest_change_has_just_the_power_that_is_asked_for(n: int) -> None:
    found = smallest_change(n, 0.2)
    if n == 6:
        assert found == pytest.approx(0.8 ** (1 / 6), abs=CLOSE), "six cases must all change one way"
    assert found is not None
    assert mcnemar_power(n, max(0.2, found), found) == pytest.approx(0.8, abs=1e-4)
    assert mcnemar_power(n, max(0.2, found - 0.01), found - 0.01) < 0.8


def test_with_five_cases_no_change_can_be_shown() -> None:
    assert smallest_change(5, 0.2) is None
    assert smallest_change(0, 0.2) is None


def test_more_cases_show_smaller_changes() -> None:
    """155 pairs at 20 % discordance: ten points (Connor 1987 gives 155 without the price of exactness)."""
    found = [smallest_change(n, 0.2) or 1 for n in (20, 50, 155, 500, 2000)]
    assert found == sorted(found, reverse=True)
    assert found[2] == pytest.approx(0.10, abs=0.01)


def test_the_design_effect_of_equal_clusters_is_kishs() -> None:
    assert design_effect([5] * 6, 0.1) == pytest.approx(1.4)
    assert effective_n([5] * 6, 0.1) == pytest.approx(30 / 1.4)
    assert design_effect([1] * 9, 0.7) == 1
    assert design_effect([], 0.5) == 1
    assert effective_n([30], 1) == pytest.approx(1), "cases on one document that all go one way are one case"
    assert design_effect([5] * 6, -0.2) == 1


def test_the_correlation_is_that_of_an_analysis_of_variance() -> None:
    draw = random.Random(4)
    clusters = [[float(draw.random() < rate) for _ in range(size)] for rate, size in ((0.9, 7), (0.2, 4), (0.6, 11))]
    sizes = [len(c) for c in clusters]
    n, k = sum(sizes), len(sizes)
    typical = (n - sum(s * s for s in sizes) / n) / (k - 1)
    f = stats.f_oneway(*clusters).statistic
    assert intraclass_correlation(clusters) == pytest.approx((f - 1) / (f + typical - 1), abs=CLOSE)
    assert intraclass_correlation([[1, 1], [0, 0]]) == 1
    assert intraclass_correlation([[1.0], [0.0]]) is None
    assert intraclass_correlation([[1.0, 1.0], [1.0]]) is None
