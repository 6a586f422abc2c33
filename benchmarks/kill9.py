"""kill -9 at random moments, while a document is ingested and while cases are edited on the command line.

    python -m benchmarks.kill9 [--kills 50] [--seed 1]

After each kill the database must pass its checks; a document is there whole or not at all; an edit that was
acknowledged (exit code 0) is there; no child process of the reader is left. Prints counts; exit code 1 on any loss.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from benchmarks.faults.killing import command, orphans, run_and_kill, told
from curator.services import cases, documents
from curator.services.doctor import examine
from curator.workspace import Workspace, create

DOCUMENT = Path(__file__).parents[1] / "datasets" / "documents" / "school-health-guideline.pdf"
ACTOR = "ada"


def _seconds(words: list[str]) -> float:
    began = time.monotonic()
    subprocess.run(words, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=True)
    return time.monotonic() - began


class Trial:
    """A workspace that is killed again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.acknowledged = 0
        subprocess.run(
            command(folder, ACTOR, "case", "new", "--set", "turns=how long?"), check=True, capture_output=True
        )
        with Workspace(folder, ACTOR) as workspace:
            self.case_id = cases.page_of(workspace.context)[0].id
        self.ingest_seconds = _seconds(command(folder, ACTOR, "ingest", str(DOCUMENT), "--id", "whole"))
        self.edit_seconds = _seconds(self._edit(0))
        with Workspace(folder, ACTOR) as workspace:
            self.sources = len(documents.sources_on(workspace.context, "whole"))

    def _edit(self, number: int) -> list[str]:
        return command(self.folder, ACTOR, "case", "edit", self.case_id, "--set", f"notes={number}")

    def ingest(self, number: int) -> None:
        """Ingest a copy under a new id; the copy differs in its last bytes, so that it is another file."""
        copy = self.folder / f"copy-{number}.pdf"
        copy.write_bytes(DOCUMENT.read_bytes() + f"\n% {number}\n".encode())
        words = command(self.folder, ACTOR, "ingest", str(copy), "--id", f"copy-{number}")
        code, session = run_and_kill(words, self.ingest_seconds * self.chance.uniform(0.2, 1.15))
        self.counts["ingest killed" if code is None else "ingest ended"] += 1
        if orphans(session):
            self.counts["LOST: a reader was left"] += 1
        with Workspace(self.folder, ACTOR) as workspace:
            ids = {d.id for d in documents.page_of(workspace.context, limit=0)}
            there = f"copy-{number}" in ids
            if code == 0 and not there:
                self.counts["LOST: acknowledged document missing"] += 1
            if there and len(documents.sources_on(workspace.context, f"copy-{number}")) != self.sources:
                self.counts["LOST: half a document"] += 1
            self.counts["documents whole"] += there
        copy.unlink()

    def edit(self) -> None:
        """Edit until killed; what was acknowledged last must be there, or the edit that was under way."""
        moment = time.monotonic() + self.chance.uniform(0, self.edit_seconds * 4)
        number = self.acknowledged
        code: int | None = 0
        while code is not None:
            number += 1
            code, _ = run_and_kill(self._edit(number), max(0.0, moment - time.monotonic()))
            if code == 0:
                self.acknowledged = number
                self.counts["edits acknowledged"] += 1
        self.counts["edits killed"] += 1
        with Workspace(self.folder, ACTOR) as workspace:
            notes = int(cases.get(workspace.context, self.case_id).case.notes)
            if notes not in (self.acknowledged, number):
                self.counts["LOST: acknowledged edit missing"] += 1
        self.acknowledged = max(self.acknowledged, notes)

    def check(self) -> None:
        """The database passes its checks."""
        with Workspace(self.folder, ACTOR) as workspace:
            if examine(workspace.context).problems:
                self.counts["LOST: the database is damaged"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=50)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="kill9-"))
    try:
        create(folder, ACTOR)
        trial = Trial(folder, given.seed)
        for number in range(given.kills):
            if number % 2:
                trial.edit()
            else:
                trial.ingest(number)
            trial.check()
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    lost = told(trial.counts)
    print(f"{given.kills} kills, {trial.counts['edits acknowledged']} acknowledged edits, {lost} losses")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
