"""Quotas: presets, "*", and how many cases are missing."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curator.domain.quotas import PRESETS, asked, expanded, gaps_of, least_new, missing
from curator.domain.suite import Quota, gaps

LINES: list[dict[str, Any]] = [
    {"domain": d, "lengthStratum": b, "expectedBehavior": e, "route": r, "risk": k}
    for d, b, e, r, k in (
        ("law", "2x", "answer", "lookup", "low"),
        ("law", "10x", "refuse", "handoff", "critical"),
        ("law", "base", "answer", "handoff", "critical"),
        ("tax", "base", "answer", "lookup", "low"),
    )
]


def known(dimension: str, fixed: Any) -> list[str]:
    return {"domain": ["law", "tax"], "route": ["handoff"] if fixed.get("risk") == "critical" else ["lookup"]}[
        dimension
    ]


def test_the_regulated_preset_asks_for_every_domain_long_refusals_and_critical_routes() -> None:
    names = {q.name: q.minimum for q in expanded(PRESETS["regulated"], known)}
    assert names == {
        "all cases": 30,
        **{f"domain={d} × lengthStratum={b}": 3 for b in ("2x", "5x", "10x") for d in ("law", "tax")},
        "expectedBehavior=refuse": 0.15,
        "route=handoff × risk=critical": 20,
    }
    assert [q.name for q in expanded(PRESETS["smoke"], known)] == ["all cases"]


def test_one_cell_is_asked_for_once_by_the_larger_minimum() -> None:
    both = (Quota(where={"domain": "*"}, minimum=3), Quota(where={"domain": "law"}, minimum=5))
    assert [(q.name, q.minimum) for q in expanded(both, known)] == [("domain=law", 5), ("domain=tax", 3)]


def test_what_is_missing_is_counted_by_cell() -> None:
    quotas = expanded(PRESETS["regulated"], known)
    found = {a.quota.name: (a.have, a.missing) for a in asked(quotas, LINES)}
    assert found["all cases"] == (4, 26)
    assert found["domain=law × lengthStratum=10x"] == (1, 2)
    assert found["expectedBehavior=refuse"] == (0.25, 0)
    assert found["route=handoff × risk=critical"] == (2, 18)
    assert least_new(asked(quotas, LINES)) == 26
    assert gaps_of(asked(quotas, LINES)) == gaps(quotas, LINES)


@given(st.integers(0, 300), st.integers(0, 300), st.sampled_from([0.0, 0.05, 0.1, 0.15, 0.3, 0.5, 0.9, 1.0]))
def test_so_many_more_meet_a_share_and_one_fewer_does_not(count: int, others: int, share: float) -> None:
    total = count + others
    more = missing(Quota(minimum=share, unit="share"), count, total)
    if share == 1:
        assert (more == 0) == (total > 0 and not others)
        return
    assert (count + more) / max(1, total + more) >= share
    if more:
        assert (count + more - 1) / max(1, total + more - 1) < share
