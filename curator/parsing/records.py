"""Cells that no line separates.

Columns of numbers in one ruled row are several records; a row without inner lines (shaded ones often have none) whose
words keep to the columns of the table has those columns.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import pairwise

from curator.parsing.raw import RawCell, RawTable
from curator.parsing.words import Line, Word, join_lines, make_lines

LEAST = 3
TALL_LINES, TALL_COLUMNS = 4, 3
_NUMBER = re.compile(r"(?=.*\d)[\d\s.,%+\-–−()$€£*†:/<>≤≥~]+(?:\[\^[^\]]*\])*|[-–—:.]{1,3}|n/?a", re.IGNORECASE)


def is_number(text: str) -> bool:
    """A number, a range, a date of digits, or a mark that stands for no value."""
    return _NUMBER.fullmatch(text.strip()) is not None


def split_columns(words: list[Word], edges: list[float]) -> list[tuple[int, int, list[Word]]]:
    """A merged cell as (first column, columns, words); one part unless its words keep clear of the edges inside it.

    Args:
        words: Words of the cell.
        edges: Edges of the columns that it spans, its own two included.
    """
    whole = [(0, len(edges) - 1, words)]
    if len(words) < 2:
        return whole
    if len(edges) > TALL_COLUMNS and (tall := _tall(words, edges)):
        return tall
    columns: dict[int, list[Word]] = {}
    for word in words:
        column = min(max(bisect_right(edges, (word.x0 + word.x1) / 2) - 1, 0), len(edges) - 2)
        if word.x0 < edges[column] - 1 or word.x1 > edges[column + 1] + 1:
            return whole
        columns.setdefault(column, []).append(word)
    used = sorted(columns)
    if len(used) < 2:
        return whole
    for a, b in pairwise(used):
        gap = min(word.x0 for word in columns[b]) - max(word.x1 for word in columns[a])
        if gap < 0.8 * words[0].size:
            return whole
    return [(column, 1, columns.get(column, [])) for column in range(len(edges) - 1)]


def _tall(words: list[Word], edges: list[float]) -> list[tuple[int, int, list[Word]]]:
    """Many lines in one cell under the columns of others, as those columns; empty when they do not keep to them.

    A phrase may reach a little over the edge that the header has; one that covers two columns is prose.
    """
    lines = make_lines(words)
    if len(lines) < TALL_LINES:
        return []
    columns: dict[int, list[Word]] = {}
    clashes = 0
    for line in lines:
        used: set[int] = set()
        for phrase in _phrases(line):
            x0, x1 = phrase[0].x0, phrase[-1].x1
            over = [max(0.0, min(x1, b) - max(x0, a)) for a, b in pairwise(edges)]
            column = max(range(len(over)), key=over.__getitem__)
            if over[column] < 0.7 * (x1 - x0):
                return []
            clashes += column in used
            used.add(column)
            columns.setdefault(column, []).extend(phrase)
    if len(columns) < TALL_COLUMNS or 10 * clashes > len(lines):
        return []
    return [(column, 1, columns.get(column, [])) for column in range(len(edges) - 1)]


def _phrases(line: Line) -> list[list[Word]]:
    """Words of a line with gaps of less than a font size between them."""
    phrases: list[list[Word]] = []
    for word in sorted(line.words, key=lambda w: w.x0):
        if phrases and word.x0 - phrases[-1][-1].x1 < line.size:
            phrases[-1].append(word)
        else:
            phrases.append([word])
    return phrases


def split_gaps(table: RawTable, written: list[list[Line]]) -> tuple[RawTable, list[list[Line]]]:
    """The table with each column split that holds several columns of numbers, kept apart by gaps alone.

    Args:
        table: A ruled table.
        written: The lines of each of its cells; given back for the cells of the new table.
    """
    for column in reversed(range(len(table.xs) - 1)):
        pairs = zip(table.cells, written, strict=True)
        inside = [(cell, lines) for cell, lines in pairs if cell.column == column and cell.columns == 1 and cell.text]
        if all(lines for _, lines in inside):
            parts = _gap_columns([line for _, lines in inside for line in lines])
            if parts:
                table, written = _with_columns(table, written, column, parts)
    return table, written


def _gap_columns(lines: list[Line]) -> list[tuple[float, float]]:
    """Left and right of the columns that the lines of one column keep to; empty when they are one."""
    rows = [_phrases(line) for line in lines]
    valued = [row for row in rows if all(is_number(_text(phrase)) for phrase in row)]
    if len(valued) < LEAST:
        return []
    count = max({len(row) for row in valued}, key=lambda n: sum(len(row) == n for row in valued))
    full = [row for row in valued if len(row) == count]
    if count < 2 or len(full) < LEAST or 10 * len(full) < 8 * len(valued) or 2 * len(full) < len(rows):
        return []
    spans = [(min(row[n][0].x0 for row in full), max(row[n][-1].x1 for row in full)) for n in range(count)]
    return spans if all(b[0] - a[1] > 0.5 * lines[0].size for a, b in pairwise(spans)) else []


def _text(words: list[Word]) -> str:
    return " ".join(word.text for word in words)


def _with_columns(
    table: RawTable, written: list[list[Line]], column: int, parts: list[tuple[float, float]]
) -> tuple[RawTable, list[list[Line]]]:
    """One column in the place of which there are several; what stands over them goes to the nearest."""
    more = len(parts) - 1
    inner = [(a[1] + b[0]) / 2 for a, b in pairwise(parts)]
    xs = [*table.xs[: column + 1], *(round(x, 2) for x in inner), *table.xs[column + 1 :]]
    cells: list[RawCell] = []
    texts: list[list[Line]] = []
    for cell, lines in zip(table.cells, written, strict=True):
        start = cell.column + (more if cell.column > column else 0)
        wide = cell.columns + (more if cell.column <= column < cell.column + cell.columns else 0)
        if cell.column != column or cell.columns > 1 or not cell.text:
            cells.append(RawCell(cell.row, start, cell.rows, wide, cell.text, cell.bold, cell.lines))
            texts.append(lines)
            continue
        over = _over(lines, parts)
        for n, words in enumerate(_shared([w for line in lines if line not in over for w in line.words], inner)):
            made = make_lines(words)
            text = " > ".join([*(line.text for line in over), join_lines([line.text for line in made])])
            bold = bool(made) and all(line.bold for line in made)
            cells.append(RawCell(cell.row, column + n, cell.rows, 1, text, bold, len(made)))
            texts.append(made)
    made_table = RawTable(xs, table.ys, cells, table.place, table.size, table.origin, min(table.confidence, 0.8))
    return made_table, texts


def _over(lines: list[Line], parts: list[tuple[float, float]]) -> list[Line]:
    """Lines of a heading over all the columns: one phrase in the middle above a line with a word for each."""
    found: list[Line] = []
    for line in lines:
        phrases = _phrases(line)
        if len(phrases) > 1 or len(line.words) >= len(parts):
            break
        middle = (line.x0 + line.x1) / 2 - (parts[0][0] + parts[-1][1]) / 2
        if abs(middle) > 0.12 * (parts[-1][1] - parts[0][0]):
            break
        found.append(line)
    below = lines[len(found)] if len(found) < len(lines) else None
    return found if below is not None and len(below.words) >= len(parts) else []


def _shared(words: list[Word], inner: list[float]) -> list[list[Word]]:
    found: list[list[Word]] = [[] for _ in range(len(inner) + 1)]
    for word in words:
        found[bisect_right(inner, (word.x0 + word.x1) / 2)].append(word)
    return found


def split_rows(table: RawTable, written: list[list[Line]]) -> RawTable:
    """The table with such rows split.

    Args:
        table: A ruled table.
        written: The lines of each of its cells.
    """
    rows = range(len(table.ys) - 1)
    cuts = {r: found for r in rows if (found := _records(table, written, r))}
    if not cuts:
        return table
    sure = min(table.confidence, 0.9)
    first: dict[int, int] = {}
    ys = [table.ys[0]]
    for r in rows:
        first[r] = len(ys) - 1
        ys.extend(_borders(cuts[r]) if r in cuts else [])
        ys.append(table.ys[r + 1])
    cells = []
    for cell, lines in zip(table.cells, written, strict=True):
        end = first.get(cell.row + cell.rows, len(ys) - 1)
        if cell.row not in cuts or cell.rows > 1 or len(lines) < 2:
            cells.append(_moved(cell, first[cell.row], end - first[cell.row]))
            continue
        parts = _parts(lines, cuts[cell.row])
        for n, part in enumerate(parts):
            text = join_lines([line.text for line in part])
            bold = bool(part) and all(line.bold for line in part)
            cells.append(RawCell(first[cell.row] + n, cell.column, 1, cell.columns, text, bold, len(part)))
    return RawTable(table.xs, [round(y, 2) for y in ys], cells, table.place, table.size, table.origin, sure)


def _moved(cell: RawCell, row: int, rows: int) -> RawCell:
    return RawCell(row, cell.column, rows, cell.columns, cell.text, cell.bold, cell.lines)


def _records(table: RawTable, written: list[list[Line]], row: int) -> list[float]:
    """Baselines of the records of a row; empty when it is one record."""
    inside = [(cell, lines) for cell, lines in zip(table.cells, written, strict=True) if cell.row == row and cell.text]
    if len(inside) < 2 or any(cell.rows > 1 for cell, _ in inside):
        return []
    columns = [
        lines for _, lines in inside
        if len(lines) >= LEAST and sum(is_number(line.text) for line in lines) >= 0.8 * len(lines)
    ]  # fmt: skip
    if not columns:
        return []
    baselines: list[list[float]] = []
    for y in sorted(line.y for lines in columns for line in lines):
        if baselines and y - baselines[-1][-1] <= 0.4 * table.size:
            baselines[-1].append(y)
        else:
            baselines.append([y])
    found = [sum(ys) / len(ys) for ys in baselines if 2 * len(ys) >= len(columns)]
    other = [lines for _, lines in inside if lines not in columns and len(lines) >= 2]
    aligned = [
        lines for lines in other if sum(any(abs(line.y - y) < 3 for y in found) for line in lines) >= len(found) - 1
    ]
    return found if len(found) >= LEAST and (len(columns) >= 2 or aligned) else []


def _borders(baselines: list[float]) -> list[float]:
    """Where one record ends and the next begins."""
    return [(a + b) / 2 for a, b in pairwise(baselines)]


def _parts(lines: list[Line], baselines: list[float]) -> list[list[Line]]:
    """The lines of a cell, record by record: a line belongs to the last baseline at or above it."""
    parts: list[list[Line]] = [[] for _ in baselines]
    for line in lines:
        n = sum(1 for y in baselines[1:] if line.y >= y - 3)
        parts[n].append(line)
    return parts
