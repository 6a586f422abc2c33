"""The values that a field of the cases has had, for forms that offer them."""

from __future__ import annotations

from typing import Any

from sqlalchemy import func, select
from sqlmodel import col

from curator.store.database import Transaction
from curator.store.tables import CaseRow, DocumentRow

COLUMNS: dict[str, Any] = {"domain": CaseRow.domain, "route": CaseRow.route, "language": CaseRow.language}
OF_DOCUMENTS: dict[str, Any] = {
    "domain": DocumentRow.domain,
    "document_type": DocumentRow.document_type,
    "language": DocumentRow.language,
}
TEXTS = {"document_type": "$.documentType", "escalate_to": "$.escalateTo", "asker": "$.asker"}
LISTS = {"tags": "$.tags", "required_behaviors": "$.requiredBehaviors"}


def of_cases(tx: Transaction, field: str) -> dict[str, int]:
    """How many cases have each value of a field; for a list, each entry of it. Empty values are left out."""
    value: Any
    query: Any
    if field in COLUMNS:
        value = col(COLUMNS[field])
        query = select(value, func.count()).where(value != "").group_by(value)
    elif field in TEXTS:
        value = func.json_extract(CaseRow.content, TEXTS[field])
        query = select(value, func.count()).where(value != "").group_by(value)
    elif field in LISTS:
        entry = func.json_each(CaseRow.content, LISTS[field]).table_valued("value")
        query = select(entry.c.value, func.count()).select_from(CaseRow).join(entry, entry.c.value != "")
        query = query.group_by(entry.c.value)
    else:
        return {}
    return {str(value): int(number) for value, number in tx.session.execute(query)}


def of_documents(tx: Transaction, field: str) -> set[str]:
    """The values that documents have in a field which cases take over from them."""
    if field not in OF_DOCUMENTS:
        return set()
    value = col(OF_DOCUMENTS[field])
    return set(tx.session.execute(select(value).where(value != "").distinct()).scalars())
