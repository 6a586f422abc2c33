"""kill -9 while an old database is brought up to date: afterwards it is old or new, never between.

    python -m benchmarks.faults.killed_migration [--kills 100] [--old 7] [--seed 1]

A database of an old schema with thousands of events is opened by a process that is killed at a random moment between
the start of the migration and its end. Then its number, its rows and SQLite's checks are looked at; an old one must be
migrated by the next start, and the copy of before must be sound. Exit code 1 on anything between.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from benchmarks.faults.ground import old_schema
from curator.store.copies import copy_problems
from curator.store.database import Database, migrations, number_of

EVENTS = 20_000
COUNTED = ("event", "anchor", "golden_case", "page")


def open_and_kill(path: Path, seconds: float) -> bool:
    """Open a database in a fork that is killed after so long; gives whether it was killed before it was done."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.write(writer, b"x")
        Database(path).close()
        os._exit(0)
    os.read(reader, 1)
    time.sleep(seconds)
    os.kill(pid, signal.SIGKILL)
    _, status = os.waitpid(pid, 0)
    os.close(reader)
    os.close(writer)
    return os.WIFSIGNALED(status)


def rows(path: Path) -> tuple[int, ...]:
    """How many rows the tables have that no migration changes in number."""
    with closing(sqlite3.connect(path)) as connection:
        return tuple(connection.execute(f"select count(*) from {t}").fetchone()[0] for t in COUNTED)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--old", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance, counts = random.Random(given.seed), Counter[str]()
    newest = max(m.number for m in migrations())
    with tempfile.TemporaryDirectory(prefix="migration-") as folder:
        original = old_schema(Path(folder) / "old", given.old, EVENTS) / ".curator"
        before = rows(original / "curator.db")
        work = Path(folder) / "work"
        shutil.copytree(original, work)
        began = time.monotonic()
        Database(work / "curator.db").close()
        whole = time.monotonic() - began
        while counts["killed"] < given.kills and counts.total() < 12 * given.kills:  # some end before they are killed
            shutil.rmtree(work)
            shutil.copytree(original, work)
            path = work / "curator.db"
            counts["killed" if open_and_kill(path, chance.uniform(0, whole * 1.2)) else "ended before"] += 1
            with closing(sqlite3.connect(path)) as connection:  # what was left in the log is taken in, or dropped
                connection.execute("select count(*) from event").fetchone()
                number = connection.execute("pragma user_version").fetchone()[0]
            sound = not copy_problems(path) and rows(path) == before
            counts["old" if number == given.old else "new" if number == newest else "BETWEEN"] += 1
            counts["BROKEN"] += not sound
            counts["BAD COPY"] += sum(bool(copy_problems(p)) for p in (work / "backups").glob("before-*.db"))
            Database(path).close()
            counts["BROKEN"] += rows(path) != before or number_of(path) != newest or bool(copy_problems(path))
    for name, count in sorted(counts.items()):
        print(f"{count:5d}  {name}")
    bad = counts["BETWEEN"] + counts["BROKEN"] + counts["BAD COPY"]
    ends = f"{counts['old']} old, {counts['new']} new, {bad} bad"
    print(f"{counts['killed']} kills of a migration from {given.old} to {newest}: {ends}")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
