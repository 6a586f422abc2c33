"""The gate over a large suite and two runs: CPU time, and peak memory at two sizes.

    python -m benchmarks.gate [--cases 10000]

The release is made as for benchmarks.targets. Each run answers every case in its own words (no two answers are the same
text), retrieves ten chunks with their texts, and is wrong in one case of five; every second answer does not report its
behavior. The gate is measured in a process of its own, from opening the release to the report.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import random
import resource
import tempfile
import time
from collections.abc import Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from benchmarks.targets import lines_of, make
from curator.progress import Silent
from curator.services.gate import Beside, gate
from curator.services.gated_suite import open_suite
from curator.settings import GateTable

PADDING = (
    "This follows from the guideline that is in force for the school year; see the section on it, last changed "
    "in number {n}. The person in charge keeps a note of it and tells the parents on the same day."
)
REFUSED, HANDED = "I'm sorry, the sources do not say anything about this.", "Please contact the {to} about this."


def answer(line: dict[str, Any], number: int, chance: random.Random) -> dict[str, Any]:
    """A line of a run."""
    said = {"refuse": REFUSED, "escalate": HANDED.format(to=line["escalateTo"])}.get(line["expectedBehavior"], "")
    right = chance.random() > 0.2
    text = f"{line['referenceAnswer'] or said} {PADDING.format(n=number)}" if right else PADDING.format(n=number)
    ids = [f"{line['documents'][0]['documentId']}:{chance.randrange(400)}" for _ in range(9)]
    places = [*(line["expectedSourceIds"] if right else ()), *ids]
    return {
        "caseId": line["id"],
        "answer": text,
        "behavior": line["expectedBehavior"] if number % 2 else "",
        "retrieved": [
            {"id": name, "text": f"{PADDING} {name}" * 2, "rank": n, "score": 1 / n} for n, name in enumerate(places, 1)
        ],
        "citations": [{"sourceId": places[0], "claim": ""}],
        "route": line["route"],
        "stageError": "",
        "latencyMs": chance.uniform(100, 900),
        "costUsd": 0.001,
        "turns": [],
    }


def write_run(path: Path, cases: Sequence[dict[str, Any]], seed: int) -> None:
    """A run over the cases."""
    chance = random.Random(seed)
    with path.open("w", encoding="utf-8") as stream:
        for number, line in enumerate(cases, seed * len(cases)):
            stream.write(json.dumps(answer(line, number, chance), ensure_ascii=False) + "\n")


def measure(folder: Path, run: Path, baseline: Path, send: Connection) -> None:
    """CPU seconds of opening and of the gate, and the peak in MB."""
    before = time.process_time()
    suite = open_suite(folder, Silent())
    opened = time.process_time()
    report = gate(run, suite, GateTable(), Beside(baseline=baseline))
    done = time.process_time()
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    send.send((opened - before, done - before, peak, report.verdict, len(report.failed)))


def one(cases: int) -> tuple[float, float, float, str, int]:
    """Measure over so many cases."""
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place) / "exports" / "school-health" / "1.0.0"
        make(folder, cases)
        lines = [line for name in ("dev", "followup_dev") for line in lines_of(folder / f"{name}.jsonl")]
        runs = [Path(place) / f"run-{seed}.jsonl" for seed in (1, 2)]
        for seed, path in enumerate(runs, 1):
            write_run(path, lines, seed)
        receive, send = multiprocessing.Pipe(duplex=False)
        process = multiprocessing.get_context("spawn").Process(target=measure, args=(folder, *runs, send))
        process.start()
        found: tuple[float, float, float, str, int] = receive.recv()
        process.join()
        return found


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--cases", type=int, default=10_000)
    wanted = parser.parse_args().cases
    for cases in (wanted // 5, wanted):
        opened, done, peak, verdict, failed = one(cases)
        print(f"{cases} cases, two runs: {done:.1f} CPU s ({opened:.1f} of them opening and checking the release), "
              f"peak {peak:.0f} MB; {verdict}, {failed} failed")  # fmt: skip


if __name__ == "__main__":
    main()
