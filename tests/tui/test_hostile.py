"""Text that would be obeyed elsewhere is shown, on every screen."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len

from curator import workspace
from curator.domain.case import Case, KeyProvision
from curator.domain.document import Anchor, Source
from curator.services import cases
from curator.services.ingest import Facts, ingest
from curator.services.search import Hit
from curator.tui.casework import CHECK_WAIT
from curator.tui.widgets.source_hits import SourceHits
from curator.tui.widgets.source_view import SourceView
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


ZALGO = "Z" + "\u0301\u0327\u0338" * 40 + "algo"
FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467\u200d\U0001f466"
TEXTS = (
    EVIL,
    "W" * 10_000,
    ZALGO,
    FAMILY * 30,
    "수두에 걸린 학생은 " * 20,
    "الطالب المريض يبقى في البيت " * 10,
    "a\x00b\x7f\x85c",
)


def hostile_sources(first: int, last: int) -> list[Source]:
    """Chunks and rows that hold nothing else, in every field that is shown."""
    found = []
    for n, text in enumerate(TEXTS):
        for row in (False, True):
            at = Anchor(
                source_id=f"exclusion:{n}{row}", kind="row" if row else "chunk", ordinal=2 * n + row, page=1,
                page_end=1,
                page_label=text[:40], section_path=(text,), text=text, quote=text, text_hash="",
                table_id=f"t{n}" if row else "", table_title=text if row else "", section_row=text if row else "",
                table_header=(text, "b") if row else (), cells=(text, text, text) if row else (),
                footnotes=(text,) if row else (), key_cell=text if row else "",
            )  # fmt: skip
            found.append(Source(id=at.source_id, kind=at.kind, document_id="exclusion", anchor=at))
    return found


@pytest.mark.parametrize("size", [(80, 24), (124, 40)])
async def test_the_reader_shows_it_in_every_field(root: Path, size: tuple[int, int]) -> None:
    async with opened(root, size=size) as pilot:
        app = app_of(pilot)
        app.show_document("exclusion")
        await until(pilot, lambda: "This guideline" in screen(pilot))
        view = app.screen.query_one(SourceView)
        view.open(hostile_sources, 1)
        await until(pilot, lambda: view.source is not None and view.source.id == "exclusion:0False")
        seen = ""

        def clean() -> str:
            shown = screen(pilot)
            assert not [ch for ch in (*FORBIDDEN, "\x7f", "\x85") if ch in shown]
            assert all(cell_len(line) <= size[0] for line in shown.splitlines())
            return shown

        for _ in range(60):
            seen += clean()
            await press(pilot, "pagedown")
        assert "␛]52" in seen
        assert "WWWW" in seen
        assert "수두에" in seen
        await press(pilot, "end", "home", "v", *["right"] * 6, "ctrl+right", "v")
        clean()
        await press(pilot, "p")
        await until(pilot, lambda: "key provision" in screen(pilot))
        clean()
        await press(pilot, "escape", "escape", "slash", f"'{EVIL}'", "escape")
        clean()
        assert app.is_running


@pytest.mark.parametrize("size", [(80, 24), (124, 40)])
async def test_what_a_search_finds_is_shown_literally(hostile: Path, size: tuple[int, int]) -> None:
    async with opened(hostile, size=size) as pilot:
        app = app_of(pilot)
        await press(pilot, "question_mark", "'nobody 7 days'")
        await until(pilot, lambda: " found" in screen(pilot))
        assert "[@click=app.quit]" in screen(pilot)
        assert SEEN[:20] in screen(pilot)  # the title of the document
        await press(pilot, *["backspace"] * 20, f"'{EVIL} {ZALGO}{FAMILY}'")
        await pilot.pause(0.4)
        hits = app.screen.query_one(SourceHits)
        made = [
            Hit(source_id=f"s{n}", document_id=EVIL, kind="row", page=1, page_label=text[:40], section_path=(text,),
                text=text, score=1, lexical_rank=n + 1, marks=((0, 9),), snippet=(0, 160))
            for n, text in enumerate(TEXTS)
        ]  # fmt: skip
        hits.show_hits(made, {EVIL: EVIL})
        await pilot.pause()
        for _ in TEXTS:
            shown = screen(pilot)
            assert not [ch for ch in (*FORBIDDEN, "\x7f", "\x85") if ch in shown]
            assert all(cell_len(line) <= size[0] for line in shown.splitlines())
            await press(pilot, "down")
        assert app.is_running
