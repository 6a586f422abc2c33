"""Leases: who has a case in hand for a review. A help among people; no event, no history."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import delete
from sqlmodel import col, select

from curator.store.bulk import parts
from curator.store.database import Transaction
from curator.store.tables import LeaseRow


class Lease(NamedTuple):
    """A case in the hands of a person for one slot, from `at` to `until` (UTC, ISO)."""

    case_id: str
    slot: str
    actor: str
    at: str
    until: str

    def lives(self, now: str) -> bool:
        """Whether it still counts. One from the future does not: the clock was set back since."""
        return self.at <= now < self.until


def of_cases(tx: Transaction, case_ids: Iterable[str]) -> dict[str, list[Lease]]:
    """Leases by case, expired ones too."""
    found: dict[str, list[Lease]] = {}
    for part in parts(case_ids):
        for row in tx.session.exec(select(LeaseRow).where(col(LeaseRow.case_id).in_(part))):
            found.setdefault(row.case_id, []).append(_lease(row))
    return found


def held_by(tx: Transaction, actor: str) -> list[Lease]:
    """Leases of a person, expired ones too, in the order in which they were taken."""
    rows = tx.session.exec(select(LeaseRow).where(LeaseRow.actor == actor).order_by(col(LeaseRow.at)))
    return [_lease(row) for row in rows]


def put(tx: Transaction, lease: Lease) -> None:
    """Store a lease in place of the one that stands there."""
    tx.session.merge(LeaseRow(**lease._asdict()))
    tx.session.flush()


def drop(tx: Transaction, actor: str, case_id: str = "") -> int:
    """Take away the leases of a person, all or those of one case; how many there were."""
    gone = delete(LeaseRow).where(col(LeaseRow.actor) == actor)
    if case_id:
        gone = gone.where(col(LeaseRow.case_id) == case_id)
    return int(tx.session.execute(gone).rowcount)  # type: ignore[attr-defined]


def drop_cases(tx: Transaction, case_ids: Iterable[str]) -> None:
    """Take away every lease of these cases, whoever has it."""
    for part in parts(case_ids):
        tx.session.execute(delete(LeaseRow).where(col(LeaseRow.case_id).in_(part)))


def sweep(tx: Transaction, now: str) -> None:
    """Take away all that count no more."""
    tx.session.execute(delete(LeaseRow).where((col(LeaseRow.until) <= now) | (col(LeaseRow.at) > now)))


def _lease(row: LeaseRow) -> Lease:
    return Lease(row.case_id, row.slot, row.actor, row.at, row.until)
