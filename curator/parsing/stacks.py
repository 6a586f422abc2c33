"""Tables whose rows are ruled or shaded while nothing is drawn between their columns.

At least three lines across (or edges of shaded stripes) that share their ends make a stack. Columns are the gaps that
nearly all lines of text in it leave free; a rule says where a row ends where there are enough of them, else the text
does. What stands between the first two rules is the header.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from curator.parsing.content import PageContent, Rule
from curator.parsing.grid import joined
from curator.parsing.raw import Box, RawCell, RawTable
from curator.parsing.records import is_number
from curator.parsing.spans import groups_over
from curator.parsing.words import Line, Word, join_lines, make_lines

ENDS = 4.0
LEAST_RULES = 3
LEAST_WIDTH = 90.0
MOST_HEADER = 6
STRIPE = (6.0, 90.0)


@dataclass(slots=True)
class _Stack:
    """Lines across with the same ends."""

    x0: float
    x1: float
    ys: list[float]
    striped: bool = False


@dataclass(slots=True)
class _Phrase:
    x0: float
    x1: float
    words: list[Word]


def find_stack_tables(words: list[Word], content: PageContent, taken: list[Box]) -> tuple[list[RawTable], list[Word]]:
    """Tables of such stacks, and the words that lie in none.

    Args:
        words: Words of the page outside tables.
        content: The page, for its lines across and its shaded stripes.
        taken: Boxes of tables that are known already.
    """
    tables = []
    for stack in _stacks(content, taken):
        box = (stack.x0 - 2, stack.ys[0] - 1, stack.x1 + 2, stack.ys[-1] + 1)
        inside = [w for w in words if _lies(w, box)]
        table = _table(stack, inside, words) if inside else None
        if table is not None:
            box = (box[0], stack.ys[0] - 1, box[2], stack.ys[-1] + 1)
            inside = [w for w in words if _lies(w, box)]
            gone = {id(word) for word in inside}
            words = [word for word in words if id(word) not in gone]
            tables.append(table)
    return tables, words


def _lies(word: Word, box: Box) -> bool:
    y = word.y - 0.3 * word.size
    return box[0] <= (word.x0 + word.x1) / 2 <= box[2] and box[1] <= y <= box[3]


def _stacks(content: PageContent, taken: list[Box]) -> list[_Stack]:
    """Runs of lines across with the same ends, cut where another table or an upright line stands between."""
    rules = [Rule(True, r.at, r.start, r.end) for r in content.rules if r.horizontal]
    shaded: list[float] = []
    for x0, top, x1, bottom in content.fills:
        if STRIPE[0] <= bottom - top <= STRIPE[1]:
            rules += [Rule(True, top, x0, x1), Rule(True, bottom, x0, x1)]
            shaded += [top, bottom] if x1 - x0 >= LEAST_WIDTH else []
    rules = [r for r in joined(rules, 2.0) if r.end - r.start >= LEAST_WIDTH]
    upright = [r for r in content.rules if not r.horizontal]
    groups: list[list[Rule]] = []
    for rule in sorted(rules, key=lambda r: r.at):
        if any(b[1] - 3 <= rule.at <= b[3] + 3 and b[0] < rule.end and rule.start < b[2] for b in taken):
            continue
        home = next(
            (g for g in groups if abs(g[0].start - rule.start) < ENDS and abs(g[0].end - rule.end) < ENDS), None
        )
        if home is None:
            groups.append([rule])
        else:
            home.append(rule)
    stacks = []
    for group in groups:
        run = [group[0]]
        for a, b in pairwise(group):
            if _between(a, b, taken, upright):
                stacks.append(run)
                run = []
            run.append(b)
        stacks.append(run)
    found = []
    for run in stacks:
        if len(run) >= LEAST_RULES:
            striped = any(abs(r.at - y) < 2 for y in shaded for r in (run[0], run[-1]))
            found.append(_Stack(min(r.start for r in run), max(r.end for r in run), [r.at for r in run], striped))
    return found


def _between(a: Rule, b: Rule, taken: list[Box], upright: list[Rule]) -> bool:
    table = any(a.at < (t[1] + t[3]) / 2 < b.at and t[0] < a.end and a.start < t[2] for t in taken)
    return table or any(a.start + 3 < v.at < a.end - 3 and v.start < b.at - 2 and v.end > a.at + 2 for v in upright)


def _table(stack: _Stack, words: list[Word], around: list[Word]) -> RawTable | None:
    lines = make_lines(words)
    size = median(line.size for line in lines)
    head_known = True
    bands = [[ln for ln in lines if a <= ln.y - 0.3 * ln.size < b] for a, b in pairwise(stack.ys)]
    kept = [(y, band) for y, band in zip(stack.ys, bands, strict=False) if band]
    if len(kept) < 2:
        return None
    head, body = kept[0][1], [band for _, band in kept[1:]]
    columns = _columns([line for band in body for line in band], size)
    if len(columns) < 2:
        return None
    while len(body) > 2 and _leads(head, body[0], columns):
        head, body = [*head, *body[0]], body[1:]
    if len(head) > MOST_HEADER or _prose(body, columns) or (len(head) > 1 and _numbers(head)):
        return None
    single = [b - a for (a, b), band in zip(pairwise(stack.ys), bands, strict=True) if len(band) == 1]
    pitch = median(single) if single else 0.0
    rows = _rows(body, columns, pitch)
    if stack.striped and pitch:
        head_known, head, rows = _beyond(stack, head, rows, columns, around, pitch)
    filled = sum(1 for row in rows if len({c for line in row for c, _, _ in _cells(line, columns)}) >= 2)
    if len(rows) < 2 or 2 * filled < len(rows):
        return None
    table = _raw(stack, head, rows, columns, size)
    table.head = table.head if head_known else 0
    return table


def _numbers(lines: list[Line]) -> bool:
    """Whether half of the phrases are numbers: lines of values, not of labels."""
    phrases = [_words(phrase) for line in lines for phrase in _phrases(line)]
    return 2 * sum(is_number(text) for text in phrases) >= len(phrases)


def _leads(head: list[Line], band: list[Line], columns: list[tuple[float, float]]) -> bool:
    """Whether the band below the first lines is header too: they label few columns, it labels nearly all."""
    few = len(_cells(head[-1], columns)) < len(columns) - 1
    labels = [phrase for line in band for _, _, phrase in _cells(line, columns)]
    bold = all(line.bold for line in band) == all(line.bold for line in head)
    return few and bold and len(labels) >= len(columns) - 1 and not any(is_number(_words(p)) for p in labels)


def _beyond(
    stack: _Stack, head: list[Line], rows: list[list[Line]], columns: list[tuple[float, float]], around: list[Word],
    pitch: float,
) -> tuple[bool, list[Line], list[list[Line]]]:  # fmt: skip
    """A row without a shade of its own above or below the stripes; a first row above them makes the header unknown."""
    reach = [w for w in around if stack.x0 - 2 <= (w.x0 + w.x1) / 2 <= stack.x1 + 2]
    lines = make_lines(reach)
    below = [ln for ln in lines if stack.ys[-1] < ln.y and ln.y - 0.3 * ln.size < stack.ys[-1] + pitch]
    above = [ln for ln in lines if stack.ys[0] - pitch < ln.y - 0.3 * ln.size < stack.ys[0]]
    if below and all(_fits(line, columns) for line in below[:1]):
        for line in lines:
            near = 0 < line.y - below[-1].y < 0.88 * pitch
            if near and line not in below and all(wide == 1 for _, wide, _ in _cells(line, columns)):
                below.append(line)
        rows = [*rows, below]
        stack.ys.append(below[-1].bottom + 1)
    known = True
    if above and all(_fits(line, columns) for line in above):
        rows, head, known = [head, *rows], above, False
        stack.ys.insert(0, above[0].top - 1)
    return known, head, rows


def _fits(line: Line, columns: list[tuple[float, float]]) -> bool:
    """Two phrases at least, each over one column."""
    cells = _cells(line, columns)
    return len({column for column, _, _ in cells}) >= 2 and all(wide == 1 for _, wide, _ in cells)


def _phrases(line: Line) -> list[_Phrase]:
    phrases: list[_Phrase] = []
    for word in sorted(line.words, key=lambda w: w.x0):
        if phrases and word.x0 - phrases[-1].x1 < 0.75 * line.size:
            phrases[-1].words.append(word)
            phrases[-1].x1 = max(phrases[-1].x1, word.x1)
        else:
            phrases.append(_Phrase(word.x0, word.x1, [word]))
    return phrases


def _columns(lines: list[Line], size: float) -> list[tuple[float, float]]:
    """Left and right of the columns: what is left when the gaps that nearly all lines keep free are taken out."""
    spans = [[(p.x0, p.x1) for p in _phrases(line)] for line in lines]
    several = [line for line in spans if len(line) > 1]
    if len(several) < 2:
        return []
    allowed = 0.04 * len(several)
    edges = sorted({x for line in several for pair in line for x in pair})
    columns: list[tuple[float, float]] = []
    for a, b in pairwise(edges):
        middle = (a + b) / 2
        covered = sum(any(x0 < middle < x1 for x0, x1 in line) for line in several)
        if covered <= allowed:
            continue
        if columns and a - columns[-1][1] < 0.6 * size:
            columns[-1] = (columns[-1][0], b)
        else:
            columns.append((a, b))
    return columns


def _prose(bands: list[list[Line]], columns: list[tuple[float, float]]) -> bool:
    """Whether the columns are those of running text: long lines that fill them, many between two rules."""
    if median(len(band) for band in bands) < 6:
        return False
    full = 0
    for x0, x1 in columns:
        parts = [p for band in bands for line in band for p in _phrases(line) if x0 - 1 <= p.x0 and p.x1 <= x1 + 1]
        full += 2 * sum(p.x1 - p.x0 > 0.75 * (x1 - x0) and len(p.words) >= 4 for p in parts) > len(parts)
    return 2 * full >= len(columns)


def _cells(line: Line, columns: list[tuple[float, float]]) -> list[tuple[int, int, _Phrase]]:
    """Phrases of a line with the first column and the number of columns that each covers."""
    found = []
    for phrase in _phrases(line):
        hits = [n for n, (a, b) in enumerate(columns) if phrase.x0 < b and phrase.x1 > a]
        if not hits:
            middle = (phrase.x0 + phrase.x1) / 2
            hits = [
                min(range(len(columns)), key=lambda n: min(abs(columns[n][0] - middle), abs(columns[n][1] - middle)))
            ]
        found.append((hits[0], len(hits), phrase))
    return found


def _rows(bands: list[list[Line]], columns: list[tuple[float, float]], pitch: float) -> list[list[Line]]:
    """Lines as rows: a band of few lines is one row; in a long one a line without a first cell goes on."""
    several = sum(len(band) > 1 for band in bands)
    if len(bands) >= 4 and max(len(band) for band in bands) <= 8 and 3 * several <= 2 * len(bands):
        return [row for band in bands for row in _apart(band, 0.9 * pitch)]
    rows: list[list[Line]] = []
    for band in bands:
        steps = [b.y - a.y for a, b in pairwise(band)]
        usual = max(steps, default=0.0)
        for n, line in enumerate(band):
            cells = _cells(line, columns)
            tight = n > 0 and steps[n - 1] <= 1.15 * min(steps) < 0.88 * usual
            keyless = n > 0 and cells[0][0] > 0
            if n > 0 and (tight or (keyless and steps[n - 1] < 1.1 * min(steps))):
                rows[-1].append(line)
            else:
                rows.append([line])
    return rows


def _apart(band: list[Line], step: float) -> list[list[Line]]:
    """The lines of a band as rows where they stand as far apart as the rows of other bands."""
    rows: list[list[Line]] = []
    for line in band:
        if rows and (step <= 0 or line.y - rows[-1][-1].y < step):
            rows[-1].append(line)
        else:
            rows.append([line])
    return rows


def _raw(
    stack: _Stack, head: list[Line], rows: list[list[Line]], columns: list[tuple[float, float]], size: float
) -> RawTable:
    cells: list[RawCell] = []
    ys = [stack.ys[0]]
    number = 0
    for level in groups_over([[(p.x0, p.x1, _words(p)) for p in _phrases(line)] for line in head], columns, size):
        for column, wide, text in level:
            bold = all(line.bold for line in head)
            cells.append(RawCell(number, column, 1, wide, text, bold))
        number += 1
        ys.append(ys[-1] + 0.01)
    head_rows = number
    for row in rows:
        ys[-1] = max(ys[-1], row[0].top - 1)
        cells += _row_cells(row, number, columns)
        ys.append(row[-1].bottom + 1)
        number += 1
    edges = [stack.x0, *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), stack.x1]
    ys[-1] = max(ys[-1], ys[-2] + 0.01)
    return RawTable(
        [round(x, 2) for x in edges], [round(y, 2) for y in ys], cells, 0, size, "rules", 0.85, head=head_rows
    )


def _words(phrase: _Phrase) -> str:
    return " ".join(word.text for word in phrase.words)


def _row_cells(row: list[Line], number: int, columns: list[tuple[float, float]]) -> list[RawCell]:
    """Cells of one row: lines of one column joined, phrases of one line in one column too."""
    parts: dict[tuple[int, int], list[_Phrase]] = {}
    for line in row:
        for column, wide, phrase in _cells(line, columns):
            parts.setdefault((column, wide if len(row) == 1 or wide == len(columns) else 1), []).append(phrase)
    taken: set[int] = set()
    cells = []
    for (column, wide), phrases in sorted(parts.items()):
        while wide > 1 and any(column + k in taken or (column + k, 1) in parts for k in range(1, wide)):
            wide -= 1
        taken.update(range(column, column + wide))
        heavy = all(word.bold for phrase in phrases for word in phrase.words)
        cells.append(RawCell(number, column, 1, wide, join_lines([_words(phrase) for phrase in phrases]), heavy))
    return cells
