"""What a list shows: its filters, its order, and the key from which a page goes on. The same for every list.

A list is read by key, never by number: the page after a line begins behind the pair of its value in the column that
the list is sorted by and its sequence. Pages stay right while lines come and go, and the last is as fast as the first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple


class ListKey(NamedTuple):
    """The place of a line in a sorted list."""

    value: str | int
    seq: int


@dataclass(frozen=True)
class ListQuery:
    """Filters and order of a list.

    Attributes:
        sort: Column that it is sorted by; equal values by their sequence.
        descending: The other way round, sequence included.
        contains: Only lines that hold this text in one of the columns that a person looks for things by.
        like: Pairs of a column and a text that it holds, whatever the case; of a column of numbers, what the number
            is: "12", ">12", ">=12", "<12", "<=12".
        where: Pairs of a column and its exact value.
        only: Only lines with one of these ids; None = all.
        blind: The person from whom what others say of open cases is hidden; None = nobody. A filter by a column that is
            hidden leaves those lines out, and in an order by one they come last, by their sequence: else the filter
            and the order would tell what the line does not.
        without_holdout: Only lines that do not lie in the holdout.
    """

    sort: str = "seq"
    descending: bool = False
    contains: str = ""
    like: tuple[tuple[str, str], ...] = ()
    where: tuple[tuple[str, str], ...] = ()
    blind: str | None = None
    without_holdout: bool = False
    only: tuple[str, ...] | None = None

    def key_of(self, line: Any) -> ListKey:
        """The key of a line of this list: a page `after` or `before` it begins there."""
        return ListKey(getattr(line, self.sort), line.seq)

    def narrowed(self, *, contains: str = "", where: Mapping[str, str] | None = None) -> ListQuery:
        """The same list with further filters."""
        return replace(self, contains=contains or self.contains, where=(*self.where, *(where or {}).items()))
