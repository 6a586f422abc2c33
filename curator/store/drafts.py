"""Typed text that is not saved yet: one row an actor and thing, overwritten, outside the history."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete
from sqlmodel import col, select

from curator.domain.canonical import dumps
from curator.domain.case import Case
from curator.store.database import Transaction
from curator.store.tables import DraftRow


class Draft(NamedTuple):
    """What a person had typed into the form of a case; base_version is the version they had opened, 0 = a new case."""

    case_id: str
    base_version: int
    case: Case
    updated_at: str


def keep(tx: Transaction, case: Case, key: str, base_version: int) -> None:
    """Store the draft of the acting person over the one before."""
    tx.session.merge(
        DraftRow(
            actor=tx.log.actor,
            entity="case",
            entity_id=key,
            base_version=base_version,
            content=dumps(case.model_dump(mode="json", by_alias=True)),
            updated_at=tx.log.at,
        )
    )
    tx.session.flush()


def drop(tx: Transaction, key: str) -> None:
    """Forget the draft of the acting person, if there is one."""
    tx.session.execute(
        delete(DraftRow).where(
            col(DraftRow.actor) == tx.log.actor, col(DraftRow.entity) == "case", col(DraftRow.entity_id) == key
        )
    )


def of(tx: Transaction, actor: str) -> list[Draft]:
    """The drafts of an actor, the newest first."""
    query = select(DraftRow).where(DraftRow.actor == actor, DraftRow.entity == "case")
    rows = tx.session.exec(query.order_by(col(DraftRow.updated_at).desc(), col(DraftRow.entity_id)))
    return [Draft(r.entity_id, r.base_version, Case.model_validate_json(r.content), r.updated_at) for r in rows]
