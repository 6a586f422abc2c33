"""What a new revision changed is re-confirmed by keys: old beside new, one decision a source, all of it undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.services import documents, ingest, reconfirm
from tests.tui.conftest import (
    ROWS,
    opened,
    press,
    record_of,
    screen,
    stored,
    table_pdf,
    until,
)

SIX = tuple(tuple(c.replace("5 days", "6 days") if r[0] == "Varicella" else c for c in r) for r in ROWS)
GONE = tuple(r for r in SIX if r[0] != "Mumps")
Revise = Callable[..., ingest.Ingested]


@pytest.fixture
def revise(root: Path, tmp_path: Path) -> Revise:
    """Ingest an amended file as the next revision of the document."""

    def made(**content: object) -> ingest.Ingested:
        path = table_pdf(tmp_path / "amended.pdf", **content)  # type: ignore[arg-type]
        with workspace.Workspace(root, "ana") as space:
            (result,) = ingest.ingest(space.context, [path], ingest.Facts(revision_of="exclusion"))
        assert result.outcome == "changed"
        return result

    return made


def waiting(root: Path) -> list[str]:
    with workspace.Workspace(root, "ana") as space:
        return [w.source_id for w in reconfirm.waiting(space.context)]


def said(pilot: Pilot[int], *words: str) -> bool:
    """Whether all of this stands on the screen, however the lines are broken."""
    shown = " ".join(screen(pilot).replace("│", " ").split())
    return all(w in shown for w in words)


async def test_a_changed_row_is_confirmed_by_keys_and_the_case_is_current_again_and_back(
    root: Path, revise: Revise
) -> None:
    name = stored(root)
    revise(rows=SIX)
    assert record_of(root, name).flags == ("stale",)
    assert len(waiting(root)) == 2  # the table stands twice in the file; no case cites the other one
    async with opened(root) as pilot:
        await until(pilot, lambda: "sources wait to be re-confirmed" in screen(pilot))
        line = next(x for x in screen(pilot).splitlines() if "re-confirmed" in x)
        await press(pilot, line.strip("│ ").split()[0])
        await until(pilot, lambda: "2 wait since a new revision" in screen(pilot))
        assert "≠ changed" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "{+6+}", "[-5-]"))
        await until(pilot, lambda: said(pilot, "1 of 2", "1 case · exclusion.table-2:varicella"))
        await press(pilot, "a")
        await until(pilot, lambda: said(pilot, "1 of 1", "no case cites it"))  # the next one
        now = record_of(root, name)
        assert now.flags == ()
        assert "6 days" in now.case.evidence[0].quote
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: said(pilot, "1 of 2", "1 case · exclusion.table-2:varicella"))
        assert record_of(root, name).flags == ("stale",)
        assert "5 days" in record_of(root, name).case.evidence[0].quote
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: "1 of 1" in screen(pilot))
        assert record_of(root, name).flags == ()
        await press(pilot, "a")
        await until(pilot, lambda: "nothing waits" in screen(pilot))
        assert waiting(root) == []


async def ingested_as(root: Path, path: Path, outcome: str, *keys: str) -> None:
    """Ingest a file in the app, answer what is asked with a key, and see what is said then."""
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{path}'", "enter", "enter", "enter")
        await until(pilot, lambda: said(pilot, "r: the new revision · o: another document · l: leave it"))
        await press(pilot, *keys)
        await until(pilot, lambda: said(pilot, outcome))
        assert not said(pilot, "r: the new revision")


def names(root: Path) -> dict[str, str]:
    with workspace.Workspace(root, "ana") as space:
        return {d.id: d.revision.label for d in documents.page_of(space.context)}


async def test_a_changed_file_of_a_known_name_is_taken_as_its_next_revision_by_one_key(
    root: Path, tmp_path: Path
) -> None:
    stored(root)
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    await ingested_as(root, path, "revision 2 of exclusion: 10 same, 2 changed; 1 case is stale: F6", "r")
    assert names(root) == {"exclusion": "2"}


async def test_it_may_be_another_document_with_an_id_of_its_own_or_left(root: Path, tmp_path: Path) -> None:
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    await ingested_as(root, path, "left, nothing was stored", "l")
    assert names(root) == {"exclusion": "1"}
    await ingested_as(root, path, "exclusion.pdf: new, 4 pages", "o", "enter")
    assert names(root) == {"exclusion": "1", "exclusion-2": "1"}


async def test_a_file_of_another_name_that_is_much_alike_is_asked_about_too(root: Path, tmp_path: Path) -> None:
    await ingested_as(root, table_pdf(tmp_path / "amended-2026.pdf", rows=SIX), "revision 2 of exclusion", "r")
    assert names(root) == {"exclusion": "2"}


async def test_a_question_about_a_file_never_takes_a_key_that_is_typed_elsewhere(root: Path, tmp_path: Path) -> None:
    path = table_pdf(tmp_path / "exclusion.pdf", rows=SIX)
    async with opened(root) as pilot:
        await press(pilot, "f2", "i", f"'{path}'", "enter", "enter", "enter", "slash")
        await until(pilot, lambda: said(pilot, "l: leave it"))
        await press(pilot, *"rol")
        assert said(pilot, "l: leave it")
        await press(pilot, "f1")
        await until(pilot, lambda: said(pilot, "a file waits for an answer: F2"))
        await press(pilot, "ctrl+q")  # nor does it keep the app from closing
    assert names(root) == {"exclusion": "1"}
