"""NO_COLOR: no color code reaches the terminal; what is marked by its ground alone is reversed or underlined."""

from __future__ import annotations

from functools import lru_cache

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.filter import LineFilter

STRONG, FAINT = 3.0, 1.45
"""Contrast of a ground with the screen's: a cursor has more than the first, the cursor of an idle list the second."""


class Colorless(LineFilter):
    """Takes all colors away."""

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments, in the terminal's own colors."""
        return [
            Segment(text, _plain(style, background) if style else style, control) for text, style, control in segments
        ]


@lru_cache(2048)
def _plain(style: Style, background: Color) -> Style:
    ground = Color.from_rich_color(style.bgcolor) if style.bgcolor else background
    apart = _contrast(ground, background)
    return Style(
        bold=style.bold,
        dim=style.dim,
        italic=style.italic,
        underline=style.underline or (FAINT <= apart < STRONG),
        strike=style.strike,
        reverse=bool(style.reverse) != (apart >= STRONG),
        link=style.link,
        meta=style.meta,
    )


def _contrast(one: Color, other: Color) -> float:
    """Of WCAG 2."""
    low, high = sorted((_luminance(one), _luminance(other)))
    return (high + 0.05) / (low + 0.05)


def _luminance(color: Color) -> float:
    parts = [c / 255 for c in color.rgb]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
