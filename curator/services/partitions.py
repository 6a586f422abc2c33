"""Dev and holdout: assigned once, shown, checked for leaks, moved for a reason. The draw is in `domain.partition`."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

from curator.domain.ledger import Wear
from curator.domain.model import Model
from curator.domain.partition import PartitionCase, drawn_groups, groups, leaks, level_for
from curator.errors import Conflict, UsageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.ledger import wear_of
from curator.services.obstacles import Obstacle, leak_obstacles
from curator.services.settling import described, partition, partition_cases
from curator.services.todays_names import todays_names
from curator.store import cases, releases
from curator.store.cases import Change
from curator.store.database import Transaction

NEAR = 0.02
"""A share this near to the target is met."""


class Assigned(Model):
    """Sides that were given, or would be: case id -> side; the level that joined cases, and the seed of the draw."""

    sides: dict[str, str]
    level: str
    seed: int
    share: float


class StratumShare(Model):
    """A stratum of the draw (domain / behavior).

    Attributes:
        near: Whether the holdout's share lies within two points of the target.
        why: Where it does not: what the groups do not allow, or that sides were given elsewhere.
    """

    stratum: str
    cases: int
    holdout: int
    share: float
    groups: int
    near: bool
    why: str = ""


class Standing(Model):
    """How the cases lie now. `unassigned`: approved cases without a side; `joined`: cases that share a group.

    Groups are those that are drawn as one, by the level that fits the cases now.
    """

    level: str
    seed: int
    target: float
    counts: dict[str, int]
    unassigned: int
    groups: int
    largest: int
    joined: int
    strata: tuple[StratumShare, ...]
    wear: Wear


class Checked(Model):
    """What the check found: leaks, and which of them a waiver of a suite lets pass."""

    cases: int
    leaks: tuple[Obstacle, ...]
    waived: tuple[str, ...]


class Moved(Model):
    """A move: the cases that changed side, and suites whose next version is a major one by it."""

    to: str
    cases: tuple[str, ...]
    suites: tuple[str, ...]


class _Known(NamedTuple):
    cases: list[PartitionCase]
    unassigned: list[str]


def _known(tx: Transaction, progress: Progress) -> _Known:
    """Assigned cases that are not retired, as the draw knows them; and approved ones without a side."""
    names, found, waiting = todays_names(tx), [], []
    for number, record in enumerate(cases.by_status(tx, ("draft", "in_review", "changes_requested", "approved"))):
        if not number % 200:
            progress.checkpoint()
        if record.side:
            found.append(described(names.record(record)))
        elif record.status == "approved" and not record.is_unverified:
            waiting.append(record.case.id)
    return _Known(partition_cases(found), waiting)


def assign(ctx: Context, *, dry_run: bool = False, progress: Progress | None = None) -> Assigned:
    """Give a side to every approved case that has none. What has a side keeps it: sides are given once.

    A case gets its side at its first approval, so that there is seldom one to give; imported reviews leave none either.

    Raises:
        UsageError: Who acts may not.
        Conflict: A case would tie dev to holdout; the others are not assigned either.
    """
    progress = progress or Silent()
    progress.stage("grouping cases")
    with ctx.db.read() as tx:
        waiting = _known(tx, progress).unassigned
    table = ctx.settings.partitions
    if not waiting:
        with ctx.db.read() as tx:
            level = level_for(_known(tx, progress).cases)
        return Assigned(sides={}, level=level, seed=table.seed, share=table.holdout)
    with ctx.write("release", keep=not dry_run) as tx:
        names = todays_names(tx)
        records = list(cases.get_many(tx, waiting).values())
        result = partition(ctx, tx, [described(names.record(r)) for r in records])
        cases.change_many(tx, [Change(r, "assigned", {"side": result.sides[r.case.id]}) for r in records])
    return Assigned(sides=dict(result.sides), level=result.level, seed=table.seed, share=table.holdout)


def move(
    ctx: Context, name: str, to: Literal["dev", "holdout"], reason: str, *, dry_run: bool = False,
    progress: Progress | None = None,
) -> Moved:  # fmt: skip
    """Move a case, and all that may not be split from it, to the other side: a major change of every suite it is in.

    Raises:
        UsageError: No reason, or who acts is no lead.
        InputError: There is no such case.
        Conflict: It has no side yet, or nothing is to be moved.
    """
    if not reason.strip():
        raise UsageError("a move has a reason", "add --reason TEXT")
    progress = progress or Silent()
    progress.stage("grouping cases")
    with ctx.write("release", keep=not dry_run) as tx:
        if not cases.get(tx, name).side:
            raise Conflict(f"{name} has no side yet", "it gets one with its first approval")
        known = _known(tx, progress).cases
        group = next((g for g in groups(known, lambda c: c.ties) if name in {c.id for c in g}), [])
        going = [c.id for c in group if c.side != to]
        if not going:
            raise Conflict(
                f"{name} and its group lie in {to} already", "`curator partition show` tells where cases lie"
            )
        records = cases.get_many(tx, sorted(going)).values()
        cases.change_many(tx, [Change(r, "moved", {"side": to}) for r in records])
        tx.log.append("partition", name, "moved", data={"to": to, "reason": reason.strip(), "cases": sorted(going)})
        latest = {r.suite: r.version for r in releases.versions(tx)}
        suites = tuple(s for s, version in sorted(latest.items()) if releases.holds_any(tx, s, version, going))
    return Moved(to=to, cases=tuple(sorted(going)), suites=suites)


def show(ctx: Context, *, progress: Progress | None = None) -> Standing:
    """How the cases lie, by stratum, and how worn the holdout is."""
    progress = progress or Silent()
    progress.stage("grouping cases")
    with ctx.db.read() as tx:
        known = _known(tx, progress)
        wear = wear_of(ctx, tx)
        counts = Counter(r.partition for r in cases.by_status(tx, ("approved",)) if r.side)
    joined = drawn_groups(known.cases)
    table = ctx.settings.partitions
    return Standing(
        level=level_for(known.cases),
        seed=table.seed,
        target=table.holdout,
        counts={p: counts[p] for p in ("dev", "holdout", "followup_dev", "followup_holdout")},
        unassigned=len(known.unassigned),
        groups=len(joined),
        largest=max(map(len, joined), default=0),
        joined=sum(len(g) for g in joined if len(g) > 1),
        strata=shares(joined, table.holdout),
        wear=wear,
    )


def shares(joined: Sequence[Sequence[PartitionCase]], target: float) -> tuple[StratumShare, ...]:
    """Each stratum's share of the holdout, and why it is off where it is.

    Args:
        joined: The groups that are drawn as one; every case has a side.
        target: The share that is wanted.
    """
    sizes: dict[str, list[int]] = defaultdict(list)
    hidden: Counter[str] = Counter()
    for group in joined:
        for stratum, size in Counter(c.stratum for c in group).items():
            sizes[stratum].append(size)
        hidden.update(c.stratum for c in group if c.side == "holdout")
    made = []
    for stratum, parts in sorted(sizes.items()):
        n = sum(parts)
        share = hidden[stratum] / n
        near = abs(share - target) <= NEAR
        made.append(
            StratumShare(
                stratum=stratum, cases=n, holdout=hidden[stratum], share=share, groups=len(parts), near=near,
                why="" if near else _why(n, parts, target),
            )
        )  # fmt: skip
    return tuple(made)


def _why(n: int, parts: Sequence[int], target: float) -> str:
    """Why a share is off: that no choice of groups comes near, or that the sides were not drawn at once."""
    reached = 1  # bit k: some of the groups have k cases in all
    for part in parts:
        reached |= reached << part
    if any(reached >> k & 1 for k in range(math.ceil((target - NEAR) * n), math.floor((target + NEAR) * n) + 1)):
        return "sides that were given as cases came, or came with imported cases, are never changed by themselves"
    largest = max(parts)
    what = f"{largest} of its {n} cases are" if largest > 1 else f"each of its {n} cases is" if n > 1 else "its case is"
    return f"{what} one group that is never split"


def check(ctx: Context, *, progress: Progress | None = None) -> Checked:
    """Near-duplicates, required sources and conversations that lie on both sides; retired cases tie nothing."""
    progress = progress or Silent()
    progress.stage("comparing dev and holdout")
    with ctx.db.read() as tx:
        known = _known(tx, progress).cases
        found = leaks(known)
        waived = {g for suite in ctx.settings.suites for g in releases.waivers(tx, suite) if g.startswith("leak: ")}
    obstacles = leak_obstacles(found)
    return Checked(
        cases=len(known), leaks=obstacles, waived=tuple(o.name for o in obstacles if o.name in waived)
    )  # fmt: skip
