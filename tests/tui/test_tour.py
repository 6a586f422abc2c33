"""The tour comes by itself once, in an empty workspace."""

from __future__ import annotations

from pathlib import Path

from curator import workspace
from tests.tui.conftest import app_of, opened, press, screen, until


async def test_six_steps_each_beside_its_screen_and_never_again(tmp_path: Path) -> None:
    root = workspace.create(tmp_path / "empty", "ana")
    async with opened(root) as pilot:
        for number, mode in enumerate(("home", "sources", "reader", "case", "case", "suites"), 1):
            await until(pilot, lambda number=number: f"{number} of 6" in screen(pilot))
            assert app_of(pilot).current_mode == mode
            await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "home" and "of 6" not in screen(pilot))
    async with opened(root) as pilot:
        await until(pilot, lambda: "Nothing is here yet" in screen(pilot))
        await pilot.pause(0.3)
        assert "of 6" not in screen(pilot)
        await press(pilot, "ctrl+p", "'Take the tour'")
        await until(pilot, lambda: "Take the tour" in screen(pilot))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: "1 of 6" in screen(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: "1 of 6" not in screen(pilot))


async def test_other_keys_go_on_acting_and_a_filled_workspace_has_no_tour(root: Path, tmp_path: Path) -> None:
    async with opened(root) as pilot:
        await until(pilot, lambda: "what needs me" in screen(pilot))
        await pilot.pause(0.3)
        assert "of 6" not in screen(pilot)
    async with opened(workspace.create(tmp_path / "empty", "ana")) as pilot:
        await until(pilot, lambda: "1 of 6" in screen(pilot))
        await press(pilot, "f2", "i")
        await until(pilot, lambda: "PDF file" in screen(pilot))
