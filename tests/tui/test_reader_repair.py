"""Repairs in the reader: one key opens them, what is repaired is seen at once, Ctrl+Z takes it back."""

from __future__ import annotations

from pathlib import Path

from fpdf import FPDF
from textual.pilot import Pilot

from curator import workspace
from curator.domain.repair import CellFix
from curator.services import documents, ingest, repair
from curator.tui.screens.ask import Ask
from curator.tui.screens.choose import Choose
from curator.tui.screens.confirm import Confirm
from curator.tui.widgets.safe import SafeInput
from tests.tui.conftest import app_of, opened, press, record_of, screen, stored, until
from tests.tui.test_reader import here, reading, to_row, view


def cells(root: Path, document: str = "exclusion") -> list[tuple[str, ...]]:
    with workspace.Workspace(root, "ana") as space:
        return [s.anchor.cells for s in documents.rows(space.context, document)]


async def menu(pilot: Pilot[int], *keys: str) -> None:
    await press(pilot, "r")
    await until(pilot, lambda: isinstance(pilot.app.screen, Choose))
    await press(pilot, *keys)


async def answer(pilot: Pilot[int], *lines: str) -> None:
    """Fill in a dialog that asks for lines."""
    await until(pilot, lambda: isinstance(pilot.app.screen, Ask))
    for n, line in enumerate(lines):
        pilot.app.screen.query_one(f"#line-{n}", SafeInput).value = line
        await press(pilot, "enter")


async def test_a_cell_is_repaired_by_keys_and_taken_back(root: Path) -> None:
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "c")
        await until(pilot, lambda: "1 Disease: Varicella" in screen(pilot))
        await press(pilot, "1")
        await answer(pilot, "Chickenpox")
        await until(pilot, lambda: "Chickenpox" in screen(pilot) and view(pilot).source is not None)
        assert here(pilot).endswith(":varicella")
        assert cells(root)[0] == ("Chickenpox", *before[0][1:])
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "Chickenpox" not in screen(pilot) and view(pilot).source is not None)
        assert cells(root) == before
        await press(pilot, "ctrl+y")
        await until(pilot, lambda: "Chickenpox" in screen(pilot))


async def test_rows_are_split_and_joined_where_the_cursor_is(root: Path) -> None:
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "s")
        await answer(pilot, "Varicella || Zoster", "5 days || none", "At once")
        await until(pilot, lambda: "Zoster" in screen(pilot))
        assert cells(root)[:3] == [("Varicella", "5 days", "At once"), ("Zoster", "none", ""), before[1]]
        await menu(pilot, "j")
        await until(pilot, lambda: cells(root)[0] == ("Varicella Zoster", "5 days none", "At once"))
        await until(pilot, lambda: here(pilot).endswith(":varicella"))
        await menu(pilot, "u")
        await until(pilot, lambda: "no row of this table is above it" in screen(pilot))
        await press(pilot, "ctrl+z", "ctrl+z")
        await until(pilot, lambda: cells(root) == before)


async def test_a_false_table_is_dropped_after_a_question_and_its_case_is_stale(root: Path) -> None:
    name = stored(root)
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await press(pilot, "n")
        assert cells(root) == before
        await menu(pilot, "d")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await press(pilot, "y")
        await until(pilot, lambda: "stale" in record_of(root, name).flags)
        await until(pilot, lambda: here(pilot) == "exclusion:table-2.text")
        assert len(cells(root)) == len(before) // 2
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: record_of(root, name).flags == ())
        assert cells(root) == before


async def test_nothing_happens_when_a_dialog_is_left(root: Path) -> None:
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        for keys in (("escape",), ("c", "escape"), ("h", "escape"), ("s", "escape"), ("t", "enter"), ("h", "enter")):
            await menu(pilot)
            for key in keys:
                await press(pilot, key)
            await until(pilot, lambda: bool(pilot.app.screen.query("#text")))
        assert cells(root) == before


async def test_a_cell_can_be_emptied(root: Path) -> None:
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "c", "1")
        await answer(pilot, "")
        await until(pilot, lambda: cells(root)[0][0] == "")
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: cells(root) == before)


async def test_a_page_is_read_again_and_shown_first(root: Path) -> None:
    before = cells(root)
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "c", "1")
        await answer(pilot, "Chickenpox")
        await until(pilot, lambda: "Chickenpox" in screen(pilot) and view(pilot).source is not None)
        await menu(pilot, "r")
        await until(pilot, lambda: "read page 2 again by" in screen(pilot))
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        assert "Varicella | Until all blisters" in screen(pilot)
        await press(pilot, "y")
        await until(pilot, lambda: cells(root) == before)


async def test_the_file_is_asked_for_where_it_is_not_known(root: Path, tmp_path: Path) -> None:
    moved = tmp_path / "elsewhere.pdf"
    (root / "datasets" / "exclusion.pdf").rename(moved)
    for kept in (root / ".curator" / "files").iterdir():
        kept.unlink()
    async with reading(root) as pilot:
        await to_row(pilot)
        await menu(pilot, "r")
        await until(pilot, lambda: "again by" in screen(pilot))
        await press(pilot, "c")
        await answer(pilot, str(tmp_path / "no.pdf"))
        await until(pilot, lambda: "there is no such file" in screen(pilot))
        await answer(pilot, str(moved))
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))


def split_pdf(path: Path) -> Path:
    """A ruled table over two pages, whose first row on the second has nothing in its first column."""
    pdf = FPDF()
    pdf.set_auto_page_break(False)
    pdf.set_font("helvetica", size=11)
    rows = [("Disease", "Rule"), *((f"Disease {n}", "Stays at home for some days.") for n in range(1, 7))]
    rest = [("", "and comes back with a note."), ("Scabies", "Comes back after treatment.")]
    for number, part in enumerate((rows, rest)):
        pdf.add_page()
        y = 215.0 if number == 0 else 15.0
        if number == 0:
            pdf.set_xy(20, 200)
            pdf.cell(0, 8, "Table 1. Rules")
        for cells in part:
            pdf.set_xy(20, y)
            pdf.cell(50, 10, cells[0], border=1)
            pdf.cell(110, 10, cells[1], border=1)
            y += 10
    path.write_bytes(bytes(pdf.output()))
    return path


async def test_a_row_cut_by_the_page_break_is_asked_about_and_answered(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        ingest.ingest(space.context, [split_pdf(root / "datasets" / "rules.pdf")])
        asked = [s.id for s in documents.rows(space.context, "rules") if s.anchor.question]
    assert len(asked) == 1
    before = cells(root, "rules")
    async with opened(root) as pilot:
        app_of(pilot).show_document("rules", source_id=asked[0])
        await until(pilot, lambda: bool(pilot.app.screen.query("#text")) and view(pilot).source is not None)
        await until(pilot, lambda: here(pilot) == asked[0])
        assert 'is it the rest of the row "Disease 6"' in screen(pilot)
        await menu(pilot, "k")
        await until(pilot, lambda: "is it the rest of the row" not in screen(pilot) and view(pilot).source is not None)
        assert cells(root, "rules") == before
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "is it the rest of the row" in screen(pilot))
        await menu(pilot, "u")
        await until(pilot, lambda: ("Disease 6", "Stays at home for some days. and comes back with a note.")
                    in cells(root, "rules"))  # fmt: skip
        await until(pilot, lambda: here(pilot).endswith(":disease-6"))
    with workspace.Workspace(root, "ana") as space:
        assert documents.source(space.context, asked[0]).id.endswith(":disease-6")
        assert not any(s.anchor.question for s in documents.rows(space.context, "rules"))


async def test_of_several_tables_of_a_page_the_right_ones_are_chosen(root: Path, tmp_path: Path) -> None:
    pdf = FPDF()
    pdf.add_page()
    pdf.set_font("helvetica", size=11)
    for number in (1, 2):
        pdf.multi_cell(0, 8, f"Table {number}. Limits", new_x="LMARGIN", new_y="NEXT")
        with pdf.table(width=120, align="LEFT") as table:
            for line in (("Class", "Limit"), (f"Class {number}", f"{number}0 mg"), (f"Other {number}", "5 mg")):
                table.row(line)
        pdf.ln(12)
    pdf.output(str(root / "datasets" / "two.pdf"))
    with workspace.Workspace(root, "ana") as space:
        ingest.ingest(space.context, [root / "datasets" / "two.pdf"])
        for number in (1, 2):
            wanted = CellFix(row=f"two.table-{number}:other-{number}", column=1, text="7 mg")
            repair.repair(space.context, "two", wanted)
    async with opened(root, size=(100, 40)) as pilot:
        app_of(pilot).show_document("two", source_id="two.table-2:other-2")
        await until(pilot, lambda: bool(pilot.app.screen.query("#text")) and view(pilot).source is not None)
        await menu(pilot, "r")
        await until(pilot, lambda: "again by" in screen(pilot))
        await press(pilot, "c")
        await until(pilot, lambda: isinstance(pilot.app.screen, Confirm))
        await press(pilot, "y")
        await until(pilot, lambda: "which of these tables are right" in screen(pilot))
        await press(pilot, "down", "space", "enter")
        await until(pilot, lambda: [c[1] for c in cells(root, "two")] == ["10 mg", "7 mg", "20 mg", "5 mg"])
