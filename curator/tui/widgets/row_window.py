"""The part of a long list that is in memory: pages read by key, near where the person looks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeVar, runtime_checkable

PAGE = 200
KEPT = 5 * PAGE
Kept = TypeVar("Kept")


@dataclass(frozen=True)
class Row:
    """One row: the key that orders it, the id that names it, its cells (outside text), and a tone for state.

    `offers` names actions that only some rows take.
    """

    key: Hashable
    id: str
    cells: tuple[str, ...]
    tone: str = ""
    offers: frozenset[str] = frozenset()


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
class Placed(Rows, Protocol):
    """Rows that know the key of a place, so that the middle of a list is reached without the rows before it."""

    def key_at(self, place: int, contains: str, *, back: bool) -> Hashable | None:
        """The key of a row by its place, 0 the first (back: the last); None when there are not so many."""


@runtime_checkable
class Named(Rows, Protocol):
    """Rows that can all be marked at once."""

    def ids(self, contains: str) -> Sequence[str]:
        """Ids of all rows under this filter."""


@runtime_checkable
class Noting(Rows, Protocol):
    """Rows that a filter may leave out for another reason than what they hold."""

    def note(self, contains: str) -> str:
        """What is to be said of that; "" = nothing."""


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
    """What one reading gave: rows by their place from 0, and how long the list is; -1 = longer than what was read."""

    rows: dict[int, Row]
    count: int


def read_first(rows: Rows, contains: str) -> Read:
    """Read the first page, and nothing else: the rows are counted only when they do not all stand on it."""
    page = rows.after(None, PAGE, contains)
    return Read(dict(enumerate(page)), len(page) if len(page) < PAGE else -1)


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
    low = max((place for place in known if place < first), default=-1)
    high = min((place for place in known if place >= last), default=count)
    if isinstance(rows, Placed) and min(first - low, high - last) > PAGE:
        low, key = _placed(rows, contains, max(0, first - PAGE // 2), count)
        return Read(_down(rows, contains, first, last, low, key), count)
    if first - low - 1 <= high - last:
        return Read(_down(rows, contains, first, last, low, known[low].key if low >= 0 else None), count)
    return Read(_up(rows, contains, first, last, high, known[high].key if high < count else None), count)


def _placed(rows: Placed, contains: str, place: int, count: int) -> tuple[int, Hashable | None]:
    """A place and its key, counted from the nearer end; the place before the first when the list has become shorter."""
    back = place > count // 2
    key = rows.key_at(count - 1 - place if back else place, contains, back=back)
    return (place, key) if key is not None else (-1, None)


def _down(rows: Rows, contains: str, first: int, last: int, low: int, key: Hashable | None) -> dict[int, Row]:
    """The rows from first to last, read downward from the key of a place before them."""
    found: dict[int, Row] = {}
    place = low + 1
    while place < last:
        page = rows.after(key, PAGE, contains)
        if not page:
            break
        if place + len(page) > first:
            found |= {place + n: row for n, row in enumerate(page)}
        key, place = page[-1].key, place + len(page)
    return found


def _up(rows: Rows, contains: str, first: int, last: int, high: int, key: Hashable | None) -> dict[int, Row]:
    """The rows from first to last, read upward from the key of a place behind them."""
    found: dict[int, Row] = {}
    place = high
    while place > first:
        page = rows.before(key, PAGE, contains)
        if not page:
            break
        if place - len(page) < last:
            found |= {place - 1 - n: row for n, row in enumerate(page) if place - 1 - n >= 0}
        key, place = page[-1].key, place - len(page)
    return found


def trimmed(rows: dict[int, Kept], center: int) -> dict[int, Kept]:
    """Only what is kept near a place, so that memory stays flat."""
    if len(rows) <= KEPT:
        return rows
    return {place: row for place, row in rows.items() if abs(place - center) <= KEPT // 2}
