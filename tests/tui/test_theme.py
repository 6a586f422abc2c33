"""Both themes can be read: text has a contrast of 4.5 or more on every ground that it stands on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest
from rich.style import Style
from textual.color import Color
from textual.pilot import Pilot
from textual.screen import ModalScreen, Screen
from textual.theme import Theme
from textual.widgets import Static

from curator.domain.case import Status
from curator.tui.screens.listing import Listing
from curator.tui.theme import STATES, THEMES, state
from curator.tui.widgets.case_form import FieldRow
from curator.tui.widgets.row_list import Column
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import open_case, opened, press, screen, stored, until

GROUNDS = ("background", "surface", "panel")
TEXTS = ("foreground", "text-muted", "text-primary", "text-accent", "text-warning", "text-error", "text-success",
         "primary", "accent", "error", "warning", "footer-key-foreground")  # fmt: skip
PAIRS = (
    ("block-cursor-foreground", "block-cursor-background"),
    ("block-cursor-blurred-foreground", "block-cursor-blurred-background"),
    ("foreground", "input-selection-background"),
    ("background", "primary"),
    ("background", "accent"),
)


def contrast(one: str, other: str) -> float:
    """WCAG 2 contrast of two colors."""

    def luminance(color: str) -> float:
        parts = [c / 255 for c in Color.parse(color).rgb]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    low, high = sorted((luminance(one), luminance(other)))
    return (high + 0.05) / (low + 0.05)


@pytest.mark.parametrize("theme", THEMES, ids=lambda t: t.name)
def test_text_can_be_read(theme: Theme) -> None:
    colors = theme.to_color_system().generate()
    pairs = [(text, ground) for text in TEXTS for ground in GROUNDS] + list(PAIRS)
    weak = {p: round(c, 2) for p in pairs if (c := contrast(colors[p[0]], colors[p[1]])) < 4.5}
    assert not weak


def test_the_measure_itself() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#777777") == pytest.approx(1)


def test_a_state_is_a_glyph_and_a_word() -> None:
    assert set(STATES) == set(get_args(Status))
    assert state("in_review", ("disputed",)) == "→ in review ! disputed"
    assert len({s[0] for s in STATES.values()}) == len(STATES)


def painted(top: Screen[Any]) -> Iterator[tuple[str, Style | None]]:
    """Text and style of all that is painted; of a dialog its box alone, since what is behind it is dimmed."""
    strips = top._compositor.render_strips()
    box = top.children[0].region if isinstance(top, ModalScreen) and top.children else top.region
    for strip in strips[box.y : box.bottom]:
        for text, style, _ in strip.crop(box.x, box.right):
            yield text, style


async def weak_pairs(root: Path, theme: str, size: tuple[int, int]) -> dict[str, float]:
    """Texts that are painted with too little contrast, on the screens that one comes to by keys."""
    weak: dict[str, float] = {}
    async with opened(root, size=size, errors=True) as pilot:  # the release of nothing: an error is to be read too
        pilot.app.theme = theme
        walks = (["f1"], ["f2"], ["slash"], ["escape"], ["enter"], ["t"], ["slash", *"crusted", "enter"], ["e", "down"],
                 ["e", "e", "w"], ["p"], ["escape", "enter"], ["escape", "r"], ["escape", "up", "v", "right"],
                 ["escape", "i"], ["escape", "f5"], ["enter"], ["tab"], ["tab", "tab", *"Yes"], ["escape", "b", "b"],
                 ["ctrl+n", *"And?"], ["escape", "d"], ["escape", "n"], ["escape", "l"], ["space"], ["b"], ["escape"],
                 ["escape", "f6"], ["m"], ["escape", "r"], ["f8"], ["r"], ["escape", "f10"], ["f10"],
                 ["f12"], ["escape"], ["ctrl+p"], ["escape"],
                 ["question_mark", *"varicella"], ["down"], ["f2", "i"], ["escape"])  # fmt: skip
        for keys in walks:
            await press(pilot, *keys)
            await pilot.pause(0.2)
            for text, style in painted(pilot.app.screen):
                if not any(ch.isalnum() for ch in text) or not (style and style.color and style.bgcolor):
                    continue
                one, other = style.color.triplet, style.bgcolor.triplet
                if one and other and (c := contrast(one.hex, other.hex)) < 4.5:
                    weak[f"{'+'.join(keys)}: {text.strip()[:30]} {one.hex} on {other.hex}"] = round(c, 2)
    return weak


@pytest.mark.parametrize("theme", THEMES, ids=lambda t: t.name)
async def test_every_text_that_is_painted_can_be_read(root: Path, theme: Theme) -> None:
    weak = await weak_pairs(root, theme.name, (124, 40))
    assert not weak, "\n".join(f"{pair}: {value}" for pair, value in weak.items())


async def test_the_reader_paints_cursor_band_and_match(root: Path) -> None:
    """A style sheet that names another class than its own paints nothing, and nothing says so."""
    async with opened(root) as pilot:
        await press(pilot, "f2")
        await until(pilot, lambda: "Exclusion of pupils" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: pilot.app.screen.query_one(SourceView).source is not None)
        await press(pilot, "slash", *"crusted", "enter")
        await until(pilot, lambda: "match 1/2" in screen(pilot))
        grounds = {
            text.strip(): style.bgcolor.triplet.hex
            for text, style in painted(pilot.app.screen)
            if text.strip() and style and style.bgcolor and style.bgcolor.triplet
        }
        view = pilot.app.screen.query_one(SourceView)

        def ground(tone: str) -> str:
            color = view.get_component_rich_style(f"source-view--{tone}").bgcolor
            assert color is not None
            assert color.triplet is not None
            return color.triplet.hex

        assert grounds["crusted"] == ground("match")
        row = next(value for text, value in grounds.items() if text.startswith("Varicella"))
        head = next(value for text, value in grounds.items() if text.startswith("Disease"))
        assert row == ground("cursor")
        assert head == ground("head")
        assert len({row, head, ground("match"), ground("text")}) == 4


async def test_the_name_of_the_field_one_is_in_is_marked(root: Path) -> None:
    stored(root)
    async with opened(root) as pilot:
        await open_case(pilot)
        await press(pilot, "enter")
        for name in ("question", "behavior", "risk", "answer"):
            await until(pilot, lambda name=name: bold_labels(pilot) == [name])  # type: ignore[misc]
            await press(pilot, "tab")


def bold_labels(pilot: Pilot[int]) -> list[str]:
    """Names of fields that are painted bold."""
    labels = [row.query(".label").first(Static) for row in pilot.app.screen.query(FieldRow) if row.display]
    return [str(label.render()).strip() for label in labels if "bold" in str(label.styles.text_style)]


async def test_the_whole_of_the_first_row_is_shown_at_once(root: Path) -> None:
    app_lines = [f"line {n}" for n in range(4)]
    async with opened(root) as pilot:
        listing = Listing("a list", [Column("one"), Column("two")], [tuple(app_lines)], empty="")
        await pilot.app.push_screen(listing)
        await until(pilot, lambda: all(line in screen(pilot) for line in app_lines))


async def test_live_resize(root: Path) -> None:
    async with opened(root) as pilot:
        for key in ("f1", "f2", "f5", "f8"):
            await press(pilot, key)
            for size in ((200, 60), (100, 30), (40, 12), (80, 24)):
                await pilot.resize_terminal(*size)
                await pilot.pause()
                strips = pilot.app.screen._compositor.render_strips()
                assert {strip.cell_length for strip in strips} == {size[0]}
