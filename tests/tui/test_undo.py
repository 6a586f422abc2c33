"""Ctrl+Z and Ctrl+Y, and the history of a case."""

from __future__ import annotations

from pathlib import Path

from curator import workspace
from curator.services import cases
from tests.tui.conftest import (
    app_of,
    complete_case,
    open_case,
    opened,
    press,
    record_of,
    row_id,
    saved_by_another,
    screen,
    stored,
    until,
)


async def test_unsaved_changes_are_taken_back_first_then_the_decision(root: Path) -> None:
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        await press(pilot, "k", "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
        await press(pilot, "k")
        assert app.desk.case is not None
        assert app.desk.case.risk == "critical"
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "taken back: risk" in screen(pilot))
        assert app.desk.case.risk == "high"
        assert record_of(root, name).case.risk == "high"
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.risk == "medium")
        await until(pilot, lambda: f"taken back: {name}" in screen(pilot))
        assert "[medium]" in screen(pilot)
        assert record_of(root, name).case.risk == "medium"
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.risk == "high")
    assert record_of(root, name).case.risk == "high"


async def test_inside_a_field_typing_is_undone(root: Path) -> None:
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        app.screen.set_focus(app.screen.query_one("#f-consequence"))
        await press(pilot, "'an outbreak'", "ctrl+z")
        await pilot.pause(0.2)
        assert app.desk.case is not None
        assert app.desk.case.consequence != "an outbreak"
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.consequence == "an outbreak")
    assert record_of(root, name).version == 1


async def test_an_undo_that_others_depend_on_is_refused_by_name(root: Path) -> None:
    name = stored(root)
    saved_by_another(root, name, notes="by ben")
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: "varicella stay a" in screen(pilot))
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "ben edited" in screen(pilot))
    assert record_of(root, name).status == "draft"


async def test_history_shows_old_beside_new(root: Path) -> None:
    name = stored(root)
    saved_by_another(root, name, reference_answer="Until the last blister has crusted [/x].")
    async with opened(root) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: "varicella stay a" in screen(pilot))
        await press(pilot, "h")
        await until(pilot, lambda: "history of" in screen(pilot) and "Until the last" in screen(pilot))
        shown = screen(pilot)
        assert "blister has crusted [/x]." in shown.replace("\n", " ") or "[/x]" in shown
        assert "Until all blisters" in shown
        assert "ben" in shown
        assert "edited" in shown


async def test_marks_can_be_taken_back_before_they_are_saved(root: Path) -> None:
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        app.screen.set_focus(app.screen.query_one("#f-evidence"))
        await press(pilot, "d")
        await until(pilot, lambda: app.desk.case is not None and not app.desk.case.evidence)
        await press(pilot, "escape", "ctrl+z")
        await until(pilot, lambda: app.desk.case is not None and len(app.desk.case.evidence) == 1)
        assert app.desk.sheet is not None
        assert not app.desk.sheet.dirty
    assert record_of(root, name).version == 1


async def test_undo_of_a_new_case_retires_it_and_shows_that(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        case = cases.with_evidence(space.context, complete_case(space.context), row_id(space.context, "measles"))
        name = cases.new(space.context, case).case.id
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "✗ retired" in screen(pilot))
    assert record_of(root, name).status == "retired"
