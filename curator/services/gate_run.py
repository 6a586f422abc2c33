"""A run held against a suite, streamed: every answer is scored when it is read, and only its score is kept."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator.domain.alignment import Alignment
from curator.domain.answers import Answer, Retrieved, question_key
from curator.domain.gate_report import Counts, SettingChange
from curator.domain.identity import sha256
from curator.domain.scoring import Rules, Score, score
from curator.domain.tallying import Result
from curator.errors import InputError
from curator.exporting.runs.reading import RunFile, files_of
from curator.progress import Progress
from curator.services.gated_suite import GatedSuite
from curator.text import counted, one_line

TOLD = 20
"""So many lines that cannot be taken are told one by one."""


@dataclass(kw_only=True)
class ScoredRun:
    """A run over a suite.

    Attributes:
        name: Of the run; `system`: what answered.
        results: Cases with an answer, in the order of the suite; those whose harness failed are not among them.
        harness: Ids of the cases whose harness failed.
        missing: Ids of the cases without a line.
        strangers: Names of lines of no case, the first few.
        by: By what evidence was known: "map", "ids", "text", "ids and text" or "none".
        told: Whether any line tells what was retrieved.
        cites: Whether any answer cites a source.
        unmapped: Answers with ids of the suite, that were judged by id although there is a map.
        mapped: Whether a chunk of the map was retrieved in any answer.
        outputs: SHA-256 of the text of each answer, where it was asked for.
    """

    name: str
    system: str
    format: str
    version: str = ""
    manifest_sha256: str = ""
    settings: dict[str, str] = field(default_factory=dict)
    results: list[Result] = field(default_factory=list)
    harness: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    strangers: list[str] = field(default_factory=list)
    unknown: int = 0
    duplicates: int = 0
    unreadable: int = 0
    by: str = "none"
    told: bool = False
    cites: bool = False
    unmapped: int = 0
    mapped: bool = False
    verdicts: dict[str, bool] = field(default_factory=dict)
    outputs: dict[str, str] = field(default_factory=dict)

    @property
    def counts(self) -> Counts:
        """What of it fits the suite."""
        return Counts(
            cases=len(self.results) + len(self.harness) + len(self.missing),
            scored=len(self.results), harness=len(self.harness), missing=len(self.missing), unknown=self.unknown,
            duplicates=self.duplicates, unreadable=self.unreadable,
        )  # fmt: skip


def score_run(
    path: Path, suite: GatedSuite, k: int, alignment: Alignment | None, progress: Progress, *, same_version: bool = True
) -> ScoredRun:
    """Score every answer of a run.

    Args:
        path: The file.
        suite: What it is held against.
        k: So many of what was retrieved count.
        alignment: The map to the system's own chunks, when there is one.
        progress: A stage; lines that cannot be taken are noted.
        same_version: Whether it must be of the very version.

    Raises:
        InputError: It is no run, or of another suite.
        StorageError: It cannot be read.
    """
    files = [RunFile(one, progress) for one in files_of(path)]
    file = files[0]
    settings = file.settings()
    made = ScoredRun(
        name=_said(settings, "run") or file.path.stem, system=_said(settings, "system"), format=file.format,
        version=_said(settings, "version"),
        manifest_sha256=_said(settings, "manifestSha256"), settings=_frozen(settings),
    )  # fmt: skip
    _require(file.path, settings, suite, same_version)
    progress.stage(f"scoring {one_line(file.path.name, 60)}", len(suite.cases))
    rules, sources = Rules(k, alignment, _routes(suite), _containers(suite)), _sources(suite)
    found: dict[str, Score] = {}
    evidence = _Evidence()
    for name, answer in (fit for one in files for fit in _fitting(one, suite, made, progress)):
        answer = _todays_names(answer, suite.aliases)
        scored_by = _rules_for(answer, rules, sources, made)
        evidence.see(answer, scored_by)
        made.cites |= bool(answer.citations)
        scored = score(suite.cases[name], answer, scored_by)
        if name in found:
            made.duplicates += 1
            if not _counts_instead(scored, found[name]):
                continue
        found[name] = scored
        made.verdicts.pop(name, None)
        made.outputs[name] = sha256(answer.answer.encode("utf-8", "surrogatepass"))
        if answer.verdict is not None:
            made.verdicts[name] = answer.verdict
        progress.advance()
    made.by, made.told = _by(evidence.by, made, alignment), evidence.told
    for name, case in suite.cases.items():
        if name not in found:
            made.missing.append(name)
        elif found[name].stage == "harness":
            made.harness.append(name)
        else:
            made.results.append(Result(case, found[name]))
    if not found:
        strangers = f", such as {made.strangers[0]}" if made.strangers else ""
        raise InputError(
            f"{file.path}: none of its lines is of a case of {suite.suite} {suite.version}{strangers}",
            "name each case by its id, or ask its question word for word; is it the run of this suite?",
        )
    return made


def _counts_instead(later: Score, earlier: Score) -> bool:
    """Whether of two answers to a case the later counts: the worse one does, and any answer before a harness error."""
    if "harness" in (later.stage, earlier.stage):
        return earlier.stage == "harness" and later.stage != "harness"
    worth = [(s.passed, s.right, not s.claimed, s.retrieved is not False) for s in (later, earlier)]
    return worth[0] < worth[1]


def _fitting(
    file: RunFile, suite: GatedSuite, made: ScoredRun, progress: Progress
) -> Iterator[tuple[str, Answer]]:  # fmt: skip
    """The answers that are of a case of the suite, each with its id; the others are counted."""
    for row in file.answers():
        if isinstance(row.answer, str):
            made.unreadable += 1
            if made.unreadable <= TOLD:
                progress.note(f"{file.path.name} {row.where}: {row.answer}")
            continue
        name = case_of(row.answer, suite, made.outputs)
        if name:
            yield name, row.answer
            continue
        made.unknown += 1
        if made.unknown <= TOLD:
            said = one_line(row.answer.case_id, 60) or "a line without an id"
            made.strangers.append(said)
            progress.note(f"{file.path.name} {row.where}: {said} is no case of {suite.suite} {suite.version}")
    for count, what in ((made.unreadable, "line is no answer"), (made.unknown, "line is of no case")):
        if count > TOLD:
            progress.note(f"{file.path.name}: {counted(count, what, what.replace('line is', 'lines are'))} in all")


def case_of(answer: Answer, suite: GatedSuite, taken: Container[str]) -> str:
    """The id of the case: as it is told, else by its question; of several that ask the same, the first not taken."""
    if answer.case_id in suite.cases:
        return answer.case_id
    alike = suite.asked.get(question_key(answer.turns_asked), ()) if answer.turns_asked else ()
    return next((name for name in alike if name not in taken), alike[0] if alike else "")


class _Evidence:
    """By what retrieved evidence is known in a run."""

    def __init__(self) -> None:
        self._ids = self._texts = False
        self.told = False

    def see(self, answer: Answer, rules: Rules) -> None:
        """Look at one answer."""
        if answer.retrieved is None:
            return
        self.told = True
        for item in answer.retrieved[:3]:
            known = item.id.partition(":")[0] in rules.containers
            self._ids |= known
            self._texts |= not known and bool(item.text)

    @property
    def by(self) -> str:
        """In words."""
        return " and ".join(w for w, seen in (("ids", self._ids), ("text", self._texts)) if seen) or "none"


def _todays_names(answer: Answer, aliases: dict[str, str]) -> Answer:
    if not aliases or not answer.retrieved:
        return answer
    found = tuple(Retrieved(aliases.get(r.id, r.id), r.text, r.rank) for r in answer.retrieved)
    cited = tuple(aliases.get(c, c) for c in answer.citations) if answer.citations is not None else None
    return dataclasses.replace(answer, retrieved=found, citations=cited)


def _routes(suite: GatedSuite) -> frozenset[str]:
    return frozenset(c.route for c in suite.cases.values() if c.route)


def _sources(suite: GatedSuite) -> frozenset[str]:
    """Ids of evidence that the suite knows."""
    required = (e.source_id for c in suite.cases.values() for g in c.groups for e in g.entries)
    return frozenset(required) | {name for c in suite.cases.values() for name in c.supporting}


def _has_own_ids(answer: Answer, sources: frozenset[str]) -> bool:
    """Whether nothing that was retrieved has an id of the suite: "DOCUMENT:chunk-9" is an id of the system's own."""
    return bool(answer.retrieved) and all(r.id not in sources for r in answer.retrieved or ())


def _rules_for(answer: Answer, rules: Rules, sources: frozenset[str], made: ScoredRun) -> Rules:
    """By id where an answer has ids of the suite, although there is a map; by text where it has ids of its own."""
    own = _has_own_ids(answer, sources)
    if rules.alignment is None or not answer.retrieved:
        return rules._replace(containers=()) if own else rules
    if any(r.id in rules.alignment.chunks for r in answer.retrieved):
        made.mapped = True
        return rules
    if own:
        return rules._replace(containers=())
    made.unmapped += 1
    return rules._replace(alignment=None)


def _by(known: str, made: ScoredRun, alignment: Alignment | None) -> str:
    if alignment is None:
        return known
    return known if made.unmapped and not made.mapped else "map and ids" if made.unmapped else "map"


def _containers(suite: GatedSuite) -> frozenset[str]:
    """What stands before the colon of the ids that the suite knows."""
    ids = (e.source_id for c in suite.cases.values() for g in c.groups for e in g.entries)
    return frozenset(name.partition(":")[0] for name in ids) | {a.partition(":")[0] for a in suite.aliases}


def _said(settings: dict[str, Any], key: str) -> str:
    value = settings.get(key)
    return one_line(value, 100) if isinstance(value, str) else ""


def _frozen(settings: dict[str, Any]) -> dict[str, str]:
    """The settings of run.json by name; the last one of a name counts."""
    found: dict[str, str] = {}
    entries = settings.get("settings")
    for entry in entries if isinstance(entries, list) else ():
        if isinstance(entry, dict) and isinstance(entry.get("name"), str):
            found[one_line(entry["name"], 60)] = one_line(str(entry.get("value", "")), 200)
    return found


def _require(path: Path, settings: dict[str, Any], suite: GatedSuite, same_version: bool) -> None:
    said = (_said(settings, "suite") or suite.suite, _said(settings, "version") or suite.version)
    if said[0] != suite.suite or (same_version and said[1] != suite.version):
        other = " ".join(said)
        raise InputError(
            f"{path.with_suffix('.json')}: the run is of {other}, not of {suite.suite} {suite.version}",
            f"gate it against {said[0]}@{said[1]}, or run this version",
        )


def setting_changes(before: dict[str, str], after: dict[str, str]) -> tuple[SettingChange, ...]:
    """The settings that differ, by name."""
    return tuple(
        SettingChange(name=name, before=before.get(name, ""), after=after.get(name, ""))
        for name in sorted(before.keys() | after.keys())
        if before.get(name, "") != after.get(name, "")
    )
