"""Failures: rows of logs after anonymisation, their batches and contexts; lists and decisions about them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from curator.domain.failure import Batch, Failure, FailureContext, FailureLine, FailureTurn
from curator.domain.listing import ListKey, ListQuery
from curator.errors import InputError
from curator.store.bulk import insert_rows, numbered, parts, words
from curator.store.database import Transaction
from curator.store.events import Event, append_undoing, as_data
from curator.store.folding import FOLD, in_folds
from curator.store.listing import Listing
from curator.store.tables import FailureBatchRow, FailureContextRow, FailureRow, FailureSeenRow, WordingRow

_columns: Any = select_columns

LISTED: dict[str, Any] = {
    "seq": col(FailureRow.seq),
    "id": col(FailureRow.id),
    "state": col(FailureRow.state),
    "route": col(FailureRow.route),
    "stage": col(FailureRow.stage),
    "feedback": col(FailureRow.feedback),
    "score": col(FailureRow.score),
    "time": col(FailureRow.time),
    "document": col(FailureRow.document),
    "question": col(FailureRow.question),
    "answer": col(FailureRow.answer),
    "quarantined": col(FailureRow.quarantined),
    "risk": col(FailureRow.risk),
    "language": col(FailureRow.language),
    "week": col(FailureRow.week),
    "session": col(FailureRow.session),
    "batch": col(FailureRow.batch),
    "fold": FOLD,
}
LISTING = Listing("failures", LISTED, ("id", "question", "answer", "route"))
_LINE = tuple(name for name in FailureLine._fields if name != "fold_size")


class Known(NamedTuple):
    """A failure that is here already."""

    seq: int
    id: str
    version: int
    state: str
    wording: int


def start_batch(tx: Transaction, batch: Mapping[str, Any]) -> int:
    """Store the head of an import and give its number."""
    seq = tx.log.append("batch", str(batch["file"]), "started", data={"format": batch["format"]})
    row = FailureBatchRow(**batch, seq=seq, actor=tx.log.actor, at=tx.log.at)
    tx.session.add(row)
    tx.session.flush()
    return int(row.id or 0)


def finish_batch(tx: Transaction, number: int, counts: Mapping[str, Any]) -> None:
    """The counts of an import that came to its end."""
    tx.session.execute(
        update(FailureBatchRow).where(col(FailureBatchRow.id) == number).values(state="complete", **counts)
    )
    plain = {k: v for k, v in counts.items() if isinstance(v, int)}
    tx.log.append("batch", str(number), "imported", data=plain)


def batches(tx: Transaction) -> list[Batch]:
    """All imports, the newest first."""
    rows = tx.session.exec(select(FailureBatchRow).order_by(col(FailureBatchRow.id).desc()))
    plain = [k for k in Batch.model_fields if k not in ("id", "mapping", "masked", "quarantined")]
    return [
        Batch(
            id=int(r.id or 0),
            mapping=json.loads(r.mapping),
            masked=json.loads(r.masked),
            quarantined=bool(r.quarantined),
            **{k: getattr(r, k) for k in plain},
        )
        for r in rows
    ]


def known(tx: Transaction, keys: Sequence[bytes]) -> dict[bytes, Known]:
    """The failures of these identities that are here."""
    found: dict[bytes, Known] = {}
    for part in parts(keys):
        query = _columns(
            FailureRow.key, FailureRow.seq, FailureRow.id, FailureRow.version, FailureRow.state, FailureRow.wording
        ).where(col(FailureRow.key).in_(part))
        found |= {key: Known(*rest) for key, *rest in tx.session.execute(query)}
    return found


def seen(tx: Transaction, digests: Sequence[bytes]) -> set[bytes]:
    """Those of these contents that were seen under an id of the log's own."""
    found: set[bytes] = set()
    for part in parts(digests):
        found |= set(tx.session.exec(select(FailureSeenRow.digest).where(col(FailureSeenRow.digest).in_(part))))
    return found


def see(tx: Transaction, digests: Iterable[bytes]) -> None:
    """Remember contents."""
    insert_rows(tx.session, FailureSeenRow, [{"digest": d} for d in digests])


def context_ids(tx: Transaction, texts: Mapping[bytes, str]) -> dict[bytes, int]:
    """The numbers of retrieved texts, those that are new stored first."""
    return numbered(tx.session, FailureContextRow, {digest: {"text": text} for digest, text in texts.items()})


def add_rows(tx: Transaction, rows: Sequence[dict[str, Any]]) -> list[str]:
    """Store new failures, numbered on, and give their ids. The event of their import speaks for them."""
    last = int(tx.session.execute(func.coalesce(func.max(FailureRow.seq), 0).select()).scalar_one())
    for n, row in enumerate(rows, 1):
        row["seq"], row["id"] = last + n, f"f{last + n}"
        row["updated_at"] = tx.log.at
    insert_rows(tx.session, FailureRow, rows)
    return [row["id"] for row in rows]


def replace_row(tx: Transaction, here: Known, row: Mapping[str, Any]) -> None:
    """Store what a log says of a failure now over what it said then; decisions stay, a confirmation does not."""
    values = {k: v for k, v in row.items() if k not in ("seq", "id", "key", "state")}
    values |= {"version": here.version + 1, "confirmed_hash": "", "updated_at": tx.log.at}
    tx.session.execute(update(FailureRow).where(col(FailureRow.seq) == here.seq).values(**values))
    tx.log.append("failure", here.id, "changed", version=here.version + 1)


def get_many(tx: Transaction, names: Sequence[str]) -> dict[str, Failure]:
    """The failures of these ids, in their order.

    Raises:
        InputError: There is none of an id.
    """
    found: dict[str, Failure] = {}
    for part in parts(dict.fromkeys(names)):
        rows = {r.id: r for r in tx.session.exec(select(FailureRow).where(col(FailureRow.id).in_(part)))}
        for name in part:
            if name not in rows:
                raise InputError(f"there is no failure {name!a}", "see `curator failures list`")
        needed = {c[0] for r in rows.values() for c in json.loads(r.contexts) if c[0]}
        texts = contexts(tx, needed)
        folds = _folds(tx, {r.wording for r in rows.values()})
        found |= {name: _failure(rows[name], texts, folds) for name in part}
    return found


def get(tx: Transaction, name: str) -> Failure:
    """One failure.

    Raises:
        InputError: There is none of this id.
    """
    return get_many(tx, [name])[name]


def contexts(tx: Transaction, numbers: Iterable[int]) -> dict[int, str]:
    """Retrieved texts by number."""
    found: dict[int, str] = {}
    for part in parts(numbers):
        query = select(FailureContextRow.id, FailureContextRow.text).where(col(FailureContextRow.id).in_(part))
        found |= {int(n or 0): text for n, text in tx.session.exec(query)}
    return found


def confirmation(tx: Transaction, names: Sequence[str]) -> dict[str, tuple[str, str]]:
    """Id -> (hash of the confirmed texts, detector), of those that were confirmed."""
    found: dict[str, tuple[str, str]] = {}
    for part in parts(names):
        query = _columns(FailureRow.id, FailureRow.confirmed_hash, FailureRow.confirmed_with).where(
            col(FailureRow.id).in_(part), FailureRow.confirmed_hash != ""
        )
        found |= {name: (text_hash, detector) for name, text_hash, detector in tx.session.execute(query)}
    return found


def _folds(tx: Transaction, wordings: Iterable[int]) -> dict[int, tuple[int, int]]:
    """Wording -> (its fold, how many failures that has)."""
    fold_of: dict[int, int] = {}
    for part in parts(wordings):
        query = select(WordingRow.id, WordingRow.fold).where(col(WordingRow.id).in_(part))
        fold_of |= {int(n or 0): fold or int(n or 0) for n, fold in tx.session.exec(query)}
    sizes = fold_sizes(tx, set(fold_of.values()))
    return {n: (fold, sizes.get(fold, 1)) for n, fold in fold_of.items()}


def fold_sizes(tx: Transaction, folds: Iterable[int]) -> dict[int, int]:
    """How many failures each of these folds has."""
    found: dict[int, int] = {}
    for part in parts(folds):
        query = _columns(FOLD, func.sum(WordingRow.uses)).where(in_folds(part)).group_by(FOLD)
        found |= {fold: int(total or 0) for fold, total in tx.session.execute(query)}
    return found


def _failure(row: FailureRow, texts: Mapping[int, str], folds: Mapping[int, tuple[int, int]]) -> Failure:
    turns = json.loads(row.turns)
    fold, size = folds.get(row.wording, (row.wording, 1))
    return Failure(
        **{k: getattr(row, k) for k in _PLAIN},
        quarantined=bool(row.quarantined),
        turns_before=tuple(FailureTurn(role=r, text=t) for r, t in turns.get("before", ())),
        turns_after=tuple(FailureTurn(role=r, text=t) for r, t in turns.get("after", ())),
        contexts=tuple(
            FailureContext(text=texts.get(n, ""), source=source, page=page, score=score)
            for n, source, page, score in json.loads(row.contexts)
        ),
        flags=words(row.flags),
        fold=fold,
        fold_size=max(1, size),
    )


_PLAIN = tuple(
    k for k in Failure.model_fields
    if k not in ("quarantined", "turns_before", "turns_after", "contexts", "flags", "fold", "fold_size", "confirmed")
)  # fmt: skip


def lines(
    tx: Transaction, query: ListQuery, *, after: ListKey | None = None, before: ListKey | None = None,
    back: bool = False, limit: int = 200,
) -> list[FailureLine]:  # fmt: skip
    """A page of the list, as `store.cases.lines`: the fold's size is looked up for the page alone."""
    columns = [LISTED[name].label(name) for name in _LINE]
    plain = _columns(*columns).select_from(FailureRow).join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    rows = tx.session.execute(LISTING.page(plain, query, after=after, before=before, back=back, limit=limit)).all()
    sizes = fold_sizes(tx, {r.fold for r in rows})
    return [FailureLine._make((*r, sizes.get(r.fold, 1))) for r in rows]


def key_at(tx: Transaction, query: ListQuery, place: int, *, back: bool) -> ListKey | None:
    """The key of the line at a place of the list, from 0, counted from its end when back; None = there is none."""
    plain = _columns(LISTING.ordering(query.sort), LISTED["seq"]).select_from(FailureRow)
    plain = plain.join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    row = tx.session.execute(LISTING.page(plain, query, back=back, limit=1).offset(place)).first()
    return LISTING.key(query.sort, *row) if row is not None else None


def names(tx: Transaction, query: ListQuery) -> list[str]:
    """Ids of all lines of the list, in its order."""
    plain = _columns(FailureRow.id).select_from(FailureRow)
    plain = plain.join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    return [name for (name,) in tx.session.execute(LISTING.page(plain, query))]


def count(tx: Transaction, query: ListQuery) -> int:
    """How many failures a list has."""
    plain = _columns(func.count()).select_from(FailureRow).join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    return int(tx.session.execute(LISTING.filtered(plain, query)).scalar_one())


def tally(tx: Transaction, column: str, *, quarantined: bool = False) -> dict[str, dict[str, int]]:
    """Value of a column -> state -> how many failures.

    Raises:
        InputError: A column that the list does not have.
    """
    if column not in LISTED:
        raise InputError(f"failures cannot be counted by {column}", f"use one of {', '.join(LISTED)}")
    counted = LISTED[column]
    query = _columns(counted, FailureRow.state, func.count()).select_from(FailureRow)
    query = query.join(WordingRow, col(WordingRow.id) == FailureRow.wording).group_by(counted, FailureRow.state)
    if not quarantined:
        query = query.where(FailureRow.quarantined == 0)
    found: dict[str, dict[str, int]] = {}
    for value, state, number in tx.session.execute(query):
        found.setdefault(str(value), {})[state] = number
    return found


_STOOD = ("confirmed_hash", "confirmed_with", "confirmed_by", "confirmed_at", "quarantined")
"""What a confirmation changes; kept in its event, so that it can be taken back."""


def standing(tx: Transaction, name: str, columns: Sequence[str]) -> dict[str, Any]:
    """Columns of a failure as they are stored now, without its texts.

    Raises:
        InputError: There is none of this id.
    """
    row = tx.session.exec(select(FailureRow).where(FailureRow.id == name)).first()
    if row is None:
        raise InputError(f"there is no failure {name!a}", "see `curator failures list`")
    return {c: getattr(row, c) for c in columns}


def turn(tx: Transaction, event: Mapping[str, Any], verb: str) -> dict[str, Any]:
    """Take an event of a decision back, or its undo: what stood before stands again. Gives what stands now.

    Raises:
        InputError: The failure is gone.
    """
    name, before = event["entityId"], event["data"]["before"]
    now = standing(tx, name, list(before))
    row = tx.session.exec(select(FailureRow).where(FailureRow.id == name)).one()
    values = {**before, "version": row.version + 1, "updated_at": tx.log.at}
    tx.session.execute(update(FailureRow).where(col(FailureRow.id) == name).values(**values))
    append_undoing(tx, event, verb, {"before": now})
    tx.session.expire_all()
    return dict(before)


def decide(
    tx: Transaction, names: Sequence[str], verb: str, columns: Mapping[str, Any], data: Mapping[str, Any] | None = None
) -> None:
    """Write a decision of the acting person about failures: new values of columns, and an event for each."""
    before = get_many(tx, names)
    fields = [k for k in columns if k in Failure.model_fields]
    events = [
        Event(
            "failure",
            f.id,
            verb,
            f.version + 1,
            as_data({"before": {k: getattr(f, k) for k in fields}, **(data or {})}),
        )
        for f in before.values()
    ]
    tx.log.append_many(events)
    touched: dict[str, Any] = {"version": FailureRow.version + 1, "updated_at": tx.log.at}
    for part in parts(before):
        tx.session.execute(update(FailureRow).where(col(FailureRow.id).in_(part)).values(**columns, **touched))


def confirm(tx: Transaction, name: str, text_hash: str, detector: str) -> None:
    """Keep that the acting person has read and confirmed exactly these texts; it leaves the quarantine."""
    columns = {
        "confirmed_hash": text_hash,
        "confirmed_with": detector,
        "confirmed_by": tx.log.actor,
        "confirmed_at": tx.log.at,
        "quarantined": 0,
    }
    before = standing(tx, name, _STOOD)
    decide(tx, [name], "confirmed", columns, {"hash": text_hash, "detector": detector, "before": before})


def each(tx: Transaction, *, after: int = 0, limit: int = 500) -> list[str]:
    """Ids of failures after a sequence, in order: for a walk over all of them."""
    query = _columns(FailureRow.id).where(col(FailureRow.seq) > after).order_by(col(FailureRow.seq)).limit(limit)
    return [name for (name,) in tx.session.execute(query)]


def masked_texts(tx: Transaction, sessions: Sequence[str]) -> dict[str, list[str]]:
    """Session -> the texts of its failures that have placeholders, quarantined ones too."""
    found: dict[str, list[str]] = {}
    for part in parts(sessions):
        query = select(FailureRow).where(col(FailureRow.session).in_(part), FailureRow.masked > 0)
        for row in tx.session.exec(query).all():
            turns = json.loads(row.turns)
            said = [text for _, text in (*turns.get("before", ()), *turns.get("after", ()))]
            said += contexts(tx, {c[0] for c in json.loads(row.contexts) if c[0]}).values()
            found.setdefault(row.session, []).extend([row.question, row.answer, row.reference, row.error, *said])
    return found


def of_session(tx: Transaction, session: str, *, limit: int = 500) -> list[tuple[str, str, str]]:
    """Id, question and answer of the failures of a session that are not quarantined, in the order of the log."""
    query = (
        _columns(FailureRow.id, FailureRow.question, FailureRow.answer)
        .where(FailureRow.session == session, FailureRow.quarantined == 0)
        .order_by(col(FailureRow.time), col(FailureRow.seq))
        .limit(limit)
    )
    return [tuple(r) for r in tx.session.execute(query)]
