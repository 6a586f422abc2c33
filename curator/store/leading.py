"""The first chunks of a document, as a reader meets them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import select as select_columns
from sqlmodel import col

from curator.store.database import Transaction
from curator.store.tables import AnchorRow, DocumentRow, SourceRow

_columns: Any = select_columns


def first_chunks(tx: Transaction, document_id: str, number: int) -> list[tuple[str, str]]:
    """Id and text of the first chunks of the current revision, in reading order; none when it is not here."""
    query = (
        _columns(SourceRow.name, AnchorRow.text)
        .join(SourceRow, col(SourceRow.id) == AnchorRow.source_id)
        .join(DocumentRow, col(DocumentRow.revision_id) == AnchorRow.revision_id)
        .where(DocumentRow.id == document_id, SourceRow.kind == "chunk")
        .order_by(col(AnchorRow.ordinal))
        .limit(number)
    )
    return [(name, text) for name, text in tx.session.execute(query)]
