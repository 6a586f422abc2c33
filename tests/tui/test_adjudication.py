"""Three people in the app: a label by its own view, both side by side for the third, and what waits for whom."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator import workspace
from curator.services import cases, review
from curator.tui.screens.adjudication import AdjudicationScreen
from tests.tui.conftest import app_of, opened, press, record_of, row_id, said, screen, stored, until

MORE = '\n[people.carla]\nrole = "lead"\n[people.dora]\nrole = "reviewer"\n'


@pytest.fixture
def disputed(root: Path) -> str:
    """A case of ana's that ben labels otherwise."""
    (root / "curator.toml").write_text((root / "curator.toml").read_text() + MORE)
    name = stored(root, submitted=True, risk="high")
    with workspace.Workspace(root, "ben") as space:
        mumps = row_id(space.context, "mumps")
        statement = review.Statement(risk="critical", behavior="answer", source_ids=(mumps,), reason="the swelling")
        assert "disputed" in review.approve(space.context, name, statement).flags
    return name


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_a_lead_decides_field_by_field_with_a_reason(root: Path, disputed: str, size: tuple[int, int]) -> None:
    async with opened(root, "carla", size) as pilot:
        await press(pilot, "f6")
        await until(pilot, lambda: said(pilot, "for you: 1 to decide", "ana and ben differ in sources, risk"))
        await press(pilot, "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, AdjudicationScreen))
        await until(pilot, lambda: said(pilot, "1 · ana", "2 · ben", "! risk", "○ high", "○ critical"))
        await press(pilot, "right", "enter")  # nothing is decided while a field is open
        await until(pilot, lambda: said(pilot, "required sources: take 1 or 2"))
        assert said(pilot, "blisters", "swelling")
        await press(pilot, "left", "enter")
        await until(pilot, lambda: said(pilot, "answer · risk critical · 1 source"))
        await press(pilot, "'the row of varicella'", "enter")
        await until(pilot, lambda: said(pilot, "decided:", "changes requested"))
    with workspace.Workspace(root, "carla") as space:
        third = cases.standing(space.context, disputed)[1][-1]
    assert (third.slot, third.actor, third.risk, third.reason) == (
        "adjudication", "carla", "critical", "the row of varicella",
    )  # fmt: skip
    assert third.expected_source_ids == record_of(root, disputed).case.expected_source_ids


async def test_a_third_is_written_where_neither_is_right(root: Path, disputed: str) -> None:
    async with opened(root, "carla") as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "varicella stay a"))
        await press(pilot, "v")
        await until(pilot, lambda: isinstance(pilot.app.screen, AdjudicationScreen))
        await press(pilot, "1")  # all that the first says
        await until(pilot, lambda: "● high" in screen(pilot))
        await press(pilot, "t")
        await until(pilot, lambda: said(pilot, "The risk that you state"))
        await press(pilot, "l")
        await until(pilot, lambda: "● low" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "risk low"))
        await press(pilot, "'neither'", "enter")
        await until(pilot, lambda: said(pilot, "decided:"))
    with workspace.Workspace(root, "carla") as space:
        assert cases.standing(space.context, disputed)[1][-1].risk == "low"


async def test_the_queue_says_for_whom_a_case_waits_and_shows_no_label(root: Path) -> None:
    (root / "curator.toml").write_text((root / "curator.toml").read_text() + MORE)
    name = stored(root, submitted=True, risk="critical")
    async with opened(root, "ben", (120, 40)) as pilot:
        await press(pilot, "f6")
        await until(pilot, lambda: said(pilot, "for you: 1 to label", "that of ana is in", "ben, carla, dora"))
        shown = screen(pilot)
        assert not any(word in shown for word in ("critical", "answer", "varicella:"))
        await press(pilot, "enter")
        app = app_of(pilot)
        await until(pilot, lambda: app.desk.sheet is not None and app.desk.sheet.key == name)
        await until(pilot, lambda: said(pilot, "the second label is in your hands"))
        await press(pilot, "a")
        await until(pilot, lambda: said(pilot, "How bad is a wrong answer"))  # before anything else
        await press(pilot, "l")
        await until(pilot, lambda: said(pilot, "What should the system do"))
        await press(pilot, "r")
        await until(pilot, lambda: said(pilot, "Why should the system refuse"))
        await press(pilot, "o")
        await until(pilot, lambda: said(pilot, "! disputed"))
        await press(pilot, "f6")
        await until(pilot, lambda: said(pilot, "ana and ben differ in behavior, sources, risk"))
        await until(pilot, lambda: said(pilot, "for you: nothing"))


async def test_agreement_is_a_key_away_with_counts_and_why_it_is_undefined(root: Path, disputed: str) -> None:
    async with opened(root, "carla") as pilot:
        await press(pilot, "f6")
        await until(pilot, lambda: said(pilot, "for you: 1 to decide"))
        await press(pilot, "m")
        await until(pilot, lambda: said(pilot, "1 case with two labels", "1 case says little", "undefined because"))
        assert said(pilot, "domain school-health")
        await press(pilot, "s")
        await until(pilot, lambda: said(pilot, "by stratum"))
        await press(pilot, "r", "i")
        await until(pilot, lambda: said(pilot, "risk high"))
