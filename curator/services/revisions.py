"""A changed file becomes the next revision of its document: offered, planned, stored; what it means for cases."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

from curator.domain.anchoring import anchors
from curator.domain.case import Case, CaseRecord, Evidence
from curator.domain.document import Anchor, Document, ParsedDocument, Source
from curator.domain.identity import mint
from curator.domain.model import Model
from curator.domain.reciting import carried, judged_again, replaced
from curator.domain.revision import VERDICTS, Finding
from curator.errors import Conflict, InputError
from curator.matching.answering import STRONG, Silence, terms
from curator.matching.likeness import containment, likeness, sketch
from curator.matching.reanchoring import reanchored
from curator.progress import Progress
from curator.services import staleness
from curator.services.staleness import FLAG, flagged
from curator.store import cases, citations, documents, indexing, revisions, sources
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.store.words import STOP_WORDS

LIKE = 0.5
ALMOST = 0.8
LEAST_BY_NAME = 0.3


class Offer(Model):
    """A document that a file seems to be a revision of.

    Attributes:
        document_id: The document, `title` its title.
        file: The new file.
        by_name: Its name gives the id of the document; else it was found by its text.
        likeness: Estimated share of runs of three words that both have, 0 to 1: of all that either has, or, found by
            its name, of those of the shorter one.
    """

    document_id: str
    title: str
    file: str
    by_name: bool
    likeness: float

    @property
    def is_sure(self) -> bool:
        """Whether a person who said yes to all beforehand may be taken at their word."""
        return self.likeness >= (LEAST_BY_NAME if self.by_name else ALMOST)


class Answer(NamedTuple):
    """What a person says to an offer: the next revision, another document (its id; "" = a free one), or leave it."""

    what: Literal["revision", "another", "leave"]
    document_id: str = ""


def text_sketch(parsed: ParsedDocument) -> str:
    """What the text of a parse is like; see matching.likeness."""
    return sketch(_texts(parsed))


def _texts(parsed: ParsedDocument) -> list[str]:
    return [*(c.text for c in parsed.chunks), *(r.text for t in parsed.tables for r in t.rows)]


def offer(tx: Transaction, parsed: ParsedDocument, made: str, document_id: str) -> Offer | None:
    """The document that a file may be a revision of: the one of its name, else the one most alike; None = none is.

    Args:
        tx: Open transaction.
        parsed: The file.
        made: Its sketch.
        document_id: The id that its name gives.
    """
    if documents.exists(tx, document_id):
        found = documents.get(tx, document_id)
        here = revisions.texts(tx, documents.revision_id_of(tx, found.id))
        return _offer(found, parsed, containment(_texts(parsed), here), True)
    scored = [
        (likeness(made, d.sketch or sketch(revisions.texts(tx, d.revision))), d.document_id)
        for d in revisions.sketches(tx)
    ]
    score, name = max(scored, default=(0.0, ""))
    return _offer(documents.get(tx, name), parsed, score, False) if score >= LIKE else None


def _offer(found: Document, parsed: ParsedDocument, score: float, by_name: bool) -> Offer:
    return Offer(
        document_id=found.id, title=found.title, file=parsed.file, by_name=by_name, likeness=round(score, 2)
    )  # fmt: skip


@dataclass(frozen=True)
class Plan:
    """What storing a revision will do.

    Attributes:
        document: The document as it is now.
        state: Its state when this was worked out; storing it later asks for the same.
        anchors: The new anchors, under the ids that their sources keep or get.
        known: Our numbers of the sources that are the same, by id.
        waiting: Findings on all others; targets are ids of the new revision.
        old_anchors: Numbers of the anchors by which the sources that wait were known last.
        verdicts: How many sources have which verdict.
    """

    document: Document
    state: str
    anchors: tuple[Anchor, ...]
    known: Mapping[str, int]
    waiting: tuple[Finding, ...]
    old_anchors: Mapping[str, int]
    verdicts: Mapping[str, int]


def plan(
    tx: Transaction, document_id: str, parsed: ParsedDocument, progress: Progress, *, again: bool = False
) -> Plan:  # fmt: skip
    """Work out the verdict on every source of a document, and the ids of the new revision; nothing is written.

    Args:
        tx: Open transaction.
        document_id: The document.
        parsed: The new file, its ids under the document's.
        progress: Asked whether to stop.
        again: It is the file of the current revision, read again: nobody has amended it.
    """
    document = documents.get(tx, document_id)
    current = sources.of_revision(tx, documents.revision_id_of(tx, document.id))
    new = anchors(parsed)
    found = reanchored([s.anchor for *_, s in current], new, same_bytes=again, checkpoint=progress.checkpoint)
    kept = {f.target: f.source_id for f in found.values() if f.verdict == "SAME"}
    numbers = {s.id: key for key, _, s in current}
    at = {s.id: anchor for _, anchor, s in current}
    for line, finding in _lost_before(tx, document.id, new, set(kept), parsed.sha256, progress):
        found[line.name] = finding
        numbers[line.name], at[line.name] = line.source, line.old_anchor
        if finding.verdict == "SAME":
            kept[finding.target] = line.name
    names = _named(tx, new, kept)
    waiting = tuple(_renamed(f, names) for f in found.values() if f.verdict != "SAME")
    counted = Counter(f.verdict for f in found.values())
    return Plan(
        document=document,
        state=indexing.stamps(tx)[document.id],
        anchors=tuple(a.model_copy(update={"source_id": names[a.source_id]}) for a in new),
        known={name: numbers[name] for name in kept.values()},
        waiting=waiting,
        old_anchors={f.source_id: at[f.source_id] for f in waiting},
        verdicts={v: counted[v] for v in VERDICTS if counted[v]},
    )


def _lost_before(
    tx: Transaction, document_id: str, new: Sequence[Anchor], taken: set[str], sha256: str, progress: Progress
) -> list[tuple[revisions.FindingLine, Finding]]:
    """Sources that wait since earlier revisions, looked for again; what the current one has is theirs no more.

    A source that was last seen in an earlier reading of the very file is looked for as what nobody has amended.
    """
    lines = revisions.findings(tx, document_id)
    if not lines:
        return []
    old = sources.at(tx, [line.old_anchor for line in lines])
    found: dict[str, Finding] = {}
    everywhere: dict[str, Finding] = {}
    for same_bytes in (True, False):
        here = [s.anchor for line in lines if ((s := old[line.old_anchor]).document_sha256 == sha256) == same_bytes]
        if here:
            free = [a for a in new if a.source_id not in taken]
            found |= reanchored(here, free, same_bytes=same_bytes, checkpoint=progress.checkpoint)
            everywhere |= reanchored(here, new, same_bytes=same_bytes, checkpoint=progress.checkpoint)
            taken = taken | {f.target for f in found.values() if f.verdict == "SAME"}
    made = []
    for line in lines:
        finding, before = found[line.name], old[line.old_anchor]
        if finding.verdict == "SAME" and before.anchor.copies > 1 and before.document_sha256 != sha256:
            finding = finding.model_copy(update={"verdict": "SAME_KTH"})
        elif finding.verdict == "LOST":  # a text that stays under its newer id may still be what the old one became
            finding = everywhere[line.name]
            if finding.verdict == "SAME":
                finding = finding.model_copy(update={"verdict": "MOVED_SIMILAR", "difference": "place"})
        made.append((line, finding))
    return made


def _named(tx: Transaction, new: Sequence[Anchor], kept: Mapping[str, str]) -> dict[str, str]:
    """The id of each new anchor: the one it keeps, else the reader's, counted on where that was ever given."""
    containers = sorted({a.source_id.partition(":")[0] for a in new})
    taken = sources.taken_names(tx, containers) | set(kept.values())
    names = dict(kept)
    for anchor in new:
        name = anchor.source_id
        if name in names:
            continue
        container, _, key = name.partition(":")
        names[name] = mint(container, key, taken) if name in taken else name
        taken.add(names[name])
    return names


def _renamed(finding: Finding, names: Mapping[str, str]) -> Finding:
    candidates = tuple(c.model_copy(update={"source_id": names[c.source_id]}) for c in finding.candidates)
    return finding.model_copy(update={"target": names.get(finding.target, ""), "candidates": candidates})


def store(
    tx: Transaction, planned: Plan, document: Document, parsed: ParsedDocument, size: int, made: str, *,
    again: bool = False,
) -> int:  # fmt: skip
    """Store a revision as planned, and carry the cases over; gives how many cases are stale by it.

    Args:
        tx: Open write.
        planned: What was worked out.
        document: As it shall be from now on.
        parsed: The new file.
        size: Its bytes.
        made: Its sketch.
        again: It is the same file, read again: the label stays.

    Raises:
        Conflict: The document changed since it was planned.
        InputError: There is a revision of this label.
    """
    if indexing.stamps(tx)[planned.document.id] != planned.state:
        raise Conflict(f"{planned.document.id} changed in between", "try again; nothing was stored")
    if not again and document.revision.label in {r.label for r in revisions.of_document(tx, document.id)}:
        raise InputError(f"{document.id} has a revision {document.revision.label!a}", "name this one with --revision")
    before = documents.revision_id_of(tx, document.id)
    revision = documents.add_revision(
        tx, document, parsed, planned.anchors, size, known=planned.known, verdicts=planned.verdicts, sketch=made,
        again=again,
    )  # fmt: skip
    revisions.supersede(tx, before)
    revisions.add_findings(tx, revision, planned.waiting, planned.old_anchors)
    fresh = [a for a in planned.anchors if a.source_id not in planned.known]
    _search_again(tx, document.id, revision, planned.anchors, fresh)
    return _carry_over(tx, document.id)


def _search_again(
    tx: Transaction, document_id: str, revision: int, every: Sequence[Anchor], fresh: Sequence[Anchor]
) -> None:
    """Search the new texts for what was refused because the sources were silent; a strong hit waits for a look."""
    refusals = _refusals(tx, document_id)
    if not refusals or not fresh:
        return
    silence, texts = Silence((a.text for a in every), STOP_WORDS), [terms(a.text) for a in fresh]
    hits = {}
    for record in refusals:
        place, share = silence.strongest("\n".join(record.case.turns), texts)
        if share >= STRONG:
            hits[record.case.id] = (fresh[place].source_id, round(share, 3))
    revisions.add_hits(tx, revision, hits)


def _judged(tx: Transaction, document_id: str) -> tuple[set[str], list[CaseRecord]]:
    """The names of a document, and the cases that were judged against it or cite it, but for retired ones."""
    names = {document_id} | {old for old, now in documents.names_now(tx).items() if now == document_id}
    ids = citations.judged_against(tx, names)
    return names, [r for r in cases.get_many(tx, ids).values() if r.status != "retired"]


def _refusals(tx: Transaction, document_id: str) -> list[CaseRecord]:
    _, found = _judged(tx, document_id)
    return [r for r in found if staleness.is_silence(r.case)]


def _carry_over(tx: Transaction, document_id: str) -> int:
    """Give the cases of a document the new places of what they cite; mark those that rest on anything else."""
    document = documents.get(tx, document_id)
    names, records = _judged(tx, document_id)
    stale = staleness.stale_ids(tx, [r.case for r in records])
    wanted = {e.source_id for r in records for e in r.case.evidence if e.document_id in names}
    here = _by_every_name(sources.named(tx, wanted))
    changes = []
    for record in records:
        is_stale = record.case.id in stale
        case = carried_case(record.case, here)
        if not is_stale:
            case = judged_again(case, document, names)
        flags = flagged(record, stale=is_stale)
        if case != record.case or flags != record.flags:
            verb = "marked stale" if is_stale and FLAG not in record.flags else "carried over"
            changes.append(Change(record, verb, {"flags": flags}, case))
    cases.change_many(tx, changes)
    return len(stale)


def _by_every_name(found: Sequence[Source]) -> dict[str, Source]:
    return {name: s for s in found for name in (s.id, *s.aliases)}


def carried_case(case: Case, here: Mapping[str, Source]) -> Case:
    """The case with the places of the sources that are here as they are now."""

    def change(entry: Evidence) -> Evidence:
        source = here.get(entry.source_id)
        return carried(entry, source) if source is not None else entry

    return replaced(case, change, {name: s.anchor.page for name, s in here.items()})
