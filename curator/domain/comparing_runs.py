"""A run beside its baseline, case by case: what was lost and gained, and what it costs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from curator.domain.gate_report import Changed, Diff, SettingChange, Spent
from curator.domain.scoring import Score
from curator.domain.statistics import mcnemar_p
from curator.domain.tallying import Result


def compare(
    run: str, results: Sequence[Result], before: Mapping[str, Score], settings: tuple[SettingChange, ...], *, told: bool
) -> Diff:
    """What differs from a baseline over the cases that both answered.

    Args:
        run: Name of the baseline.
        results: Of this run.
        before: Scores of the baseline by case.
        settings: The frozen settings that differ.
        told: Whether both runs tell theirs.
    """
    both = [(r, before[r.case.id]) for r in results if r.case.id in before]
    changed = []
    for r, old in both:
        if r.score.passed != old.passed:
            now, then = r.score.retrieved, old.retrieved
            moved = "" if now == then or None in (now, then) else "gained" if now else "lost"
            changed.append(
                Changed(
                    case_id=r.case.id, risk=r.case.risk, change="gained" if r.score.passed else "lost",
                    retrieval=moved, stage="" if r.score.passed else r.score.stage, why=r.score.why,
                    latency_ms=r.score.latency_ms, before_latency_ms=old.latency_ms, cost_usd=r.score.cost_usd,
                    before_cost_usd=old.cost_usd,
                )
            )  # fmt: skip
    lost = sum(c.change == "lost" for c in changed)
    return Diff(
        run=run,
        both=len(both),
        lost=lost,
        gained=len(changed) - lost,
        p=mcnemar_p(len(changed) - lost, lost),
        changed=tuple(sorted(changed, key=lambda c: (c.change != "lost", c.case_id))),
        new_misses=tuple(r.case.id for r, old in both if r.score.retrieved is False and old.retrieved),
        settings=settings,
        settings_told=told,
        spent=_spent([(r.score, old) for r, old in both]),
    )


def _spent(pairs: Sequence[tuple[Score, Score]]) -> Spent:
    timed = [(a.latency_ms, b.latency_ms) for a, b in pairs if a.latency_ms and b.latency_ms]
    priced = [(a.cost_usd, b.cost_usd) for a, b in pairs if a.cost_usd and b.cost_usd]
    now, then = sorted(a for a, _ in timed), sorted(b for _, b in timed)
    return Spent(
        timed=len(timed), median_ms=percentile(now, 0.5), p95_ms=percentile(now, 0.95),
        before_median_ms=percentile(then, 0.5), before_p95_ms=percentile(then, 0.95),
        priced=len(priced), cost=math.fsum(a for a, _ in priced), before_cost=math.fsum(b for _, b in priced),
    )  # fmt: skip


def percentile(ordered: Sequence[float], share: float) -> float:
    """The smallest value that at least this share of the values does not exceed (nearest rank); 0 of none."""
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)] if ordered else 0.0
