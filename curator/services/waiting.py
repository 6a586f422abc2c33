"""All that waits in review, for whom and why, as the acting person may know it. No label is told before both are in."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from curator.domain.actors import Actor
from curator.domain.canonical import question_hash
from curator.domain.case import CaseRecord
from curator.domain.model import Model
from curator.domain.review import LABELED_FIELDS, Review, ReviewPolicy, Slot, labels, needs_two, open_slots
from curator.errors import UsageError
from curator.progress import Progress, Silent
from curator.services.blind import closed_to
from curator.services.context import Context
from curator.services.settling import standing_of
from curator.store import cases, leases, reviews
from curator.store.bulk import parts
from curator.store.leases import Lease

Kind = Literal["adjudication", "label", "approval", "changes"]
SAID = {"expectedBehavior": "behavior", "expectedSourceIds": "sources", "risk": "risk"}
_RANK = {"adjudication": 0, "label-2": 1, "label-1": 2, "approval": 2, "": 3}


class Waiting(Model):
    """A case that waits for somebody.

    Attributes:
        kind: What it waits for: a decision between two labels, a label, an approval, or changes by its author.
        mine: The slot that the acting person could take now; "" = none, or it is theirs to change.
        for_me: Whether it waits for the acting person.
        people: Who could take it, by id: those listed under [people], or "anyone but ..." where nobody is listed.
        why: In words, without what a label says before both are in.
        in_hand: Who has which slot in hand, until when (UTC, ISO); "" = nobody.
        since: When it was submitted or sent back; ISO.
    """

    case_id: str
    question: str
    domain: str
    author: str
    kind: Kind
    mine: Slot | Literal[""] = ""
    for_me: bool = False
    people: str
    why: str
    in_hand: str = ""
    since: str = ""


def waiting(ctx: Context, *, progress: Progress | None = None) -> tuple[Waiting, ...]:
    """Everything in review or sent back: what the acting person could take first, decisions before labels.

    Whoever may not see the holdout is not told of its cases.
    """
    progress = progress or Silent()
    found: list[Waiting] = []
    now, closed = ctx.now(), closed_to(ctx)
    with ctx.db.read() as tx:
        records = cases.by_status(tx, cases.OPEN)
        for part in parts(records):
            progress.checkpoint()
            names = [r.case.id for r in part]
            given, held = reviews.of_cases(tx, names), leases.of_cases(tx, names)
            submitted = cases.submissions(tx, names)
            for record in part:
                if closed and record.side == "holdout":
                    continue
                name = record.case.id
                alive = [x for x in held.get(name, []) if x.lives(now)]
                found.append(_waiting(ctx, record, given.get(name, []), alive, submitted.get(name, 0)))
    return tuple(sorted(found, key=lambda w: (not w.for_me, _RANK[w.mine], w.since)))


def _waiting(
    ctx: Context, record: CaseRecord, given: Sequence[Review], held: Sequence[Lease], submitted: int
) -> Waiting:
    policy, case = ctx.review_policy, record.case
    live = [r for r in given if not r.withdrawn]
    kind, why = _what(record, live, policy, standing_of(ctx, record, given, submitted).missing)
    facts = {
        "case_id": case.id, "question": case.question, "domain": case.domain, "author": record.author, "kind": kind,
        "why": why, "since": record.updated_at,
        "in_hand": "; ".join(f"{x.slot} with {_who(ctx, x)} until {x.until[11:16]} UTC" for x in held),
    }  # fmt: skip
    if kind == "changes":
        return Waiting(**facts, people=record.author, for_me=record.author == ctx.actor_id)
    slots = _open(record, live, policy, ctx.actor_id, _role(ctx))
    taken = {x.slot for x in held if x.actor != ctx.actor_id}
    mine = next((s for s in slots if s not in taken), "")
    return Waiting(**facts, mine=mine, for_me=bool(mine), people=_people(ctx, record, live, kind))


def _what(record: CaseRecord, live: Sequence[Review], policy: ReviewPolicy, missing: str) -> tuple[Kind, str]:
    if record.status == "changes_requested":
        return "changes", missing or "changes were asked for"
    if not needs_two(record.case, live, policy):
        return "approval", "one approval"
    first, second = labels(live, question_hash(record.case))
    if first is not None and second is not None:
        differ = [SAID[f] for n, f in enumerate(LABELED_FIELDS) if first.label[n] != second.label[n]]
        return "adjudication", f"{first.actor} and {second.actor} differ in {', '.join(differ)}"
    by = next((r.actor for r in (first, second) if r), "")
    return "label", f"two blind labels: {f'that of {by} is in' if by else 'none is in'}"


def _who(ctx: Context, held: Lease) -> str:
    return "you" if held.actor == ctx.actor_id else held.actor


def _role(ctx: Context) -> Actor | None:
    try:
        return ctx.actor() if ctx.actor_id else None
    except UsageError:
        return None


def _open(
    record: CaseRecord, live: Sequence[Review], policy: ReviewPolicy, name: str, actor: Actor | None
) -> tuple[Slot, ...]:
    if actor is None or not actor.may("review"):
        return ()
    return open_slots(record.case, record.author, live, policy, name, adjudicates=actor.may("adjudicate"))


def _people(ctx: Context, record: CaseRecord, live: Sequence[Review], kind: Kind) -> str:
    """Who could take what is open, by id."""
    policy = ctx.review_policy
    if not ctx.settings.people:
        if policy.solo:
            return "anyone"
        but = sorted({record.author} | {r.actor for r in live if r.slot.startswith("label")})
        return f"anyone but {', '.join(but) if kind != 'approval' else record.author}"
    able = [
        name
        for name, person in ctx.settings.people.items()
        if _open(record, live, policy, name, Actor(id=name, role=person.role))
    ]
    if able:
        return ", ".join(able)
    role = "a lead who neither wrote nor labeled it" if kind == "adjudication" else "another reviewer"
    return f"! nobody listed: it takes {role}"
