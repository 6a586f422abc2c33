"""The room of suites by keys: what a next release would be, marking, comparing, exporting, yanking, fetching."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.progress import Progress
from curator.services import cases, ingest, ledger, release, review
from curator.services.context import Context
from curator.services.partitions import move
from curator.services.released_folder import yanked
from curator.tui.screens.change_list import NextRelease
from curator.tui.screens.suites import SuitesScreen
from tests.tui.conftest import ROWS, complete_case, opened, press, screen, table_pdf, until

ANSWER = "Until all blisters have crusted."
REWORDED = "Until all of the blisters have crusted."


def approve(root: Path, **changes: Any) -> str:
    with workspace.Workspace(root, "ana") as space:
        name = cases.new(space.context, complete_case(space.context, **changes)).case.id
        cases.require_submitted(cases.submit(space.context, [name]))
    with workspace.Workspace(root, "ben") as space:
        review.approve(space.context, name)
    return name


def answered(root: Path, name: str, answer: str) -> None:
    with workspace.Workspace(root, "ana") as space:
        record = cases.get(space.context, name)
        cases.save(space.context, record.case.model_copy(update={"reference_answer": answer}), record.version)
        cases.submit(space.context, [name])
    with workspace.Workspace(root, "ben") as space:
        review.approve(space.context, name)


@pytest.fixture(scope="module")
def released(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Health 1.0.0 with a case in dev and one in the holdout; since then the one in dev says it in other words."""
    root = shutil.copytree(template, tmp_path_factory.mktemp("released") / "space")
    with (root / "curator.toml").open("a", encoding="utf-8") as stream:
        stream.write('\n[people.cleo]\nrole = "lead"\n')
    shown = approve(root)
    refusal = {"expected_behavior": "refuse", "refusal_reason": "out_of_scope", "reference_answer": "", "evidence": ()}
    hidden = approve(root, turns=("Who wins the cup?",), **refusal)
    with workspace.Workspace(root, "ana") as space:
        move(space.context, hidden, "holdout", "for the test")
    with workspace.Workspace(root, "ana") as space:
        assert release.release(space.context, "health").holdout
    answered(root, shown, REWORDED)
    return root


@pytest.fixture
def root(released: Path, tmp_path: Path) -> Path:
    return shutil.copytree(released, tmp_path / "space")


def endless(_ctx: Context, progress: Progress) -> None:
    """Work that goes on until it is stopped."""
    progress.stage("counting")
    while True:
        progress.checkpoint()
        time.sleep(0.01)


def sees(pilot: Pilot[int], words: str) -> Callable[[], bool]:
    return lambda: words in " ".join(screen(pilot).split())


async def at_suites(pilot: Pilot[int]) -> None:
    await press(pilot, "f8")
    await until(pilot, sees(pilot, "versions: 1.0.0"))


async def mark_and_release(pilot: Pilot[int]) -> None:
    """In the dry run: mark the change under the cursor as wording alone, and release the patch that it is then."""
    await press(pilot, "e")
    await until(pilot, sees(pilot, "what was changed"))
    await press(pilot, "'two words more'", "enter")
    await until(pilot, sees(pilot, "the next release would be 1.0.1"))
    await press(pilot, "y")


async def test_a_wording_is_marked_and_released_as_a_patch(root: Path) -> None:
    async with opened(root, "cleo") as pilot:
        await at_suites(pilot)
        await press(pilot, "r")
        await until(pilot, sees(pilot, "the next release would be 2.0.0"))
        await until(pilot, sees(pilot, "{+of the+}"))
        await mark_and_release(pilot)
        await until(pilot, sees(pilot, "✓ released 1.0.1 after 1.0.0: patch"))
        await press(pilot, "r")
        await until(pilot, sees(pilot, "nothing new since 1.0.1"))
        await press(pilot, "v", "enter")
        await until(pilot, sees(pilot, "✓ 1.0.1: every file is whole"))
        await press(pilot, "d")
        await until(pilot, sees(pilot, "health 1.0.0 → 1.0.1"))
        await until(pilot, sees(pilot, "{+of the+}"))
        assert "cup" not in screen(pilot)
        await press(pilot, "escape")
    assert (root / "exports" / "health" / "1.0.1" / "manifest.json").is_file()


async def test_a_release_is_judged_against_the_revision_that_is_chosen(root: Path, tmp_path: Path) -> None:
    rows = tuple(tuple(cell.replace("5 days", "6 days") for cell in cells) for cells in ROWS)
    newer = table_pdf(tmp_path / "exclusion.pdf", rows=rows)
    with workspace.Workspace(root, "ana") as space:
        assert ingest.ingest(space.context, [newer], ingest.Facts(revision_of="exclusion"))[0].outcome == "changed"
    async with opened(root, "cleo") as pilot:
        await at_suites(pilot)
        await press(pilot, "V")
        await until(pilot, sees(pilot, "current, taken"))
        await press(pilot, "escape")  # back in the list: nothing was chosen, nothing is tried
        await until(pilot, lambda: "current, taken" not in screen(pilot))
        await press(pilot, "V")
        await until(pilot, sees(pilot, "current, taken"))
        await press(pilot, "down", "enter")
        await until(pilot, sees(pilot, "judged against exclusion 1"))
        await press(pilot, "v")
        await until(pilot, sees(pilot, "earlier, taken"))
        await press(pilot, "escape")
        await until(pilot, sees(pilot, "judged against exclusion 1"))
        await mark_and_release(pilot)
        await until(pilot, sees(pilot, "✓ released 1.0.1"))
    manifest = json.loads((root / "exports" / "health" / "1.0.1" / "manifest.json").read_text("utf-8"))
    assert manifest["revisions"] == [{"documentId": "exclusion", "version": "1"}]


async def test_who_changed_it_may_not_mark_it_and_no_key_releases_by_itself(root: Path) -> None:
    async with opened(root, "ana", errors=True) as pilot:
        await at_suites(pilot)
        await press(pilot, "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, NextRelease))
        await press(pilot, "e")
        await until(pilot, sees(pilot, "what was changed"))
        await press(pilot, "'mine'", "enter")
        await until(pilot, sees(pilot, "ana changed"))
        await press(pilot, "r")
        await until(pilot, lambda: isinstance(pilot.app.screen, NextRelease))
        await press(pilot, "escape")
        room = pilot.app.screen
        assert isinstance(room, SuitesScreen)
        room.begin("count", endless, lambda _: None, said=lambda said: room.say("health", said))
        await until(pilot, sees(pilot, "⟳ count · counting"))
        await press(pilot, "v")
        await until(pilot, sees(pilot, "one thing after another"))
        await press(pilot, "x")
        await until(pilot, sees(pilot, "· stopped: nothing was changed"))
    assert [p.name for p in (root / "exports" / "health").iterdir()] == ["1.0.0"]


async def test_export_is_told_and_a_yanked_version_is_not_offered(root: Path) -> None:
    async with opened(root, "cleo", size=(120, 40)) as pilot:
        await at_suites(pilot)
        await press(pilot, "e")
        await until(pilot, sees(pilot, "export health 1.0.0 to"))
        await press(pilot, "down", "space", "enter")
        await until(pilot, sees(pilot, "health 1.0.0: exported"))
        await press(pilot, "escape")
        await until(pilot, sees(pilot, "is written for 1 evaluator"))
        await press(pilot, "Y")
        await until(pilot, sees(pilot, "why nobody should use it"))
        await press(pilot, "'a wrong dose'", "enter")
        await until(pilot, sees(pilot, "1.0.0 (yanked)"))
        await press(pilot, "e")
        await until(pilot, sees(pilot, "every version of it is yanked"))
    (folder,) = (root / "exports" / "health" / "1.0.0.targets").iterdir()
    assert (folder / "LOST.md").is_file()
    assert yanked(root / "exports" / "health")["1.0.0"]["reason"] == "a wrong dose"


async def test_the_holdout_is_fetched_with_a_reason_and_not_into_exports(root: Path, tmp_path: Path) -> None:
    async with opened(root, "cleo", errors=True) as pilot:
        await at_suites(pilot)
        for place, said in ((root / "exports" / "x", "what lies in exports/ is published"),
                            (tmp_path / "there", "1 case of the holdout")):  # fmt: skip
            await press(pilot, "H")
            await until(pilot, sees(pilot, "what it is wanted for"))
            await press(pilot, f"'{place}'", "enter", "'the yearly test'", "enter")
            await until(pilot, sees(pilot, said))
    assert [p.name for p in (tmp_path / "there").iterdir()] == ["holdout.jsonl"]
    with workspace.Workspace(root, "ana") as space:
        assert [(e.actor, e.reason) for e in ledger.entries(space.context)] == [("cleo", "the yearly test")]
