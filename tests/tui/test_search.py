"""Search in all documents: as one types, there and back, by words and by meaning."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.matching import embedding
from curator.services.ingest import Facts, ingest
from curator.tui.screens.search import SearchScreen
from curator.tui.widgets.safe import SafeInput
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import app_of, opened, press, screen, table_pdf, until


@pytest.fixture(autouse=True)
def by_words_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """The model takes seven seconds to load; one test waits for it."""
    monkeypatch.setattr(SearchScreen, "IDLE", 10_000.0)


@pytest.fixture
def two(root: Path, tmp_path: Path) -> Path:
    """A workspace with two documents."""
    with workspace.Workspace(root, "ana") as space:
        ingest(
            space.context, [table_pdf(tmp_path / "second.pdf", "Second rules", pages=8)], Facts(title="Second rules")
        )
    return root


@asynccontextmanager
async def searching(root: Path, words: str, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[int]]:
    async with opened(root, size=size) as pilot:
        await press(pilot, "question_mark")
        await until(pilot, lambda: "semantic:" in screen(pilot))
        await press(pilot, f"'{words}'")
        await until(pilot, lambda: " found" in screen(pilot))
        yield pilot


async def test_found_as_one_types_opened_and_back(two: Path) -> None:
    async with opened(two) as pilot:
        app = app_of(pilot)
        await press(pilot, "f2")
        await until(pilot, lambda: "Second rules" in screen(pilot))
        await press(pilot, "down", "enter")
        await until(pilot, lambda: "page 1 of 8" in screen(pilot))
        await press(pilot, "right_square_bracket", "question_mark", "'blis'")
        await until(pilot, lambda: "4 found" in screen(pilot))  # the word is unfinished
        shown = screen(pilot)
        assert "Second rules" in shown
        assert "Exclusion of pupils" in shown
        assert "▦" in shown
        await press(pilot, "down", "down", "enter")
        await until(pilot, lambda: ":varicella" in screen(pilot))
        source = app.screen.query_one(SourceView).source
        assert source is not None
        assert "blisters" in source.anchor.text
        await press(pilot, "escape")  # back to what was found ...
        await until(pilot, lambda: "4 found" in screen(pilot))
        await press(pilot, "escape")  # ... and to where one was
        await until(pilot, lambda: "page 2 of 8" in screen(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: app.current_mode == "sources")


async def test_words_that_match_are_lit(two: Path) -> None:
    async with searching(two, "crusted") as pilot:
        strips = pilot.app.screen._compositor.render_strips()
        lit = [s.text for strip in strips for s in strip if s.style and s.style.underline and s.text.strip()]
        assert "crusted" in lit


async def test_rows_only_and_nothing_found(two: Path) -> None:
    async with searching(two, "period") as pilot:
        both = screen(pilot)
        assert "rows and text" in both
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: "table rows" in screen(pilot) and " found" in screen(pilot))
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: "running text" in screen(pilot) and "▦" not in screen(pilot))
        await press(pilot, "'zzz qqq'")
        await pilot.pause(0.3)
        await press(pilot, *["backspace"] * 20, "'xyzzy'")
        await until(pilot, lambda: "nothing found" in screen(pilot))


async def test_what_is_being_searched_is_never_syntax(two: Path) -> None:
    async with searching(two, '"(AND* NEAR [/x] OR') as pilot:
        await until(pilot, lambda: "[/x]" in screen(pilot))
        assert app_of(pilot).is_running


async def test_status_says_why_meaning_is_off(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "LIBRARY", "no_such_library")  # as where the extra is not installed
    async with searching(two, "measles", (120, 30)) as pilot:
        assert "semantic: off (the semantic extra is not installed; pip install" in screen(pilot)


@pytest.mark.skipif(not embedding.available(), reason="the semantic extra is not installed")
async def test_meaning_puts_them_in_another_order_when_one_pauses(two: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(SearchScreen, "IDLE", 0.1)
    async with searching(two, "how long must a child with measles stay at home", (120, 30)) as pilot:
        found = pilot.app.screen
        assert isinstance(found, SearchScreen)
        await until(pilot, lambda: any(h.semantic for h in found._hits.hits), 60)
        await until(pilot, lambda: found._prepared, 60)
        assert "semantic: on" in screen(pilot)


async def test_words_of_the_last_search_are_replaced_by_typing_but_never_lost_under_a_dialog(two: Path) -> None:
    async with searching(two, "crusted") as pilot:
        line = pilot.app.screen.query_one("#query", SafeInput)
        await press(pilot, "ctrl+p")
        await until(pilot, lambda: len(pilot.app.screen_stack) > 1)
        await press(pilot, "escape")
        await until(pilot, lambda: len(pilot.app.screen_stack) == 1)
        await press(pilot, "x")
        assert line.value == "crustedx"
        await press(pilot, "backspace")
        await until(pilot, lambda: "4 found" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "reader" and ":varicella" in screen(pilot))
        await press(pilot, "question_mark")
        await until(pilot, lambda: app_of(pilot).current_mode == "search")
        assert line.value == "crusted"
        await press(pilot, "m", "u")
        assert line.value == "mu"
        await until(pilot, lambda: ":mumps" in screen(pilot) or "Mumps" in screen(pilot))


async def test_what_was_searched_for_is_offered_as_the_question_of_a_new_case(two: Path) -> None:
    async with searching(two, "how long with measles") as pilot:
        await press(pilot, "enter")
        await until(pilot, lambda: "no case: c" in screen(pilot))
        await press(pilot, "c")
        await until(pilot, lambda: "how long with measles (Tab)" in screen(pilot))
        await press(pilot, "tab", "question_mark", "enter")
        await until(pilot, lambda: app_of(pilot).desk.case is not None)
        case = app_of(pilot).desk.case
        assert case is not None
        assert case.turns == ("how long with measles?",)
