"""Blind labeling: what of a case its possible labelers may not see yet. App and command line use this one rule."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from pydantic.alias_generators import to_camel

from curator.domain.actors import Actor
from curator.domain.canonical import question_hash
from curator.domain.case import Case, CaseRecord
from curator.domain.listing import ListQuery
from curator.domain.review import Review, labels, needs_two
from curator.errors import CuratorError, UsageError
from curator.services.context import Context
from curator.store import cases, events, reviews
from curator.store.database import Transaction

# What is asked, of which documents, by whom: no part of it says what the right answer is.
ASKED = frozenset(
    {"id", "task", "turns", "language", "as_of", "asker", "domain", "document_type", "route", "documents", "origin"}
)
ANSWERED = frozenset(Case.model_fields) - ASKED
RISK_ONLY = frozenset({"risk"})
TOLD = ("case", "review", "suggestion", "editorial")
"""Kinds of events that the history of a case tells; their id is that of the case."""


class Seen(NamedTuple):
    """A case as the acting person may see it: `hidden` fields of `record.case` are empty when all labels are hidden."""

    record: CaseRecord
    hidden: frozenset[str]


def hidden_from(ctx: Context, record: CaseRecord, given: Sequence[Review]) -> frozenset[str]:
    """The fields of a case that the acting person may not see.

    Who may still give a label, and did not write the case, sees what is asked and the documents. Who may approve a case
    that takes one approval sees all but its risk, since they state it themselves first. Everybody else sees everything,
    and everybody does once both labels are in, or the case is approved, or retired without one label of two.
    """
    policy = ctx.review_policy
    if not _may_wait(record) or policy.solo or ctx.actor_id == record.author or not _may_review(ctx):
        return frozenset()
    first, second = labels(given, question_hash(record.case))
    if first is not None and second is not None:
        return frozenset()
    if record.status == "retired":  # restored, its first label counts again, and the second must still be blind
        live = [r for r in given if not r.withdrawn]
        return ANSWERED if (first or second) and needs_two(record.case, live, policy) else frozenset()
    if needs_two(record.case, given, policy):
        return ANSWERED
    stated = any(r.actor == ctx.actor_id and r.risk and not r.withdrawn for r in given)
    return frozenset() if stated else RISK_ONLY


def closed_to(ctx: Context) -> bool:
    """Whether the holdout is closed to the acting person: an engineer sees no text of it, in the app or elsewhere."""
    person = ctx.settings.people.get(ctx.actor_id)
    return person is not None and person.role == "engineer"


def require_open(ctx: Context, record: CaseRecord) -> None:
    """Raise where a case lies in the holdout and that is closed to who acts.

    Raises:
        UsageError: It is.
    """
    if record.side == "holdout" and closed_to(ctx):
        raise UsageError(f"{record.case.id} lies in the holdout, of which an engineer sees nothing", "ask a lead")


def hidden_of(ctx: Context, tx: Transaction, records: Iterable[CaseRecord]) -> dict[str, frozenset[str]]:
    """By id, the fields of cases that the acting person may not see; cases of which they see all are not in it."""
    waiting = [r for r in records if _may_wait(r)]
    given = reviews.of_cases(tx, [r.case.id for r in waiting])
    hidden = {r.case.id: hidden_from(ctx, r, given.get(r.case.id, ())) for r in waiting}
    return {name: fields for name, fields in hidden.items() if fields}


def _may_wait(record: CaseRecord) -> bool:
    """Whether a label may still come: in review, approved elsewhere and not confirmed, or retired until then."""
    return record.status in (*cases.OPEN, "retired") or record.is_unverified


def _may_review(ctx: Context) -> bool:
    """Whether the acting person could take a slot. Who is not named could be anybody, and so counts as one who may."""
    if not ctx.actor_id:
        return True
    try:
        actor: Actor = ctx.actor()
    except CuratorError:
        return True
    return actor.may("review")


def masked(case: Case, hidden: frozenset[str]) -> Case:
    """The case with the hidden fields as they are in an empty one."""
    blank = Case()
    return case.model_copy(update={name: getattr(blank, name) for name in hidden})


def look(ctx: Context, name: str) -> Seen:
    """A case as the acting person may see it; with hidden labels its content is masked, else it is whole.

    Raises:
        InputError: There is none of this id.
        UsageError: It lies in the holdout, and that is closed to who acts.
    """
    with ctx.db.read() as tx:
        record, given = cases.get(tx, name), reviews.of_case(tx, name)
    require_open(ctx, record)
    hidden = hidden_from(ctx, record, given)
    if hidden == ANSWERED:
        record = record.model_copy(update={"case": masked(record.case, hidden)})
    return Seen(record, hidden)


def history(ctx: Context, name: str) -> list[dict[str, Any]]:
    """The history of a case (services.cases.history) as the acting person may see it, oldest first."""
    with ctx.db.read() as tx:
        record, given = cases.get(tx, name), reviews.of_case(tx, name)
        both = [e for kind in TOLD for e in events.history(tx, kind, name)]
    require_open(ctx, record)
    hidden = hidden_from(ctx, record, given)
    told = sorted(both, key=lambda e: int(e["seq"]))
    return [e if e["actor"] == ctx.actor_id else _told_blind(e, hidden) for e in told] if hidden else told


def _told_blind(event: dict[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
    """The event without what would show a label: values of hidden fields, and all that a review stated."""
    data = event["data"]
    if event["entity"] == "review":
        kept = {k: data[k] for k in ("slot", "decision", "at", "actor") if k in data}
        if data.get("decision") == "request_changes":
            kept["reason"] = data.get("reason", "")
        return {**event, "data": kept}
    if event["entity"] == "suggestion":  # what was accepted is evidence, and so a label
        return {**event, "data": {}} if "evidence" in hidden else event
    names = {to_camel(name) for name in hidden}
    return {**event, "data": {k: _without(v, names) for k, v in data.items()}}


def _without(value: Any, names: set[str]) -> Any:
    return {k: v for k, v in value.items() if k not in names} if isinstance(value, Mapping) else value


def shown_line(line: Mapping[str, Any], hidden: frozenset[str]) -> dict[str, Any]:
    """A canonical line without the keys of hidden fields, nor those that follow from them; whole when none is hidden.

    It is no line for an evaluator then, but it says nothing that is not so.
    """
    if not hidden:
        return dict(line)
    names = {to_camel(name) for name in hidden} | {"contentHash"}
    if hidden == ANSWERED:
        names |= {"expectedSourceIds", "lengthStratum", "sectionPosition"}
    return {key: value for key, value in line.items() if key not in names}


def listed(ctx: Context, query: ListQuery) -> ListQuery:
    """The list as the acting person may see it: see ListQuery.blind.

    A list is read without the reviews. Whoever may review is told nothing of what others say of a case in it until
    nobody can be asked for a label any more, or two labels are known to differ. An engineer's lists are without the
    holdout.
    """
    sees = ctx.review_policy.solo or not _may_review(ctx)
    return replace(query, blind=None if sees else ctx.actor_id, without_holdout=closed_to(ctx))
