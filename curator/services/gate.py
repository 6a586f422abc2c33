"""The gate: a run held against a released suite, by rules that give the same verdict for the same bytes."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from curator.domain import tallying
from curator.domain.alignment import Alignment
from curator.domain.comparing_runs import compare
from curator.domain.gate_report import Diff, GateReport, Line
from curator.domain.gate_rules import HIGH, check_targets, judge
from curator.progress import Progress, Silent
from curator.services.gate_judge import judge_rows
from curator.services.gate_run import ScoredRun, score_run, setting_changes
from curator.services.gated_suite import GatedSuite
from curator.services.uncollected import uncollected
from curator.settings import GateTable
from curator.text import counted

TRIVIAL = ("lead3", "fts")
"""The baselines that know nothing: what both of them pass is too easy."""


class Beside(NamedTuple):
    """What a run is held against beside the suite; each may be missing.

    Attributes:
        baseline: A run to compare with.
        align: Folder of `curator align` for this run; `baseline_align`: for the baseline, when its chunks are others.
        judge: Results of a judge, or human ratings to hold the run's own scores against.
        ratings: human_ratings.jsonl; None = where `curator sample-review export` writes it.
        trivial: Runs of the trivial baselines.
    """

    baseline: Path | None = None
    align: Path | None = None
    baseline_align: Path | None = None
    judge: Path | None = None
    ratings: Path | None = None
    trivial: tuple[Path, ...] = ()


@uncollected()
def gate(
    run: Path, suite: GatedSuite, table: GateTable, beside: Beside | None = None, progress: Progress | None = None
) -> GateReport:
    """Hold a run against a suite.

    Raises:
        InputError: A file is no run, is of another suite, or a target names what there is not.
        StorageError: A file cannot be read.
        Cancelled: Stopped; nothing is written here.
    """
    beside, progress = beside or Beside(), progress or Silent()
    check_targets(table)
    alignment = _alignment(beside.align, suite)
    now = score_run(run, suite, table.k, alignment, progress)
    then = None
    if beside.baseline:
        other = _alignment(beside.baseline_align, suite) if beside.baseline_align else alignment
        then = score_run(beside.baseline, suite, table.k, other, progress, same_version=False)
    before = {r.case.id: r.score for r in then.results} if then else None
    found = judge(suite.suite, now.results, now.counts, table, before)
    diff = _diff(now, then) if then else None
    untold = () if now.cites else ("citations", "cited")
    return GateReport(
        suite=suite.suite,
        version=suite.version,
        partitions=suite.partitions,
        run=now.name,
        system=now.system,
        format=now.format,
        ids=now.by,
        k=table.k,
        verdict=found.verdict,
        counts=now.counts,
        blocks=found.blocks,
        watch=(*found.watch, *_map_unused(now, alignment), *_unanswered(now, then, suite), *_changed_settings(diff)),
        notes=tuple(_notes(now, then, suite)),
        measures=tallying.measures(now.results, table.k, untold),
        confusion=tallying.confusion(now.results),
        strata=tallying.strata(now.results, table.k),
        targets=found.targets,
        stages=tallying.stages(now.results),
        failed=tallying.failed(now.results),
        harness=tuple(now.harness),
        missing=tuple(now.missing),
        correlations=tallying.correlations(now.results, table.k, untold),
        diff=diff,
        too_easy=too_easy(suite, beside.trivial, table.k, progress),
        judge=judge_rows(now, suite, beside.judge, beside.ratings, progress) if beside.judge else (),
        cases=tuple(suite.cases),
        results=tallying.results_of(now.results),
    )


def trivial_runs(root: Path, suite: str, version: str) -> tuple[Path, ...]:
    """The runs of both trivial baselines, where `curator baseline` writes them; () when one is not there."""
    paths = tuple(root / "runs" / f"{kind}-{suite}-{version}" / "run.jsonl" for kind in TRIVIAL)
    return paths if all(p.is_file() for p in paths) else ()


def too_easy(suite: GatedSuite, runs: tuple[Path, ...], k: int, progress: Progress) -> tuple[str, ...]:
    """The cases that every one of these runs passes; () when there are none to ask.

    A refusal passes there only by chance: neither baseline refuses but for lack of any hit.
    """
    passed = [
        {r.case.id for r in score_run(path, suite, k, None, progress).results if r.score.passed} for path in runs
    ]  # fmt: skip
    return tuple(sorted(set.intersection(*passed))) if passed else ()


def _alignment(folder: Path | None, suite: GatedSuite) -> Alignment | None:
    if folder is None:
        return None
    from curator.services.alignment import load_alignment  # rapidfuzz: not needed without a map

    return load_alignment(folder, suite=suite.suite, version=suite.version)


def _diff(now: ScoredRun, then: ScoredRun) -> Diff:
    before = {r.case.id: r.score for r in then.results}
    told = bool(now.settings and then.settings)
    changes = setting_changes(then.settings, now.settings) if told else ()
    return compare(then.name, now.results, before, changes, told=told)


def _unanswered(now: ScoredRun, then: ScoredRun | None, suite: GatedSuite) -> Iterator[Line]:
    """Cases without a line: a run that leaves out what it cannot do looks better than it is."""
    if not now.missing:
        return
    passed = {r.case.id for r in then.results if r.score.passed} if then else set()
    high = sum(name in passed and suite.cases[name].risk in HIGH for name in now.missing)
    text = f"{counted(len(now.missing), 'case has', 'cases have')} no result"
    if high:
        text += f", {high} of high risk that the baseline passed"
    yield Line(code="missing", text=text, step="run them: nothing of them was judged", cases=tuple(now.missing))


def _map_unused(now: ScoredRun, alignment: Alignment | None) -> Iterator[Line]:
    """A map that does not go with the run: the verdict would say nothing of its retrieval, or need no map."""
    if alignment is None or not now.told:
        return
    if now.unmapped:
        answers = counted(now.unmapped, "answer has", "answers have")
        text = f"{answers} the ids of the suite already: judged by id, not by the map"
        yield Line(
            code="map-unused", text=text, step="leave out --align, or check that this is the run of those chunks"
        )
    elif not now.mapped and len(alignment):
        text = "nothing that was retrieved has an id of the map"
        step = "align the chunks of the index that answered: `curator align`"
        yield Line(code="map-unused", text=text, step=step)


def _changed_settings(diff: Diff | None) -> Iterator[Line]:
    if diff is None or len(diff.settings) < 2:
        return
    names = ", ".join(c.name for c in diff.settings)
    yield Line(
        code="settings",
        text=f"{counted(len(diff.settings), 'setting')} differ from the baseline: {names}",
        step="change one at a time, or nobody can say which of them made the difference",
    )


def _notes(now: ScoredRun, then: ScoredRun | None, suite: GatedSuite) -> Iterator[str]:
    """What was not measured, and why."""
    if not now.told:
        yield "the run does not tell what was retrieved: whether a mandatory source was missed is unknown"
    elif now.by == "none" and any(r.score.groups for r in now.results):
        yield "what was retrieved has ids that the suite does not know, and no text: give the map of `curator align`"
    if not now.cites:
        yield "no answer of the run cites a source"
    if not now.settings:
        yield "the run does not tell its settings (run.json)"
    if now.manifest_sha256 and suite.manifest_sha256 and now.manifest_sha256 != suite.manifest_sha256:
        yield "the run names another manifest.json than this release has: it may have been of other bytes"
    if then and then.version not in ("", suite.version):
        yield f"the baseline is of {suite.suite} {then.version}: cases are compared by their ids as they stand now"
    if then and not then.settings:
        yield "the baseline does not tell its settings (run.json)"


def ids_of(report: GateReport) -> dict[str, str]:
    """Case id -> "passed", "failed", "harness" or "missing": the outcome of every case that was gated."""
    found = dict.fromkeys(report.cases, "passed")
    found |= {c.case_id: "failed" for c in report.failed}
    found |= dict.fromkeys(report.harness, "harness")
    return found | dict.fromkeys(report.missing, "missing")
