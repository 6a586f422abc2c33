"""What around a workspace may cost data, in one line each: a disk of the network, an old SQLite, a clock set back."""

from __future__ import annotations

import datetime
import os
from pathlib import Path

from curator.services.context import Context
from curator.store.database import FIXED_SQLITE
from curator.store.soundness import last_time

NETWORK = {
    "nfs", "nfs4", "cifs", "smb", "smb2", "smb3", "smbfs", "9p", "afs", "ceph", "glusterfs", "lustre", "gpfs", "beegfs",
    "fuse.sshfs", "fuse.rclone", "fuse.s3fs", "fuse.glusterfs", "fuse.ceph", "fuse.gcsfuse", "fuse.davfs", "davfs",
    "ncpfs", "vboxsf", "prl_fs", "drvfs",
}  # fmt: skip
MOUNTS = Path("/proc/self/mountinfo")
AHEAD = datetime.timedelta(minutes=5)


def warnings(ctx: Context) -> list[str]:
    """What is worth a word before anything is written; empty on a good machine."""
    found = []
    if kind := network_kind(ctx.hidden):
        found.append(
            f"the workspace lies on a network disk ({kind}): two machines that write there at once can damage the"
            " database; keep it on a disk of this machine, and copies there"
        )
    if ctx.db.sqlite_version < FIXED_SQLITE:
        version = ".".join(map(str, ctx.db.sqlite_version))
        found.append(f"SQLite {version} can damage a database that two programs write to: pip install pysqlite3")
    with ctx.db.read() as tx:
        last = last_time(tx)
    if last and _is_ahead(last, ctx.now()):
        found.append(
            f"the clock says {ctx.now()}, and the last change was made at {last}: set the clock; the order of changes"
            " is kept by their numbers"
        )
    return found


def network_kind(folder: Path, mounts: Path = MOUNTS) -> str:
    """The type of the file system that a folder lies on when that is one of a network; "" = it is not, or unknown."""
    try:
        lines = mounts.read_text("utf-8", "surrogateescape").splitlines()
        where = os.path.realpath(folder)
    except OSError:
        return ""
    best, kind = "", ""
    for line in lines:
        head, _, tail = line.partition(" - ")
        fields = head.split()
        if len(fields) < 5 or not tail:
            continue
        point = fields[4].replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\")
        inside = where == point or where.startswith(point.rstrip("/") + "/")
        if inside and len(point) >= len(best):
            best, kind = point, tail.split()[0]
    return kind if kind in NETWORK else ""


def _is_ahead(last: str, now: str) -> bool:
    try:
        gap = datetime.datetime.fromisoformat(last) - datetime.datetime.fromisoformat(now)
    except (ValueError, TypeError):
        return False
    return gap > AHEAD
