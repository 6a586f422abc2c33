"""Yanking: a released version that is to be used no more. Published files cannot be called back, so it is said."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

from curator.domain.model import Model
from curator.durable import make_folder
from curator.errors import Conflict, InputError, UsageError
from curator.services.context import Context
from curator.services.publishing import exclusive, whole_file
from curator.services.released_folder import yank_line, yanked
from curator.store import releases
from curator.text import clean, one_line

LOCK = "release.lock"


class Yanked(Model):
    """A version that was yanked, and the file that says so."""

    suite: str
    version: str
    reason: str
    file: str


def yank(ctx: Context, suite: str, version: str, reason: str) -> Yanked:
    """Mark a released version: exports, gates and `load_suite` refuse it from now on; its files stay.

    Raises:
        UsageError: No reason, or who acts is no lead.
        InputError: There is no such version, or yanked.jsonl cannot be read.
        Conflict: It is yanked already, or another process releases.
    """
    said = one_line(clean(reason)[0], 1000).strip()
    if not said:
        raise UsageError("a yank has a reason", "add --reason TEXT")
    ctx.actor("release")
    with exclusive(ctx.hidden / LOCK, "a release"):
        with ctx.db.read() as tx:
            known = {r.version for r in releases.versions(tx, suite)}
        if version not in known and not (ctx.exports / suite / version / "manifest.json").is_file():
            raise InputError(f"{one_line(suite, 64)} has no version {one_line(version, 40)}", "`curator suite list`")
        if entry := yanked(ctx.exports / suite).get(version):
            raise Conflict(f"{suite} {version} is {yank_line(entry)}", "nothing is to be done")
        with ctx.write("release") as tx:
            tx.log.append("suite", suite, "yanked", data={"version": version, "reason": said})
        add(ctx, suite, [version], said)
    return Yanked(suite=suite, version=version, reason=said, file=str(file_of(ctx.exports / suite)))


def file_of(suite_folder: Path) -> Path:
    """Where it stands which versions of a suite are yanked."""
    return suite_folder / "yanked.jsonl"


def add(ctx: Context, suite: str, versions: Sequence[str], reason: str) -> None:
    """Add a line for each of these versions that has none; the file is whole at every moment.

    Raises:
        InputError: A line of the file cannot be read.
        StorageError: The disk refused.
    """
    folder = ctx.exports / suite
    known = yanked(folder)
    path = file_of(folder)
    before = path.read_bytes() if known else b""
    made = [{"version": v, "at": ctx.now(), "by": ctx.actor_id, "reason": reason} for v in versions if v not in known]
    if not made:
        return
    make_folder(folder)
    with whole_file(path) as stream:
        stream.write(before if not before or before.endswith(b"\n") else before + b"\n")
        stream.writelines((json.dumps(line, ensure_ascii=False) + "\n").encode() for line in made)
