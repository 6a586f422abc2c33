"""Failures in numbers: the queue of open folds, strata for samples, what the cases do not have."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Float, case, cast, func
from sqlalchemy import select as select_columns
from sqlmodel import col

from curator.store.database import Transaction
from curator.store.failures import LISTED
from curator.store.tables import CaseRow, DocumentRow, FailureRow, RevisionRow, WordingRow

_columns: Any = select_columns


class Queued(NamedTuple):
    """An open fold: how many failures, which one is shown, and what speaks for it. `lowest`: lowest score, or None."""

    fold: int
    size: int
    risk: int
    bad: int
    errors: int
    lowest: float | None
    seq: int
    question: str
    route: str


def queue(tx: Transaction, *, route: str = "", limit: int = 200) -> list[Queued]:
    """Open folds, those first that are worth a person's time most."""
    bad = func.sum(case((col(FailureRow.feedback) == "bad", 1), else_=0))
    failed = func.sum(case((col(FailureRow.error) != "", 1), else_=0))
    lowest = func.min(case((col(FailureRow.score) != "", cast(FailureRow.score, Float)), else_=None))
    risk = func.max(FailureRow.risk)
    size = func.count()
    # the shown failure: one with bad feedback before the others, the first of them
    shown = func.min(case((col(FailureRow.feedback) == "bad", FailureRow.seq), else_=col(FailureRow.seq) + (1 << 40)))
    query = (
        _columns(WordingRow.fold, size, risk, bad, failed, lowest, shown)
        .select_from(FailureRow)
        .join(WordingRow, col(WordingRow.id) == FailureRow.wording)
        .where(FailureRow.state == "new", FailureRow.quarantined == 0)
        .group_by(WordingRow.fold)
        .order_by(
            (risk > 0).desc(), (bad > 0).desc(), (failed > 0).desc(), lowest.is_(None), lowest, size.desc(), shown
        )
        .limit(limit)
    )
    if route:
        query = query.where(FailureRow.route == route)
    rows = tx.session.execute(query).all()
    seqs = [r[6] % (1 << 40) for r in rows]
    texts = {
        seq: (question, where)
        for seq, question, where in tx.session.execute(
            _columns(FailureRow.seq, FailureRow.question, FailureRow.route).where(col(FailureRow.seq).in_(seqs))
        )
    }
    return [Queued._make((*row[:6], seq, *texts[seq])) for row, seq in zip(rows, seqs, strict=True)]


def members(tx: Transaction, column: str) -> list[tuple[str, str]]:
    """Value of a column and id of every failure that is not quarantined, in order."""
    query = _columns(LISTED[column], FailureRow.id).select_from(FailureRow)
    query = query.join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    query = query.where(FailureRow.quarantined == 0).order_by(col(FailureRow.seq))
    return [(str(value), name) for value, name in tx.session.execute(query)]


def lowest(tx: Transaction, *, below: float | None, limit: int) -> list[tuple[str, float]]:
    """Ids and scores of open failures, the lowest score first."""
    score = cast(FailureRow.score, Float)
    query = _columns(FailureRow.id, score).where(
        FailureRow.score != "", FailureRow.quarantined == 0, FailureRow.state == "new"
    )
    if below is not None:
        query = query.where(score < below)
    return [tuple(r) for r in tx.session.execute(query.order_by(score, col(FailureRow.seq)).limit(limit))]


def unknown_to_cases(tx: Transaction) -> dict[str, dict[str, int]]:
    """Routes and languages of failures that no case has: column -> value -> how many failures."""
    found: dict[str, dict[str, int]] = {}
    pairs: tuple[tuple[str, Any, Any], ...] = (
        ("route", FailureRow.route, CaseRow.route),
        ("language", FailureRow.language, CaseRow.language),
    )
    for name, here, there in pairs:
        known = _columns(there).where(CaseRow.status != "retired").scalar_subquery()
        query = (
            _columns(here, func.count())
            .where(here != "", FailureRow.quarantined == 0, here.not_in(known))
            .group_by(here)
            .order_by(func.count().desc())
        )
        found[name] = {str(v): int(n) for v, n in tx.session.execute(query)}
    return found


def documents_of(tx: Transaction) -> dict[str, int]:
    """First document of failures -> how many, as the log names it."""
    query = _columns(FailureRow.document, func.count()).where(FailureRow.document != "", FailureRow.quarantined == 0)
    return {
        str(d): int(n) for d, n in tx.session.execute(query.group_by(FailureRow.document).order_by(func.count().desc()))
    }


def facts(tx: Transaction) -> list[tuple[int, str, str, str, str]]:
    """Fold, route, stage, document and question of one failure of each open fold."""
    query = (
        _columns(
            WordingRow.fold, FailureRow.route, FailureRow.stage, FailureRow.document, func.min(FailureRow.question)
        )
        .select_from(FailureRow)
        .join(WordingRow, col(WordingRow.id) == FailureRow.wording)
        .where(FailureRow.state == "new", FailureRow.quarantined == 0)
        .group_by(WordingRow.fold, FailureRow.route, FailureRow.stage, FailureRow.document)
    )
    return [tuple(r) for r in tx.session.execute(query)]


def document_ids(tx: Transaction) -> dict[str, str]:
    """How a log may name a document here -> its id: the name of its file, with and without the ending, and the id."""
    query = _columns(DocumentRow.id, RevisionRow.file).join(RevisionRow, col(RevisionRow.document_id) == DocumentRow.id)
    found: dict[str, str] = {}
    for name, file in tx.session.execute(query):
        found |= {name: name, file: name, file.rsplit(".", 1)[0]: name}
    return found
