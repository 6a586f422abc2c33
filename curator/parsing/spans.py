"""Header lines over columns that nothing rules: which labels stand over one column and which over several."""

from __future__ import annotations

from itertools import pairwise

Label = tuple[int, int, str]
"""First column, number of columns, text."""
Phrase = tuple[float, float, str]
"""Left, right, text."""
Extent = tuple[float, float]


def groups_over(lines: list[list[Phrase]], columns: list[Extent], size: float) -> list[list[Label]]:
    """Levels of a header from the top down.

    A line with fewer phrases than the one below it, each in the middle over several columns, is a level of groups;
    lines of which each phrase stands over one column are one level, their words joined.

    Args:
        lines: Header lines from the top down, each as (left, right, text) of its phrases.
        columns: Left and right of the columns of the body.
        size: Font size in points.
    """
    columns = _widened(lines[-1], columns) if lines else columns
    levels: list[list[Label]] = []
    leaves: dict[int, str] = {}
    for n, line in enumerate(lines):
        below = {_over(p, columns)[0]: p for later in lines[n + 1 :] for p in later}
        group = _groups(line, columns, below, size) if below else None
        if group is not None:
            if leaves:
                levels.append([(c, 1, text) for c, text in sorted(leaves.items())])
                leaves = {}
            levels.append(group)
            continue
        for phrase in line:
            column = _over(phrase, columns)[0]
            leaves[column] = f"{leaves[column]} {phrase[2]}" if column in leaves else phrase[2]
    if leaves:
        levels.append([(c, 1, text) for c, text in sorted(leaves.items())])
    return levels


def _widened(line: list[Phrase], columns: list[Extent]) -> list[Extent]:
    """Columns as wide as their own labels: numbers at the right end of a column hide where it begins."""
    if len(line) < len(columns) - 1:
        return columns
    wide = list(columns)
    for x0, x1, text in line:
        hits = _over((x0, x1, text), columns)
        if len(hits) == 1:
            a, b = wide[hits[0]]
            wide[hits[0]] = (min(a, x0), max(b, x1))
    return wide if all(a[1] < b[0] for a, b in pairwise(wide)) else columns


def _over(phrase: Phrase, columns: list[Extent]) -> list[int]:
    """Columns that a phrase stands over; the nearest when it stands over none."""
    x0, x1, _ = phrase
    hits = [n for n, (a, b) in enumerate(columns) if x0 < b and x1 > a]
    middle = (x0 + x1) / 2
    if len(hits) > 1:  # a label that reaches a little over its own column
        deep = [n for n in hits if min(x1, columns[n][1]) - max(x0, columns[n][0]) > 0.25 * (x1 - x0)]
        hits = deep or hits
    return hits or [
        min(range(len(columns)), key=lambda n: min(abs(columns[n][0] - middle), abs(columns[n][1] - middle)))
    ]


def _groups(
    line: list[Phrase], columns: list[Extent], leaves: dict[int, Phrase], size: float
) -> list[Label] | None:  # fmt: skip
    """The phrases with their spans when at least one stands over several columns that have labels below it."""
    found: list[Label] = []
    free = 0
    for n, phrase in enumerate(line):
        end = len(columns) if n + 1 == len(line) else max(free + 1, _over(line[n + 1], columns)[0])
        first, wide = _span(phrase, columns, range(free, end), leaves, size)
        found.append((first, wide, phrase[2]))
        free = first + wide
    if any(a[0] + a[1] > b[0] for a, b in pairwise(found)):
        return None
    return found if any(wide > 1 for _, wide, _ in found) else None


def _span(
    phrase: Phrase, columns: list[Extent], within: range, leaves: dict[int, Phrase], size: float
) -> tuple[int, int]:
    """The run of columns in whose middle the phrase stands; its own column when it is set like the label below it."""
    hits = _over(phrase, columns)
    if len(hits) > 1:
        return hits[0], hits[-1] - hits[0] + 1
    own = hits[0]
    leaf = leaves.get(own)
    x0, x1, _ = phrase
    if leaf is None:
        return own, 1
    if min(abs(x0 - leaf[0]), abs(x1 - leaf[1]), abs(x0 + x1 - leaf[0] - leaf[1]) / 2) < 0.35 * size:
        return own, 1
    best = (1.2 * size, 1, own)
    for first in range(within.start, own + 1):
        for last in range(max(own, first + 1), within.stop):
            if all(k in leaves for k in range(first, last + 1)):
                away = _away((x0 + x1) / 2, columns, first, last)
                best = min(best, (round(away, 1), last - first + 1, first))
    return best[2], best[1]


def _away(middle: float, columns: list[Extent], first: int, last: int) -> float:
    """How far a middle lies from where that of these columns may be: their outer edges hide in the gaps beside them."""
    left, right = columns[first][0], columns[last][1]
    lowest = columns[first - 1][1] if first else left
    highest = columns[last + 1][0] if last + 1 < len(columns) else right
    return max(0.0, (lowest + right) / 2 - middle, middle - (left + highest) / 2)
