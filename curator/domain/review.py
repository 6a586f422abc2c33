"""Reviews and what follows from them.

A review is one person's judgement of a case; it is appended and never edited. Low and medium risk: one approval by
someone other than the author. High and critical, and a seeded share of the rest: two labels by two people, and an
adjudication where they differ in behavior, required sources or risk. An approval counts for the content it was given
on; a label speaks of the question (task, turns, asker, date) and counts while that stays the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from curator.domain.canonical import case_hash, question_hash
from curator.domain.case import RISKS, Behavior, Case, DraftRisk, RefusalReason, Risk
from curator.domain.identity import sha256
from curator.domain.model import Model

Slot = Literal["approval", "label-1", "label-2", "adjudication"]
Decision = Literal["approve", "request_changes"]
LABELED_FIELDS = ("expectedBehavior", "expectedSourceIds", "risk")


class Review(Model):
    """One judgement. `sequence` orders reviews; 0 until it is stored.

    Attributes:
        slot: What it counts as. A label or adjudication states behavior, required sources and risk.
        decision: approve (for a label: this is how I label it) or request_changes (then with a reason).
        risk: The risk that the reviewer states; "" = not stated (allowed for an approval).
        refusal_reason: Why a label refuses, where it says so; two labels do not differ by it.
        content_hash: The content that was looked at; question_hash: the question of it.
        withdrawn: Taken back with a reason; it stays in the history and counts no more.
    """

    sequence: int = 0
    case_id: str
    slot: Slot
    actor: str
    at: str
    decision: Decision = "approve"
    expected_behavior: Behavior | Literal[""] = ""
    expected_source_ids: tuple[str, ...] = ()
    risk: Risk | Literal[""] = ""
    refusal_reason: RefusalReason = ""
    reason: str = ""
    content_hash: str = ""
    question_hash: str = ""
    withdrawn: bool = False

    @property
    def label(self) -> tuple[str, frozenset[str], str]:
        """What two labelers are compared by: behavior, required sources, risk."""
        return self.expected_behavior, frozenset(self.expected_source_ids), self.risk


class RiskFloor(Model):
    """The least risk of all cases of a domain and route ("" = any)."""

    domain: str = ""
    route: str = ""
    risk: Risk


class ReviewPolicy(Model):
    """How much review a case gets. `double_share` of the low and medium cases, drawn by `seed`, is labeled twice."""

    solo: bool = False
    double_share: float = Field(default=0.1, ge=0, le=1)
    seed: int = 1
    floors: tuple[RiskFloor, ...] = ()


class Outcome(Model):
    """Where a case stands by its reviews.

    Attributes:
        approvals: How many people stand behind the content: 1 for an approval, 2 for equal labels, 3 when adjudicated.
        confirmed_at: Time of the decision that completed it; "" when not approved.
        missing: What is still needed, in words; "" when approved.
        disputed: Two labels differ and nobody has decided.
        counted: Sequences of the reviews that made the outcome.
    """

    status: Literal["in_review", "approved", "changes_requested"] = "in_review"
    approvals: int = 0
    confirmed_at: str = ""
    missing: str = ""
    disputed: bool = False
    counted: tuple[int, ...] = ()


def risk_level(risk: str) -> int:
    """Rank of a risk: low 0 ... critical 3; "" is below all."""
    return RISKS.index(risk) if risk in RISKS else -1


def stated_risk(case: Case, reviews: Sequence[Review], policy: ReviewPolicy) -> DraftRisk:
    """The highest risk that the case, a floor of the policy or any counted reviewer states; "" = nobody."""
    floors = [f.risk for f in policy.floors if f.domain in ("", case.domain) and f.route in ("", case.route)]
    counted = [r for r in reviews if r.risk and not r.withdrawn]
    asked = question_hash(case) if counted else ""
    stated = [r.risk for r in counted if r.question_hash == asked]
    return max((case.risk, *floors, *stated), key=risk_level)


def is_sampled(case_id: str, policy: ReviewPolicy) -> bool:
    """Whether the seeded draw sends a case of low or medium risk to double labeling."""
    draw = int(sha256(f"{policy.seed}:{case_id}".encode())[:8], 16) / 2**32
    return draw < policy.double_share


def needs_two(case: Case, reviews: Sequence[Review], policy: ReviewPolicy) -> bool:
    """Whether the case must be labeled by two people."""
    if policy.solo:
        return False
    return risk_level(stated_risk(case, reviews, policy)) >= risk_level("high") or is_sampled(case.id, policy)


def outcome(
    case: Case, author: str, reviews: Sequence[Review], policy: ReviewPolicy, *, submitted: int = 0, content: str = ""
) -> Outcome:  # fmt: skip
    """Where a submitted case stands, by all reviews of it in order of their sequence.

    Args:
        case: As it is now.
        author: Who wrote it; their approval counts only for one-person teams.
        reviews: All reviews of it.
        policy: How much review it gets.
        submitted: Sequence of its last submission: what was asked for before is answered by it.
        content: Its content hash, where it is known; "" = worked out.
    """
    live = [r for r in reviews if not r.withdrawn]
    content = content or case_hash(case)
    refused = _refused([r for r in live if r.content_hash == content], submitted)
    if refused:
        return Outcome(status="changes_requested", missing=f"changes asked for: {refused.reason}")
    if needs_two(case, live, policy):
        asked = question_hash(case)
        return _double(case, author, [r for r in live if r.question_hash == asked and r.decision == "approve"])
    return _single(author, [r for r in live if r.content_hash == content and r.decision == "approve"], policy)


def _refused(reviews: Sequence[Review], submitted: int) -> Review | None:
    """The first request for changes that no later submission has answered, nor a later word of the same person."""
    last = {r.actor: r for r in reviews}
    open_requests = (r for r in last.values() if r.decision == "request_changes" and r.sequence >= submitted)
    return min(open_requests, key=lambda r: r.sequence, default=None)


def _single(author: str, approving: Sequence[Review], policy: ReviewPolicy) -> Outcome:
    own_counts = policy.solo
    counting = [r for r in approving if own_counts or r.actor != author]
    if not counting:
        return Outcome(missing="one approval" + ("" if own_counts else f" by someone other than {author}"))
    first = counting[0]
    people = {r.actor for r in counting}
    return Outcome(
        status="approved", approvals=len(people), confirmed_at=first.at, counted=tuple(r.sequence for r in counting)
    )


def labels(reviews: Sequence[Review], asked: str) -> tuple[Review | None, Review | None]:
    """The two labels that count, by two people; the latest of each slot."""
    live = [r for r in reviews if not r.withdrawn and r.question_hash == asked and r.decision == "approve"]
    second = next((r for r in reversed(live) if r.slot == "label-2"), None)
    first = next(
        (r for r in reversed(live) if r.slot == "label-1" and (second is None or r.actor != second.actor)), None
    )
    return first, second


def open_slots(
    case: Case, author: str, reviews: Sequence[Review], policy: ReviewPolicy, actor: str, *, adjudicates: bool
) -> tuple[Slot, ...]:
    """What this person may give of what a case in review still waits for.

    Args:
        case: As it is now.
        author: Who wrote it.
        reviews: All reviews of it, oldest first.
        policy: How much review it gets.
        actor: The person.
        adjudicates: Whether their role decides between two labels.
    """
    if actor == author and not policy.solo:
        return ()
    live = [r for r in reviews if not r.withdrawn]
    if not needs_two(case, live, policy):
        content = case_hash(case)
        given = any(r.actor == actor and r.content_hash == content and r.decision == "approve" for r in live)
        return () if given else ("approval",)
    first, second = labels(live, question_hash(case))
    if first is not None and second is not None:
        third = first.label != second.label and adjudicates and actor not in (first.actor, second.actor, author)
        return ("adjudication",) if third else ()
    if actor in {r.actor for r in (first, second) if r}:
        return ()
    pairs: tuple[tuple[Slot, Review | None], ...] = (("label-1", first), ("label-2", second))
    return tuple(slot for slot, given in pairs if given is None)


def _double(case: Case, author: str, approving: Sequence[Review]) -> Outcome:
    first, second = labels(approving, question_hash(case))
    if first is None or second is None:
        slots = " and ".join(s for s, r in (("label-1", first), ("label-2", second)) if r is None)
        return Outcome(missing=f"{slots} by another person")
    decided, counted = first, [first, second]
    if first.label != second.label:
        people = {first.actor, second.actor, author}
        third = next((r for r in reversed(approving) if r.slot == "adjudication" and r.actor not in people), None)
        if third is None:
            return Outcome(missing="an adjudication: the two labels differ", disputed=True)
        decided, counted = third, [first, second, third]
    if decided.label != (case.expected_behavior, frozenset(case.expected_source_ids), case.risk):
        return Outcome(
            status="changes_requested", missing="the case does not say what was decided: " + _difference(case, decided)
        )
    return Outcome(
        status="approved",
        approvals=len(counted),
        confirmed_at=max(r.at for r in counted),
        counted=tuple(r.sequence for r in counted),
    )


def _difference(case: Case, decided: Review) -> str:
    """The fields in which the case differs from the label that was decided on, with both values."""
    pairs = (
        ("behavior", case.expected_behavior, decided.expected_behavior),
        ("sources", ", ".join(case.expected_source_ids), ", ".join(decided.expected_source_ids)),
        ("risk", case.risk, decided.risk),
    )
    return "; ".join(
        f"{name} {theirs or 'none'}, not {mine or 'none'}" for name, mine, theirs in pairs if mine != theirs
    )


class FieldAgreement(Model):
    """Raw agreement of the two labels in one field, over the cases labeled twice."""

    field: str
    cases: int
    equal: int


def agreement(pairs: Sequence[tuple[Review, Review]]) -> tuple[FieldAgreement, ...]:
    """Raw agreement by field over pairs of labels; source ids are compared as sets."""

    def equal(field: str) -> int:
        index = LABELED_FIELDS.index(field)
        return sum(a.label[index] == b.label[index] for a, b in pairs)

    return tuple(FieldAgreement(field=f, cases=len(pairs), equal=equal(f)) for f in LABELED_FIELDS)
