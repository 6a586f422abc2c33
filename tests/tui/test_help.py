"""Finding out what can be done: the help, the footer, the palette."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.cells import cell_len
from textual.binding import BindingsMap
from textual.command import CommandList
from textual.pilot import Pilot

from curator import workspace
from curator.domain.case import Case
from curator.services import cases
from curator.tui.app import CuratorApp
from curator.tui.key_groups import ORDER, keys_of
from curator.tui.screens.home import LABELS
from tests.tui.conftest import app_of, opened, press, screen, until

PLACES = ("f1", "f2", "f3", "f5", "f6", "f8", "question_mark")


def chosen(pilot: Pilot[int]) -> str:
    """What Enter would run in the palette, when all has been found that is listed."""
    found = pilot.app.screen.query(CommandList)
    if not found or found.first().highlighted is None or found.first().option_count != 1:
        return ""
    return str(found.first().get_option_at_index(found.first().highlighted or 0).prompt)


async def test_the_help_lists_the_keys_of_the_place_by_purpose_and_does_them(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f8", "f10")
        await until(pilot, lambda: "keys · Suites" in screen(pilot))
        shown = screen(pilot)
        assert "verify a version" in shown
        heads = [line[5:21].strip() for line in shown.splitlines() if line[5:21].strip() in ORDER]
        assert heads == [name for name in ORDER if name in heads]
        await press(pilot, *"to go hom")
        await until(pilot, lambda: "F1" in screen(pilot) and "F2" not in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "home")
        await press(pilot, "f10")
        await until(pilot, lambda: "keys · Home" in screen(pilot))
        await press(pilot, *"zzz")
        await until(pilot, lambda: "no key does that" in screen(pilot))
        await press(pilot, "f10")
        await until(pilot, lambda: "keys · Home" not in screen(pilot))


async def test_what_cannot_be_done_now_is_said(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f2", "f10", *"stop ingesting")
        await until(pilot, lambda: "not now" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: "not possible here now" in screen(pilot))


async def test_every_action_of_ours_has_words_and_none_hides_a_key_that_acts_everywhere(root: Path) -> None:
    async with opened(root) as pilot:
        app = app_of(pilot)
        for place in PLACES:
            await press(pilot, place)
            await pilot.pause()
            keys = keys_of(app.screen)
            ours = [k for k in keys if type(k.node).__module__.startswith("curator")]
            assert ours
            for key in ours:
                assert key.said
            own = set(BindingsMap(CuratorApp.BINDINGS).key_to_bindings)
            for node, bindings in app.screen._binding_chain[:-1]:
                if type(node).__module__.startswith("curator.tui.screens"):
                    assert not own & set(bindings.key_to_bindings), (place, node)


async def test_the_keys_of_lines_mean_nothing_else_on_home(root: Path) -> None:
    async with opened(root) as pilot:
        await until(pilot, lambda: "what needs me" in screen(pilot))
        assert not set(LABELS) & set(pilot.app.screen.active_bindings)


@pytest.mark.parametrize("width", [80, 100, 200])
async def test_the_footer_fits_and_ends_with_the_help(root: Path, width: int) -> None:
    async with opened(root, size=(width, 30)) as pilot:
        for place in PLACES:
            await press(pilot, place)
            await until(pilot, lambda: "F10 keys" in screen(pilot).splitlines()[-1])
            last = screen(pilot).splitlines()[-1]
            assert cell_len(last) == width
            assert last.rstrip().endswith("F10 keys")
        assert "stop ingesting" not in screen(pilot)


async def test_a_click_in_the_footer_does_what_its_key_does(root: Path) -> None:
    async with opened(root) as pilot:
        await until(pilot, lambda: "ingest a PDF" in screen(pilot))
        last = screen(pilot).splitlines()[-1]
        await pilot.click(offset=(last.index("ingest a PDF") + 3, 23))
        await until(pilot, lambda: "PDF file, or a folder" in screen(pilot))


async def test_the_palette_reaches_every_case_document_and_place(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        for n in range(40):
            cases.new(space.context, Case(id=f"many-{n:06d}", turns=(f"Is number {n} of the pupils here?",)))
    async with opened(root, size=(100, 60)) as pilot:
        await press(pilot, "ctrl+p", *"pupils")
        await until(pilot, lambda: "more cases: type on" in screen(pilot))
        await press(pilot, *" number 7")
        await until(pilot, lambda: "many-000007" in screen(pilot) and "type on" not in screen(pilot))
        assert "many-000008" not in screen(pilot)
        await press(pilot, "escape", "escape", "ctrl+p", *"suites: verify")
        await until(pilot, lambda: chosen(pilot).startswith("Suites: verify a version"))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "suites")
        await until(pilot, lambda: "has no version yet" in screen(pilot))


async def test_the_keys_of_the_form_are_found_by_what_one_wants(root: Path) -> None:
    async with opened(root) as pilot:
        await press(pilot, "f5", "n", "escape")
        found = {key: k.group for k in keys_of(app_of(pilot).screen) for key in k.keys.split()}
        assert {found[key] for key in ("^b", "^l", "d")} == {"write"}
        assert found["^t"] == "decide"
        await press(pilot, "f3")
        await until(pilot, lambda: app_of(pilot).current_mode == "reader")
        assert ("f", "write") in {(k.keys, k.group) for k in keys_of(app_of(pilot).screen)}
