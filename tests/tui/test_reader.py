"""The reader: moving, finding, marking."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.pilot import Pilot

from curator import workspace
from curator.domain.document import Anchor, Source
from curator.services import cases
from curator.tui.accepting import accept_phrases, candidates, phrases
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import app_of, complete_case, opened, press, screen, until


@asynccontextmanager
async def reading(root: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[int]]:
    """The document of the workspace, open."""
    async with opened(root, size=size) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: "school-health" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: view(pilot).source is not None)
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
        assert "match 1/2" in screen(pilot)
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
        assert max(last - first for first, last in asked) < 20


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
        assert "● 5 days" in screen(pilot)
        assert "○ Varicella" in screen(pilot)
        await press(pilot, "enter", "space", "tab", "'five days; a week'", "enter")
        await until(pilot, lambda: "●req¶" in screen(pilot))
        case = app_of(pilot).desk.case
        assert case is not None
        assert case.key_provisions[0].accept == ("24 hours", "five days", "a week")


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
        await press(pilot, *["right"] * 20, "pagedown")
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
        ("Fines of 25 million EUR, from 1 January 2025.", ["25 million", "1 January 2025"]),
    ],
)
def test_dates_and_names_are_offered(text: str, offered: list[str]) -> None:
    one = source(1, 1)
    one = one.model_copy(update={"anchor": one.anchor.model_copy(update={"text": text})})
    found = [c.phrase for c in candidates(one)]
    assert set(offered) <= set(found)
    assert "It" not in found
    assert "Fines" not in found
