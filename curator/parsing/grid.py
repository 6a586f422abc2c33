"""Tables from drawn lines: rules are snapped and joined, their crossings give unit cells, missing walls merge them.

A `Grid` is geometry only: which cells there are, where, and what they span. What its rows mean is decided later, over
all pages (`headers`, `tables`).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field

from curator.parsing.content import Rule

SNAP_X = 6.0
SNAP_Y = 3.0
REACH = 6.0
SHORTEST = 4.0
MOST_UNITS = 40_000


@dataclass(slots=True)
class Cell:
    """A cell over `rows` x `columns` units from (row, column), with its edges."""

    row: int
    column: int
    rows: int
    columns: int
    x0: float
    top: float
    x1: float
    bottom: float


@dataclass(slots=True)
class Grid:
    """Edges of columns and rows, and the cells between them."""

    xs: list[float]
    ys: list[float]
    cells: list[Cell] = field(default_factory=list)
    owner: dict[tuple[int, int], int] = field(default_factory=dict)
    rules: tuple[list[Rule], list[Rule]] = field(default_factory=lambda: ([], []))

    @property
    def box(self) -> tuple[float, float, float, float]:
        """Left, top, right, bottom."""
        return self.xs[0], self.ys[0], self.xs[-1], self.ys[-1]

    def at(self, x: float, y: float) -> int | None:
        """The number of the cell that holds the point."""
        column, row = bisect_right(self.xs, x) - 1, bisect_right(self.ys, y) - 1
        return self.owner.get((row, column))


def find_grids(rules: list[Rule]) -> list[Grid]:
    """Grids of at least two cells, from the top down."""
    across = joined([r for r in rules if r.horizontal], SNAP_Y)
    down = joined([r for r in rules if not r.horizontal], SNAP_X)
    grids = []
    for horizontal, vertical in _components(across, down):
        grid = _grid(horizontal, vertical)
        if grid and len(grid.cells) >= 2:
            grids.append(grid)
    return sorted(grids, key=lambda g: (g.ys[0], g.xs[0]))


def without_edges(grid: Grid, edges: set[int]) -> Grid | None:
    """The grid of the same lines but for the vertical ones at these inner edges; None when nothing is left of it."""
    across, down = grid.rules
    gone = [grid.xs[edge] for edge in edges]
    made = _grid(across, [v for v in down if all(abs(v.at - x) > 1 for x in gone)])
    return made if made is not None and len(made.cells) >= 2 else None


def joined(rules: list[Rule], snap: float) -> list[Rule]:
    """Rules moved to the mean of their neighbors within `snap`, and pieces of one line joined."""
    clusters: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: (r.at, r.start)):
        if clusters and rule.at - clusters[-1][-1].at <= snap and rule.at - clusters[-1][0].at <= 1.5 * snap:
            clusters[-1].append(rule)
        else:
            clusters.append([rule])
    joined = []
    for cluster in clusters:
        long = sum(r.end - r.start for r in cluster) or 1.0
        at = sum(r.at * (r.end - r.start) for r in cluster) / long
        open_rule: Rule | None = None
        for rule in sorted(cluster, key=lambda r: r.start):
            if open_rule and rule.start - open_rule.end <= 3:
                open_rule.end = max(open_rule.end, rule.end)
            else:
                open_rule = Rule(rule.horizontal, at, rule.start, rule.end)
                joined.append(open_rule)
    return [rule for rule in joined if rule.end - rule.start >= SHORTEST]


def _components(across: list[Rule], down: list[Rule]) -> list[tuple[list[Rule], list[Rule]]]:
    """Rules that touch one another, as groups."""
    parent = list(range(len(across) + len(down)))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for j, v in enumerate(down):
        for i, h in enumerate(across):
            if h.start - REACH <= v.at <= h.end + REACH and v.start - REACH <= h.at <= v.end + REACH:
                parent[find(i)] = find(len(across) + j)
    groups: dict[int, tuple[list[Rule], list[Rule]]] = {}
    for i, rule in enumerate([*across, *down]):
        groups.setdefault(find(i), ([], []))[0 if rule.horizontal else 1].append(rule)
    return [group for group in groups.values() if len(group[0]) >= 2 and group[1]]


def _grid(across: list[Rule], down: list[Rule]) -> Grid | None:
    xs = _edges([v.at for v in down], [h.start for h in across], [h.end for h in across], SNAP_X)
    ys = _edges([h.at for h in across], [v.start for v in down], [v.end for v in down], SNAP_Y)
    columns, rows = len(xs) - 1, len(ys) - 1
    if columns < 1 or rows < 1 or columns * rows > MOST_UNITS:
        return None
    walls = _cover(down, xs, ys)
    floors = _cover(across, ys, xs)
    parent = list(range(rows * columns))

    def find(i: int) -> int:
        while parent[i] != i:
            parent[i] = parent[parent[i]]
            i = parent[i]
        return i

    for r in range(rows):
        for c in range(columns):
            if c + 1 < columns and (c + 1, r) not in walls:
                parent[find(r * columns + c)] = find(r * columns + c + 1)
            if r + 1 < rows and (r + 1, c) not in floors:
                parent[find(r * columns + c)] = find((r + 1) * columns + c)
    regions: dict[int, list[tuple[int, int]]] = {}
    for r in range(rows):
        for c in range(columns):
            regions.setdefault(find(r * columns + c), []).append((r, c))
    grid = Grid(xs, ys, rules=(across, down))
    for region in regions.values():
        for r, c, height, width in _rectangles(region):
            number = len(grid.cells)
            grid.cells.append(Cell(r, c, height, width, xs[c], ys[r], xs[c + width], ys[r + height]))
            for i in range(r, r + height):
                for j in range(c, c + width):
                    grid.owner[i, j] = number
    return grid


def _edges(lines: list[float], starts: list[float], ends: list[float], snap: float) -> list[float]:
    """Coordinates of the lines, and the far ends of the crossing ones where no line closes the table there."""
    edges = sorted(set(lines))
    low, high = min(starts), max(ends)
    if not edges or low < edges[0] - 2 * snap:
        edges.insert(0, low)
    if high > edges[-1] + 2 * snap:
        edges.append(high)
    merged = [edges[0]]
    for edge in edges[1:]:
        if edge - merged[-1] > 1:
            merged.append(edge)
    return merged


def _cover(lines: list[Rule], at: list[float], along: list[float]) -> set[tuple[int, int]]:
    """Which unit pieces of wall are drawn: (number of the edge, number of the unit along it)."""
    walls = set()
    for line in lines:
        i = min(range(len(at)), key=lambda k: abs(at[k] - line.at))
        for j in range(len(along) - 1):
            low, high = along[j], along[j + 1]
            if min(line.end, high) - max(line.start, low) >= 0.7 * (high - low):
                walls.add((i, j))
    return walls


def _rectangles(region: list[tuple[int, int]]) -> list[tuple[int, int, int, int]]:
    """A region as rectangles (row, column, rows, columns): one if it is one, else cut into row strips."""
    rows, columns = [r for r, _ in region], [c for _, c in region]
    height, width = max(rows) - min(rows) + 1, max(columns) - min(columns) + 1
    if height * width == len(region):
        return [(min(rows), min(columns), height, width)]
    strips: list[tuple[int, int, int, int]] = []
    for r in sorted(set(rows)):
        line = sorted(c for i, c in region if i == r)
        start = previous = line[0]
        for c in [*line[1:], -9]:
            if c != previous + 1:
                strips.append((r, start, 1, previous - start + 1))
                start = c
            previous = c
    return strips
