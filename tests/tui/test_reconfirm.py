"""What a new revision changed is re-confirmed by keys: old beside new, one decision a source, all of it undone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.services import ingest, reconfirm
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
    shown = " ".join(screen(pilot).split())
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
