"""Cases: written, saved, submitted; each save is one transaction and carries the version that it was loaded with."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from typing import Any

from curator.domain.canonical import case_hash
from curator.domain.case import UNVERIFIED, Case, CaseRecord, Evidence, KeyProvision, Role
from curator.domain.citing import cite, judged_against, provision
from curator.domain.document import Document
from curator.domain.hints import without_behavior
from curator.domain.identity import CASE_ID, case_id
from curator.domain.listing import ListKey, ListQuery
from curator.domain.model import Model
from curator.domain.problem import Problem
from curator.domain.review import Review
from curator.domain.suggestion import Decided
from curator.errors import CheckFailed, Conflict, InputError
from curator.progress import Progress, Silent
from curator.services import blind
from curator.services.checking import Checks
from curator.services.context import Context
from curator.services.settling import label_of, settle, standing_of
from curator.services.shelf import shelf_of
from curator.services.staleness import flagged, stale_ids
from curator.services.stored_form import at_the_door
from curator.store import cases, documents, drafts, events, reviews, sources, suggestions
from curator.store.bulk import parts
from curator.store.cases import CaseLine, Change
from curator.store.database import Transaction

SUBMITTABLE = ("draft", "changes_requested")
STEP = 100
"""Cases between two looks at whether to stop."""


class Submitted(Model):
    """What a submission became; `problems` are the errors that stopped it (then the status is unchanged)."""

    case_id: str
    status: str
    problems: tuple[Problem, ...] = ()


def new(ctx: Context, case: Case, *, draft: str = "", decided: Sequence[Decided] = ()) -> CaseRecord:
    """Store a new case as a draft; it may be incomplete. An id is given when it has none.

    Args:
        ctx: Open workspace.
        case: What was written.
        draft: Key of the typed text that this stores (services.drafts); it is forgotten in the same transaction.
        decided: What was decided about suggestions for it (services.suggestions).

    Raises:
        InputError: Its id is none.
        Conflict: Its id exists.
    """
    case = at_the_door(case)
    if case.id:
        require_id(case.id)
    with ctx.write() as tx:
        name = case.id
        while not name or cases.ids(tx, [name]):
            if case.id:
                raise Conflict(f"the case {name} exists", "leave the id out to get a new one")
            name = case_id(case.domain, secrets.randbelow)
        if draft:
            drafts.drop(tx, draft)
        record = cases.add(tx, case.model_copy(update={"id": name}))
        suggestions.record(tx, decided, Case(), record.case)
        return record


def require_id(name: str) -> None:
    """Raise for what is no case id: it becomes names of files.

    Raises:
        InputError: It is none.
    """
    if not CASE_ID.fullmatch(name):
        raise InputError(f"{name!a} is no case id", "a slug, a dash, six base32 characters: school-health-7k2m9q")


def get(ctx: Context, name: str) -> CaseRecord:
    """One case with its standing.

    Raises:
        InputError: There is none of this id.
    """
    with ctx.db.read() as tx:
        return cases.get(tx, name)


def save(ctx: Context, case: Case, version: int, *, draft: str = "", decided: Sequence[Decided] = ()) -> CaseRecord:
    """Store what a person changed, over the version that they had opened.

    What is expected changed: the case is a draft again and must be submitted. Only notes, tags, domain and the like
    changed: it keeps its status. Nothing changed: nothing is written. The typed text under the key `draft` is forgotten
    in the same transaction; what was decided about suggestions (services.suggestions) is recorded in it.

    Raises:
        Conflict: Someone saved since; nothing was overwritten.
    """
    case = at_the_door(case)
    with ctx.write() as tx:
        before = cases.get(tx, case.id)
        if case.expected_behavior != before.case.expected_behavior:
            case = without_behavior(case)
        if draft:
            drafts.drop(tx, draft)
        cases.require_version(before, version)
        record = before if before.case == case else rewrite(ctx, tx, [(before, case)])[0]
        suggestions.record(tx, decided, before.case, record.case)
        return record


def rewrite(ctx: Context, tx: Transaction, edits: Sequence[tuple[CaseRecord, Case]]) -> list[CaseRecord]:
    """Write new content of cases, and settle those that keep their status; give all back as they are now."""
    kept = []
    changes = []
    stale = stale_ids(tx, [case for _, case in edits])
    for before, case in edits:
        same = before.status not in ("draft", "retired") and case_hash(case) == before.content_hash
        kept += [case.id] if same and before.status != "changes_requested" and not before.is_unverified else []
        flags = flagged(before, stale=case.id in stale)
        flags = flags if same else tuple(f for f in flags if f != UNVERIFIED)
        changes.append(Change(before, "edited", {"status": before.status if same else "draft", "flags": flags}, case))
    now = {r.case.id: r for r in cases.change_many(tx, changes)}
    settle(ctx, tx, kept)
    now |= cases.get_many(tx, kept)
    return list(now.values())


def submit(ctx: Context, names: Sequence[str], *, progress: Progress | None = None) -> tuple[Submitted, ...]:
    """Send cases to review, all that no check stops (checking.Checks.stopping). One decision: one transaction.

    The author's own labels are kept as they were at the submission, as label one, unless the case came from a file.
    When the progress stops it, nothing was submitted.

    Raises:
        InputError: There is no case of a name, or `[checks]` of curator.toml names a check that there is not.
    """
    progress = progress or Silent()
    checks = Checks.of(ctx)
    done: dict[str, Submitted] = {}
    sent: list[str] = []
    wanted = list(dict.fromkeys(names))
    progress.stage("submit cases", len(wanted))
    with ctx.write() as tx:
        for part in parts(wanted, STEP):
            progress.checkpoint()
            found = cases.get_many(tx, part)
            shelf = shelf_of(tx, [r.case for r in found.values() if r.status in SUBMITTABLE])
            going = []
            for name, record in found.items():
                done[name] = Submitted(case_id=name, status=record.status)
                if record.status not in SUBMITTABLE:
                    continue
                if wrong := checks.stopping(shelf, record.case, stale="stale" in record.flags):
                    done[name] = done[name].model_copy(update={"problems": wrong})
                else:
                    going.append(record)
            _submit(ctx, tx, going)
            sent += [r.case.id for r in going]
            progress.advance(len(part))
        progress.stage("bring their reviews in line")
        for name, status in settle(ctx, tx, sent, progress).items():
            done[name] = Submitted(case_id=name, status=status)
        progress.checkpoint()
    return tuple(done.values())


def _submit(ctx: Context, tx: Transaction, records: Sequence[CaseRecord]) -> None:
    cases.change_many(tx, [Change(r, "submitted", {"status": "in_review"}) for r in records])
    if ctx.review_policy.solo:
        return
    imported = cases.imported(tx, [r.case.id for r in records])
    mine = [r.case for r in records if r.author == tx.log.actor and r.case.id not in imported]
    given = reviews.of_cases(tx, [c.id for c in mine])
    labels = []
    for case in mine:
        label = label_of(case, "label-1", tx.log.actor, tx.log.at)
        counting = (r for r in given.get(case.id, ()) if r.slot != "approval" and not r.withdrawn)
        labeled = [r for r in counting if r.question_hash == label.question_hash]
        # Until another person has labeled it, the author's last submission is what they say.
        if all(r.actor == tx.log.actor for r in labeled) and (not labeled or labeled[-1].label != label.label):
            labels.append(label)
    reviews.add_many(tx, labels)


def page_of(
    ctx: Context, query: ListQuery | None = None, *, after: ListKey | int | None = None,
    before: ListKey | int | None = None, back: bool = False, limit: int = 200, contains: str = "",
    where: Mapping[str, str] | None = None,
) -> list[CaseLine]:  # fmt: skip
    """A page of the case list by key, in the order of the query, as the acting person may see it.

    Where behavior and risk of a case are hidden from them, both are empty, a filter by one of them leaves the case out
    and an order by one of them has it at the end; see services.blind.listed.

    Args:
        ctx: Open workspace.
        query: Filters and order; None = all in order of creation.
        after: Only lines after this key (`query.key_of` a line); a number is a sequence.
        before: Only lines before it, the nearest first.
        back: The last lines, the last first, when no key is given.
        limit: Most lines; 0 = all.
        contains: Only cases whose id or question contains this, as in the query.
        where: Column -> value, beside those of the query.

    Raises:
        InputError: A column that the list does not have.
    """
    wanted = _wanted(ctx, query, contains, where)
    with ctx.db.read() as tx:
        return cases.lines(tx, wanted, after=_key(after), before=_key(before), back=back, limit=limit)


def _key(place: ListKey | int | None) -> ListKey | None:
    return ListKey(place, place) if isinstance(place, int) and place else place or None


def _wanted(
    ctx: Context, query: ListQuery | None, contains: str = "", where: Mapping[str, str] | None = None
) -> ListQuery:
    return blind.listed(ctx, (query or ListQuery()).narrowed(contains=contains, where=where))


def key_at(ctx: Context, query: ListQuery, place: int, *, back: bool = False) -> ListKey | None:
    """The key of the line at a place of the list, 0 the first (back: the last); None = there are not so many.

    A page `after` or `before` it leads on from the middle of a list; nothing else of the lines on the way is read.

    Raises:
        InputError: A column that the list does not have.
    """
    with ctx.db.read() as tx:
        return cases.key_at(tx, _wanted(ctx, query), place, back=back)


def count(
    ctx: Context, query: ListQuery | None = None, *, contains: str = "", where: Mapping[str, str] | None = None
) -> int:
    """How many cases a list has."""
    with ctx.db.read() as tx:
        return cases.count(tx, _wanted(ctx, query, contains, where))


def left_out(
    ctx: Context, query: ListQuery | None = None, *, contains: str = "", where: Mapping[str, str] | None = None
) -> int:
    """How many cases a filter by behavior or risk leaves out of a list, because both are hidden from who acts."""
    with ctx.db.read() as tx:
        return cases.left_out(tx, _wanted(ctx, query, contains, where))


def counts_by_status(ctx: Context) -> dict[str, int]:
    """Cases by status."""
    with ctx.db.read() as tx:
        return cases.counts_by_status(tx)


def history(ctx: Context, name: str) -> list[dict[str, Any]]:
    """Events of a case, its reviews and the suggestions decided, oldest first: seq, at, actor, verb, version, data."""
    with ctx.db.read() as tx:
        cases.get(tx, name)
        both = [e for kind in blind.TOLD for e in events.history(tx, kind, name)]
    return sorted(both, key=lambda e: int(e["seq"]))


def standing(ctx: Context, name: str) -> tuple[str, tuple[Review, ...]]:
    """What a case still needs, in words ("" = nothing), and its reviews, oldest first."""
    with ctx.db.read() as tx:
        record, found = cases.get(tx, name), reviews.of_case(tx, name)
        submitted = cases.submissions(tx, [name])
    if record.status in ("draft", "retired"):
        return ("to be submitted" if record.status == "draft" else ""), tuple(found)
    return standing_of(ctx, record, found, submitted.get(name, 0)).missing, tuple(found)


def with_evidence(
    ctx: Context, case: Case, source_id: str, role: Role = "required", *, quote: str = "", group: str = ""
) -> Case:
    """The case with a source cited, not yet saved. The source's document joins those it was judged against.

    Citing a source again replaces its entry of the same quote, so that the role can be changed.
    """
    with ctx.db.read() as tx:
        source = sources.source(tx, source_id)
        document = documents.get(tx, source.document_id)
    entry = cite(source, role, quote=quote, group=group)
    kept = [e for e in case.evidence if (e.source_id, e.quote) != (entry.source_id, entry.quote)]
    place = next((n for n, e in enumerate(case.evidence) if e not in kept), len(kept))
    kept.insert(place, entry)
    return _judged(case.model_copy(update={"evidence": tuple(kept)}), document)


def without_evidence(case: Case, entry: Evidence) -> Case:
    """The case without one entry, and without the provisions' tie to it when nothing else cites that source."""
    kept = tuple(e for e in case.evidence if e != entry)
    cited = {e.source_id for e in kept}
    loose = tuple(
        p if p.source_id in cited or not p.source_id else p.model_copy(update={"source_id": ""})
        for p in case.key_provisions
    )
    return case.model_copy(update={"evidence": kept, "key_provisions": loose})


def with_provision(ctx: Context, case: Case, source_id: str, *, text: str = "", accept: Sequence[str] = ()) -> Case:
    """The case with a key provision on a source, citation and page filled in; the source is cited too."""
    with ctx.db.read() as tx:
        source = sources.source(tx, source_id)
    if source.id not in {e.source_id for e in case.evidence}:
        role: Role = "required" if case.expected_behavior != "refuse" else "distractor"
        case = with_evidence(ctx, case, source.id, role)
    numbers = [int(p.id[1:]) for p in case.key_provisions if p.id[1:].isdigit()]
    made = provision(source, max(numbers, default=0) + 1)
    changes: dict[str, Any] = {"accept": tuple(accept), "mandatory": bool(accept)}
    made = made.model_copy(update=changes | ({"text": text} if text else {}))
    return case.model_copy(update={"key_provisions": (*case.key_provisions, made)})


def without_provision(case: Case, entry: KeyProvision) -> Case:
    """The case without one key provision; the others keep their ids."""
    return case.model_copy(update={"key_provisions": tuple(p for p in case.key_provisions if p != entry)})


def with_document(ctx: Context, case: Case, document_id: str) -> Case:
    """The case with a document that it was judged against, not yet saved."""
    with ctx.db.read() as tx:
        return _judged(case, documents.get(tx, document_id))


def _judged(case: Case, document: Document) -> Case:
    entry = judged_against(document)
    others = tuple(d for d in case.documents if d.document_id != entry.document_id)
    changes: dict[str, Any] = {"documents": tuple(sorted((*others, entry), key=lambda d: d.document_id))}
    defaults = {"domain": document.domain, "document_type": document.document_type, "language": document.language}
    changes |= {k: v for k, v in defaults.items() if v and not getattr(case, k)}
    return case.model_copy(update=changes)


def require_submitted(results: Sequence[Submitted]) -> None:
    """Raise for the first case that could not be submitted.

    Raises:
        CheckFailed: It names the case and the first problem.
    """
    for result in results:
        if result.problems:
            first = result.problems[0]
            raise CheckFailed(f"{result.case_id}: {first.message}", first.hint)
