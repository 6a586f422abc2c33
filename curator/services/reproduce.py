"""Reproduction: the bytes of a released manifest, made again from cases and documents."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.errors import CheckFailed, InputError
from curator.exporting import release as exporting
from curator.exporting.read import read_object
from curator.exporting.released import from_manifest
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.earlier import Rule
from curator.services.publishing import exclusive
from curator.services.release import build_facts, folders, publish_version, record
from curator.services.released_version import released
from curator.services.selection import select, sources_of
from curator.store import releases


class Reproduced(Model):
    """Whether the bytes of a manifest came out again: names of files that are the same, and of those that differ."""

    suite: str
    version: str
    same: tuple[str, ...] = ()
    different: tuple[str, ...] = ()
    folder: str = ""


def reproduce(ctx: Context, manifest_path: Path, *, progress: Progress | None = None) -> Reproduced:
    """Make the version of a manifest again from the cases and documents of this workspace, and compare every byte.

    Version, parent, selection, quotas, waivers and the list of changes are facts of that release and are taken from the
    manifest; every source is made anew, and so is every case line, but of a version that was recorded here. When all
    bytes are equal, a lead's reproduction also writes and records the version, where it is not here.

    Raises:
        InputError: The file is no manifest of ours.
    """
    progress = progress or Silent()
    raw, manifest = _read_manifest(manifest_path)
    shape = from_manifest(manifest, lines=(), sources=())
    progress.stage(f"reproducing {shape.policy.name} {shape.version}")
    with ctx.db.read() as tx:
        recorded = releases.lines(tx, shape.policy.name, shape.version)
        rule = Rule(revisions=shape.revisions, hold_stale=any(s.held for s in shape.stale), sources=shape.source_choice)
        lines = tuple(recorded.values()) or select(ctx, tx, shape.policy, shape.reference, rule=rule).lines
        sources = sources_of(tx, lines, rule)
    data = from_manifest(manifest, lines=lines, sources=sources, build=build_facts())
    try:
        rendered = exporting.render(data, progress)
    except ValueError as error:
        raise CheckFailed(f"{shape.policy.name} {shape.version}: {error}", "the workspace differs") from None
    wanted = {e["path"]: e["sha256"] for e in (*manifest["files"], *manifest["holdout"])}
    made = {**rendered.files, **rendered.holdout}
    same = [n for n, digest in wanted.items() if n in made and sha256(made[n]) == digest]
    different = sorted((set(wanted) | (set(made) - {"SHA256SUMS", "build.json", "manifest.json"})) - set(same))
    different += [] if made["manifest.json"] == raw else ["manifest.json"]
    folder, _ = folders(ctx, shape.policy.name, shape.version)
    if not different and ctx.actor_id and ctx.actor().may("release"):
        with exclusive(ctx.hidden / "release.lock", "a release"):
            if recorded:
                _published_again(ctx, shape.policy.name, shape.version, rendered)
            else:
                record(ctx, data, progress)
    return Reproduced(
        suite=shape.policy.name,
        version=shape.version,
        same=tuple(sorted([*same, *([] if "manifest.json" in different else ["manifest.json"])])),
        different=tuple(different),
        folder=str(folder) if folder.exists() else "",
    )


def _published_again(ctx: Context, suite: str, version: str, rendered: exporting.Rendered) -> None:
    """Write the files of a version that is recorded; their build.json may name other libraries than before."""
    build = publish_version(ctx, suite, version, rendered)
    if build == sha256(rendered.files["build.json"]) != released(ctx, suite, version).build:
        with ctx.write("release") as tx:
            releases.add_build(tx, suite, version, build)


def _read_manifest(path: Path) -> tuple[bytes, dict[str, Any]]:
    try:
        raw = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", "name the manifest.json of a release") from None
    return raw, read_object(raw, path.name)
