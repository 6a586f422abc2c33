"""The n-th write or sync of a file fails, n = 1, 2, 3 …: what is stored must be whole, and one line must say so.

    python -m benchmarks.faults.nth_write [--most 40] [--only save,ingest]

A shim in C is preloaded (needs gcc); it counts every write, sync and truncation of a regular file in one command and
fails the n-th: with ENOSPC all from there on, as a full disk does, or with EIO that one alone. For each n there is a
fresh copy of the workspace. Afterwards `doctor --full` must find nothing, the command must have worked whole or not at
all, it must have told one line and no traceback, and the same command must work once the fault is gone.
"""

from __future__ import annotations

import argparse
import ctypes
import errno
import json
import os
import re
import subprocess
import sys
import tempfile
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

SHIM = Path(__file__).with_name("shim.c")
VARIABLE = "CURATOR_FAULTS_SHIM"
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


def run_with_fault(words: list[str], n: int, which: int, *, lasting: bool) -> tuple[int, str, int]:
    """Run a command in a fork with the n-th write failing: exit code, all it said, how often it was failed."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        os.dup2(writer, 1)
        os.dup2(writer, 2)
        sys.stdout, sys.stderr = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(2), "w")
        library = ctypes.CDLL(os.environ["LD_PRELOAD"])
        library.faults_arm(ctypes.c_long(n), which, int(lasting))
        code = 99
        try:
            from curator.cli.main import run

            code = run(words)
        except BaseException:  # noqa: BLE001  a command lets nothing out; if one does, it is told
            traceback.print_exc()
        finally:
            hits = library.faults_hits()
            library.faults_arm(ctypes.c_long(0), 0, 0)
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
    from benchmarks.faults.ground import SUITE
    from curator.services import cases, documents
    from curator.store.database import number_of
    from curator.workspace import Workspace
    from tests.services.desk import ROWS, write_pdf

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

    def ingested(space: Workspace) -> bool:
        there = any(d.id == "another" for d in documents.page_of(space.context, limit=0))
        if there and len(documents.sources_on(space.context, "another")) != 4:
            raise AssertionError("half a document")
        return there

    def migrated(root: Path) -> bool:
        number = number_of(root / ".curator" / "curator.db")
        if number not in (OLD, newest):
            raise AssertionError(f"schema {number}")
        return number == newest

    newest = number_of(folder / "space" / ".curator" / "curator.db")
    return {
        "save": Action(lambda r: ["case", "edit", draft(r), "--set", "notes=told"], "ada", held(noted)),
        "import": Action(lambda _: ["case", "import", str(lines)], "ada", held(imported)),
        "ingest": Action(lambda _: ["ingest", str(other), "--jobs", "1"], "ada", held(ingested)),
        "release": Action(lambda _: ["suite", "release", SUITE, "--waive", "small"], "carla",
                          lambda r: (r / "exports" / SUITE / "1.0.0" / "manifest.json").is_file()),
        "export": Action(lambda _: ["export", f"{SUITE}@1.0.0", "--to", "ragas"], "carla",
                         lambda r: (r / "exports" / SUITE / "1.0.0.targets" / "ragas").is_dir()),
        "backup": Action(lambda r: ["backup", str(r / "archive.zip")], "ada", lambda r: (r / "archive.zip").is_file()),
        "migrate": Action(lambda _: ["case", "list"], "ada", migrated),
    }  # fmt: skip


OLD = 3


class Sweep:
    """Counts of one run."""

    def __init__(self, folder: Path, most: int) -> None:
        self.folder, self.most = folder, most
        self.counts: Counter[str] = Counter()

    def over(self, name: str, action: Action, original: Path) -> None:
        """One command with every n, once with a full disk and once with one bad write."""
        from benchmarks.faults.ground import copied

        for which, lasting in ((errno.ENOSPC, True), (errno.EIO, False)):
            runs = 0
            for n in range(1, self.most + 1):
                with copied(original, self.folder / "broken") as root:
                    if not self._once(name, action, root, n, which, lasting=lasting):
                        break
                    runs += 1
            print(f"{name:8} {errno.errorcode[which]}: {runs} places", flush=True)

    def _once(self, name: str, action: Action, root: Path, n: int, which: int, *, lasting: bool) -> bool:
        from benchmarks.faults.ground import command

        words = ["-w", str(root), "--as", action.by, *action.words(root)]
        code, said, hits = run_with_fault(words, n, which, lasting=lasting)
        if not hits:
            if n == 1:
                print(f"{name}: no write at all: {said[-300:]}")
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
        if checked:
            problems.append(f"doctor: {told.strip()[:200]}")
        again, told = command(root, *action.words(root), by=action.by)
        if again not in ((0, 4) if done else (0,)):
            problems.append(f"not possible afterwards: {told.strip()[-200:]}")
        for problem in problems:
            self.counts["broken"] += 1
            print(f"! {name} n={n} {errno.errorcode[which]}: {problem}\n    {said.strip()[-300:]}", flush=True)
        return True


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--most", type=int, default=40)
    parser.add_argument("--only", default="")
    given = parser.parse_args()
    if VARIABLE not in os.environ:
        preloaded(Path(tempfile.mkdtemp(prefix="nth-write-")))
    folder = Path(os.environ[VARIABLE])
    from benchmarks.faults.ground import build, old_schema, unreleased

    original = build(folder / "space")
    sweep = Sweep(folder, given.most)
    for name, action in actions(folder).items():
        if given.only and name not in given.only.split(","):
            continue
        ground = original
        if name == "release":
            ground = unreleased(folder / "unreleased")
        if name == "migrate":
            ground = old_schema(folder / "old", OLD)
        sweep.over(name, action, ground)
    codes = ", ".join(f"{k}: {v}" for k, v in sorted(sweep.counts.items()) if k.startswith("exit"))
    print(f"{sweep.counts['faults']} faults ({codes}), {sweep.counts['broken']} invariants broken")
    return 1 if sweep.counts["broken"] else 0


if __name__ == "__main__":
    sys.exit(main())
