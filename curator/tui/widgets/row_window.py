"""The part of a long list that is in memory: pages read by key, near where the person looks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

PAGE = 200
KEPT = 5 * PAGE
STRIDE = 5000


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


@runtime_checkable
class Ordered(Rows, Protocol):
    """Rows that can be sorted by a column."""

    def ordered(self, column: str, *, descending: bool) -> Rows:
        """The same rows in another order."""


@runtime_checkable
class Far(Rows, Protocol):
    """Rows that can be walked over without being shown, so that a place in the middle is reached soon."""

    def beyond(self, key: Hashable | None, steps: int, contains: str, *, back: bool) -> Hashable | None:
        """The key so many rows after a key (before it, when going back); None when there are not so many."""


@runtime_checkable
class Named(Rows, Protocol):
    """Rows that can all be marked at once."""

    def ids(self, contains: str) -> Sequence[str]:
        """Ids of all rows under this filter."""


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
    """What one reading gave: rows by their place from 0, how long the list is, and keys of places on the way."""

    rows: dict[int, Row]
    count: int
    stones: dict[int, Hashable] = field(default_factory=dict)


def read(
    rows: Rows, contains: str, want: range, known: dict[int, Row], count: int, stones: dict[int, Hashable] | None = None
) -> Read:
    """Read the pages that cover a range of places, from the nearest place whose key is known.

    Args:
        rows: Where they come from.
        contains: The filter.
        want: Places from 0 that are needed.
        known: Rows in memory, by place.
        count: Length of the list as far as it is known; -1 = to be asked.
        stones: Keys of further places.
    """
    if count < 0:
        count = rows.count(contains)
    first, last = max(0, want.start), min(count, want.stop)
    if first >= last:
        return Read({}, count)
    keys: dict[int, Hashable | None] = {**(stones or {}), **{place: row.key for place, row in known.items()}}
    keys |= {-1: None, count: None}
    low = max(place for place in keys if place < first)
    high = min(place for place in keys if place >= last)
    walk = _Walk(rows, contains, dict(keys))
    found = walk.down(first, last, low) if first - low - 1 <= high - last else walk.up(first, last, high)
    return Read(found, count, walk.stones)


class _Walk:
    """One way through a list, from a place whose key is known."""

    def __init__(self, rows: Rows, contains: str, keys: dict[int, Hashable | None]) -> None:
        self._rows, self._contains, self._keys = rows, contains, keys
        self.stones: dict[int, Hashable] = {}

    def _leap(self, place: int, steps: int) -> int:
        """Go far at once, when the rows can; steps < 0 goes up. Gives the place that was come to."""
        while isinstance(self._rows, Far) and abs(steps) > 2 * PAGE:
            part = max(-STRIDE, min(STRIDE, steps))
            key = self._rows.beyond(self._keys[place], abs(part), self._contains, back=part < 0)
            if key is None:
                break
            place, steps = place + part, steps - part
            self._keys[place] = self.stones[place] = key
        return place

    def down(self, first: int, last: int, low: int) -> dict[int, Row]:
        """The rows from first to last, read downward from a place before them."""
        found: dict[int, Row] = {}
        at = self._leap(low, first - low - PAGE // 2)
        key, place = self._keys[at], at + 1
        while place < last:
            page = self._rows.after(key, PAGE, self._contains)
            if not page:
                break
            if place + len(page) > first:
                found |= {place + n: row for n, row in enumerate(page)}
            key, place = page[-1].key, place + len(page)
        return found

    def up(self, first: int, last: int, high: int) -> dict[int, Row]:
        """The rows from first to last, read upward from a place behind them."""
        found: dict[int, Row] = {}
        place = self._leap(high, last + PAGE // 2 - high)
        key = self._keys[place]
        while place > first:
            page = self._rows.before(key, PAGE, self._contains)
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
