"""Ingestion from the app: a bar, a stop, errors that stay readable."""

from __future__ import annotations

import time
from pathlib import Path

from curator import workspace
from curator.services import documents
from curator.services.outdated import outdated_ids
from curator.store import documents as stored
from curator.tui.progress import AppProgress, Snapshot
from tests.tui.conftest import app_of, opened, press, screen, table_pdf, until


async def test_a_folder_is_ingested_file_by_file(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    table_pdf(folder / "good.pdf", "Good", pages=2)
    (folder / "bad.pdf").write_text("<html>no PDF [/x]</html>")
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f2", "i", "enter")
        assert "a path is needed" in screen(pilot)
        await press(pilot, f"'{folder}'", "enter", "enter", "enter")
        await until(pilot, lambda: "good.pdf: a new revision" in screen(pilot))  # its text is that of the other one
        await press(pilot, "o")
        await until(pilot, lambda: "good.pdf: new, 2 pages" in screen(pilot))
        assert "! bad.pdf: not a PDF (looks like HTML)" in screen(pilot)
        await press(pilot, "f12")
        await until(pilot, lambda: "looks like HTML" in screen(pilot))


async def test_tab_completes_a_path(root: Path, tmp_path: Path) -> None:
    (tmp_path / "deep" / "folder").mkdir(parents=True)
    table_pdf(tmp_path / "deep" / "folder" / "only.pdf", pages=1)
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{tmp_path}/de'", "tab", "tab", "tab")
        assert pilot.app.focused is not None
        assert pilot.app.focused.value.endswith("deep/folder/only.pdf")  # type: ignore[attr-defined]


async def test_ingestion_is_stopped_at_once_and_leaves_nothing_half_done(root: Path) -> None:
    long = Path(__file__).parents[2] / "datasets" / "documents" / "emission-regulation-consolidated.pdf"
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{long}'", "enter", "enter", "enter")
        await until(pilot, lambda: "█" in screen(pilot) or "/160" in screen(pilot))
        await press(pilot, "f1")
        assert "⟳" in screen(pilot)  # the app goes on, and says that work is going on
        await press(pilot, "f2")
        begun = time.monotonic()
        await pilot.press("x")
        await until(pilot, lambda: "stopped: the documents before are kept whole" in screen(pilot))
        assert time.monotonic() - begun < 5  # benchmarks/ingesting.py measures: 0.3 s is the aim
        assert app_of(pilot).state_of_work == ""
    with workspace.Workspace(root, "ana") as space:
        assert [d.id for d in documents.page_of(space.context)] == ["exclusion"]


async def test_closing_the_app_does_not_wait_for_the_file(root: Path) -> None:
    long = Path(__file__).parents[2] / "datasets" / "documents" / "emission-regulation-consolidated.pdf"
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{long}'", "enter", "enter", "enter")
        await until(pilot, lambda: "/160" in screen(pilot))
        await press(pilot, "ctrl+q")
        begun = time.monotonic()
    assert time.monotonic() - begun < 3  # the whole file takes 8 s and more
    with workspace.Workspace(root, "ana") as space:
        assert documents.count(space.context) == 1


def test_progress_tells_at_most_ten_times_a_second() -> None:
    import threading

    told: list[Snapshot] = []
    progress = AppProgress(told.append, threading.Event())
    progress.stage("file", 1000)
    for _ in range(1000):
        progress.advance()
    assert len(told) <= 4
    assert told[-1].done == 1000


async def test_pages_are_read_while_the_rest_comes_and_nothing_can_be_marked(root: Path) -> None:
    long = Path(__file__).parents[2] / "datasets" / "documents" / "emission-regulation-consolidated.pdf"
    async with opened(root, size=(100, 30)) as pilot:
        await press(pilot, "f2", "i", f"'{long}'", "enter", "enter", "enter")
        await until(pilot, lambda: "p: pages so far" in screen(pilot))
        await press(pilot, "p")
        await until(pilot, lambda: "read so far · not stored yet: nothing can be marked" in screen(pilot))
        assert "page 1 of 160" in screen(pilot)
        await until(pilot, lambda: "EMISSION" in screen(pilot).upper())
        await press(pilot, "right")
        await until(pilot, lambda: "page 2 of 160" in screen(pilot))
        await press(pilot, "e", "enter", "escape")  # neither marks nor opens anything
        assert "PagesSoFar" not in str(pilot.app.screen)
        await press(pilot, "x")
        ends = ("stopped: the documents before are kept whole", "new, 160 pages")  # it may have been read by then
        await until(pilot, lambda: any(end in screen(pilot) for end in ends))


async def test_what_was_looked_at_while_it_was_read_is_opened_once_it_is_stored(root: Path, tmp_path: Path) -> None:
    path = Path(__file__).parents[2] / "datasets" / "documents" / "school-health-guideline.pdf"
    async with opened(root, size=(100, 30)) as pilot:
        await press(pilot, "f2", "i", f"'{path}'", "enter", "enter", "enter")
        await until(pilot, lambda: "p: pages so far" in screen(pilot))
        await press(pilot, "p")
        await until(pilot, lambda: "it is stored now: enter opens it in the reader" in screen(pilot))
        await press(pilot, "right", "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "reader" and "school-health" in screen(pilot))


async def test_a_document_read_by_older_rules_is_told_and_read_again_by_a_key(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space, space.context.write() as tx:
        stored.note_parser(tx, "exclusion", "curator-pdf 0")
    async with opened(root) as pilot:
        await until(pilot, lambda: "document was read by older rules" in screen(pilot))
        await press(pilot, "f2")
        await until(pilot, lambda: "↻" in screen(pilot))
        await press(pilot, "A")
        await until(pilot, lambda: "is read again by curator-pdf" in screen(pilot))
        await press(pilot, "y")
        await until(pilot, lambda: "read again: it reads as it is stored" in screen(pilot))
        await until(pilot, lambda: "↻" not in screen(pilot))
    with workspace.Workspace(root, "ana") as space:
        assert outdated_ids(space.context) == []


async def test_a_file_that_is_nowhere_is_asked_for(root: Path, tmp_path: Path) -> None:
    for kept in (root / ".curator" / "files").iterdir():
        kept.unlink()
    moved = (root / "datasets" / "exclusion.pdf").rename(tmp_path / "moved.pdf")
    async with opened(root) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: "exclusion" in screen(pilot))
        await press(pilot, "A", "y")
        await until(pilot, lambda: "where is the file" in screen(pilot))
        await press(pilot, f"'{moved}'", "enter")
        await until(pilot, lambda: "read again: it reads as it is stored" in screen(pilot))
    assert len(list((root / ".curator" / "files").iterdir())) == 0  # nothing was stored, nothing is kept


async def test_one_answer_serves_all_files_that_follow(root: Path, tmp_path: Path) -> None:
    folder = tmp_path / "in"
    folder.mkdir()
    for name in ("one", "two", "three"):
        table_pdf(folder / f"{name}.pdf", name.title(), pages=2, rows=(("Disease", "Days"), (name.title(), "7")))
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{folder}'", "enter", "enter", "enter")
        await until(pilot, lambda: "a: so for all" in screen(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "the answer is for this file" in screen(pilot))
        await press(pilot, "o")
        await until(pilot, lambda: "two.pdf: new" in screen(pilot))
    with workspace.Workspace(root, "ana") as space:
        assert [d.id for d in documents.page_of(space.context)] == ["exclusion", "one", "three", "two"]
