"""Text that would be obeyed elsewhere is shown, on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator import workspace
from curator.domain.case import Case, KeyProvision
from curator.services import cases
from curator.services.ingest import Facts, ingest
from curator.tui.casework import CHECK_WAIT
from tests.tui.conftest import app_of, opened, press, row_id, screen, table_pdf, until

EVIL = "[/x] [@click=app.quit]Q[/] \x1b]52;c;aGk=\x07\x9b31m\u202e수두"
SEEN = "[/x] [@click=app.quit]Q[/] ␛]52;c;aGk=␇�31m«수두"
FORBIDDEN = ("\x1b", "\x07", "\x9b", "\u202e", "\x00")


@pytest.fixture
def hostile(root: Path, tmp_path: Path) -> Path:
    """A workspace whose document, rows and case hold such text."""
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        ingest(ctx, [table_pdf(tmp_path / "[x] evil.pdf", pages=2)], Facts(title=EVIL, domain=EVIL[:20]))
        case = cases.with_evidence(ctx, Case(turns=(EVIL, "A" * 10_000)), row_id(ctx, "[/x]"))
        cases.new(
            ctx,
            case.model_copy(
                update={
                    "reference_answer": EVIL,
                    "notes": EVIL + "\n" + EVIL,
                    "route": EVIL,
                    "must_not_claim": (EVIL,),
                    "key_provisions": (KeyProvision(text=EVIL, accept=(EVIL,)),),
                }
            ),
        )
        cases.new(ctx, Case(turns=(EVIL,)))
    return root


@pytest.mark.parametrize("size", [(80, 24), (124, 40)])
async def test_every_screen_shows_it_literally(hostile: Path, size: tuple[int, int]) -> None:
    async with opened(hostile, size=size) as pilot:
        app = app_of(pilot)

        def clean() -> str:
            shown = screen(pilot)
            assert not [ch for ch in FORBIDDEN if ch in shown]
            return shown

        await until(pilot, lambda: "[/x] [@click" in screen(pilot))
        clean()
        await press(pilot, "f2")
        await until(pilot, lambda: "x-evil" in screen(pilot))
        assert "[/x]" in clean()
        await press(pilot, "down", "enter")
        await until(pilot, lambda: "This guideline" in screen(pilot))
        assert SEEN[:20] in clean()
        await press(pilot, "slash", "'[/x] [@c'")
        await until(pilot, lambda: "match" in screen(pilot))
        assert "[@click=app.quit]" in clean()
        await press(pilot, "enter", "p")
        await until(pilot, lambda: "key provision" in screen(pilot))
        clean()
        await press(pilot, "escape", "f5")
        await until(pilot, lambda: "AAAA" in screen(pilot))
        await press(pilot, "end")
        await until(pilot, lambda: SEEN[:20] in screen(pilot))
        await press(pilot, "home", "enter")
        await until(pilot, lambda: app.desk.case is not None)
        await pilot.pause(CHECK_WAIT * 2)
        assert "[/x]" in clean()
        await press(pilot, *["tab"] * 4)
        assert SEEN in clean().replace("\n", "") or "␛]52" in clean()
        await press(pilot, "escape", "h")
        await until(pilot, lambda: "history" in screen(pilot))
        clean()
        await press(pilot, "escape", "ctrl+n", "'more'", "ctrl+q")
        await until(pilot, lambda: "quit without saving?" in screen(pilot))
        clean()
        await press(pilot, "escape")
        app.note_error(EVIL, RuntimeError(EVIL))
        await until(pilot, lambda: "could not [/x]" in screen(pilot))
        clean()
        await press(pilot, "f12")
        await until(pilot, lambda: "RuntimeError: [/x]" in screen(pilot))
        clean()
        app.errors.clear()
        await press(pilot, "escape", "ctrl+p", "'[/x'")
        await pilot.pause(0.5)
        clean()
        assert app.is_running
        stored = app.desk.case
        assert stored is not None
        assert stored.reference_answer == EVIL


async def test_loading_a_case_changes_nothing_of_it(hostile: Path) -> None:
    async with opened(hostile) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5")
        await until(pilot, lambda: "AAAA" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app.desk.case is not None)
        await pilot.pause(0.3)
        assert app.desk.sheet is not None
        assert not app.desk.sheet.dirty
