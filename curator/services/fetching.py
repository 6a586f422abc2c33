"""Fetching a holdout: the one way in which it leaves the workspace, and every time of it stands in the ledger."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path
from typing import Any

from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.errors import CheckFailed, Conflict, CuratorError, InputError, UsageError
from curator.exporting.schema import pretty
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.ledger import look_at_suite, withdraw
from curator.services.publishing import publish
from curator.services.released_folder import ReleasedFolder
from curator.services.verifying import read
from curator.store import releases

PATIENCE = 10


class Fetched(Model):
    """A holdout that was fetched; `entry`: its number in the ledger."""

    suite: str
    version: str
    folder: str
    files: tuple[str, ...]
    cases: int
    entry: int


def fetch_holdout(
    ctx: Context, suite: str, version: str, to: Path, reason: str, *, progress: Progress | None = None
) -> Fetched:
    """Copy the holdout of a released version, whole or not at all, into a folder of its own that nobody else may open.

    The look is entered in the ledger before a byte is written: nothing leaves without an entry.

    Args:
        ctx: Open workspace; who acts is a lead.
        suite: Name of the suite; version: its version.
        version: See suite.
        to: A folder that is empty or not there, outside exports/, and not where git would take it up.
        reason: What it is wanted for.
        progress: Checking, writing.

    Raises:
        UsageError: No reason, who acts may not see the holdout, or the folder is a place from which it would spread.
        InputError: There is no such version here, or it has no case in the holdout.
        CheckFailed: It is yanked, or its files are not what was released.
        Conflict: The folder is not empty.
    """
    progress = progress or Silent()
    if not reason.strip():
        raise UsageError("a look at the holdout has a reason", "add --reason TEXT")
    ctx.actor("holdout")
    require_place(ctx, to)
    progress.stage("checking the holdout")
    manifest = _manifest(ctx, suite, version, progress)
    files = _files(ctx, manifest)
    progress.checkpoint()
    entry = look_at_suite(ctx, suite, version, "fetch-holdout", reason)
    try:
        publish(to, files, mode=0o700, is_ours=False)
    except CuratorError as error:
        withdraw(ctx, entry, f"nothing was written: {error.message}")
        raise
    counts = manifest["counts"]["partition"]
    return Fetched(
        suite=suite, version=version, folder=str(to), files=tuple(sorted(files)),
        cases=counts["holdout"] + counts["followup_holdout"], entry=entry,
    )  # fmt: skip


def _manifest(ctx: Context, suite: str, version: str, progress: Progress) -> dict[str, Any]:
    """The manifest of a version: as it was recorded, and its folder, where it is here, must say the same.

    Raises:
        InputError: Neither is here.
        CheckFailed: It is yanked, its files were changed, or both differ.
    """
    with ctx.db.read() as tx:
        made = next((r.manifest for r in releases.versions(tx, suite) if r.version == version), None)
    folder = ctx.exports / suite / version
    if folder.is_dir():
        there = ReleasedFolder(folder, progress)
        if made is not None and there.small("manifest.json") != pretty(made):
            raise CheckFailed(f"{folder}: its manifest is not the one that was released", "`curator suite verify`")
        return there.manifest
    if made is None:
        raise InputError(f"{suite} has no version {version} here", "`curator suite list` shows the versions")
    return made


def _files(ctx: Context, manifest: dict[str, Any]) -> dict[str, bytes]:
    """The holdout files of a version, each with the hash that its manifest says."""
    suite, version = manifest["suite"], manifest["version"]
    if not manifest["holdout"]:
        raise InputError(f"{suite} {version} has no case in the holdout", "all of it lies in exports/")
    place = ctx.hidden / "holdout" / suite / version
    files = read(place).files if place.is_dir() else {}
    for entry in manifest["holdout"]:
        name = entry["path"]
        if name not in files:
            raise InputError(
                f"the {name} of {suite} {version} is not in this workspace",
                "fetch it where it was released, or `curator suite release --reproduce` its manifest.json",
            )
        if sha256(files[name]) != entry["sha256"]:
            raise CheckFailed(f"{place / name}: not the bytes that were released", "reproduce the version")
    return {entry["path"]: files[entry["path"]] for entry in manifest["holdout"]}


def require_place(ctx: Context, to: Path) -> None:
    """Raise for a folder from which the holdout would spread, or that holds something.

    Raises:
        UsageError: It lies in exports/ or .curator/, or in a git work tree that does not ignore it.
        Conflict: It is not empty, or no folder.
    """
    place = to.resolve()
    for own, why in ((ctx.exports, "what lies in exports/ is published"), (ctx.hidden, ".curator/ is curator's own")):
        if place == own.resolve() or own.resolve() in place.parents:
            raise UsageError(f"{to} lies in {own.name}/: {why}", "name a folder elsewhere")
    if next((p for p in (place, *place.parents) if (p / "SHA256SUMS").exists()), None):
        raise UsageError(f"{to} lies in a release, which is published", "name a folder elsewhere")
    tree = next((p for p in (place, *place.parents) if (p / ".git").exists()), None)
    if tree is not None and not _is_ignored(tree, place):
        raise UsageError(
            f"{to} lies in the git work tree {tree}, which does not ignore it: it could be committed",
            "name a folder outside it, or add this one to .gitignore",
        )
    if place.exists() and (not place.is_dir() or any(place.iterdir())):
        raise Conflict(f"{to} is not empty", "name a folder that is empty or not there")


def _is_ignored(tree: Path, place: Path) -> bool:
    """Whether git would leave a folder out; where it cannot be asked, it would not."""
    git = shutil.which("git")
    if git is None or place == tree:
        return False
    inside = str(place.relative_to(tree) / "holdout.jsonl")
    asked = [git, "-C", str(tree), "check-ignore", "-q", "--", inside]
    try:
        done = subprocess.run(asked, capture_output=True, timeout=PATIENCE, check=False)  # noqa: S603
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0
