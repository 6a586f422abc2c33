"""Reviews: one person's judgement of a case, appended; what follows from it is settled in the same transaction."""

from __future__ import annotations

import datetime
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pydantic import ValidationError

from curator.domain.actors import ACTOR_ID, Actor
from curator.domain.canonical import case_hash, question_hash
from curator.domain.case import CaseRecord
from curator.domain.model import Model
from curator.domain.review import Review, Slot, labels, needs_two, risk_level
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.exporting.read import storable
from curator.progress import Progress, Silent
from curator.services.checking import Checks
from curator.services.context import Context
from curator.services.queueing import require_free
from curator.services.report import ImportReport, Rejected
from curator.services.settling import Tied, settle
from curator.services.shelf import shelf_of
from curator.store import cases, leases, reviews, sources
from curator.store.bulk import PART, parts
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.store.leases import Lease
from curator.text import clean

_TIME = re.compile(r"\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,6})?Z", re.ASCII)


class Statement(Model):
    """What a reviewer says of a case; "" and () = not stated."""

    risk: str = ""
    behavior: str = ""
    source_ids: tuple[str, ...] = ()
    refusal_reason: str = ""
    reason: str = ""


def approve(ctx: Context, name: str, statement: Statement | None = None) -> CaseRecord:
    """Approve a case, or label it when it needs two labels; one that was imported as approved is confirmed so.

    For a case of low or medium risk an approval suffices. A case that needs two labels takes what the reviewer states
    of behavior, required sources and risk, since a copy of the author's labels would be no second opinion.

    Raises:
        UsageError: The author may not approve; or a label is needed and not stated.
        InputError: A source that is stated is not in this workspace.
        Conflict: It is not in review, or this person has labeled it already.
        CheckFailed: It was approved elsewhere, and lacks what every case must have.
    """
    said = statement or Statement()
    with ctx.write("review") as tx:
        record = _confirmable(ctx, tx, name)
        actor, solo = tx.log.actor, ctx.review_policy.solo
        if actor == record.author and not solo:
            raise UsageError(f"{actor} wrote {name} and may not approve it", "another person reviews it (--as ID)")
        earlier = reviews.of_case(tx, name)
        held = [x for x in leases.of_cases(tx, [name]).get(name, ()) if x.lives(tx.log.at)]
        slot = _slot(ctx, record, earlier, said, actor, held)
        if slot != "approval":
            _fully_stated(said)
        require_free(tx, name, slot)
        reviews.add(tx, _review(record, slot, actor, tx.log.at, _resolved(tx, said)))
        settle(ctx, tx, [name])
        return cases.get(tx, name)


def request_changes(ctx: Context, name: str, reason: str) -> CaseRecord:
    """Send a case back to its author, with a reason.

    Raises:
        UsageError: No reason.
        Conflict: It is not in review.
    """
    if not reason.strip():
        raise UsageError("changes are asked for with a reason", "add --reason TEXT")
    with ctx.write("review") as tx:
        record = _in_review(tx, name, unverified=True)
        review = _review(record, "approval", tx.log.actor, tx.log.at, Statement(reason=reason))
        reviews.add(tx, review.model_copy(update={"decision": "request_changes"}))
        leases.drop(tx, tx.log.actor, name)
        settle(ctx, tx, [name])
        return cases.get(tx, name)


def adjudicate(ctx: Context, name: str, statement: Statement) -> CaseRecord:
    """Decide a case on which two labels differ.

    Raises:
        UsageError: The role does not allow it, or behavior, sources or risk is not stated.
        Conflict: The case is not disputed, or this person wrote it or is one of its labelers.
    """
    _fully_stated(statement)
    with ctx.write("adjudicate") as tx:
        record = _in_review(tx, name)
        pair = [r for r in labels(reviews.of_case(tx, name), question_hash(record.case)) if r]
        if "disputed" not in record.flags:
            raise Conflict(f"{name} is not disputed", "an adjudication decides between two labels that differ")
        if tx.log.actor == record.author or any(r.actor == tx.log.actor for r in pair):
            raise Conflict(f"{tx.log.actor} wrote or labeled {name}", "a third person adjudicates")
        require_free(tx, name, "adjudication")
        reviews.add(tx, _review(record, "adjudication", tx.log.actor, tx.log.at, _resolved(tx, statement)))
        settle(ctx, tx, [name])
        return cases.get(tx, name)


def withdraw(ctx: Context, name: str, reason: str, *, number: int = 0) -> CaseRecord:
    """Take a review back, with a reason: it stays in the history and counts no more.

    Args:
        ctx: Open workspace.
        name: The case.
        reason: Why.
        number: Sequence of the review; 0 = the last one of the acting person. A lead may withdraw anybody's.

    Raises:
        UsageError: No reason, or the review is another person's and the role does not decide about it.
        InputError: There is no such review, or it is withdrawn already.
    """
    if not reason.strip():
        raise UsageError("a review is withdrawn with a reason", "add --reason TEXT")
    with ctx.write("review") as tx:
        record, given = cases.get(tx, name), reviews.of_case(tx, name)
        live = [r for r in given if not r.withdrawn]
        mine = [r for r in live if r.actor == tx.log.actor]
        found = [r for r in live if r.sequence == number] if number else mine[-1:]
        if not found:
            raise InputError(f"{name}: no review of yours counts", "`curator case history` numbers them")
        if found[0].actor != tx.log.actor:
            ctx.actor("adjudicate")
        reviews.withdraw(tx, found[0], clean(reason)[0].strip())
        if record.status not in ("draft", "retired"):
            settle(ctx, tx, [name])
        return cases.get(tx, name)


def _confirmable(ctx: Context, tx: Transaction, name: str) -> CaseRecord:
    """A case in review; or one that was approved elsewhere, which is put in review if it may be submitted.

    Raises:
        CheckFailed: It lacks something that every case must have.
    """
    record = _in_review(tx, name, unverified=True)
    if record.status == "approved":
        two = needs_two(record.case, reviews.of_case(tx, name), ctx.review_policy)
        shelf = shelf_of(tx, [record.case])
        if wrong := Checks.of(ctx).stopping(shelf, record.case, stale="stale" in record.flags):
            what = "it lacks what every case must have" if two else wrong[0].message  # which would tell a label
            step = "its author completes it" if two else wrong[0].hint
            raise CheckFailed(f"{name} cannot be confirmed as it is: {what}", f"{step}, then submits it for review")
        return cases.change_many(tx, [Change(record, "put in review", {"status": "in_review"})])[0]
    return record


def _in_review(tx: Transaction, name: str, *, unverified: bool = False) -> CaseRecord:
    record = cases.get(tx, name)
    if record.status != "in_review" and not (unverified and record.is_unverified):
        word = record.status.replace("_", " ")
        raise Conflict(f"{name} is {word}, not in review", f"`curator case submit {name}` sends a draft to review")
    return record


def _slot(
    ctx: Context, record: CaseRecord, earlier: Sequence[Review], said: Statement, actor: str, held: Sequence[Lease]
) -> Slot:  # fmt: skip
    """The slot that this review fills: the one that the person has in hand, else one that nobody has."""
    mine = {x.slot for x in held if x.actor == actor}
    others = {x.slot for x in held if x.actor != actor}
    high = risk_level(said.risk) >= risk_level("high")
    if ctx.review_policy.solo or not (high or needs_two(record.case, earlier, ctx.review_policy)):
        return "approval"
    first, second = labels(earlier, question_hash(record.case))
    if actor in {r.actor for r in (first, second) if r}:
        raise Conflict(f"{actor} has labeled {record.case.id} already", "another person gives the second label")
    free: list[Slot] = [s for s, given in _pairs(first, second) if given is None]
    if free:
        return next((s for s in free if s in mine), next((s for s in free if s not in others), free[0]))
    raise Conflict(f"{record.case.id} has both its labels", "`curator review adjudicate` decides where they differ")


def _pairs(first: Review | None, second: Review | None) -> tuple[tuple[Slot, Review | None], ...]:
    return ("label-1", first), ("label-2", second)


def _fully_stated(said: Statement) -> None:
    missing = [n for n, v in (("--behavior", said.behavior), ("--risk", said.risk)) if not v]
    if said.behavior == "answer" and not said.source_ids:
        missing.append("--source (or `--source none` for a summary)")
    if missing:
        raise UsageError(
            "this case needs two labels: state your own",
            f"add {', '.join(missing)}; do not copy what the author says",
        )


def _resolved(tx: Transaction, said: Statement) -> Statement:
    """The statement with its sources under their ids; `none` alone means that no source is required.

    Raises:
        InputError: One is in no document of the workspace.
    """
    names = () if said.source_ids == ("none",) else said.source_ids
    return said.model_copy(update={"source_ids": _resolve(_source_ids(tx, names), names)})


def _source_ids(tx: Transaction, names: Sequence[str]) -> dict[str, str]:
    """Those of these sources, which may be named by an alias, that are here: name -> id."""
    return {name: s.id for s in sources.named(tx, names) for name in (s.id, *s.aliases)}


def _resolve(known: Mapping[str, str], names: Sequence[str]) -> tuple[str, ...]:
    for name in names:
        if name not in known:
            raise InputError(f"no source {name}", "`curator docs rows DOCUMENT` lists the ids of table rows")
    return tuple(dict.fromkeys(known[name] for name in names))


def _review(record: CaseRecord, slot: Slot, actor: str, at: str, said: Statement) -> Review:
    try:
        return Review(
            case_id=record.case.id,
            slot=slot,
            actor=actor,
            at=at,
            expected_behavior=said.behavior,
            expected_source_ids=said.source_ids,
            risk=said.risk,
            refusal_reason=said.refusal_reason,
            reason=said.reason,
            content_hash=case_hash(record.case),
            question_hash=question_hash(record.case),
        )
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise UsageError(f"{first['loc'][0]}: {first['msg']}", "see `curator review approve --help`") from None


IMPORTED_KEYS = ("caseId", "slot", "actor", "at", "decision", "expectedBehavior", "expectedSourceIds", "risk",
                 "refusalReason", "reason")  # fmt: skip


def import_reviews(
    ctx: Context, rows: Iterable[tuple[int, dict[str, Any] | InputError]], *, dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:  # fmt: skip
    """Take reviews that were given elsewhere, with their own actors and times; one decision, one transaction.

    Each speaks of the case as it is now in this workspace. The same review again is `same`. Cases that they complete
    are approved together and get their partition; reviews of a case that would tie its two sides are rejected.

    Args:
        ctx: Open workspace; the acting person must be allowed to adjudicate.
        rows: Row number from 1 and the object, or the error that reading it gave.
        dry_run: Check and count, store nothing.
        progress: One step a row.
    """
    progress = progress or Silent()
    rejected: list[Rejected] = []
    given: list[tuple[int, Review]] = []
    ctx.actor("adjudicate")
    for number, row in rows:
        progress.checkpoint()
        try:
            given.append((number, _given(ctx, row)))
        except InputError as error:
            rejected.append(Rejected(row=number, reason=str(error)))
        progress.advance()
    while True:
        try:
            taken, refused = _store(ctx, given, progress, dry_run=dry_run)
            break
        except Tied as error:  # nothing was stored: without them it is tried again
            tied = {name: str(Tied({name: tie})) for name, tie in error.ties.items()}
            told = [Rejected(row=n, reason=tied[r.case_id]) for n, r in given if r.case_id in tied]
            if not told:
                raise
            rejected += told
            given = [(n, r) for n, r in given if r.case_id not in tied]
    rejected += refused
    return ImportReport(new=taken.new, same=taken.same, rejected=tuple(sorted(rejected, key=lambda r: r.row)))


def _store(
    ctx: Context, given: Sequence[tuple[int, Review]], progress: Progress, *, dry_run: bool
) -> tuple[_Taken, list[Rejected]]:
    """Store reviews in one transaction and settle their cases.

    Raises:
        Tied: Cases would tie the two sides of the partition; nothing was stored.
    """
    taken = _Taken()
    refused: list[Rejected] = []
    with ctx.write("adjudicate", keep=not dry_run) as tx:
        for part in parts(given, PART):
            progress.checkpoint()
            refused += _take(tx, part, taken)
        settle(ctx, tx, list(taken.touched), progress)
    return taken, refused


@dataclass
class _Taken:
    """What an import has come to so far; `touched` are the cases, in order."""

    new: int = 0
    same: int = 0
    touched: dict[str, None] = field(default_factory=dict)


def _take(tx: Transaction, rows: Sequence[tuple[int, Review]], taken: _Taken) -> list[Rejected]:
    """Store those of these reviews that may be given, and are not here yet; give back the others."""
    names = [r.case_id for _, r in rows]
    records = cases.get_many(tx, sorted(cases.ids(tx, names)))
    known = _source_ids(tx, [s for _, r in rows for s in r.expected_source_ids])
    given = reviews.of_cases(tx, records)
    rejected, fresh = [], []
    for number, row in rows:
        try:
            if row.case_id not in records:
                raise cases.unknown(row.case_id)
            review = row.model_copy(update={"expected_source_ids": _resolve(known, row.expected_source_ids)})
            new = _checked(records[row.case_id], review, given.setdefault(row.case_id, []))
        except InputError as error:
            rejected.append(Rejected(row=number, reason=str(error)))
            continue
        if new is None:
            taken.same += 1
        else:
            given[row.case_id].append(new)
            fresh.append(new)
            taken.touched[new.case_id] = None
    taken.new += len(reviews.add_many(tx, fresh))
    return rejected


def _checked(record: CaseRecord, review: Review, given: Sequence[Review]) -> Review | None:
    """The review as one of the case as it is now; None when it is there already."""
    hashes = {"content_hash": record.content_hash, "question_hash": question_hash(record.case)}
    review = review.model_copy(update=hashes)
    for earlier in given:
        # whatever it was given on: an old review never speaks of a content that came after it
        if earlier.model_copy(update={"sequence": 0, "withdrawn": False, **hashes}) == review:
            return None
    if record.status != "in_review":
        raise InputError(f"{record.case.id} is {record.status.replace('_', ' ')}, not in review", "submit it first")
    return review


def _given(ctx: Context, row: dict[str, Any] | InputError) -> Review:
    """The review that a row says, checked by itself."""
    if isinstance(row, InputError):
        raise row
    if unknown := sorted(set(row) - set(IMPORTED_KEYS)):
        raise InputError(f"unknown key {unknown[0]}", f"a review has {', '.join(IMPORTED_KEYS)}")
    try:
        given = Review.model_validate(storable(row))
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise InputError(f"{'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    if not _is_time(given.at):
        raise InputError(f"at: {given.at!a} is no time in UTC", "write 2026-03-01T09:30:00Z")
    _require_reviewer(ctx, given)
    if given.decision == "request_changes":
        if not given.reason.strip():
            raise InputError(f"{given.case_id}: changes are asked for without a reason", "say which")
    elif given.slot != "approval" and not (given.expected_behavior and given.risk):
        raise InputError(f"{given.case_id}: {given.slot} without expectedBehavior or risk", "a label states both")
    return given


def _require_reviewer(ctx: Context, given: Review) -> None:
    """Raise when the one who gave a review may not have."""
    if not ACTOR_ID.fullmatch(given.actor):
        raise InputError(f"{given.actor!a} is no actor id", "use letters, digits and . _ - @")
    people = ctx.settings.people
    if not people:
        return
    if given.actor not in people:
        raise InputError(f"{given.actor} is not listed under [people]", "add them to curator.toml with a role")
    action = "adjudicate" if given.slot == "adjudication" else "review"
    if not (actor := Actor(id=given.actor, role=people[given.actor].role)).may(action):
        raise InputError(f"{actor.id} is {actor.role}: that role may not {action}", "correct the line, or the role")


def _is_time(text: str) -> bool:
    try:
        return bool(_TIME.fullmatch(text) and datetime.datetime.fromisoformat(text))
    except ValueError:
        return False
