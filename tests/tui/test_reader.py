"""The reader: moving, finding, marking."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual import events
from textual.pilot import Pilot

from curator import workspace
from curator.domain.accepting import accept_phrases, candidates, phrases
from curator.domain.document import Anchor, Source
from curator.services import cases
from curator.tui.widgets.safe import SafeInput
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import app_of, complete_case, opened, press, said, screen, until


@asynccontextmanager
async def reading(root: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[int]]:
    """The document of the workspace, open."""
    async with opened(root, size=size) as pilot:
        app_of(pilot).show_document("exclusion")
        await until(pilot, lambda: bool(pilot.app.screen.query(SourceView)) and view(pilot).source is not None)
        yield pilot


def view(pilot: Pilot[int]) -> SourceView:
    return pilot.app.screen.query_one(SourceView)


def here(pilot: Pilot[int]) -> str:
    source = view(pilot).source
    assert source is not None
    return source.id


async def to_row(pilot: Pilot[int]) -> None:
    await press(pilot, "t")
    await until(pilot, lambda: here(pilot).endswith(":varicella"))


async def test_tables_sections_and_pages_are_one_key_away(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        assert "Disease" in screen(pilot)
        assert "page 2 of 4" in screen(pilot)
        first = here(pilot)
        await press(pilot, "t")
        await until(pilot, lambda: "page 4 of 4" in screen(pilot))
        await press(pilot, "T")
        await until(pilot, lambda: here(pilot) == first)
        await press(pilot, "right_square_bracket")
        await until(pilot, lambda: "page 3 of 4" in screen(pilot))
        await press(pilot, "left_square_bracket")
        await until(pilot, lambda: "page 2 of 4" in screen(pilot))
        await press(pilot, "colon", "9", "enter")
        assert "pages are 1 to 4" in screen(pilot)
        await press(pilot, "backspace", "3", "enter")
        await until(pilot, lambda: "page 3 of 4" in screen(pilot))


async def test_finding_goes_along_as_one_types(root: Path) -> None:
    async with reading(root) as pilot:
        await press(pilot, "slash", "'swelling'")
        await until(pilot, lambda: ":mumps" in screen(pilot))
        await until(pilot, lambda: "match 1/2" in screen(pilot))
        await press(pilot, "enter", "n")
        await until(pilot, lambda: "match 2/2" in screen(pilot))
        await press(pilot, "n")
        await until(pilot, lambda: "match 1/2" in screen(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: "match" not in screen(pilot))


async def test_evidence_goes_through_the_roles_and_is_taken_back(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        await press(pilot, "c", "'q?'", "enter")
        for shown in ("●req", "◐sup", "○dis"):
            await press(pilot, "e")
            await until(pilot, lambda shown=shown: shown in screen(pilot))
        await press(pilot, "e")
        await until(pilot, lambda: "not marked" in screen(pilot))
        case = app_of(pilot).desk.case
        assert case is not None
        assert case.evidence == ()
        await press(pilot, "e", "e", "e")  # quickly: each builds on the one before
        await until(pilot, lambda: "○dis" in screen(pilot))


async def test_a_provision_is_offered_with_its_figures(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        await press(pilot, "p")
        await until(pilot, lambda: "key provision" in screen(pilot))
        assert "5 days" in screen(pilot)
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: "●req¶" in screen(pilot))
        case = app_of(pilot).desk.case
        assert case is not None
        assert case.key_provisions[0].mandatory
        assert case.key_provisions[0].accept == ("5 days", "24 hours")


async def test_from_the_form_to_the_source_and_back(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        await press(pilot, "e", "home")
        await until(pilot, lambda: "page 1 of 4" in screen(pilot))
        await press(pilot, "f5")
        await until(pilot, lambda: "evidence" in screen(pilot))
        pilot.app.screen.set_focus(pilot.app.screen.query_one("#f-evidence"))
        await press(pilot, "enter")
        await until(pilot, lambda: "page 2 of 4" in screen(pilot))
        assert here(pilot).endswith(":varicella")
        await press(pilot, "escape", "d")
        await until(pilot, lambda: app_of(pilot).desk.sheet is not None and not app_of(pilot).desk.sheet.case.evidence)


async def test_side_panels_come_with_the_room_for_them(root: Path) -> None:
    async with reading(root, (120, 30)) as pilot:
        assert "2 Exclusion" in screen(pilot)
        assert "no marks: e makes one" in screen(pilot)
        await to_row(pilot)
        await press(pilot, "e")
        await until(pilot, lambda: "● required" in screen(pilot))
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: "marks of the case" not in screen(pilot))
        assert here(pilot).endswith(":varicella")


def source(ordinal: int, page: int, table: str = "") -> Source:
    """A made-up source of a long document."""
    at = Anchor(
        source_id=f"long:p{ordinal}",
        kind="row" if table else "chunk",
        ordinal=ordinal,
        page=page,
        page_end=page,
        text=f"text {ordinal} " * 20,
        quote="",
        text_hash="",
        table_id=table,
        table_header=("Name", "Value") if table else (),
        cells=(f"name {ordinal}", "10 mm") if table else (),
    )
    return Source(id=at.source_id, kind=at.kind, document_id="long", anchor=at)


async def test_a_long_document_is_loaded_only_where_one_reads(root: Path) -> None:
    asked: list[tuple[int, int]] = []

    def load(first: int, last: int) -> list[Source]:
        asked.append((first, last))
        return [
            source(p * 10 + n, p, f"long.t{p}" if p % 5 == 0 else "") for p in range(first, last + 1) for n in range(10)
        ]

    async with reading(root) as pilot:
        reader = view(pilot)
        reader.open(load, 600, page=300)
        await until(pilot, lambda: here(pilot) == "long:p3000")
        assert asked[0] == (298, 306)
        assert sum(last - first + 1 for first, last in asked) < 40
        for _ in range(30):
            await pilot.press("pagedown")
        assert here(pilot) > "long:p3000"
        await press(pilot, "end")
        await until(pilot, lambda: here(pilot) == "long:p6000")
        await press(pilot, "home")
        await until(pilot, lambda: here(pilot) == "long:p10")
        for _ in range(12):
            await pilot.press("down")
        assert here(pilot) == "long:p22"
        assert max(last - first for first, last in asked) < 44


async def test_the_header_stays_above_the_rows_of_its_table(root: Path) -> None:
    def load(first: int, last: int) -> list[Source]:
        return [source(p * 100 + n, p, "long.t") for p in range(first, last + 1) for n in range(60)]

    async with reading(root) as pilot:
        view(pilot).open(load, 2, page=1)
        await until(pilot, lambda: here(pilot) == "long:p100")
        for _ in range(3):
            await pilot.press("pagedown")
        assert "Value" in screen(pilot)
        assert "name 100 " not in screen(pilot)
        place = here(pilot).removeprefix("long:p")
        assert f"name {place}" in screen(pilot)


def test_phrases_offered_from_a_row() -> None:
    row = source(1, 1, "t")
    cells = ("Fine", "up to $10 million or 2.5 %", "within 10,000 km[^1]")
    row = row.model_copy(update={"anchor": row.anchor.model_copy(update={"cells": cells})})
    assert accept_phrases(row) == ["$10 million", "2.5 %", "10,000 km"]
    words = row.model_copy(update={"anchor": row.anchor.model_copy(update={"cells": ("Who", "the head teacher")})})
    assert accept_phrases(words) == ["the head teacher"]
    assert phrases(" 5 days; five days ;; 5 days") == ("5 days", "five days")


async def test_nothing_found_is_said(root: Path) -> None:
    async with reading(root) as pilot:
        await press(pilot, "slash", "'zebra crossing'")
        await until(pilot, lambda: "not found: ? searches" in screen(pilot))
        await press(pilot, "enter", "slash", "'swelling'")
        await until(pilot, lambda: "match 1/2" in screen(pilot))


async def to_text(pilot: Pilot[int]) -> None:
    """The paragraph of page 2."""
    await press(pilot, "colon", "2", "enter")
    await until(pilot, lambda: "page 2 of 4" in screen(pilot))


async def test_words_become_evidence_and_go_into_the_answer(root: Path) -> None:
    async with reading(root) as pilot:
        app = app_of(pilot)
        await to_text(pilot)
        source = view(pilot).source
        assert source is not None
        await press(pilot, "right", "ctrl+right", "v", "right", "right")
        assert view(pilot).quote == "A pupil who"
        assert "“A pupil who”" in screen(pilot)
        await press(pilot, "left", "ctrl+right")
        first = source.anchor.text.split("\n")[1].split("over.")[0] + "over."
        assert view(pilot).quote == first
        await press(pilot, "v", "e")
        await until(pilot, lambda: "●req" in screen(pilot))
        case = app.desk.case
        assert case is not None
        assert [(e.quote, e.role) for e in case.evidence] == [(first, "required")]
        await press(pilot, "e")  # what was marked last goes to the next role
        await until(pilot, lambda: "◐sup" in screen(pilot))
        assert [e.quote for e in app.desk.case.evidence] == [first]  # type: ignore[union-attr]
        await press(pilot, "right", "ctrl+right", "v", "right", "w")
        await until(pilot, lambda: bool(app.desk.case and app.desk.case.reference_answer))
        assert app.desk.case.reference_answer == "A pupil"  # type: ignore[union-attr]
        await press(pilot, "f5")
        await until(pilot, lambda: "A pupil" in screen(pilot))
        await press(pilot, "f3", "w")
        assert app.desk.case.reference_answer == ""  # type: ignore[union-attr]
        await press(pilot, "escape")
        assert view(pilot).pick is None


async def test_a_selection_that_the_mouse_draws(root: Path) -> None:
    async with reading(root) as pilot:
        await to_text(pilot)
        line = next(n for n, s in enumerate(screen(pilot).splitlines()) if "A pupil who is ill" in s)
        top = view(pilot).region.y
        await pilot.mouse_down(SourceView, offset=(9, line - top))
        await pilot.hover(SourceView, offset=(17, line - top))
        await pilot.mouse_up(SourceView, offset=(17, line - top))
        assert view(pilot).quote == "pupil who"  # whole words: both ends were inside one


async def test_an_alternative_shares_the_group_of_the_evidence_before(root: Path) -> None:
    async with reading(root) as pilot:
        app = app_of(pilot)
        await to_row(pilot)
        await press(pilot, "e")
        await until(pilot, lambda: "●req" in screen(pilot))
        await press(pilot, "down", "o")
        await until(pilot, lambda: "●or" in screen(pilot))
        case = app.desk.case
        assert case is not None
        assert [e.role for e in case.evidence] == ["required"] * 2
        assert len({e.group for e in case.evidence}) == 1
        await press(pilot, "o")
        await until(pilot, lambda: "●or" not in screen(pilot))
        assert len({e.group for e in app.desk.case.evidence}) == 2  # type: ignore[union-attr]


async def test_marks_are_one_key_apart_and_round_the_end(root: Path) -> None:
    async with reading(root) as pilot:
        await press(pilot, "e")
        await until(pilot, lambda: "●req" in screen(pilot))
        first = here(pilot)
        await to_row(pilot)
        await press(pilot, "e")
        await until(pilot, lambda: view(pilot).marks.get(here(pilot), "") == "●req")
        second = here(pilot)
        for key, wanted in (("m", first), ("m", second), ("M", first)):
            await press(pilot, key)
            await until(pilot, lambda wanted=wanted: here(pilot) == wanted)


async def test_phrases_are_ticked(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        await press(pilot, "p")
        await until(pilot, lambda: "key provision" in screen(pilot))
        assert "Exclusion periods" in screen(pilot)  # the citation
        assert "p. 2" in screen(pilot)
        assert "● 5 days" in screen(pilot)
        assert "○ Varicella" in screen(pilot)
        await press(pilot, "enter", "space", "tab", "'five days; a week'", "enter")
        await until(pilot, lambda: "●req¶" in screen(pilot))
        case = app_of(pilot).desk.case
        assert case is not None
        assert case.key_provisions[0].accept == ("24 hours", "five days", "a week")


async def test_a_phrase_typed_on_the_list_of_offers_is_not_lost(root: Path) -> None:
    async with reading(root) as pilot:
        await to_row(pilot)
        await press(pilot, "p")
        await until(pilot, lambda: "key provision" in screen(pilot))
        await press(pilot, "tab", *"just", "space", *"so", "enter")
        desk = app_of(pilot).desk
        await until(pilot, lambda: bool(desk.case and desk.case.key_provisions))
        assert desk.case is not None
        assert desk.case.key_provisions[0].accept[-1] == "just so"


async def test_other_cases_on_this_page_are_blind_where_they_must_be(root: Path) -> None:
    space = workspace.Workspace(root, "ben")
    ctx = space.context
    open_case = cases.new(ctx, complete_case(ctx, id="health-222222"))
    hidden = cases.new(ctx, complete_case(ctx, id="health-333333", turns=("A secret question?",)))
    cases.submit(ctx, [hidden.case.id])
    space.close()
    async with reading(root, (124, 30)) as pilot:
        await press(pilot, "t")
        await until(pilot, lambda: hidden.case.id in screen(pilot))
        shown = screen(pilot)
        assert open_case.case.question[:12] in shown
        assert "secret" not in shown
        await pilot.resize_terminal(80, 24)
        await until(pilot, lambda: hidden.case.id not in screen(pilot))
        await press(pilot, "i")
        await until(pilot, lambda: hidden.case.id in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "case")


async def test_a_wide_table_scrolls_by_column_behind_its_key(root: Path) -> None:
    def load(first: int, last: int) -> list[Source]:
        found = []
        for n in range(40):
            one = source(n, 1, "long.wide")
            header = tuple(f"Head {k:02}" for k in range(12))
            cells = (f"수두 {n}", *(f"cell {k:02} of {n}, 수두" for k in range(1, 12)))
            anchor = one.anchor.model_copy(update={"table_header": header, "cells": cells})
            found.append(one.model_copy(update={"anchor": anchor}))
        return found

    async with reading(root) as pilot:
        view(pilot).open(load, 1)
        await until(pilot, lambda: here(pilot) == "long:p0")
        assert "Head 01" in screen(pilot)
        assert "Head 11" not in screen(pilot)
        for line in screen(pilot).splitlines():
            assert line.count("cell") == line.count(", 수두")  # no column is cut
        assert any(line.rstrip().endswith("›") for line in screen(pilot).splitlines())
        await press(pilot, "enter")  # the row as a list
        await until(pilot, lambda: "Head 00: 수두 0" in screen(pilot) and "Head 11: cell 11 of 0" in screen(pilot))
        await press(pilot, "escape", *["right"] * 20, "pagedown")
        lines = screen(pilot).splitlines()
        assert "Head 11" in lines[2] + lines[3] + lines[4]
        assert "Head 01" not in screen(pilot)
        assert sum("수두 " in line and "cell 11" in line for line in lines) > 5
        bars = {
            tuple(cell_len(line[:n]) for n, c in enumerate(line) if c == "│") for line in lines if "cell 11" in line
        }
        assert len(bars) == 1  # wide characters are aligned
        await press(pilot, *["left"] * 20)
        assert "Head 01" in screen(pilot)


async def test_a_large_table_and_a_long_page_stay_usable(root: Path) -> None:
    def load(first: int, last: int) -> list[Source]:
        rows = [source(n, 1, "long.t") for n in range(5000)]
        text = "Nobody may stay away without 수두 and a reason. " * 4300
        long = source(5000, 2)
        return [*rows, long.model_copy(update={"anchor": long.anchor.model_copy(update={"text": text})})]

    async with reading(root) as pilot:
        view(pilot).open(load, 2)
        await until(pilot, lambda: here(pilot) == "long:p0")
        began = time.process_time()
        for _ in range(20):
            await pilot.press("pagedown")
        await press(pilot, "end")
        await until(pilot, lambda: here(pilot) == "long:p5000")
        for _ in range(20):
            await pilot.press("pagedown")
        assert here(pilot) == "long:p5000"
        await press(pilot, "v", *["ctrl+right"] * 5)
        assert view(pilot).quote.count("reason.") == 5
        assert time.process_time() - began < 20  # seconds; hangs would take minutes


@pytest.mark.parametrize(
    ("text", "offered"),
    [
        ("It ends on 2024-05-01 at the Health Office.", ["2024-05-01", "Health Office"]),
        ("Fines of 25 million EUR, from 1 January 2025.", ["25 million EUR", "1 January 2025"]),
    ],
)
def test_dates_and_names_are_offered(text: str, offered: list[str]) -> None:
    one = source(1, 1)
    one = one.model_copy(update={"anchor": one.anchor.model_copy(update={"text": text})})
    found = [c.phrase for c in candidates(one)]
    assert set(offered) <= set(found)
    assert "It" not in found
    assert "Fines" not in found


async def test_pages_without_text_say_so_where_they_are(root: Path) -> None:
    notes = {n: f"page {n} is an image: no text" for n in (2, 3, 4, 7, 8)} | {6: "page 6 cannot be opened"}

    def load(first: int, last: int) -> list[Source]:
        return [source(p, p) for p in (1, 5) if first <= p <= last]

    async with reading(root, (80, 30)) as pilot:
        view(pilot).open(load, 8, notes=notes)
        await until(pilot, lambda: here(pilot) == "long:p1")
        shown = screen(pilot)
        assert "pages 2–4" in shown
        assert "each page is an image: no text" in shown
        assert "page 6 cannot be opened" in shown  # after the last text of the document
        assert "pages 7–8" in shown


async def test_one_page_of_text_is_found_from_everywhere(root: Path) -> None:
    asked: list[tuple[int, int]] = []

    def load(first: int, last: int) -> list[Source]:
        asked.append((first, last))
        return [source(5, 5)] if first <= 5 <= last else []

    async with reading(root) as pilot:
        view(pilot).open(load, 400, page=390, notes={n: f"page {n} has no text" for n in range(1, 401) if n != 5})
        await until(pilot, lambda: here(pilot) == "long:p5")
        assert len(asked) < 12
        view(pilot).open(lambda _first, _last: [], 400, page=200, notes={n: f"page {n} has no text" for n in (1, 2)})
        await until(pilot, lambda: "no page of this document has text" in screen(pilot))
        assert "pages 1–2" in screen(pilot)


async def test_jumping_to_a_page_without_text_says_why(root: Path) -> None:
    async with reading(root) as pilot:
        view(pilot).notes = {3: "page 3 is an image: no text"}
        await press(pilot, "colon", "3", "enter")
        await until(pilot, lambda: "page 3 is an image: no text" in screen(pilot))


async def test_each_mark_is_taken_back_where_it_stands(root: Path) -> None:
    async with reading(root) as pilot:
        desk = app_of(pilot).desk
        await to_row(pilot)
        await press(pilot, "x")
        await until(pilot, lambda: "nothing is marked here" in screen(pilot))
        app_of(pilot).clear_notifications()
        await press(pilot, "e")
        await until(pilot, lambda: "x takes back" in screen(pilot))
        await press(pilot, "w")
        await until(pilot, lambda: "●req”" in screen(pilot))
        await press(pilot, "p", "enter", "enter")
        await until(pilot, lambda: "●re¶”" in screen(pilot))
        await press(pilot, "x")  # several: the latest kind stands first
        await until(pilot, lambda: "take back which mark" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "●req¶ " in screen(pilot))
        assert desk.case is not None
        assert desk.case.reference_answer == ""
        await press(pilot, "x", "enter")
        await until(pilot, lambda: "●req " in screen(pilot))
        assert desk.case.key_provisions == ()
        await press(pilot, "x")
        await until(pilot, lambda: "not marked" in screen(pilot))
        assert desk.case.evidence == ()
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "●req" in screen(pilot))


async def test_marks_are_changed_in_the_list_beside_the_text(root: Path) -> None:
    async with reading(root, (124, 30)) as pilot:
        desk = app_of(pilot).desk
        await to_row(pilot)
        await press(pilot, "p", "enter", "enter")
        await until(pilot, lambda: "¶pro" in screen(pilot))
        await press(pilot, "w", "i")
        await until(pilot, lambda: "”ans" in screen(pilot))
        await press(pilot, "r")
        await until(pilot, lambda: "◐ supporting" in screen(pilot))
        await press(pilot, "down", "r")
        await until(pilot, lambda: bool(desk.case and not desk.case.key_provisions[0].mandatory))
        await press(pilot, "down", "d")
        await until(pilot, lambda: "”ans" not in screen(pilot))
        await press(pilot, "d")
        await until(pilot, lambda: "¶pro" not in screen(pilot))
        await press(pilot, "delete")
        await until(pilot, lambda: "no marks: e makes one" in screen(pilot))


async def test_a_provision_that_lost_its_source_is_still_listed(root: Path) -> None:
    async with reading(root, (124, 30)) as pilot:
        await to_row(pilot)
        await press(pilot, "p", "enter", "enter")
        await until(pilot, lambda: "¶pro" in screen(pilot))
        await press(pilot, "e", "e", "e")
        await until(pilot, lambda: "not marked" in screen(pilot))
        assert "¶pro" in screen(pilot)


async def test_words_taken_out_of_the_middle_of_the_answer(root: Path) -> None:
    async with reading(root) as pilot:
        desk = app_of(pilot).desk
        await to_text(pilot)
        await press(pilot, "right", "ctrl+right", "v", "right", "w")
        await until(pilot, lambda: bool(desk.case and desk.case.reference_answer == "A pupil"))
        assert desk.sheet is not None
        desk.edit(desk.sheet, reference_answer="Says who? A pupil\nA pupils' club.")
        app_of(pilot).announce("form")
        await press(pilot, "w")
        assert desk.sheet.case.reference_answer == "Says who?\nA pupils' club."
        await until(pilot, lambda: "”" not in screen(pilot).replace("“A pupil”", ""))


async def test_a_long_table_is_wrapped_again_off_the_main_thread(root: Path) -> None:
    words = "Until all the blisters have crusted, and five days after that. " * 2

    def row(n: int) -> Source:
        one = source(n, 1, "long.t")
        cells = (f"name {n}", words, words)
        return one.model_copy(update={"anchor": one.anchor.model_copy(update={"cells": cells, "text": words * 2})})

    rows = [row(n) for n in range(2000)]
    async with reading(root) as pilot:
        view(pilot).open(lambda _first, _last: rows, 1)
        await until(pilot, lambda: here(pilot) == "long:p0")
        await press(pilot, "end", *["down"] * 40)
        place, old = here(pilot), view(pilot)._starts[-1]
        await pilot.resize_terminal(200, 50)
        await until(pilot, lambda: view(pilot)._starts[-1] < old)  # fewer lines where there is more room
        assert here(pilot) == place
        await until(pilot, lambda: f"name {place.removeprefix('long:p')} " in screen(pilot))
        await press(pilot, "pagedown")
        assert "Value" in screen(pilot)  # the heading


async def test_words_on_both_sides_of_a_line_break_are_found_and_stay_to_be_changed(root: Path) -> None:
    async with reading(root) as pilot:
        source_text = "Exclusion A pupil"  # the heading, then its text
        await press(pilot, "slash", f"'{source_text}'")
        await until(pilot, lambda: "match 1/1" in screen(pilot))
        assert "page 2 of 4" in screen(pilot)
        await press(pilot, "enter", "slash")
        line = pilot.app.screen.query_one("#find", SafeInput)
        assert line.value == source_text
        await press(pilot, "m", "u")  # typing replaces it
        assert line.value == "mu"


async def test_words_being_typed_outlive_whatever_is_painted_meanwhile(root: Path) -> None:
    async with reading(root) as pilot:
        await press(pilot, "slash", "'swel'")
        app = app_of(pilot)
        app.announce("saved")
        app.screen.refresh_room()  # type: ignore[attr-defined]
        await pilot.resize_terminal(120, 40)
        await press(pilot, "l")
        line = pilot.app.screen.query_one("#find", SafeInput)
        await until(pilot, lambda: "match 1/2" in screen(pilot))
        assert line.value == "swell"
        assert line.has_focus


async def test_a_click_goes_there(root: Path) -> None:
    async with reading(root, (124, 30)) as pilot:
        await to_row(pilot)
        row = here(pilot)
        await press(pilot, "e", "home")
        await until(pilot, lambda: "●req" in screen(pilot) and here(pilot) != row)
        await pilot.click("#mark-list", offset=(4, 0))
        await until(pilot, lambda: here(pilot) == row)
        line = next(n for n, s in enumerate(screen(pilot).splitlines()) if "3 Return" in s)
        tree = pilot.app.screen.query_one("#sections")
        await pilot.click("#sections", offset=(6, line - tree.region.y))
        await until(pilot, lambda: "page 3 of 4" in screen(pilot))
        before = view(pilot).top
        view(pilot).post_message(wheel(view(pilot), up=True))
        await pilot.pause()
        assert view(pilot).top == before - 3
        assert "page 3 of 4" in screen(pilot)  # the cursor stays


def wheel(target: SourceView, *, up: bool) -> events.MouseEvent:
    kind = events.MouseScrollUp if up else events.MouseScrollDown
    return kind(target, 5, 5, 0, 0, 0, False, False, False)


async def test_a_drag_beyond_the_source_takes_it_to_its_end(root: Path) -> None:
    async with reading(root) as pilot:
        await to_text(pilot)
        lines, top = screen(pilot).splitlines(), view(pilot).region.y
        line = next(n for n, s in enumerate(lines) if "class teacher" in s or "A pupil who is ill" in s)
        below = next(n for n, s in enumerate(lines) if "Table 2" in s)
        await pilot.mouse_down(SourceView, offset=(9, line - top))
        await pilot.hover(SourceView, offset=(30, below - top))
        await pilot.mouse_up(SourceView, offset=(30, below - top))
        assert view(pilot).quote.endswith("Exclusion periods")


async def test_the_worst_of_texts(root: Path) -> None:
    texts = ("x" * 10_000, "لا يحضر الطالب المصاب إلى المدرسة خمسة أيام", "수두 " * 400, "", "a\n" * 300)

    def load(_first: int, _last: int) -> list[Source]:
        found = []
        for n, text in enumerate(texts):
            one = source(n, 1)
            found.append(one.model_copy(update={"anchor": one.anchor.model_copy(update={"text": text})}))
        return found

    async with reading(root) as pilot:
        for size in ((80, 24), (30, 10), (200, 60)):
            await pilot.resize_terminal(*size)
            view(pilot).open(load, 1)
            await until(pilot, lambda: here(pilot) == "long:p0")
            while here(pilot) != "long:p4":
                await press(pilot, "pagedown")
            for line in screen(pilot).splitlines():
                assert cell_len(line) == size[0]
        await pilot.resize_terminal(100, 24)
        view(pilot).move_to(1)
        await until(pilot, lambda: "right-to-left text" in screen(pilot))


async def test_footnotes_of_the_last_table_stand_under_it(root: Path) -> None:
    one = source(1, 1, "long.t")
    one = one.model_copy(update={"anchor": one.anchor.model_copy(update={"footnotes": ("1) not on holidays",)})})
    async with reading(root) as pilot:
        view(pilot).open(lambda _first, _last: [one], 1)
        await until(pilot, lambda: "1) not on holidays" in screen(pilot))


async def test_the_line_of_the_title_keeps_the_page_at_every_width(root: Path) -> None:
    async with opened(root, size=(200, 40)) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: said(pilot, "Exclusion of pupils"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, "page 1 of 4"))
        for size in ((80, 24), (120, 40), (60, 20), (200, 60)):
            await pilot.resize_terminal(*size)
            await until(pilot, lambda: said(pilot, "page 1 of 4", "exclusion:1"))
