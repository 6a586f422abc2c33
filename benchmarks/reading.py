"""Reading in several processes: what it saves, what it costs, and what a kill costs.

    python -m benchmarks.reading [--pages 600] [--jobs 2] [--runs 3]

A file of so many pages is made of the samples and read by one process and by several; the results are compared byte
for byte. `wall` depends on who else uses the machine. `longest way` does not: CPU of this process and of the busiest
reading process, what would pass on an idle machine at most. Then forty short files, with the start-up of processes
shared and not, and a reading that is stopped in the middle and begun again.
"""

from __future__ import annotations

import argparse
import resource
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import NamedTuple

import pypdf

from curator.errors import Cancelled
from curator.parsing import parse_json, parse_pdf
from curator.parsing.child import stop_all, used
from curator.progress import Silent

SAMPLES = Path(__file__).parents[1] / "datasets" / "documents"
SHORT = 40


class Cost(NamedTuple):
    """Seconds: of the clock, of CPU in all processes, of CPU on the longest way."""

    wall: float
    cpu: float
    way: float


def cost(work: Callable[[], object]) -> Cost:
    """What it costs, the start-up of the first process included."""
    stop_all()
    begun, own = time.monotonic(), _own()
    work()
    wall, own, others = time.monotonic() - begun, _own() - own, used()
    return Cost(wall, own + others.seconds, own + others.longest)


def _own() -> float:
    found = resource.getrusage(resource.RUSAGE_SELF)
    return found.ru_utime + found.ru_stime


def long_file(path: Path, pages: int) -> Path:
    """Pages of the samples, again and again."""
    writer = pypdf.PdfWriter()
    readers = [pypdf.PdfReader(p) for p in sorted(SAMPLES.glob("*.pdf"))]
    every = [page for reader in readers for page in reader.pages]
    for number in range(pages):
        writer.add_page(every[number % len(every)])
    writer.write(path)
    return path


def in_processes(path: Path, jobs: int, runs: int) -> None:
    """One process against several; the best of the runs, by turns."""
    parsed: set[str] = set()
    best: dict[int, list[Cost]] = {1: [], jobs: []}
    for _ in range(runs):
        for count, costs in best.items():
            costs.append(cost(partial(_parsed_into, parsed, path, count)))
    one, many = (Cost(*map(min, zip(*costs, strict=True))) for costs in best.values())
    for count, found in ((1, one), (jobs, many)):
        print(f"{count} process{'es' if count > 1 else '  '}  wall {found.wall:6.1f} s  CPU {found.cpu:6.1f} s  "
              f"longest way {found.way:6.1f} s")  # fmt: skip
    print(f"ratio        wall {one.wall / many.wall:6.2f}    CPU {one.cpu / many.cpu:6.2f}    "
          f"longest way {one.way / many.way:6.2f}   same bytes: {'yes' if len(parsed) == 1 else 'NO'}")  # fmt: skip


def _parsed_into(parsed: set[str], path: Path, jobs: int) -> None:
    parsed.add(parse_json(parse_pdf(path, jobs=jobs, ocr=False)))


def short_files(folder: Path) -> None:
    """Many short files: the start-up of processes shared, and paid for each."""
    page = pypdf.PdfReader(SAMPLES / "school-health-guideline.pdf").pages[3]
    paths = []
    for number in range(SHORT):
        writer = pypdf.PdfWriter()
        writer.add_page(page)
        paths.append(folder / f"{number}.pdf")
        writer.write(paths[-1])

    def each(path: Path) -> Cost:
        return cost(lambda: parse_pdf(path, ocr=False))

    shared = cost(lambda: [parse_pdf(path, ocr=False) for path in paths])
    alone = [each(path) for path in paths]
    print(f"{SHORT} files of a page: CPU a file {1000 * shared.cpu / SHORT:.0f} ms, "
          f"{1000 * sum(c.cpu for c in alone) / SHORT:.0f} ms when each starts its own process")  # fmt: skip


class _StopsAt(Silent):
    def __init__(self, pages: int) -> None:
        self.left = pages

    def advance(self, steps: int = 1) -> None:
        self.left -= steps

    def checkpoint(self) -> None:
        if self.left <= 0:
            raise Cancelled


def stopped(path: Path, folder: Path, pages: int) -> None:
    """A reading that is stopped when half is read, and begun again."""
    whole = parse_json(parse_pdf(path, ocr=False))

    def half() -> None:
        try:
            parse_pdf(path, ocr=False, keep=folder, progress=_StopsAt(pages // 2))
        except Cancelled:
            return

    first = cost(half)
    kept = sum(p.read_bytes().count(b"\n") - 1 for p in folder.rglob("*.jsonl"))
    again: list[str] = []
    second = cost(lambda: again.append(parse_json(parse_pdf(path, ocr=False, keep=folder))))
    read = sum(p.read_bytes().count(b"\n") - 1 for p in folder.rglob("*.jsonl"))
    print(f"stopped with {kept} of {pages} pages read (CPU {first.cpu:.1f} s), begun again: {read - kept} more read "
          f"(CPU {second.cpu:.1f} s), same bytes: {'yes' if again == [whole] else 'NO'}")  # fmt: skip


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pages", type=int, default=600)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = long_file(folder / "long.pdf", given.pages)
        in_processes(path, given.jobs, given.runs)
        short_files(folder)
        stopped(path, folder / "kept", given.pages)
    stop_all()


if __name__ == "__main__":
    main()
