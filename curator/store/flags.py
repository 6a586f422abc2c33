"""Flags of cases, read by themselves: a list asks for those of the lines that it shows."""

from __future__ import annotations

from collections.abc import Iterable

from sqlmodel import col, select

from curator.store.bulk import parts, words
from curator.store.database import Transaction
from curator.store.tables import CaseRow


def of_cases(tx: Transaction, case_ids: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Flags by case, of those that have any."""
    found: dict[str, tuple[str, ...]] = {}
    for part in parts(dict.fromkeys(case_ids)):
        query = select(col(CaseRow.id), col(CaseRow.flags)).where(col(CaseRow.id).in_(part), CaseRow.flags != "[]")
        found |= {name: words(said) for name, said in tx.session.execute(query)}
    return found
