"""The n-th change to the disk fails, n = 1, 2, 3 …: what is stored must be whole, and one line must say so.

    python -m benchmarks.faults.nth_write [--most 40] [--only save,ingest] [--faults EIO] [--reach]

A shim in C is preloaded (needs gcc); in one command it counts every write, sync and cut of a file, every sync of a
folder, and every file or folder that is made, renamed, linked or removed, and fails the n-th: with ENOSPC all from
there on, as a full disk does; the same after half of the n-th write; or with EIO that one alone. For each n there is a
fresh copy of the workspace. The first 40 places are all taken, of the later ones one in twenty and the last twelve.
Afterwards `doctor --full` must find nothing, the command must have worked whole or not at
all, it must have told one line and no traceback, and the same command must work once the fault is gone.

`--reach` looks at the shim itself: each command runs once under strace, with all that it starts, and what the kernel
was asked to change must be what the shim has counted, or less.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple


class Fault(NamedTuple):
    """How a change fails: by which error, whether all later ones do too, and whether half of a write is done."""

    name: str
    error: int
    lasting: bool
    half: bool = False


FAULTS = (
    Fault("ENOSPC", errno.ENOSPC, lasting=True),
    Fault("half", errno.ENOSPC, lasting=True, half=True),
    Fault("EIO", errno.EIO, lasting=False),
)
COUNTED = Fault("none", errno.EIO, lasting=False)
SHIM = Path(__file__).with_name("shim.c")
VARIABLE = "CURATOR_FAULTS_SHIM"
_TOLD = re.compile(r"^([a-z]+(?:-[a-z]+)*): ", re.M)
"""Codes of doctor. An erasure that was stopped is told by `copy-differs`, until it is done again."""
SAID = re.compile(r"^curator: ", re.M)


def preloaded(folder: Path) -> None:
    """Start anew with the shim in front of the C library."""
    library = folder / "shim.so"
    subprocess.run(["gcc", "-shared", "-fPIC", "-O1", "-o", str(library), str(SHIM)], check=True)
    os.environ |= {VARIABLE: str(folder), "LD_PRELOAD": str(library), "PYTHONDONTWRITEBYTECODE": "1"}
    os.execv(sys.executable, [sys.executable, "-m", "benchmarks.faults.nth_write", *sys.argv[1:]])


class Action(NamedTuple):
    """A command, who gives it, and what must be there when it has worked."""

    words: Callable[[Path], list[str]]
    by: str
    done: Callable[[Path], bool]


def run_with_fault(words: list[str], n: int, fault: Fault) -> tuple[int, str, int]:
    """Run a command in a fork with the n-th change failing: exit code, all it said, how often it was failed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        sys.stdout, sys.stderr = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(2), "w")
        library = ctypes.CDLL(os.environ["LD_PRELOAD"])
        library.faults_arm(ctypes.c_long(n), fault.error, int(fault.lasting), int(fault.half))
        code = 99
        try:
            from curator.cli.main import run

            code = run(words)
        except BaseException:  # noqa: BLE001  a command lets nothing out; if one does, it is told
            traceback.print_exc()
        finally:
            hits = library.faults_hits() if n else library.faults_count()
            library.faults_arm(ctypes.c_long(0), 0, 0, 0)
            os.write(2, f"\nHITS {hits}\n".encode())
            os._exit(code)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        said = stream.read().decode("utf-8", "replace")
    _, status = os.waitpid(pid, 0)
    found = re.search(r"\nHITS (\d+)\n", said)
    return os.waitstatus_to_exitcode(status), said, int(found[1]) if found else 1


def actions(folder: Path) -> dict[str, Action]:
    """The commands that are tried, and how their work is recognised."""
    from benchmarks.faults.ground import SUITE, command
    from curator.services import backup, cases, documents, failures
    from curator.services.publishing import read_folder
    from curator.services.released_folder import yanked
    from curator.store.database import number_of
    from curator.workspace import Workspace
    from tests.services.desk import ROWS, write_pdf

    log = folder / "log.csv"
    log.write_text("question,answer\n" + "".join(f"How long is report {n} kept?,{n} years.\n" for n in "567"))
    archive, restored = folder / "whole.zip", folder / "restored"
    if not archive.exists():
        with closing(Workspace(folder / "space", "ada")) as space:
            backup.back_up(space.context, archive)
    other = write_pdf(folder / "another.pdf", articles=(("Article 1. Aim", "It is to be read."),), rows=ROWS)
    lines = folder / "cases.jsonl"
    lines.write_text("".join(json.dumps({"id": f"rules-00000{n}", "turns": [f"Imported {n}?"]}) + "\n" for n in "123"))

    def held(check: Callable[[Workspace], bool]) -> Callable[[Path], bool]:
        def look(root: Path) -> bool:
            with closing(Workspace(root, "ada")) as space:
                return check(space)

        return look

    def draft(root: Path) -> str:
        with closing(Workspace(root, "ada")) as space:
            return min(c.id for c in cases.page_of(space.context, limit=0, where={"status": "draft"}))

    def noted(space: Workspace) -> bool:
        names = [c.id for c in cases.page_of(space.context, limit=0)]
        return any(cases.get(space.context, name).case.notes == "told" for name in names)

    def imported(space: Workspace) -> bool:
        here = list(cases.page_of(space.context, limit=0, contains="Imported"))
        if len(here) not in (0, 3):
            raise AssertionError(f"{len(here)} of 3 cases were imported")
        return len(here) == 3

    def logged(space: Workspace) -> bool:
        here = len(list(failures.page_of(space.context, limit=0)))
        if here not in (0, 3):
            raise AssertionError(f"{here} of 3 rows were imported")
        return here == 3

    def is_restored(_: Path) -> bool:
        if not restored.exists():
            return False
        code, told = command(restored, "doctor", "--full")
        if code or not (restored / "exports" / SUITE / "1.0.0" / "manifest.json").is_file():
            raise AssertionError(f"half a workspace: {told[-200:]}")
        return True

    def is_made(_: Path) -> bool:
        if not (restored / "curator.toml").exists():
            return False
        code, told = command(restored, "doctor")
        if code or (restored / ".curator" / ".gitignore").read_text() != "*\n":
            raise AssertionError(f"half a workspace: {told[-200:]}")
        return True

    export = ["export", f"{SUITE}@1.0.0", "--to", "ragas"]
    before: dict[str, bytes] = {}

    def once_more(root: Path) -> list[str]:
        command(root, *export, by="carla")
        before.update(read_folder(root / "exports" / SUITE / "1.0.0.targets" / "ragas"))
        return export

    def is_as_before(root: Path) -> bool:
        return read_folder(root / "exports" / SUITE / "1.0.0.targets" / "ragas") == before

    def is_reported(root: Path) -> bool:
        path = root / "all.jsonl"
        if path.exists() and path.read_bytes().count(b"\n") < 8:
            raise AssertionError("half a file")
        return path.exists()

    def is_back(root: Path) -> bool:
        hidden = root / ".curator"
        if not (hidden / "curator.db").is_file():
            raise AssertionError("there is no database")
        return bool(list(hidden.glob("*.aside")))

    def ingested(space: Workspace) -> bool:
        there = any(d.id == "another" for d in documents.page_of(space.context, limit=0))
        if there and len(documents.sources_on(space.context, "another")) != 4:
            raise AssertionError("half a document")
        return there

    def migrated(root: Path) -> bool:
        with closing(sqlite3.connect(root / ".curator" / "curator.db")) as connection:  # with its log, if it has one
            number = int(connection.execute("pragma user_version").fetchone()[0])
        if number not in (OLD, newest):
            raise AssertionError(f"schema {number}")
        return number == newest

    newest = number_of(folder / "space" / ".curator" / "curator.db")
    return {
        "save": Action(lambda r: ["case", "edit", draft(r), "--set", "notes=told"], "ada", held(noted)),
        "import": Action(lambda _: ["case", "import", str(lines)], "ada", held(imported)),
        "failures": Action(lambda _: ["failures", "import", str(log), "--accept-residual-names"], "ada", held(logged)),
        "ingest": Action(lambda _: ["ingest", str(other), "--jobs", "1"], "ada", held(ingested)),
        "release": Action(lambda _: ["suite", "release", SUITE, "--waive", "small"], "carla",
                          lambda r: (r / "exports" / SUITE / "1.0.0" / "manifest.json").is_file()),
        "export": Action(lambda _: ["export", f"{SUITE}@1.0.0", "--to", "ragas"], "carla",
                         lambda r: (r / "exports" / SUITE / "1.0.0.targets" / "ragas").is_dir()),
        "backup": Action(lambda r: ["backup", str(r / "archive.zip")], "ada", lambda r: (r / "archive.zip").is_file()),
        "restore": Action(lambda _: ["restore", str(archive), str(restored)], "ada", is_restored),
        "here": Action(lambda _: ["restore", "--here"], "ada", is_back),
        "yank": Action(lambda _: ["suite", "yank", f"{SUITE}@1.0.0", "--reason", "wrong"], "carla",
                       lambda r: bool(yanked(r / "exports" / SUITE))),
        "rename": Action(lambda _: ["docs", "rename", "regulation", "order"], "ada",
                         held(lambda s: any(d.id == "order" for d in documents.page_of(s.context, limit=0)))),
        "mend": Action(lambda _: ["doctor", "--repair"], "ada",
                       lambda r: bool(list((r / ".curator" / "backups").glob("mended-*.db")))),
        "erase": Action(lambda _: ["privacy", "erase", "--text", "Draft 1", "--reason", "asked", "--yes"], "carla",
                        held(lambda s: not list(cases.page_of(s.context, limit=0, contains="Draft 1")))),
        "again": Action(once_more, "carla", is_as_before),
        "report": Action(lambda r: ["case", "export", "--out", str(r / "all.jsonl")], "ada", is_reported),
        "profile": Action(
            lambda _: ["failures", "import", str(log), "--accept-residual-names", "--save-profile", "ours"], "ada",
            lambda r: "[failures.profiles.ours]" in (r / "curator.toml").read_text("utf-8")),
        "init": Action(lambda _: ["-w", str(restored), "init"], "ada", is_made),
        "migrate": Action(lambda _: ["case", "list"], "ada", migrated),
    }  # fmt: skip


OLD = 3


def places(total: int, most: int) -> list[int]:
    """Which changes of so many are failed: the first ones all, then one in twenty, and the last twelve."""
    chosen, n = set(range(1, most + 1)), most
    while n < total:
        n += max(1, n // 20)
        chosen.add(n)
    return sorted(n for n in chosen | set(range(total - 11, total + 1)) if 0 < n <= total)


class Sweep:
    """Counts of one run."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self.counts: Counter[str] = Counter()

    def over(self, name: str, action: Action, original: Path, faults: tuple[Fault, ...]) -> None:
        """One command with every n, in each way that a disk fails."""
        from benchmarks.faults.ground import copied

        with copied(original, self.folder / "broken") as root:
            _, _, total = self._tried(action, root, 0, COUNTED)
        for fault in faults:
            chosen = places(total, self.most)
            hit = 0
            for n in chosen:
                with copied(original, self.folder / "broken") as root:
                    hit += self._once(name, action, root, n, fault)
            print(f"{name:8} {fault.name}: {hit} of {total} places", flush=True)

    def _tried(self, action: Action, root: Path, n: int, fault: Fault) -> tuple[int, str, int]:
        shutil.rmtree(self.folder / "restored", ignore_errors=True)
        return run_with_fault(["-w", str(root), "--as", action.by, *action.words(root)], n, fault)

    def _once(self, name: str, action: Action, root: Path, n: int, fault: Fault) -> bool:
        from benchmarks.faults.ground import command

        code, said, hits = self._tried(action, root, n, fault)
        if not hits:
            return False
        self.counts["faults"] += 1
        self.counts[f"exit {code}"] += 1
        problems = []
        if "Traceback" in said or "a bug:" in said:
            problems.append("a traceback")
        if code not in (0, 74):
            problems.append(f"exit code {code}")
        if code and len(SAID.findall(said)) != 1:
            problems.append(f"{len(SAID.findall(said))} lines told")
        try:
            done = action.done(root)
        except Exception as error:  # noqa: BLE001  whatever it is, it is counted
            problems.append(f"{type(error).__name__}: {error}")
            done = False
        if code == 0 and not done:
            problems.append("acknowledged, and not there")
        checked, told = command(root, "doctor", "--full")
        if checked and not (code and name == "erase" and set(_TOLD.findall(told)) - {"next"} == {"copy-differs"}):
            problems.append(f"doctor: {told.strip()[:200]}")
        again, told = command(root, *action.words(root), by=action.by)
        if again not in ((0, 3, 4) if done else (0,)):
            problems.append(f"not possible afterwards: {told.strip()[-200:]}")
        for problem in problems:
            self.counts["broken"] += 1
            print(f"! {name} n={n} {fault.name}: {problem}\n    {said.strip()[-300:]}", flush=True)
        return True


CHANGES = (
    "write,pwrite64,writev,pwritev,pwritev2,sendfile,copy_file_range,splice,fsync,fdatasync,sync_file_range,msync,"
    "ftruncate,truncate,fallocate,openat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,"
    "symlink,symlinkat,unlink,unlinkat,rmdir"
)
_DEVICE = re.compile(r"/dev/(?!shm/)")
_CALL = re.compile(r"^(?:\[pid +\d+\] |\d+ +)?(\w+)\((.*)\) += (-?\d+)(.*)$")


def asked_of_the_kernel(log: Path) -> Counter[str]:
    """Calls in a log of strace that changed a file, as the shim would count them.

    Whether a file was new is known from the shim, which looks before it opens one.
    """
    found: Counter[str] = Counter()
    missing = ""
    for line in log.read_text("utf-8", "replace").splitlines():
        if not (call := _CALL.match(line)):
            continue
        name, given, result = call[1], call[2], int(call[3])
        if name == "newfstatat":
            missing = given.split(", ")[1] if result < 0 else ""
            continue
        if name == "openat":
            cut = "O_TRUNC" in given and not _DEVICE.search(given)
            counted = result >= 0 and (cut or "O_TMPFILE" in given or given.split(", ")[1] == missing)
        elif name.startswith(("rename", "link", "symlink")):
            counted = True
        elif name.startswith(("mkdir", "unlink", "rmdir")):
            counted = result >= 0
        else:
            path = re.search(r"<(/[^>]*)>", given)
            counted = path is not None and not _DEVICE.search(path[1])
        found[name] += counted
    return found


def reach(name: str, action: Action, root: Path) -> bool:
    """Whether the shim counts in a command what the kernel is asked for; by strace, over all processes."""
    log = root.parent / "strace.log"
    words = ["-w", str(root), "--as", action.by, *action.words(root)]
    script = Path(root.parent / "counted.py")
    script.write_text(
        "import contextlib, ctypes, os, sys\n"
        "from curator.cli.main import run\n"
        "shim = ctypes.CDLL(os.environ['LD_PRELOAD'])\n"
        "with contextlib.suppress(OSError):\n    os.stat('/the-command-begins')\n"
        f"shim.faults_arm(ctypes.c_long(0), {errno.EIO}, 0, 0)\n"
        "code = run(sys.argv[1:])\n"
        "print('COUNTED', shim.faults_count())\n"
        "with contextlib.suppress(OSError):\n    os.stat('/the-command-ended')\n"
        "os._exit(code)\n"
    )
    watch = ["strace", "-f", "-y", "-s", "300", "-e", f"trace={CHANGES},newfstatat", "-o", str(log)]
    done = subprocess.run([*watch, sys.executable, str(script), *words], capture_output=True, text=True)
    found = re.search(r"COUNTED (\d+)", done.stdout)
    text = log.read_text("utf-8", "replace").partition("/the-command-begins")[2].partition("/the-command-ended")[0]
    log.write_text(text)
    asked = asked_of_the_kernel(log)
    counted = int(found[1]) if found else -1
    told = ", ".join(f"{k} {v}" for k, v in sorted(asked.items()) if v)
    print(f"{name:8} exit {done.returncode}: {counted} seen of {asked.total()}: {told}", flush=True)
    return counted >= asked.total()  # it also counts what the kernel refused by itself


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--only", default="")
    parser.add_argument("--faults", default=",".join(f.name for f in FAULTS))
    parser.add_argument("--reach", action="store_true")
    given = parser.parse_args()
    if VARIABLE not in os.environ:
        preloaded(Path(tempfile.mkdtemp(prefix="nth-write-")))
    folder = Path(os.environ[VARIABLE])
    from benchmarks.faults.ground import build, copied, old_schema, unreleased

    original = build(folder / "space")
    sweep, blind = Sweep(folder, given.most), 0
    for name, action in actions(folder).items():
        if given.only and name not in given.only.split(","):
            continue
        ground = original
        if name == "release":
            ground = unreleased(folder / "unreleased")
        if name == "migrate":
            ground = old_schema(folder / "old", OLD)
        if given.reach:
            with copied(ground, folder / "broken") as root:
                shutil.rmtree(folder / "restored", ignore_errors=True)
                blind += not reach(name, action, root)
        else:
            sweep.over(name, action, ground, tuple(f for f in FAULTS if f.name in given.faults.split(",")))
    if given.reach:
        print(f"{blind} commands of which the shim does not see all")
        return 1 if blind else 0
    codes = ", ".join(f"{k}: {v}" for k, v in sorted(sweep.counts.items()) if k.startswith("exit"))
    print(f"{sweep.counts['faults']} faults ({codes}), {sweep.counts['broken']} invariants broken")
    return 1 if sweep.counts["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
