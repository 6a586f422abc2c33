"""Ingestion in the app: how soon it stops, and how quick keys are meanwhile.

    python -m benchmarks.ingesting [--runs 7]

Opens the app on an empty workspace, ingests the 160-page sample four times over in one file, and stops it by a key; the
time from the key until the screen says so, minimum, median and most. Meanwhile rooms are switched: CPU of a key in the
app's own process, which the reading child is no part of. Target: stopped within 0.3 s of wall time on an idle machine.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from pypdf import PdfWriter
from textual import events
from textual.pilot import Pilot

from curator.tui.app import CuratorApp
from curator.workspace import Workspace, create

LONG = Path(__file__).parents[1] / "datasets" / "documents" / "emission-regulation-consolidated.pdf"
TARGET = 0.3


def shown(pilot: Pilot[Any], words: str) -> bool:
    """Whether words stand on the screen."""
    return words in "\n".join(s.text for s in pilot.app.screen._compositor.render_strips())


async def until(pilot: Pilot[Any], true: Callable[[], bool]) -> None:
    """Wait for it, a minute at most."""
    end = time.monotonic() + 60
    while not true():
        if time.monotonic() > end:
            screen = "\n".join(s.text for s in pilot.app.screen._compositor.render_strips())
            raise SystemExit(f"it did not come about; the screen:\n{screen}")
        await asyncio.sleep(0.005)


def long_file(folder: Path) -> Path:
    """640 pages: still being read when all keys have been pressed."""
    writer = PdfWriter()
    for _ in range(4):
        writer.append(LONG, import_outline=False)
    writer.write(folder / "long.pdf")
    return folder / "long.pdf"


async def once(root: Path, path: Path) -> tuple[float, list[float]]:
    """Seconds until it was stopped, and CPU seconds of each key meanwhile."""
    app = CuratorApp(Workspace(root, "ada"))
    keys = []
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.ctx is not None)
        await until(pilot, lambda: shown(pilot, "end the tour"))
        await pilot.press("escape")
        await until(pilot, lambda: not shown(pilot, "end the tour"))
        await pilot.press("f2", "i")
        await until(pilot, lambda: shown(pilot, "PDF file"))
        app.post_message(events.Paste(str(path)))
        await pilot.pause()
        await pilot.press("enter", "enter", "enter")
        await until(pilot, lambda: shown(pilot, "page 1"))
        for key in ("f1", "f5", "f8", "f2") * 3:
            begun = time.process_time()
            await pilot.press(key)
            keys.append(time.process_time() - begun)
        begun = time.monotonic()
        await pilot.press("x")
        await until(pilot, lambda: shown(pilot, "stopped: the documents before are kept whole"))
        took = time.monotonic() - begun
    app.workspace.close()
    return took, keys


def main() -> None:
    """Print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--runs", type=int, default=7)
    stops, keys = [], []
    for _ in range(parser.parse_args().runs):
        with tempfile.TemporaryDirectory() as folder:
            took, pressed = asyncio.run(once(create(Path(folder) / "w", "ada"), long_file(Path(folder))))
            stops.append(took)
            keys += pressed[4:]  # the first round loads the screens
    stop = f"min {min(stops):.3f}  median {statistics.median(stops):.3f}  most {max(stops):.3f} s"
    print(f"stopped after  {stop}  (target {TARGET} s)")
    key = f"median {statistics.median(keys) * 1000:.1f}  most {max(keys) * 1000:.1f} ms"
    print(f"room switched  {key} of CPU while a file is read")


if __name__ == "__main__":
    main()
