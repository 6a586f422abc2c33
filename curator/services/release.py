"""Releases: the approved cases of a suite, frozen as one immutable version."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS, PARTITIONS, CaseRecord
from curator.domain.model import Model
from curator.domain.review import agreement
from curator.domain.suite import CaseChange, Gap, SuitePolicy, changes, gaps, next_version, version_key
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.exporting import release as exporting
from curator.exporting.released import PartitionFacts, ReleaseInput, StaleCase, Tombstone, documents_of
from curator.exporting.released import Waiver as WaiverEntry
from curator.exporting.verify import verify as verify_files
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.obstacles import Obstacle, Refused, of_selection, unmet, with_steps
from curator.services.publishing import exclusive, publish, read_folder, replace
from curator.services.quotas import put_out, with_values
from curator.services.reference import reference
from curator.services.selection import cited, parser_of, placed, policy, select
from curator.services.todays_names import todays_names
from curator.store import filling, releases

DISTRIBUTIONS = ("golden-curator", "pypdf", "pypdfium2", "pydantic", "rapidfuzz", "rensa", "sqlmodel")


class SuiteState(Model):
    """A suite of `curator.toml` as it stands now."""

    name: str
    description: str = ""
    cases: int = 0
    gaps: tuple[Gap, ...] = ()
    versions: tuple[str, ...] = ()
    latest: str = ""


class Released(Model):
    """What a release gave, or would give. `holdout` is "" when no case lies there.

    `gaps` are all unmet quotas, let pass or not; `obstacles` is what a dry run found that would stop the release.
    """

    suite: str
    version: str
    parent: str = ""
    outcome: Literal["new", "same", "dry run"]
    folder: str = ""
    holdout: str = ""
    cases: int = 0
    counts: dict[str, int]
    changes: tuple[CaseChange, ...] = ()
    gaps: tuple[Gap, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()


def suites(ctx: Context) -> tuple[SuiteState, ...]:
    """Every suite with its cases, gaps and versions."""
    found = []
    names = sorted(ctx.settings.suites)
    with ctx.db.read() as tx:
        every = placed(tx, reference(ctx)) if names else []
        names_now = todays_names(tx)
        made = releases.versions(tx)
        shelf = filling.shelved(tx)
    for name in names:
        suite = policy(ctx, name)
        taking = names_now.suite(suite)
        chosen = [line for line in every if taking.takes(line)]
        suite = with_values(ctx, suite, chosen, shelf)
        versions = tuple(r.version for r in made if r.suite == name)
        found.append(
            SuiteState(
                name=name,
                description=suite.description,
                cases=len(chosen),
                gaps=gaps(suite.quotas, chosen),
                versions=versions,
                latest=versions[-1] if versions else "",
            )
        )
    return tuple(found)


def build_facts() -> dict[str, str]:
    """What may differ between machines."""
    found = {}
    for name in DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@contextmanager
def _uncollected() -> Iterator[None]:
    """Without the collector of cycles: it would walk ten thousand lines, which have none, again and again.

    It takes a quarter of the time of a release, and frees nothing; what has no cycle is freed as ever.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@_uncollected()
def release(
    ctx: Context, name: str, *, dry_run: bool = False, waive: str = "", progress: Progress | None = None
) -> Released:
    """Freeze the approved cases of a suite as its next version; nothing is written when nothing changed.

    Args:
        ctx: Open workspace; the acting person must be a lead.
        name: Suite of curator.toml.
        dry_run: Say what would be released, write nothing.
        waive: Reason to let all its gaps and leaks pass; "" = one stops the release.
        progress: Reading, rendering, writing.

    Raises:
        UsageError: Who acts is no lead, or a gap is waived without a reason.
        Refused: A quota is not met, dev and holdout share something, or personal data is open.
        CheckFailed: There is no case, or something in it may not be written.
        Conflict: Another process is releasing, or the version's folder exists.
    """
    progress = progress or Silent()
    suite = policy(ctx, name)
    if waive and not waive.strip():
        raise UsageError("a gap is let pass with a reason", "add --waive REASON")
    if dry_run:
        return _released(ctx, _prepare(ctx, suite, progress), "dry run")
    ctx.actor("release")
    with exclusive(ctx.hidden / "release.lock", "a release"):
        if waive:
            _waive(ctx, suite, waive)
        version = _prepare(ctx, suite, progress)
        if version.unwaived:
            raise Refused(with_steps(ctx, name, version.unwaived))
        if version.data.parent and not version.data.changes:
            return _released(ctx, version, "same")
        record(ctx, version.data, progress)
    return _released(ctx, version, "new")


@dataclass(frozen=True)
class _Version:
    """A version that is being made: what it says, its gaps, and what stands against it that nobody let pass."""

    data: ReleaseInput
    gaps: tuple[Gap, ...]
    unwaived: tuple[Obstacle, ...]


def _waive(ctx: Context, suite: SuitePolicy, reason: str) -> None:
    """Record the reason for each gap and leak, but where it stands already."""
    with ctx.write("waive") as tx:
        chosen = select(ctx, tx, suite, reference(ctx), {})
        quotas = put_out(ctx, tx, suite, chosen.lines).quotas
        known = releases.waivers(tx, suite.name)
        for found in of_selection(chosen, gaps(quotas, chosen.lines)):
            if found.waivable and (found.name not in known or known[found.name].reason != reason):
                releases.add_waiver(tx, suite.name, found.name, reason)


def _prepare(ctx: Context, suite: SuitePolicy, progress: Progress) -> _Version:
    """Everything that the next version says, from one snapshot.

    Raises:
        CheckFailed: The suite has no case in an open partition.
    """
    progress.stage(f"reading {suite.name}")
    length = reference(ctx)
    with ctx.db.read() as tx:
        earlier = releases.versions(tx, suite.name)
        parent = earlier[-1] if earlier else None
        previous = releases.lines(tx, suite.name, parent.version) if parent else {}
        chosen = select(ctx, tx, suite, length, previous)
        if not any(line["partition"] in OPEN_PARTITIONS for line in chosen.lines):
            where = "all lie in the holdout" if chosen.lines else "none is approved"
            raise CheckFailed(f"{suite.name} has no case in dev: {where}", "approve more, or correct its selection")
        released = documents_of(chosen.lines)
        sources, (parser, parser_version) = cited(tx, chosen.lines), parser_of(tx, released)
        waived = releases.waivers(tx, suite.name)
        suite = put_out(ctx, tx, suite, chosen.lines)
    progress.checkpoint()
    found = gaps(suite.quotas, chosen.lines)
    obstacles = of_selection(chosen, found)
    waivers = [waived[o.name] for o in obstacles if o.waivable and o.name in waived]
    new = {line["id"]: line for line in chosen.lines}
    difference = changes(
        previous, new, stale=[i for i, _ in chosen.stale], retired=[r.case.id for r in chosen.tombstones]
    )
    stones = _tombstones(parent.manifest if parent else {}, chosen.tombstones)
    data = ReleaseInput(
        policy=suite,
        version=next_version(parent.version if parent else "", [c.level for c in difference]),
        parent=parent.version if parent else "",
        created_at=max(chosen.latest, *(w.at for w in waivers), ""),
        lines=chosen.lines,
        sources=sources,
        documents=released,
        parser_name=parser,
        parser_version=parser_version,
        review=ctx.review_policy,
        waivers=[WaiverEntry(gap=w.gap, reason=w.reason, by=w.by, at=w.at) for w in waivers],
        stale=[StaleCase(id=i, document_id=d) for i, d in chosen.stale],
        tombstones=stones,
        reviewers=chosen.reviewers,
        double_labeled=len(chosen.pairs),
        agreement=agreement(chosen.pairs),
        changes=difference,
        partitions=PartitionFacts(
            level=chosen.level, seed=ctx.settings.partitions.seed, holdout=ctx.settings.partitions.holdout
        ),
        reference=length,
        build=build_facts(),
    )
    return _Version(data, found, unmet(obstacles, waived))


def _tombstones(parent: Mapping[str, Any], retired: Sequence[CaseRecord]) -> list[Tombstone]:
    """Those of the parent's manifest, for good, and the cases retired since."""
    kept = _listed_tombstones(parent)
    fresh = [
        Tombstone(
            id=r.case.id,
            retired_at=r.retired_at,
            reason=r.retired_reason,
            successor=r.successor,
            hidden=r.side == "holdout",
        )
        for r in retired
        if r.case.id not in {t.id for t in kept}
    ]
    return [*kept, *fresh]


def _listed_tombstones(manifest: Mapping[str, Any]) -> list[Tombstone]:
    """Tombstones as a manifest lists them."""
    return [
        Tombstone(id=t["id"], retired_at=t["retiredAt"], reason=t["reason"], successor=t["successor"])
        for t in manifest.get("tombstones", ())
    ]


def folders(ctx: Context, suite: str, version: str) -> tuple[Path, Path]:
    """Where a version lies, and its holdout pair."""
    return ctx.exports / suite / version, ctx.hidden / "holdout" / suite / version


def record(ctx: Context, data: ReleaseInput, progress: Progress) -> None:
    """Render, publish the holdout and then the folder, and record the release. The lock is held.

    Raises:
        CheckFailed: Something in it may not be written.
        Conflict: The folder exists with another content.
    """
    name, version = data.policy.name, data.version
    progress.stage(f"writing {name} {version}")
    try:
        rendered = exporting.render(data, progress)
    except ValueError as error:
        raise CheckFailed(f"{name} {version}: {error}", "correct that case and release again") from None
    publish_version(ctx, name, version, rendered)
    with ctx.write("release") as tx:
        made = releases.Release(
            suite=name,
            version=version,
            parent=data.parent,
            created_at=data.created_at,
            actor=tx.log.actor,
            manifest=rendered.manifest,
        )
        releases.add(tx, made, rendered.lines)


def publish_version(ctx: Context, name: str, version: str, rendered: exporting.Rendered) -> None:
    """Publish the holdout pair and then the folder; what a crash left of this very version is taken over.

    Raises:
        Conflict: The folder exists with another content.
    """
    folder, hidden = folders(ctx, name, version)
    if not (folder.is_dir() and any(folder.iterdir())):
        replace(hidden, rendered.holdout, mode=0o700)  # without a published version, a crash left it
        publish(folder, rendered.files)
    elif read_folder(folder).get("manifest.json") != rendered.files["manifest.json"]:
        raise Conflict(f"{folder} exists with another content", "move it away; a version is never written again")


def _released(ctx: Context, version: _Version, what: Literal["new", "same", "dry run"]) -> Released:
    data = version.data
    number = data.parent if what == "same" else data.version
    folder, hidden = folders(ctx, data.policy.name, number)
    counts = {p: sum(line["partition"] == p for line in data.lines) for p in PARTITIONS}
    return Released(
        suite=data.policy.name,
        version=number,
        parent=data.parent if what != "same" else "",
        outcome=what,
        folder=str(folder),
        holdout=str(hidden) if any(counts[p] for p in HIDDEN_PARTITIONS) else "",
        cases=len(data.lines),
        counts=counts,
        changes=tuple(data.changes),
        gaps=version.gaps,
        obstacles=version.unwaived,
    )


def verify(folder: Path, holdout: Path | None = None) -> tuple[str, ...]:
    """What is wrong with a released folder, by itself; empty = every byte and every rule is right.

    Args:
        folder: exports/SUITE/VERSION, or its parent: then every version there.
        holdout: Folder of the holdout pair, or its parent, to be checked against the manifest too.
    """
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", "name exports/SUITE/VERSION")
    if holdout is not None and not holdout.is_dir():
        raise InputError(f"{holdout} is no folder", "name .curator/holdout/SUITE/VERSION")
    versions = [p for p in folder.iterdir() if p.is_dir() and re.fullmatch(r"\d+\.\d+\.\d+", p.name)]
    if versions and not (folder / "manifest.json").exists():
        ordered = sorted(versions, key=lambda p: version_key(p.name))
        pairs = [(p, holdout / p.name if holdout else None) for p in ordered]
        return tuple(f"{p.name}: {problem}" for p, pair in pairs for problem in _verify(p, pair))
    return tuple(_verify(folder, holdout))


def _verify(folder: Path, holdout: Path | None) -> list[str]:
    """A version without a case in the holdout has no folder there."""
    hidden = None if holdout is None else read_folder(holdout) if holdout.exists() else {}
    return verify_files(read_folder(folder), hidden)
