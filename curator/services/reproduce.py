"""Reproduction: the bytes of a released manifest, made again from cases and documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.errors import CheckFailed, InputError
from curator.exporting import release as exporting
from curator.exporting.released import from_manifest
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.publishing import exclusive
from curator.services.release import build_facts, folders, record
from curator.services.selection import cited, select
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
    manifest; every case line and every source is made anew. When all bytes are equal and the version is not here, it is
    written and recorded.

    Raises:
        InputError: The file is no manifest of ours.
    """
    progress = progress or Silent()
    raw, manifest = _read_manifest(manifest_path)
    progress.stage(f"reproducing {manifest['suite']} {manifest['version']}")
    try:
        shape = from_manifest(manifest, lines=(), sources=())
    except (KeyError, ValueError) as error:
        raise InputError(f"{manifest_path.name}: {error}", "it must be the manifest.json of a release") from None
    with ctx.db.read() as tx:
        recorded = releases.lines(tx, shape.policy.name, shape.version)
        lines = tuple(recorded.values()) or select(ctx, tx, shape.policy, shape.reference, {}).lines
        sources = cited(tx, lines)
    data = from_manifest(manifest, lines=lines, sources=sources, build=build_facts())
    try:
        rendered = exporting.render(data)
    except ValueError as error:
        raise CheckFailed(f"{shape.policy.name} {shape.version}: {error}", "the workspace differs") from None
    wanted = {e["path"]: e["sha256"] for e in (*manifest["files"], *manifest["holdout"])}
    made = {**rendered.files, **rendered.holdout}
    same = [n for n, digest in wanted.items() if n in made and sha256(made[n]) == digest]
    different = sorted((set(wanted) | (set(made) - {"SHA256SUMS", "build.json", "manifest.json"})) - set(same))
    different += [] if made["manifest.json"] == raw else ["manifest.json"]
    folder, _ = folders(ctx, shape.policy.name, shape.version)
    if not different and not recorded and ctx.actor_id:
        ctx.actor("release")
        with exclusive(ctx.hidden / "release.lock", "a release"):
            record(ctx, data, progress)
    return Reproduced(
        suite=shape.policy.name,
        version=shape.version,
        same=tuple(sorted([*same, *([] if "manifest.json" in different else ["manifest.json"])])),
        different=tuple(different),
        folder=str(folder) if folder.exists() else "",
    )


def _read_manifest(path: Path) -> tuple[bytes, dict[str, Any]]:
    try:
        raw = path.read_bytes()
        manifest = json.loads(raw)
    except (OSError, ValueError, RecursionError) as error:
        raise InputError(f"{path.name}: {error}", "name the manifest.json of a release") from None
    if not isinstance(manifest, dict) or not {"suite", "version", "files", "holdout"} <= set(manifest):
        raise InputError(f"{path.name} is no manifest", "name the manifest.json of a release")
    return raw, manifest
