"""Our two themes, in blue and orange: red and green alone fail one man in twelve.

Text keeps a contrast of 4.5 or more on every ground that the screens use (a test computes it), and the state of a case
is a glyph and a word; its color only repeats it.
"""

from __future__ import annotations

from textual.theme import Theme

from curator.states import STATES

DARK = Theme(
    name="curator-dark",
    primary="#6CB4EE",
    secondary="#9CCBF2",
    accent="#F5A742",
    warning="#F2C46B",
    error="#FF9469",
    success="#6CB4EE",
    foreground="#E4EAF1",
    background="#0F161E",
    surface="#16202B",
    panel="#1F2C3A",
    dark=True,
    variables={
        "text-muted": "#A3B1C0",
        "text-primary": "#6CB4EE",
        "text-accent": "#F5A742",
        "text-warning": "#F2C46B",
        "text-error": "#FF9469",
        "text-success": "#6CB4EE",
        "footer-key-foreground": "#F5A742",
        "footer-background": "#1F2C3A",
        "footer-foreground": "#E4EAF1",
        "footer-description-foreground": "#E4EAF1",
        "block-cursor-foreground": "#0F161E",
        "block-cursor-background": "#6CB4EE",
        "block-cursor-blurred-foreground": "#E4EAF1",
        "block-cursor-blurred-background": "#2B3D50",
        "input-selection-background": "#2F5A80",
        "border": "#6CB4EE",
        "border-blurred": "#2B3D50",
        "scrollbar": "#2B3D50",
        "scrollbar-background": "#16202B",
    },
)
LIGHT = Theme(
    name="curator-light",
    primary="#0A5796",
    secondary="#2B6597",
    accent="#9A4600",
    warning="#7A5200",
    error="#9C3700",
    success="#0A5796",
    foreground="#17212C",
    background="#FCFBF8",
    surface="#F3F1EC",
    panel="#E6E2DA",
    dark=False,
    variables={
        "text-muted": "#4B5966",
        "text-primary": "#0A5796",
        "text-accent": "#9A4600",
        "text-warning": "#7A5200",
        "text-error": "#9C3700",
        "text-success": "#0A5796",
        "footer-key-foreground": "#9A4600",
        "footer-background": "#E6E2DA",
        "footer-foreground": "#17212C",
        "footer-description-foreground": "#17212C",
        "block-cursor-foreground": "#FCFBF8",
        "block-cursor-background": "#0A5796",
        "block-cursor-blurred-foreground": "#17212C",
        "block-cursor-blurred-background": "#CFDCE8",
        "input-selection-background": "#B9D3EA",
        "border": "#0A5796",
        "border-blurred": "#C9C4B8",
        "scrollbar": "#C9C4B8",
        "scrollbar-background": "#F3F1EC",
    },
)
THEMES = (DARK, LIGHT)

ROLES = {"required": ("●", "required"), "supporting": ("◐", "supporting"), "distractor": ("○", "distractor")}
PROVISION = ("¶", "provision")


def state(status: str, flags: tuple[str, ...] = ()) -> str:
    """Status and flags as glyph and word: "→ in review ! disputed"."""
    return " ".join([STATES.get(status, status.replace("_", " ")), *(f"! {flag}" for flag in flags)])
