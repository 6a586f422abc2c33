"""Typing into the case form with live checks, drafts and suggestions on, in a large workspace: CPU a key.

    python -m benchmarks.typing [--cases 5000] [--sources 100000] [--keys 200] [--skip-semantic]

The app runs without a terminal at 120x40 (form, beside it the evidence or the suggestions). Keys come 20 a second, with
a pause of a second after each 25, so that checks, drafts and searches run between them as they do for a person; CPU
time of the whole process, its threads included, less that of the same time without keys. Measured are the answer, with
the suggestions in sight, and the question, for which they are looked for anew at every pause. Target: 15 ms.

Last, the question again until the language model has been loaded in the background: CPU time of the thread that takes
the keys (the same target), and the most CPU that went by before it could take one (libraries that are being loaded hold
the interpreter's lock).
"""

from __future__ import annotations

import argparse
import asyncio
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from textual import events
from textual.pilot import Pilot

from benchmarks.search import made_up, store
from curator.domain.case import Case
from curator.exporting.line import draft_line
from curator.matching import embedding
from curator.services import cases
from curator.services.importing import import_cases
from curator.services.search import search
from curator.tui.app import CuratorApp
from curator.tui.screens.suggesting import Suggesting
from curator.tui.widgets.suggestions import SuggestionList
from curator.workspace import Workspace, create

TARGET = 15.0
PAUSE = 0.05
STRETCH = 25
REST = 1.0
NEVER = 100_000.0
ANSWER = "Until all lesions have crusted, at least five days after the rash began. "


def fill(folder: Path, count: int, sources: int) -> str:
    """A workspace with so many drafts and sources, searched once; some words of the sources."""
    create(folder, "ada")
    digits = "0123456789abcdefghjkmnpqrstvwxyz"
    rows = []
    texts, queries = made_up(sources)
    for n in range(count):
        name = "school-health-" + "".join(digits[n >> 5 * place & 31] for place in range(5, -1, -1))
        case = Case(
            id=name, turns=(f"What does rule {n} say?",), domain=f"domain-{n % 7}", tags=(f"tag-{n % 40}",), risk="low"
        )
        rows.append((n + 1, draft_line(case.model_copy(update={"reference_answer": f"It says {n}."}))))
    with Workspace(folder, "ada") as space:
        report = import_cases(space.context, rows)
        store(space.context, texts)
        search(space.context, queries[0], semantic=False)  # the index is built
    assert report.new == count, report.rejected[:1]
    return " ".join(" ".join(q.split()[3:]) for q in queries[:20]) + " "


class Blocked:
    """CPU seconds that went by at most while the event loop wanted to do something; a context manager."""

    longest = 0.0

    async def __aenter__(self) -> Blocked:
        self._task = asyncio.create_task(self._beat())
        return self

    async def __aexit__(self, *exception: object) -> None:
        self._task.cancel()

    async def _beat(self) -> None:
        while True:
            before = time.process_time()
            await asyncio.sleep(0.01)
            self.longest = max(self.longest, time.process_time() - before - 0.01)


async def typed(app: CuratorApp, text: str, keys: int) -> None:
    """So many keys, with rests; text over and over."""
    for n in range(keys):
        character = text[n % len(text)]
        app.post_message(events.Key("space" if character == " " else character, character))
        await asyncio.sleep(REST if n % STRETCH == STRETCH - 1 else PAUSE)


async def idle(keys: int) -> None:
    """The same time without keys."""
    await asyncio.sleep(sum(REST if n % STRETCH == STRETCH - 1 else PAUSE for n in range(keys)))


async def cost(app: CuratorApp, text: str, keys: int, clock: Callable[[], float]) -> tuple[float, float]:
    """Milliseconds of CPU a key by a clock: net of what the same time costs without keys, and that."""
    began = clock()
    await idle(keys)
    rest = clock() - began
    began = clock()
    await typed(app, text, keys)
    return (clock() - began - rest) * 1000 / keys, rest * 1000 / keys


async def into(pilot: Pilot[int], field: str) -> None:
    """The focus into a field of the form."""
    pilot.app.screen.set_focus(pilot.app.screen.query_one(field))
    await pilot.pause(1.0)


async def measure(folder: Path, words: str, keys: int, semantic: bool) -> list[float]:
    """Print what a key costs, each in its way; the figures that have the target."""
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
            Suggesting.IDLE = NEVER
            await pilot.press("s")
            hits = app.screen.query_one(SuggestionList)
            while not hits.hits:
                await pilot.pause(0.05)
            found = []
            for name, field, text in (("answer", "#f-reference-answer", ANSWER), ("question", "TurnBox", words)):
                await into(pilot, field)
                net, rest = await cost(app, text, keys, time.process_time)
                found.append(net)
                print(f"  {name:9s} {net:6.1f} ms CPU a key (idle: {rest:.1f} more)  {len(hits.hits)} suggested")
            assert app.desk.case.reference_answer.endswith(ANSWER[: (keys - 1) % len(ANSWER) + 1])
            if semantic:
                Suggesting.IDLE = 0.1
                taken, began = 0, time.thread_time()
                async with Blocked() as blocked:
                    while not embedding.loaded():
                        await typed(app, words, STRETCH)
                        taken += STRETCH
                each = (time.thread_time() - began) * 1000 / taken
                found.append(each)
                print(f"  question  {each:6.1f} ms CPU a key in the thread that takes keys, {taken} while the model "
                      f"was loaded; {blocked.longest * 1000:.0f} ms CPU at most before one was taken")  # fmt: skip
            app.exit()
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=5000)
    parser.add_argument("--sources", type=int, default=100_000)
    parser.add_argument("--keys", type=int, default=200)
    parser.add_argument("--skip-semantic", action="store_true", help="do not load the language model")
    given = parser.parse_args()
    semantic = embedding.available() and not given.skip_semantic
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name:
        folder = Path(name) / "space"
        words = fill(folder, given.cases, given.sources)
        print(f"typing, {given.cases} cases, {given.sources} sources; target {TARGET:.0f} ms")
        found = asyncio.run(measure(folder, words, given.keys, semantic))
    return 0 if max(found) <= TARGET else 1


if __name__ == "__main__":
    sys.exit(main())
