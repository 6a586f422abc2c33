"""Typing into the case form with live checks and drafts on, in a workspace of 5,000 cases: CPU a key.

    python -m benchmarks.typing [--cases 5000] [--keys 200]

The app runs without a terminal at 120x40 (form, evidence beside the answer). Keys come 20 a second, so that checks and
drafts run between them as they do for a person; CPU time of the whole process, its threads included, less that of the
same time without keys. Target: 15 ms.
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from pathlib import Path

from textual import events

from curator.domain.case import Case
from curator.exporting.line import draft_line
from curator.services import cases
from curator.services.importing import import_cases
from curator.tui.app import CuratorApp
from curator.workspace import Workspace, create

TARGET = 15.0
PAUSE = 0.05
TEXT = "Until all lesions have crusted, at least five days after the rash began. "


def fill(folder: Path, count: int) -> None:
    """A workspace with so many drafts."""
    create(folder, "ada")
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    rows = []
    for n in range(count):
        name = "school-health-" + "".join(digits[n >> 5 * place & 31] for place in range(5, -1, -1))
        case = Case(
            id=name, turns=(f"What does rule {n} say?",), domain=f"domain-{n % 7}", tags=(f"tag-{n % 40}",), risk="low"
        )
        rows.append((n + 1, draft_line(case.model_copy(update={"reference_answer": f"It says {n}."}))))
    with Workspace(folder, "ada") as space:
        report = import_cases(space.context, rows)
    assert report.new == count, report.rejected[:1]


async def measure(folder: Path, keys: int) -> tuple[float, float]:
    """Milliseconds of CPU a key: typed into the answer, and idle for the same time."""
    with Workspace(folder, "ada") as space:
        case_id = cases.page_of(space.context, limit=1)[0].id
        app = CuratorApp(space)
        async with app.run_test(size=(120, 40)) as pilot:
            while app.ctx is None:
                await pilot.pause(0.05)
            app.open_case(case_id, lambda: app.action_mode("case"))
            while app.desk.case is None or not app.screen.query("#f-reference-answer"):
                await pilot.pause(0.05)
            await pilot.pause(1.0)
            app.screen.set_focus(app.screen.query_one("#f-reference-answer"))
            await pilot.pause(1.0)
            began = time.process_time()
            await asyncio.sleep(keys * PAUSE)
            idle = time.process_time() - began
            began = time.process_time()
            for n in range(keys):
                character = TEXT[n % len(TEXT)]
                app.post_message(events.Key("space" if character == " " else character, character))
                await asyncio.sleep(PAUSE)
            await asyncio.sleep(1.0)
            busy = time.process_time() - began
            assert app.desk.case.reference_answer.endswith(TEXT[: (keys - 1) % len(TEXT) + 1])
    return busy * 1000 / keys, idle * 1000 / keys


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--keys", type=int, default=200)
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "space"
        fill(folder, given.cases)
        busy, idle = asyncio.run(measure(folder, given.keys))
    net = busy - idle
    print(f"typing, {given.cases} cases: {net:.1f} ms CPU a key (idle: {idle:.1f} more), target {TARGET:.0f}")
    return 0 if net <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
