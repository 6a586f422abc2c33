"""Columns of a list: which of them fit, and the line that they make."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rich.cells import cell_len, set_cell_size

from curator.tui.widgets.safe import fit, fit_middle


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes:
        title: Its head.
        width: In cells; 0 = shares what is left.
        least: How wide the list must be to show it.
        right: Figures stand on the right.
        name: By what the rows are sorted for it; "" = they cannot be.
        wide: Its width in a list of 100 cells or more; 0 = the same.
        middle: What is too long is cut in its middle: ids.
    """

    title: str
    width: int = 0
    least: int = 0
    right: bool = False
    name: str = ""
    wide: int = 0
    middle: bool = False


ROOMY = 100


def sizes(columns: Sequence[Column], width: int) -> list[tuple[int, int]]:
    """The columns that are shown in so many cells, by their number, with their widths."""
    shown = [(n, (c.wide or c.width) if width >= ROOMY else c.width) for n, c in enumerate(columns) if width >= c.least]
    free = width - 1 - sum(size + 1 for _, size in shown)
    flexible = max(1, sum(not size for _, size in shown))
    return [(n, size or max(4, free // flexible)) for n, size in shown]


def line(columns: Sequence[Column], cells: tuple[str, ...], width: int) -> str:
    """A line of exactly so many cells."""
    parts = [" "]
    for n, size in sizes(columns, width):
        text = (fit_middle if columns[n].middle else fit)(cells[n] if n < len(cells) else "", size)
        if columns[n].right:
            text = text.rstrip()
            text = " " * (size - cell_len(text)) + text
        parts.append(text + " ")
    return set_cell_size("".join(parts), width)
