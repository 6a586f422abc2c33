"""Releases: the approved cases of a suite, frozen as one immutable version."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any, Literal

from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS, PARTITIONS, CaseRecord
from curator.domain.changes import ORDER, CaseChange, ChangeLevel, changes, next_version, schema_level, version_key
from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.domain.review import agreement
from curator.domain.suite import Gap, SourceChoice, SuitePolicy, gaps
from curator.errors import CheckFailed, Conflict, CuratorError, UsageError
from curator.exporting import release as exporting
from curator.exporting.released import PartitionFacts, ReleaseInput, Tombstone, documents_of, source_choice
from curator.exporting.released import Waiver as WaiverEntry
from curator.exporting.schema import CASE_SCHEMA_ID
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.earlier import DEFAULT, Before, Rule
from curator.services.obstacles import Obstacle, Refused, elsewhere, of_selection, unmet, with_steps
from curator.services.publishing import exclusive, publish, read_folder, replace
from curator.services.quotas import put_out, with_values
from curator.services.reference import reference
from curator.services.released_folder import yanked
from curator.services.selection import Selection, parser_of, placed, policy, select, sources_of, unconfirmed
from curator.services.todays_names import todays_names
from curator.services.uncollected import uncollected
from curator.store import filling, releases

VERSION = re.compile(r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)")
DISTRIBUTIONS = ("golden-curator", "pypdf", "pypdfium2", "pydantic", "rapidfuzz", "rensa", "sqlmodel")


class SuiteState(Model):
    """A suite as it stands now.

    Attributes:
        versions: What was released, here or elsewhere, the oldest first; `yanked` are those to be used no more.
        latest: The newest that is not yanked; "" = none.
        is_configured: Whether it stands in `curator.toml`; one that was renamed there keeps its releases.
    """

    name: str
    description: str = ""
    cases: int = 0
    gaps: tuple[Gap, ...] = ()
    versions: tuple[str, ...] = ()
    yanked: tuple[str, ...] = ()
    latest: str = ""
    is_configured: bool = True


class StaleEntry(Model):
    """A stale case, the document for which it is, and whether its last released form is kept."""

    id: str
    document_id: str = ""
    held: bool = False


class Released(Model):
    """What a release gave, or would give. `holdout` is "" when no case lies there.

    Attributes:
        level: What the changes make of the version.
        schema_before: Schema of the lines before, where it was another.
        sources: How many there are; `source_choice`: which they are; `sources_before`: which the version before holds,
            where they are others.
        gaps: All unmet quotas, let pass or not.
        obstacles: What a dry run found that would stop the release.
        stale: Cases whose evidence changed, left out or held.
        unverified: How many cases are left out because they were imported as approved and nobody has confirmed them.
    """

    suite: str
    version: str
    parent: str = ""
    outcome: Literal["new", "same", "dry run"]
    folder: str = ""
    holdout: str = ""
    cases: int = 0
    counts: dict[str, int]
    level: ChangeLevel = "none"
    schema_before: str = ""
    sources: int = 0
    source_choice: SourceChoice = "cited"
    sources_before: str = ""
    changes: tuple[CaseChange, ...] = ()
    stale: tuple[StaleEntry, ...] = ()
    unverified: int = 0
    gaps: tuple[Gap, ...] = ()
    obstacles: tuple[Obstacle, ...] = ()

    @property
    def follows_yanked(self) -> bool:
        """Whether the one reason for this version is that the one before is yanked."""
        return (
            bool(self.parent)
            and self.level != "none"
            and not (self.changes or self.schema_before or self.sources_before)
        )


def suites(ctx: Context, *, former: bool = False) -> tuple[SuiteState, ...]:
    """Every suite of `curator.toml` with its cases, gaps and versions.

    Args:
        ctx: Open workspace.
        former: Also those that were released and do not stand there any more.
    """
    found = []
    names = sorted(ctx.settings.suites)
    with ctx.db.read() as tx:
        every = placed(tx, reference(ctx)) if names else []
        names_now = todays_names(tx)
        made = releases.versions(tx)
        shelf = filling.shelved(tx)
    known: dict[str, set[str]] = {}
    for entry in made:
        known.setdefault(entry.suite, set()).add(entry.version)
    for name in names:
        suite = policy(ctx, name)
        taking = names_now.suite(suite)
        chosen = [line for line in every if taking.takes(line)]
        suite = with_values(ctx, suite, chosen, shelf)
        state = SuiteState(name=name, description=suite.description, cases=len(chosen), gaps=gaps(suite.quotas, chosen))
        found.append(state.model_copy(update=_versions(ctx, name, known.get(name, set()))))
    for name in sorted({*known, *_folders(ctx.exports)} - set(names)) if former else ():
        update = _versions(ctx, name, known.get(name, set()))
        if update["versions"]:
            found.append(SuiteState(name=name, is_configured=False).model_copy(update=update))
    return tuple(found)


def _versions(ctx: Context, name: str, recorded: set[str]) -> dict[str, Any]:
    """The versions of a suite that are recorded or lie in exports/, and which of them are yanked."""
    every = sorted({*recorded, *in_exports(ctx, name)}, key=version_key)
    try:
        gone = yanked(ctx.exports / name)
    except CuratorError:
        gone = {}  # a release, an export and `suite verify` say that the file cannot be read
    kept = [v for v in every if v not in gone]
    return {
        "versions": tuple(every),
        "yanked": tuple(v for v in every if v in gone),
        "latest": kept[-1] if kept else "",
    }


def _folders(parent: Path) -> list[str]:
    return [p.name for p in parent.iterdir() if p.is_dir() and not p.is_symlink()] if parent.is_dir() else []


def in_exports(ctx: Context, name: str) -> list[str]:
    """The versions of a suite whose folders lie in exports/, here or elsewhere released."""
    return [v for v in _folders(ctx.exports / name) if VERSION.fullmatch(v)]


def build_facts() -> dict[str, str]:
    """What may differ between machines."""
    found = {}
    for name in DISTRIBUTIONS:
        try:
            found[name] = metadata.version(name)
        except metadata.PackageNotFoundError:
            continue
    return found


@uncollected()
def release(
    ctx: Context, name: str, *, dry_run: bool = False, waive: str = "", rule: Rule = DEFAULT,
    progress: Progress | None = None,
) -> Released:  # fmt: skip
    """Freeze the approved cases of a suite as its next version; nothing is written when nothing changed.

    After a version that is yanked there is always a next one.

    Args:
        ctx: Open workspace; the acting person must be a lead.
        name: Suite of curator.toml.
        dry_run: Say what would be released, write nothing.
        waive: Reason to let all its gaps and leaks pass; "" = one stops the release.
        rule: Which revisions of the documents it is judged against, and whether stale cases are held.
        progress: Reading, rendering, writing.

    Raises:
        UsageError: Who acts is no lead, or a gap is waived without a reason.
        InputError: A document or revision of the rule is not here.
        Refused: A quota is not met, dev and holdout share something, personal data is open, or a version of the suite
            was released elsewhere.
        CheckFailed: There is no case, or something in it may not be written.
        Conflict: Another process is releasing, or the version's folder exists.
    """
    progress = progress or Silent()
    suite = policy(ctx, name)
    if waive and not waive.strip():
        raise UsageError("a gap is let pass with a reason", "add --waive REASON")
    if dry_run:
        tried = _released(ctx, _prepare(ctx, suite, rule, progress), "dry run")
        return tried.model_copy(update={"obstacles": with_steps(ctx, name, tried.obstacles)})
    ctx.actor("release")
    with exclusive(ctx.hidden / "release.lock", "a release"):
        if waive:
            _waive(ctx, suite, waive, rule)
        version = _prepare(ctx, suite, rule, progress)
        if version.unwaived:
            raise Refused(with_steps(ctx, name, version.unwaived))
        if not version.is_new:
            return _released(ctx, version, "same")
        record(ctx, version.data, progress)
    return _released(ctx, version, "new")


@dataclass(frozen=True)
class _Version:
    """A version that is being made: what it says, its gaps, and what stands against it that nobody let pass."""

    data: ReleaseInput
    level: ChangeLevel
    is_new: bool
    gaps: tuple[Gap, ...]
    unwaived: tuple[Obstacle, ...]
    unverified: int


def _waive(ctx: Context, suite: SuitePolicy, reason: str, rule: Rule) -> None:
    """Record the reason for each gap and leak, but where it stands already."""
    with ctx.write("waive") as tx:
        chosen = select(ctx, tx, suite, reference(ctx), rule=rule)
        quotas = put_out(ctx, tx, suite, chosen.lines).quotas
        known = releases.waivers(tx, suite.name)
        for found in of_selection(chosen, gaps(quotas, chosen.lines)):
            if found.waivable and (found.name not in known or known[found.name].reason != reason):
                releases.add_waiver(tx, suite.name, found.name, reason)


def _prepare(ctx: Context, suite: SuitePolicy, rule: Rule, progress: Progress) -> _Version:
    """The next version of a suite, as it would be now, under its policy as curator.toml has it.

    Raises:
        CheckFailed: The suite has no case in an open partition.
    """
    progress.stage(f"reading {suite.name}")
    length = reference(ctx)
    with ctx.db.read() as tx:
        earlier = releases.versions(tx, suite.name)
        parent = earlier[-1] if earlier else None
        listed = _listed_tombstones(parent.manifest if parent else {})
        before = Before(
            lines=releases.lines(tx, suite.name, parent.version) if parent else {},
            ever=releases.released_ids(tx, suite.name),
            buried=frozenset(t.id for t in listed),
        )
        chosen = select(ctx, tx, suite, length, before, rule)
        unverified = unconfirmed(tx, suite, length)
        if not any(line["partition"] in OPEN_PARTITIONS for line in chosen.lines):
            where = "all lie in the holdout" if chosen.lines else "none is approved"
            if unverified:
                are = "case is" if unverified == 1 else "cases are"
                where += f"; {unverified} {are} imported as approved and confirmed by nobody"
            raise CheckFailed(f"{suite.name} has no case in dev: {where}", "approve more, or correct its selection")
        released = documents_of(chosen.lines)
        sources, (parser, parser_version) = sources_of(tx, chosen.lines, rule), parser_of(tx, released)
        waived = releases.waivers(tx, suite.name)
        suite = put_out(ctx, tx, suite, chosen.lines)
    progress.checkpoint()
    found = gaps(suite.quotas, chosen.lines)
    difference = _changes(before, chosen)
    schema = str(parent.manifest["schema"]["id"]) if parent else CASE_SCHEMA_ID
    levels = [*(c.level for c in difference), schema_level(schema, CASE_SCHEMA_ID)]
    held = source_choice(parent.manifest) if parent else rule.sources
    levels += ["patch"] if held != rule.sources else []
    number = parent.version if parent else ""
    version = next_version(number, levels)
    others = [v for v in in_exports(ctx, suite.name) if v not in {r.version for r in earlier} and v != version]
    obstacles = (*of_selection(chosen, found), *elsewhere(suite.name, others))
    waivers = [waived[o.name] for o in obstacles if o.waivable and o.name in waived]
    data = ReleaseInput(
        policy=suite,
        version=version,
        parent=number,
        created_at=max(chosen.latest, *(w.at for w in waivers), ""),
        lines=chosen.lines,
        sources=sources,
        documents=released,
        parser_name=parser,
        parser_version=parser_version,
        review=ctx.review_policy,
        waivers=[WaiverEntry(gap=w.gap, reason=w.reason, by=w.by, at=w.at) for w in waivers],
        stale=chosen.stale,
        tombstones=_tombstones([t for t in listed if t.id not in _ids(chosen.lines)], chosen.tombstones),
        reviewers=chosen.reviewers,
        double_labeled=len(chosen.pairs),
        agreement=agreement(chosen.pairs),
        changes=difference,
        partitions=PartitionFacts(
            level=chosen.level, seed=ctx.settings.partitions.seed, holdout=ctx.settings.partitions.holdout
        ),
        reference=length,
        revisions=dict(rule.revisions),
        schema_before=schema if schema != CASE_SCHEMA_ID else "",
        source_choice=rule.sources,
        sources_before=held if held != rule.sources else "",
        build=build_facts(),
    )
    level: ChangeLevel = max(levels, key=ORDER.index)
    if level == "none" and number in yanked(ctx.exports / suite.name):
        level = "patch"  # what is yanked has a successor, though nothing changed
    is_new = level != "none" or not parent
    return _Version(data, level, is_new, found, unmet(obstacles, waived), unverified)


def _ids(lines: Sequence[Mapping[str, Any]]) -> set[str]:
    return {line["id"] for line in lines}


def _changes(before: Before, chosen: Selection) -> tuple[CaseChange, ...]:
    """What happened to each case since the version before."""
    retired = {r.case.id: "" if r.side == "holdout" else r.retired_reason for r in chosen.tombstones}
    return changes(
        before.lines,
        {line["id"]: line for line in chosen.lines},
        stale={s.id: "stale, left out until it is confirmed again" for s in chosen.stale if not s.held},
        retired={name: reason for name, reason in retired.items() if name not in before.buried},
        restored=chosen.restored,
        left=chosen.left,
        moved=chosen.moved,
        marks=chosen.marks,
    )


def _tombstones(kept: Sequence[Tombstone], retired: Sequence[CaseRecord]) -> list[Tombstone]:
    """Those that are kept, for good until the case comes back, and the cases retired since."""
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
    build = publish_version(ctx, name, version, rendered)
    with ctx.write("release") as tx:
        made = releases.Release(
            suite=name,
            version=version,
            parent=data.parent,
            created_at=data.created_at,
            actor=tx.log.actor,
            manifest=rendered.manifest,
            build=build,
        )
        releases.add(tx, made, rendered.lines)


def publish_version(ctx: Context, name: str, version: str, rendered: exporting.Rendered) -> str:
    """Publish the holdout pair and then the folder; what a crash left of this very version is taken over.

    Returns:
        Hash of the build.json that lies there.

    Raises:
        Conflict: The folder exists with another content.
    """
    folder, hidden = folders(ctx, name, version)
    if not (folder.is_dir() and any(folder.iterdir())):
        replace(hidden, rendered.holdout, mode=0o700)  # without a published version, a crash left it
        publish(folder, rendered.files)
    here = read_folder(folder)
    if here.get("manifest.json") != rendered.files["manifest.json"]:
        raise Conflict(
            f"{folder} exists with another content",
            f"released elsewhere? `curator suite release --reproduce {folder}/manifest.json`; else move it away",
        )
    return sha256(here["build.json"]) if "build.json" in here else ""


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
        level=version.level,
        schema_before=data.schema_before,
        sources=len(data.sources),
        source_choice=data.source_choice,
        sources_before=data.sources_before,
        changes=tuple(data.changes),
        stale=tuple(StaleEntry(id=s.id, document_id=s.document_id, held=s.held) for s in data.stale),
        unverified=version.unverified,
        gaps=version.gaps,
        obstacles=version.unwaived,
    )
