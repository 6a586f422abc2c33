"""What the search index must agree with: the state of the store, and the sources of each document."""

from __future__ import annotations

import json
from typing import Any

from sqlalchemy import func, text
from sqlalchemy import select as select_columns
from sqlmodel import col, select

from curator.store.database import Transaction
from curator.store.index import Entry
from curator.store.tables import AnchorRow, DocumentRow, EventRow, RevisionRow, SourceRow

_columns: Any = select_columns  # SQLModel types up to four columns; a plain tuple of more is all that is wanted

_LAST = text("select seq, at, entity, entity_id, verb from event order by seq desc limit 1")


def head(tx: Transaction) -> str:
    """The state of the store as one short text: another one after every write. "" = nothing was ever written."""
    last = (
        tx.session.connection().execute(_LAST).first()
    )  # each search asks: as a row of its class it would cost thrice
    return " ".join(map(str, last)) if last else ""


def stamps(tx: Transaction, document_id: str = "") -> dict[str, str]:
    """The state of one document or ("") of all: another one with a new revision and with every event of it."""
    events = (
        select(EventRow.entity_id, func.max(EventRow.seq).label("seq"))
        .where(EventRow.entity == "document")
        .group_by(EventRow.entity_id)
        .subquery()
    )
    state = (DocumentRow.id, DocumentRow.version, RevisionRow.id, RevisionRow.sha256, events.c.seq)
    query: Any = (
        _columns(*state)
        .join(RevisionRow, col(RevisionRow.id) == DocumentRow.revision_id)
        .outerjoin(events, events.c.entity_id == DocumentRow.id)
    )
    found = tx.session.exec(query)
    return {
        document: f"{revision} {sha[:16]} v{version} e{seq or 0}" for document, version, revision, sha, seq in found
    }


def entries(tx: Transaction, document_id: str) -> list[Entry]:
    """The sources of the current revision, in reading order; none when the document is gone."""
    query: Any = (
        _columns(
            SourceRow.name, SourceRow.kind, AnchorRow.page, AnchorRow.page_label, AnchorRow.section_path, AnchorRow.text
        )
        .select_from(AnchorRow)
        .join(SourceRow, col(SourceRow.id) == AnchorRow.source_id)
        .join(DocumentRow, col(DocumentRow.revision_id) == AnchorRow.revision_id)
        .where(DocumentRow.id == document_id)
        .order_by(col(AnchorRow.ordinal))
    )
    return [
        Entry(name, kind, page, label, tuple(json.loads(path)), text)
        for name, kind, page, label, path, text in tx.session.execute(query)
    ]
