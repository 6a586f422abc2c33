"""The last line says what can be done next, and panes leave room for the text."""

from __future__ import annotations

from pathlib import Path

from textual.pilot import Pilot

from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import open_case, opened, press, screen, stored, until


def last_line(pilot: Pilot[int]) -> str:
    return screen(pilot).splitlines()[-1]


async def read(pilot: Pilot[int]) -> None:
    await press(pilot, "f2")
    await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))
    await press(pilot, "enter")
    await until(pilot, lambda: pilot.app.screen.query_one(SourceView).source is not None)


async def test_what_is_next_in_a_form_is_said(root: Path) -> None:
    stored(root)
    async with opened(root, size=(120, 30)) as pilot:
        await open_case(pilot)
        await until(pilot, lambda: "b behavior k risk" in last_line(pilot))
        assert "esc back" not in last_line(pilot)
        assert "save" not in last_line(pilot)
        await press(pilot, "enter", "x")
        await until(pilot, lambda: "esc back ^b behavior" in last_line(pilot))
        await until(pilot, lambda: "^s save" in last_line(pilot))
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "save" not in last_line(pilot))


async def test_the_next_match_is_offered_when_there_is_one(root: Path) -> None:
    async with opened(root, size=(120, 30)) as pilot:
        await read(pilot)
        assert "next match" not in last_line(pilot)
        assert "c new case" in last_line(pilot)
        await press(pilot, "slash", *"crusted", "enter")
        await until(pilot, lambda: "n next match" in last_line(pilot))
        await press(pilot, "e")
        await until(pilot, lambda: "f fill in" in last_line(pilot) and "new case" not in last_line(pilot))


async def test_on_a_narrow_screen_one_pane_gives_way_to_the_other(root: Path) -> None:
    async with opened(root) as pilot:
        await read(pilot)
        await press(pilot, "s")
        await until(pilot, lambda: bool(pilot.app.screen.query_one("#sections").display))
        await press(pilot, "i")
        await until(pilot, lambda: bool(pilot.app.screen.query_one("#marks").display))
        assert not pilot.app.screen.query_one("#sections").display
        assert pilot.app.screen.query_one(SourceView).size.width > 40
