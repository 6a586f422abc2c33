"""The pictures of the README: the app on the sample workspace, as SVG.

    python docs/make_pictures.py [FOLDER]

Makes the sample workspace in a temporary folder, drives the app by keys, and writes docs/pictures/*.svg (or FOLDER).
"""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.pilot import Pilot

from curator.cli import demonstration
from curator.progress import Silent
from curator.tui.app import CuratorApp
from curator.workspace import Workspace

SIZE = (110, 34)
PATIENCE = 30.0


async def until(pilot: Pilot[Any], ready: Callable[[], bool]) -> None:
    """Wait until the screen shows what it must; the picture is taken then."""
    for _ in range(int(PATIENCE / 0.05)):
        await pilot.pause(0.05)
        if ready():
            await pilot.pause(0.3)
            return
    screen = "\n".join(s.text for s in pilot.app.screen._compositor.render_strips())
    raise SystemExit(f"the app did not come to the screen that was asked for, but to\n{screen}")


def shown(pilot: Pilot[Any], words: str) -> Callable[[], bool]:
    """Whether words stand on the screen."""
    return lambda: words in "\n".join(s.text for s in pilot.app.screen._compositor.render_strips())


def write(pilot: Pilot[Any], folder: Path, name: str) -> None:
    """Write what the app shows now."""
    svg = pilot.app.export_screenshot(title=f"curator · {name}")
    (folder / f"{name}.svg").write_text(svg, "utf-8")


async def draw(workspace: Workspace, folder: Path) -> None:
    """Home, reader with a row made evidence, case form, suites and coverage."""
    app = CuratorApp(workspace)
    async with app.run_test(size=SIZE) as pilot:
        await until(pilot, shown(pilot, "School Health Guideline"))
        write(pilot, folder, "home")
        await pilot.press("f5")
        await until(pilot, shown(pilot, "chickenpox"))
        await pilot.press("slash", *"chickenpox")
        await pilot.press("enter")
        await pilot.pause(0.5)
        await pilot.press("enter")
        await until(pilot, shown(pilot, "by nurse-ada"))
        write(pilot, folder, "case")
        await pilot.press("f2")
        await until(pilot, shown(pilot, "School Health Guide"))
        await pilot.press("end", "enter")
        await until(pilot, shown(pilot, "page 1 of 40"))
        await pilot.press("slash", *"crusted")
        await pilot.press("enter")
        await until(pilot, shown(pilot, "page 10 of 40"))
        write(pilot, folder, "reader")
        await pilot.press("f8")
        await until(pilot, shown(pilot, "regulated"))
        write(pilot, folder, "suites")
        await pilot.press("f7")
        await until(pilot, shown(pilot, "below its quota"))
        await pilot.pause(0.5)
        write(pilot, folder, "coverage")


def main() -> None:
    """Make the workspace and the pictures."""
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).parent / "pictures")
    folder.mkdir(parents=True, exist_ok=True)
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as place:
        demonstration.make(Path(place) / "demo", Silent(), lambda _: None)
        with Workspace(Path(place) / "demo", demonstration.LEAD) as workspace:
            asyncio.run(draw(workspace, folder))


if __name__ == "__main__":
    main()
