"""Lists by key: the WHERE and ORDER BY of a `ListQuery` over the columns of a list."""

from __future__ import annotations

import json
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from sqlalchemy import (
    ColumnElement,
    Float,
    Integer,
    Select,
    String,
    cast,
    false,
    func,
    literal,
    or_,
    select,
    true,
    tuple_,
)
from sqlalchemy.sql.elements import UnaryExpression
from sqlalchemy.sql.operators import custom_op
from sqlmodel import Session

from curator.domain.listing import ListKey, ListQuery
from curator.errors import InputError
from curator.text import nfc

_ASKED = re.compile(r"([<>]=?|=?)\s*(.*)", re.DOTALL)
_NUMBER = re.compile(r"[0-9]{1,300}(\.[0-9]{1,300})?")
_SIGNS: Mapping[str, Callable[..., ColumnElement[bool]]] = {
    "": operator.eq, "=": operator.eq, "<": operator.lt, "<=": operator.le, ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
_PLUS = custom_op[Any]("+", precedence=15)


class Stretch(NamedTuple):
    """A part of a list that is read in one go.

    Attributes:
        query: What orders and filters it.
        veiled: Only lines whose veiled columns are hidden, or only the others; None = both.
        key: Where it begins; None = at its end that comes first.
    """

    query: ListQuery
    veiled: bool | None
    key: ListKey | None


@dataclass(frozen=True)
class Listing:
    """What a list can be sorted and filtered by.

    Attributes:
        name: Of its things, for messages.
        columns: Each column of the list and what it stands for in the database; `seq` is one of them.
        sought: Columns that `ListQuery.contains` looks in.
        ranks: Columns that are sorted by a rank of their values: column -> (column of the rank, ranks by value).
        scan: There is one index over all columns, which a filter had better read from end to end than another index
            whose every entry leads to a row of the table.
        veil: Condition of the lines whose `veiled` columns are hidden from a person; see `ListQuery.blind`.
        veiled: Columns that are never empty, and are so in a line that is veiled.
        holdout: Condition of the lines that lie in the holdout; see `ListQuery.without_holdout`.
    """

    name: str
    columns: Mapping[str, ColumnElement[Any]]
    sought: tuple[str, ...]
    ranks: Mapping[str, tuple[ColumnElement[Any], Mapping[str, int]]] = field(default_factory=dict)
    scan: bool = False
    veil: Callable[[str], ColumnElement[bool]] | None = None
    veiled: frozenset[str] = frozenset()
    holdout: ColumnElement[bool] | None = None

    def filtered(self, statement: Select[Any], query: ListQuery) -> Select[Any]:
        """The statement with the filters of the query.

        Raises:
            InputError: A column that the list does not have.
        """
        scanned = self._scans(query)
        for name, value in query.where:
            column, wanted = self._exact(name, value)
            statement = statement.where((unindexed(column) if scanned else column) == wanted)
        for name, text in query.like:
            if text:
                column = self._column(name, "filtered")
                numbers = isinstance(column.type, Integer | Float)
                statement = statement.where(_compares(column, text) if numbers else _holds(column, text))
        if query.contains:
            statement = statement.where(or_(*(_holds(self.columns[name], query.contains) for name in self.sought)))
        if query.only is not None:  # as one value, since there may be more of them than a statement takes
            named = func.json_each(json.dumps(query.only)).table_valued("value")
            statement = statement.where(self._column("id", "filtered").in_(select(named.c.value)))
        if query.without_holdout and self.holdout is not None:
            statement = statement.where(~self.holdout)
        asked = {name for name, _ in query.where} | {name for name, text in query.like if text}
        return statement.where(~self.hidden(query)) if asked & self.veiled else statement

    def hidden(self, query: ListQuery) -> ColumnElement[bool]:
        """Whether the veiled columns of a line are hidden from the person who asks."""
        return false() if self.veil is None or query.blind is None else self.veil(query.blind)

    def stretches(self, query: ListQuery, key: ListKey | None, *, back: bool) -> Iterator[Stretch]:
        """The parts that a list is read in from a key on, or before it: one, unless hidden values would order it."""
        if query.blind is None or query.sort not in self.veiled:
            yield Stretch(query, None, key)
            return
        both = (Stretch(query, False, None), Stretch(replace(query, sort="seq"), True, None))
        begun = key is None
        for stretch in reversed(both) if back else both:
            if key is not None and stretch.veiled == (key.value == ""):
                begun, stretch = True, stretch._replace(key=key)
            if begun:
                yield stretch

    def page(
        self,
        statement: Select[Any],
        query: ListQuery,
        *,
        after: ListKey | None = None,
        before: ListKey | None = None,
        back: bool = False,
        limit: int = 0,
        veiled: bool | None = None,
    ) -> Select[Any]:
        """The statement with filters, order and the stretch of one page; see `store.cases.lines` and `Stretch`.

        Raises:
            InputError: A column that the list does not have.
        """
        statement = self.filtered(statement, query)
        if veiled is not None:
            statement = statement.where(self.hidden(query) if veiled else ~self.hidden(query))
        seq = self.columns["seq"]
        column = self.ranks[query.sort][0] if query.sort in self.ranks else self._column(query.sort, "sorted")
        if self._scans(query) and query.sort != "seq":
            column = unindexed(column)
        down = query.descending
        for key, below in ((after, down), (before, not down)):
            if key is not None:
                statement = statement.where(self._beyond(query.sort, column, key, below=below))
        if back or before is not None:
            down = not down
        order = (column.desc(), seq.desc()) if down else (column.asc(), seq.asc())
        return statement.order_by(*(order if query.sort != "seq" else order[1:])).limit(limit or None)

    def rows(
        self,
        session: Session,
        statement: Select[Any],
        query: ListQuery,
        *,
        after: ListKey | None,
        before: ListKey | None,
        back: bool,
        limit: int,
    ) -> list[Any]:
        """The rows of a page of the statement, which selects what a line says; see `store.cases.lines`.

        Raises:
            InputError: A column that the list does not have.
        """
        back = back or before is not None
        found: list[Any] = []
        for part, veiled, key in self.stretches(query, before or after, back=back):
            keys = {"before": key} if back else {"after": key}
            rest = limit and limit - len(found)
            found += session.execute(self.page(statement, part, **keys, back=back, limit=rest, veiled=veiled)).all()
            if limit and len(found) >= limit:
                break
        return found

    def ordering(self, sort: str) -> ColumnElement[Any]:
        """What stands in the database for the value of a key; `key` reads it."""
        return self.ranks[sort][0] if sort in self.ranks else self.columns[sort]

    def key(self, sort: str, value: Any, seq: int) -> ListKey:
        """The key of a line by its `ordering`."""
        if sort in self.ranks:
            value = next(name for name, rank in self.ranks[sort][1].items() if rank == value)
        return ListKey(value, seq)

    def _beyond(self, sort: str, column: ColumnElement[Any], key: ListKey, *, below: bool) -> ColumnElement[bool]:
        seq = self.columns["seq"]
        if sort == "seq":
            return seq < key.seq if below else seq > key.seq
        here, there = tuple_(column, seq), tuple_(literal(self._value(sort, key.value)), literal(key.seq))
        return here < there if below else here > there

    def _scans(self, query: ListQuery) -> bool:
        """Whether a query has filters for which no index has both the filter and the order."""
        plain = not query.contains and not any(text for _, text in query.like)
        by_one = plain and (not query.where or (len(query.where) == 1 and query.sort == "seq"))
        return self.scan and not by_one

    def _column(self, name: str, what: str) -> ColumnElement[Any]:
        if name not in self.columns:
            raise InputError(f"{self.name} cannot be {what} by {name}", f"use one of {', '.join(self.columns)}")
        return self.columns[name]

    def _exact(self, name: str, value: str) -> tuple[ColumnElement[Any], str | int]:
        column = self._column(name, "filtered")
        return (self.ranks[name][0], self._value(name, value)) if name in self.ranks else (column, value)

    def _value(self, name: str, value: str | int) -> Any:
        if name not in self.ranks:
            return value
        ranks = self.ranks[name][1]
        return ranks.get(str(value), min(ranks.values()) - 1)


def unindexed(column: ColumnElement[Any]) -> ColumnElement[Any]:
    """The column, by which SQLite does not choose an index."""
    return UnaryExpression(column, operator=_PLUS, type_=column.type)


def _holds(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Whether a column holds a text, whatever the case. SQLite's LIKE folds ASCII alone, and is five times as fast."""
    sought = nfc(text)
    plain = column if isinstance(column.type, String) else cast(column, String)
    if sought.isascii() or sought.lower() == sought.upper():
        return plain.contains(sought, autoescape=True)
    return func.holds(plain, sought.casefold()) == 1


def _compares(column: ColumnElement[Any], text: str) -> ColumnElement[bool]:
    """Whether a number is what is asked: "12", ">12", "<=12". A sign alone asks nothing yet; no number is a word."""
    sign, rest = _ASKED.match(text.strip()).groups()  # type: ignore[union-attr]  # it matches anything
    if not rest:
        return true()
    if not _NUMBER.fullmatch(rest):
        return false()
    return _SIGNS[sign](column, float(rest))


def holds(text: str | None, folded: str) -> bool:
    """The function `holds` of a connection: whether a text holds another, which is case-folded."""
    return folded in (text or "").casefold()
