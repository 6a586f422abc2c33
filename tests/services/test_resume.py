"""`curator ingest` killed at several points, and begun again: the same document as undisturbed, once, and no rest."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.services import documents
from curator.services.doctor import examine
from curator.services.ingest import ingest
from curator.services.source_files import kept_path
from curator.workspace import Workspace, create

LONG = Path(__file__).parents[2] / "datasets" / "documents" / "school-health-guideline.pdf"
PAGES = 40


def kept(root: Path) -> int:
    """How many pages are kept in a workspace: whole lines behind the head of each file."""
    return sum(p.read_bytes().count(b"\n") - 1 for p in (root / ".curator" / "tmp").rglob("*.jsonl"))


def stored(root: Path) -> list[object]:
    """All that a workspace has of its documents, but for the time."""
    with Workspace(root, "ada") as space:
        ctx = space.context
        assert examine(ctx).problems == ()
        found: list[object] = []
        for document in documents.page_of(ctx):
            revision = document.revision.model_copy(update={"ingested_at": ""})
            found.append(document.model_copy(update={"revision": revision}))
            found += [documents.pages(ctx, document.id), documents.sections(ctx, document.id)]
            found += documents.sources_on(ctx, document.id)
        return found


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> list[object]:
    """What one ingestion stores."""
    root = create(tmp_path_factory.mktemp("undisturbed") / "w", "ada")
    with Workspace(root, "ada") as space:
        assert ingest(space.context, [LONG], jobs=1)[0].outcome == "new"
    return stored(root)


def kill(root: Path, pages: int) -> None:
    """Ingest in a process of its own, and kill that one when so many pages are kept."""
    process = subprocess.Popen(
        [sys.executable, "-m", "curator", "-w", str(root), "--as", "ada", "ingest", str(LONG)],
        cwd=Path(__file__).parents[2], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    end = time.monotonic() + 240
    while kept(root) < pages and process.poll() is None and time.monotonic() < end:
        time.sleep(0.002)
    if pages == PAGES:  # all are read: now it is put together, copied and stored
        time.sleep(0.05)
    os.kill(process.pid, signal.SIGKILL)
    process.wait(timeout=60)


@pytest.mark.parametrize("pages", [1, 20, PAGES])
def test_a_kill_costs_no_page_twice_and_leaves_no_double(pages: int, undisturbed: list[object], tmp_path: Path) -> None:
    root = create(tmp_path / "w", "ada")
    kill(root, pages)
    before = kept(root)
    told: dict[int, str] = {}
    with Workspace(root, "ada") as space:
        had = documents.count(space.context)
        assert had or before >= pages
        (result,) = ingest(space.context, [LONG], seen=told.__setitem__)
        assert result.outcome == ("same" if had else "new")
        assert kept_path(space.context, documents.get(space.context, result.document_id).revision.sha256).is_file()
        assert documents.count(space.context) == 1
    assert stored(root) == undisturbed
    assert kept(root) == 0
    if not had:
        assert len(told) == PAGES  # those that were read before are shown at once
