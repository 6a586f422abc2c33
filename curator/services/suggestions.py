"""Suggested evidence: the sources that answer the question of a case best, for a person to accept or to reject.

A suggestion is never evidence by itself. What a person decides goes with the case when it is saved (services.cases) and
is recorded there as the suggestion, then the decision; what was rejected for a case is not suggested for it again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from curator.domain import hints
from curator.domain.canonical import question_hash
from curator.domain.case import Case, CaseRecord, Role
from curator.domain.model import Model
from curator.domain.suggestion import Decided, Method, Proposal, role_of
from curator.errors import InputError, UsageError
from curator.progress import Progress
from curator.services import blind
from curator.services import cases as services
from curator.services.context import Context
from curator.services.locating import Located, Shelves, locate
from curator.services.rereading import with_todays_name
from curator.services.search import CANDIDATES, Hit, search
from curator.store import documents, sources, suggestions

MOST = 12
DEEPEST = CANDIDATES


class Suggestion(Hit):
    """A source that may be evidence, and where it stands.

    Attributes:
        proposal: How it was found, with score and rank; goes into the record of what is decided.
        title: Of its document.
        key: What names it in its table or section: the key of its id.
        role: What it is in the case already; "" = no evidence of it.
    """

    proposal: Proposal
    title: str
    key: str
    role: Role | Literal[""] = ""


class Suggested(Model):
    """The suggestions for a question, best first.

    Attributes:
        rejected: How many were left out because a person had rejected them.
        semantic: "on", or "off (why; the one line that turns it on)".
        note: Why there is none, "" when there is one.
        renamed: Today's ids of cited sources that have another one by now.
        behavior: What the wording of an imported list suggests of the behavior, and why; "" = nothing.
    """

    suggestions: tuple[Suggestion, ...] = ()
    rejected: int = 0
    semantic: str
    note: str = ""
    renamed: dict[str, str] = Field(default_factory=dict)
    behavior: str = ""


def asked(turns: Sequence[str]) -> str:
    """What is searched for: all turns, since a follow-up alone ("and for adults?") names nothing; the last one first.

    The first words of a very long text count (see store.words and matching.embedding), and they are the last turn's.
    """
    return "\n".join(turn for turn in reversed(turns) if turn.strip())


def suggest(
    ctx: Context,
    case: Case,
    *,
    without: Collection[str] = (),
    recall: bool = True,
    limit: int = MOST,
    semantic: bool | None = None,
    progress: Progress | None = None,
) -> Suggested:
    """The chunks and rows that answer a case's question best, as it stands now, saved or not.

    Args:
        ctx: Open workspace.
        case: Its turns are searched for; its evidence is shown as marked. Its id may be "".
        without: Ids of sources to leave out: rejected by a person just now.
        recall: Leave out what was rejected for the case earlier. Not for who labels it blind: it would tell a label.
        limit: Most suggestions.
        semantic: See services.search.search.
        progress: Stages while the index is built or the model is loaded.

    Raises:
        MissingExtra: semantic is True and the extra is not installed or does not work.
        StorageError: The index cannot be written.
        Cancelled: Stopped.
    """
    with ctx.db.read() as tx:
        told = suggestions.standing(tx, case.id) if recall and case.id else {}
        renamed = sources.names_now(tx)
    cited = {renamed.get(e.source_id, e.source_id) for e in case.evidence}
    rejected = ({name for name, answer in told.items() if answer == "rejected"} | set(without)) - cited
    found = search(ctx, asked(case.turns), limit=limit + len(rejected), semantic=semantic, progress=progress)
    case_asked = case
    located = _located(ctx, case, rejected)
    first = {name for name, _ in located}
    kept = [hit for hit in found.hits if hit.source_id not in rejected and hit.source_id not in first]
    titles = _titles(ctx, {hit.document_id for hit in kept[:limit]})
    case = case.model_copy(
        update={"evidence": tuple(e.model_copy(update={"source_id": renamed.get(e.source_id, e.source_id)})
                                  for e in case.evidence)}
    )  # fmt: skip
    method: Method = "words and meaning" if found.semantic == "on" else "words"
    basis: dict[str, Any] = {"method": method, "question_hash": question_hash(case)}
    shown = [*_as_hits(ctx, located), *((hit, {}) for hit in kept)][:limit]
    titles |= _titles(ctx, {hit.document_id for hit, _ in shown} - titles.keys())
    return Suggested(
        suggestions=tuple(
            _suggestion(hit, titles, case, basis | how | {"rank": rank}) for rank, (hit, how) in enumerate(shown, 1)
        ),
        rejected=sum(hit.source_id in rejected for hit in found.hits),
        semantic=found.semantic,
        note="" if shown else "all that was found has been rejected" if found.hits else found.note,
        behavior=hints.suggested_behavior(case_asked),
        renamed={old: new for old, new in renamed.items() if any(new == name for name in cited)},
    )


def _located(ctx: Context, case: Case, rejected: Collection[str]) -> list[Located]:
    """What an imported list says of the evidence of a case, as far as it is in the documents here."""
    wanted = hints.hints_of(case)
    if not wanted.any:
        return []
    return [found for found in locate(Shelves.of(ctx), case, wanted) if found.source_id not in rejected]


def _as_hits(ctx: Context, located: Sequence[Located]) -> Iterable[tuple[Hit, dict[str, Any]]]:
    """Located sources in the form of hits, each with how it was found."""
    with ctx.db.read() as tx:
        here = {s.id: s for s in sources.named(tx, [found.source_id for found in located])}
    for name, method in located:
        if (source := here.get(name)) is not None:
            at = source.anchor
            hit = Hit(
                source_id=name, document_id=source.document_id, kind=source.kind, page=at.page,
                page_label=at.page_label, section_path=at.section_path, text=at.text, score=0.0, lexical_rank=0,
                snippet=(0, min(len(at.text), 160)),
            )  # fmt: skip
            yield hit, {"method": method}


def _titles(ctx: Context, names: Iterable[str]) -> dict[str, str]:
    with ctx.db.read() as tx:
        return {name: documents.get(tx, name).title for name in names}


def _suggestion(hit: Hit, titles: dict[str, str], case: Case, basis: dict[str, Any]) -> Suggestion:
    return Suggestion(
        **dict(hit),
        proposal=Proposal(source_id=hit.source_id, score=round(hit.score, 4), meaning=round(hit.semantic, 4), **basis),
        title=titles[hit.document_id],
        key=hit.source_id.partition(":")[2],
        role=role_of(case, hit.source_id),
    )


def suggest_for(
    ctx: Context, name: str, *, limit: int = MOST, semantic: bool | None = None, progress: Progress | None = None
) -> Suggested:
    """The suggestions for a stored case, as the acting person may see it; see `suggest`.

    Raises:
        InputError: There is no case of this id.
    """
    seen = blind.look(ctx, name)
    return suggest(
        ctx, seen.record.case, recall="evidence" not in seen.hidden, limit=limit, semantic=semantic, progress=progress
    )


def decide(
    ctx: Context,
    name: str,
    *,
    accepted: Mapping[str, Role],
    rejected: Collection[str] = (),
    semantic: bool | None = None,
    progress: Progress | None = None,
) -> CaseRecord:
    """Accept suggestions for a stored case as evidence, reject others, and save it: one decision.

    Args:
        ctx: Open workspace.
        name: The case.
        accepted: Ids of suggested sources with the role that each gets.
        rejected: Ids of suggested sources that are not suggested again for the case; evidence on them is taken away.
        semantic: See services.search.search: how the suggestions are found.
        progress: See `suggest`.

    Raises:
        InputError: There is no such case, or a source is not suggested for it.
        UsageError: The acting person labels the case blind: what they mark belongs into their review.
        Conflict: Someone saved it meanwhile.
    """
    record, hidden = blind.look(ctx, name)
    if "evidence" in hidden:
        raise UsageError(f"the evidence of {name} is hidden from you", "state your own: curator review approve")
    found = suggest(ctx, record.case, limit=DEEPEST, semantic=semantic, progress=progress)
    proposals = {s.source_id: s.proposal for s in found.suggestions}
    for source_id in (*accepted, *rejected):
        if source_id not in proposals:
            raise InputError(f"{source_id} is not suggested for {name}", f"look first: curator suggest {name}")
    case = record.case
    for source_id, role in accepted.items():
        case = services.with_evidence(ctx, with_todays_name(ctx, case, source_id), source_id, role)
    for source_id in rejected:
        case = without_source(with_todays_name(ctx, case, source_id), source_id)
    decided = [Decided(proposal=proposals[n], rejected=n in rejected) for n in (*accepted, *rejected)]
    return services.save(ctx, case, record.version, decided=decided)


def without_source(case: Case, source_id: str) -> Case:
    """The case without evidence on a source."""
    for entry in case.evidence:
        if entry.source_id == source_id:
            case = services.without_evidence(case, entry)
    return case
