"""The part of a long list that is in memory: pages read by key, near where the person looks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol

PAGE = 200
KEPT = 5 * PAGE


@dataclass(frozen=True)
class Row:
    """One row: the key that orders it, the id that names it, its cells (outside text), and a tone for state."""

    key: Hashable
    id: str
    cells: tuple[str, ...]
    tone: str = ""


class Rows(Protocol):
    """Where rows come from. Called in a worker thread, unless `immediate` says that they are in memory."""

    immediate: bool

    def count(self, contains: str) -> int:
        """How many rows the list has under this filter."""

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The rows after a key, in order; None = from the first."""

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The rows before a key, the nearest first; None = from the last."""


class ListedRows:
    """Rows that are in memory, for short lists."""

    immediate = True

    def __init__(self, rows: Sequence[Row] = ()) -> None:
        self.rows = list(rows)

    def _kept(self, contains: str) -> list[Row]:
        wanted = contains.casefold()
        return [r for r in self.rows if wanted in " ".join(r.cells).casefold()] if wanted else self.rows

    def count(self, contains: str) -> int:
        """How many contain it."""
        return len(self._kept(contains))

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        rows = self._kept(contains)
        start = 0 if key is None else next((n for n, r in enumerate(rows, 1) if r.key == key), len(rows))
        return rows[start : start + limit]

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        rows = self._kept(contains)
        end = len(rows) if key is None else next((n for n, r in enumerate(rows) if r.key == key), 0)
        return rows[max(0, end - limit) : end][::-1]


@dataclass(frozen=True)
class Read:
    """What one reading gave: rows by their place from 0, and how long the list is."""

    rows: dict[int, Row]
    count: int


def read(rows: Rows, contains: str, want: range, known: dict[int, Row], count: int) -> Read:
    """Read the pages that cover a range of places, from the nearest place whose key is known.

    Args:
        rows: Where they come from.
        contains: The filter.
        want: Places from 0 that are needed.
        known: Rows in memory, by place.
        count: Length of the list as far as it is known; -1 = to be asked.
    """
    if count < 0:
        count = rows.count(contains)
    first, last = max(0, want.start), min(count, want.stop)
    if first >= last:
        return Read({}, count)
    starts = [place for place in known if place < first]
    ends = [place for place in known if place >= last]
    low, high = max(starts, default=-1), min(ends, default=count)
    if first - low - 1 <= high - last:
        return Read(_down(rows, contains, first, last, low, known), count)
    return Read(_up(rows, contains, first, last, high, known, count), count)


def _down(rows: Rows, contains: str, first: int, last: int, low: int, known: dict[int, Row]) -> dict[int, Row]:
    found: dict[int, Row] = {}
    key, place = (known[low].key if low >= 0 else None), low + 1
    while place < last:
        page = rows.after(key, PAGE, contains)
        if not page:
            break
        if place + len(page) > first:
            found |= {place + n: row for n, row in enumerate(page)}
        key, place = page[-1].key, place + len(page)
    return found


def _up(
    rows: Rows, contains: str, first: int, last: int, high: int, known: dict[int, Row], count: int
) -> dict[int, Row]:
    found: dict[int, Row] = {}
    key, place = (known[high].key if high < count else None), high
    while place > first:
        page = rows.before(key, PAGE, contains)
        if not page:
            break
        if place - len(page) < last:
            found |= {place - 1 - n: row for n, row in enumerate(page) if place - 1 - n >= 0}
        key, place = page[-1].key, place - len(page)
    return found


def trimmed(rows: dict[int, Row], center: int) -> dict[int, Row]:
    """Only the rows near a place, so that memory stays flat."""
    if len(rows) <= KEPT:
        return rows
    return {place: row for place, row in rows.items() if abs(place - center) <= KEPT // 2}
