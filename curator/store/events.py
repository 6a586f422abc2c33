"""The history: one event for each change, with its actor. Appended, never edited."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import func
from sqlmodel import Session, col, select

from curator.store.bulk import PART, insert_rows, parts
from curator.store.seals import of_event
from curator.store.tables import EventRow

if TYPE_CHECKING:
    from curator.store.database import Transaction


class Event(NamedTuple):
    """One change, before it is stored.

    Attributes:
        entity: Kind of thing: document, case, review, suite ...
        entity_id: Its id.
        verb: What was done, in the past: ingested, created, edited ...
        version: Version of the thing after it.
        data: What undoing or reading the history needs, as a JSON object: the content before and after ...
        undoes: Sequence of the event that this one takes back; 0 = none.
    """

    entity: str
    entity_id: str
    verb: str
    version: int = 0
    data: str = "{}"
    undoes: int = 0


class EventLog:
    """Appends events to an open write transaction. Its sequence is the order of everything.

    Attributes:
        actor: Who writes.
        at: When, as the clock said.
        decision: Sequence of the first event of this transaction, which all of them carry; 0 before there is one.
    """

    def __init__(self, session: Session, actor: str, at: str) -> None:
        self._session = session
        self._last = 0
        self.actor = actor
        self.at = at
        self.decision = 0

    def append(
        self, entity: str, entity_id: str, verb: str, *, version: int = 0, data: dict[str, Any] | None = None
    ) -> int:
        """Store one event and return its sequence; the arguments are those of `Event`."""
        return self.append_many([Event(entity, entity_id, verb, version, as_data(data or {}))])[0]

    def append_many(self, events: Sequence[Event]) -> range:
        """Store events in their order and return their sequences."""
        if not self._last:
            # the write lock is held: nobody else takes a number
            self._last = self._session.execute(func.coalesce(func.max(EventRow.seq), 0).select()).scalar_one()
        taken = range(self._last + 1, self._last + 1 + len(events))
        if not taken:
            return taken
        self._last = taken[-1]
        self.decision = self.decision or taken[0]
        common = {"at": self.at, "actor": self.actor, "decision": self.decision}
        rows = [{**e._asdict(), **common, "seq": seq} for seq, e in zip(taken, events, strict=True)]
        insert_rows(self._session, EventRow, [{**row, "seal": of_event(row)} for row in rows])
        return taken


def as_data(value: dict[str, Any]) -> str:
    """The JSON of an event's data."""
    return json.dumps(value, ensure_ascii=False)


def history(tx: Transaction, entity: str, entity_id: str) -> list[dict[str, Any]]:
    """Events of one thing, oldest first: seq, at, actor, entity, entityId, verb, version, undoes, decision, data."""
    query = (
        select(EventRow).where(EventRow.entity == entity, EventRow.entity_id == entity_id).order_by(col(EventRow.seq))
    )
    return [_told(row) for row in tx.session.exec(query)]


def of_kind(tx: Transaction, entity: str) -> list[dict[str, Any]]:
    """Events of all things of a kind, oldest first; as `history`."""
    query = select(EventRow).where(EventRow.entity == entity).order_by(col(EventRow.seq))
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
        "decision": row.decision,
        "data": json.loads(row.data),
    }


DECIDED = ("case", "source", "document", "refusal", "failure", "fold", "suggestion")
"""Kinds of things that decisions which can be taken back are about."""


def append_undoing(tx: Transaction, event: Mapping[str, Any], verb: str, data: dict[str, Any]) -> int:
    """Store an event that takes another one back; gives its sequence."""
    made = Event(event["entity"], event["entityId"], verb, data=as_data(data), undoes=event["seq"])
    return tx.log.append_many([made])[0]


class Decision(NamedTuple):
    """One transaction of an actor: its number, what it did to how many things, and the decision it takes back or 0."""

    number: int
    entity: str
    verb: str
    events: int
    undoes: int


def decisions(tx: Transaction, actor: str, verbs: Sequence[str], *, limit: int) -> list[Decision]:
    """The last decisions of an actor that have events on what is DECIDED with one of these verbs, oldest first.

    Args:
        tx: Open transaction.
        actor: Whose.
        verbs: Only these events are looked at and counted.
        limit: Most decisions looked at, those without such an event among them.
    """
    last = (
        select(EventRow.decision).where(EventRow.actor == actor).distinct().order_by(col(EventRow.decision).desc())
    ).limit(limit)
    query = (
        select(EventRow.decision, EventRow.verb, func.count(), func.max(EventRow.undoes))
        .where(EventRow.actor == actor, col(EventRow.entity).in_(DECIDED), col(EventRow.verb).in_(verbs))
        .where(col(EventRow.decision).in_(last))
        .group_by(col(EventRow.decision), col(EventRow.verb))
        .order_by(col(EventRow.decision), func.min(EventRow.seq))
    )
    rows = tx.session.exec(query).all()
    wanted = [undoes for *_, undoes in rows if undoes]
    taken_back: dict[int, int] = {}
    for part in parts(wanted):
        found = select(EventRow.seq, EventRow.decision).where(col(EventRow.seq).in_(part))
        taken_back |= {seq: number for seq, number in tx.session.exec(found) if seq}
    made: dict[int, Decision] = {}
    for number, verb, count, undoes in rows:
        made.setdefault(number, Decision(number, "case", verb, count, taken_back.get(undoes, 0)))
    return list(made.values())


def of_decision(
    tx: Transaction, actor: str, number: int, verbs: Sequence[str], *, after: int = 0, limit: int = PART
) -> list[dict[str, Any]]:
    """Up to `limit` events of one decision on what is DECIDED, with one of these verbs, in order, above a sequence."""
    query = select(EventRow).where(
        EventRow.actor == actor,
        EventRow.decision == number,
        col(EventRow.entity).in_(DECIDED),
        col(EventRow.verb).in_(verbs),
        col(EventRow.seq) > after,
    )
    return [_told(row) for row in tx.session.exec(query.order_by(col(EventRow.seq)).limit(limit))]


def by_another(tx: Transaction, seq: int, entity_ids: Sequence[str], actor: str) -> dict[str, Any] | None:
    """The first event on one of these things, reviews included, after a sequence and not by this actor; or None."""
    first: EventRow | None = None
    for part in parts(entity_ids):
        query = select(EventRow).where(
            col(EventRow.entity).in_(("case", "review", "source", "refusal", "failure", "fold")),
            col(EventRow.entity_id).in_(part),
            col(EventRow.seq) > seq,
            EventRow.actor != actor,
        )
        found = tx.session.exec(query.order_by(col(EventRow.seq)).limit(1)).first()
        if found is not None and (first is None or (found.seq or 0) < (first.seq or 0)):
            first = found
    return _told(first) if first is not None else None


def released_after(tx: Transaction, seq: int) -> list[tuple[str, str]]:
    """Suite and version of the releases after a sequence, in order."""
    query = select(EventRow.entity_id, EventRow.data).where(
        EventRow.entity == "suite", EventRow.verb == "released", col(EventRow.seq) > seq
    )
    rows = tx.session.exec(query.order_by(col(EventRow.seq)))
    return [(suite, str(json.loads(data).get("version", ""))) for suite, data in rows]


def last_of(tx: Transaction, entity: str, ids: Iterable[str], verb: str) -> dict[str, int]:
    """Sequence of the last event with this verb of each thing that has one."""
    found: dict[str, int] = {}
    for part in parts(ids):
        query = (
            select(EventRow.entity_id, func.max(EventRow.seq))
            .where(EventRow.entity == entity, EventRow.verb == verb, col(EventRow.entity_id).in_(part))
            .group_by(EventRow.entity_id)
        )
        found |= {name: seq for name, seq in tx.session.exec(query) if seq is not None}
    return found


def before(tx: Transaction, entity: str, moments: Mapping[str, int], verb: str) -> dict[str, dict[str, Any]]:
    """What the last event with this verb before a sequence keeps, by id; a few hundred ids at most."""
    if not moments:
        return {}
    query = select(EventRow.entity_id, EventRow.seq).where(
        EventRow.entity == entity, EventRow.verb == verb, col(EventRow.entity_id).in_(list(moments))
    )
    told = tx.session.exec(query.order_by(col(EventRow.seq)))
    last = {name: seq for name, seq in told if seq is not None and seq < moments[name]}
    rows = tx.session.exec(select(EventRow.entity_id, EventRow.data).where(col(EventRow.seq).in_(list(last.values()))))
    return {name: json.loads(data) for name, data in rows}


def last_data(tx: Transaction, entity: str, ids: Iterable[str], verb: str) -> dict[str, dict[str, Any]]:
    """What the last event with this verb keeps, of each thing that has one."""
    names = {seq: name for name, seq in last_of(tx, entity, ids, verb).items()}
    found: dict[str, dict[str, Any]] = {}
    for part in parts(names):
        rows = tx.session.exec(select(EventRow.seq, EventRow.data).where(col(EventRow.seq).in_(part)))
        found |= {names[seq]: json.loads(data) for seq, data in rows if seq is not None}
    return found
