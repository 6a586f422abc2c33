"""What people decided about suggested evidence: events of the case, each with the suggestion and the decision apart.

Entity `suggestion`, its id is that of the case; `suggestion accepted` or `suggestion rejected`. Nothing else is stored:
a suggestion that nobody decided about leaves no trace.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from curator.domain.case import Case
from curator.domain.suggestion import Answer, Decided, Decision, decisions
from curator.store import events, sources
from curator.store.database import Transaction
from curator.store.events import Event, as_data

ENTITY = "suggestion"
ACCEPTED, REJECTED = "suggestion accepted", "suggestion rejected"


def record(tx: Transaction, decided: Sequence[Decided], before: Case, after: Case) -> list[Decision]:
    """Record what a person decided about suggestions for a case, in the transaction that stores the case.

    Args:
        tx: Open write transaction.
        decided: What they decided since the case was stored last.
        before: The case as it was stored then; after: as it is stored now, with its id.
        after: See before.
    """
    if not decided:
        return []
    made = decisions(decided, before, after, standing(tx, after.id))
    tx.log.append_many(
        [
            Event(ENTITY, after.id, REJECTED if d.after == "rejected" else ACCEPTED,
                  data=as_data(d.model_dump(mode="json", by_alias=True)))
            for d in made
        ]
    )  # fmt: skip
    return made


def standing(tx: Transaction, case_id: str) -> dict[str, Answer]:
    """What was said last of each source that was suggested for a case, by its id of today."""
    told: dict[str, Answer] = {}
    for event in events.history(tx, ENTITY, case_id):
        decision = Decision.model_validate(event["data"])
        told[decision.suggestion.source_id] = decision.after
    if not told:
        return {}
    names = sources.names_now(tx)
    return {names.get(name, name): answer for name, answer in told.items()}


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take back, or do again, one decision from its event."""
    data = dict(event["data"])
    events.append_undoing(tx, event, verb, {**data, "before": data["after"], "after": data["before"]})
