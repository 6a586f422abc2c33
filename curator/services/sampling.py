"""Samples of production traffic, its shares, and what it has that the golden set lacks."""

from __future__ import annotations

import hashlib
from collections import defaultdict

from curator.domain.model import Model
from curator.errors import UsageError
from curator.services.context import Context
from curator.store import failures, triage

COLUMNS = ("route", "stage", "week", "language", "feedback", "document")


class Stratum(Model):
    """One value of the column that a sample is drawn by: how much traffic it has, and what was taken of it."""

    value: str
    total: int
    share: float
    taken: tuple[str, ...]
    note: str = ""


class Sample(Model):
    """A stratified sample; the same seed on the same failures gives the same ids."""

    by: str
    seed: int
    strata: tuple[Stratum, ...]


class Count(Model):
    """How many failures have one value of a column, by state, and their share of all."""

    value: str
    total: int
    share: float
    new: int
    promoted: int
    dismissed: int
    duplicate: int


class Stats(Model):
    """Counts by route, stage and week, and values that no case has."""

    total: int
    quarantined: int
    by_route: tuple[Count, ...]
    by_stage: tuple[Count, ...]
    by_week: tuple[Count, ...]
    unknown_to_cases: dict[str, dict[str, int]]


def sample(ctx: Context, *, by: str = "route", per: int = 50, least: int = 5, seed: int = 1) -> Sample:
    """A sample of every stratum; the shares are recorded in the history when an actor is named.

    Args:
        ctx: Open workspace.
        by: route, stage, week, language, feedback or document.
        per: Failures a stratum.
        least: A stratum with fewer failures says "insufficient data", and all of it is taken.
        seed: Of the draw.

    Raises:
        UsageError: No such column, or numbers that make no sense.
    """
    if by not in COLUMNS:
        raise UsageError(f"no sample can be drawn by {by!a}", f"use one of {', '.join(COLUMNS)}")
    if per < 1 or least < 0:
        raise UsageError("a sample takes at least one of each", "--per 50 --min 5")
    groups: dict[str, list[str]] = defaultdict(list)
    with ctx.db.read() as tx:
        for value, name in triage.members(tx, by):
            groups[value].append(name)
    total = sum(map(len, groups.values()))
    strata = []
    for value, names in sorted(groups.items(), key=lambda g: (-len(g[1]), g[0])):
        drawn = sorted(names, key=lambda n: hashlib.sha256(f"{seed}\x1f{n}".encode()).digest())[:per]
        note = f"insufficient data: {len(names)} of {least}" if len(names) < least else ""
        taken = tuple(sorted(drawn, key=lambda n: int(n[1:])))
        strata.append(Stratum(value=value, total=len(names), share=len(names) / total, taken=taken, note=note))
    if ctx.actor_id:
        with ctx.write() as tx:
            shares = {s.value: s.total for s in strata}
            tx.log.append("sample", by, "drawn", data={"seed": seed, "per": per, "least": least, "traffic": shares})
    return Sample(by=by, seed=seed, strata=tuple(strata))


def lowest(ctx: Context, *, limit: int = 50, below: float | None = None) -> list[tuple[str, float]]:
    """Ids and scores of the open failures with the lowest scores."""
    with ctx.db.read() as tx:
        return triage.lowest(tx, below=below, limit=limit)


def stats(ctx: Context) -> Stats:
    """Failures by route, stage and week, and what the golden set lacks."""
    with ctx.db.read() as tx:
        tables = {c: failures.tally(tx, c) for c in ("route", "stage", "week")}
        waiting = failures.tally(tx, "quarantined", quarantined=True).get("1", {})
        unknown = triage.unknown_to_cases(tx)
        known = triage.document_ids(tx)
        unknown["document"] = {d: n for d, n in triage.documents_of(tx).items() if d not in known}
    total = sum(sum(states.values()) for states in tables["route"].values())
    return Stats(
        total=total,
        quarantined=sum(waiting.values()),
        by_route=_counts(tables["route"], total),
        by_stage=_counts(tables["stage"], total),
        by_week=tuple(sorted(_counts(tables["week"], total), key=lambda c: c.value)),
        unknown_to_cases={k: v for k, v in unknown.items() if v},
    )


def _counts(table: dict[str, dict[str, int]], total: int) -> tuple[Count, ...]:
    made = []
    for value, states in table.items():
        number = sum(states.values())
        by_state = {s: states.get(s, 0) for s in ("new", "promoted", "dismissed", "duplicate")}
        made.append(Count(value=value, total=number, share=number / total, **by_state))
    return tuple(sorted(made, key=lambda c: (-c.total, c.value)))
