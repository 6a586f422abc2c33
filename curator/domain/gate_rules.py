"""When a run blocks a release: each rule gives at most one line, with the next step and the cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, get_args

from curator.domain.expecting import STRATA
from curator.domain.gate_report import Counts, Line, State, TargetRow, Verdict
from curator.domain.scoring import Score
from curator.domain.tallying import WORDS, Measure, Result, over
from curator.errors import InputError
from curator.settings import GateTable, TargetTable
from curator.text import counted, one_line

HARNESS_LIMIT = 0.05
"""Above this share of harness errors a run says nothing."""
HIGH = ("high", "critical")


class Judgement(NamedTuple):
    """Verdict, what blocks, what to watch, and every target as it stands."""

    verdict: Verdict
    blocks: tuple[Line, ...]
    watch: tuple[Line, ...]
    targets: tuple[TargetRow, ...]


def check_targets(table: GateTable) -> None:
    """That every target names a measure and dimensions that there are.

    Raises:
        InputError: One does not; the message names it.
    """
    for number, target in enumerate(table.targets, 1):
        where = f"curator.toml: gate.targets, number {number}"
        if target.measure not in get_args(Measure):
            raise InputError(
                f"{where}: no measure {one_line(target.measure, 40)!a}", f"one of {', '.join(get_args(Measure))}"
            )
        for name in target.where:
            if name not in STRATA:
                raise InputError(f"{where}: no dimension {one_line(name, 40)!a}", f"one of {', '.join(STRATA)}")


def judge(
    suite: str, results: Sequence[Result], counts: Counts, table: GateTable, before: Mapping[str, Score] | None
) -> Judgement:
    """Hold a run against its rules.

    Args:
        suite: Its name; targets of other suites are passed over.
        results: The cases that were scored.
        counts: What of the run fits the suite.
        table: `[gate]` of curator.toml.
        before: Scores of the baseline by case; None = there is none.
    """
    targets = tuple(row for row, _ in _targets(suite, results, table))
    watch = (*_watched(results, counts), *_untargeted(results, targets), *_near(suite, results, table))
    if counts.cases and counts.harness / counts.cases > HARNESS_LIMIT:
        text = f"{counted(counts.harness, 'harness error')} in {counted(counts.cases, 'case')}: more than 5 %"
        line = Line(code="harness", text=text, step="repair the harness and run again: nothing else was judged")
        return Judgement("none", (line,), watch, targets)
    blocks = (
        *_too_few(counts, table),
        *_missed(results, table),
        *_answered(results, table),
        *_lost(results, table, before),
        *_below(suite, results, table),
    )
    return Judgement("block" if blocks else "pass", blocks, watch, targets)


def _too_few(counts: Counts, table: GateTable) -> Iterator[Line]:
    if not counts.scored or counts.scored < table.results * counts.cases:
        text = f"too few results: {counts.scored} of {counted(counts.cases, 'case')}, {table.results:.0%} are asked for"
        yield Line(code="too-few-results", text=text, step="run the cases that are missing; they are listed")


def _missed(results: Sequence[Result], table: GateTable) -> Iterator[Line]:
    missed = [r for r in results if r.score.retrieved is False]
    if len(missed) > table.missed:
        stages = [s for s, _ in Counter(r.score.stage for r in missed).most_common()]
        text = f"a mandatory source was missed in {counted(len(missed), 'case')} ({', '.join(stages)})"
        yield Line(code="mandatory-source", text=text, step=_STEPS[stages[0]], cases=_ids(missed))


_STEPS = {
    "parsing": "see which documents or pages are missing from the index (`curator align`)",
    "chunking": "keep rows with title and header, and passages in one piece (`curator align`)",
    "ranking": "the evidence is found and comes too late: look at ranking, or at k",
    "retrieval": "the evidence is not found: look at the index, the query and filters",
    "routing": "these went another route: look at the router",
    "conversation": "the last turn lost what the earlier ones were about: look at how the query is rewritten",
}
_STEPS |= dict.fromkeys(("generation", "harness", "other", "none"), "look at these cases first")


def _answered(results: Sequence[Result], table: GateTable) -> Iterator[Line]:
    wrong = [r for r in results if r.case.behavior == "refuse" and not r.score.right]
    if len(wrong) > table.refusals_answered:
        unsure = sum(r.score.shown in ("unknown", "hedged") for r in wrong)
        text = f"{counted(len(wrong), 'refusal was', 'refusals were')} answered"
        if unsure:
            text += f" ({unsure} of them cannot be told to be a refusal)"
        step = "look at what the system does when its sources are silent"
        if unsure:
            step += "; report `behavior` in the run to be sure"
        yield Line(code="refusal-answered", text=text, step=step, cases=_ids(wrong))


def _lost(results: Sequence[Result], table: GateTable, before: Mapping[str, Score] | None) -> Iterator[Line]:
    lost = [
        r
        for r in results
        if before is not None and r.case.risk in HIGH and not r.score.passed
        and (old := before.get(r.case.id)) and old.passed
    ]  # fmt: skip
    if len(lost) > table.high_risk_lost:
        cases = counted(len(lost), "case of high risk fails", "cases of high risk fail")
        text = f"{cases} that the baseline passed"
        yield Line(code="high-risk-lost", text=text, step="compare both answers, case by case", cases=_ids(lost))


def _below(suite: str, results: Sequence[Result], table: GateTable) -> Iterator[Line]:
    for row, mine in _targets(suite, results, table):
        failing = [r for r in mine if r.score.failed]
        if row.state == "below":
            text = f"{row.name}: {row.measure} {row.rate.value:.1%} is below {row.minimum:.1%} ({_of(row)})"
            yield Line(code="below-target", text=text, step="look at these cases first", cases=_ids(failing))
        elif row.state == "thin":
            text = f"{row.name}: too few results for its target ({_of(row)})"
            yield Line(code="too-few-results", text=text, step="run them, or add cases: `curator gaps`")


def _near(suite: str, results: Sequence[Result], table: GateTable) -> Iterator[Line]:
    for row, _ in _targets(suite, results, table):
        if row.state == "watch":
            text = f"{row.name}: {row.measure} {row.rate.value:.1%} is near its target {row.minimum:.1%} ({_of(row)})"
            yield Line(code="near-target", text=text, step=f"95 % interval {row.rate.low:.0%} to {row.rate.high:.0%}")


def _untargeted(results: Sequence[Result], targets: Sequence[TargetRow]) -> Iterator[Line]:
    """Wrong answers block by a target alone: where there is none, a pass says nothing of them."""
    wrong = [r for r in results if not r.score.passed]
    if wrong and not targets:
        text = f"{counted(len(wrong), 'answer is', 'answers are')} wrong, and no target is set that could block on it"
        step = "[[gate.targets]] with minimum = 0.9 in curator.toml does"
        yield Line(code="no-target", text=text, step=step, cases=_ids(wrong))


def _of(row: TargetRow) -> str:
    return counted(row.rate.n, "result")


def _watched(results: Sequence[Result], counts: Counts) -> Iterator[Line]:
    if counts.harness:
        step = "their cases count as having no result"
        yield Line(code="harness", text=counted(counts.harness, "harness error"), step=step)
    answered = [r for r in results if r.case.behavior == "escalate" and not r.score.right]
    if answered:
        text = f"{counted(len(answered), 'escalation was', 'escalations were')} not handed over"
        yield Line(code="escalation-missed", text=text, step="a target for expectedBehavior = escalate blocks on it",
                   cases=_ids(answered))  # fmt: skip
    if nameless := [r for r in results if r.score.right and r.score.named is False]:
        text = f"{counted(len(nameless), 'escalation does', 'escalations do')} not name whom to turn to"
        step = 'a target with measure = "addressee" blocks on it'
        yield Line(code="escalation-unnamed", text=text, step=step, cases=_ids(nameless))
    if claims := [r for r in results if r.score.claimed]:
        text = f"{counted(len(claims), 'answer')} claimed what must not be claimed"
        yield Line(code="claim-forbidden", text=text, step="look at these cases first", cases=_ids(claims))
    if unjudged := [r for r in results if r.score.judged == "none"]:
        text = f"{counted(len(unjudged), 'answer')} could not be judged"
        step = "add a mandatory provision or a reference answer to these cases"
        yield Line(code="not-judged", text=text, step=step, cases=_ids(unjudged))


def _targets(suite: str, results: Sequence[Result], table: GateTable) -> Iterator[tuple[TargetRow, list[Result]]]:
    """Every target as it stands, "*" put out for each value that results have, with the results of its cell."""
    for target in table.targets:
        if target.suite in ("", suite):
            for where in _cells(target, results):
                yield _row(target, where, [r for r in results if r.case.lies_in(where)], table)


def _cells(target: TargetTable, results: Sequence[Result]) -> list[dict[str, str]]:
    stars = [name for name, value in target.where.items() if value == "*"]
    if not stars:
        return [target.where]
    there = sorted({tuple(r.case.stratum(n) for n in stars) for r in results if r.case.lies_in(target.where)})
    return [target.where | dict(zip(stars, values, strict=True)) for values in there]


def _row(
    target: TargetTable, where: Mapping[str, str], mine: list[Result], table: GateTable
) -> tuple[TargetRow, list[Result]]:
    name: Measure = next(m for m in get_args(Measure) if m == target.measure)
    found = over(mine, name, table.k)
    state: State = "ok"
    if found.n < target.cases:
        state = "thin"
    elif found.value < target.minimum:
        state = "below"
    elif found.value < min(1.0, target.minimum + table.near) and found.value < 1:
        state = "watch"
    words = ", ".join(f"{one_line(k)} = {one_line(v, 40)}" for k, v in where.items()) or "all cases"
    row = TargetRow(name=words, measure=WORDS[name], minimum=target.minimum, rate=found, state=state)
    return row, mine


def _ids(results: Sequence[Result]) -> tuple[str, ...]:
    return tuple(r.case.id for r in results)
