"""The history: one event for each change, with its actor. Appended, never edited."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from sqlalchemy import func
from sqlmodel import Session, col, select

from curator.store.tables import EventRow

if TYPE_CHECKING:
    from curator.store.database import Transaction


class EventLog:
    """Appends events to an open write transaction. Its sequence is the order of everything."""

    def __init__(self, session: Session, actor: str, at: str) -> None:
        self._session = session
        self.actor = actor
        self.at = at

    def append(
        self,
        entity: str,
        entity_id: str,
        verb: str,
        *,
        version: int = 0,
        data: dict[str, Any] | None = None,
        undoes: int = 0,
    ) -> int:
        """Store one event and return its sequence.

        Args:
            entity: Kind of thing: document, case, review, release ...
            entity_id: Its id.
            verb: What was done, in the past: ingested, created, edited ...
            version: Version of the thing after it.
            data: What undoing or reading the history needs, such as the content before and after.
            undoes: Sequence of the event that this one takes back; 0 = none.
        """
        row = EventRow(
            at=self.at,
            actor=self.actor,
            entity=entity,
            entity_id=entity_id,
            verb=verb,
            version=version,
            data=json.dumps(data or {}, ensure_ascii=False),
            undoes=undoes,
        )
        self._session.add(row)
        self._session.flush()
        assert row.seq is not None  # autoincrement filled it at the flush
        return row.seq


def history(tx: Transaction, entity: str, entity_id: str) -> list[dict[str, Any]]:
    """Events of one thing, oldest first: seq, at, actor, entity, entityId, verb, version, undoes, data."""
    query = (
        select(EventRow).where(EventRow.entity == entity, EventRow.entity_id == entity_id).order_by(col(EventRow.seq))
    )
    return [_told(row) for row in tx.session.exec(query)]


def _told(row: EventRow) -> dict[str, Any]:
    return {
        "seq": row.seq,
        "at": row.at,
        "actor": row.actor,
        "entity": row.entity,
        "entityId": row.entity_id,
        "verb": row.verb,
        "version": row.version,
        "undoes": row.undoes,
        "data": json.loads(row.data),
    }


def by_actor(tx: Transaction, actor: str, *, limit: int) -> list[dict[str, Any]]:
    """The last events of one actor, oldest first."""
    query = select(EventRow).where(EventRow.actor == actor).order_by(col(EventRow.seq).desc()).limit(limit)
    return [_told(row) for row in reversed(tx.session.exec(query).all())]


def after(tx: Transaction, seq: int, entity_id: str) -> list[dict[str, Any]]:
    """Events of a case, its reviews included, and of all suites, that came after one, oldest first."""
    concerned = (EventRow.entity_id == entity_id) | ((EventRow.entity == "suite") & (EventRow.verb == "released"))
    query = select(EventRow).where(col(EventRow.seq) > seq, concerned).order_by(col(EventRow.seq))
    return [_told(row) for row in tx.session.exec(query)]


def last_of(tx: Transaction, entity: str, ids: Iterable[str], verb: str) -> dict[str, int]:
    """Sequence of the last event with this verb of each thing that has one."""
    found: dict[str, int] = {}
    wanted = list(ids)
    for start in range(0, len(wanted), 500):
        query = (
            select(EventRow.entity_id, func.max(EventRow.seq))
            .where(
                EventRow.entity == entity,
                EventRow.verb == verb,
                col(EventRow.entity_id).in_(wanted[start : start + 500]),
            )
            .group_by(EventRow.entity_id)
        )
        found |= {name: seq for name, seq in tx.session.exec(query) if seq is not None}
    return found
