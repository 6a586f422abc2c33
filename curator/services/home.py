"""Home: what needs the person who acts, in order, and what they had in hand. Cheap enough for every return to it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from curator.domain.canonical import question_hash
from curator.domain.listing import ListKey, ListQuery
from curator.domain.model import Model
from curator.domain.suite import Gap
from curator.errors import UsageError
from curator.services import drafts, ratings, release
from curator.services.blind import listed
from curator.services.context import Context
from curator.services.outdated import outdated_in
from curator.store import cases, documents, reviews, revisions
from curator.store.database import Transaction

RECENT = 8
NeedKind = Literal["unsaved", "returned", "review", "disputed", "ratings", "reconfirm", "outdated", "draft"]
_LAST = ListKey(2**63 - 1, 2**63 - 1)


class Need(Model):
    """Something to do: how many there are, and the case to begin with (the key of a typed text that has no case yet).

    Kinds, in this order: `unsaved` texts that were typed and not saved; cases `returned` to their author; cases to
    `review`; `disputed` cases to decide; outputs of samples to rate (`ratings`: the first is the number of a sample);
    sources, and refusals for silence, to `reconfirm` since a new revision;
    documents that were read by older rules (`outdated`); and the person's own cases that are still a `draft`.
    """

    kind: NeedKind
    count: int
    first: str


class RecentCase(Model):
    """A case that was changed lately; `at` is when, ISO."""

    id: str
    status: str
    question: str
    at: str


class RecentDocument(Model):
    """A document that was added lately; `at` is when its current revision came, ISO."""

    id: str
    title: str
    pages: int
    at: str


class Overview(Model):
    """What Home shows; `needs` holds only what there is."""

    needs: tuple[Need, ...] = ()
    counts: dict[str, int]
    documents: int
    recent_cases: tuple[RecentCase, ...] = ()
    recent_documents: tuple[RecentDocument, ...] = ()


class SuiteGaps(Model):
    """A suite, how many cases it would hold now, and the quotas that they do not meet."""

    suite: str
    cases: int
    gaps: tuple[Gap, ...]


def overview(ctx: Context) -> Overview:
    """What needs the acting person, in order, with counts; nothing is needed of nobody. Gaps: see `suite_gaps`."""
    unsaved = [d.case_id for d in drafts.waiting(ctx)] if ctx.actor_id else []
    with ctx.db.read() as tx:
        lately = cases.lines(tx, listed(ctx, ListQuery(sort="updated_at", descending=True)), limit=RECENT)
        papers = documents.lines(tx, ListQuery(descending=True), limit=RECENT)
        return Overview(
            needs=_needs(ctx, tx, unsaved),
            counts=cases.counts_by_status(tx),
            documents=documents.count(tx),
            recent_cases=tuple(
                RecentCase(id=c.id, status=c.status, question=c.question, at=c.updated_at) for c in lately
            ),
            recent_documents=tuple(
                RecentDocument(id=d.id, title=d.title, pages=d.revision.pages, at=d.revision.ingested_at)
                for d in (documents.get(tx, line.id) for line in papers)
            ),
        )


def suite_gaps(ctx: Context) -> tuple[SuiteGaps, ...]:
    """The gaps of every suite. It reads all approved cases: half a second for 10,000."""
    return tuple(SuiteGaps(suite=s.name, cases=s.cases, gaps=s.gaps) for s in release.suites(ctx))


def _needs(ctx: Context, tx: Transaction, unsaved: Sequence[str]) -> tuple[Need, ...]:
    if not ctx.actor_id:
        return ()
    solo = ctx.review_policy.solo
    found = [Need(kind="unsaved", count=len(unsaved), first=unsaved[0] if unsaved else "")]
    found.append(_own(ctx, tx, "returned", "changes_requested"))
    # A case in review that is not disputed has an open slot for anyone but its author and who has labeled its question.
    labeled: set[str] = set() if solo else _labeled(tx, ctx.actor_id)
    judged: tuple[tuple[NeedKind, str], ...] = (("review", "review"), ("disputed", "adjudicate"))
    for kind, action in judged:
        if _may(ctx, action):
            count, name = cases.waiting(tx, ctx.actor_id, own=solo, disputed=kind == "disputed", but=labeled)
            found.append(Need(kind=kind, count=count, first=name))
    if _may(ctx, "review"):
        tasks = ratings.waiting(ctx, tx)
        left = sum(max(1, len(t.case_ids) - t.rated) for t in tasks)  # all rated: to be finished
        found.append(Need(kind="ratings", count=left, first=str(tasks[0].sampled.sample) if tasks else ""))
    if _may(ctx, "edit"):
        found.append(Need(kind="reconfirm", count=revisions.count_waiting(tx) + len(revisions.hits(tx)), first=""))
        old = outdated_in(tx)
        found.append(Need(kind="outdated", count=old.documents, first=old.first))
    found.append(_own(ctx, tx, "draft", "draft"))
    return tuple(n for n in found if n.count)


def _own(ctx: Context, tx: Transaction, kind: NeedKind, status: str) -> Need:
    """The person's own cases of a status, the newest first."""
    query = ListQuery(where=(("author", ctx.actor_id), ("status", status)))
    count = cases.count(tx, query)
    newest = cases.lines(tx, query, before=_LAST, limit=1) if count else []
    return Need(kind=kind, count=count, first=newest[0].id if newest else "")


def _labeled(tx: Transaction, actor: str) -> set[str]:
    """Cases in review whose question, as it is now, this person has labeled."""
    given = reviews.labels_by(tx, actor)
    return {name for name, r in cases.get_many(tx, list(given)).items() if question_hash(r.case) in given[name]}


def _may(ctx: Context, action: str) -> bool:
    try:
        return ctx.actor().may(action)
    except UsageError:
        return False
