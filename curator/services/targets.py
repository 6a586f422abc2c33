"""Export: a released version in the form that each evaluator reads, made in one pass over its lines."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path

from curator.domain.changes import version_key
from curator.domain.model import Model
from curator.errors import InputError, UsageError
from curator.exporting.targets import registry
from curator.exporting.targets.lost import Presence, lost_page
from curator.exporting.targets.protocol import Choices, LongFollowUps, Outcome, Release, Target, Writer
from curator.progress import Progress, Silent
from curator.services.released_folder import ReleasedFolder, yanked
from curator.services.run_answers import RunAnswers
from curator.services.target_folder import Draft, drafts
from curator.text import one_line

_SUITE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
_VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")


class TargetState(Model):
    """A target that can be exported to."""

    name: str
    evaluator: str
    tested: str
    summary: str


class TargetMade(Model):
    """One folder of an export. `left_out`: reason -> number of cases."""

    name: str
    evaluator: str
    tested: str
    folder: str
    cases: int
    left_out: dict[str, int]
    files: tuple[str, ...]


class Exported(Model):
    """What an export wrote."""

    suite: str
    version: str
    cases: int
    targets: tuple[TargetMade, ...]


def targets() -> tuple[TargetState, ...]:
    """All targets, ours and those of other packages."""
    return tuple(
        TargetState(name=t.name, evaluator=t.evaluator, tested=t.tested, summary=t.summary)
        for t in registry.load([registry.ALL])
    )


def released(exports: Path, reference: str) -> Path:
    """The folder of NAME[@VERSION]; without a version, of the latest that is not yanked.

    Raises:
        UsageError: It is no name of a suite and version.
        InputError: There is no such release.
    """
    name, at, version = reference.partition("@")
    if not _SUITE.fullmatch(name) or (at and not _VERSION.fullmatch(version)):
        raise UsageError(f"{one_line(reference, 80)!a} is no NAME or NAME@VERSION", "for example school-health@1.0.0")
    suite = exports / name
    if version:
        if not (suite / version).is_dir():
            raise InputError(f"{name} has no version {version} in {exports}", "`curator suite list` shows the versions")
        return suite / version
    gone = yanked(suite)
    here = [p for p in suite.iterdir() if _VERSION.fullmatch(p.name) and p.is_dir()] if suite.is_dir() else []
    kept = [p for p in here if p.name not in gone]
    if not kept:
        why = "every version of it is yanked" if here else f"nothing is released in {exports}"
        raise InputError(f"{name}: {why}", f"`curator suite release {name}`")
    return max(kept, key=lambda p: version_key(p.name))


def export(
    folder: Path,
    to: Sequence[str],
    *,
    long_followups: LongFollowUps = "refuse",
    run: Path | None = None,
    progress: Progress | None = None,
) -> Exported:
    """Write a released version for evaluators, each into VERSION.targets/NAME beside it, whole or not at all.

    The lines are read once, whatever the number of targets, and none is kept. A folder of an earlier export is
    replaced. The holdout is never exported.

    Args:
        folder: exports/SUITE/VERSION.
        to: Names of targets; "all" = all of them.
        long_followups: What becomes of follow-ups with more turns than a format takes.
        run: The answers of a system (run.jsonl, with run.json beside it), for formats that carry them.
        progress: Its checkpoint is called for every line; stopping leaves what was there before.

    Raises:
        UsageError: A target is unknown.
        InputError: The folder is no release, or the run is none of it.
        CheckFailed: The version is yanked, or its files are not what was released.
        Conflict: Another process exports this version.
        StorageError: The disk refused.
    """
    progress = progress or Silent()
    chosen = registry.load(to)
    if not chosen:
        raise UsageError("name what to export to", f"--to {registry.ALL}, or {', '.join(registry.names())}")
    progress.stage("checking the release")
    source = ReleasedFolder(folder, progress)
    release = Release(suite=source.suite, version=source.version, manifest=source.manifest, small=source.small)
    answers = RunAnswers(run, source.suite, source.version, progress) if run else None
    parent = folder.parent / f"{folder.name}.targets"
    with drafts(parent, tuple(t.name for t in chosen)) as places:
        choices = Choices(long_followups=long_followups, answers=answers)
        presence, outcomes = _write(chosen, source, release, choices, places, progress)
        return _publish(chosen, release, choices, presence, outcomes, places)


def _write(
    chosen: Sequence[Target],
    source: ReleasedFolder,
    release: Release,
    choices: Choices,
    places: dict[str, Draft],
    progress: Progress,
) -> tuple[Presence, list[Outcome]]:
    """One pass over the cases and one over the sources, for all targets."""
    writers: list[Writer] = [t.begin(release, places[t.name], choices) for t in chosen]
    presence = Presence()
    counts = release.manifest["counts"]["partition"]
    progress.stage("writing cases", counts["dev"] + counts["followup_dev"])
    for case, raw in source.cases():
        presence.add(case)
        for writer in writers:
            writer.add(case, raw)
        progress.advance()
    progress.stage("writing sources")
    for line, raw in source.sources():
        for writer in writers:
            writer.add_source(line, raw)
    return presence, [writer.finish() for writer in writers]


def _publish(
    chosen: Sequence[Target],
    release: Release,
    choices: Choices,
    presence: Presence,
    outcomes: Iterable[Outcome],
    places: dict[str, Draft],
) -> Exported:
    made = []
    for target, outcome in zip(chosen, outcomes, strict=True):
        place = places[target.name]
        place.open("LOST.md").write(lost_page(target, release, choices, presence, outcome))
        made.append(
            TargetMade(
                name=target.name,
                evaluator=target.evaluator,
                tested=target.tested,
                folder=str(place.place),
                cases=outcome.written,
                left_out={reason: len(ids) for reason, ids in sorted(outcome.left_out.items())},
                files=place.sync(),
            )
        )
    for place in places.values():
        place.publish()
    return Exported(suite=release.suite, version=release.version, cases=presence.cases, targets=tuple(made))
