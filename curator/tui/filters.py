"""What is typed into a filter line: words that a row contains, and columns that hold a value ("risk:high")."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from textual.suggester import Suggester

_PART = re.compile(r"""(\w+):(?:"([^"]*)"?|(\S*))|(\S+)""")


@dataclass(frozen=True)
class Filter:
    """A filter line that was read.

    Attributes:
        contains: The words, as one text.
        columns: Pairs of a column and what it is to hold; a column without a value yet is left out.
    """

    contains: str = ""
    columns: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True)
class Columns:
    """The columns that a filter line knows.

    Attributes:
        names: What is typed -> the column of the list.
        values: What is typed for a column -> all values that it can have, where there are few.
    """

    names: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def read(self, text: str) -> Filter:
        """Read a line; what looks like a column but is none is a word."""
        words, columns = [], []
        for part in _PART.finditer(text):
            name, quoted, value, word = part.groups()
            column = self.names.get((name or "").casefold())
            if column is None:
                words.append(word or part.group())
            elif held := (quoted if quoted is not None else value):
                columns.append((column, held))
        return Filter(" ".join(words), tuple(columns))

    def split(self, query: Filter) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
        """The columns of a filter: those that must be equal to one of their few values, and those that hold a text."""
        exact: list[tuple[str, str]] = []
        like: list[tuple[str, str]] = []
        for column, text in query.columns:
            known = {v.casefold(): v for name, held in self.values.items() if self.names[name] == column for v in held}
            value = known.get(text.casefold().replace(" ", "_"))
            (like if value is None else exact).append((column, text if value is None else value))
        return tuple(exact), tuple(like)

    def completed(self, text: str) -> str:
        """The line with its last word completed, when it can go on in one way only; else ""."""
        head, _, last = text.rpartition(" ")
        name, colon, begun = last.partition(":")
        if colon:
            ways = [f"{name}:{v}" for v in self.values.get(name.casefold(), ()) if v.startswith(begun.casefold())]
        else:
            ways = [f"{n}:" for n in self.names if last and n.startswith(last.casefold())]
        if not ways or (colon and not begun):
            return ""
        return f"{head} {ways[0]}" if head else ways[0]


class Completing(Suggester):
    """Shows in gray how the last word of a filter line may go on."""

    def __init__(self, columns: Columns) -> None:
        super().__init__(use_cache=False, case_sensitive=True)
        self._columns = columns

    async def get_suggestion(self, value: str) -> str | None:
        """The whole line, completed."""
        said = self._columns.completed(value)
        return said if said.startswith(value) and said != value else None
