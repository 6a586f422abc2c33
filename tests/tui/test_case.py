"""The form: live checks, nothing typed is lost, two people at one case, reviews."""

from __future__ import annotations

from pathlib import Path

from textual import events
from textual.pilot import Pilot

from curator import workspace
from curator.domain.case import Case, CaseRecord
from curator.services import cases, drafts
from curator.tui.desk import Desk, merged_marks
from curator.tui.screens.source_chooser import SourceChooser
from curator.tui.widgets.row_list import RowList
from curator.tui.widgets.turns import TurnBox
from tests.tui.conftest import (
    app_of,
    draw,
    list_cases,
    open_case,
    opened,
    press,
    record_of,
    saved_by_another,
    screen,
    settled,
    stored,
    until,
)


async def test_the_form_asks_for_what_the_behavior_needs(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "'Where is the nurse?'", "escape")
        await settled(pilot)
        assert "3 missing: no reference answer · no required source · no risk stated" in screen(pilot)
        assert " low  medium  high  critical" in screen(pilot)  # none is chosen
        assert "escalate to" not in screen(pilot)
        await press(pilot, "b")
        await settled(pilot)
        await until(pilot, lambda: "2 missing: no reason to refuse" in screen(pilot))
        await press(pilot, "enter", "u", "escape")
        await until(pilot, lambda: "1 missing: no risk stated" in screen(pilot))
        await press(pilot, "f9")
        await until(pilot, lambda: "not submitted: no risk stated" in screen(pilot))
        await press(pilot, "enter", "l", "escape")
        await until(pilot, lambda: "nothing is missing" in screen(pilot))
        await press(pilot, "b")
        await until(pilot, lambda: "escalate to" in screen(pilot))
        case = app_of(pilot).desk.case
        assert case is not None
        assert (case.expected_behavior, case.refusal_reason) == ("escalate", "unsafe")


async def test_text_that_comes_faster_than_the_screen_is_not_lost(root: Path) -> None:
    """Keys at once: Enter leaves the command level, and none of the letters after it may act as a command."""
    name = stored(root, reference_answer="")
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        text = "now all lands in here, always"
        app.post_message(events.Key("k", "k"))
        app.post_message(events.Key("enter", "\r"))
        for ch in text:
            app.post_message(events.Key("space" if ch == " " else ch, ch))
        app.post_message(events.Key("ctrl+s", None))
        await until(pilot, lambda: "saved ✓" in screen(pilot))
    case = record_of(root, name).case
    assert case.reference_answer == text
    assert case.risk == "high"


async def test_unsaved_work_is_kept_when_another_case_is_opened(root: Path) -> None:
    first, second = stored(root), stored(root, turns=("Another question?",))
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5")
        await until(pilot, lambda: "Another question?" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app.desk.case is not None)
        await press(pilot, "enter", "' And at night?'", "escape", "escape", "down", "enter")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.id == second)
        assert "● unsaved" not in screen(pilot)
        await press(pilot, "ctrl+q")
        await until(pilot, lambda: "quit without saving?" in screen(pilot))
        assert "And at night?" in screen(pilot)
        await press(pilot, "escape", "l", "home", "enter")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.id == first)
        assert "● unsaved" in screen(pilot)
        assert "And at night?" in screen(pilot)
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
    assert record_of(root, first).case.turns[0].endswith(" And at night?")


async def conflicting(root: Path, answer: str) -> tuple[str, str]:
    """Ana types while ben saves; what she decides. Gives her case's id and the screen with both texts."""
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        await press(pilot, "enter", "' Says ana.'")
        saved_by_another(root, name, turns=("Says ben?",))
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "saved by someone else meanwhile" in screen(pilot))
        both = screen(pilot)
        await press(pilot, answer)
        await until(pilot, lambda: app.desk.sheet is not None and not app.desk.sheet.dirty)
    return name, both


async def test_a_stale_save_shows_both_and_mine_can_win(root: Path) -> None:
    name, both = await conflicting(root, "m")
    assert "Says ana." in both
    assert "Says ben?" in both
    record = record_of(root, name)
    assert record.case.turns[0].endswith(" Says ana.")
    with workspace.Workspace(root, "ana") as space:
        assert "Says ben?" in str(cases.history(space.context, name))


async def test_a_stale_save_shows_both_and_theirs_can_stay(root: Path) -> None:
    name, _ = await conflicting(root, "t")
    assert record_of(root, name).case.turns == ("Says ben?",)
    with workspace.Workspace(root, "ana") as space:
        kept = drafts.waiting(space.context)
    assert [d.case.question for d in kept] == ["How long does a pupil with varicella stay away? Says ana."]
    assert kept[0].base_version == 0


async def test_a_follow_up_is_written_turn_by_turn(root: Path) -> None:
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n", "'First?'", "ctrl+n", "'Second?'")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.turns == ("First?", "Second?"))
        assert len(app.screen.query(TurnBox)) == 2
        await press(pilot, "ctrl+r")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.turns == ("First?",))


async def choose(pilot: Pilot[int], end: str) -> None:
    """Mark the source whose id ends so."""
    listed = pilot.app.screen.query_one(RowList)
    for _ in range(listed.count):
        if listed.row is not None and listed.row.id.endswith(end):
            break
        await press(pilot, "down")
    await press(pilot, "space")


async def test_high_risk_takes_what_the_reviewer_states(root: Path) -> None:
    name = stored(root, submitted=True, risk="high", consequence="an outbreak")
    async with opened(root, "ben") as pilot:
        await list_cases(pilot)
        await press(pilot, "a")
        await until(pilot, lambda: "How bad" in screen(pilot))
        assert "takes two labels" in screen(pilot)
        await press(pilot, "h")
        await until(pilot, lambda: "What should the system do" in screen(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "Which sources prove" in screen(pilot))
        await press(pilot, "slash", "'varicella'")
        await until(pilot, lambda: "blisters" in screen(pilot))
        await press(pilot, "enter")
        assert isinstance(pilot.app.screen, SourceChooser)
        await choose(pilot, ":varicella")
        await press(pilot, "enter")
        await until(pilot, lambda: "✓ approved" in screen(pilot))
    record = record_of(root, name)
    assert (record.status, record.approvals) == ("approved", 2)


async def test_a_case_that_is_drawn_for_it_takes_two_labels(root: Path) -> None:
    draw(root, double_share=1.0)
    name = stored(root, submitted=True)
    async with opened(root, "ben") as pilot:
        await list_cases(pilot)
        await press(pilot, "a")
        await until(pilot, lambda: "takes two labels" in screen(pilot))
        await press(pilot, "m")
        await until(pilot, lambda: "What should the system do" in screen(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "Which sources prove" in screen(pilot))
        await press(pilot, "slash", "'varicella'")
        await until(pilot, lambda: "blisters" in screen(pilot))
        await press(pilot, "enter")
        await choose(pilot, ":varicella")
        await press(pilot, "enter")
        await until(pilot, lambda: "✓ approved" in screen(pilot))
    record = record_of(root, name)
    assert (record.status, record.approvals) == ("approved", 2)


async def test_changes_are_asked_for_with_a_reason(root: Path) -> None:
    name = stored(root, submitted=True)
    async with opened(root, "ben") as pilot:
        await list_cases(pilot)
        await press(pilot, "x", "enter")
        await until(pilot, lambda: "a reason is needed" in screen(pilot))
        await press(pilot, "'say since when'", "enter")
        await until(pilot, lambda: "↩" in screen(pilot))
        await press(pilot, "h")
        await until(pilot, lambda: "history" in screen(pilot) and "returned" in screen(pilot))
    assert record_of(root, name).status == "changes_requested"


async def test_to_approve_is_offered_to_who_can(root: Path) -> None:
    """Not to the author, nor on a draft; to another person on the row that waits, and in its form."""
    waits, draft = stored(root, submitted=True), stored(root, turns=("What of a draft?",))

    def offered(pilot: Pilot[int], name: str) -> bool:
        row = app_of(pilot).screen.query_one("#cases RowList", RowList).row
        actions = {active.binding.action for active in pilot.app.screen.active_bindings.values() if active.enabled}
        return row is not None and row.id == name and "approve" in actions

    async with opened(root) as pilot:
        await list_cases(pilot)
        assert not offered(pilot, waits)
        await press(pilot, "a", "enter")
        await until(pilot, lambda: app_of(pilot).desk.case is not None and app_of(pilot).approves is False)
        await press(pilot, "escape", "a")
        assert "How bad" not in screen(pilot)
    async with opened(root, "ben") as pilot:
        await list_cases(pilot)
        await until(pilot, lambda: offered(pilot, waits))
        await press(pilot, "down")
        await until(pilot, lambda: "What of a draft" in screen(pilot) and not offered(pilot, draft))
        await press(pilot, "up", "a")
        await until(pilot, lambda: "How bad" in screen(pilot))
        await press(pilot, "escape", "enter")
        await until(pilot, lambda: app_of(pilot).approves is True)


def test_a_mark_leaves_what_was_typed_meanwhile() -> None:
    before = Case(turns=("q",))
    after = before.model_copy(update={"domain": "health", "language": "en"})
    now = before.model_copy(update={"turns": ("q and more",), "language": "ko"})
    merged = merged_marks(now, before, after)
    assert (merged.turns, merged.domain, merged.language) == (("q and more",), "health", "ko")


def test_a_save_leaves_what_was_typed_since_it_was_sent() -> None:
    desk = Desk()
    sheet = desk.start(Case())
    desk.edit(sheet, turns=("sent",))
    sent = sheet.case
    desk.edit(sheet, notes="typed since")
    desk.saved(sheet, sent, CaseRecord(case=sent.model_copy(update={"id": "case-abc123"}), author="ana"))
    assert sheet.case.id == "case-abc123"
    assert sheet.dirty
    assert desk.unsaved == [sheet]
    desk.open(CaseRecord(case=Case(id="case-def456"), author="ana"))
    assert desk.unsaved == [sheet]
    assert desk.open(CaseRecord(case=sent.model_copy(update={"id": "case-abc123"}), author="ana")) is sheet


async def test_a_letter_right_behind_escape_is_a_command(root: Path) -> None:
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n", "'Where is it?'")
        app.post_message(events.Key("alt+k", "k"))
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.risk == "low")
        assert app.desk.case is not None
        assert app.desk.case.turns == ("Where is it?",)


async def test_text_that_waits_is_typed_at_once_and_in_order(root: Path) -> None:
    text = "Stay at home until the last blister has crusted, and come back without a letter. " * 4
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n", "'Q?'")
        app.screen.set_focus(app.screen.query_one("#f-reference-answer"))
        for ch in text:
            app.post_message(events.Key("space" if ch == " " else ch, ch))
        app.post_message(events.Key("backspace", None))
        app.post_message(events.Key("escape", None))
        app.post_message(events.Key("k", "k"))
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.risk == "low")
        assert app.desk.case is not None
        assert app.desk.case.reference_answer == text[:-1]


async def test_after_the_last_draft_a_new_case_begins_with_its_question_and_has_nothing_unsaved(root: Path) -> None:
    first = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        app.open_case(first, app.show_case)
        await until(pilot, lambda: "nothing is missing" in screen(pilot))
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: app.desk.sheet is not None and app.desk.sheet.record is None)
        await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))  # on the same document
        await until(pilot, lambda: isinstance(app.focused, TurnBox))
        assert "unsaved" not in screen(pilot)
        await press(pilot, *"My")
        await until(pilot, lambda: app.desk.case is not None and "unsaved" in screen(pilot))
        assert app.desk.case is not None
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.turns == ("My",))


async def test_from_the_reader_into_the_answer_and_on_to_the_next_draft(root: Path) -> None:
    first = stored(root, reference_answer="")
    with workspace.Workspace(root, "ana") as space:
        second = cases.new(space.context, Case(turns=("What about lice?",))).case.id
    async with opened(root) as pilot:
        app = app_of(pilot)
        app.open_case(first, app.show_case)
        await until(pilot, lambda: app.desk.case is not None and "no reference answer" in screen(pilot))
        await press(pilot, "f3")
        app.show_document("exclusion")
        await until(pilot, lambda: "This guideline says" in screen(pilot))
        await press(pilot, "f", "'Until all blisters have crusted.'", "ctrl+l", "ctrl+t")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.id == second)
        await until(pilot, lambda: "What about lice?" in screen(pilot))
        await press(pilot, "k")  # letters act: no field of the next case has the focus
        assert app.desk.case is not None
        assert app.desk.case.risk == "low"
        await press(pilot, "f", "'Tell'", "escape")  # in the form as in the reader: to what is missing
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.reference_answer == "Tell")
        await press(pilot, "ctrl+t")
        await until(pilot, lambda: "not submitted" in screen(pilot))
        assert app.desk.case.id == second
    assert record_of(root, first).status == "in_review"
    assert record_of(root, first).case.risk == "high"
