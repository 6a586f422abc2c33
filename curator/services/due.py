"""What should be looked at again: cases confirmed long ago or on what has changed, old waivers, old lengths."""

from __future__ import annotations

import datetime
from collections.abc import Iterator
from typing import Literal

from curator.domain.model import Model
from curator.services import reference
from curator.services.context import Context
from curator.store import cases, filling, releases, triage
from curator.store.database import Transaction

DueKind = Literal["stale", "unverified", "confirmed long ago", "waiver", "gate target", "length profile"]


class Due(Model):
    """One thing to look at again.

    Attributes:
        kind: Why.
        name: The case; or suite and gap of a waiver; or suite, cell and measure of a gate target; or "lengths".
        since: The day from which it counts, ISO; "" = not known.
        said: In words, with the next step.
    """

    kind: DueKind
    name: str
    since: str
    said: str


def due(ctx: Context) -> tuple[Due, ...]:
    """All that is due: stale cases first, then those never verified, then the oldest.

    An approved case is due `[review] reverify_days` after it was confirmed (0 = never); a waiver `waiver_days` after it
    was given, a gate target as long after it was set, the declared lengths as long after they were measured. Due at
    once are a target without a date, and lengths that are those of the golden set.
    """
    today = datetime.date.fromisoformat(ctx.now()[:10])
    with ctx.db.read() as tx:
        found = [*_cases(ctx, tx, today), *_waivers(ctx, tx, today), *_targets(ctx, today)]
        shelf, files = filling.shelved(tx), triage.document_ids(tx)
    order: tuple[DueKind, ...] = (
        "stale",
        "unverified",
        "confirmed long ago",
        "waiver",
        "gate target",
        "length profile",
    )
    found.sort(key=lambda d: (order.index(d.kind), d.since, d.name))
    days = ctx.settings.review.waiver_days
    return (*found, *(Due(kind="length profile", name="lengths", since=ctx.settings.lengths.as_of, said=said)
                      for said in reference.warnings(ctx, shelf, tuple(files), days=days)))  # fmt: skip


def _cases(ctx: Context, tx: Transaction, today: datetime.date) -> Iterator[Due]:
    days = ctx.settings.review.reverify_days
    for record in cases.by_status(tx, ("approved",)):
        name, since = record.case.id, record.confirmed_at[:10]
        if "stale" in record.flags:
            yield Due(kind="stale", name=name, since=since, said="its document changed: `curator docs reconfirm list`")
        elif record.is_unverified:
            said = f"imported as approved: `curator review approve {name}`"
            yield Due(kind="unverified", name=name, since=since, said=said)
        elif days and since and (age := _age(since, today)) >= days:
            yield Due(kind="confirmed long ago", name=name, since=since, said=f"confirmed {age} days ago: look at it")


def _waivers(ctx: Context, tx: Transaction, today: datetime.date) -> Iterator[Due]:
    for suite in ctx.settings.suites:
        for gap, waiver in releases.waivers(tx, suite).items():
            if (age := _age(waiver.at[:10], today)) >= ctx.settings.review.waiver_days:
                said = f"waived {age} days ago by {waiver.by}: fill the gap, or give the reason anew"
                yield Due(kind="waiver", name=f"{suite}: {gap}", since=waiver.at[:10], said=said)


def _targets(ctx: Context, today: datetime.date) -> Iterator[Due]:
    for target in ctx.settings.gate.targets:
        cell = ", ".join(f"{k}={v}" for k, v in target.where.items()) or "all cases"
        name = f"{target.suite or 'every suite'}: {target.measure} of {cell}"
        if not target.since:
            said = "it has no date: write since = YYYY-MM-DD, the day on which it was set"
            yield Due(kind="gate target", name=name, since="", said=said)
        elif (age := _age(target.since, today)) >= ctx.settings.review.waiver_days:
            said = f"set {age} days ago at {target.minimum:g}: is it still what you ask for?"
            yield Due(kind="gate target", name=name, since=target.since, said=said)


def _age(day: str, today: datetime.date) -> int:
    return (today - datetime.date.fromisoformat(day)).days
