"""Which cases rest on something that waits to be re-confirmed: the flag `stale`, worked out, never typed."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curator.domain.case import Case, CaseRecord
from curator.domain.reciting import sources_named
from curator.store import cases, citations, documents, revisions
from curator.store.cases import Change
from curator.store.database import Transaction

FLAG = "stale"


def stale_ids(tx: Transaction, wanted: Sequence[Case]) -> set[str]:
    """Ids of those of these cases that are stale.

    A case is when a source that it names is known but not in the current revision of its document, or when it refuses
    for silence of the sources and new text that may answer it waits for a look. A source that was never here does not
    make a case stale: that is another problem.
    """
    named = {case.id: sources_named(case) for case in wanted}
    gone = revisions.absent(tx, set().union(*named.values())) if named else set()
    silent = [c.id for c in wanted if is_silence(c)]
    hit = {h.case_id for h in revisions.hits(tx, cases=silent)} if silent else set()
    return {name for name, sources in named.items() if sources & gone} | hit


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
