"""Reviews, appended only."""

from __future__ import annotations

import json
from collections.abc import Iterable

from sqlmodel import col, select

from curator.domain.review import Review
from curator.store.database import Transaction
from curator.store.tables import ReviewRow


def add(tx: Transaction, review: Review) -> Review:
    """Append a review; gives it back with its sequence."""
    data = review.model_dump(mode="json", by_alias=True, exclude={"sequence"})
    seq = tx.log.append("review", review.case_id, "reviewed", data=data)
    tx.session.add(
        ReviewRow(
            seq=seq,
            case_id=review.case_id,
            slot=review.slot,
            actor=review.actor,
            at=review.at,
            decision=review.decision,
            expected_behavior=review.expected_behavior,
            expected_source_ids=json.dumps(review.expected_source_ids, ensure_ascii=False),
            risk=review.risk,
            reason=review.reason,
            content_hash=review.content_hash,
            question_hash=review.question_hash,
        )
    )
    tx.session.flush()
    return review.model_copy(update={"sequence": seq})


def of_cases(tx: Transaction, case_ids: Iterable[str]) -> dict[str, list[Review]]:
    """Reviews by case, oldest first."""
    found: dict[str, list[Review]] = {}
    wanted = list(case_ids)
    for start in range(0, len(wanted), 500):
        part = col(ReviewRow.case_id).in_(wanted[start : start + 500])
        for row in tx.session.exec(select(ReviewRow).where(part).order_by(col(ReviewRow.seq))):
            found.setdefault(row.case_id, []).append(_review(row))
    return found


def of_case(tx: Transaction, case_id: str) -> list[Review]:
    """Reviews of one case, oldest first."""
    return of_cases(tx, [case_id]).get(case_id, [])


def _review(row: ReviewRow) -> Review:
    return Review(
        sequence=row.seq,
        case_id=row.case_id,
        slot=row.slot,
        actor=row.actor,
        at=row.at,
        decision=row.decision,
        expected_behavior=row.expected_behavior,
        expected_source_ids=tuple(json.loads(row.expected_source_ids)),
        risk=row.risk,
        reason=row.reason,
        content_hash=row.content_hash,
        question_hash=row.question_hash,
    )
