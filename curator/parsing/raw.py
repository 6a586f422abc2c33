"""What the reading process tells about one page: shapes of its messages, in both directions of the pipe.

Coordinates are in the reading frame (see `pdfium`); `RawPage.turn` turns a box back to the display.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

from curator.text import clean

Box = tuple[float, float, float, float]
SIDEWAYS = 999  # the group of lines that run in another direction than the page


@dataclass(slots=True)
class RawLine:
    """One line of text outside tables, in reading order.

    `group` counts the columns of the page; `sure` is below 1 where the text was recognized in an image.
    """

    text: str
    x0: float
    top: float
    x1: float
    bottom: float
    size: float
    bold: bool = False
    italic: bool = False
    group: int = 0
    hang: float = 0.0
    sure: float = 1.0


@dataclass(slots=True)
class RawCell:
    """A cell: position and span in units of the grid, its text, and how it looks."""

    row: int
    column: int
    rows: int
    columns: int
    text: str
    bold: bool = False
    lines: int = 1


@dataclass(slots=True)
class RawTable:
    """A table on one page.

    `place` = number of lines that stand before it in reading order; `head` = rows of its header, where drawn lines or
    the place of its labels say so; 0 = unknown. Of one that is set sideways `xs` and `ys` are those of a frame of its
    own, of this width and height, turned by `turn`; its `title` and `notes` were read there.
    """

    xs: list[float]
    ys: list[float]
    cells: list[RawCell]
    place: int
    size: float = 10.0
    origin: str = "ruled"
    confidence: float = 1.0
    head: int = 0
    turn: int = 0
    frame: tuple[float, float] = (0.0, 0.0)
    title: str = ""
    notes: list[str] = field(default_factory=list)

    @property
    def box(self) -> Box:
        """Left, top, right, bottom on its page."""
        return self.on_page((self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]))

    def on_page(self, box: Box) -> Box:
        """A box given by its own coordinates as it lies on its page."""
        return turned_back(box, self.turn, *self.frame) if self.turn else box


@dataclass(slots=True)
class RawPage:
    """One page. `kind`, `note` and `recognized` as in `domain.document.Page`; `flags` are (code, message).

    `mirrored`: its frame is a mirror of the page (see `mirror`); `rules`: the newest parsing rules that read something
    on it otherwise than those before, 0 = none of them.
    """

    index: int
    width: float = 0.0
    height: float = 0.0
    turn: int = 0
    kind: str = "text"
    note: str = ""
    recognized: float = 0.0
    lines: list[RawLine] = field(default_factory=list)
    tables: list[RawTable] = field(default_factory=list)
    flags: list[tuple[str, str]] = field(default_factory=list)
    mirrored: bool = False
    rules: int = 0

    def display(self, box: Box) -> Box:
        """A box of the reading frame in display coordinates, rounded to a tenth of a point."""
        if self.mirrored:
            box = self.width - box[2], box[1], self.width - box[0], box[3]
        x0, top, x1, bottom = turned_back(box, self.turn, self.width, self.height)
        return round(x0, 1), round(top, 1), round(x1, 1), round(bottom, 1)


def turned_back(box: Box, turn: int, width: float, height: float) -> Box:
    """A box of a frame of this width and height as it lies before the frame is turned, clockwise in degrees."""
    x0, top, x1, bottom = box
    if turn == 90:
        return top, width - x1, bottom, width - x0
    if turn == 180:
        return width - x1, height - bottom, width - x0, height - top
    return (height - bottom, x0, height - top, x1) if turn == 270 else box


def plain_text(page: RawPage) -> str:
    """What stands on a page as it was read: lines and rows in order, before anything is joined or left out."""
    lines: list[str] = []
    tables = sorted(page.tables, key=lambda t: t.place)
    for n in range(len(page.lines) + 1):
        while tables and tables[0].place <= n:
            cells = sorted(tables.pop(0).cells, key=lambda c: (c.row, c.column))
            rows = ([c for c in cells if c.row == row and c.text] for row in sorted({c.row for c in cells}))
            lines += [" | ".join(" ".join(c.text.split()) for c in row) for row in rows]
        if n < len(page.lines):
            lines.append(page.lines[n].text)
    return clean("\n".join(lines).replace("\u00ad", "-"))[0]


def to_wire(page: RawPage) -> dict[str, Any]:
    """A page as plain JSON values."""
    return asdict(page)


def from_wire(message: dict[str, Any]) -> RawPage:
    """A page from plain JSON values.

    Raises:
        KeyError, TypeError, ValueError: The message is not one of ours.
    """
    lines = [RawLine(**line) for line in message.pop("lines")]
    tables = [RawTable(**{**t, "cells": [RawCell(**c) for c in t["cells"]]}) for t in message.pop("tables")]
    flags = [(str(code), str(text)) for code, text in message.pop("flags")]
    return RawPage(**message, lines=lines, tables=tables, flags=flags)
