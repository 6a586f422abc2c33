"""The queue of reviews in the app: one key hands out the next case, and nobody else gets it meanwhile."""

from __future__ import annotations

from pathlib import Path

from curator import workspace
from curator.services import queueing
from tests.tui.conftest import app_of, opened, press, record_of, said, stored, until


async def test_the_next_case_is_handed_out_reviewed_and_the_one_after_follows(root: Path) -> None:
    settings = root / "curator.toml"
    settings.write_text(settings.read_text() + '\n[people.carla]\nrole = "reviewer"\n')
    first = stored(root, submitted=True)
    second = stored(root, submitted=True, turns=("And with measles?",))
    async with opened(root, "ben") as pilot:
        app = app_of(pilot)
        await until(pilot, lambda: said(pilot, "wait for a review that I can give"))
        await press(pilot, "1")
        await until(pilot, lambda: app.desk.sheet is not None and app.desk.sheet.key == first)
        await until(pilot, lambda: said(pilot, "this case is in your hands"))
        with workspace.Workspace(root, "carla") as space:
            other = queueing.take_next(space.context)
            assert other is not None
            assert other.case_id == second  # ben has the first
            assert queueing.let_go(space.context) == 1
        await until(pilot, lambda: said(pilot, "waits for one approval"))
        await press(pilot, "a")
        await until(pilot, lambda: said(pilot, "How bad is a wrong answer"))
        await press(pilot, "m")
        await until(pilot, lambda: said(pilot, "v: next review"))
        assert record_of(root, first).status == "approved"
        await press(pilot, "v")
        await until(pilot, lambda: app.desk.sheet is not None and app.desk.sheet.key == second)
        await press(pilot, "v")  # not now: it comes again after the others
        await until(pilot, lambda: said(pilot, "nothing else waits for you"))
        await press(pilot, "v")
        await until(pilot, lambda: [x.case_id for x in in_hand(root)] == [second])


def in_hand(root: Path) -> list[queueing.Assigned]:
    with workspace.Workspace(root, "ben") as space:
        return queueing.in_hand(space.context)
