"""Many rows at once, past the ORM: it takes ten times as long for the same INSERT."""

from __future__ import annotations

import itertools
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import Table, insert
from sqlmodel import Session, SQLModel

PART = 500
"""Most values in one IN, and most cases held at once."""

_T = TypeVar("_T")


def table_of(model: type[SQLModel]) -> Table:
    """The table that a class of `tables` describes."""
    return SQLModel.metadata.tables[str(model.__tablename__)]


def insert_rows(session: Session, model: type[SQLModel], rows: Sequence[Mapping[str, Any]]) -> None:
    """Insert rows that all name the same columns; the others get the default of the schema."""
    if rows:
        session.connection().execute(insert(table_of(model)), list(rows))


def parts(values: Iterable[_T], size: int = PART) -> Iterator[list[_T]]:
    """The values in stretches of at most `size`, in order."""
    waiting = iter(values)
    while part := list(itertools.islice(waiting, size)):
        yield part


def words(text: str) -> tuple[str, ...]:
    """The words of a JSON list; most are empty."""
    return () if text == "[]" else tuple(json.loads(text))
