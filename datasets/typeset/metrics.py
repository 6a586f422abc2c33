"""How wide text is in the sample fonts, and how it breaks into lines. Lengths are points."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from fontTools.ttLib import TTFont

FONTS = Path(__file__).parent.parent / "fonts"
FILES = {
    ("sans", ""): "DejaVuSansCondensed.ttf",
    ("sans", "B"): "DejaVuSansCondensed-Bold.ttf",
    ("serif", ""): "DejaVuSerifCondensed.ttf",
    ("serif", "B"): "DejaVuSerifCondensed-Bold.ttf",
    ("korean", ""): "SampleGothicKR.ttf",
    ("korean", "B"): "SampleGothicKR-Bold.ttf",
}
RAISED = 0.62  # size of a superscript, and how far up its baseline goes, as shares of the size around it
LIFT = 0.36

_MARKS = re.compile(r"(\^[^^ ]{1,8}\^|\*\*)")


@dataclass(frozen=True)
class Run:
    """A piece of a line in one style: x from the start of the line."""

    x: float
    text: str
    style: str
    raised: bool = False


@cache
def advances(family: str, style: str) -> dict[int, float]:
    """Width of every character of a font, in parts of its size."""
    font = TTFont(FONTS / FILES[family, style], lazy=True)
    units = font["head"].unitsPerEm
    widths = font["hmtx"].metrics
    return {code: widths[glyph][0] / units for code, glyph in font.getBestCmap().items()}


def width(text: str, family: str, style: str, size: float) -> float:
    """Width of text set on one line; KeyError names a character that the font lacks."""
    table = advances(family, style)
    try:
        return sum(table[ord(c)] for c in text) * size
    except KeyError as missing:
        raise KeyError(f"no glyph for {chr(missing.args[0])!r} in {FILES[family, style]}: {text!r}") from None


def _words(text: str, style: str) -> list[list[tuple[str, str, bool]]]:
    """Words as lists of (text, style, raised): a mark may change the style within a word."""
    words: list[list[tuple[str, str, bool]]] = [[]]
    bold = style
    for part in _MARKS.split(text):
        if part == "**":
            bold = "" if bold == "B" else "B"
            continue
        raised = len(part) > 2 and part[0] == "^" and part[-1] == "^"
        if raised:
            words[-1].append((part[1:-1], bold, True))
            continue
        for n, piece in enumerate(part.split(" ")):
            if n:
                words.append([])
            if piece:
                words[-1].append((piece, bold, False))
    return [word for word in words if word]


def _split(
    word: list[tuple[str, str, bool]], room: float, family: str, size: float
) -> list[list[tuple[str, str, bool]]]:
    """A word too wide for its room, cut where it must be (long Korean words in a narrow cell)."""
    parts: list[list[tuple[str, str, bool]]] = []
    text, style, raised = word[0]
    piece = ""
    for char in text:
        if piece and width(piece + char, family, style, size) > room:
            parts.append([(piece, style, raised)])
            piece = ""
        piece += char
    parts.append([(piece, style, raised), *word[1:]])
    return parts


def lines(text: str, family: str, style: str, size: float, room: float) -> list[tuple[float, list[Run]]]:
    """Break text into lines no wider than room: for each its width and its runs."""
    pieces: list[list[tuple[str, str, bool]]] = []
    for word in _words(text, style):
        full = sum(width(t, family, s, size * (RAISED if up else 1)) for t, s, up in word)
        pieces += [word] if full <= room else _split(word, room, family, size)
    result: list[tuple[float, list[Run]]] = []
    x = 0.0
    runs: list[Run] = []
    for word in pieces:
        full = sum(width(t, family, s, size * (RAISED if up else 1)) for t, s, up in word)
        bold = bool(runs) and runs[-1].style == word[0][1] == "B"
        space = width(" ", family, "B" if bold else "", size)
        if runs and x + space + full > room + 0.01:
            result.append((x, _joined(runs)))
            x, runs = 0.0, []
        start = x + space if runs else 0.0
        first = True
        for piece, piece_style, raised in word:
            runs.append(Run(start, (" " if first and x else "") + piece, piece_style, raised))
            start += width(piece, family, piece_style, size * (RAISED if raised else 1))
            first = False
        x = start
    if runs:
        result.append((x, _joined(runs)))
    return result


def _joined(runs: list[Run]) -> list[Run]:
    """Neighbouring runs of one style as one run, so that a line of plain text is a single string."""
    joined: list[Run] = []
    for run in runs:
        last = joined[-1] if joined else None
        if last and last.style == run.style and not last.raised and not run.raised:
            joined[-1] = Run(last.x, last.text + run.text, last.style)
        else:
            joined.append(Run(run.x, run.text.lstrip(" "), run.style, run.raised))
    return joined
