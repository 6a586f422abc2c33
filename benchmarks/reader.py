"""The reader on a long document: opened, and a screen down; beside it a table of 5,000 rows and a very long page.

    python -m benchmarks.reader [--pdf FILE] [--pages 600]

Makes a document of 600 dense pages with fpdf2 (or takes --pdf), ingests it, and drives the app by keys at 80x24 without
a terminal. Opened: wall time from Enter in the list of documents until text is painted, the median of five. A screen
down: CPU time of the whole process (user and system, workers included) for each of 150 presses of Page Down, from
different places. Memory: the peak of the process over that of the app without a document. Targets: 300 ms, 20 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import resource
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fpdf import FPDF
from textual.pilot import Pilot

from curator.domain.document import Anchor, Source
from curator.services.ingest import Facts, ingest
from curator.tui.app import CuratorApp
from curator.tui.widgets.source_view import SourceView
from curator.workspace import Workspace, create

TEXT = (
    "The holder of the permit keeps a record of every measurement for {n} years and gives it to the authority within "
    "{m} days of a request. A measurement above 10,000 mg is told at once, with the time, the place and the reason. "
)
PRESSES = 150


def make_pdf(path: Path, pages: int) -> None:
    """Dense pages: headings, paragraphs, and a ruled table on every tenth."""
    pdf = FPDF()
    for number in range(1, pages + 1):
        pdf.add_page()
        pdf.set_font("helvetica", style="B", size=12)
        pdf.cell(0, 8, f"{number}. Duties of part {number}", new_x="LMARGIN", new_y="NEXT")
        pdf.set_font("helvetica", size=9)
        for paragraph in range(6):
            pdf.multi_cell(0, 4.5, TEXT.format(n=number, m=paragraph + 3) * 3)
            pdf.ln(2)
        if number % 10 == 0:
            with pdf.table(first_row_as_headings=True) as table:
                for row in range(8):
                    line = table.row()
                    for column in range(4):
                        line.cell(f"{'Head' if not row else 'Cell'} {row} {column}")
    pdf.output(str(path))


def long_source(ordinal: int, page: int, text: str, cells: tuple[str, ...] = ()) -> Source:
    """A source that no file holds."""
    header = tuple(f"Head {n}" for n in range(len(cells)))
    at = Anchor(source_id=f"long:{ordinal}", kind="row" if cells else "chunk", ordinal=ordinal, page=page,
                page_end=page,
                text=text, quote=text, text_hash="", table_id="long.t" if cells else "", table_header=header,
                cells=cells)  # fmt: skip
    return Source(id=at.source_id, kind=at.kind, document_id="long", anchor=at)


async def until(pilot: Pilot[Any], true: Callable[[], bool], seconds: float = 60.0) -> None:
    """Wait, as finely as the figure needs."""
    end = time.monotonic() + seconds
    while not true():
        if time.monotonic() > end:
            raise SystemExit("the app did not come so far")
        await asyncio.sleep(0.002)


async def presses(pilot: Pilot[Any], key: str, count: int) -> list[float]:
    """CPU milliseconds of each press, with what it set off."""
    times = []
    for _ in range(count):
        began = time.process_time()
        await pilot.press(key)
        times.append(1000 * (time.process_time() - began))
    return times


async def longest_wait() -> float:
    """The most milliseconds of CPU that the app's own thread spent at one go, until this is canceled."""
    longest = 0.0
    try:
        while True:
            began = time.thread_time()
            await asyncio.sleep(0.001)
            longest = max(longest, 1000 * (time.thread_time() - began))
    except asyncio.CancelledError:
        return longest


def told(name: str, times: list[float], target: str = "") -> None:
    """One line of figures."""
    mean, p95 = statistics.mean(times), sorted(times)[int(len(times) * 0.95)]
    print(f"{name:44s} mean {mean:6.1f}  median {statistics.median(times):6.1f}  p95 {p95:6.1f} ms CPU {target}")


def peak_mb() -> float:
    """Peak resident memory of this process."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


async def drive(workspace: Workspace, pages: int) -> None:
    """Open and page, and print."""
    app = CuratorApp(workspace)
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.ctx is not None)
        await pilot.press("f3")
        await asyncio.sleep(1.5)  # the other screens are loaded
        view = app.screen.query_one(SourceView)
        before = peak_mb()
        opened, spent = [], []
        for _ in range(5):
            app.screen.document = None  # type: ignore[attr-defined]
            view.clear("")
            await pilot.pause()
            began, used = time.perf_counter(), time.process_time()
            app.show_document("long")
            await until(pilot, lambda: bool(view.source))
            painted = asyncio.Event()
            view.call_after_refresh(painted.set)
            await painted.wait()
            opened.append(1000 * (time.perf_counter() - began))
            spent.append(1000 * (time.process_time() - used))
            await pilot.pause(0.2)
        wall, cpu = statistics.median(opened), statistics.median(spent)
        print(f"{pages} pages, opened: median {wall:.0f} ms, worst {max(opened):.0f} ms wall (≤ 300), {cpu:.0f} ms CPU")
        await pilot.pause(0.5)
        told("a screen down", await presses(pilot, "pagedown", PRESSES), "(≤ 20)")
        await pilot.press("end")
        await pilot.pause(0.5)
        told("a screen up, from the end", await presses(pilot, "pageup", PRESSES), "(≤ 20)")
        print(f"memory: {peak_mb() - before:.0f} MB over the reader without a document")

        rows = [
            long_source(n, 1, "", tuple(f"cell {k} of row {n}, with some words" for k in range(6))) for n in range(5000)
        ]
        began = time.process_time()
        view.open(lambda first, last: rows, 1)
        await until(pilot, lambda: bool(view.source and view.source.kind == "row"))
        print(f"a table of 5,000 rows on one page: opened in {1000 * (time.process_time() - began):.0f} ms CPU")
        told("  a screen down", await presses(pilot, "pagedown", 50))
        began, before_resize = time.process_time(), view._starts[-1]
        longest = asyncio.create_task(longest_wait())
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: view._starts[-1] != before_resize)
        longest.cancel()
        took = 1000 * (time.process_time() - began)
        print(f"  resized: {took:.0f} ms CPU; at most {await longest:.0f} ms at one go in the thread that takes keys")
        await pilot.resize_terminal(80, 24)
        text = long_source(1, 1, "Nobody stays away without a reason, 수두 or not. " * 4400)
        began = time.process_time()
        view.open(lambda first, last: [text], 1)
        await until(pilot, lambda: bool(view.source and view.source.kind == "chunk"))
        took = 1000 * (time.process_time() - began)
        print(f"a page of {len(text.anchor.text):,} characters: opened in {took:.0f} ms CPU")
        told("  a screen down", await presses(pilot, "pagedown", 50))
        await pilot.press("v")
        told("  selecting a word more", await presses(pilot, "right", 50))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--pdf", type=Path)
    parser.add_argument("--pages", type=int, default=600)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = create(Path(folder) / "w", "ada")
        pdf = args.pdf
        if pdf is None:
            pdf = Path(folder) / "long.pdf"
            make_pdf(pdf, args.pages)
        with Workspace(root, "ada") as workspace:
            began = time.monotonic()
            done = ingest(workspace.context, [pdf], Facts(document_id="long", title="A long document"))[0]
            print(f"{pdf.name}: {done.outcome}, ingested in {time.monotonic() - began:.1f} s")
            with workspace.context.db.read() as tx:
                from curator.store import documents

                pages = documents.get(tx, "long").revision.pages
            asyncio.run(drive(workspace, pages))


if __name__ == "__main__":
    main()
