"""Out of use and back by keys, from the list and from the form; Ctrl+Z takes both back."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import list_cases, open_case, opened, press, record_of, said, stored, until


async def test_a_case_is_retired_in_the_list_with_its_successor_and_restored(root: Path) -> None:
    name = stored(root)
    other = stored(root, turns=("How long is measles?",))
    async with opened(root) as pilot:
        await list_cases(pilot)
        await press(pilot, "X")
        await until(pilot, lambda: said(pilot, f"retire {name}"))
        await press(pilot, "enter")  # not without a reason
        await until(pilot, lambda: said(pilot, "a reason is needed"))
        await press(pilot, "'repealed'", "enter", "'measles'", "enter")
        await until(pilot, lambda: said(pilot, "Which case takes its place?"))
        await press(pilot, "enter")
        await until(pilot, lambda: said(pilot, f"retired: {name}", "Ctrl+Z takes it back"))
        gone = record_of(root, name)
        assert (gone.status, gone.retired_reason, gone.successor) == ("retired", "repealed", other)
        await until(pilot, lambda: said(pilot, "✗"))
        await press(pilot, "R")
        await until(pilot, lambda: said(pilot, f"restore {name}"))
        await press(pilot, "'needed after all'", "enter")
        await until(pilot, lambda: said(pilot, f"restored: {name}"))
        assert record_of(root, name).status == "draft"


async def test_a_case_is_retired_in_its_form_and_taken_back(root: Path) -> None:
    name = stored(root, submitted=True)
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "X")
        await until(pilot, lambda: said(pilot, f"retire {name}"))
        await press(pilot, "'asked twice'", "enter", "enter")
        await until(pilot, lambda: said(pilot, "✗ retired", "asked twice"))
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: record_of(root, name).status == "in_review")
        await until(pilot, lambda: said(pilot, "→ in review"))


async def test_all_that_are_marked_are_retired_at_once(root: Path) -> None:
    names = [stored(root), stored(root, turns=("And measles?",))]
    async with opened(root) as pilot:
        await list_cases(pilot)
        await press(pilot, "space", "space", "b")
        await until(pilot, lambda: said(pilot, "with 2 cases"))
        await press(pilot, "r", "e", "t")
        await until(pilot, lambda: said(pilot, "retire 2 cases"))
        await press(pilot, "'a trial'", "enter", "enter")
        await until(pilot, lambda: said(pilot, "retired: 2 cases"))
        assert {record_of(root, n).status for n in names} == {"retired"}
