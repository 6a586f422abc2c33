"""Export of a large release to all targets: CPU time, peak memory at two sizes, and bytes written.

    python -m benchmarks.targets [--cases 10000]

The cases are those of the sample release, again and again under other ids and with other questions. The release is made
by one process, each export is measured in another, so that its peak is its own. Memory is flat when a release of five
times the cases needs hardly more: what grows is ids and hashes, not lines.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import resource
import shutil
import tempfile
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from curator.domain.canonical import content_hash
from curator.exporting.release import render
from curator.exporting.released import from_manifest
from curator.services.targets import export, targets

SAMPLES = Path(__file__).parent.parent / "exports" / "school-health" / "1.0.0"
SIGNS = "0123456789abcdefghjkmnpqrstvwxyz"


def lines_of(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def another(line: dict[str, Any], number: int) -> dict[str, Any]:
    """The case once more: another id, another question."""
    six = "".join(SIGNS[number // 32**k % 32] for k in range(5, -1, -1))
    *early, last = line["turns"]
    made = line | {"id": f"bench-{six}", "turns": [*early, f"{last} ({number})"]}
    return made | {"contentHash": content_hash(made)}


def make(folder: Path, wanted: int) -> None:
    """A release of so many open cases."""
    pool = [*lines_of(SAMPLES / "dev.jsonl"), *lines_of(SAMPLES / "followup_dev.jsonl")]
    cases = [another(pool[n % len(pool)], n) for n in range(wanted)]
    manifest = json.loads((SAMPLES / "manifest.json").read_text("utf-8"))
    made = render(from_manifest(manifest, lines=cases, sources=lines_of(SAMPLES / "sources.jsonl")))
    folder.mkdir(parents=True)
    for name, data in made.files.items():
        (folder / name).write_bytes(data)


def measure(folder: Path, names: list[str], answer: Connection) -> None:
    """CPU seconds and peak in MB of one export."""
    before = time.process_time()
    export(folder, names)
    answer.send((time.process_time() - before, resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024))


def apart(work: Callable[..., None], *words: Any) -> None:
    process = multiprocessing.get_context("spawn").Process(target=work, args=words)
    process.start()
    process.join()
    assert process.exitcode == 0, process.exitcode


def measured(folder: Path, names: list[str]) -> tuple[float, float]:
    here, there = multiprocessing.get_context("spawn").Pipe()
    apart(measure, folder, names, there)
    found: tuple[float, float] = here.recv()
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=10_000)
    parser.add_argument("--each", action="store_true", help="also each target alone")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        peaks = {}
        for size in (wanted.cases // 5, wanted.cases):
            folder = Path(name) / str(size) / "1.0.0"
            apart(make, folder, size)
            cpu, peaks[size] = measured(folder, ["all"])
            out = folder.parent / "1.0.0.targets"
            written = sum(p.stat().st_size for p in out.rglob("*") if p.is_file()) / 1e6
            print(
                f"{size:6} cases to {len(targets())} targets: {cpu:5.1f} CPU s, peak {peaks[size]:.0f} MB, "
                f"{written:.0f} MB written"
            )
            shutil.rmtree(out)
        small, large = peaks.values()
        print(f"five times the cases: {large / small:.2f} times the memory")
        for target in targets() if wanted.each else ():
            cpu, peak = measured(folder, [target.name])
            print(f"{target.name:13} {cpu:5.1f} CPU s, peak {peak:.0f} MB")


if __name__ == "__main__":
    main()
