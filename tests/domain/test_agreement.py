"""Agreement against published worked examples, against scikit-learn, and where it is undefined."""

from __future__ import annotations

import math
import random
import warnings

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.agreement import alpha, jaccard, kappa, masi, measured, raw
from curator.domain.review import Review

# Cohen's kappa: the 50 proposals that two readers said yes or no to (20 both yes, 5 and 10 split, 15 both no)
PROPOSALS = [("yes", "yes")] * 20 + [("yes", "no")] * 5 + [("no", "yes")] * 10 + [("no", "no")] * 15
# and two tables of the same observed agreement, 60 of 100, but another by chance
EVEN = [("y", "y")] * 45 + [("y", "n")] * 15 + [("n", "y")] * 25 + [("n", "n")] * 15
ODD = [("y", "y")] * 25 + [("y", "n")] * 35 + [("n", "y")] * 5 + [("n", "n")] * 35

# Krippendorff 2011, A: ten units, binary, two observers; B: twelve units, nominal, two observers; C: four, with gaps
BINARY = list(zip("0100000010", "1110010000", strict=True))
NOMINAL = list(zip("aabbdcccedda", "babbbccceddd", strict=True))
FOUR = ("123321412...", "123322412 5.3".replace(" ", ""), ".3332342251.", "123324412 51.".replace(" ", ""))


def units(rows: tuple[str, ...]) -> list[list[str]]:
    return [[v for v in column if v != "."] for column in zip(*rows, strict=True)]


@pytest.mark.parametrize(("pairs", "value"), [(PROPOSALS, 0.4), (EVEN, 0.1304), (ODD, 0.2593)])
def test_kappa_of_worked_examples(pairs: list[tuple[str, str]], value: float) -> None:
    assert kappa(pairs).value == pytest.approx(value, abs=5e-5)


def test_alpha_of_krippendorffs_worked_examples() -> None:
    assert alpha(BINARY).value == pytest.approx(0.095, abs=5e-4)
    assert alpha(NOMINAL).value == pytest.approx(0.692, abs=5e-4)
    assert alpha(units(FOUR)).value == pytest.approx(0.743, abs=5e-4)


def test_alpha_with_the_distance_of_intervals_is_krippendorffs_too() -> None:
    numbers = [[int(v) for v in unit] for unit in units(FOUR)]
    assert alpha(numbers, lambda a, b: (a - b) ** 2).value == pytest.approx(0.849, abs=5e-4)


def test_distances_of_sets() -> None:
    a, ab, abcd, bc = (frozenset(s) for s in ("a", "ab", "abcd", "bc"))
    assert (jaccard(ab, ab), masi(ab, ab), masi(frozenset(), frozenset())) == (0, 0, 0)
    assert masi(ab, abcd) == pytest.approx(1 - 0.5 * 2 / 3)  # one within the other
    assert masi(ab, bc) == pytest.approx(1 - 1 / 3 * 1 / 3)  # an overlap
    assert (jaccard(a, bc), masi(a, bc), masi(a, frozenset())) == (1, 1, 1)


def test_alpha_of_sets_by_hand() -> None:
    """Two units: {a} {a,b} and {c} {c}. Observed (1/2 + 1/2) / 4; expected over all ordered pairs of the four."""
    pairs = [(frozenset("a"), frozenset("ab")), (frozenset("c"), frozenset("c"))]
    observed = 2 * 0.5 / 4
    expected = (2 * 0.5 + 2 * 2 * 1 + 2 * 2 * 1) / (4 * 3)
    assert alpha(pairs, jaccard).value == pytest.approx(1 - observed / expected)


def test_what_is_undefined_says_why() -> None:
    none: list[tuple[str, str]] = []
    for found in (raw(none), kappa(none), alpha(none), alpha([["a"], ["b"]])):
        assert (found.value, found.why) == (None, "no case has two labels")
    same = [("answer", "answer")] * 7
    assert (raw(same).value, kappa(same).value, alpha(same).value) == (1, None, None)
    assert "one and the same of all 7" in kappa(same).why
    assert "all 14 labels are the same" in alpha(same).why
    assert kappa([("a", "b")] * 3).value == 0  # each always says the same, but not the other's


labels = st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=1, max_size=40)


@given(labels)
def test_coefficients_stay_in_their_bounds_and_do_not_depend_on_the_order(pairs: list[tuple[str, str]]) -> None:
    for coefficient in (kappa, alpha):
        value = coefficient(pairs).value
        assert value is None or value <= 1 + 1e-12
        again = coefficient(pairs[::-1]).value
        assert value == again or math.isclose(value or 0, again or 0)
    if all(a == b for a, b in pairs):
        assert {kappa(pairs).value, alpha(pairs).value} <= {None, 1}


def test_kappa_and_jaccard_are_those_of_scikit_learn() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        metrics = pytest.importorskip("sklearn.metrics")
    draw = random.Random(11)
    for size in (2, 5, 30, 200):
        pairs = [(draw.choice("abcd"), draw.choice("aabcd")) for _ in range(size)]
        wanted = metrics.cohen_kappa_score([a for a, _ in pairs], [b for _, b in pairs])
        found = kappa(pairs).value
        assert math.isnan(wanted) if found is None else found == pytest.approx(wanted)
    for _ in range(20):
        one, two = ([draw.randrange(2) for _ in range(6)] for _ in range(2))
        sets = [frozenset(n for n, v in enumerate(row) if v) for row in (one, two)]
        if any(sets):
            assert 1 - jaccard(*sets) == pytest.approx(metrics.jaccard_score(one, two, zero_division=0))


def label(behavior: str, sources: str, risk: str) -> Review:
    return Review.model_validate(
        {"case_id": "a-000000", "slot": "label-1", "actor": "x", "at": "", "expected_behavior": behavior,
         "expected_source_ids": tuple(sources.split()), "risk": risk}
    )  # fmt: skip


def test_sources_are_compared_as_sets_and_each_field_by_itself() -> None:
    pairs = [
        (label("answer", "d:a d:b", "high"), label("answer", "d:b d:a", "high")),
        (label("answer", "d:a", "high"), label("refuse", "", "low")),
    ]
    behavior, sources, risk = measured(pairs, {"domain": "x"})
    assert [(m.field, m.cases, m.equal) for m in (behavior, sources, risk)] == [
        ("expectedBehavior", 2, 1),
        ("expectedSourceIds", 2, 1),
        ("risk", 2, 1),
    ]
    assert behavior.masi is None
    assert sources.masi is not None
    assert behavior.stratum == {"domain": "x"}
    assert behavior.kappa.value == 0
