"""Every hostile file goes through the command that would take it: no crash, no hang, not a gigabyte, one line.

    python -m benchmarks.faults.bad_inputs [--files FOLDER] [--corpus FOLDER]

FOLDER holds `pdf/`, `logs/`, `yaml/`, `text/` (default `../shared/bad_inputs`); broken PDFs of other people lie in the
corpus as `H-*.pdf`. PDFs go to `parse`, logs to `failures import --dry-run`, YAML to `case import`, lines of `text/` to
`search` and `suite release`. For each the exit code, seconds, and the most memory of the process and its children are
taken. Exit code 1 when one crashes, takes 30 s or a GiB, or says nothing.
"""

from __future__ import annotations

import argparse
import os
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from benchmarks.faults.ground import words
from tests.services.desk import build_desk

SHARED = Path(__file__).parents[3] / "shared"
SECONDS, MEMORY = 30.0, 1 << 30
CODES = {0, 1, 2, 3, 4, 5, 74}


class Outcome(NamedTuple):
    """How a command ended, and what was wrong with that ("" = nothing)."""

    code: int
    seconds: float
    memory: int
    wrong: str


def watched(command: list[str]) -> Outcome:
    """Run a command; its memory is that of its largest process."""
    reader, writer = os.pipe()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        done = subprocess.run(command, capture_output=True, timeout=None)
        peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss * 1024
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        bad = "a traceback" if "Traceback" in text else "a bug" if "a bug:" in text else ""
        bad = bad or ("ran what it was given" if "REMOTE CODE RAN" in text or "UNPICKLED" in text else "")
        bad = bad or ("an escape reaches the terminal" if "\x1b" in text or "\x9b" in text else "")
        bad = bad or ("nothing was said" if done.returncode and not done.stderr.strip() else "")
        os.write(writer, f"{done.returncode} {peak} {bad}".encode())
        os._exit(0)
    os.close(writer)
    began = time.monotonic()
    with os.fdopen(reader, "rb") as stream:
        said = stream.read().decode().split(" ", 2)
    os.waitpid(pid, 0)
    seconds = time.monotonic() - began
    code, memory, wrong = int(said[0]), int(said[1]), said[2]
    if code not in CODES:
        wrong = wrong or f"exit code {code}"
    if memory > MEMORY:
        wrong = wrong or f"{memory >> 20} MB"
    return Outcome(code, seconds, memory, wrong)


def inputs(root: Path, files: Path, corpus: Path) -> list[tuple[str, list[str]]]:
    """What is given, and the command that takes it."""
    found = [
        (f"pdf/{p.name}", words(root, "parse", str(p), "--json"))
        for p in [*sorted((files / "pdf").glob("*.pdf")), *sorted(corpus.glob("H-*.pdf"))]
    ]
    logs = ("failures", "import", "--dry-run", "--accept-residual-names")
    found += [(f"logs/{p.name}", words(root, *logs, str(p))) for p in sorted((files / "logs").glob("*"))]
    found += [(f"yaml/{p.name}", words(root, "case", "import", str(p))) for p in sorted((files / "yaml").glob("*"))]
    for name, command in (("search_queries.txt", ("search", "-n", "1")), ("suite_names.txt", ("suite", "release"))):
        path = files / "text" / name
        lines = path.read_text("utf-8", "replace").split("\n") if path.exists() else []
        found += [
            (f"text/{name}:{n}", words(root, *command, "--", line))
            for n, line in enumerate(lines, 1)
            if "\0" not in line
        ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=Path, default=SHARED / "bad_inputs")
    parser.add_argument("--corpus", type=Path, default=SHARED / "corpus")
    given = parser.parse_args()
    if not given.files.is_dir():
        print(f"{given.files} is not here: nothing to try")
        return 0
    crashes = hangs = 0
    slowest, largest = ("", 0.0), ("", 0)
    with tempfile.TemporaryDirectory(prefix="bad-inputs-") as folder:
        root = build_desk(Path(folder) / "space")
        todo = inputs(root, given.files, given.corpus)
        for name, command in todo:
            outcome = watched(command)
            slowest = max(slowest, (name, outcome.seconds), key=lambda pair: pair[1])
            largest = max(largest, (name, outcome.memory), key=lambda pair: pair[1])
            crashes += bool(outcome.wrong)
            hangs += outcome.seconds > SECONDS
            if outcome.wrong or outcome.seconds > SECONDS:
                print(f"! {name}: {outcome.wrong or 'slow'} (exit {outcome.code}, {outcome.seconds:.1f} s)", flush=True)
    print(f"{len(todo)} hostile inputs: {crashes} wrong, {hangs} over {SECONDS:.0f} s; slowest {slowest[0]} "
          f"{slowest[1]:.1f} s, largest {largest[0]} {largest[1] >> 20} MB")  # fmt: skip
    return 1 if crashes or hangs else 0


if __name__ == "__main__":
    sys.exit(main())
