"""Reviews, appended only."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import Row, update
from sqlmodel import col, select

from curator.domain.review import Review
from curator.store.bulk import insert_rows, parts, words
from curator.store.database import Transaction
from curator.store.events import Event, as_data
from curator.store.tables import CaseRow, ReviewRow

_ORDER = {"sequence", "withdrawn"}
_SAME = ("case_id", "slot", "actor", "at", "decision", "expected_behavior", "risk", "reason", "content_hash",
         "question_hash", "refusal_reason")  # fmt: skip


def add_many(tx: Transaction, given: Sequence[Review]) -> list[Review]:
    """Append reviews; gives them back with their sequences."""
    made = [
        Event("review", r.case_id, "reviewed", data=as_data(r.model_dump(mode="json", by_alias=True, exclude=_ORDER)))
        for r in given
    ]
    stored = [r.model_copy(update={"sequence": seq}) for seq, r in zip(tx.log.append_many(made), given, strict=True)]
    rows = [
        {
            "seq": r.sequence,
            "expected_source_ids": json.dumps(r.expected_source_ids, ensure_ascii=False),
            **{name: getattr(r, name) for name in _SAME},
        }
        for r in stored
    ]
    insert_rows(tx.session, ReviewRow, rows)
    return stored


def add(tx: Transaction, review: Review) -> Review:
    """Append one review, as `add_many`."""
    return add_many(tx, [review])[0]


def withdraw(tx: Transaction, review: Review, reason: str) -> None:
    """Take a review back: it stays, and counts no more."""
    tx.log.append("review", review.case_id, "withdrawn", data={"review": review.sequence, "reason": reason})
    tx.session.execute(update(ReviewRow).where(col(ReviewRow.seq) == review.sequence).values(withdrawn=reason))


def of_cases(tx: Transaction, case_ids: Iterable[str]) -> dict[str, list[Review]]:
    """Reviews by case, oldest first."""
    found: dict[str, list[Review]] = {}
    columns = [getattr(ReviewRow, name) for name in ("seq", "expected_source_ids", "withdrawn", *_SAME)]
    for part in parts(case_ids):
        query = select(*columns).where(col(ReviewRow.case_id).in_(part)).order_by(col(ReviewRow.seq))
        for row in tx.session.execute(query):
            found.setdefault(row.case_id, []).append(_review(row))
    return found


def labels_by(tx: Transaction, actor: str) -> dict[str, set[str]]:
    """Hashes of the questions that an actor has labeled, for cases that are in review, by case."""
    query = (
        select(ReviewRow.case_id, ReviewRow.question_hash)
        .join(CaseRow, col(CaseRow.id) == ReviewRow.case_id)
        .where(CaseRow.status == "in_review", ReviewRow.actor == actor, col(ReviewRow.slot).in_(("label-1", "label-2")))
        .where(ReviewRow.decision == "approve", ReviewRow.withdrawn == "")
    )
    found: dict[str, set[str]] = {}
    for name, asked in tx.session.exec(query):
        found.setdefault(name, set()).add(asked)
    return found


def of_case(tx: Transaction, case_id: str) -> list[Review]:
    """Reviews of one case, oldest first."""
    return of_cases(tx, [case_id]).get(case_id, [])


def _review(row: Row[Any]) -> Review:
    same = {name: getattr(row, name) for name in _SAME}
    taken_back = bool(row.withdrawn)
    return Review(sequence=row.seq, expected_source_ids=words(row.expected_source_ids), withdrawn=taken_back, **same)
