"""What a gate found, as one value: what the command prints and every export renders. It holds ids, never texts."""

from __future__ import annotations

from typing import Literal

from curator.domain.model import Model

Verdict = Literal["pass", "block", "none"]
"""`none`: so much of the harness failed that the run says nothing."""
State = Literal["", "ok", "watch", "below", "thin"]
"""Of a stratum with a target: `watch` is met by little, `thin` has too few results to say."""


class Rate(Model):
    """A mean of results between 0 and 1 with its 95 % interval.

    Attributes:
        n: Results that it is taken over; 0 = there are none, and value says nothing.
        low: Lower end of the Wilson interval, and `high`: the upper one.
        weighted: The mean by the weight of each case; its interval uses (sum w)^2 / sum w^2 cases (Kish 1965).
    """

    value: float = 0.0
    n: int = 0
    low: float = 0.0
    high: float = 1.0
    weighted: float = 0.0
    weighted_low: float = 0.0
    weighted_high: float = 1.0


class Measured(Model):
    """A measure over all cases, and over those whose evidence was retrieved."""

    name: str
    words: str
    all: Rate
    retrieved: Rate


class Confusion(Model):
    """So many cases of an expected behavior were seen to do something."""

    expected: str
    shown: str
    cases: int


class StratumRow(Model):
    """Results in one value of a dimension.

    Attributes:
        passed: Over all its cases; `after`: over those whose evidence was retrieved; evidence: complete at k.
    """

    dimension: str
    value: str
    cases: int
    passed: Rate
    after: Rate
    evidence: Rate


class TargetRow(Model):
    """A target of curator.toml as it stands."""

    name: str
    measure: str
    minimum: float
    rate: Rate
    state: State


class Line(Model):
    """One reason that blocks, or one thing to watch: what, the next step, and the cases."""

    code: str
    text: str
    step: str
    cases: tuple[str, ...] = ()


class StageRow(Model):
    """Cases that failed at a stage."""

    stage: str
    cases: tuple[str, ...]


class FailedCase(Model):
    """A case with a fault; hidden: of the holdout."""

    case_id: str
    stage: str
    passed: bool
    risk: str
    hidden: bool
    why: tuple[str, ...]


class GroupPlace(Model):
    """Where a group of required evidence came: rank 0 = nowhere. `name` "" = it is of the holdout."""

    name: str
    rank: int
    torn: bool


class CaseResult(Model):
    """What became of a case that was scored; provisions by id, forbidden claims by their place from 1.

    `named`: an escalation names whom to turn to; None = it is none, or nobody is expected.
    """

    case_id: str
    passed: bool
    shown: str
    retrieved: bool | None
    groups: tuple[GroupPlace, ...]
    carried: tuple[str, ...]
    missing: tuple[str, ...]
    claimed: tuple[int, ...]
    named: bool | None = None
    judged: str
    stage: str
    latency_ms: float
    cost_usd: float


class Correlated(Model):
    """Spearman's rank correlation of a score with the pages of the document; its interval after Bonett and Wright."""

    score: str
    n: int
    rho: float
    low: float
    high: float


class Changed(Model):
    """A case that turned out otherwise than in the baseline. `retrieval`: what became of its evidence.

    Latency and cost 0 = not measured; `before_*`: of the baseline.
    """

    case_id: str
    risk: str
    change: Literal["lost", "gained"]
    retrieval: Literal["", "lost", "gained"] = ""
    stage: str = ""
    why: tuple[str, ...] = ()
    latency_ms: float = 0.0
    before_latency_ms: float = 0.0
    cost_usd: float = 0.0
    before_cost_usd: float = 0.0


class Spent(Model):
    """Latency and cost over the cases that both runs measured; 0 cases = not measured.

    `median_ms` and `p95_ms` of this run, `before_*` of the baseline; `cost` and `before_cost` are sums in USD.
    """

    timed: int = 0
    median_ms: float = 0.0
    p95_ms: float = 0.0
    before_median_ms: float = 0.0
    before_p95_ms: float = 0.0
    priced: int = 0
    cost: float = 0.0
    before_cost: float = 0.0


class SettingChange(Model):
    """A frozen setting that differs between the runs; "" = it is not said."""

    name: str
    before: str
    after: str


class Diff(Model):
    """This run beside its baseline, over the cases that both answered.

    `p`: exact McNemar, two-sided. `new_misses`: cases whose evidence was retrieved before and is not now.
    """

    run: str
    both: int
    lost: int
    gained: int
    p: float
    changed: tuple[Changed, ...]
    new_misses: tuple[str, ...] = ()
    settings: tuple[SettingChange, ...] = ()
    settings_told: bool = True
    spent: Spent = Spent()


class JudgeRow(Model):
    """A judge beside people over the cases of one risk or language ("all" = of all).

    Attributes:
        agree: Share of cases on which both say right or both say wrong.
        kappa: Cohen's; 0 with `why` where it is not defined.
        lenient: Cases that the judge passed and people did not; `strict`: the other way round.
        rho: Spearman's of the judge's score with the people's mean; 0 where `why_rho`.
    """

    dimension: str
    value: str
    judge: str
    agree: Rate
    kappa: float = 0.0
    why: str = ""
    lenient: int = 0
    strict: int = 0
    rho: float = 0.0
    why_rho: str = ""


class Counts(Model):
    """What of the run fits the suite.

    Attributes:
        cases: Cases of the suite that are gated.
        scored: Those with an answer that was scored; `harness`: whose harness failed; `missing`: without any line.
        unknown: Lines of no case of the suite; `duplicates`: further lines of a case; `unreadable`: lines that are
        none.
    """

    cases: int
    scored: int = 0
    harness: int = 0
    missing: int = 0
    unknown: int = 0
    duplicates: int = 0
    unreadable: int = 0


class GateReport(Model):
    """What a gate found.

    Attributes:
        partitions: Which were gated.
        k: So many of what was retrieved count.
        format: Of the file of the run; `ids`: by what retrieved evidence was known: ids, text, or a map.
        blocks: Why it blocks; `watch`: what is near to it, or what one should know.
        notes: What could not be measured, and why.
        too_easy: Cases that both trivial baselines pass.
        cases: Ids of all cases that were gated; `results`: each one that was scored.
    """

    suite: str
    version: str
    partitions: tuple[str, ...]
    run: str
    system: str
    format: str
    ids: str
    k: int
    verdict: Verdict
    counts: Counts
    blocks: tuple[Line, ...] = ()
    watch: tuple[Line, ...] = ()
    notes: tuple[str, ...] = ()
    measures: tuple[Measured, ...] = ()
    confusion: tuple[Confusion, ...] = ()
    strata: tuple[StratumRow, ...] = ()
    targets: tuple[TargetRow, ...] = ()
    stages: tuple[StageRow, ...] = ()
    failed: tuple[FailedCase, ...] = ()
    harness: tuple[str, ...] = ()
    missing: tuple[str, ...] = ()
    correlations: tuple[Correlated, ...] = ()
    diff: Diff | None = None
    too_easy: tuple[str, ...] = ()
    judge: tuple[JudgeRow, ...] = ()
    cases: tuple[str, ...] = ()
    results: tuple[CaseResult, ...] = ()
