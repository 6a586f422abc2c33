"""Home: first steps, then what needs me."""

from __future__ import annotations

from pathlib import Path

from curator import workspace
from curator.domain.case import Case
from curator.services import cases
from tests.tui.conftest import complete_case, opened, press, screen, until


async def test_an_empty_workspace_shows_the_first_steps(tmp_path: Path) -> None:
    root = workspace.create(tmp_path / "empty", "ana")
    async with opened(root) as pilot:
        await until(pilot, lambda: "Nothing is here yet" in screen(pilot))
        await press(pilot, "i")
        await until(pilot, lambda: "PDF file" in screen(pilot))


async def test_what_needs_me_is_counted_and_one_key_away(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        done = cases.new(ctx, complete_case(ctx)).case.id
        cases.submit(ctx, [done])
        cases.new(ctx, Case(turns=("A draft?",)))
    async with opened(root) as pilot:
        await until(pilot, lambda: "1 → cases wait for a review" in screen(pilot))
        assert "1 · drafts, 1 of them mine" in screen(pilot)
        assert "health lacks all cases: has 0, needs 1" in screen(pilot)
        assert "Exclusion of pupils" in screen(pilot)
        await press(pilot, "down", "enter")
        await until(pilot, lambda: "A draft?" in screen(pilot))
        assert "varicella" not in screen(pilot)
        await press(pilot, "f1", "down", "enter")
        await until(pilot, lambda: "not released yet" in screen(pilot))
