"""How the screens look. `pytest --snapshot-update tests/tui/test_snapshots.py` after looking at the report."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.domain.case import Case
from curator.services import cases
from curator.tui.app import CuratorApp
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import complete_case, press, screen, settled, until

Compare = Callable[..., bool]
ID = "school-health-7k2m9q"


async def home(pilot: Pilot[Any]) -> None:
    await until(pilot, lambda: "health lacks" in screen(pilot))


async def reader(pilot: Pilot[Any]) -> None:
    await press(pilot, "f2")
    await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))
    await press(pilot, "enter")
    await until(pilot, lambda: pilot.app.screen.query_one(SourceView).source is not None)
    await press(pilot, "t")
    await until(pilot, lambda: ":varicella" in screen(pilot))
    await press(pilot, "c", "enter", "e", "down", "e", "e")
    await until(pilot, lambda: "◐sup" in screen(pilot))


async def form(pilot: Pilot[Any]) -> None:
    await press(pilot, "f5")
    await until(pilot, lambda: "varicella" in screen(pilot))
    await press(pilot, "enter")
    await until(pilot, lambda: "by ana" in screen(pilot))
    await settled(pilot)
    await until(pilot, lambda: "waits for" in screen(pilot))


async def light(pilot: Pilot[Any]) -> None:
    pilot.app.theme = "curator-light"
    await form(pilot)


async def suites(pilot: Pilot[Any]) -> None:
    await press(pilot, "f8")
    await until(pilot, lambda: "not released yet" in screen(pilot))


async def coverage(pilot: Pilot[Any]) -> None:
    await press(pilot, "f7")
    await until(pilot, lambda: "! 0/1 −1 +2" in screen(pilot))
    await press(pilot, "end", "down", "down")
    await until(pilot, lambda: "all cases: 0 cases · ! 1 missing of 1" in screen(pilot))


@pytest.mark.parametrize(
    ("steps", "size"),
    [
        (home, (80, 24)),
        (reader, (80, 24)),
        (reader, (120, 40)),
        (form, (80, 24)),
        (light, (120, 40)),
        (suites, (80, 24)),
        (coverage, (80, 24)),
        (coverage, (120, 40)),
    ],
    ids=["home", "reader", "reader-wide", "form", "form-light-wide", "suites", "coverage", "coverage-wide"],
)
def test_looks(
    root: Path,
    snap_compare: Compare,
    monkeypatch: pytest.MonkeyPatch,
    steps: Callable[[Pilot[Any]], Awaitable[None]],
    size: tuple[int, int],
) -> None:
    monkeypatch.setattr("curator.tui.times.MINUTE", 10**9)  # "now", however long ago the first test made the document
    space = workspace.Workspace(root, "ana")
    ctx = space.context
    cases.new(ctx, complete_case(ctx, id=ID))
    cases.submit(ctx, [ID])
    cases.new(ctx, Case(id="case-0a1b2c", turns=("수두에 걸린 학생은 언제 등교할 수 있습니까?",), language="ko"))
    space.close()
    app = CuratorApp(workspace.Workspace(root, "ana"))

    async def run(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.ctx is not None)
        await steps(pilot)
        for _ in range(3):
            await pilot.pause(0.1)

    try:
        assert snap_compare(app, terminal_size=size, run_before=run)
    finally:
        app.workspace.close()
