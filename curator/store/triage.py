"""Failures in numbers: the queue of open folds, strata for samples, what the cases do not have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from sqlalchemy import Float, and_, case, cast, func, literal
from sqlalchemy import select as select_columns
from sqlmodel import col

from curator.domain.failure import Wanted
from curator.domain.listing import ListQuery
from curator.store.bulk import parts
from curator.store.database import Transaction
from curator.store.failures import LISTED, LISTING
from curator.store.folding import FOLD, in_folds
from curator.store.listing import unindexed
from curator.store.tables import CaseRow, DocumentRow, FailureRow, RevisionRow, WordingRow

_columns: Any = select_columns


class Queued(NamedTuple):
    """An open fold: how many failures, which one is shown, and what speaks for it.

    `lowest`: the lowest score, or None; `wanted`: place from 0 of what it would fill, or -1.
    """

    fold: int
    size: int
    risk: int
    bad: int
    errors: int
    lowest: float | None
    wanted: int
    seq: int
    question: str
    route: str
    stage: str
    document: str
    language: str


class Known(NamedTuple):
    """Routes and languages of the cases that are not retired, and how a log may name the documents that are here."""

    routes: frozenset[str]
    languages: frozenset[str]
    documents: frozenset[str]


def _fits(wanted: Wanted) -> Any:
    lists = ((FailureRow.route, wanted.routes), (FailureRow.language, wanted.languages),
             (FailureRow.document, wanted.documents))  # fmt: skip
    return and_(True, *(col(column).in_(values) for column, values in lists if values))


def _open(statement: Any, query: ListQuery, folds: Sequence[int]) -> Any:
    statement = statement.select_from(FailureRow).join(WordingRow, col(WordingRow.id) == FailureRow.wording)
    state = unindexed(LISTED["state"]) if folds else LISTED["state"]  # few folds: by theirs alone
    statement = statement.where(state == "new", FailureRow.quarantined == 0)
    statement = LISTING.filtered(statement, query)
    return statement.where(in_folds(folds)) if folds else statement


def queue(
    tx: Transaction,
    query: ListQuery,
    *,
    folds: Sequence[int] = (),
    wanted: Sequence[Wanted] = (),
    start: int = 0,
    limit: int = 200,
) -> list[Queued]:
    """Open folds, those first that are worth a person's time most.

    Args:
        tx: Open transaction.
        query: Filters over the columns of the list; only failures that pass them are counted. Its order is not ours.
        folds: Only these; () = all.
        wanted: What the golden set lacks, the most urgent first: what fills it comes before all else.
        start: How many to leave out.
        limit: Most folds.

    Raises:
        InputError: A column that there is not.
    """
    bad = func.sum(case((col(FailureRow.feedback) == "bad", 1), else_=0))
    failed = func.sum(case((col(FailureRow.error) != "", 1), else_=0))
    lowest = func.min(case((col(FailureRow.score) != "", cast(FailureRow.score, Float)), else_=None))
    risk = func.max(FailureRow.risk)
    size = func.count()
    ranks = [(_fits(w), len(wanted) - n) for n, w in enumerate(wanted)]
    fills: Any = func.max(case(*ranks, else_=0)) if ranks else literal(0)
    # the shown failure: one with bad feedback before the others, the first of them
    shown = func.min(case((col(FailureRow.feedback) == "bad", FailureRow.seq), else_=col(FailureRow.seq) + (1 << 40)))
    statement = (
        _open(_columns(FOLD, size, risk, bad, failed, lowest, fills, shown), query, folds)
        .group_by(FOLD)
        .order_by(
            fills.desc(), (risk > 0).desc(), (bad > 0).desc(), (failed > 0).desc(), lowest.is_(None), lowest,
            size.desc(), shown,
        )
        .offset(start)
        .limit(limit)
    )  # fmt: skip
    rows = tx.session.execute(statement).all()
    seqs = [r[7] % (1 << 40) for r in rows]
    about = _columns(
        FailureRow.seq,
        FailureRow.question,
        FailureRow.route,
        FailureRow.stage,
        FailureRow.document,
        FailureRow.language,
    )
    texts: dict[int, Any] = {}
    for part in parts(seqs):
        rows_of = tx.session.execute(about.where(col(FailureRow.seq).in_(part)))
        texts |= {row[0]: row[1:] for row in rows_of}
    return [
        Queued._make((*row[:6], len(wanted) - row[6] if row[6] else -1, seq, *texts[seq]))
        for row, seq in zip(rows, seqs, strict=True)
    ]


def queue_length(tx: Transaction, query: ListQuery, *, folds: Sequence[int] = ()) -> int:
    """How many folds the queue has; as `queue`."""
    statement = _open(_columns(func.count(FOLD.distinct())), query, folds)
    return int(tx.session.execute(statement).scalar_one())


def open_with(tx: Transaction, names: Sequence[str]) -> list[str]:
    """These failures and all others of their folds that are open and not quarantined, in order."""
    found: dict[int, str] = {}
    for part in parts(names):
        own = _columns(FailureRow.seq, FailureRow.id, FOLD).select_from(FailureRow)
        own = own.join(WordingRow, col(WordingRow.id) == FailureRow.wording).where(col(FailureRow.id).in_(part))
        rows = tx.session.execute(own).all()
        found |= {seq: name for seq, name, _ in rows}
        query = _columns(FailureRow.seq, FailureRow.id).select_from(WordingRow)
        query = query.join(FailureRow, col(FailureRow.wording) == WordingRow.id)
        query = query.where(unindexed(LISTED["state"]) == "new", FailureRow.quarantined == 0)
        query = query.where(in_folds([fold for *_, fold in rows]))
        found |= dict(tx.session.execute(query).all())
    return [found[seq] for seq in sorted(found)]


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


def known_to_cases(tx: Transaction) -> Known:
    """What the cases have."""
    routes, languages = (
        frozenset(v for (v,) in tx.session.execute(_columns(column).where(CaseRow.status != "retired").distinct()))
        for column in (CaseRow.route, CaseRow.language)
    )
    return Known(routes, languages, frozenset(document_ids(tx)))


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
        _columns(FOLD, FailureRow.route, FailureRow.stage, FailureRow.document, func.min(FailureRow.question))
        .select_from(FailureRow)
        .join(WordingRow, col(WordingRow.id) == FailureRow.wording)
        .where(FailureRow.state == "new", FailureRow.quarantined == 0)
        .group_by(FOLD, FailureRow.route, FailureRow.stage, FailureRow.document)
    )
    return [tuple(r) for r in tx.session.execute(query)]


def document_ids(tx: Transaction) -> dict[str, str]:
    """How a log may name a document here -> its id: the name of its file, with and without the ending, and the id."""
    query = _columns(DocumentRow.id, RevisionRow.file).join(RevisionRow, col(RevisionRow.document_id) == DocumentRow.id)
    found: dict[str, str] = {}
    for name, file in tx.session.execute(query):
        found |= {name: name, file: name, file.rsplit(".", 1)[0]: name}
    return found
