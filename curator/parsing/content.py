"""What a page shows, before anything is made of it: glyphs, ruling lines, filled boxes and images.

Everything is given in the *reading frame*: points, origin at the top left, y downward, /Rotate and the crop box
applied, and turned so that most of the text runs from left to right (`turn` says by how much, clockwise).
"""

from __future__ import annotations

from dataclasses import dataclass, field

Transform = tuple[float, float, float, float, float, float]


@dataclass(slots=True)
class Style:
    """What a run of glyphs shares: effective size in points, weight, slant, direction and whether it can be seen."""

    size: float
    bold: bool
    italic: bool
    turn: int
    unseen: bool
    white: bool


@dataclass(slots=True)
class Glyph:
    """One character: its left and right, its baseline, its style; `gap` = white space stands before it.

    `bound`: 1 = it begins a word, 2 = it goes on with the one before it, 0 = its place tells.
    """

    ch: str
    x0: float
    x1: float
    y: float
    style: Style
    gap: bool
    bound: int = 0


@dataclass(slots=True)
class Turned:
    """A glyph that does not run from left to right: as it reads in its own direction, and where its middle lies."""

    glyph: Glyph
    x: float
    y: float


@dataclass(slots=True)
class Rule:
    """A drawn straight line along an axis: at = its coordinate across, start and end along it."""

    horizontal: bool
    at: float
    start: float
    end: float


@dataclass(slots=True)
class PageContent:
    """A page as pdfium sees it, in the reading frame.

    `unmapped` counts characters for which their font gives no meaning; `downward` says that the page is set in vertical
    lines from right to left: its frame is turned so that they run from left to right; `mirrored`, that the frame is a
    mirror of it, since its lines run from right to left (see `mirror`).
    """

    width: float
    height: float
    turn: int = 0
    glyphs: list[Glyph] = field(default_factory=list)
    turned: list[Turned] = field(default_factory=list)
    rules: list[Rule] = field(default_factory=list)
    fills: list[tuple[float, float, float, float]] = field(default_factory=list)
    images: list[tuple[float, float, float, float]] = field(default_factory=list)
    text_objects: int = 0
    outside: int = 0
    unmapped: int = 0
    downward: bool = False
    cut: bool = False
    mirrored: bool = False


def is_east(ch: str) -> bool:
    """Han, kana and hangul with their punctuation."""
    return (
        "\u3001" <= ch <= "\u9fff"
        or "\uac00" <= ch <= "\ud7a3"
        or "\ufe30" <= ch <= "\ufe4f"
        or "\uff01" <= ch <= "\uff60"
    )


def times(a: Transform, b: Transform) -> Transform:
    """First a, then b."""
    return (
        a[0] * b[0] + a[1] * b[2],
        a[0] * b[1] + a[1] * b[3],
        a[2] * b[0] + a[3] * b[2],
        a[2] * b[1] + a[3] * b[3],
        a[4] * b[0] + a[5] * b[2] + b[4],
        a[4] * b[1] + a[5] * b[3] + b[5],
    )


def turned_frame(matrix: Transform, width: float, height: float, turn: int) -> tuple[Transform, float, float]:
    """A display matrix followed by a turn of the page, clockwise in degrees, with the new width and height."""
    turns: dict[int, Transform] = {
        90: (0, 1, -1, 0, height, 0),
        180: (-1, 0, 0, -1, width, height),
        270: (0, -1, 1, 0, 0, width),
    }
    if turn not in turns:
        return matrix, width, height
    return times(matrix, turns[turn]), *((height, width) if turn in (90, 270) else (width, height))
