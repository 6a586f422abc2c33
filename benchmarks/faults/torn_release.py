"""kill -9 at random moments of a release and of an export; and two that release, or export, at once.

    python -m benchmarks.faults.torn_release [--kills 100] [--pairs 10] [--seed 1]

Works on the sample workspace with the real command line. After each kill every version in exports/ must be sound, byte
by byte and against what the workspace recorded, its holdout too; a target's folder must be there whole or as it was;
and the same command, run again, must end well. Of two at once one makes the version. Prints counts; exit code 1 on any
loss.
"""

from __future__ import annotations

import argparse
import random
import shutil
import subprocess
import sys
import tempfile
from collections import Counter
from hashlib import sha256
from pathlib import Path

from benchmarks.faults.killing import Moments, command, told
from curator.services import cases, changing
from curator.services.released_version import recorded
from curator.services.verifying import verified
from curator.store import releases
from curator.workspace import Workspace

SUITE, LEAD, EXPERT = "school-health", "lead-carla", "nurse-ada"


def tree(folder: Path) -> dict[str, str]:
    """Hash of every file below a folder, but of what differs between runs."""
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {str(p.relative_to(folder)): sha256(p.read_bytes()).hexdigest() for p in files}


class Trial:
    """The sample workspace, killed again and again."""

    def __init__(self, folder: Path, seed: int) -> None:
        self.folder = folder
        self.chance = random.Random(seed)
        self.counts: Counter[str] = Counter()
        self.round = 0
        made = [sys.executable, "-m", "curator", "demo", str(folder), "--no-app"]
        subprocess.run(made, check=True, capture_output=True)
        self.suite = folder / "exports" / SUITE
        self.whole = self._targets(export := command(folder, LEAD, "export", f"{SUITE}@1.0.0", "--to", "all"))
        self.exports = Moments(export, self.chance)
        self.change()
        self.releases = Moments(command(folder, LEAD, "suite", "release", SUITE), self.chance)

    @property
    def killed(self) -> int:
        return self.counts["release killed"] + self.counts["export killed"]

    def _targets(self, export: list[str]) -> dict[str, str]:
        """An export that nobody disturbed: its files and their hashes."""
        subprocess.run(export, check=True, capture_output=True)
        return tree(self.suite / "1.0.0.targets")

    def change(self) -> None:
        """Give a case another tag, so that there is something to release."""
        self.round += 1
        with Workspace(self.folder, EXPERT) as workspace:
            ctx = workspace.context
            name = next(c.id for c in cases.page_of(ctx, limit=0) if c.status == "approved" and c.id.startswith(SUITE))
            changing.change_many(ctx, [name], add_tags=[f"round-{self.round}"], remove_tags=[f"round-{self.round - 1}"])

    def versions(self) -> set[str]:
        return {p.name for p in self.suite.iterdir() if p.is_dir() and p.name.count(".") == 2 and p.name[0].isdigit()}

    def check(self, only: str = "") -> None:
        """What lies there is whole, and what is recorded lies there."""
        with Workspace(self.folder, LEAD) as workspace:
            with workspace.context.db.read() as tx:
                known = {r.version for r in releases.versions(tx, SUITE)}
            here = self.versions()
            if known - here:
                self.counts["LOST: recorded, and not in exports/"] += 1
            self.counts["published, not recorded yet"] += len(here - known)
            for found in verified(self.suite / only if only else self.suite, recorded=recorded(workspace.context)):
                if found.problems or not found.holdout:
                    self.counts["LOST: torn version"] += 1
                    print(found.version, found.problems[:3], file=sys.stderr)

    def release(self) -> None:
        """Kill a release; what is there is whole, and the same release ends well afterwards."""
        self.change()
        words, before = command(self.folder, LEAD, "suite", "release", SUITE), self.versions()
        code = self.releases.kill(words)
        self.counts["release killed" if code is None else "release ended"] += 1
        fresh = self.versions() - before
        if code == 0 and len(fresh) != 1:
            self.counts["LOST: acknowledged version missing"] += 1
        for version in fresh:
            self.check(version)
        if subprocess.run(words, capture_output=True).returncode or len(self.versions() - before) != 1:
            self.counts["LOST: the release cannot be done again"] += 1
        for version in self.versions() - before:
            self.check(version)

    def export(self) -> None:
        """Kill an export to all targets; each folder is as one that nobody disturbed, and nothing else is there."""
        words = command(self.folder, LEAD, "export", f"{SUITE}@1.0.0", "--to", "all")
        if self.chance.random() < 0.5:
            shutil.rmtree(self.suite / "1.0.0.targets")
        code = self.exports.kill(words)
        self.counts["export killed" if code is None else "export ended"] += 1
        self.check_targets()
        if subprocess.run(words, capture_output=True).returncode or tree(self.suite / "1.0.0.targets") != self.whole:
            self.counts["LOST: the export cannot be done again"] += 1

    def check_targets(self) -> None:
        folder = self.suite / "1.0.0.targets"
        for place in folder.iterdir() if folder.exists() else ():
            if place.name.startswith("."):
                self.counts["left by a kill, swept by the next"] += 1
                continue
            wanted = {n: h for n, h in self.whole.items() if n.startswith(f"{place.name}/")}
            if {f"{place.name}/{n}": h for n, h in tree(place).items()} != wanted:
                self.counts["LOST: torn target"] += 1

    def pair(self, *words: str) -> list[int]:
        """The same command twice at once: both exit codes."""
        both = [
            subprocess.Popen(command(self.folder, LEAD, *words), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            for _ in range(2)
        ]
        return sorted(p.wait() for p in both)

    def pairs(self) -> None:
        """Two releases at once, two exports at once."""
        self.change()
        before = self.versions()
        codes = self.pair("suite", "release", SUITE)
        fresh = self.versions() - before
        self.counts[f"two releases: exit codes {codes}"] += 1
        if len(fresh) != 1 or codes not in ([0, 0], [0, 4]):
            self.counts["LOST: not one winner of two releases"] += 1
        for version in fresh:
            self.check(version)
        codes = self.pair("export", f"{SUITE}@1.0.0", "--to", "all")
        self.counts[f"two exports: exit codes {codes}"] += 1
        if codes not in ([0, 0], [0, 4]) or tree(self.suite / "1.0.0.targets") != self.whole:
            self.counts["LOST: not one winner of two exports"] += 1


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--pairs", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    parent = Path(tempfile.mkdtemp(prefix="torn-release-"))
    try:
        trial = Trial(parent / "sample", given.seed)
        for number in range(given.kills * 3):  # some end before they are killed
            if trial.killed >= given.kills:
                break
            if number % 2:
                trial.export()
            else:
                trial.release()
        for _ in range(given.pairs):
            trial.pairs()
        trial.check()
    finally:
        shutil.rmtree(parent, ignore_errors=True)
    lost = told(trial.counts)
    print(f"{trial.killed} kills in time, {given.pairs} pairs, {lost} losses")
    return 1 if lost or trial.killed < given.kills else 0


if __name__ == "__main__":
    sys.exit(main())
