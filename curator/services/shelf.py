"""What of the workspace's documents some cases speak of, read at once, and what does not fit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from curator.domain.case import Case
from curator.domain.citing import cite
from curator.domain.rules import Problem
from curator.store import documents, revisions, sources
from curator.store.database import Transaction
from curator.text import folded


@dataclass(frozen=True)
class Shelf:
    """The documents here: texts by source id and alias, folded; ids; ids by the hash of their bytes; earlier names."""

    texts: dict[str, str]
    documents: set[str]
    by_hash: dict[str, str]
    now: dict[str, str]
    absent: set[str]


def shelf_of(tx: Transaction, wanted: Sequence[Case]) -> Shelf:
    """What these cases cite and were judged against, as far as it is here."""
    cited = sources.named(tx, [e.source_id for c in wanted for e in c.evidence])
    judged = [d for c in wanted for d in c.documents]
    return Shelf(
        texts={name: text for s in cited for text in (folded(cite(s).quote),) for name in (s.id, *s.aliases)},
        documents=documents.ids(tx, {d.document_id for d in judged}),
        by_hash=documents.by_hashes(tx, {d.document_sha256 for d in judged}),
        now=documents.names_now(tx),
        absent=revisions.absent(tx, {e.source_id for c in wanted for e in c.evidence}),
    )


def source_problems(shelf: Shelf, case: Case) -> tuple[Problem, ...]:
    """Where the sources and documents of a case are not here as they were cited."""
    found = []
    for entry in case.evidence:
        text = shelf.texts.get(entry.source_id)
        if entry.source_id in shelf.absent:
            message = f"{entry.source_id} is not in the current revision of its document"
            hint = f"`curator docs reconfirm show {entry.source_id}`, or cite another source"
            found.append(Problem(code="source-stale", field="evidence", message=message, hint=hint))
        elif text is None:
            found.append(_here("source-unknown", "evidence", f"{entry.source_id} is in no document of this workspace"))
        elif folded(entry.quote) not in text:
            found.append(_here("quote-changed", "evidence", f"{entry.source_id} does not read as it was cited"))
    for judged in case.documents:
        name, digest = judged.document_id, judged.document_sha256
        if name and name not in shelf.documents:
            found.append(_here("document-unknown", "documents", f"{name} is no document of this workspace"))
        elif digest and shelf.by_hash.get(digest, "") != shelf.now.get(name, name):
            found.append(_here("document-changed", "documents", f"{name} has other bytes here than were judged"))
    return tuple(found)


def _here(code: str, field: str, message: str) -> Problem:
    return Problem(code=code, field=field, message=message, hint="ingest that document, or choose it again")
