"""Tables of words that nothing rules: lines whose phrases begin in the same columns, with gutters that stay free.

Numbers need no more proof (`gaps`); words do, since lists, forms and prose set in columns look alike. So a run of lines
counts when a caption stands above it, when its first line alone is bold, or when three columns and four rows are kept.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise
from statistics import median

from curator.parsing.numbering import caption_number, is_item, read_label
from curator.parsing.raw import RawCell, RawTable
from curator.parsing.words import Line, Word, join_lines

GUTTER = 0.8  # of the font size, between two columns
STEP = 2.7  # of the font size, from one line to the next
WIDE = 1.22  # of the usual step within a cell: a new row
LEAST_ROWS = 3
LEAST_ROWS_ALONE = 4
LONGEST_PLAIN = 40  # characters
START = 2.5  # points that beginnings of one column lie apart
_FIGURE = re.compile(r"fig|chart|diagram|abb|plate|그림|图|圖|図", re.IGNORECASE)
_LEGEND = re.compile(r"\S{1,3}:\s")
_LEADER = re.compile(r"[.…·_]{3,}|(?:\. ){3,}")
Span = tuple[float, float]


@dataclass(slots=True)
class _Phrase:
    x0: float
    x1: float
    words: list[Word]

    @property
    def text(self) -> str:
        return " ".join(word.text for word in self.words)

    @property
    def bold(self) -> bool:
        return all(word.bold for word in self.words)


@dataclass(slots=True)
class _Row:
    line: Line
    phrases: list[_Phrase]


def find_aligned_tables(lines: list[Line]) -> list[tuple[RawTable, int, int]]:
    """Tables among the lines of one column of the page, each with its first line and the one after its last."""
    rows = [_Row(line, _phrases(line)) for line in lines]
    found: list[tuple[RawTable, int, int]] = []
    start = 0
    while start < len(rows):
        if len(rows[start].phrases) < 2 or rows[start].line.text[:1] in "•●○▪■–-":
            start += 1
            continue
        run = _run(rows, start)
        table = _table(rows, start, *run) if run else None
        if run and table:
            found.append((table, start, run[0]))
            start = run[0]
        else:
            start += 1
    return found


def _phrases(line: Line) -> list[_Phrase]:
    phrases: list[_Phrase] = []
    for word in sorted(line.words, key=lambda w: w.x0):
        if phrases and word.x0 - phrases[-1].x1 < GUTTER * line.size:
            phrases[-1].words.append(word)
            phrases[-1].x1 = max(phrases[-1].x1, word.x1)
        else:
            phrases.append(_Phrase(word.x0, word.x1, [word]))
    return phrases


def _run(rows: list[_Row], start: int) -> tuple[int, list[Span]] | None:
    """The line after the last of the run that begins here, and its columns: left and right."""
    columns = [(p.x0, p.x1) for p in rows[start].phrases]
    end = start + 1
    for n in range(start + 1, len(rows)):
        line, before = rows[n].line, rows[n - 1].line
        if not 0 < line.y - before.y < STEP * max(line.size, before.size) or abs(line.size - before.size) > 1.5:
            break
        wider = _widened(columns, rows[n].phrases, line.size)
        if wider is None:
            break
        columns, end = wider, n + 1
    while end > start + 1 and len(rows[end - 1].phrases) < 2 and _hit(rows[end - 1].phrases[0], columns) == 0:
        end -= 1  # what follows the table begins at its left edge
    return (end, columns) if end - start >= LEAST_ROWS else None


def _widened(columns: list[Span], phrases: list[_Phrase], size: float) -> list[Span] | None:
    """The columns with the phrases of one more line in them; None when one does not keep to them."""
    wide = list(columns)
    taken = set()
    for phrase in phrases:
        hits = [n for n, (a, b) in enumerate(wide) if phrase.x0 < b + 0.2 * size and phrase.x1 > a - 0.2 * size]
        if len(hits) > 1 or (hits and hits[0] in taken):
            return None
        if not hits:
            return None
        n = hits[0]
        taken.add(n)
        wide[n] = (min(wide[n][0], phrase.x0), max(wide[n][1], phrase.x1))
    clear = all(b[0] - a[1] >= 0.7 * size for a, b in pairwise(wide))
    return wide if clear else None


def _hit(phrase: _Phrase, columns: list[Span]) -> int:
    middle = (phrase.x0 + phrase.x1) / 2
    return min(range(len(columns)), key=lambda n: max(columns[n][0] - middle, middle - columns[n][1], 0.0))


def _table(rows: list[_Row], start: int, end: int, columns: list[Span]) -> RawTable | None:
    """The run as a table, or None when it is none."""
    inside = rows[start:end]
    if any(_LEADER.search(row.line.text) for row in inside) or not _columnar(inside, columns):
        return None
    groups = _grouped(inside, columns)
    if groups is None:
        return None
    full = [group for group in groups if len(_filled(group, columns)) >= max(2, len(columns) - 1)]
    bold_head = _bold(groups[0]) and not any(_bold(group) for group in groups[1:])
    captioned = _captioned(rows, start) or _captioned_below(rows, end)
    if len(groups) < LEAST_ROWS or 4 * len(full) < 3 * len(groups):
        return None
    if not captioned and not (bold_head and len(columns) > 2) and not _plainly(groups, columns):
        return None
    return _raw(groups, columns, head=bold_head)


def _captioned(rows: list[_Row], start: int) -> bool:
    """Whether the line above the run, or the first of two, is a caption of a table."""
    for back in (1, 2):
        if start - back < 0:
            return False
        line, below = rows[start - back].line, rows[start - back + 1].line
        if below.y - line.y > 3.2 * below.size:
            return False
        if caption_number(line.text) is not None:
            return _FIGURE.match(line.text) is None
    return False


def _captioned_below(rows: list[_Row], end: int) -> bool:
    """Whether the line below the run is a caption of a table."""
    if end >= len(rows) or rows[end].line.y - rows[end - 1].line.y > 3.2 * rows[end].line.size:
        return False
    text = rows[end].line.text
    return caption_number(text) is not None and _FIGURE.match(text) is None


def _plainly(groups: list[list[_Row]], columns: list[Span]) -> bool:
    """Three columns, four rows, and every column begins at one place."""
    if len(columns) < 3 or len(groups) < LEAST_ROWS_ALONE:
        return False
    for n in range(len(columns)):
        starts = [p.x0 for group in groups for row in group for p in row.phrases if _hit(p, columns) == n]
        if sum(abs(x - min(starts)) < START for x in starts) < 0.9 * len(starts):
            return False
    texts = [p.text for group in groups for row in group for p in row.phrases]
    legend = sum(_LEGEND.match(text) is not None for text in texts)
    return (
        median(len(text) for text in texts) < LONGEST_PLAIN and 3 * legend < len(texts) and not _listed(groups, columns)
    )


def _listed(groups: list[list[_Row]], columns: list[Span]) -> bool:
    """Whether the first column holds the marks of a list or the numbers of provisions."""
    first = [p.text for group in groups for row in group for p in row.phrases if _hit(p, columns) == 0]
    return 2 * sum(is_item(f"{text} ") or read_label(f"{text} X") is not None for text in first) >= len(first)


def _columnar(rows: list[_Row], columns: list[Span]) -> bool:
    """Whether the columns are those of a table: no list with its marks set apart, no prose in all of them."""
    parts: list[list[_Phrase]] = [[] for _ in columns]
    for row in rows:
        for phrase in row.phrases:
            parts[_hit(phrase, columns)].append(phrase)
    if any(len(part) < 2 for part in parts):
        return False
    if len(columns) == 2 and _listed([rows], columns):
        return False
    prose = 0
    for (x0, x1), part in zip(columns, parts, strict=True):
        filled = sum(p.x1 - p.x0 > 0.75 * (x1 - x0) and len(p.words) >= 4 for p in part)
        prose += 2 * filled > len(part) and len(part) >= 4
    return prose < len(columns) - (len(columns) > 2) and prose <= 1


def _grouped(rows: list[_Row], columns: list[Span]) -> list[list[_Row]] | None:
    """Lines by row: where lines of a cell are closer than rows are, by that; else a first cell begins a row."""
    steps = [b.line.y - a.line.y for a, b in pairwise(rows)]
    least = min(steps)
    wide = [step > WIDE * least for step in steps]
    keys = [any(_hit(p, columns) == 0 for p in row.phrases) for row in rows]
    groups: list[list[_Row]] = [[rows[0]]]
    if any(wide) and not all(wide):
        for row, apart in zip(rows[1:], wide, strict=True):
            if apart:
                groups.append([row])
            else:
                groups[-1].append(row)
        named = all(any(_hit(p, columns) == 0 for row in group for p in row.phrases) for group in groups)
        if named and len(groups) >= LEAST_ROWS:
            return groups
    if not keys[0]:
        return None
    groups = [[rows[0]]]
    for row, key in zip(rows[1:], keys[1:], strict=True):
        if key and not (len(row.phrases) == 1 and row.phrases[0].text[:1].islower()):
            groups.append([row])
        else:
            groups[-1].append(row)
    return groups


def _filled(group: list[_Row], columns: list[Span]) -> set[int]:
    return {_hit(p, columns) for row in group for p in row.phrases}


def _bold(group: list[_Row]) -> bool:
    return all(p.bold for row in group for p in row.phrases)


def _raw(groups: list[list[_Row]], columns: list[Span], *, head: bool) -> RawTable:
    size = groups[-1][0].line.size
    cells: list[RawCell] = []
    ys = [groups[0][0].line.top - 1]
    for number, group in enumerate(groups):
        parts: dict[int, list[_Phrase]] = {}
        for row in group:
            for phrase in row.phrases:
                parts.setdefault(_hit(phrase, columns), []).append(phrase)
        for column, phrases in sorted(parts.items()):
            text = join_lines([p.text for p in phrases])
            cells.append(RawCell(number, column, 1, 1, text, all(p.bold for p in phrases), len(phrases)))
        ys.append(group[-1].line.bottom + 1)
    xs = [columns[0][0], *((a[1] + b[0]) / 2 for a, b in pairwise(columns)), columns[-1][1]]
    return RawTable(
        [round(x, 2) for x in xs], [round(y, 2) for y in ys], cells, 0, size, "gaps", 0.6, head=1 if head else 0
    )
