"""The ledger of the holdout: looks at it, and who else knows it because they wrote or judged it."""

from __future__ import annotations

from sqlmodel import col, select

from curator.domain.ledger import How, Look
from curator.errors import InputError
from curator.store.database import Transaction
from curator.store.tables import CaseRow, HoldoutLookRow, ReviewRow


def add(tx: Transaction, how: How, *, suite: str = "", version: str = "", case_id: str = "", reason: str = "") -> int:
    """Enter a look by the acting person; gives its number."""
    # a kind of its own: a look at a case is no change of it, and keeps nobody from taking back what they did
    seq = tx.log.append("holdout", case_id or suite, "looked", data={"how": how, "version": version, "reason": reason})
    tx.session.add(
        HoldoutLookRow(
            seq=seq, actor=tx.log.actor, at=tx.log.at, how=how, suite=suite, version=version, case_id=case_id,
            reason=reason,
        )
    )  # fmt: skip
    tx.session.flush()
    return seq


def withdraw(tx: Transaction, seq: int, reason: str) -> None:
    """Say why an entry is none; it stays.

    Raises:
        InputError: There is no such entry.
    """
    row = tx.session.get(HoldoutLookRow, seq)
    if row is None:
        raise InputError(f"the ledger has no entry {seq}", "`curator partition ledger` shows them")
    tx.log.append("holdout", row.case_id or row.suite, "look withdrawn", data={"reason": reason})
    row.withdrawn = reason
    tx.session.add(row)
    tx.session.flush()


def looks(tx: Transaction) -> list[Look]:
    """Every entry, withdrawn ones too, in order."""
    rows = tx.session.exec(select(HoldoutLookRow).order_by(col(HoldoutLookRow.seq)))
    return [Look.model_validate(row.model_dump()) for row in rows]


def hidden(tx: Transaction) -> set[str]:
    """Ids of the cases that lie in the holdout and are not retired."""
    return set(tx.session.exec(select(CaseRow.id).where(CaseRow.side == "holdout", CaseRow.status != "retired")))


def authors_and_reviewers(tx: Transaction) -> set[str]:
    """Who wrote or judged a case that lies in the holdout."""
    hidden = select(CaseRow.id).where(CaseRow.side == "holdout", CaseRow.status != "retired")
    wrote = select(CaseRow.author).where(col(CaseRow.id).in_(hidden)).distinct()
    judged = select(ReviewRow.actor).where(col(ReviewRow.case_id).in_(hidden)).distinct()
    return {*tx.session.exec(wrote), *tx.session.exec(judged)} - {""}
