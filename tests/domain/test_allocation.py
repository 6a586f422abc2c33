"""How many cases a stratum gets, and the weight that undoes it."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.allocation import equal, neyman, proportional, weights
from curator.errors import UsageError

sizes_ = st.dictionaries(st.sampled_from("abcdefg"), st.integers(0, 5000).map(float), min_size=1)
TRAFFIC = {"base": 820.0, "2x": 120.0, "5x": 45.0, "10x": 15.0}


@given(sizes_, st.integers(0, 3), st.integers(21, 400), st.sampled_from([equal, proportional]))
def test_the_cases_add_up_and_no_stratum_falls_below_the_floor(sizes, floor, total, method) -> None:  # type: ignore[no-untyped-def]
    shares = method(sizes, total, floor)
    open_strata = [s for s in shares if s.size]
    assert sum(s.cases for s in shares) == (total if open_strata else 0)
    assert all(s.cases >= floor for s in open_strata)
    assert not any(s.cases for s in shares if not s.size)


@given(sizes_, st.integers(21, 400), st.sampled_from([equal, proportional]))
def test_the_weights_give_the_population_back(sizes, total, method) -> None:  # type: ignore[no-untyped-def]
    shares = [s for s in method(sizes, total, 2) if s.cases]
    population = sum(s.size for s in shares)
    for s in shares:
        assert s.weight * s.cases / sum(t.cases for t in shares) == pytest.approx(s.size / population, abs=1e-9)
    if shares:
        assert sum(s.weight * s.cases for s in shares) == pytest.approx(sum(s.cases for s in shares))


def test_proportional_loses_the_long_documents_and_the_floor_keeps_them() -> None:
    assert [s.cases for s in proportional(TRAFFIC, 40, 0)] == [33, 5, 2, 0]
    kept = proportional(TRAFFIC, 40, 5)
    assert [s.cases for s in kept] == [25, 5, 5, 5]
    assert [round(s.weight, 3) for s in kept] == [1.312, 0.96, 0.36, 0.12]
    assert [s.cases for s in equal(TRAFFIC, 42)] == [11, 11, 10, 10] or sum(s.cases for s in equal(TRAFFIC, 42)) == 42


def test_neyman_is_the_textbooks_and_beats_the_others() -> None:
    rates = {"base": 0.95, "2x": 0.8, "5x": 0.5, "10x": 0.3}
    spread = {h: n * math.sqrt(rates[h] * (1 - rates[h])) for h, n in TRAFFIC.items()}
    shares = neyman(TRAFFIC, rates, 1000, 0)
    for s in shares:
        assert s.cases == pytest.approx(1000 * spread[s.stratum] / sum(spread.values()), abs=1)

    def variance(chosen) -> float:  # type: ignore[no-untyped-def]
        population = sum(TRAFFIC.values())
        return sum((s.size / population) ** 2 * rates[s.stratum] * (1 - rates[s.stratum]) / s.cases for s in chosen)

    assert variance(shares) <= min(variance(equal(TRAFFIC, 1000)), variance(proportional(TRAFFIC, 1000)))


def test_a_pilot_that_says_nothing_falls_back_to_the_sizes() -> None:
    assert [s.cases for s in neyman(TRAFFIC, dict.fromkeys(TRAFFIC, 1.0), 100)] == [
        s.cases for s in proportional(TRAFFIC, 100)
    ]


def test_what_cannot_be_done_is_refused_with_a_way_out() -> None:
    with pytest.raises(UsageError, match="4 strata of at least 5 take more than 10") as caught:
        equal(TRAFFIC, 10, 5)
    assert "20" in caught.value.hint
    with pytest.raises(UsageError, match="pass rate of base"):
        neyman(TRAFFIC, {"base": 1.2}, 100)


def test_strata_without_cases_have_no_weight() -> None:
    assert weights(TRAFFIC, {"base": 2, "10x": 0}) == {"base": 1.0}


def test_weights_are_exact_and_make_the_weighted_rate_that_of_the_population() -> None:
    rates = {"base": 0.95, "2x": 0.8, "5x": 0.5, "10x": 0.3}
    shares = equal(TRAFFIC, 42, 5)
    drawn, population = sum(s.cases for s in shares), int(sum(TRAFFIC.values()))
    for s in shares:
        assert s.weight == pytest.approx(float(Fraction(int(s.size), population) / Fraction(s.cases, drawn)), abs=1e-9)
    weighted = sum(s.weight * s.cases * rates[s.stratum] for s in shares) / drawn
    assert weighted == pytest.approx(sum(n * rates[h] for h, n in TRAFFIC.items()) / population, abs=1e-9)
    assert sum(s.cases * rates[s.stratum] for s in shares) / drawn < weighted - 0.1, "the set alone says another thing"
