"""Rows of lists that were imported, by digests of what they say: a list that is read again is recognized by them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from sqlmodel import col, select

from curator.store.bulk import insert_rows, parts
from curator.store.database import Transaction
from curator.store.tables import ListRowRow


class Known(NamedTuple):
    """A row that is here.

    Attributes:
        asked: Digest of what is asked and how it is answered.
        named: Digest of the list's own id and what is asked.
        said: Digest of everything that the row said when it was imported.
        case_id: The case that it became.
    """

    asked: bytes
    named: bytes
    said: bytes
    case_id: str


def known(tx: Transaction, asked: Iterable[bytes], named: Iterable[bytes]) -> list[Known]:
    """The rows that ask and answer the same as one of these, or that the list calls the same."""
    found: dict[bytes, Known] = {}
    for column, wanted in ((ListRowRow.asked, asked), (ListRowRow.named, named)):
        for part in parts(dict.fromkeys(wanted)):
            query = select(ListRowRow.asked, ListRowRow.named, ListRowRow.said, ListRowRow.case_id)
            for row in tx.session.execute(query.where(col(column).in_(part))):
                found[row[0]] = Known._make(row)
    return list(found.values())


def add(tx: Transaction, rows: Sequence[Known]) -> None:
    """Remember rows, in the transaction that stores their cases."""
    insert_rows(tx.session, ListRowRow, [r._asdict() for r in rows])
