"""Failures: listed, queued, sorted by stage, dismissed, promoted to cases. Each decision is one transaction.

What is quarantined stays out of lists, queue, clusters and promotion until a person has confirmed it.
"""

from __future__ import annotations

import secrets
from collections.abc import Collection, Mapping, Sequence
from typing import Any, Literal

from curator.domain.case import Case
from curator.domain.failure import STAGES, Batch, Failure, FailureLine, FailureTurn, State, Wanted
from curator.domain.identity import case_id
from curator.domain.listing import ListKey, ListQuery
from curator.domain.model import Model
from curator.domain.suggestion import Decided
from curator.errors import CheckFailed, Conflict, InputError, UsageError
from curator.matching.wording import is_follow_up
from curator.parsing.language import guess_language
from curator.progress import Progress
from curator.services.context import Context
from curator.services.privacy import require_confirmed, require_read
from curator.services.search import Hit, search
from curator.services.stored_form import at_the_door
from curator.store import cases, documents, drafts, events, failures, folding, suggestions, triage
from curator.store.database import Transaction
from curator.store.triage import Queued

SUGGESTED = 5


class QueueItem(Model):
    """One place of the queue: a fold, shown by one failure of it, and why it stands there.

    Attributes:
        failure_id: The failure that is shown: with bad feedback, else the first.
        size: Failures in the fold that are open.
        reasons: In words, the strongest first: "fills a gap: ...", "risk word", "bad feedback on 2" ...
    """

    fold: int
    failure_id: str
    question: str
    route: str
    stage: str
    document: str
    size: int
    reasons: tuple[str, ...]


class Promotion(Model):
    """A case as a failure would begin it: nothing of it is stored yet.

    Attributes:
        must_not_claim: The production answer, offered: only a person can say that it was wrong.
        suggestions: What search finds in the documents for the question now, best first.
        same_fold: Failures that would become duplicates of this one.
    """

    failure: Failure
    case: Case
    must_not_claim: str
    suggestions: tuple[Hit, ...]
    same_fold: tuple[str, ...]


def get(ctx: Context, name: str) -> Failure:
    """One failure.

    Raises:
        InputError: There is none of this id.
    """
    with ctx.db.read() as tx:
        return failures.get(tx, name)


def page_of(
    ctx: Context, query: ListQuery | None = None, *, after: ListKey | None = None, before: ListKey | None = None,
    back: bool = False, limit: int = 200, quarantined: bool = False,
) -> list[FailureLine]:  # fmt: skip
    """A page of the list by key.

    Args:
        ctx: Open workspace.
        query: Filters and order over the columns of `FailureLine` but `fold_size`, and language, week, session, batch.
        after: Only lines after this key (`query.key_of` a line).
        before: Only lines before it, the nearest first.
        back: From the last line, the last first.
        limit: Most lines; 0 = all.
        quarantined: The scrub view: only what waits in quarantine.

    Raises:
        InputError: A column that the list does not have.
    """
    with ctx.db.read() as tx:
        return failures.lines(tx, _gated(query, quarantined), after=after, before=before, back=back, limit=limit)


def count(ctx: Context, query: ListQuery | None = None, *, quarantined: bool = False) -> int:
    """How many failures a list has; as `page_of`."""
    with ctx.db.read() as tx:
        return failures.count(tx, _gated(query, quarantined))


def _gated(query: ListQuery | None, quarantined: bool) -> ListQuery:
    return (query or ListQuery()).narrowed(where={"quarantined": "1" if quarantined else "0"})


def batches(ctx: Context) -> list[Batch]:
    """All imports, the newest first."""
    with ctx.db.read() as tx:
        return failures.batches(tx)


def queue(
    ctx: Context,
    query: ListQuery | None = None,
    *,
    route: str = "",
    folds: Sequence[int] = (),
    wanted: Sequence[Wanted] = (),
    start: int = 0,
    limit: int = 200,
) -> list[QueueItem]:
    """Open folds in the order in which they are worth a person's time.

    First what fills a gap of the golden set, then risk words, bad feedback, errors, the lowest score, the largest fold;
    each place says why. A route or language that no case has, and a document that is not here, are flagged as new.

    Args:
        ctx: Open workspace.
        query: Filters, as of `page_of`.
        route: Only of this route; "" = of all.
        folds: Only these folds; () = all.
        wanted: What the golden set lacks, the most urgent first.
        start: How many places to leave out.
        limit: Most folds.
    """
    with ctx.db.read() as tx:
        found = triage.queue(tx, _of_route(query, route), folds=folds, wanted=wanted, start=start, limit=limit)
        known = triage.known_to_cases(tx)
    return [_item(q, wanted, known) for q in found]


def queue_length(ctx: Context, query: ListQuery | None = None, *, route: str = "", folds: Sequence[int] = ()) -> int:
    """How many folds the queue has; as `queue`."""
    with ctx.db.read() as tx:
        return triage.queue_length(tx, _of_route(query, route), folds=folds)


def _of_route(query: ListQuery | None, route: str) -> ListQuery:
    return (query or ListQuery()).narrowed(where={"route": route} if route else None)


def _item(queued: Queued, wanted: Sequence[Wanted], known: triage.Known) -> QueueItem:
    reasons = [f"fills a gap: {wanted[queued.wanted].words}"] if queued.wanted >= 0 else []
    if queued.risk:
        reasons.append("risk word")
    if queued.bad:
        reasons.append(f"bad feedback on {queued.bad}")
    if queued.errors:
        reasons.append(f"error on {queued.errors}")
    if queued.lowest is not None:
        reasons.append(f"score {queued.lowest:g}")
    for name in ("route", "language", "document"):
        value = getattr(queued, name)
        if value and value not in getattr(known, f"{name}s"):
            reasons.append(f"new {name}")
    reasons.append(f"asked {queued.size} times" if queued.size > 1 else "asked once")
    return QueueItem(
        fold=queued.fold, failure_id=f"f{queued.seq}", question=queued.question, route=queued.route,
        stage=queued.stage, document=queued.document, size=queued.size, reasons=tuple(reasons),
    )  # fmt: skip


def of_folds(ctx: Context, names: Sequence[str]) -> list[str]:
    """These failures and all others of their folds that are open and not quarantined, in order."""
    with ctx.db.read() as tx:
        return triage.open_with(tx, names)


def key_at(ctx: Context, query: ListQuery, place: int, *, back: bool, quarantined: bool = False) -> ListKey | None:
    """The key of a line by its place, 0 the first (back: the last); None when there are not so many."""
    with ctx.db.read() as tx:
        return failures.key_at(tx, _gated(query, quarantined), place, back=back)


def names(ctx: Context, query: ListQuery, *, quarantined: bool = False) -> list[str]:
    """Ids of all failures that a list has, in its order."""
    with ctx.db.read() as tx:
        return failures.names(tx, _gated(query, quarantined))


def history(ctx: Context, name: str) -> list[dict[str, Any]]:
    """What was decided about a failure, oldest first, as `store.events.history`."""
    with ctx.db.read() as tx:
        return events.history(tx, "failure", name)


def set_stage(ctx: Context, names: Sequence[str], stage: str) -> None:
    """Name the stage at which failures failed.

    Raises:
        UsageError: There is no such stage.
    """
    if stage not in STAGES:
        raise UsageError(f"there is no stage {stage!a}", f"use one of {', '.join(STAGES)}")
    with ctx.write() as tx:
        failures.decide(tx, names, "staged", {"stage": stage})


def dismiss(ctx: Context, names: Sequence[str], reason: str) -> None:
    """Say that failures need no case, and why.

    Raises:
        UsageError: There is no reason.
        Conflict: One was promoted.
    """
    if not reason.strip():
        raise UsageError("a dismissal needs a reason", "such as: the answer was right")
    with ctx.write() as tx:
        _require_open(tx, names)
        failures.decide(tx, names, "dismissed", {"state": "dismissed", "reason": reason.strip()})


def mark_duplicate(ctx: Context, names: Sequence[str], of: str) -> None:
    """Say that failures are the same as another one.

    Raises:
        UsageError: One is that other one itself.
        Conflict: One was promoted.
    """
    if of in names:
        raise UsageError(f"{of} cannot be a duplicate of itself", "name another failure")
    with ctx.write() as tx:
        failures.get(tx, of)
        _require_open(tx, names)
        failures.decide(tx, names, "duplicated", {"state": "duplicate", "duplicate_of": of})


def reopen(ctx: Context, names: Sequence[str]) -> None:
    """Take back that failures were dismissed or duplicates, or that one was promoted whose case has been retired.

    Raises:
        Conflict: One was promoted to a case that is not retired.
    """
    with ctx.write() as tx:
        promoted = [f.case_id for f in failures.get_many(tx, names).values() if f.state == "promoted"]
        known = cases.get_many(tx, sorted(cases.ids(tx, promoted)))
        retired = {name for name, record in known.items() if record.status == "retired"}
        _require_open(tx, names, but=retired)
        failures.decide(tx, names, "reopened", {"state": "new", "reason": "", "duplicate_of": "", "case_id": ""})


def _require_open(tx: Transaction, names: Sequence[str], *, but: Collection[str] = ()) -> None:
    for failure in failures.get_many(tx, names).values():
        if failure.state == "promoted" and failure.case_id not in but:
            raise Conflict(f"{failure.id} was promoted to {failure.case_id}", "retire the case instead")


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take a decision about a failure back, or make it again: its columns as the event kept them.

    Raises:
        Conflict: It was erased since, or its text is not the one that was confirmed.
    """
    name = event["entityId"]
    if "before" not in event["data"]:
        raise Conflict(f"{name} was erased since then", "nothing of it is left")
    try:
        now = failures.turn(tx, event, verb)
        if "quarantined" in now and not now["quarantined"]:
            require_read(tx, name)
    except InputError:
        raise Conflict(f"{name} was removed since then", "import its log again") from None


def conversation(ctx: Context, name: str) -> tuple[FailureTurn, ...]:
    """The messages before a question: from its record, else the earlier records of its session."""
    with ctx.db.read() as tx:
        return _conversation(tx, failures.get(tx, name))


def _conversation(tx: Transaction, failure: Failure) -> tuple[FailureTurn, ...]:
    if failure.turns_before or not failure.session:
        return failure.turns_before
    turns: list[FailureTurn] = []
    for name, question, answer in failures.of_session(tx, failure.session):
        if name == failure.id:
            return tuple(turns)
        turns.append(FailureTurn(role="user", text=question))
        turns += [FailureTurn(role="assistant", text=answer)] if answer else []
    return ()


def begin(ctx: Context, name: str, *, semantic: bool | None = None, progress: Progress | None = None) -> Promotion:
    """The case that a failure would become, with what search finds for its question now. Nothing is stored.

    Args:
        ctx: Open workspace.
        name: Id of the failure.
        semantic: As in `services.search`.
        progress: Its checkpoint may stop it.

    Raises:
        CheckFailed: It is quarantined.
    """
    with ctx.db.read() as tx:
        failure = failures.get(tx, name)
        if failure.quarantined:
            raise CheckFailed(f"{name} waits in quarantine", f"`curator privacy show {name}`, then confirm it")
        case = _begun(tx, failure)
        fold = tuple(n for n in folding.failures_of(tx, failure.fold) if n != name)
    found = search(ctx, failure.question, limit=SUGGESTED, semantic=semantic, progress=progress)
    return Promotion(
        failure=failure, case=case, must_not_claim=failure.answer, suggestions=found.hits, same_fold=fold
    )  # fmt: skip


def _begun(tx: Transaction, failure: Failure) -> Case:
    """Turns, route, stage, origin and language of a case from a failure."""
    earlier: tuple[str, ...] = ()
    if failure.turns_before or is_follow_up(failure.question):
        earlier = tuple(t.text for t in _conversation(tx, failure) if t.role == "user")
    facts: dict[str, str] = {}
    here = triage.document_ids(tx) if failure.contexts else {}
    if known := next((here[c.source] for c in failure.contexts if c.source in here), ""):
        document = documents.get(tx, known)
        facts = {"domain": document.domain, "document_type": document.document_type}
    return Case(
        turns=(*earlier, failure.question),
        language=failure.language[:2].lower() or _language(failure),
        route=failure.route,
        failure_stage=failure.stage or "none",
        origin="production",
        **facts,
    )


def _language(failure: Failure) -> str:
    return guess_language(f"{failure.question} {failure.answer} " * 3)


def promote(
    ctx: Context, name: str, case: Case | None = None, *, must_not_claim: bool = False, keep_fold_open: bool = False,
    draft: str = "", decided: Sequence[Decided] = (),
) -> str:  # fmt: skip
    """Make a failure a case, a draft of the acting person, and give the case's id. One decision.

    The other open failures of its fold become duplicates of it. The text must have been confirmed
    (`services.privacy.confirm`), with the detector of today.

    Args:
        ctx: Open workspace.
        name: Id of the failure.
        case: The case as a person has filled it in; None = as `begin` gives it.
        must_not_claim: Put the production answer under "must not claim": the person says that it was wrong.
        keep_fold_open: Leave the others of its fold as they are.
        draft: Key of the typed text that this stores (services.drafts); it is forgotten in the same transaction.
        decided: What was decided about suggestions for it (services.suggestions).

    Raises:
        CheckFailed: Its text is not confirmed.
        Conflict: It was promoted already.
    """
    require_confirmed(ctx, name)
    with ctx.write() as tx:
        failure = failures.get(tx, name)
        _require_open(tx, [name])
        made = case or _begun(tx, failure)
        if must_not_claim and failure.answer:
            made = made.model_copy(update={"must_not_claim": (failure.answer, *made.must_not_claim)})
        made = at_the_door(made)
        new_id = case_id(made.domain, secrets.randbelow)
        while cases.ids(tx, [new_id]):
            new_id = case_id(made.domain, secrets.randbelow)
        if draft:
            drafts.drop(tx, draft)
        record = cases.add(tx, made.model_copy(update={"id": new_id}))
        suggestions.record(tx, decided, Case(), record.case)
        failures.decide(tx, [name], "promoted", {"state": "promoted", "case_id": record.case.id})
        if not keep_fold_open:
            others = [n for n in folding.failures_of(tx, failure.fold, limit=0) if n != name]
            still = [f.id for f in failures.get_many(tx, others).values() if _joins(f)]
            if still:
                failures.decide(tx, still, "duplicated", {"state": "duplicate", "duplicate_of": name})
    return record.case.id


def _joins(failure: Failure) -> bool:
    state: State = failure.state
    return state == "new" and not failure.quarantined
