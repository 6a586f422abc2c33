"""Words that are typed whole where their first letter is enough."""

from __future__ import annotations

from pathlib import Path

import pytest
from textual import events
from textual.app import App, ComposeResult

from curator.tui.rest_of_word import ENTER, HOLD, RestOfWord
from curator.tui.screens.choose import Choose
from curator.tui.widgets.choice import Choice
from tests.tui.conftest import list_cases, opened, press, said, stored, until


def handled(label: str, keys: str, *, pause: float = 0.0) -> str:
    """What of the keys behind the first letter of a label is handled; "⏎" is Enter, "…" a pause before what follows."""
    word, now, out = RestOfWord(), 0.0, ""
    word.begin(label, label[0], now)
    for character in keys:
        now += 0.05 if character != "…" else pause
        if character == "…":
            back = word.over() if word.until and now >= word.until else []
        else:
            key = events.Key("enter" if character == "⏎" else character, character)
            back = (word.take(key, now) or []) if word.until else [key]
        out += "".join(k.character or "" for k in back)
    return out + "".join(k.character or "" for k in word.over())


@pytest.mark.parametrize(
    ("label", "keys", "left"),
    [
        ("high", "igh", ""),
        ("high", "igh⏎", ""),
        ("high", "ig⏎", ""),
        ("high", "igh⏎a", "a"),
        ("high", "a", "a"),
        ("high", "⏎", "⏎"),
        ("high", "ia", "ia"),
        ("medium", "e", "e"),
        ("cell: what it says", "ell⏎", ""),
        ("add tags", "dd", ""),
        ("add tags", "dd tags⏎", ""),
        ("1 Disease", " x", " x"),
    ],
)
def test_the_rest_of_a_word_goes_no_further(label: str, keys: str, left: str) -> None:
    assert handled(label, keys) == left


def test_a_letter_after_a_pause_is_meant() -> None:
    assert handled("medium", "…e", pause=HOLD) == "e"
    assert handled("high", "igh…⏎", pause=HOLD) == "", "the word has come to its end: Enter belongs to it"
    assert handled("high", "igh…⏎", pause=ENTER) == "⏎"


async def test_a_word_and_enter_state_one_thing_only(root: Path) -> None:
    stored(root, submitted=True)
    async with opened(root, "ben") as pilot:
        await list_cases(pilot)
        await press(pilot, "a")
        await until(pilot, lambda: said(pilot, "How bad"))
        await pilot.press(*"high", "enter")
        await until(pilot, lambda: isinstance(pilot.app.screen, Choose) and said(pilot, "behavior"))


class Risks(App[None]):
    def compose(self) -> ComposeResult:
        yield Choice(("", "answer", "refuse", "escalate", "low", "critical"))


@pytest.mark.parametrize("word", ["answer", "refuse", "escalate", "critical", "low"])
async def test_a_value_in_a_line_is_chosen_by_its_name_as_by_its_letter(word: str) -> None:
    async with Risks().run_test() as pilot:
        await pilot.press("tab", *word)
        assert pilot.app.query_one(Choice).value == word
