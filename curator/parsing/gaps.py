"""Tables without lines between their columns: runs of lines whose phrases keep to the same columns, mostly numbers.

Prose, lists and tables of contents are not taken: a run needs three columns, or two with numbers in the second, on at
least three lines, and nearly every phrase must lie in one column.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from curator.parsing.numbering import caption_number, is_contents, read_label
from curator.parsing.raw import RawCell, RawTable
from curator.parsing.records import is_number
from curator.parsing.spans import groups_over
from curator.parsing.words import Line, Word

LEAST_ROWS = 3
MOST_HEADER = 5
TIGHT = 0.88  # of the usual step: lines of one cell
_LEADER = re.compile(r"[.…·_]{3,}|(?:\. ){3,}")


@dataclass(slots=True)
class _Phrase:
    x0: float
    x1: float
    text: str
    bold: bool


@dataclass(slots=True)
class _Row:
    """A line as phrases: words with gaps of less than 0.9 sizes between them."""

    line: Line
    phrases: list[_Phrase]

    @property
    def tabular(self) -> bool:
        values = sum(1 for phrase in self.phrases[1:] if is_number(phrase.text))
        return len(self.phrases) >= 2 and values >= max(1, 0.5 * (len(self.phrases) - 1))


def find_gap_tables(lines: list[Line]) -> list[tuple[RawTable, int, int]]:
    """Tables among the lines of one column of the page, each with its first line and the one after its last."""
    rows = [_Row(line, _phrases(line)) for line in lines]
    found: list[tuple[RawTable, int, int]] = []
    start = 0
    while start < len(rows):
        if not rows[start].tabular:
            start += 1
            continue
        end = _run_end(rows, start)
        columns = _columns(rows[start:end])
        if columns is None:
            start = max(start + 1, end if end - start > LEAST_ROWS else start + 1)
            continue
        if _contents(rows, start, end, columns):
            start = end
            continue
        end = _with_rest(rows, start, end, columns)
        first = _header_start(rows, start, columns, found[-1][2] if found else 0)
        if first == start and all(is_number(row.phrases[0].text) for row in rows[start:end] if row.tabular):
            start = end  # numbers alone, and nothing says of what: the axes of a chart
            continue
        found.append((_table(rows, first, start, end, columns), first, end))
        start = end
    return found


def _phrases(line: Line) -> list[_Phrase]:
    phrases: list[_Phrase] = []
    last: Word | None = None
    for word in sorted(line.words, key=lambda w: w.x0):
        if last is not None and word.x0 - last.x1 < 0.9 * line.size:
            phrases[-1].text += ("" if word.x0 - last.x1 < 0.1 * line.size else " ") + word.text
            phrases[-1].x1 = max(phrases[-1].x1, word.x1)
            phrases[-1].bold = phrases[-1].bold and word.bold
        else:
            phrases.append(_Phrase(word.x0, word.x1, word.text, word.bold))
        last = word
    return phrases


def _run_end(rows: list[_Row], start: int) -> int:
    """The line after the last of the run that begins here."""
    end, misses = start + 1, 0
    for n in range(start + 1, len(rows)):
        line, before = rows[n].line, rows[n - 1].line
        if line.bottom - before.bottom > 2.6 * max(line.size, before.size):
            break
        if rows[n].tabular:
            end, misses = n + 1, 0
        else:
            misses += 1
            if misses > 2 or len(line.text) > 90 or len(rows[n].phrases) > 2:
                break
    return end


def _usual(rows: list[_Row]) -> float:
    """The usual step from one row of values to the next; 0 when none follow one another."""
    steps = [b.line.y - a.line.y for a, b in pairwise(rows) if a.tabular and b.tabular]
    return median(steps) if steps else 0.0


def _with_rest(rows: list[_Row], start: int, end: int, columns: list[tuple[float, float]]) -> int:
    """The end of the run with the lines that the last row goes on in: closer than rows are, each phrase in a column."""
    usual = _usual(rows[start:end])
    while end < len(rows):
        row = rows[end]
        near = 0 < row.line.y - rows[end - 1].line.y < TIGHT * usual
        if not near or row.tabular or not all(_inside(p, columns) for p in row.phrases):
            break
        end += 1
    return end


def _inside(phrase: _Phrase, columns: list[tuple[float, float]]) -> bool:
    hits = _hits(phrase, columns)
    a, b = columns[hits[0]]
    return len(hits) == 1 and phrase.x0 > a - 2 and (phrase.x1 < b + 2 or hits[0] == 0)


def _columns(rows: list[_Row]) -> list[tuple[float, float]] | None:
    """Left and right of the columns, or None when the lines are no table."""
    tabular = [row for row in rows if row.tabular]
    if len(tabular) < LEAST_ROWS or any(_LEADER.search(row.line.text) for row in tabular):
        return None
    usual = max(len(row.phrases) for row in tabular)
    while usual > 2 and sum(1 for row in tabular if len(row.phrases) == usual) < max(2, 0.3 * len(tabular)):
        usual -= 1
    spans = sorted((p.x0, p.x1) for row in tabular if len(row.phrases) == usual for p in row.phrases)
    columns: list[list[float]] = []
    for x0, x1 in spans:
        if columns and x0 <= columns[-1][1] + 1:
            columns[-1][1] = max(columns[-1][1], x1)
        else:
            columns.append([x0, x1])
    if len(columns) != usual or usual < 2:
        return None
    edges = [(a, b) for a, b in columns]
    clear = sum(1 for row in tabular if all(len(_hits(p, edges)) == 1 for p in row.phrases))
    if clear < 0.8 * len(tabular):
        return None
    values = [p for row in tabular for p in row.phrases if _hits(p, edges)[0] > 0]
    numbers = sum(1 for p in values if is_number(p.text))
    if numbers < (0.6 if usual > 2 else 0.9) * len(values):
        return None
    if usual == 2 and median(len(row.phrases[0].text) for row in tabular) > 60:
        return None
    return edges


def _contents(rows: list[_Row], start: int, end: int, columns: list[tuple[float, float]]) -> bool:
    """Whether the lines are a table of contents without leaders: titles, and pages that never go down."""
    if len(columns) != 2:
        return False
    lines = [row for row in rows[start:end] if row.tabular]
    pages = [row.phrases[-1].text for row in lines]
    if not all(page.isdigit() and len(page) <= 4 for page in pages) or pages != sorted(pages, key=int):
        return False
    above = [row.line.text for row in rows[max(0, start - 2) : start]]
    labels = sum(read_label(row.phrases[0].text) is not None for row in lines)
    return any(map(is_contents, above)) or (2 * labels >= len(lines) and len(lines) > LEAST_ROWS)


def _hits(phrase: _Phrase, columns: list[tuple[float, float]]) -> list[int]:
    """Columns that a phrase overlaps; the nearest when it overlaps none."""
    hit = [n for n, (a, b) in enumerate(columns) if phrase.x0 < b and phrase.x1 > a]
    if hit:
        return hit
    middle = (phrase.x0 + phrase.x1) / 2
    return [min(range(len(columns)), key=lambda n: min(abs(columns[n][0] - middle), abs(columns[n][1] - middle)))]


def _header_start(rows: list[_Row], start: int, columns: list[tuple[float, float]], floor: int) -> int:
    """The first header line above the run: lines close by whose phrases stand over the columns."""
    first = start
    left, right = columns[0][0], columns[-1][1]
    while first > floor and start - first < MOST_HEADER:
        above, below = rows[first - 1], rows[first].line
        if below.bottom - above.line.bottom > 2.6 * below.size or above.line.text.endswith((".", ":")):
            break
        if caption_number(above.line.text) is not None:
            break
        reach = 20 + 0.15 * (right - left)
        inside = above.line.x0 > left - reach and above.line.x1 < right + reach
        wide = any(p.x1 - p.x0 > 0.6 * (right - left) for p in above.phrases)
        over = any(_hits(p, columns)[-1] > 0 for p in above.phrases)
        alone = len(above.phrases) < 2 and first == start and len(columns) > 2
        if alone and first - 1 > floor:  # the rest of a wrapped label, when a line of labels stands right above it
            higher = rows[first - 2]
            near = above.line.bottom - higher.line.bottom < 1.5 * below.size
            alone = not (near and len(higher.phrases) >= 2 and above.phrases[0].x0 > columns[0][1])
        if not inside or wide or not over or alone:
            break
        first -= 1
    while first < start and len(rows[first].phrases) < 2:
        phrase = rows[first].phrases[0]
        if len(_hits(phrase, columns)) >= 2 or (phrase.x0 > columns[0][1] and first + 1 < start):
            break
        first += 1
    return first


def _table(rows: list[_Row], first: int, start: int, end: int, columns: list[tuple[float, float]]) -> RawTable:
    size = rows[start].line.size
    labels = [[(p.x0, p.x1, p.text) for p in row.phrases] for row in rows[first:start]]
    bold = all(p.bold for row in rows[first:start] for p in row.phrases)
    levels = groups_over(labels, columns, size)
    cells = [[RawCell(0, column, 1, wide, text, bold) for column, wide, text in level] for level in levels]
    tops = [rows[first].line.top + 0.01 * n for n in range(len(levels))]
    usual = _usual(rows[start:end])
    waiting = ""
    for n in range(start, end):
        row = rows[n]
        if n > start and not row.tabular and _rest(row, rows[n - 1], usual, columns):
            for column, text in ((cell.column, cell.text) for cell in _body_row(row, columns)):
                _extend(cells, column, text)
            continue
        if not row.tabular and len(row.phrases) == 1 and _hits(row.phrases[0], columns)[0] == 0:
            text = row.phrases[0].text
            after = rows[n + 1] if n + 1 < end else None
            headless = after is not None and after.tabular and _hits(after.phrases[0], columns)[0] > 0
            if text[:1].islower() or text.startswith("("):
                _extend(cells, 0, text)
            elif headless or (after is not None and after.phrases[0].text[:1].islower()):
                waiting = text
            else:
                cells.append([RawCell(0, 0, 1, len(columns), text, row.phrases[0].bold)])
                tops.append(row.line.top)
            continue
        made = _body_row(row, columns)
        if waiting:
            rest = next((cell for cell in made if cell.column == 0), None)
            if rest is not None:
                rest.text = f"{waiting} {rest.text}"
            else:
                made.insert(0, RawCell(0, 0, 1, 1, waiting))
            waiting = ""
        cells.append(made)
        tops.append(row.line.top)
    ys = [*tops, rows[end - 1].line.bottom]
    flat = []
    for number, line in enumerate(cells):
        for cell in line:
            cell.row = number
            flat.append(cell)
    xs = [columns[0][0], *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), columns[-1][1]]
    return RawTable([round(x, 2) for x in xs], [round(y, 2) for y in ys], flat, 0, size, "gaps", 0.7, head=len(levels))


def _rest(row: _Row, above: _Row, usual: float, columns: list[tuple[float, float]]) -> bool:
    """Whether a line without values goes on with the row above: closer than rows are, or with nothing in front."""
    if any(is_number(phrase.text) for phrase in row.phrases):
        return False
    keyless = _hits(row.phrases[0], columns)[0] > 0
    return keyless or 0 < row.line.y - above.line.y < TIGHT * usual


def _extend(cells: list[list[RawCell]], column: int, text: str) -> None:
    """Puts the rest of a wrapped cell behind the row before."""
    for cell in cells[-1] if cells else []:
        if cell.column == column:
            cell.text += f" {text}"
            return
    if cells:
        cells[-1].append(RawCell(0, column, 1, 1, text))


def _body_row(row: _Row, columns: list[tuple[float, float]]) -> list[RawCell]:
    made: dict[int, RawCell] = {}
    for phrase in row.phrases:
        column = _hits(phrase, columns)[0]
        if column in made:
            made[column].text += f" {phrase.text}"
        else:
            made[column] = RawCell(0, column, 1, 1, phrase.text, phrase.bold)
    return [made[column] for column in sorted(made)]
