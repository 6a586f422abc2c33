"""An LLM judge beside people: its scores out of a file, the ratings out of human_ratings.jsonl."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from curator.domain.gate_report import JudgeRow
from curator.domain.judging import Human, Judged, agreement
from curator.errors import InputError, StorageError
from curator.exporting.read import read_lines
from curator.exporting.runs.reading import RunFile, files_of
from curator.exporting.runs.rows import score
from curator.progress import Progress
from curator.services.gate_run import ScoredRun, case_of
from curator.services.gated_suite import GatedSuite
from curator.text import counted, one_line

RATINGS_FILE = "human_ratings.jsonl"
_VERDICTS = ("passed", "pass", "success")


def judge_rows(
    run: ScoredRun, suite: GatedSuite, judge: Path, ratings: Path | None, progress: Progress
) -> tuple[JudgeRow, ...]:
    """Agreement of each judge with people.

    Args:
        run: The run that was gated.
        suite: What it was held against.
        judge: Results of a judge; or a human_ratings.jsonl, and then the judge is what the run's own evaluator scored.
        ratings: A human_ratings.jsonl; None = that of the release.
        progress: Ratings of other answers are noted.

    Raises:
        InputError: There are no ratings or no scores, or a file is neither.
    """
    is_ratings = _is_ratings(judge)
    place = judge if is_ratings else ratings or _beside(suite)
    people = _people(place, suite, run.outputs, progress)
    judged = _own(run) if is_ratings else _judged(judge, suite, progress)
    if not judged:
        raise InputError(
            f"{judge}: no score of a judge for a case of {suite.suite}", "a line a case: caseId, score, passed"
        )
    rows = tuple(row for name, found in judged.items() for row in agreement(name, found, people, suite.cases))
    if not any(row.agree.n for row in rows):
        raise InputError(f"{judge}: no case of it was rated by people", f"rate outputs of {run.name} first")
    return rows


def _beside(suite: GatedSuite) -> Path:
    path = suite.folder.parent / f"{suite.version}.ratings" / RATINGS_FILE
    if not path.is_file():
        raise InputError(f"no human ratings at {path}", "`curator sample-review export`, or --ratings FILE")
    return path


def _people(
    path: Path, suite: GatedSuite, outputs: Mapping[str, str], progress: Progress
) -> dict[str, Human]:  # fmt: skip
    """Ratings by case; those of another answer than the run's are left out."""
    from curator.services.rating_files import load_ratings

    found: dict[str, list[tuple[int, int]]] = defaultdict(list)
    others = 0
    for line in load_ratings(path, suite.suite, suite.version).ratings:
        if line.case_id in outputs and line.output_sha256.removeprefix("sha256:") != outputs[line.case_id]:
            others += 1
            continue
        found[line.case_id].append((line.completeness, line.accuracy))
    if others:
        progress.note(f"{path.name}: {counted(others, 'rating')} of another answer left out")
    return {
        name: Human(sum(c for c, _ in said) / len(said), sum(a for _, a in said) / len(said))
        for name, said in found.items()
    }


def _own(run: ScoredRun) -> dict[str, dict[str, Judged]]:
    """What the evaluator of the run itself measured, by name."""
    found: dict[str, dict[str, Judged]] = defaultdict(dict)
    for r in run.results:
        verdict = run.verdicts.get(r.case.id)
        for name, value in r.score.scores:
            found[name][r.case.id] = Judged(value, None)
        if verdict is not None:
            found["verdict"][r.case.id] = Judged(None, verdict)
    return found


def _judged(path: Path, suite: GatedSuite, progress: Progress) -> dict[str, dict[str, Judged]]:
    """Scores out of the results of an evaluator, or out of plain lines: caseId and numbers."""
    found: dict[str, dict[str, Judged]] = defaultdict(dict)
    try:
        files = [RunFile(one, progress) for one in files_of(path)]
    except InputError:
        return _plain(path, suite)
    for row in (row for file in files for row in file.answers()):
        if isinstance(row.answer, str):
            continue
        name = case_of(row.answer, suite, ())
        if name:
            for measure, value in row.answer.scores.items():
                found[measure].setdefault(name, Judged(value, None))
            if row.answer.verdict is not None:
                found["verdict"].setdefault(name, Judged(None, row.answer.verdict))
    return found


def _plain(path: Path, suite: GatedSuite) -> dict[str, dict[str, Judged]]:
    found: dict[str, dict[str, Judged]] = defaultdict(dict)
    for _, row in read_lines(_bytes(path), path.name):
        if isinstance(row, InputError):
            raise row
        name = row.get("caseId")
        if not isinstance(name, str) or name not in suite.cases:
            continue
        passed = next((row[k] for k in _VERDICTS if isinstance(row.get(k), bool)), None)
        values = {k: v for k in row if k not in _VERDICTS and (v := score(row[k])) is not None}
        judge = one_line(str(row.get("judge", "judge")), 60)
        if not values and passed is not None:
            found[judge][name] = Judged(None, passed)
        for key, value in values.items():
            label = judge if len(values) == 1 else f"{judge}.{one_line(key, 40)}"
            found[label][name] = Judged(value, passed)
    return found


def _is_ratings(path: Path) -> bool:
    if path.is_dir():
        return False
    first: Any = next((row for _, row in read_lines(_bytes(path), path.name)), None)
    return isinstance(first, dict) and first.get("kind") in ("sample", "summary", "rating")


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "name the results of a judge") from None
