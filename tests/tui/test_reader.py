"""The reader: moving, finding, marking."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from textual.pilot import Pilot

from curator.domain.document import Anchor, Source
from curator.tui.accepting import accept_phrases, phrases
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import app_of, opened, press, screen, until


@asynccontextmanager
async def reading(root: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Pilot[int]]:
    """The document of the workspace, open."""
    async with opened(root, size=size) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))
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
