"""The ledger of the holdout: looks at it, and who else knows it because they wrote or judged it."""

from __future__ import annotations

from sqlalchemy import text
from sqlmodel import col, select

from curator.domain.ledger import How, Look
from curator.errors import InputError
from curator.store.database import Transaction
from curator.store.tables import HoldoutLookRow

_IN_IT = "c.side = 'holdout' and c.status <> 'retired'"  # as the index has it, word for word
_HIDDEN = text(f"select c.id, c.author from golden_case c where {_IN_IT}")  # noqa: S608  constants alone
_JUDGED = text(
    f"select distinct r.actor from golden_case c join review r on r.case_id = c.id where {_IN_IT}"  # noqa: S608
)


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


def hidden(tx: Transaction) -> dict[str, str]:
    """Id -> author of the cases that lie in the holdout and are not retired; read from their index alone."""
    return dict(tx.session.execute(_HIDDEN).all())


def reviewers(tx: Transaction) -> set[str]:
    """Who judged a case that lies in the holdout."""
    return set(tx.session.execute(_JUDGED).scalars())
