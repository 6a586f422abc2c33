"""kill -9 at random points: edits that were acknowledged are there, an ingest ends as one that nobody stopped.

    python -m benchmarks.faults.kills [--kills 200] [--edits 10000] [--ingests 50] [--seed 1]

Edits: a process saves one edit after the other through the services, as the command line and the app do, and writes
each number to a pipe once the save has come back; some of the processes are the command line itself. It is killed at
a random moment. Every acknowledged number must be in the history of its case afterwards. (The app by itself, with
keys in a terminal: `benchmarks.kill9_app`.)

Ingests: a folder of three documents is ingested and killed, and ingested again until it is done; what the database
says of them must then be what an ingest that nobody stopped says. Exit code 1 on any loss or difference.
"""

from __future__ import annotations

import argparse
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections import Counter
from contextlib import closing
from pathlib import Path

from benchmarks.faults.ground import copied, words
from benchmarks.faults.killing import Moments
from curator.services import cases, documents
from curator.services.doctor import examine
from curator.workspace import Workspace
from tests.services.desk import ROWS, Desk, build_desk, write_pdf

SECONDS = 4.0
COMMAND_EVERY = 10
"""One kill in so many is of `curator case edit` itself: it takes a second to start, and saves once."""


def save_and_tell(root: Path, name: str, first: int, writer: int) -> None:
    """Save edits until killed; each number goes to the pipe once it is stored."""
    with Workspace(root, "ada") as space:
        record = cases.get(space.context, name)
        number = first
        while True:
            number += 1
            record = cases.save(space.context, record.case.model_copy(update={"notes": str(number)}), record.version)
            os.write(writer, f"{number}\n".encode())


class Edits:
    """One case that is edited by processes that are killed."""

    def __init__(self, root: Path, chance: random.Random) -> None:
        self.root, self.chance = root, chance
        self.last = self.seen = 0
        self.acknowledged: list[int] = []
        self.counts: Counter[str] = Counter()
        desk = Desk(root)
        self.name = desk.case().case.id
        desk.workspace.close()

    @property
    def killed(self) -> int:
        return self.counts["processes killed"] + self.counts["commands killed"]

    def kill_service(self) -> None:
        reader, writer = os.pipe()
        pid = os.fork()
        if pid == 0:
            os.close(reader)
            try:
                save_and_tell(self.root, self.name, self.last, writer)
            finally:
                os._exit(1)
        os.close(writer)
        first = os.read(reader, 1 << 16)  # it has begun
        time.sleep(self.chance.uniform(0, SECONDS))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        with os.fdopen(reader, "rb") as stream:
            told = (first + stream.read()).decode().split("\n")[:-1]
        self.acknowledged += [int(n) for n in told]
        self.counts["processes killed"] += 1

    def kill_command(self) -> None:
        number = self.last + 1
        process = subprocess.Popen(
            words(self.root, "case", "edit", self.name, "--set", f"notes={number}"),
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        try:
            code = process.wait(self.chance.uniform(0.3, 4))
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
            code = None
        if code == 0:
            self.acknowledged.append(number)
        self.counts["commands killed" if code is None else "commands that ended"] += 1

    def check(self) -> int:
        """How many acknowledged edits are lost; the next number follows on what is stored."""
        with closing(sqlite3.connect(self.root / ".curator" / "curator.db")) as connection:
            query = "select seq, json_extract(data, '$.after.notes') from event where entity_id = ? and seq > ?"
            told = connection.execute(query, (self.name, self.seen)).fetchall()
        stored = {str(notes) for _, notes in told}
        self.seen = max((seq for seq, _ in told), default=self.seen)
        with Workspace(self.root, "ada") as space:
            self.last = int(cases.get(space.context, self.name).case.notes or 0)
        lost = [n for n in self.acknowledged if str(n) not in stored]
        self.counts["edits"] += len(self.acknowledged)
        self.acknowledged = []
        return len(lost)


def kill_edits(folder: Path, kills: int, least: int, chance: random.Random) -> int:
    root = build_desk(folder / "edits")
    edits, lost, unsound, number = Edits(root, chance), 0, 0, 0
    while edits.killed < kills or (edits.counts["edits"] < least and edits.killed < 4 * kills):
        if number % COMMAND_EVERY == COMMAND_EVERY - 1:
            edits.kill_command()
        else:
            edits.kill_service()
        lost += edits.check()
        number += 1
        if number % 20 == 0:
            with Workspace(root, "ada") as space:
                unsound += bool(examine(space.context, full=True).problems)
    c = edits.counts
    print(f"{edits.killed} kills ({c['commands killed']} of the command line, "
          f"{c['commands that ended']} ended before), {c['edits']} acknowledged edits: {lost} lost, "
          f"{unsound} times unsound", flush=True)  # fmt: skip
    return lost + unsound


def said(root: Path) -> list[tuple[object, ...]]:
    """All that a workspace says of its documents, times and numbers aside."""
    found: list[tuple[object, ...]] = []
    with Workspace(root, "ada") as space:
        ctx = space.context
        for line in documents.page_of(ctx, limit=0):
            sources = documents.sources_on(ctx, line.id)
            found.append((line.id, line.title, line.chunks, line.rows, len(documents.sections(ctx, line.id))))
            found += [(s.id, s.kind, s.anchor.text, s.anchor.page, s.anchor.ordinal) for s in sources]
        if examine(ctx, full=True).problems:
            found.append(("unsound",))
    found += [(p.name, p.stat().st_size) for p in sorted((root / ".curator" / "files").glob("*"))]
    return found


def kill_ingests(folder: Path, kills: int, chance: random.Random) -> int:
    original = build_desk(folder / "ingests")
    inputs = folder / "pdfs"
    inputs.mkdir()
    for n in range(3):
        text = f"Whoever reports late for the time {n} pays. " * 20
        articles = tuple((f"Article {k}. Duty {n}", f"{k}. {text}") for k in range(1, 25))
        write_pdf(inputs / f"order-{'abc'[n]}.pdf", articles=articles, rows=ROWS if n else ())
    given = {jobs: ("ingest", str(inputs), "--jobs", jobs) for jobs in ("1", "2")}
    moments, whole = {}, []
    for jobs in given:
        with copied(original, folder / "whole") as root:
            moments[jobs] = Moments(words(root, *given[jobs]), chance, earliest=0.3)
            whole.append(said(root))
    differ = killed = tried = 0
    stored: Counter[int] = Counter()
    while killed < kills and tried < 4 * kills:  # some end before they are killed
        tried += 1
        jobs = "12"[tried % 2]
        with copied(original, folder / "killed") as root:
            if moments[jobs].kill(words(root, *given[jobs])) is None:
                killed += 1
                with closing(sqlite3.connect(root / ".curator" / "curator.db")) as connection:
                    stored[connection.execute("select count(*) from document").fetchone()[0] - 1] += 1
            subprocess.run(words(root, *given[jobs]), check=True, capture_output=True)
            differ += said(root) not in whole
    spread = ", ".join(f"{n} after {k} of 3 documents" for k, n in sorted(stored.items()))
    print(f"{killed} ingests killed in time ({spread}; {tried - killed} ended before): "
          f"{differ} end otherwise than one that nobody stopped", flush=True)  # fmt: skip
    return differ + (killed < kills)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=200)
    parser.add_argument("--edits", type=int, default=10_000, help="go on until so many were acknowledged")
    parser.add_argument("--ingests", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    chance = random.Random(given.seed)
    folder = Path(tempfile.mkdtemp(prefix="kills-"))
    try:
        bad = kill_edits(folder, given.kills, given.edits, chance) if given.kills else 0
        bad += kill_ingests(folder, given.ingests, chance) if given.ingests else 0
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
