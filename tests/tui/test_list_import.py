"""F5: a list of questions in, its mapping shown first; a case that was approved elsewhere is confirmed with a key."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator import workspace
from curator.domain.case import CaseRecord
from curator.services import cases
from curator.tui.screens.ask import Ask
from curator.tui.screens.choose import Choose
from curator.tui.screens.failures_import import Preview
from tests.tui.conftest import app_of, opened, press, row_id, said, until

LIST = (
    "Nr;Frage;Antwort;Risiko;Team;Beleg\n"
    "1;How long with [/x] varicella?;Until all blisters have crusted;low;desk;{source}\n"
    "2;Who won [@click=app.quit]?;I don't know.;low;desk;\n"
    "3;;x;low;desk;\n"
)


@pytest.fixture
def listed(root: Path) -> Path:
    """A list beside the workspace that names one of its rows."""
    with workspace.Workspace(root, "ana") as space:
        source = row_id(space.context, "varicella")
    path = root.parent / "desk.csv"
    path.write_text(LIST.format(source=source), "utf-8")
    return path


def records(root: Path) -> dict[str, CaseRecord]:
    with workspace.Workspace(root, "ana") as space:
        names = [line.id for line in cases.page_of(space.context, limit=0)]
        return {(r := cases.get(space.context, n)).case.question[:3]: r for n in names}


async def test_a_list_is_shown_imported_and_confirmed(root: Path, listed: Path) -> None:
    async with opened(root, errors=True) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "no cases yet"))
        await press(pilot, "i")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        await press(pilot, f"'{listed}'", "enter", "'expectedSourceIds=Beleg, attribute=Nr'", "enter")
        await press(pilot, "'ben'", "enter", "'signed off in March'", "enter")
        await until(pilot, lambda: isinstance(app.screen, Preview))
        assert said(pilot, "2 new, 0 here already, 0 changed, 1 rejected", "turns = Frage", "expectedSourceIds = Beleg")
        assert records(root) == {}
        await press(pilot, "m")
        await until(pilot, lambda: isinstance(app.screen, Ask))
        assert said(pilot, "expectedSourceIds=Beleg")
        await press(pilot, *["enter"] * 4)
        await until(pilot, lambda: isinstance(app.screen, Preview))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "! unverified", "How long"))
        assert any("row 3, Frage: no question" in str(e) for e in app.errors)
    found = records(root)
    assert {k: (r.status, r.flags) for k, r in found.items()} == {
        "How": ("approved", ("unverified",)),
        "Who": ("draft", ()),
    }
    async with opened(root) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "! unverified", "Who won"))
        await press(pilot, "l", "B", "down", "B")
        await until(pilot, lambda: records(root)["Who"].case.expected_behavior == "refuse")
        await until(pilot, lambda: said(pilot, "behavior accepted"))
        assert records(root)["How"].case.expected_behavior == "answer"
    async with opened(root, "ben") as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: said(pilot, "! unverified", "How long"))
        await press(pilot, "a")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
        await press(pilot, "l", "o", "w", "enter")
        await until(pilot, lambda: records(root)["How"].flags == ())
        await until(pilot, lambda: not said(pilot, "! unverified"))
    confirmed = records(root)["How"]
    assert (confirmed.status, confirmed.approvals, bool(confirmed.side)) == ("approved", 1, True)
