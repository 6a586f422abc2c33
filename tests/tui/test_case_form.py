"""The form: offers, copies, alternatives, parts of quotes, what earlier turns expected, blind labels."""

from __future__ import annotations

from pathlib import Path

from textual.widgets import TextArea

from curator import workspace
from curator.domain.case import Case
from curator.services import cases, documents
from curator.tui.screens.quote import wrong_with
from curator.tui.widgets.mark_list import as_alternative
from tests.tui.conftest import app_of, complete_case, open_case, opened, press, record_of, row_id, screen, stored, until


async def test_values_are_offered_by_their_first_letters(root: Path) -> None:
    stored(root, domain="school-health", tags=("rash", "return"))
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n")
        app.screen.set_focus(app.screen.query_one("#f-domain"))
        await until(pilot, lambda: "  school-health" in screen(pilot))
        await press(pilot, "s")
        await until(pilot, lambda: "▸ school-health" in screen(pilot))
        await press(pilot, "tab")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.domain == "school-health")
        assert app.focused is app.screen.query_one("#f-document-type")
        app.screen.set_focus(app.screen.query_one("#f-tags"))
        await until(pilot, lambda: "  rash" in screen(pilot))
        await press(pilot, "r", "e", "enter", "r", "enter")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.tags == ("return", "rash"))


async def test_a_copy_begins_the_next_case_with_its_evidence(root: Path) -> None:
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        await press(pilot, "y", "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
        copy = app.desk.case
    assert copy is not None
    assert copy.id != name
    assert copy.evidence == record_of(root, name).case.evidence


def test_alternatives_join_the_entry_above_and_leave_it_again(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        case = Case()
        for words in ("varicella", "measles", "mumps"):
            case = cases.with_evidence(space.context, case, row_id(space.context, words))
    joined = as_alternative(case.evidence, 1)
    assert joined[1].group == joined[0].group != joined[2].group
    assert as_alternative(joined, 1) == case.evidence
    assert as_alternative(case.evidence, 0) == case.evidence


def test_a_quote_is_a_part_of_its_source_on_whole_words(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        source = next(s for s in documents.sources_on(space.context, "exclusion") if "who is ill" in s.anchor.text)
    assert wrong_with("stays at home until\nthe period is over", source) == ""
    assert "does not say this" in wrong_with("stays at school", source)
    assert "in two" in wrong_with("ays at home", source)
    assert wrong_with("  ", source)


async def test_the_evidence_stands_beside_the_answer_where_there_is_room(root: Path) -> None:
    stored(root)
    for size, beside in (((80, 24), False), ((110, 30), True)):
        async with opened(root, size=size) as pilot:
            app = app_of(pilot)
            await press(pilot, "f5")
            await until(pilot, lambda: "varicella stay a" in screen(pilot))
            await press(pilot, "enter")
            await until(pilot, lambda: app_of(pilot).desk.case is not None)
            app.screen.set_focus(app.screen.query_one("#f-reference-answer"))
            await pilot.pause(0.3)
            assert ("Exclusion: Until all" in screen(pilot)) is beside
            await press(pilot, "ctrl+o")
            await until(pilot, lambda beside=beside: ("Exclusion: Until all" in screen(pilot)) is not beside)


async def test_what_earlier_turns_expected_is_said_under_them(root: Path) -> None:
    async with opened(root, size=(80, 30)) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n", "'First?'", "ctrl+n", "'Second?'")
        await until(pilot, lambda: "system" in screen(pilot))
        await press(pilot, "shift+tab", "shift+tab", "'Said before'", "shift+tab", "a")
        await until(pilot, lambda: app.desk.case is not None and len(app.desk.case.turn_expectations) == 1)
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "saved ✓" in screen(pilot))
        assert app.desk.case is not None
        said = app.desk.case.turn_expectations[0]
    assert (said.turn, said.expected_behavior, said.reference_answer) == (1, "answer", "Said before")


async def test_a_labeler_sees_what_is_asked_and_no_label(root: Path) -> None:
    name = stored(root, submitted=True, risk="high", consequence="an outbreak", notes="a hint")
    async with opened(root, "ben") as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        await until(pilot, lambda: "labels are hidden" in screen(pilot))
        shown = screen(pilot)
        for hidden in ("Until all blisters", "an outbreak", "a hint", "[high]", "[answer]"):
            assert hidden not in shown
        assert app.desk.case is not None
        assert not app.desk.case.evidence
        await press(pilot, "ctrl+s")
        await press(pilot, "h")
        await until(pilot, lambda: "history of" in screen(pilot))
        assert "Until all blisters" not in screen(pilot)
        assert "outbreak" not in screen(pilot)
    assert record_of(root, name).case.risk == "high"
    async with opened(root, "ana") as pilot:
        await open_case(pilot)
        await until(pilot, lambda: "Until all blisters" in screen(pilot))


async def test_who_approves_states_the_risk_before_seeing_it(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        name = cases.new(space.context, complete_case(space.context)).case.id
        cases.submit(space.context, [name])
    async with opened(root, "ben") as pilot:
        await open_case(pilot)
        await until(pilot, lambda: "Until all blisters" in screen(pilot))
        assert "[medium]" not in screen(pilot)


async def test_documents_are_added_read_and_taken_away(root: Path) -> None:
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "f5", "n", "'What do the rules say?'")
        app.screen.set_focus(app.screen.query_one("#f-documents"))
        await press(pilot, "plus")
        await until(pilot, lambda: "Exclusion of pupils · 4 pages" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app.desk.case is not None and len(app.desk.case.documents) == 1)
        assert app.desk.case is not None
        assert (app.desk.case.documents[0].title, app.desk.case.documents[0].pages) == ("Exclusion of pupils", 4)
        await until(pilot, lambda: "4 pages" in screen(pilot))
        await press(pilot, "plus")
        await until(pilot, lambda: "no other document" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "This guideline says" in screen(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: app.current_mode == "case")
        assert app.screen.focused is app.screen.query_one("#f-documents")
        await press(pilot, "delete")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.documents == ())
    name = stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await press(pilot, "escape")
        app.open_case(name, app.show_case)
        await until(pilot, lambda: app.desk.case is not None and bool(app.screen.query("#f-documents")))
        app.screen.set_focus(app.screen.query_one("#f-documents"))
        await press(pilot, "delete")
        await until(pilot, lambda: "evidence comes from it" in screen(pilot))
        assert len(app.desk.case.documents) == 1


async def test_who_comes_back_to_the_form_gives_commands_and_types_nothing(root: Path) -> None:
    stored(root)
    async with opened(root) as pilot:
        app = app_of(pilot)
        await open_case(pilot)
        await press(pilot, "y")
        await until(pilot, lambda: isinstance(app.focused, TextArea))
        await press(pilot, "f3")
        await until(pilot, lambda: app.current_mode == "reader")
        await press(pilot, "f5")
        await until(pilot, lambda: app.current_mode == "case")
        assert app.desk.case is not None
        asked = app.desk.case.turns
        await press(pilot, "k")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.risk == "high")
        assert app.desk.case.turns == asked
