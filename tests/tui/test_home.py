"""Home: the tour and first steps, then what needs me."""

from __future__ import annotations

from pathlib import Path

from textual import events

from curator import workspace
from curator.domain.case import Case
from curator.services import cases, review
from tests.tui.conftest import app_of, complete_case, opened, press, screen, until


async def test_an_empty_workspace_shows_the_first_steps(tmp_path: Path) -> None:
    root = workspace.create(tmp_path / "empty", "ana")
    async with opened(root) as pilot:
        await until(pilot, lambda: "Nothing is here yet" in screen(pilot))
        app = app_of(pilot)
        for character in "nNo knowlx?":  # at once: the form comes up for the first time meanwhile
            app.post_message(events.Key("space" if character == " " else character, character))
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.question == "No knowlx?")
        await press(pilot, "escape", "f1", "i")
        await until(pilot, lambda: "PDF file" in screen(pilot))


async def test_what_needs_me_is_counted_and_one_key_away(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        back = cases.new(ctx, complete_case(ctx, turns=("It came back?",))).case.id
        cases.submit(ctx, [back])
        cases.submit(ctx, [cases.new(ctx, complete_case(ctx)).case.id])
        cases.new(ctx, Case(turns=("A draft?",)))
    with workspace.Workspace(root, "ben") as space:
        review.request_changes(space.context, back, "why")
    async with opened(root) as pilot:
        await until(pilot, lambda: "health lacks all cases: has 0, needs 1" in screen(pilot))
        lines = [line for line in screen(pilot).splitlines() if line.startswith("│ ")]
        assert "1  ↩    1 of my cases came back" in lines[0]
        assert "2  ·    1 of my cases is a draft" in lines[1]
        assert "a review that I can give" not in screen(pilot)  # ana wrote the one that waits
        assert "Exclusion of pupils" in screen(pilot)
        await press(pilot, "2")
        await until(pilot, lambda: "A draft?" in screen(pilot))
        assert "came back?" not in screen(pilot)
        await press(pilot, "f1", "3")
        await until(pilot, lambda: "all cases: has 0, needs 1" in screen(pilot) and "[2 gaps 1]" in screen(pilot))
    async with opened(root, "ben") as pilot:
        await until(pilot, lambda: "→    1 case waits for a review that I can give" in screen(pilot))
        assert "drafts" not in screen(pilot)
        app_of(pilot).list_error("read x.pdf", "page 3: no text")
        await press(pilot, "f2", "f1")
        await until(pilot, lambda: "1 thing went wrong" in screen(pilot))
        app_of(pilot).errors.clear()
