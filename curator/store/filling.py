"""What could fill a gap: the documents as they are now, and the failures that nobody has decided on."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import Float, case, cast, func
from sqlalchemy import select as select_columns
from sqlmodel import col

from curator.domain.filling import Candidate, Shelved
from curator.store.bulk import words
from curator.store.database import Transaction
from curator.store.tables import AnchorRow, DocumentRow, FailureRow, RevisionRow, SourceRow, WordingRow
from curator.store.triage import document_ids

_columns: Any = select_columns


class Heading(NamedTuple):
    """A section of a current revision by its last two titles, and the first source of it, with its page."""

    title: str
    page: int
    source: str


def shelved(tx: Transaction) -> list[Shelved]:
    """The documents as their current revisions are, by id."""
    query = (
        _columns(
            DocumentRow.id,
            DocumentRow.title,
            DocumentRow.domain,
            DocumentRow.document_type,
            DocumentRow.language,
            RevisionRow.pages,
            col(DocumentRow.chunks) + col(DocumentRow.rows),
        )
        .join(RevisionRow, col(RevisionRow.id) == DocumentRow.revision_id)
        .order_by(col(DocumentRow.id))
    )
    return [Shelved._make(row) for row in tx.session.execute(query)]


def richest(tx: Transaction, document_id: str, first: int, last: int, limit: int) -> list[Heading]:
    """The sections with most to ask about on these pages: those with a table first, by their tables and paragraphs.

    Rows of a table are not counted one by one: a cycle of 300 seconds is one thing to ask about.
    """
    tables = func.count(func.distinct(func.nullif(AnchorRow.block, 0)))
    things = tables + func.sum(case((col(AnchorRow.block) == 0, 1), else_=0))
    # beside the one min() SQLite gives the other columns of the row that it is found in
    query = (
        _columns(AnchorRow.section_path, AnchorRow.page, SourceRow.name, func.min(AnchorRow.ordinal))
        .join(SourceRow, col(SourceRow.id) == AnchorRow.source_id)
        .join(DocumentRow, col(DocumentRow.revision_id) == AnchorRow.revision_id)
        .where(DocumentRow.id == document_id, col(AnchorRow.page).between(first, last), AnchorRow.section_path != "[]")
        .group_by(AnchorRow.section_path)
        .order_by((tables > 0).desc(), things.desc(), col(AnchorRow.ordinal))
        .limit(limit)
    )
    found = tx.session.execute(query)
    return [Heading(" › ".join(words(path)[-2:]), page, name) for path, page, name, _ in found]


def candidates(tx: Transaction) -> list[Candidate]:
    """One open failure of each fold, document and route, those first that are worth a person's time most.

    What is quarantined is not among them. The document is the id of one here, or "".
    """
    bad = func.sum(case((col(FailureRow.feedback) == "bad", 1), else_=0))
    risk = func.max(FailureRow.risk)
    lowest = func.min(case((col(FailureRow.score) != "", cast(FailureRow.score, Float)), else_=None))
    size = func.count()
    shown = func.min(FailureRow.seq)
    facets = (FailureRow.route, FailureRow.language, FailureRow.document)
    turns = func.max(case((col(FailureRow.turns) != "{}", 1), else_=0))
    query = (
        _columns(WordingRow.fold, shown, func.min(FailureRow.question), *facets, turns, risk, bad, size)
        .select_from(FailureRow)
        .join(WordingRow, col(WordingRow.id) == FailureRow.wording)
        .where(FailureRow.state == "new", FailureRow.quarantined == 0)
        .group_by(WordingRow.fold, *facets)
        .order_by((risk > 0).desc(), (bad > 0).desc(), lowest.is_(None), lowest, size.desc(), shown)
    )
    here = document_ids(tx)
    rows = tx.session.execute(query)
    return [
        Candidate(
            failure_id=f"f{seq}", question=question, route=route, language=language, document_id=here.get(document, ""),
            follow_up=bool(follow_up), risk=bool(risky), bad=number_bad, size=number,
        )
        for _, seq, question, route, language, document, follow_up, risky, number_bad, number in rows
    ]  # fmt: skip
