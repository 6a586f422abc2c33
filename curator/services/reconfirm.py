"""Re-confirm: what waits for a person since a new revision, by source, and what they decide about it.

One decision about a source serves all cases that cite it, and is taken back as one (services.undo). A source keeps its
id for life: accepted, it lies where it was proposed, and the id that the new text was given meanwhile becomes an alias.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from curator.domain.canonical import case_hash
from curator.domain.case import Case, CaseRecord, Evidence
from curator.domain.citing import judged_against
from curator.domain.document import Anchor, Source
from curator.domain.model import Model
from curator.domain.reciting import judged_again, recited, replaced
from curator.domain.revision import FORMAL, Candidate, Comparison, Decided, Difference, Hit, Verdict, Wait
from curator.errors import Conflict, InputError, UsageError
from curator.matching.reanchoring import differs_in, judge
from curator.matching.word_difference import difference, requoted
from curator.progress import Progress, Silent
from curator.services import blind, staleness
from curator.services.context import Context
from curator.services.settling import label_of, settle
from curator.services.staleness import flagged
from curator.services.stored_form import at_the_door
from curator.store import cases, documents, events, reviews, revisions, sources
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.store.revisions import FindingLine

VERB = "reconfirmed"
TOLD = "sources reconfirmed"
ONE_KEY: tuple[Verdict, ...] = ("SAME_KTH", "MOVED_SIMILAR", "CHANGED")
"""Verdicts that propose one place: it can be accepted. Of the others a person chooses, or drops the source."""


class Reconfirmed(Model):
    """What one decision did.

    Attributes:
        sources: The sources that it was about, and `cases`: those that it changed.
        stale: Those of these cases that wait for something else still, or must be edited.
        in_review: Those of them that were approved and need another person's approval now.
    """

    sources: tuple[str, ...] = ()
    cases: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()
    in_review: tuple[str, ...] = ()


def waiting(
    ctx: Context, document_id: str = "", *, verdicts: Sequence[str] = (), differences: Sequence[str] = (),
    cited: bool = False,
) -> tuple[Wait, ...]:  # fmt: skip
    """The sources that wait for a person: those that cases cite first, then by document, as they stood before.

    Args:
        ctx: Open workspace.
        document_id: Only of this document; "" = of all.
        verdicts: Only these; () = all.
        differences: Only these; () = all.
        cited: Only those that a case cites.

    Raises:
        InputError: There is no such document.
    """
    with ctx.db.read() as tx:
        lines = revisions.findings(tx, documents.get(tx, document_id).id if document_id else "")
        told = _waits(tx, lines)
    kept = (
        w for w in told
        if (not verdicts or w.verdict in verdicts) and (not differences or w.difference in differences)
        and (not cited or w.cases)
    )  # fmt: skip
    return tuple(sorted(kept, key=lambda w: not w.cases))


def count(ctx: Context) -> int:
    """How many sources, and refusals for silence, wait."""
    with ctx.db.read() as tx:
        return revisions.count_waiting(tx) + len(revisions.hits(tx))


def _waits(tx: Transaction, lines: Sequence[FindingLine]) -> list[Wait]:
    names = sources.ids_of(tx, {k for line in lines for k, _ in line.candidates} | {n.target for n in lines})
    differs = _differs(tx, lines, names)
    cites = {name: by for document in {n.document_id for n in lines} for name, by in _citing(tx, document).items()}
    return [
        Wait(
            source_id=line.name,
            verdict=line.verdict,
            score=line.score,
            difference=line.difference,
            target=names.get(line.target, ""),
            candidates=tuple(Candidate(source_id=names[k], score=s) for k, s in line.candidates),
            kind=line.kind,
            document_id=line.document_id,
            revision=line.label,
            cases=len(cites.get(line.source, ())),
            state=line.state,
            differs=differs.get(line.source, ()),
        )
        for line in lines
    ]


def _differs(tx: Transaction, lines: Sequence[FindingLine], names: Mapping[int, str]) -> dict[int, tuple[str, ...]]:
    """By our number of the source: in what it means something else than what is proposed."""
    asked = [n for n in lines if n.difference == "meaning" and n.target in names]
    before = sources.at(tx, [n.old_anchor for n in asked])
    now = {s.id: s for s in sources.named(tx, [names[n.target] for n in asked])}
    pairs = ((n.source, before.get(n.old_anchor), now.get(names[n.target])) for n in asked)
    return {key: differs_in(old.anchor, new.anchor) for key, old, new in pairs if old and new}


def _citing(tx: Transaction, document_id: str) -> dict[int, list[str]]:
    """Cases by our number of the source that they cite, under whatever name."""
    by_name = staleness.citing(tx, document_id)
    found: dict[int, list[str]] = {}
    for name, key in sources.keys(tx, by_name).items():
        found[key] = list(dict.fromkeys((*found.get(key, ()), *by_name[name])))
    return found


def look(ctx: Context, name: str, candidate: str = "") -> Comparison:
    """A source that waits, or about which was decided in the current revision, beside what is proposed for it.

    Args:
        ctx: Open workspace.
        name: Id or alias of the source.
        candidate: Beside this source of a current revision instead.

    Raises:
        InputError: It does not wait, or there is no such candidate.
    """
    with ctx.db.read() as tx:
        line = _line(tx, name, ("waiting", "accepted", "chosen", "dropped"))
        (wait,) = _waits(tx, [line])
        old = revisions.source_at(tx, line.old_anchor)
        if candidate:
            new: Source | None = sources.source(tx, candidate)
        else:
            shown = line.name if line.state == "accepted" else wait.target
            new = next(iter(sources.named(tx, [shown])), None) if shown else None
    pieces = difference(shown_text(old.anchor), shown_text(new.anchor)) if new else ()
    if candidate and new:
        judged = judge(old.anchor, new.anchor)
        wait = wait.model_copy(
            update={
                "difference": judged.difference,
                "score": round(judged.score, 1),
                "target": new.id,
                "differs": differs_in(old.anchor, new.anchor),
            }
        )
    return Comparison(wait=wait, old=old.anchor, old_revision=old.revision, new=new and new.anchor, pieces=pieces)


def shown_text(anchor: Anchor) -> str:
    """All that a source says, as both sides of a comparison show it: for a row also the notes of its table."""
    return "\n".join((anchor.text, *anchor.footnotes))


def _line(tx: Transaction, name: str, states: Sequence[str] = ("waiting",)) -> FindingLine:
    key = sources.keys(tx, [name]).get(name)
    if key is None:
        raise InputError(f"no source {name}", "`curator docs reconfirm list` shows what waits")
    found = revisions.findings(tx, states=states, wanted=[key])
    if not found:
        raise InputError(f"{name} does not wait to be confirmed", "`curator docs reconfirm list` shows what does")
    return found[0]


@dataclass(frozen=True)
class _Choice:
    """One source and what it shall become: another source (our number; 0 = dropped)."""

    line: FindingLine
    target: int
    state: Decided


def accept(ctx: Context, names: Sequence[str], *, progress: Progress | None = None) -> Reconfirmed:
    """Say of sources that they lie where they are proposed, and that the cases on them still hold. One decision.

    Raises:
        UsageError: For one of them nothing, or more than one place, is proposed.
        InputError: One of them does not wait.
    """
    with ctx.write() as tx:
        chosen = []
        for name in dict.fromkeys(names):
            line = _line(tx, name)
            if line.verdict not in ONE_KEY or not line.target:
                said = "several places come into question" if line.candidates else "nothing is proposed"
                raise UsageError(f"{name} is {line.verdict}: {said}", f"`curator docs reconfirm choose {name} SOURCE`")
            chosen.append(_Choice(line, line.target, "accepted"))
        return _decide(ctx, tx, chosen, progress=progress)


def accept_all(
    ctx: Context, document_id: str = "", *, differences: Sequence[Difference] = FORMAL, uncited: bool = False,
    progress: Progress | None = None,
) -> Reconfirmed:  # fmt: skip
    """Accept at once all proposals that differ in white space, hyphenation or numbering alone. One decision.

    Args:
        ctx: Open workspace.
        document_id: Only of this document; "" = of all.
        differences: Which differences; they must be among FORMAL, but for sources that no case cites.
        uncited: Only sources that no case cites; then proposals of every kind are taken.
        progress: May stop it; nothing was decided then.

    Raises:
        UsageError: A difference that a person must look at.
    """
    if not uncited and (grave := [d for d in differences if d not in FORMAL]):
        raise UsageError(f"a difference of {grave[0]} is looked at one by one", f"choose of {', '.join(FORMAL)}")
    with ctx.write() as tx:
        lines = revisions.findings(tx, documents.get(tx, document_id).id if document_id else "")
        told = {w.source_id: w for w in _waits(tx, lines)}
        chosen = [
            _Choice(line, line.target, "accepted") for line in lines
            if line.verdict in ONE_KEY and line.target
            and (not told[line.name].cases if uncited else line.difference in differences)
        ]  # fmt: skip
        return _decide(ctx, tx, chosen, progress=progress)


def choose(ctx: Context, name: str, other: str) -> Reconfirmed:
    """Say where a source lies now, instead of what is proposed.

    A text that is new since the source was seen last becomes its place: the source keeps its id. A source that was
    there beside it stays itself: the cases cite it from now on, and the old source is closed.

    Raises:
        InputError: The source does not wait, or the other is not in a current revision.
        UsageError: A chunk for a row.
    """
    with ctx.write() as tx:
        line, target = _line(tx, name), sources.source(tx, other)
        if target.kind != line.kind:
            raise UsageError(f"{name} is a {line.kind}, {other} is a {target.kind}", f"choose a {line.kind}")
        return _decide(ctx, tx, [_Choice(line, sources.keys(tx, [other])[other], "chosen")])


def drop(ctx: Context, names: Sequence[str], reason: str = "") -> Reconfirmed:
    """Say of sources that they are gone: the cases on them stay stale and go back to their authors to be edited."""
    with ctx.write() as tx:
        chosen = [_Choice(_line(tx, name), 0, "dropped") for name in dict.fromkeys(names)]
        return _decide(ctx, tx, chosen, reason=reason)


def _decide(
    ctx: Context, tx: Transaction, chosen: Sequence[_Choice], *, reason: str = "", progress: Progress | None = None
) -> Reconfirmed:
    progress = progress or Silent()
    olds = sources.at(tx, [c.line.old_anchor for c in chosen])
    moves: dict[int, _Move] = {}
    for choice in chosen:
        progress.checkpoint()
        moves[choice.line.source] = _note(tx, choice, olds[choice.line.old_anchor], reason)
    for document in sorted({c.line.document_id for c in chosen}):
        told = [c.line.name for c in chosen if c.line.document_id == document]
        tx.log.append("document", document, TOLD, data={"sources": told})
    affected: dict[str, None] = {}
    for document in sorted({c.line.document_id for c in chosen}):
        for key, names in _citing(tx, document).items():
            affected.update(dict.fromkeys(names if key in moves else ()))
    changed = _recite(ctx, tx, list(affected), moves)
    return Reconfirmed(
        sources=tuple(c.line.name for c in chosen),
        cases=tuple(r.case.id for r in changed),
        stale=tuple(r.case.id for r in changed if staleness.FLAG in r.flags),
        in_review=tuple(r.case.id for r in changed if r.status == "in_review"),
    )


@dataclass(frozen=True)
class _Move:
    """What a source became: `target` is where it lies now (None = dropped); `own`: it is itself, not another source."""

    old_text: str
    target: Source | None
    own: bool


def _note(tx: Transaction, choice: _Choice, old: Source, reason: str) -> _Move:
    """Store one decision; its event has what taking it back needs."""
    line = choice.line
    own = bool(choice.target) and revisions.is_fresh(tx, choice.target, line.old_anchor)
    merged = revisions.merge(tx, line.source, choice.target) if own else None
    revisions.set_state(tx, line.revision, line.source, choice.state)
    name = line.name if own else sources.ids_of(tx, [choice.target]).get(choice.target, "")
    target = sources.source(tx, name) if choice.target else None
    data: dict[str, Any] = {
        "document": line.document_id, "revision": line.revision, "source": line.source, "verdict": line.verdict,
        "to": name, "reason": reason, "merge": merged,
        "before": {"state": "waiting", "merged": False}, "after": {"state": choice.state, "merged": own},
    }  # fmt: skip
    tx.log.append("source", line.name, VERB, data=data)
    return _Move(old.anchor.text, target, own)


def _recite(
    ctx: Context, tx: Transaction, names: Sequence[str], moves: Mapping[int, _Move]
) -> list[CaseRecord]:  # fmt: skip
    """Bring the cases on decided sources in line: evidence, flags, status; what was approved is approved anew."""
    records = cases.get_many(tx, names)
    known = sources.keys(tx, {e.source_id for r in records.values() for e in r.case.evidence})
    by_name = {name: moves[key] for name, key in known.items() if key in moves}
    made = {n: at_the_door(_moved(tx, r.case, by_name)) for n, r in records.items() if r.status != "retired"}
    stale = staleness.stale_ids(tx, list(made.values()))
    changes, again, settled = [], [], []
    for name, case in made.items():
        record = records[name]
        columns: dict[str, Any] = {"flags": flagged(record, stale=name in stale)}
        dropped = any(m.target is None for n, m in by_name.items() if n in {e.source_id for e in case.evidence})
        new_words = case_hash(case) != record.content_hash
        if dropped and record.status in ("approved", "in_review"):
            columns["status"] = "changes_requested"
        elif new_words and record.status in ("approved", "in_review"):
            columns["status"] = "in_review"
            settled.append(name)
            again += [case] if record.status == "approved" else []
        changes.append(Change(record, VERB, columns, case))
    cases.change_many(tx, changes)
    if ctx.actor().may("review"):
        said = f"re-confirmed: {', '.join(sorted(by_name))}"[:300]
        label = [label_of(c, "approval", tx.log.actor, tx.log.at).model_copy(update={"reason": said}) for c in again]
        reviews.add_many(tx, label)
    settle(ctx, tx, settled)
    return list(cases.get_many(tx, list(made)).values())


def _moved(tx: Transaction, case: Case, moves: Mapping[str, _Move]) -> Case:
    """The case with its evidence as the decided sources read now."""
    targets = {n: m.target for n, m in moves.items() if m.target is not None}
    case = replaced(case, _changing(moves), {n: s.anchor.page for n, s in targets.items()})
    others = {n: s.id for n, s in targets.items() if not moves[n].own}
    if others:
        provisions = tuple(
            p.model_copy(update={"source_id": others.get(p.source_id, p.source_id)}) for p in case.key_provisions
        )
        turns = tuple(
            t.model_copy(update={"expected_source_ids": tuple(others.get(s, s) for s in t.expected_source_ids)})
            for t in case.turn_expectations
        )
        case = case.model_copy(update={"key_provisions": provisions, "turn_expectations": turns})
    for name in dict.fromkeys(s.document_id for s in targets.values()):
        document = documents.get(tx, name)
        aliases = {name} | {old for old, now in documents.names_now(tx).items() if now == name}
        if not staleness.stale_ids(tx, [case]):
            case = judged_again(case, document, aliases)
        if not any(d.document_id in aliases for d in case.documents):
            case = case.model_copy(update={"documents": (*case.documents, judged_against(document))})
    return case


def _changing(moves: Mapping[str, _Move]) -> Callable[[Evidence], Evidence]:
    def change(entry: Evidence) -> Evidence:
        move = moves.get(entry.source_id)
        if move is None or move.target is None:
            return entry
        made = recited(entry, move.target, move.old_text, requoted)
        if move.own:
            return made
        group = move.target.id if entry.group == entry.source_id else entry.group
        named = {"source_id": move.target.id, "group": group, "document_id": move.target.document_id}
        return made.model_copy(update=named)

    return change


def refusals(ctx: Context) -> tuple[Hit, ...]:
    """Refusals for silence of the sources that new text seems to answer, and about which nobody has decided."""
    closed = blind.closed_to(ctx)
    with ctx.db.read() as tx:
        lines = revisions.hits(tx)
        records = cases.get_many(tx, [h.case_id for h in lines])
        texts = {s.id: s.anchor.text for s in sources.named(tx, [h.source_id for h in lines])}
    return tuple(
        Hit(
            case_id=line.case_id,
            question="" if closed and records[line.case_id].side == "holdout" else records[line.case_id].case.question,
            document_id=line.document_id,
            revision=line.label,
            source_id=line.source_id,
            text=texts.get(line.source_id, ""),
            share=line.share,
        )
        for line in lines
        if records[line.case_id].status != "retired" and staleness.is_silence(records[line.case_id].case)
    )


def keep(ctx: Context, names: Iterable[str]) -> Reconfirmed:
    """Say of refusals that the sources are still silent: the new text does not answer them. One decision.

    Raises:
        InputError: One of them does not wait.
    """
    wanted = list(dict.fromkeys(names))
    with ctx.write() as tx:
        found = revisions.hits(tx, cases=wanted)
        if missing := [n for n in wanted if n not in {h.case_id for h in found}]:
            raise InputError(f"{missing[0]} does not wait", "`curator docs reconfirm list` shows what does")
        for hit in found:
            revisions.set_hit_state(tx, hit.revision, hit.case_id, "kept")
            data = {"revision": hit.revision, "before": {"state": "waiting"}, "after": {"state": "kept"}}
            tx.log.append("refusal", hit.case_id, VERB, data=data)
        changed = _kept(tx, wanted)
    return Reconfirmed(cases=tuple(wanted), stale=tuple(r.case.id for r in changed if staleness.FLAG in r.flags))


def _kept(tx: Transaction, names: Sequence[str]) -> list[CaseRecord]:
    """Bring refusals in line after a decision: flags, and the revisions that they were judged against."""
    records = cases.get_many(tx, names)
    stale = staleness.stale_ids(tx, [r.case for r in records.values()])
    aliases = documents.names_now(tx)
    changes = []
    for name, record in records.items():
        case = record.case
        if name not in stale:
            for judged in case.documents:
                if documents.exists(tx, judged.document_id):
                    current = documents.get(tx, aliases.get(judged.document_id, judged.document_id))
                    case = judged_again(case, current, {judged.document_id})
        changes.append(Change(record, VERB, {"flags": flagged(record, stale=name in stale)}, case))
    return cases.change_many(tx, changes)


def turn(tx: Transaction, event: Mapping[str, Any], verb: Literal["undone", "redone"]) -> None:
    """Take back, or do again, one decision about a source or refusal, from its event.

    Raises:
        Conflict: A newer revision has come since.
    """
    data = dict(event["data"])
    before, after = data["before"], data["after"]
    if event["entity"] == "refusal":
        revisions.set_hit_state(tx, data["revision"], event["entityId"], before["state"])
    else:
        if documents.revision_id_of(tx, data["document"]) != data["revision"]:
            raise Conflict(f"{data['document']} has a newer revision since then", "decide about that one")
        if before["merged"] != after["merged"]:
            (revisions.join if before["merged"] else revisions.part)(tx, data["merge"])
        revisions.set_state(tx, data["revision"], data["source"], before["state"])
        tx.log.append("document", documents.get(tx, data["document"]).id, TOLD, data={"sources": [event["entityId"]]})
    swapped = {**data, "before": after, "after": before}
    events.append_undoing(tx, event, verb, swapped)
