"""Every hostile file goes through the command that would take it: no crash, no hang, not a gigabyte, one line.

    python -m benchmarks.faults.bad_inputs [--files FOLDER] [--corpus FOLDER] [--told] [--only logs/]

FOLDER holds `pdf/`, `logs/`, `yaml/`, `text/` (default `../shared/bad_inputs`); broken PDFs of other people lie in the
corpus as `H-*.pdf`. PDFs go to `parse`, logs to `failures import --dry-run`, YAML to `case import`, lines of `text/` to
`search` and `suite release`.

For each the exit code, the seconds (by the clock: a loaded machine is slow; of one that took long, of CPU too) and
the memory of the process are taken; the readers of PDFs are held to a GiB each by the system. Exit code 1 when one
crashes, takes 30 s or a GiB, or says nothing. `--told` prints what each was told, to be read beside the list of right
outcomes.
"""

from __future__ import annotations

import argparse
import os
import resource
import signal
import sys
import tempfile
import time
import traceback
from pathlib import Path
from typing import NamedTuple

from curator.cli.main import run
from tests.services.desk import build_desk

SHARED = Path(__file__).parents[3] / "shared"
SECONDS, WALL, MEMORY = 30.0, 300.0, 1 << 30
CODES = {0, 1, 2, 3, 4, 5, 74}


class Outcome(NamedTuple):
    """How a command ended, and what was wrong with that ("" = nothing)."""

    code: int
    seconds: float
    memory: int
    wrong: str
    told: str = ""
    cpu: float = 0.0


def watched(command: list[str]) -> Outcome:
    """Run a command in a fork, so that libraries are loaded once; memory is what it took beyond them."""
    reader, writer = os.pipe()
    said = tempfile.TemporaryFile()  # noqa: SIM115  the fork writes to it
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.monotonic()
    pid = os.fork()
    if pid == 0:
        os.close(reader)
        os.dup2(said.fileno(), 1)
        os.dup2(said.fileno(), 2)
        sys.stdout, sys.stderr = os.fdopen(os.dup(1), "w"), os.fdopen(os.dup(2), "w")
        signal.alarm(int(WALL))
        code = 99
        try:
            code = run(command)
        except BaseException:  # noqa: BLE001  a command lets nothing out; if one does, it is told
            traceback.print_exc()
        sys.stdout.flush()
        sys.stderr.flush()
        used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
        peak = (used[0].ru_maxrss - before) << 10
        os.write(writer, f"{code} {peak} {sum(u.ru_utime + u.ru_stime for u in used):.2f}".encode())
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        told = stream.read().decode().split()
    os.waitpid(pid, 0)
    said.seek(0)
    text = said.read().decode("utf-8", "replace")
    if not told:
        return Outcome(-1, WALL, 0, "it crashed, or did not end")
    return _judged(int(told[0]), time.monotonic() - began, int(told[1]), text)._replace(told=text, cpu=float(told[2]))


def _judged(code: int, seconds: float, memory: int, text: str) -> Outcome:
    for mark, wrong in (("Traceback", "a traceback"), ("a bug:", "a bug"), ("REMOTE CODE RAN", "it ran"),
                        ("UNPICKLED", "it ran"), ("\x1b", "an escape"), ("\x9b", "an escape")):  # fmt: skip
        if mark in text:
            return Outcome(code, seconds, memory, wrong)
    if code not in CODES:
        return Outcome(code, seconds, memory, f"exit code {code}")
    if code and not text.strip():
        return Outcome(code, seconds, memory, "nothing was said")
    return Outcome(code, seconds, memory, f"{memory >> 20} MB" if memory > MEMORY else "")


def given(root: Path, *words: str) -> list[str]:
    """The words of a command."""
    return ["-w", str(root), "--as", "ada", *words]


def inputs(root: Path, files: Path, corpus: Path) -> list[tuple[str, list[str]]]:
    """What is given, and the command that takes it."""
    found = [
        (f"pdf/{p.name}", given(root, "parse", str(p), "--json"))
        for p in [*sorted((files / "pdf").glob("*.pdf")), *sorted(corpus.glob("H-*.pdf"))]
    ]
    logs = ("failures", "import", "--dry-run", "--accept-residual-names")
    found += [(f"logs/{p.name}", given(root, *logs, str(p))) for p in sorted((files / "logs").glob("*"))]
    found += [(f"yaml/{p.name}", given(root, "case", "import", str(p))) for p in sorted((files / "yaml").glob("*"))]
    for name, command in (
        ("search_queries.txt", ("search", "-n", "1", "--lexical")),
        ("suite_names.txt", ("suite", "release")),
    ):
        path = files / "text" / name
        lines = path.read_text("utf-8", "replace").split("\n") if path.exists() else []
        found += [
            (f"text/{name}:{n}", given(root, *command, "--", line))
            for n, line in enumerate(lines, 1)
            if "\0" not in line
        ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--files", type=Path, default=SHARED / "bad_inputs")
    parser.add_argument("--corpus", type=Path, default=SHARED / "corpus")
    parser.add_argument("--told", action="store_true")
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    if not asked.files.is_dir():
        print(f"{asked.files} is not here: nothing to try")
        return 0
    crashes = hangs = 0
    slowest, largest = ("", 0.0), ("", 0)
    with tempfile.TemporaryDirectory(prefix="bad-inputs-") as folder:
        root = build_desk(Path(folder) / "space")
        log = Path(folder) / "log.csv"
        log.write_text("question,answer\nHow long is it kept?,Five years.\n")
        run(given(root, "failures", "import", "--dry-run", "--accept-residual-names", str(log)))  # loads what it needs
        todo = [i for i in inputs(root, asked.files, asked.corpus) if i[0].startswith(asked.only)]
        for name, command in todo:
            outcome = watched(command)
            slowest = max(slowest, (name, outcome.seconds), key=lambda pair: pair[1])
            largest = max(largest, (name, outcome.memory), key=lambda pair: pair[1])
            if asked.told:
                lines = [line[:240] for line in outcome.told.splitlines() if line.strip()]
                shown = [line for line in lines if not line.startswith('{"')][:12]
                print(f"{name}: exit {outcome.code}", *shown, sep="\n    ", flush=True)
            crashes += bool(outcome.wrong)
            hangs += outcome.seconds > SECONDS
            if outcome.wrong or outcome.seconds > SECONDS:
                print(
                    f"! {name}: {outcome.wrong or 'slow'} (exit {outcome.code}, {outcome.seconds:.1f} s, "
                    f"{outcome.cpu:.1f} s of CPU)",
                    flush=True,
                )
    print(f"{len(todo)} hostile inputs: {crashes} wrong, {hangs} over {SECONDS:.0f} s; slowest {slowest[0]} "
          f"{slowest[1]:.1f} s, largest {largest[0]} {largest[1] >> 20} MB")  # fmt: skip
    return 1 if crashes or hangs else 0


if __name__ == "__main__":
    sys.exit(main())
