"""Seals: a hash beside what has no other hash, so that a bit that a disk has changed is found. Not a signature.

An event is sealed when it is appended; a reading of a document when it is stored, and again after each repair. A row of
before there were seals has "".
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from sqlalchemy import Table, bindparam, select, update
from sqlmodel import col

from curator.store.bulk import parts, table_of
from curator.store.tables import AnchorRow, BlockRow, EventRow, PageRow, RevisionRow, SectionRow

if TYPE_CHECKING:
    from curator.store.database import Transaction

_EVENT = ("seq", "at", "actor", "entity", "entity_id", "verb", "version", "data", "undoes", "decision")
_SAID = (PageRow, SectionRow, BlockRow, AnchorRow)
_ELSEWHERE = ("id", "revision_id", "source_id")  # keys: a confirmed source takes over the anchors of another


def of_event(row: Mapping[Any, Any]) -> str:
    """The seal of an event."""
    return _hash([row[name] for name in _EVENT])


def of_revision(tx: Transaction, revision_id: int) -> str:
    """The seal of a reading: of all that stands in its pages, sections, tables and anchors."""
    digest = hashlib.sha256()
    for model in _SAID:
        table = table_of(model)
        columns = [c for c in table.c if c.name not in _ELSEWHERE]
        order = table.c.number if model is PageRow else table.c.ordinal
        query = select(*columns).where(table.c.revision_id == revision_id).order_by(order)
        for row in tx.session.execute(query):
            digest.update(_line(list(row)))
    return digest.hexdigest()


def seal_revision(tx: Transaction, revision_id: int) -> None:
    """Write the seal of a reading: it says what it is meant to say."""
    table = table_of(RevisionRow)
    seal = of_revision(tx, revision_id)
    tx.session.connection().execute(update(table).where(table.c.id == revision_id).values(seal=seal))


def broken_revisions(tx: Transaction) -> Iterator[tuple[int, str, str]]:
    """Key, document and label of the readings that say something else than when they were sealed."""
    query = select(col(RevisionRow.id), col(RevisionRow.document_id), col(RevisionRow.label), col(RevisionRow.seal))
    for key, document, label, seal in tx.session.execute(query.order_by(col(RevisionRow.id))).all():
        if seal and of_revision(tx, key) != seal:
            yield key, document, label


def broken_events(tx: Transaction) -> Iterator[tuple[int, str, str]]:
    """Number, kind and id of the events that are not what was appended."""
    table: Table = table_of(EventRow)
    for row in tx.session.execute(select(table).order_by(table.c.seq)):
        if row.seal and of_event(row._mapping) != row.seal:
            yield row.seq, row.entity, row.entity_id


def seal_again(tx: Transaction) -> None:
    """Write the seals of what an erasure has changed."""
    for key, *_ in list(broken_revisions(tx)):
        seal_revision(tx, key)
    table = table_of(EventRow)
    statement = update(table).where(table.c.seq == bindparam("key")).values(seal=bindparam("made"))
    for part in parts([seq for seq, *_ in broken_events(tx)]):
        rows = tx.session.execute(select(table).where(table.c.seq.in_(part))).all()
        tx.session.connection().execute(statement, [{"key": r.seq, "made": of_event(r._mapping)} for r in rows])


def _hash(values: list[Any]) -> str:
    return hashlib.sha256(_line(values)).hexdigest()


def _line(values: list[Any]) -> bytes:
    return json.dumps(values, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass") + b"\n"
