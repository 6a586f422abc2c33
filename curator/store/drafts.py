"""Typed text that is not saved yet: one row an actor and thing, overwritten, outside the history."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from pydantic import TypeAdapter
from sqlalchemy import delete
from sqlmodel import col, select

from curator.domain.canonical import dumps
from curator.domain.case import Case
from curator.domain.suggestion import Decided
from curator.store.database import Transaction
from curator.store.tables import DraftRow

_DECIDED = TypeAdapter(tuple[Decided, ...])
PARTS = ("case", "decided")


class Draft(NamedTuple):
    """What a person had typed into the form of a case, and said of suggestions for it, and has not saved.

    base_version is the version they had opened, 0 = a new case.
    """

    case_id: str
    base_version: int
    case: Case
    updated_at: str
    decided: tuple[Decided, ...] = ()


def keep(tx: Transaction, case: Case, key: str, base_version: int, decided: Sequence[Decided] = ()) -> None:
    """Store the draft of the acting person over the one before."""
    drop(tx, key)
    said = [d.model_dump(mode="json", by_alias=True) for d in decided]
    contents = {"case": case.model_dump(mode="json", by_alias=True)} | ({"decided": said} if said else {})
    for part, content in contents.items():
        tx.session.add(
            DraftRow(
                actor=tx.log.actor,
                entity=part,
                entity_id=key,
                base_version=base_version,
                content=dumps(content),
                updated_at=tx.log.at,
            )
        )
    tx.session.flush()


def drop(tx: Transaction, key: str) -> None:
    """Forget the draft of the acting person, if there is one."""
    tx.session.execute(
        delete(DraftRow).where(
            col(DraftRow.actor) == tx.log.actor, col(DraftRow.entity).in_(PARTS), col(DraftRow.entity_id) == key
        )
    )


def of(tx: Transaction, actor: str) -> list[Draft]:
    """The drafts of an actor, the newest first."""
    query = select(DraftRow).where(DraftRow.actor == actor, col(DraftRow.entity).in_(PARTS))
    rows = tx.session.exec(query.order_by(col(DraftRow.updated_at).desc(), col(DraftRow.entity_id))).all()
    said = {r.entity_id: _DECIDED.validate_json(r.content) for r in rows if r.entity == "decided"}
    return [
        Draft(
            r.entity_id,
            r.base_version,
            Case.model_validate_json(r.content),
            r.updated_at,
            said.get(r.entity_id, ()),
        )
        for r in rows
        if r.entity == "case"
    ]
