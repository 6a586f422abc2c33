"""The one module that knows camelot: where the tables of one page and their cells lie, in the reading process.

Only its geometry is taken. The text of the cells is ours, so that marks, hyphens and spaces are as everywhere else.
"""

from __future__ import annotations

import warnings
from io import BytesIO
from itertools import pairwise
from typing import Any

from curator.parsing.grid import Cell, Grid
from curator.parsing.page import lay_out
from curator.parsing.pdfium import read_page
from curator.parsing.raw import RawPage

CELLS = 20_000


def page_by_camelot(document: Any, index: int) -> RawPage:
    """The page with this index, from 0, its tables as camelot's hybrid reading finds them.

    Raises:
        Unreadable: pdfium cannot load the page.
    """
    content = read_page(document, index)
    found = [_grid(table, content.height) for table in _tables(_alone(document, index))] if content.turn == 0 else []
    page = lay_out(content, index + 1, [grid for grid, _ in found if grid is not None])
    sure = {tuple(round(x, 2) for x in grid.xs): value for grid, value in found if grid is not None}
    for table in page.tables:
        table.origin = "camelot"
        table.confidence = sure.get(tuple(table.xs), 0.5)
    if content.turn:
        page.flags.append(("engine", f"page {index + 1} is set sideways: camelot does not read it"))
    return page


def _alone(document: Any, index: int) -> bytes:
    """The page as a file of its own, without encryption."""
    import pypdfium2

    single = pypdfium2.PdfDocument.new()
    try:
        single.import_pages(document, [index])
        out = BytesIO()
        single.save(out)
        return out.getvalue()
    finally:
        single.close()


def _tables(data: bytes) -> list[Any]:
    import camelot

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return list(camelot.read_pdf(data, pages="1", flavor="hybrid", suppress_stdout=True))


def _grid(table: Any, height: float) -> tuple[Grid | None, float]:
    """Its cells in display coordinates, those that no line separates as one, and how sure camelot is, 0 to 1."""
    xs = [float(table.cols[0][0]), *(float(right) for _, right in table.cols)]
    ys = [height - float(table.rows[0][0]), *(height - float(low) for _, low in table.rows)]
    rows, columns = len(ys) - 1, len(xs) - 1
    rising = all(a < b for edges in (xs, ys) for a, b in pairwise(edges))
    if not rising or rows * columns > CELLS or rows < 1 or columns < 1:
        return None, 0.0
    grid = Grid(xs, ys)
    for r in range(rows):
        for c in range(columns):
            if (r, c) in grid.owner:
                continue
            wide = _run(table.cells[r], c, "right", "left")
            high = _run([line[c] for line in table.cells], r, "bottom", "top") if wide == 1 else 1
            number = len(grid.cells)
            grid.cells.append(Cell(r, c, high, wide, xs[c], ys[r], xs[c + wide], ys[r + high]))
            grid.owner.update({(i, j): number for i in range(r, r + high) for j in range(c, c + wide)})
    report = table.parsing_report
    return grid, round(float(report.get("confidence", report.get("accuracy", 50.0) / 100)), 2)


def _run(cells: list[Any], first: int, near: str, far: str) -> int:
    """How many cells from `first` on have no line between them."""
    n = first
    while n + 1 < len(cells) and not getattr(cells[n], near) and not getattr(cells[n + 1], far):
        n += 1
    return n - first + 1
