"""Letters that a file draws in two parts: an accent beside its letter becomes the composed letter.

Typesetters draw "é" as "e" and an accent at one place, in either order; files with combining characters give two.
"""

from __future__ import annotations

import unicodedata

from curator.parsing.content import Glyph

_COMBINING = {
    "´": "\u0301", "`": "\u0300", "¨": "\u0308", "ˆ": "\u0302", "^": "\u0302", "˜": "\u0303", "~": "\u0303",
    "¯": "\u0304", "ˉ": "\u0304", "˘": "\u0306", "˙": "\u0307", "˚": "\u030a", "°": "\u030a", "˝": "\u030b",
    "ˇ": "\u030c", "¸": "\u0327", "˛": "\u0328",
}  # fmt: skip
_DOTLESS = {"ı": "i", "ȷ": "j"}
APART = 0.3  # of the font size: middles of an accent and its letter
HIGHER = 0.6


def composed(glyphs: list[Glyph]) -> list[Glyph]:
    """The glyphs with each accent that stands over or under a neighbor put into it; the list itself where none does."""
    if not any(g.ch in _COMBINING or unicodedata.combining(g.ch[0]) for g in glyphs if not g.ch.isascii()):
        return glyphs
    kept: list[Glyph] = []
    waiting: Glyph | None = None
    for glyph in glyphs:
        before = kept[-1] if kept else None
        if waiting is not None:
            letter = _over(waiting, glyph)
            if letter:
                glyph = Glyph(letter, glyph.x0, glyph.x1, glyph.y, glyph.style, glyph.gap or waiting.gap)
            else:
                kept.append(waiting)
            waiting, before = None, kept[-1] if kept else None
        if not _is_accent(glyph.ch):
            kept.append(glyph)
            continue
        letter = _over(glyph, before) if before is not None else ""
        if before is not None and letter:
            kept[-1] = Glyph(letter, before.x0, before.x1, before.y, before.style, before.gap)
        else:
            waiting = glyph
    return [*kept, waiting] if waiting is not None else kept


def _is_accent(ch: str) -> bool:
    return ch in _COMBINING or unicodedata.combining(ch[0]) > 0


def _over(accent: Glyph, letter: Glyph) -> str:
    """The letter with the accent, when they stand at one place and make one character; else ""."""
    base = _DOTLESS.get(letter.ch, letter.ch)
    size = letter.style.size
    apart = abs(accent.x0 + accent.x1 - letter.x0 - letter.x1) / 2
    inside = letter.x0 - 0.05 * size <= (accent.x0 + accent.x1) / 2 <= letter.x1 + 0.05 * size
    if not base.isalpha() or apart > APART * size or not inside or abs(accent.y - letter.y) > HIGHER * size:
        return ""
    made = unicodedata.normalize("NFC", base + _COMBINING.get(accent.ch, accent.ch))
    return made if len(made) == 1 else ""
