"""What the power may still take when a command has said that it is done: files and names that no sync followed.

    python -m benchmarks.faults.unsynced [--only release,backup]

Every command of `nth_write` runs once under strace (needed), with all that it starts. Each write to a file must be
followed by a sync of that file, and each name that came or was changed by a sync of its folder, before the command
ends. What can be made anew, or says nothing of cases, is left out: the index, locks, logs, kept pages, lint.json, and
SQLite's shared memory. Exit code 1 when something else is not synced.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from benchmarks.faults.ground import build, copied, old_schema, unreleased, words
from benchmarks.faults.nth_write import OLD, actions

CALLS = (
    "open,openat,creat,write,pwrite64,writev,pwritev,sendfile,copy_file_range,ftruncate,fallocate,fsync,fdatasync,"
    "rename,renameat,renameat2,link,linkat,symlink,mkdir,mkdirat,unlink,unlinkat,rmdir"
)
_CALL = re.compile(r"^\d+ +(\w+)\((.*)\) += (-?\d+)(?:<([^>]*)>)?")
_RENEWABLE = re.compile(r"/(index\.db[^/]*|[^/]+\.lock|log(/.*)?|pages(/.*)?|reading(/.*)?|lint\.json|[^/]+-shm)$")


class Waiting:
    """What was changed and not synced: contents of files, and names in folders."""

    def __init__(self, there: set[str]) -> None:
        self.contents: set[str] = set()
        self.names: set[str] = set()
        self._there = there

    def take(self, name: str, given: str, opened: str) -> None:
        """Follow one call of the kernel that did not fail."""
        paths = [p.rstrip("/") for p in re.findall(r'"([^"]*)"', given)]
        at = re.search(r"<(/[^>]*)>", given)
        if name in ("fsync", "fdatasync") and at:
            self.contents.discard(at[1])
            self.names = {n for n in self.names if n.rpartition("/")[0] != at[1]}
        elif name in ("open", "openat", "creat"):
            if "O_CREAT" in given and ("O_EXCL" in given or opened not in self._there):
                self.names.add(opened)
                self._there.add(opened)
        elif name.startswith(("rename", "link", "symlink")):
            self._moved(paths[0], paths[-1], gone=name.startswith("rename"))
        elif name.startswith("mkdir"):
            self.names.add(paths[-1])
        elif name.startswith(("unlink", "rmdir")):
            self.names.discard(paths[-1])
            self._there.discard(paths[-1])
            self.contents.discard(paths[-1])
        elif at:
            self.contents.add(at[1])

    def _moved(self, old: str, new: str, *, gone: bool) -> None:
        def under(path: str) -> bool:
            return path == old or path.startswith(f"{old}/")

        for kept in (self.contents, self.names):
            moved = {new + p[len(old) :] for p in kept if under(p)}
            if gone:
                kept -= {p for p in kept if under(p)}
            kept |= moved
        self.names.add(new)


def left(log: Path, folder: Path, before: set[str]) -> list[str]:
    """What waits for a sync at the end, of the files below a folder."""
    waiting = Waiting(set(before))
    for line in log.read_text("utf-8", "replace").splitlines():
        if (call := _CALL.match(line)) and int(call[3]) >= 0:
            waiting.take(call[1], call[2], call[4] or "")
    found = [f"content of {p}" for p in sorted(waiting.contents)] + [f"name {p}" for p in sorted(waiting.names)]
    return [
        f.replace(str(folder), "")
        for f in found
        if f"{folder}/" in f and not _RENEWABLE.search(f) and Path(f.partition("/")[1] + f.partition("/")[2]).exists()
    ]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    bad = done = 0
    with tempfile.TemporaryDirectory(prefix="unsynced-") as place:
        folder = Path(place).resolve()
        original, log = build(folder / "space"), folder / "strace.log"
        grounds = {"release": unreleased(folder / "unreleased"), "migrate": old_schema(folder / "old", OLD)}
        for name, action in actions(folder).items():
            if given.only and name not in given.only.split(","):
                continue
            with copied(grounds.get(name, original), folder / "work") as root:
                shutil.rmtree(folder / "restored", ignore_errors=True)
                before = {str(p) for p in folder.rglob("*")}
                watch = ["strace", "-f", "-y", "-s", "4096", "-e", f"trace={CALLS}", "-o", str(log)]
                ended = subprocess.run([*watch, *words(root, *action.words(root), by=action.by)], capture_output=True)
                found = left(log, folder, before)
                ok = ended.returncode == 0 and action.done(root)
            done += 1
            bad += bool(found) or not ok
            print(f"{name:8} exit {ended.returncode}: " + ("; ".join(found) or "all is synced"), flush=True)
    print(f"{bad} of {done} commands leave something that a power cut takes")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
