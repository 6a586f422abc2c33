"""Means, intervals and agreement of human ratings, against scipy, scikit-learn and published examples."""

from __future__ import annotations

import random

import numpy as np
import pytest
from scipy import stats
from sklearn.metrics import cohen_kappa_score

from curator.domain.ratings import Drawn, Rating, accords, allotted, interval, ordinal_alpha, summaries, weighted_kappa
from curator.domain.statistics import student_t

CLOSE = 1e-6
DRAW = random.Random(3)
RELIABILITY = (
    (1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None),
    (1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3),
    (None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None),
    (1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None),
)
"""Four observers, twelve units: Krippendorff 2011, section C."""


def rating(case: str, rater: str, completeness: int, accuracy: int = 3, length: str = "base") -> Rating:
    return Rating.model_validate(
        {"case_id": case, "rater": rater, "completeness": completeness, "accuracy": accuracy, "length_stratum": length,
         "partition": "dev", "rated_at": "2026-03-01T09:00:00Z"}
    )  # fmt: skip


@pytest.mark.parametrize("degrees", [1, 2, 4, 24, 29, 250])
def test_students_t_as_scipy(degrees: int) -> None:
    for quantile in (0.3, 0.5, 0.9, 0.975, 0.9995):
        assert student_t(quantile, degrees) == pytest.approx(stats.t.ppf(quantile, degrees), abs=CLOSE)


def test_the_interval_of_a_mean_is_students() -> None:
    values = [DRAW.choice([2.0, 3.0, 3.5, 4.0]) for _ in range(12)]
    expected = stats.t.interval(0.95, len(values) - 1, np.mean(values), stats.sem(values))
    assert interval(values) == (pytest.approx(np.mean(values)), *(pytest.approx(e, abs=CLOSE) for e in expected), "t")
    mean, low, high, _ = interval([1, 5])
    assert (mean, low, high) == (3, 1, 5), "an interval does not leave the scale"


def test_ratings_without_spread_do_not_pretend_to_be_exact() -> None:
    share = stats.binomtest(3, 3).proportion_ci(method="wilson")
    mean, low, high, method = interval([5, 5, 5])
    assert (mean, high, method) == (5, 5, "bounded")
    assert low == pytest.approx(1 + 4 * share.low, abs=CLOSE)
    assert interval([4])[1:3] == (pytest.approx(1.4716, abs=1e-3), pytest.approx(4.9415, abs=1e-3))
    assert interval([])[3] == "none"


def test_weights_of_one_change_nothing_and_a_mean_of_all_is_that_of_the_release() -> None:
    values = [2.0, 3.0, 5.0, 4.0]
    assert interval(values, [2.0] * 4) == interval(values)
    drawn = (
        Drawn(length_stratum="base", cases=90, drawn=2, thin=True),
        Drawn(length_stratum="10x", cases=10, drawn=2, thin=True),
    )
    said = [
        rating("a", "x", 5),
        rating("b", "x", 5),
        rating("c", "x", 1, length="10x"),
        rating("d", "x", 1, length="10x"),
    ]
    found = {(s.measure, s.length_stratum): s for s in summaries(said, drawn)}
    assert found["completeness", "all"].mean == pytest.approx(0.9 * 5 + 0.1 * 1)
    assert found["completeness", "10x"].mean == 1
    assert found["completeness", "10x"].thin


def test_several_ratings_of_a_case_are_one_case() -> None:
    said = [rating("a", "x", 5), rating("a", "y", 4), rating("b", "x", 3), rating("b", "y", 2)]
    every = summaries(said, (Drawn(length_stratum="base", cases=2, drawn=2, thin=True),))[0]
    assert (every.cases, every.ratings, every.mean) == (2, 4, 3.5)
    assert (every.low, every.high) == (1, 5), "two cases, however many raters"


def test_ordinal_alpha_is_krippendorffs() -> None:
    units = [[v for v in column if v is not None] for column in zip(*RELIABILITY, strict=True)]
    assert ordinal_alpha(units).value == pytest.approx(0.815, abs=5e-4)
    assert ordinal_alpha([[3, 3], [3, 3]]).value is None


def test_kappa_with_quadratic_weights_as_scikit_learn() -> None:
    pairs = [(DRAW.randint(1, 5), DRAW.randint(1, 5)) for _ in range(40)]
    expected = cohen_kappa_score(*zip(*pairs, strict=True), weights="quadratic", labels=[1, 2, 3, 4, 5])
    assert weighted_kappa(pairs).value == pytest.approx(expected, abs=CLOSE)
    assert weighted_kappa([(3, 3)]).why


def test_agreement_needs_two_who_rated_the_same() -> None:
    assert accords([rating("a", "x", 5), rating("b", "y", 4)]) == ()
    found = accords([rating("a", n, v) for n, v in (("x", 5), ("y", 4), ("z", 1))] + [rating("b", "x", 2)])[0]
    assert (found.cases, found.raters) == (1, 3)
    assert found.within_one.value == pytest.approx(1 / 3)
    assert "3 raters" in found.kappa.why


def test_a_sample_takes_as_many_of_each_length_as_there_are() -> None:
    assert allotted({"base": 300, "2x": 40, "10x": 3}, 24) == {"base": 10, "2x": 11, "10x": 3}
    assert allotted({"base": 2, "none": 1}, 20) == {"base": 2, "none": 1}
    assert sum(allotted({"base": 9, "2x": 9, "5x": 9, "10x": 9}, 30).values()) == 30
