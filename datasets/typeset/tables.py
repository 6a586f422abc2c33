"""Lays out one ruled table: cells with their lines, merged cells, the grid. Lengths are points, y grows downwards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from .blocks import Sample, Table
from .metrics import Run, lines

PAD = 3.2


@dataclass(frozen=True)
class Cell:
    """A cell with the rows and columns that it covers, counted within its band."""

    row: int
    column: int
    rows: int
    columns: int
    lines: list[tuple[float, list[Run]]]
    align: str
    style: str


@dataclass
class Band:
    """Rows that stay on one page: the header, or one body row with those that its merged cells reach."""

    cells: list[Cell] = field(default_factory=list)
    heights: list[float] = field(default_factory=list)
    section: bool = False
    header: bool = False

    @property
    def height(self) -> float:
        """Height of all its rows."""
        return sum(self.heights)


@dataclass
class Grid:
    """A table ready to be put on pages."""

    columns: list[float]
    size: float
    header: Band
    bands: list[Band]


def grid(table: Table, sample: Sample, room: float) -> Grid:
    """Measure a table: columns fill the room by their shares, rows are as high as their cells need."""
    count = len(table.header[0])
    shares = list(table.widths) or [1.0] * count
    columns = [room * share / sum(shares) for share in shares]
    size = table.size or sample.size * 0.86
    align = table.align or "l" * count
    header = _band(table.header, columns, size, sample, "c" * count, "B")
    header.header = True
    bands = [_band(rows, columns, size, sample, align, "") for rows in _groups(table.rows)]
    return Grid(columns, size, header, bands)


def _groups(rows: Sequence[Sequence[str]]) -> list[list[Sequence[str]]]:
    """Rows that a merged cell ties together, as one group."""
    groups: list[list[Sequence[str]]] = []
    for row in rows:
        if groups and "^" in row:
            groups[-1].append(row)
        else:
            groups.append([row])
    return groups


def _band(
    rows: Sequence[Sequence[str]], columns: list[float], size: float, sample: Sample, align: str, style: str
) -> Band:
    leading = size * 1.28
    if len(rows) == 1 and len(rows[0]) == 1 and rows[0][0].startswith("§"):
        text = rows[0][0].lstrip("§ ")
        wrapped = lines(text, sample.family, "B", size, sum(columns) - 2 * PAD)
        cell = Cell(0, 0, 1, len(columns), wrapped, "l", "B")
        return Band([cell], [len(wrapped) * leading + 2 * PAD], section=True)
    band = Band(heights=[0.0] * len(rows))
    for r, row in enumerate(rows):
        for c, text in enumerate(row):
            if text in ("<", "^"):
                continue
            wide = 1 + _reach(row[c + 1 :], "<")
            deep = 1 + _reach([other[c] for other in rows[r + 1 :]], "^")
            room = sum(columns[c : c + wide]) - 2 * PAD
            wrapped = lines(text, sample.family, style, size, room)
            band.cells.append(Cell(r, c, deep, wide, wrapped, align[c], style))
            if deep == 1:
                band.heights[r] = max(band.heights[r], max(1, len(wrapped)) * leading + 2 * PAD)
    for cell in band.cells:  # a merged cell may need more room than the rows that it covers
        lacking = len(cell.lines) * leading + 2 * PAD - sum(band.heights[cell.row : cell.row + cell.rows])
        if lacking > 0:
            band.heights[cell.row + cell.rows - 1] += lacking
    return band


def _reach(cells: Sequence[str], mark: str) -> int:
    count = 0
    for cell in cells:
        if cell != mark:
            break
        count += 1
    return count
