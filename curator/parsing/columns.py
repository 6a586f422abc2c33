"""The order in which a page is read: columns of prose first left, then right; everything else from the top down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

LEAST_ROWS = 4
LEAST_SHARE = 0.16
LEAST_LETTERS = 16


@dataclass(slots=True)
class Block:
    """Anything that takes part in the order: a phrase (`table` None) or a whole table."""

    x0: float
    top: float
    x1: float
    bottom: float
    item: Any
    table: bool = False


def in_columns(blocks: list[Block], depth: int = 0) -> list[list[Block]]:
    """Groups of blocks in reading order; blocks of one group are read from the top down.

    A gutter splits a stretch of the page only if both sides are prose: several rows that mostly fill their side.
    The narrow column of numbers beside a regulation's text is no column of its own.
    """
    if depth > 4 or len(blocks) < 2 * LEAST_ROWS:
        return [blocks] if blocks else []
    gutter = _gutter(blocks)
    if gutter is None:
        return [blocks]
    groups: list[list[Block]] = []
    left: list[Block] = []
    right: list[Block] = []
    across: list[Block] = []

    def flush() -> None:
        nonlocal left, right, across
        if left and right:
            if across:
                groups.append(across)
            groups.extend(in_columns(left, depth + 1))
            groups.extend(in_columns(right, depth + 1))
        elif across or left or right:
            groups.append(across + left + right)
        left, right, across = [], [], []

    for block in sorted(blocks, key=lambda b: (b.top, b.x0)):
        if block.x1 <= gutter + 0.5:
            left.append(block)
        elif block.x0 >= gutter - 0.5:
            right.append(block)
        else:
            if left or right:
                flush()
            across.append(block)
    flush()
    return groups


def _rows(blocks: list[Block]) -> list[list[Block]]:
    rows: list[list[Block]] = []
    for block in sorted(blocks, key=lambda b: (b.bottom, b.x0)):
        if rows and not block.table and not rows[-1][0].table and block.bottom - rows[-1][0].bottom < 3:
            rows[-1].append(block)
        else:
            rows.append([block])
    return rows


def _gutter(blocks: list[Block], nested: int = 0) -> float | None:
    """The x of the best gutter between two columns of prose, or None."""
    rows = _rows(blocks)
    start, end = min(b.x0 for b in blocks), max(b.x1 for b in blocks)
    width = end - start
    if len(rows) < LEAST_ROWS or width < 120:
        return None
    ends = sorted({round(b.x1, 0) for b in blocks if start + LEAST_SHARE * width < b.x1 < end - LEAST_SHARE * width})
    best: tuple[float, float] | None = None
    for x in ends[:: max(1, len(ends) // 60)]:
        crossing = sum(1 for b in blocks if b.x0 < x - 1 and b.x1 > x + 1)
        nxt = min((b.x0 for b in blocks if b.x0 >= x - 0.5), default=x)
        if nxt - x < 5 or crossing > 0.4 * len(rows):
            continue
        middle = (x + nxt) / 2
        crossing = sum(1 for b in blocks if b.x0 < middle < b.x1)
        if crossing > 0.4 * len(rows):
            continue
        score = _prose(blocks, start, middle, end, nested)
        if score and (best is None or score - crossing > best[0]):
            best = (score - crossing, middle)
    return best[1] if best else None


def _worded(row: list[Block]) -> bool:
    """Whether a row is long enough for a line of prose; a cell of a table seldom is."""
    text = "".join(word.text for block in row for word in block.item)
    return len(text) + sum(ch > "\u2e80" for ch in text) >= LEAST_LETTERS


def _prose(blocks: list[Block], start: float, middle: float, end: float, nested: int) -> float:
    """How many rows both sides fill with prose; 0 when one side is neither a column nor several of them."""
    score = 0.0
    for low, high in ((start, middle), (middle, end)):
        side = [b for b in blocks if b.x0 >= low - 1 and b.x1 <= high + 1]
        if not side:
            return 0
        left, right = min(b.x0 for b in side), max(b.x1 for b in side)
        width = right - left
        if width < LEAST_SHARE * (end - start):
            return 0
        rows = _rows([b for b in side if not b.table])
        wide = [row for row in rows if sum(b.x1 - b.x0 for b in row) >= 0.62 * width and len(row) <= 3]
        full = len(wide) if 2 * sum(_worded(row) for row in wide) >= len(wide) else 0
        tables = sum(1 for b in side if b.table and b.x1 - b.x0 >= 0.5 * width)
        thin = len(rows) < LEAST_ROWS or 2 * full < len(rows)
        if thin and not (tables and len(rows) <= 2):
            if nested >= 2 or len(side) < 2 * LEAST_ROWS or _gutter(side, nested + 1) is None:
                return 0
            full = len(rows) // 2
        score += full + tables
    return score
