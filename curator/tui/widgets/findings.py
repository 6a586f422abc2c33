"""Texts with what was found in them: every place between marks, with a glyph that says how it stands."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING

from textual.content import Content

from curator.tui.widgets.safe import plain

if TYPE_CHECKING:
    from curator.services.privacy import Spot

OPEN, CLOSE = "⟦", "⟧"
GLYPHS = {"hard": "!", "soft": "?", "ticked": "✓"}
STYLES = {"hard": "bold underline $text-error", "soft": "underline $text-warning", "ticked": "$text-primary"}


def standing(spot: Spot, ticked: Collection[str]) -> str:
    """How a place stands: hard, soft or ticked."""
    return "hard" if spot.hard else "ticked" if spot.key in ticked else "soft"


def highlighted(
    text: str, spots: Sequence[Spot], ticked: Collection[str] = (), *, here: str = "", quiet: bool = False
) -> Content:
    """A text with its places marked: ⟦! it blocks⟧, ⟦? to be looked at⟧, ⟦✓ looked at⟧; color only repeats it.

    Args:
        text: As it is stored.
        spots: The places in this text.
        ticked: Keys of those that were looked at.
        here: Key of the place that the cursor is on.
        quiet: Underline the places, without glyphs: for reading.
    """
    parts: list[Content] = []
    at = 0
    for spot in sorted(spots, key=lambda s: s.start):
        if spot.start < at:
            continue
        how = standing(spot, ticked)
        said = text[spot.start : spot.end]
        if not quiet:
            said = f"{OPEN}{GLYPHS[how]} {said}{CLOSE}"
        style = "$block-cursor-foreground on $block-cursor-background" if spot.key == here else STYLES[how]
        parts += [plain(text[at : spot.start]), plain(said, style)]
        at = spot.end
    return Content("").join([*parts, plain(text[at:])])
