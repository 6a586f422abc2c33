"""Outputs are rated by keys: from Home or the suites, twice 1 to 5, forth and back, changed, finished."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.services import ledger, ratings
from curator.services.baselines import baseline
from curator.services.rating_samples import draw
from curator.services.release import release
from curator.services.review import approve
from curator.store import cases as store
from curator.store.cases import Change
from curator.tui.screens.rating import RatingScreen
from tests.tui.conftest import app_of, opened, press, said, stored, until


@pytest.fixture(scope="module")
def rated(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with a release of three cases, one in the holdout, and a sample of a run over it."""
    root = shutil.copytree(template, tmp_path_factory.mktemp("rated") / "space")
    asked = ("How long does a pupil with varicella stay away?", "Who is told of measles?", "And how long with mumps?")
    names = [stored(root, submitted=True, turns=(text,)) for text in asked]
    with workspace.Workspace(root, "ben") as space:
        for name in names:
            approve(space.context, name)
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        with ctx.write("release") as tx:
            sides = zip(names, ("dev", "dev", "holdout"), strict=True)
            store.change_many(tx, [Change(store.get(tx, n), "assigned", {"side": s}) for n, s in sides])
        release(ctx, "health", waive="they share a row, on purpose")
        run = Path(baseline(ctx, "lead3", "health", holdout_reason="the run that is rated").folder) / "run.jsonl"
        lines = [json.loads(line) for line in run.read_text("utf-8").splitlines()]
        for line in lines:
            line["answer"] = f"[/x] stays away [@click=app.quit] {line['answer'][:40]}"
        run.write_text("".join(json.dumps(line) + "\n" for line in lines), "utf-8")
        draw(ctx, "health", run=run, holdout_reason="a first look")
    return root


@pytest.fixture
def root(rated: Path, tmp_path: Path) -> Path:
    return shutil.copytree(rated, tmp_path / "space")


def rating(pilot: Pilot[int]) -> Callable[[], bool]:
    return lambda: isinstance(pilot.app.screen, RatingScreen) and said(pilot, "[/x] stays away [@click=app.quit]")


def of(root: Path, actor: str) -> list[tuple[int, int]]:
    with workspace.Workspace(root, actor) as space:
        task = ratings.task(space.context, 1)
    return [(s.completeness, s.accuracy) for n in task.case_ids if (s := task.said.get(n)) is not None]


async def test_a_reviewer_rates_by_keys_alone_from_home(root: Path) -> None:
    async with opened(root, "ben") as pilot:
        await until(pilot, lambda: said(pilot, "2", "outputs of a system wait for my rating"))
        await press(pilot, "1")
        await until(pilot, rating(pilot))
        assert said(pilot, "expected: answer", "reference answer: Until all blisters", "1 of 2", "0 rated")
        await press(pilot, "4", "5")
        await until(pilot, lambda: said(pilot, "[4]", "[5]", "1 rated", "saved ✓"))
        await press(pilot, "n")
        await until(pilot, lambda: said(pilot, "2 of 2") and not said(pilot, "[4]"))
        await press(pilot, "b", "c", "2")
        await until(pilot, lambda: said(pilot, "1 of 2", "[2]", "[5]", "saved ✓"))
        await press(pilot, "m", "'too short'", "enter")
        await until(pilot, lambda: said(pilot, "too short", "saved ✓"))
        assert of(root, "ben") == [(2, 5)]
        await press(pilot, "u", "3", "3", "f")
        await until(pilot, lambda: said(pilot, "All are rated."))
        await press(pilot, "y")
        await until(pilot, lambda: said(pilot, "1 rater finished", "completeness", "2.50"))
        await press(pilot, "escape")
        await until(pilot, lambda: not said(pilot, "wait for my rating"))
    assert of(root, "ben") == [(2, 5), (3, 3)]


async def test_what_was_said_is_stored_when_the_screen_is_left_at_once(root: Path) -> None:
    async with opened(root, "ben") as pilot:
        await press(pilot, "f8")
        await until(pilot, lambda: said(pilot, "school health"))
        await press(pilot, "o")
        await until(pilot, rating(pilot))
        await press(pilot, "5", "4", "c", "3", "escape")
        await until(pilot, lambda: not isinstance(pilot.app.screen, RatingScreen))
        assert of(root, "ben") == [(3, 4)]
        await press(pilot, "o")
        await until(pilot, lambda: said(pilot, "2 of 2", "1 rated"))
        assert app_of(pilot).errors == []


async def test_a_lead_is_shown_the_holdout_and_each_look_is_entered_once(root: Path) -> None:
    async with opened(root, "ana", (120, 40)) as pilot:
        await press(pilot, "f8")
        await until(pilot, lambda: said(pilot, "school health"))
        await press(pilot, "o")
        await until(pilot, rating(pilot))
        for _ in range(2):
            for key in ("n", "n", "b", "b"):
                await press(pilot, key)
                await until(pilot, rating(pilot))
        await press(pilot, "r", "y")
        await until(pilot, lambda: said(pilot, "0 raters finished"))
    with workspace.Workspace(root, "ana") as space:
        looks = [e for e in ledger.entries(space.context) if e.how == "ratings"]
    assert [(e.actor, e.version) for e in looks] == [("ana", "1.0.0")]
