"""Both themes can be read: text has a contrast of 4.5 or more on every ground that it stands on."""

from __future__ import annotations

import pytest
from textual.color import Color
from textual.theme import Theme

from curator.domain.case import Status
from curator.tui.theme import STATES, THEMES, state

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
    assert set(STATES) == set(Status.__args__)
    assert state("in_review", ("disputed",)) == "→ in review ! disputed"
    assert len({s[0] for s in STATES.values()}) == len(STATES)
