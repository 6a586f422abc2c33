"""Typed text outlives a crash: it is a draft row within two seconds, and the next start offers it."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from curator import workspace
from curator.services import cases, drafts
from curator.store import drafts as rows
from curator.store.drafts import Draft
from curator.tui.app import CuratorApp
from curator.tui.screens.drafts import DraftsScreen
from tests.services.test_rescue import as_of_an_app_that_is_gone
from tests.tui.conftest import app_of, open_case, opened, press, record_of, saved_by_another, screen, stored, until


def waiting(root: Path, actor: str = "ana") -> list[Draft]:
    with workspace.Workspace(root, actor) as space:
        return drafts.waiting(space.context)


async def test_what_is_typed_into_a_new_case_is_a_draft_and_is_offered_again(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'What about lice?'")
        began = time.monotonic()
        await until(pilot, lambda: "draft kept" in screen(pilot))
        assert time.monotonic() - began < 2.5
        assert [d.case.question for d in waiting(root)] == ["What about lice?"]
        await press(pilot, "escape", "n", "f1")  # another one is begun: this one is in no list
        await until(pilot, lambda: "text was typed and not saved" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.current_mode == "case" and "What about lice?" in screen(pilot))
    async with opened(root) as pilot:  # the first app ended without a word, as a killed one does
        await until(pilot, lambda: "typed, but never saved" in screen(pilot))
        assert "What about lice?" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: "● unsaved" in screen(pilot))
        assert "What about lice?" in screen(pilot)
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
    assert waiting(root) == []
    with workspace.Workspace(root, "ana") as space:
        assert [c.question for c in cases.page_of(space.context)] == ["What about lice?"]


async def test_a_stale_draft_goes_through_both_versions(root: Path) -> None:
    name = stored(root)
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "enter", "' Typed by ana.'")
        await until(pilot, lambda: "draft kept" in screen(pilot))
        await press(pilot, "' More.'")
        app_of(pilot).keep_now()  # as when it is told to end: the file goes over the draft
    as_of_an_app_that_is_gone(next((root / ".curator" / "rescue").glob("typed-*.json")))
    saved_by_another(root, name, notes="noted by ben")
    async with opened(root) as pilot:
        await until(pilot, lambda: "was saved by someone since" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "● unsaved" in screen(pilot))
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "only you changed it" in screen(pilot))
        assert "only they changed it" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
    case = record_of(root, name).case
    assert case.turns[0].endswith(" Typed by ana. More.")
    assert case.notes == "noted by ben"
    assert waiting(root) == []


async def test_a_draft_is_let_go_once_that_is_confirmed(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'Never mind?'")
        await until(pilot, lambda: "draft kept" in screen(pilot))
    async with opened(root) as pilot:
        await until(pilot, lambda: "typed, but never saved" in screen(pilot))
        await press(pilot, "d")
        await until(pilot, lambda: "let the draft of" in screen(pilot))
        await press(pilot, "escape")
        assert len(waiting(root)) == 1
        await press(pilot, "d", "y")
        await until(pilot, lambda: not isinstance(pilot.app.screen, DraftsScreen))
    assert waiting(root) == []


async def test_quitting_keeps_what_was_typed(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'Kept on leaving?'", "ctrl+q")
        await until(pilot, lambda: "quit without saving?" in screen(pilot))
        await press(pilot, "y")
        await pilot.pause(0.3)
    assert [d.case.question for d in waiting(root)] == ["Kept on leaving?"]


async def test_text_typed_back_to_what_is_stored_leaves_no_draft(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'ab'")
        await until(pilot, lambda: "draft kept" in screen(pilot))
        await press(pilot, "backspace", "backspace")
        await until(pilot, lambda: not waiting(root))


async def test_a_busy_database_is_said_and_the_text_is_kept_when_it_is_free(root: Path) -> None:
    async with opened(root) as pilot:
        ctx = app_of(pilot).ctx
        assert ctx is not None
        with workspace.Workspace(root, "ben") as space, space.context.write() as tx:
            rows.drop(tx, "none")  # takes the lock
            await press(pilot, "f5", "n", "'Typed meanwhile'")
            await until(pilot, lambda: "the database is busy" in screen(pilot))
            assert "Typed meanwhile" in screen(pilot)
            await press(pilot, "' and on'")  # a file holds that too, though the write is still under way
            rescued = root / ".curator" / "rescue"
            await until(pilot, lambda: any("Typed meanwhile and on" in p.read_text() for p in rescued.glob("t*.json")))
        await until(pilot, lambda: "draft kept" in screen(pilot))
    assert [d.case.question for d in waiting(root)] == ["Typed meanwhile and on"]


async def test_a_role_that_may_not_write_is_told_once(root: Path) -> None:
    async with opened(root, "eve", errors=True) as pilot:
        await press(pilot, "f5", "n", "'By an engineer'")
        await until(pilot, lambda: "! not kept" in screen(pilot))
        await press(pilot, "'more'")
        await pilot.pause(2.0)
        assert len(app_of(pilot).errors) == 1


async def test_while_the_database_is_gone_the_text_is_in_a_file_and_then_a_draft(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    database, away = root / ".curator" / "curator.db", root / ".curator" / "away"
    rescued = root / ".curator" / "rescue"
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f5", "n", "'First'")
        await until(pilot, lambda: "draft kept" in screen(pilot))
        database.rename(away)
        await press(pilot, "' then more'")
        await until(pilot, lambda: "kept in a file" in screen(pilot))
        (file,) = rescued.glob("typed-*.json")
        assert "First then more" in file.read_text("utf-8")
        assert any("not there any more" in e.said for e in app_of(pilot).errors)
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "! not saved" in screen(pilot))
        away.rename(database)
        await until(pilot, lambda: not any(rescued.iterdir()))
        assert [d.case.question for d in waiting(root)] == ["First then more"]
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))


async def test_a_workspace_that_cannot_be_opened_is_opened_when_it_can_be(root: Path) -> None:
    hidden = root / ".curator"
    (hidden / "curator.db").rename(hidden / "away")
    app = CuratorApp(workspace.Workspace(root, "ana"))
    try:
        async with app.run_test(size=(80, 24)) as pilot:
            await until(pilot, lambda: "! not opened" in screen(pilot))
            (hidden / "away").rename(hidden / "curator.db")
            await until(pilot, lambda: "(lead)" in screen(pilot))
            assert len(app.errors) == 1
    finally:
        app.workspace.close()
