"""A part of a page that a person says is a table: its columns are the gaps that its lines keep, its rows the lines."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from curator.parsing.content import PageContent
from curator.parsing.grid import Cell, Grid
from curator.parsing.page import lay_out
from curator.parsing.pdfium import read_page
from curator.parsing.raw import Box, RawPage
from curator.parsing.words import Line, make_lines, make_words

GAP = 0.9
SLACK = 1.0
Span = tuple[float, float]


def page_by_region(document: Any, index: int, box: Box) -> RawPage:
    """The page with this index, from 0, with one table: what stands in a box of the display, in points.

    Raises:
        Unreadable: pdfium cannot load the page.
    """
    content = read_page(document, index)
    grid = region_grid(content, box) if content.turn == 0 else None
    page = lay_out(content, index + 1, [grid] if grid is not None else [])
    if grid is None:
        page.tables = []
    for table in page.tables:
        table.origin, table.confidence = "region", 0.6
    if content.turn:
        page.flags.append(("engine", f"page {index + 1} is set sideways: no part of it can be marked"))
    return page


def region_grid(content: PageContent, box: Box) -> Grid | None:
    """The cells in a box; None when its lines keep to fewer than two columns, or are fewer than two."""
    left, top, right, bottom = box[0] - SLACK, box[1] - SLACK, box[2] + SLACK, box[3] + SLACK
    inside = [
        g for g in content.glyphs
        if left <= (g.x0 + g.x1) / 2 <= right and top <= g.y - 0.3 * g.style.size <= bottom
    ]  # fmt: skip
    lines = make_lines(make_words(inside))
    spans = [_spans(line) for line in lines]
    columns = _columns([s for s in spans if len(s) > 1])
    if len(columns) < 2:
        return None
    first = next(n for n, s in enumerate(spans) if len(s) > 1)
    rows = _rows(lines[first:], spans[first:], columns)
    if len(rows) < 2:
        return None
    edges = [columns[0][0] - SLACK, *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), columns[-1][1] + SLACK]
    edges[0], edges[-1] = min(edges[0], left), max(edges[-1], right)
    ys = [rows[0][0].top - SLACK, *((a[-1].bottom + b[0].top) / 2 for a, b in pairwise(rows))]
    return _grid(edges, [*ys, rows[-1][-1].bottom + SLACK])


def _spans(line: Line) -> list[Span]:
    """Left and right of the phrases of a line: words with gaps of less than a font size between them."""
    found: list[Span] = []
    for word in sorted(line.words, key=lambda w: w.x0):
        if found and word.x0 - found[-1][1] < GAP * line.size:
            found[-1] = (found[-1][0], max(found[-1][1], word.x1))
        else:
            found.append((word.x0, word.x1))
    return found


def _columns(lines: list[list[Span]]) -> list[Span]:
    """Columns that do not touch: those of the lines with the usual number of phrases, else what all phrases leave."""
    if not lines:
        return []
    counts = Counter(len(line) for line in lines)
    usual = max(counts, key=lambda n: (counts[n], n))
    full = [line for line in lines if len(line) == usual]
    spans = [(min(line[n][0] for line in full), max(line[n][1] for line in full)) for n in range(usual)]
    if all(b[0] > a[1] for a, b in pairwise(spans)):
        return spans
    merged: list[Span] = []
    for x0, x1 in sorted(s for line in lines for s in line):
        if merged and x0 <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], x1))
        else:
            merged.append((x0, x1))
    return merged


def _rows(lines: list[Line], spans: list[list[Span]], columns: list[Span]) -> list[list[Line]]:
    """Lines by row: one that has nothing in the first column goes on with the row above."""
    rows: list[list[Line]] = []
    for line, parts in zip(lines, spans, strict=True):
        keyless = parts[0][0] > columns[0][1]
        close = bool(rows) and line.top - rows[-1][-1].bottom < 0.6 * line.size
        if rows and len(rows) > 1 and keyless and close and len(parts) < len(columns):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _grid(xs: list[float], ys: list[float]) -> Grid:
    grid = Grid(xs, ys)
    for r in range(len(ys) - 1):
        for c in range(len(xs) - 1):
            grid.owner[(r, c)] = len(grid.cells)
            grid.cells.append(Cell(r, c, 1, 1, xs[c], ys[r], xs[c + 1], ys[r + 1]))
    return grid
