"""The shell: painted before the database, and still there after an error."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest
from textual import events
from textual.message import Message

from curator import workspace
from curator.domain.case import Case
from curator.services import cases
from curator.tui.app import CuratorApp
from tests.tui.conftest import app_of, opened, press, screen, until


def test_the_app_is_imported_without_the_database() -> None:
    code = (
        "import sys, curator.tui.app; print(sorted({m.split('.')[0] for m in sys.modules}"
        " & {'sqlmodel', 'sqlalchemy', 'pypdf', 'pypdfium2', 'torch', 'rensa'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_the_shell_is_painted_before_the_database_is_opened(root: Path) -> None:
    app = CuratorApp(workspace.Workspace(root, "ana"))
    painted: list[bool] = []
    open_now = app._open

    def look_first() -> None:
        strips = app.screen._compositor.render_strips()
        painted.append("what needs me" in "".join(segment.text for strip in strips for segment in strip))
        open_now()

    app._open = look_first  # type: ignore[method-assign]
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: app.ctx is not None)
    app.workspace.close()
    assert painted == [True]


async def test_every_place_is_reached_by_key(root: Path) -> None:
    async with opened(root) as pilot:
        for key, name in (("f2", "Sources"), ("f3", "Reader"), ("f5", "Case"), ("f8", "Suites"), ("f1", "Home")):
            await press(pilot, key)
            await until(pilot, lambda name=name: name in screen(pilot).splitlines()[0])
        await press(pilot, "g")
        await until(pilot, lambda: "go to" in screen(pilot))
        await press(pilot, "8")
        await until(pilot, lambda: "Suites" in screen(pilot).splitlines()[0])
        await press(pilot, "f10")
        await until(pilot, lambda: "verify a version" in screen(pilot))


async def test_the_palette_finds_actions_and_documents(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "ctrl+p", "'pupils'")
        await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: "This guideline says" in screen(pilot))
        await press(pilot, "ctrl+p", "'Theme: d'")
        await until(pilot, lambda: "Theme: dark or light" in screen(pilot))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: pilot.app.theme == "curator-light")


async def test_a_bug_is_one_line_and_the_app_goes_on(root: Path) -> None:
    class Boom(Message):
        pass

    async with opened(root, errors=True) as pilot:
        app = app_of(pilot)
        secret = "s3cret [/x]"

        def work() -> None:
            raise ValueError(f"bad thing {len(secret)}")

        app.screen.ask(lambda _ctx: work(), doing="test [/x]")  # type: ignore[attr-defined]
        await until(pilot, lambda: len(app.errors) == 1)
        assert app.errors[0][:2] == ("test [/x]", "ValueError: bad thing 11 (a bug: details in .curator/log)")
        assert "could not test [/x]" in screen(pilot)
        app.screen.case_changed = lambda _origin: 1 / 0  # type: ignore[attr-defined]
        app.case_signal.publish("form")
        await press(pilot, "f2")
        await until(pilot, lambda: "exclusion " in screen(pilot))
    log = (root / ".curator" / "log" / "curator.log").read_text("utf-8")
    assert re.search(r"ValueError at test_shell\.py:\d+ work", log)
    assert secret not in log


async def test_keys_that_wait_when_the_app_ends_are_dropped(root: Path) -> None:
    async with opened(root) as pilot:
        app = app_of(pilot)
        for key in ("ctrl+q", "f2", "f5", "n", "slash", "f8", "f1"):
            app.post_message(events.Key(key, None))
        await until(pilot, lambda: not app.is_running or app._exit)
        app.post_message(events.Key("f2", None))
    assert app.return_code == 0
    async with opened(root) as pilot:
        app = app_of(pilot)
        for key in ("f2", "f5", "n", "slash", "f8", "f1") * 5:  # the terminal is gone while they wait
            app.post_message(events.Key(key, None))
    await app.on_event(events.Key("f2", None))
    assert app._exception is None
    log = root / ".curator" / "log" / "curator.log"
    assert not log.exists(), log.read_text("utf-8")


async def test_a_workspace_that_cannot_be_opened_says_why(root: Path) -> None:
    (root / "curator.toml").write_text("[nonsense]\n", "utf-8")
    app = CuratorApp(workspace.Workspace(root, "ana"))
    async with app.run_test(size=(80, 24)) as pilot:
        await until(pilot, lambda: bool(app.errors))
        await until(pilot, lambda: "not opened" in screen(pilot))
        assert "nonsense: no such key" in app.errors[0][1]
        await press(pilot, "f5", "f2", "f8", "f1", "n")
    assert len(app.errors) == 1


async def test_nobody_named_may_look_and_is_told(root: Path) -> None:
    async with opened(root, "zoe", errors=True) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: "exclusion " in screen(pilot))
        assert "zoe (may not write)" in screen(pilot)
        await press(pilot, "f5", "n", "'q'", "ctrl+s")
        await until(pilot, lambda: "! not saved" in screen(pilot))
        assert "zoe is not listed under [people]" in app_of(pilot).errors[-1][1]


async def test_without_color_states_are_told_by_glyph_and_word(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'q'")
        await until(pilot, lambda: "[answer] refuse" in screen(pilot))
        for strip in pilot.app.screen._compositor.render_strips():
            for segment in strip.apply_filter(pilot.app._filters[-1], pilot.app.screen.background_colors[1]):
                assert not (segment.style and (segment.style.color or segment.style.bgcolor))


async def test_the_mouse_chooses_too(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        cases.new(space.context, Case(turns=("Is it clicked?",)))
    async with opened(root) as pilot:
        await until(pilot, lambda: "Is it clicked?" in screen(pilot) and "health lacks" in screen(pilot))
        lines = screen(pilot).splitlines()
        await pilot.click(
            offset=(20, next(n for n, line in enumerate(lines) if "of my cases is a draft" in line)), times=2
        )
        await until(pilot, lambda: app_of(pilot).current_mode == "case" and "Is it clicked?" in screen(pilot))
        await pilot.click(offset=(screen(pilot).splitlines()[0].index(" 2 ") + 1, 0))
        await until(pilot, lambda: app_of(pilot).current_mode == "sources" and "Exclusion" in screen(pilot))
        await pilot.click(offset=(5, 2), times=2)
        await until(pilot, lambda: "This guideline says" in screen(pilot))
