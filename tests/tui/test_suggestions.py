"""Suggested evidence in the form of a case: live, accepted and rejected with a key, recorded by the save."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.domain.suggestion import Decision
from curator.matching import embedding
from curator.services import blind, cases
from curator.tui.screens.case import CaseScreen
from curator.tui.screens.suggesting import Suggesting
from curator.tui.widgets.suggestions import SuggestionList
from curator.tui.widgets.turns import TurnBox
from tests.tui.conftest import app_of, open_case, opened, press, said, screen, stored, until

QUESTION = "Varicella blisters crusted: how long?"
VARICELLA = "exclusion.table-2:varicella"


def listed(pilot: Pilot[int]) -> list[str]:
    """Ids of what is suggested."""
    return [hit.source_id for hit in pilot.app.screen.query_one(SuggestionList).hits]


async def asked(pilot: Pilot[int], question: str = QUESTION) -> None:
    """A new case with a question, its suggestions in sight and in focus."""
    await press(pilot, "f5", "n")
    await until(pilot, lambda: isinstance(app_of(pilot).focused, TurnBox))
    await press(pilot, f"'{question}'", "ctrl+g")
    await until(pilot, lambda: " by words" in screen(pilot))


def told(root: Path, name: str) -> list[tuple[str, Decision]]:
    """What stands in the history about suggestions."""
    with workspace.Workspace(root, "ana") as space:
        events = [e for e in cases.history(space.context, name) if e["entity"] == "suggestion"]
    return [(e["verb"], Decision.model_validate(e["data"])) for e in events]


async def saved(pilot: Pilot[int]) -> str:
    """Save; the id of the case."""
    await press(pilot, "ctrl+s")
    await until(pilot, lambda: app_of(pilot).saving == "saved ✓")
    case = app_of(pilot).desk.case
    assert case is not None
    return case.id


async def test_they_say_where_they_stand_and_follow_the_question(root: Path) -> None:
    async with opened(root) as pilot:
        await asked(pilot)
        assert listed(pilot)[0] == VARICELLA
        assert said(pilot, "▦", "varicella", "p. 2", "semantic: off") or said(pilot, "▦", "varicella", "p. 2")
        await press(pilot, "escape")
        assert not pilot.app.screen.has_class("-suggesting")  # half of a small screen is given back
        await press(pilot, "ctrl+n", "'And who stays away with mumps, and who is told?'", "ctrl+g")
        await until(pilot, lambda: any(":mumps" in name for name in listed(pilot)))
        assert VARICELLA in listed(pilot)  # the first turn still counts


async def test_accepted_and_rejected_are_recorded_by_the_save_and_taken_back_by_one_undo(root: Path) -> None:
    async with opened(root) as pilot:
        await asked(pilot)
        first, second = listed(pilot)[:2]
        await press(pilot, "e")
        await until(pilot, lambda: said(pilot, "●req"))
        await press(pilot, "down", "x")
        await until(pilot, lambda: said(pilot, "✗ no"))
        name = await saved(pilot)
        (accepted, yes), (rejected, no) = told(root, name)
        assert (accepted, yes.suggestion.source_id, yes.after) == ("suggestion accepted", first, "required")
        assert (rejected, no.suggestion.source_id, no.after) == ("suggestion rejected", second, "rejected")
        assert (yes.suggestion.method, yes.suggestion.rank, no.suggestion.rank) == ("words", 1, 2)
        assert yes.suggestion.score >= no.suggestion.score > 0
        await until(pilot, lambda: second not in listed(pilot))
        assert said(pilot, "1 rejected before")
        await press(pilot, "escape", "escape", "h")
        await until(pilot, lambda: said(pilot, "suggestion accept", second, "by words: rank 2", "not decided"))
        await press(pilot, "escape", "ctrl+z")
        await until(pilot, lambda: said(pilot, "✗ retired"))  # it had not been there before
        assert [d.after for _, d in told(root, name)] == ["required", "rejected", "", ""]


async def test_before_the_save_each_is_one_step_back(root: Path) -> None:
    name = stored(root, evidence=())
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "s")
        await until(pilot, lambda: bool(listed(pilot)))
        await press(pilot, "x")
        await until(pilot, lambda: said(pilot, "✗ no", "● unsaved"))
        await press(pilot, "x")
        await until(pilot, lambda: not said(pilot, "✗ no"))
        sheet = app_of(pilot).desk.sheet
        assert sheet is not None
        assert not sheet.dirty
        await press(pilot, "x")
        await until(pilot, lambda: said(pilot, "✗ no"))
        await press(pilot, "e")
        await until(pilot, lambda: said(pilot, "●req") and not said(pilot, "✗ no"))
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: said(pilot, "✗ no") and not said(pilot, "●req"))
        await press(pilot, "ctrl+z", "ctrl+z", "ctrl+z")
        await until(pilot, lambda: not said(pilot, "✗ no"))
        assert not sheet.dirty
    assert told(root, name) == []


async def test_the_key_goes_through_the_roles_and_ends_with_none(root: Path) -> None:
    name = stored(root, evidence=())
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "s")
        await until(pilot, lambda: bool(listed(pilot)))
        for mark in ("●req", "◐sup", "○dis"):
            await press(pilot, "e")
            await until(pilot, lambda mark=mark: said(pilot, mark))
        await press(pilot, "e")
        await until(pilot, lambda: not said(pilot, "○dis"))
        sheet = app_of(pilot).desk.sheet
        assert sheet is not None
        assert sheet.to_record == ()
    assert told(root, name) == []


async def test_read_in_the_reader_and_marked_there_is_accepted(root: Path) -> None:
    async with opened(root) as pilot:
        await asked(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "reader" and said(pilot, VARICELLA[-9:], "not marked"))
        await press(pilot, "e")
        await until(pilot, lambda: said(pilot, "●req"))
        await press(pilot, "f5")
        name = await saved(pilot)
    ((verb, decision),) = told(root, name)
    assert (verb, decision.suggestion.source_id) == ("suggestion accepted", VARICELLA)
    assert (decision.suggestion.rank, decision.after) == (1, "required")


async def test_what_was_decided_outlives_the_app(root: Path) -> None:
    async with opened(root) as pilot:
        await asked(pilot)
        second = listed(pilot)[1]
        await press(pilot, "down", "x")
        await until(pilot, lambda: said(pilot, "✗ no", "draft kept"))
    async with opened(root) as pilot:
        await until(pilot, lambda: said(pilot, "typed, but never saved"))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "case" and app_of(pilot).desk.sheet is not None)
        name = await saved(pilot)
    assert [(verb, d.suggestion.source_id) for verb, d in told(root, name)] == [("suggestion rejected", second)]


async def test_beside_the_form_on_a_wide_screen(root: Path) -> None:
    async with opened(root, size=(120, 40)) as pilot:
        await press(pilot, "f5", "n")
        await until(pilot, lambda: isinstance(app_of(pilot).focused, TurnBox))
        await until(pilot, lambda: said(pilot, "no question yet"))
        await press(pilot, f"'{QUESTION}'")
        await until(pilot, lambda: bool(listed(pilot)))
        assert isinstance(app_of(pilot).focused, TurnBox)  # nothing was asked for: it is there while one types
        await press(pilot, "escape")
        await until(pilot, lambda: not pilot.app.screen.has_class("-suggesting"))


async def test_who_labels_blind_sees_them_and_nothing_of_what_others_said(root: Path) -> None:
    name = stored(root, submitted=True, risk="high", consequence="a child falls ill")
    async with opened(root, "ben") as pilot:
        await open_case(pilot)
        sheet = app_of(pilot).desk.sheet
        assert sheet is not None
        assert sheet.blind
        await press(pilot, "s")
        await until(pilot, lambda: VARICELLA in listed(pilot))
        assert not said(pilot, "●req")
    with workspace.Workspace(root, "ben") as space:
        assert blind.look(space.context, name).record.case.evidence == ()


async def test_without_the_extra_one_quiet_line_says_so(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedding, "MODEL_PACKAGE", "no_such_package")
    async with opened(root) as pilot:
        await asked(pilot)
        assert listed(pilot)[0] == VARICELLA
        assert said(pilot, "by words · semantic: off (the semantic extra is not installed")
        assert sum("semantic" in line for line in screen(pilot).splitlines()) == 1


@pytest.mark.skipif(not embedding.available(), reason="the semantic extra is not installed")
async def test_meaning_comes_when_one_pauses(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Suggesting, "IDLE", 0.1)
    async with opened(root) as pilot:
        await asked(pilot)
        await until(pilot, lambda: said(pilot, "by words and meaning"), seconds=240)
        app = app_of(pilot)
        assert isinstance(app.screen, CaseScreen)
        found = app.screen.query_one(SuggestionList).suggestion
        assert found is not None
        assert found.proposal.method == "words and meaning"
        assert found.proposal.meaning > 0
