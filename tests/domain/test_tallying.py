"""Figures of a run: correlation, weights, percentiles, agreement of a judge."""

from __future__ import annotations

import random

import pytest
import scipy.stats

from curator.domain.comparing_runs import percentile
from curator.domain.statistics import wilson
from curator.domain.tallying import rate, spearman, spearman_interval


def test_rank_correlation_is_that_of_scipy() -> None:
    chance = random.Random(7)
    for size in (4, 9, 40):
        pairs = [(chance.randrange(6), chance.random() if size > 4 else n) for n in range(size)]
        wanted = scipy.stats.spearmanr([a for a, _ in pairs], [b for _, b in pairs]).statistic
        assert spearman(pairs) == pytest.approx(wanted)
    assert spearman([(1, 2), (1, 3)]) is None
    assert spearman([]) is None


def test_the_interval_of_a_correlation_holds_it() -> None:
    low, high = spearman_interval(0.5, 23)
    assert (round(low, 2), round(high, 2)) == (0.08, 0.77)  # tanh(atanh(.5) -+ 1.96 * sqrt(1.125 / 20))
    assert spearman_interval(1.0, 9) == (1.0, 1.0)


def test_a_weighted_mean_has_the_interval_of_its_effective_cases() -> None:
    found = rate([(1.0, 3.0), (0.0, 1.0), (1.0, 1.0), (0.0, 1.0)])
    assert (found.value, found.weighted) == (0.5, pytest.approx(4 / 6))
    assert (found.weighted_low, found.weighted_high) == pytest.approx(wilson(4 / 6, 36 / 12))
    assert rate([]).n == 0


def test_percentiles_by_nearest_rank() -> None:
    assert [percentile([10, 20, 30, 40], share) for share in (0.5, 0.95)] == [20, 40]
    assert percentile([], 0.5) == 0
