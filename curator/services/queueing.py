"""The queue of reviews: each reviewer is handed the next case that needs them, and nobody else gets it meanwhile.

A lease is per (case, slot) and runs out; it tells others to take another case. Who takes a case by hand needs none, as
long as nobody else has the slot in hand.
"""

from __future__ import annotations

import datetime
from collections import Counter
from collections.abc import Iterator, Sequence

from curator.domain.case import CaseRecord
from curator.domain.model import Model
from curator.domain.review import Slot, open_slots
from curator.errors import Conflict, UsageError
from curator.services.context import Context
from curator.store import cases, leases, reviews
from curator.store.bulk import parts
from curator.store.database import Transaction
from curator.store.leases import Lease

_FORMAT = "%Y-%m-%dT%H:%M:%SZ"


class Assigned(Model):
    """A case that a person has in hand.

    Attributes:
        case_id: The case.
        slot: What they are asked for: approval, label-1, label-2, adjudication.
        until: When it goes back into the queue, UTC, ISO.
    """

    case_id: str
    slot: Slot
    until: str


class Queue(Model):
    """What waits for a person: how many cases by slot, and how many others have in hand at the moment."""

    approvals: int = 0
    labels: int = 0
    adjudications: int = 0
    in_hand: int = 0

    @property
    def count(self) -> int:
        """All that they could take now."""
        return self.approvals + self.labels + self.adjudications


def take_next(ctx: Context, *, skip: Sequence[str] = ()) -> Assigned | None:
    """Hand out the next case that needs the acting person; what they have in hand already comes first.

    Disputed cases come before others for those who decide them, then cases with one label, then what waits longest.
    The risk of a case is no part of the order: the order would tell it.

    Args:
        ctx: Open workspace.
        skip: Cases that they do not want now; a lease on one is given back.

    Returns:
        The case with its lease, None when nothing waits.
    """
    with ctx.write("review") as tx:
        now, actor = tx.log.at, tx.log.actor
        leases.sweep(tx, now)
        for name in skip:
            leases.drop(tx, actor, name)
        mine = [held.case_id for held in leases.held_by(tx, actor)]
        best: tuple[int, CaseRecord, Slot] | None = None
        for record, slots in _open(ctx, tx, mine):
            if record.case.id not in skip:
                return _lease(ctx, tx, record, slots[0])
        for record, slots in _open(ctx, tx, _in_review(tx)):
            rank = _rank(slots)
            if record.case.id not in skip and (best is None or rank < best[0]):
                best = (rank, record, slots[0])
                if rank == 0 or (rank == 1 and not _adjudicates(ctx)):
                    break
        return _lease(ctx, tx, best[1], best[2]) if best else None


def take(ctx: Context, name: str) -> Assigned:
    """Take one case in hand, by its id.

    Raises:
        InputError: There is none of this id.
        Conflict: It needs nothing of this person, or another has it in hand.
    """
    with ctx.write("review") as tx:
        leases.sweep(tx, tx.log.at)
        record = cases.get(tx, name)
        for found, slots in _open(ctx, tx, [name], taken=True):
            if slots:
                return _lease(ctx, tx, found, slots[0])
            held = next(x for x in leases.of_cases(tx, [name])[name] if x.actor != tx.log.actor)
            raise Conflict(f"{held.actor} has {name} in hand until {held.until}", "take another: `curator review next`")
    word = record.status.replace("_", " ")
    raise Conflict(f"{name} ({word}) needs no review of {ctx.actor_id}", "`curator review next` gives one that does")


def let_go(ctx: Context, name: str = "") -> int:
    """Give back what the acting person has in hand, one case or all; how many it were."""
    with ctx.write("review") as tx:
        return leases.drop(tx, tx.log.actor, name)


def in_hand(ctx: Context) -> list[Assigned]:
    """What the acting person has in hand, oldest first."""
    now = ctx.now()
    with ctx.db.read() as tx:
        return [_told(x) for x in leases.held_by(tx, ctx.actor_id) if x.lives(now)]


def queue(ctx: Context) -> Queue:
    """What waits for the acting person; nothing for those who may not review."""
    if not ctx.actor_id or not ctx.actor().may("review"):
        return Queue()
    open_now: Counter[Slot] = Counter()
    held = 0
    with ctx.db.read() as tx:
        for _record, slots in _open(ctx, tx, _in_review(tx), taken=True):
            if not slots:
                held += 1
            else:
                open_now[slots[0]] += 1
    return Queue(
        approvals=open_now["approval"],
        labels=open_now["label-1"] + open_now["label-2"],
        adjudications=open_now["adjudication"],
        in_hand=held,
    )


def open_to(ctx: Context, names: Sequence[str]) -> dict[str, Slot]:
    """Of these cases those that the acting person can judge now, with what they are asked for; see `take`."""
    try:
        if not ctx.actor_id or not ctx.actor().may("review"):
            return {}
    except UsageError:
        return {}  # listed nowhere
    with ctx.db.read() as tx:
        return {record.case.id: slots[0] for record, slots in _open(ctx, tx, names)}


def require_free(tx: Transaction, name: str, slot: Slot) -> None:
    """Raise when another person has the slot in hand; what the acting person has of the case is theirs no more.

    Raises:
        Conflict: Another has it.
    """
    for held in leases.of_cases(tx, [name]).get(name, []):
        if held.slot == slot and held.actor != tx.log.actor and held.lives(tx.log.at):
            raise Conflict(
                f"{held.actor} has the {slot} of {name} in hand until {held.until}",
                "take another: `curator review next`",
            )
    leases.drop(tx, tx.log.actor, name)


def _in_review(tx: Transaction) -> Iterator[str]:
    """Ids of the cases in review, those that were submitted first come first."""
    names = cases.in_review(tx)
    submitted = cases.submissions(tx, names)
    return iter(sorted(names, key=lambda n: submitted.get(n, 0)))


def _open(
    ctx: Context, tx: Transaction, names: Iterator[str] | Sequence[str], *, taken: bool = False
) -> Iterator[tuple[CaseRecord, tuple[Slot, ...]]]:
    """Cases with the slots that this person may take now; `taken`: those too whose slots all are in others' hands."""
    adjudicates, now = _adjudicates(ctx), ctx.now()
    for part in parts(names):
        given, held = reviews.of_cases(tx, part), leases.of_cases(tx, part)
        found = cases.get_many(tx, part)
        for name in part:
            record = found.get(name)
            if record is None or not (record.status == "in_review" or record.is_unverified):
                continue
            slots = open_slots(
                record.case, record.author, given.get(name, []), ctx.review_policy, ctx.actor_id,
                adjudicates=adjudicates,
            )  # fmt: skip
            others = {x.slot for x in held.get(name, []) if x.actor != ctx.actor_id and x.lives(now)}
            free = tuple(s for s in slots if s not in others)
            if free or (taken and slots):
                yield record, free


def _rank(slots: tuple[Slot, ...]) -> int:
    """0: to be decided; 1: one label is in; 2: the others."""
    if slots[0] == "adjudication":
        return 0
    return 1 if slots[0] == "label-2" else 2


def _adjudicates(ctx: Context) -> bool:
    return ctx.actor().may("adjudicate")


def _lease(ctx: Context, tx: Transaction, record: CaseRecord, slot: Slot) -> Assigned:
    minutes = datetime.timedelta(minutes=ctx.settings.review.lease_minutes)
    until = (datetime.datetime.fromisoformat(tx.log.at) + minutes).strftime(_FORMAT)
    lease = Lease(record.case.id, slot, tx.log.actor, tx.log.at, until)
    leases.put(tx, lease)
    return _told(lease)


def _told(lease: Lease) -> Assigned:
    return Assigned.model_validate({"case_id": lease.case_id, "slot": lease.slot, "until": lease.until})
