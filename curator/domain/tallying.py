"""From the scores of cases to the figures of a run: means with intervals, strata, confusion, stages, correlation."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Sequence
from statistics import NormalDist
from typing import Literal, NamedTuple

from curator.domain.expecting import Expectation
from curator.domain.gate_report import (
    CaseResult,
    Confusion,
    Correlated,
    FailedCase,
    GroupPlace,
    Measured,
    Rate,
    StageRow,
    StratumRow,
)
from curator.domain.scoring import Score
from curator.domain.statistics import CONFIDENCE, wilson

SHOWN_STRATA = ("lengthStratum", "domain", "sectionPosition", "route", "language", "risk")
"""Dimensions of the tables; targets may name any of `expecting.STRATA`."""
STAGES = (
    "parsing", "chunking", "retrieval", "ranking", "routing", "conversation", "generation", "harness", "other",
)  # fmt: skip
Measure = Literal[
    "passed", "behavior", "provisions", "optional", "claims", "evidence", "top", "hit", "recall", "mrr", "citations",
    "cited", "addressee", "routes",
]  # fmt: skip
WORDS: dict[Measure, str] = {
    "passed": "answers right",
    "behavior": "behavior as expected",
    "provisions": "mandatory provisions carried",
    "optional": "other provisions carried",
    "claims": "free of forbidden claims",
    "evidence": "all evidence in the first k",
    "top": "evidence at rank 1",
    "hit": "some evidence in the first k",
    "recall": "groups of evidence in the first k",
    "mrr": "1 / rank of evidence, mean",
    "citations": "citations that are evidence",
    "cited": "groups of evidence cited",
    "addressee": "escalations that name whom",
    "routes": "route as expected",
}
"""Every measure, with what it says."""


class Result(NamedTuple):
    """A case that was scored."""

    case: Expectation
    score: Score


def measure(name: Measure, result: Result, k: int) -> float | None:
    """The value of one case, 0 to 1; None where it is not measured or means nothing."""
    found = _MEASURES[name](result, k)
    return None if found is None else float(found)


def _share(have: int, of: int) -> float | None:
    return have / of if of else None


def _provisions(r: Result, *, mandatory: bool) -> float | None:
    wanted = [p.id for p in r.case.provisions if p.mandatory == mandatory]
    return _share(sum(name in r.score.carried for name in wanted), len(wanted))


def _hits(r: Result, k: int) -> list[bool] | None:
    return [0 < g.rank <= k and not g.torn for g in r.score.groups] or None


def _recall(r: Result, k: int) -> float | None:
    hits = _hits(r, k)
    return _share(sum(hits), len(hits)) if hits else None


def _mrr(r: Result, k: int) -> float | None:
    ranks = [0.0 if not g.rank or g.torn or g.rank > k else 1 / g.rank for g in r.score.groups]
    return sum(ranks) / len(ranks) if ranks else None


def _some(r: Result, k: int) -> bool | None:
    hits = _hits(r, k)
    return any(hits) if hits else None


_MEASURES: dict[Measure, Callable[[Result, int], float | bool | None]] = {
    "passed": lambda r, _: r.score.passed,
    "behavior": lambda r, _: r.score.right,
    "provisions": lambda r, _: _provisions(r, mandatory=True),
    "optional": lambda r, _: _provisions(r, mandatory=False),
    "claims": lambda r, _: not r.score.claimed if r.case.must_not_claim else None,
    "evidence": lambda r, _: r.score.retrieved,
    "top": lambda r, _: _some(r, 1),
    "hit": _some,
    "recall": _recall,
    "mrr": _mrr,
    "citations": lambda r, _: r.score.cited[0] if r.score.cited else None,
    "cited": lambda r, _: r.score.cited[1] if r.score.cited else None,
    "addressee": lambda r, _: r.score.named,
    "routes": lambda r, _: r.score.route,
}


def rate(pairs: Iterable[tuple[float, float]]) -> Rate:
    """Mean of (value, weight) with Wilson intervals, plain and weighted.

    A mean of values between 0 and 1 has no more variance than a share of that size (Bhatia and Davis 2000), so that the
    interval of a share holds for it, and is wide.
    """
    found = list(pairs)
    n = len(found)
    if not n:
        return Rate()
    value = math.fsum(v for v, _ in found) / n
    weight = math.fsum(w for _, w in found)
    weighted = math.fsum(v * w for v, w in found) / weight
    effective = weight * weight / math.fsum(w * w for _, w in found)
    low, high = wilson(value, n)
    wlow, whigh = wilson(min(1.0, weighted), effective)
    return Rate(
        value=value, n=n, low=low, high=high, weighted=weighted, weighted_low=wlow, weighted_high=whigh
    )  # fmt: skip


def over(results: Iterable[Result], name: Measure, k: int) -> Rate:
    """A measure over results, those left out where it is not measured."""
    return rate((v, r.case.weight) for r in results if (v := measure(name, r, k)) is not None)


def after_retrieval(results: Iterable[Result]) -> list[Result]:
    """Those whose evidence was retrieved, or that need none."""
    return [r for r in results if r.score.retrieved or (r.score.retrieved is None and not r.case.groups)]


def measures(results: Sequence[Result], k: int, untold: Collection[str] = ()) -> tuple[Measured, ...]:
    """Every measure that was taken, over all and over those whose evidence was retrieved; without those untold."""
    after = after_retrieval(results)
    found = [
        Measured(name=name, words=words, all=over(results, name, k), retrieved=over(after, name, k))
        for name, words in WORDS.items()
        if name not in untold
    ]
    return tuple(m for m in found if m.all.n)


def confusion(results: Iterable[Result]) -> tuple[Confusion, ...]:
    """Expected behavior against what was seen."""
    counts = Counter((r.case.behavior, r.score.shown) for r in results)
    return tuple(Confusion(expected=e, shown=s, cases=n) for (e, s), n in sorted(counts.items()))


def strata(results: Sequence[Result], k: int) -> tuple[StratumRow, ...]:
    """Results by each dimension, its values in order; a dimension of one value is left out."""
    found = []
    for dimension in SHOWN_STRATA:
        parts: dict[str, list[Result]] = defaultdict(list)
        for r in results:
            parts[r.case.stratum(dimension)].append(r)
        for value in sorted(parts, key=_in_order) if len(parts) > 1 else ():
            mine = parts[value]
            found.append(
                StratumRow(
                    dimension=dimension, value=value, cases=len(mine), passed=over(mine, "passed", k),
                    after=over(after_retrieval(mine), "passed", k), evidence=over(mine, "evidence", k),
                )
            )  # fmt: skip
    return tuple(found)


_ORDER = ("base", "2x", "5x", "10x", "early", "middle", "late", "low", "medium", "high", "critical", "none")


def _in_order(value: str) -> tuple[int, str]:
    return (_ORDER.index(value) if value in _ORDER else -1, value)


def stages(results: Iterable[Result]) -> tuple[StageRow, ...]:
    """Cases by the stage at which they failed."""
    found: dict[str, list[str]] = defaultdict(list)
    for r in results:
        if r.score.stage != "none":
            found[r.score.stage].append(r.case.id)
    return tuple(StageRow(stage=s, cases=tuple(found[s])) for s in STAGES if s in found)


def failed(results: Iterable[Result]) -> tuple[FailedCase, ...]:
    """The cases with a fault, the riskiest first."""
    bad = [r for r in results if r.score.failed]
    bad.sort(key=lambda r: (-_in_order(r.case.risk)[0], r.case.id))
    return tuple(
        FailedCase(
            case_id=r.case.id, stage=r.score.stage, passed=r.score.passed, risk=r.case.risk, hidden=r.case.hidden,
            why=r.score.why,
        )
        for r in bad
    )  # fmt: skip


def results_of(results: Iterable[Result]) -> tuple[CaseResult, ...]:
    """Each case by itself."""
    return tuple(
        CaseResult(
            case_id=r.case.id,
            passed=r.score.passed,
            shown=r.score.shown,
            retrieved=r.score.retrieved,
            groups=tuple(
                GroupPlace(name="" if r.case.hidden else g.name, rank=g.rank, torn=g.torn) for g in r.score.groups
            ),
            carried=r.score.carried,
            missing=r.score.missing,
            claimed=tuple(n + 1 for n in r.score.claimed),
            named=r.score.named,
            judged=r.score.judged,
            stage=r.score.stage,
            latency_ms=r.score.latency_ms,
            cost_usd=r.score.cost_usd,
        )
        for r in results
    )


_AGAINST_PAGES: tuple[Measure, ...] = ("passed", "provisions", "recall", "mrr", "cited")


def correlations(results: Sequence[Result], k: int, untold: Collection[str] = ()) -> tuple[Correlated, ...]:
    """Each score against the pages of the document, where at least four cases with different pages have it."""
    scores: dict[str, list[tuple[float, float]]] = defaultdict(list)
    for r in results:
        if not r.case.pages:
            continue
        for name in _AGAINST_PAGES:
            if name not in untold and (value := measure(name, r, k)) is not None:
                scores[name].append((r.case.pages, value))
        for own, told in r.score.scores:
            scores[own].append((r.case.pages, told))
    found = []
    for label, pairs in scores.items():
        rho = spearman(pairs)
        if rho is not None and len(pairs) > 3:
            low, high = spearman_interval(rho, len(pairs))
            found.append(Correlated(score=label, n=len(pairs), rho=rho, low=low, high=high))
    return tuple(found)


def spearman(pairs: Sequence[tuple[float, float]]) -> float | None:
    """Spearman's rank correlation, ties by their mean rank (Spearman 1904, Am. J. Psychol. 15:72).

    None when one side has a single value or there are fewer than two pairs: it is not defined then.
    """
    one, two = _ranks([a for a, _ in pairs]), _ranks([b for _, b in pairs])
    n = len(pairs)
    middle = (n + 1) / 2
    across = math.fsum((a - middle) * (b - middle) for a, b in zip(one, two, strict=True))
    spread = math.fsum((a - middle) ** 2 for a in one) * math.fsum((b - middle) ** 2 for b in two)
    return max(-1.0, min(1.0, across / math.sqrt(spread))) if spread > 0 else None


def spearman_interval(rho: float, n: int) -> tuple[float, float]:
    """95 % interval by Fisher's z, variance (1 + rho^2 / 2) / (n - 3): Bonett and Wright 2000, Psychometrika 65:23."""
    if n < 4:
        return -1.0, 1.0
    if abs(rho) >= 1:
        return (rho, rho)
    half = NormalDist().inv_cdf((1 + CONFIDENCE) / 2) * math.sqrt((1 + rho * rho / 2) / (n - 3))
    return math.tanh(math.atanh(rho) - half), math.tanh(math.atanh(rho) + half)


def _ranks(values: Sequence[float]) -> list[float]:
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = (start + end) / 2 + 1
        start = end + 1
    return ranks
