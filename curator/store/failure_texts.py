"""Texts of failures taken away: replaced by placeholders, removed with their quarantine, or erased; nothing is left."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

from sqlalchemy import delete, func, update
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from curator.store.bulk import parts
from curator.store.database import Transaction
from curator.store.events import Event
from curator.store.failures import context_ids, contexts, get_many
from curator.store.tables import EventRow, FailureBatchRow, FailureContextRow, FailureRow, WordingRow

_columns: Any = select_columns
_TEXTS = ("question", "answer", "reference", "error", "route", "session", "document")


def wipe(tx: Transaction) -> None:
    """From here on, what this transaction takes away is overwritten with zeros, not only marked as free."""
    tx.session.connection().exec_driver_sql("pragma secure_delete = on")


def rewrite(tx: Transaction, name: str, change: Callable[[str], str], digest: Callable[[str], bytes]) -> bool:
    """Change every text of a failure, its turns and retrieved texts too; gives whether the question was changed.

    The event says that it was done and holds none of the texts. What nothing else needs of the old texts is removed
    with `remove_loose`, once the failure has its new wording.

    Args:
        tx: Open transaction.
        name: Id of the failure.
        change: Text -> text.
        digest: What retrieved texts are known by.
    """
    wipe(tx)
    row = tx.session.exec(select(FailureRow).where(FailureRow.id == name)).one()
    texts = contexts(tx, {c[0] for c in json.loads(row.contexts) if c[0]})
    new = {n: changed for n, text in texts.items() if (changed := change(text)) != text}
    numbers = context_ids(tx, {digest(text): text for text in new.values()})
    moved = {n: numbers[digest(text)] for n, text in new.items()}
    listed = [[moved.get(n, n), change(source), *rest] for n, source, *rest in json.loads(row.contexts)]
    turns = {k: [[role, change(text)] for role, text in v] for k, v in json.loads(row.turns).items()}
    columns: dict[str, Any] = {k: change(getattr(row, k)) for k in _TEXTS}
    columns |= {
        "turns": json.dumps(turns, ensure_ascii=False),
        "contexts": json.dumps(listed, ensure_ascii=False),
        "confirmed_hash": "",
        "version": row.version + 1,
        "updated_at": tx.log.at,
    }
    asked_before = row.question
    tx.session.execute(update(FailureRow).where(col(FailureRow.id) == name).values(**columns))
    tx.log.append("failure", name, "scrubbed", version=columns["version"])
    tx.session.expire_all()
    return bool(columns["question"] != asked_before)


def set_wording(tx: Transaction, name: str, wording: int) -> None:
    """Give a failure the wording of its changed question, and count both anew."""
    before = tx.session.exec(select(FailureRow.wording).where(FailureRow.id == name)).one()
    tx.session.execute(update(FailureRow).where(col(FailureRow.id) == name).values(wording=wording))
    for number, more in ((before, -1), (wording, 1)):
        added: Any = WordingRow.uses + more
        tx.session.execute(update(WordingRow).where(col(WordingRow.id) == number).values(uses=added))


def expired(tx: Transaction, now: str) -> list[int]:
    """Batches whose quarantine is over and that still have rows in it."""
    query = select(FailureBatchRow.id).where(
        FailureBatchRow.quarantined == 1, FailureBatchRow.expires_at != "", FailureBatchRow.expires_at < now
    )
    return [int(n or 0) for n in tx.session.exec(query)]


def remove_quarantined(tx: Transaction, batch: int) -> int:
    """Remove what nobody confirmed of a batch, and texts and wordings that nothing else has. Gives how many."""
    wipe(tx)
    gone = tx.session.execute(
        delete(FailureRow).where(col(FailureRow.batch) == batch, col(FailureRow.quarantined) == 1)
    )
    removed = int(getattr(gone, "rowcount", 0))
    tx.session.execute(update(FailureBatchRow).where(col(FailureBatchRow.id) == batch).values(quarantined=0))
    tx.log.append("batch", str(batch), "expired", data={"removed": removed})
    recount(tx)
    remove_loose(tx)
    return removed


def remove(tx: Transaction, names: Sequence[str]) -> int:
    """Remove failures, what their events say, and texts and wordings that nothing else has; an empty event stays.

    Raises:
        InputError: There is none of an id.
    """
    wipe(tx)
    known_ids = list(get_many(tx, names))
    for part in parts(known_ids):
        tx.session.execute(delete(FailureRow).where(col(FailureRow.id).in_(part)))
        tx.session.execute(
            update(EventRow)
            .where(col(EventRow.entity) == "failure", col(EventRow.entity_id).in_(part))
            .values(data="{}")
        )
    tx.log.append_many([Event("failure", name, "erased") for name in known_ids])
    recount(tx)
    remove_loose(tx)
    return len(known_ids)


def recount(tx: Transaction) -> None:
    """Count the uses of every wording anew."""
    uses = select(func.count()).where(FailureRow.wording == WordingRow.id).scalar_subquery()
    tx.session.execute(update(WordingRow).values(uses=uses))


def remove_loose(tx: Transaction) -> None:
    """Remove retrieved texts that no failure has, and the text of wordings that none uses."""
    used: set[int] = set()
    for (text,) in tx.session.execute(_columns(FailureRow.contexts).where(FailureRow.contexts != "[]")):
        used |= {c[0] for c in json.loads(text)}
    everything = {int(n or 0) for n in tx.session.exec(select(FailureContextRow.id))}
    for part in parts(everything - used):
        tx.session.execute(delete(FailureContextRow).where(col(FailureContextRow.id).in_(part)))
    middles = select(WordingRow.fold).where(WordingRow.uses > 0, WordingRow.fold != WordingRow.id)
    tx.session.execute(
        update(WordingRow)
        .where(col(WordingRow.uses) == 0, col(WordingRow.id).not_in(middles))
        .values(text="", question="", bands=b"", fold=WordingRow.id, ask=0)
    )
