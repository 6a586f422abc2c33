"""How far people agree who labeled the same cases blind, over all and by stratum."""

from __future__ import annotations

import itertools
from collections.abc import Sequence

from curator.domain.agreement import Measured, measured
from curator.domain.canonical import question_hash
from curator.domain.case import CaseRecord
from curator.domain.model import Model
from curator.domain.review import Review, is_sampled, labels, needs_two, risk_level
from curator.errors import UsageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.labelings import today
from curator.services.todays_names import todays_names
from curator.store import cases, reviews
from curator.store.bulk import parts

DIMENSIONS = {
    "domain": "domain",
    "behavior": "expected_behavior",
    "task": "task",
    "risk": "risk",
    "language": "language",
    "route": "route",
    "documentType": "document_type",
    "difficulty": "difficulty",
}
LIVE = ("in_review", "changes_requested", "approved")
Pair = tuple[Review, Review]


class Agreement(Model):
    """Agreement of first labels, before anybody decided between them.

    Attributes:
        overall: A measure a field, over all cases with two labels.
        strata: The same for each stratum that has such a case, in order of its values.
        waiting: Cases that need two labels and do not have them yet.
        drawn: Of the cases with two labels, those of low or medium risk that the draw sent here: without them,
            agreement would only describe the hard cases.
        adjudicated: Cases on which the two differ, and a third person decided.
    """

    overall: tuple[Measured, ...]
    strata: tuple[Measured, ...] = ()
    waiting: int = 0
    drawn: int = 0
    adjudicated: int = 0


def agreement(ctx: Context, by: Sequence[str] = (), *, progress: Progress | None = None) -> Agreement:
    """Agreement over the cases that are not retired and whose both labels are in; those that wait are only counted.

    Args:
        ctx: Open workspace.
        by: Dimensions of the strata, of DIMENSIONS.
        progress: Asked whether to stop.

    Raises:
        UsageError: A dimension that there is not.
    """
    if unknown := [d for d in by if d not in DIMENSIONS]:
        raise UsageError(f"{unknown[0]!a} is no dimension", f"use {', '.join(DIMENSIONS)}")
    progress = progress or Silent()
    progress.stage("reading labels")
    policy = ctx.review_policy
    pairs: list[tuple[CaseRecord, Pair]] = []
    waiting = drawn = adjudicated = 0
    with ctx.db.read() as tx:
        names = todays_names(tx)
        for part in parts(cases.by_status(tx, LIVE)):
            progress.checkpoint()
            given = reviews.of_cases(tx, [r.case.id for r in part])
            for record in part:
                own = given.get(record.case.id, [])
                first, second = labels(own, question_hash(record.case))
                if first is None or second is None:
                    waiting += record.status == "in_review" and needs_two(record.case, own, policy)
                    continue
                # a source may have been renamed between the two labels
                pairs.append((names.record(record), (today(first, names.sources), today(second, names.sources))))
                low = max(risk_level(r.risk) for r in (first, second)) < risk_level("high")
                drawn += low and is_sampled(record.case.id, policy)
                adjudicated += any(r.slot == "adjudication" and not r.withdrawn for r in own)
    strata = [m for stratum, some in _grouped(pairs, by) for m in measured(some, stratum)] if by else []
    return Agreement(
        overall=measured([p for _, p in pairs]),
        strata=tuple(strata),
        waiting=waiting,
        drawn=drawn,
        adjudicated=adjudicated,
    )


def _grouped(
    pairs: Sequence[tuple[CaseRecord, Pair]], by: Sequence[str]
) -> list[tuple[dict[str, str], list[Pair]]]:  # fmt: skip
    def key(item: tuple[CaseRecord, Pair]) -> tuple[str, ...]:
        return tuple(str(getattr(item[0].case, DIMENSIONS[d])) for d in by)

    return [
        (dict(zip(by, values, strict=True)), [pair for _, pair in some])
        for values, some in itertools.groupby(sorted(pairs, key=key), key=key)
    ]
