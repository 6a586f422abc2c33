"""Which cases rest on something that waits to be re-confirmed: the flag `stale`, worked out, never typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curator.domain.case import Case, CaseRecord
from curator.domain.reciting import cites_as_it_reads, sources_named
from curator.store import cases, citations, documents, revisions, sources
from curator.store.cases import Change
from curator.store.database import Transaction

FLAG = "stale"


def stale_ids(tx: Transaction, wanted: Sequence[Case]) -> set[str]:
    """Ids of those of these cases that are stale.

    A case is when a source that it names is known but not in the current revision of its document, or when it refuses
    for silence of the sources and new text that may answer it waits for a look. One that is there but was repaired
    makes it stale until somebody re-confirms it, or the case cites it as it reads now. A source that was never here
    does not make a case stale: that is another problem.
    """
    named = {case.id: sources_named(case) for case in wanted}
    every = set().union(*named.values()) if named else set()
    gone = revisions.absent(tx, every) if named else set()
    silent = [c.id for c in wanted if is_silence(c)]
    hit = {h.case_id for h in revisions.hits(tx, cases=silent)} if silent else set()
    other = _reads_otherwise(tx, wanted, revisions.waiting_here(tx, every - gone))
    return {name for name, sources in named.items() if sources & gone} | hit | other


def _reads_otherwise(tx: Transaction, wanted: Sequence[Case], waiting: set[str]) -> set[str]:
    """Ids of cases that cite one of these sources as it does not read now, or name it without a quote."""
    here = {name: s for s in sources.named(tx, waiting) for name in (s.id, *s.aliases)} if waiting else {}
    found = set()
    for case in wanted:
        cited = [e for e in case.evidence if e.source_id in waiting]
        bare = (sources_named(case) & waiting) - {e.source_id for e in cited}
        if bare or any(e.source_id not in here or not cites_as_it_reads(e, here[e.source_id]) for e in cited):
            found.add(case.id)
    return found


def is_silence(case: Case) -> bool:
    """Whether a case refuses because the sources say nothing."""
    return case.expected_behavior == "refuse" and case.refusal_reason == "not_in_sources"


def flagged(record: CaseRecord, *, stale: bool) -> tuple[str, ...]:
    """The flags of a case, stale or not."""
    return tuple(sorted({*record.flags} - {FLAG} | ({FLAG} if stale else set())))


def refresh(tx: Transaction, names: Iterable[str]) -> list[str]:
    """Bring the flag of these cases in line with what waits; gives those that changed."""
    changes = []
    records = list(cases.get_many(tx, list(names)).values())
    stale = stale_ids(tx, [r.case for r in records])
    for record in records:
        is_stale = record.case.id in stale
        if record.status != "retired" and is_stale != (FLAG in record.flags):
            verb = "marked stale" if is_stale else "current again"
            changes.append(Change(record, verb, {"flags": flagged(record, stale=is_stale)}))
    cases.change_many(tx, changes)
    return [c.before.case.id for c in changes]


def citing(tx: Transaction, document_id: str) -> dict[str, list[str]]:
    """Cases that are not retired by the id or alias of the source of this document that they cite."""
    names = {document_id} | {old for old, now in documents.names_now(tx).items() if now == document_id}
    found: dict[str, list[str]] = {}
    for name in sorted(names):
        for row in citations.of_document(tx, name):
            if row.case_id not in found.setdefault(row.source_id, []):
                found[row.source_id].append(row.case_id)
    return found
