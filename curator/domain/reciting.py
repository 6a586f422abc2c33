"""What a case says of a source that has another place, another wording or another name now."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from curator.domain.case import Case, Evidence
from curator.domain.citing import cite, judged_against
from curator.domain.document import Document, Source
from curator.domain.revision import form_of
from curator.text import folded

Requote = Callable[[str, str], str]


def sources_named(case: Case) -> set[str]:
    """The ids of all sources that a case names: evidence, provisions, earlier turns."""
    named = {e.source_id for e in case.evidence} | {p.source_id for p in case.key_provisions}
    return (named | {s for t in case.turn_expectations for s in t.expected_source_ids}) - {""}


def carried(entry: Evidence, source: Source) -> Evidence:
    """The entry at the place where its source lies now; what it says stays as a person cited it."""
    at = source.anchor
    return entry.model_copy(
        update={
            "document_version": source.revision,
            "document_sha256": source.document_sha256,
            "page": at.page,
            "page_label": at.page_label,
            "section_path": at.section_path,
            "effective_from": source.effective_from,
            "effective_to": source.effective_to,
        }
    )


def recited(entry: Evidence, source: Source, old_text: str, requote: Requote) -> Evidence:
    """The entry as its source reads now; where only white space or hyphenation differ, as it was cited.

    Args:
        entry: As it was.
        source: Where it lies now.
        old_text: All that the source said before; a quote that was all of it becomes all of the new text.
        requote: Finds a part of the old text in the new one.
    """
    at = source.anchor
    whole = source.kind == "row" or folded(entry.quote) in ("", folded(old_text))
    quote = "" if whole else entry.quote if folded(entry.quote) in folded(at.text) else requote(entry.quote, at.text)
    fresh = cite(source, entry.role, quote=quote, group=entry.group)
    kept: dict[str, Any] = {"source_id": entry.source_id, "document_id": entry.document_id}
    for name in ("quote", "table_title"):
        if _alike(getattr(entry, name), getattr(fresh, name)):
            kept[name] = getattr(entry, name)
    for name in ("table_header", "table_cells", "footnotes"):
        old, new = getattr(entry, name), getattr(fresh, name)
        if len(old) == len(new) and all(map(_alike, old, new)):
            kept[name] = old
    return fresh.model_copy(update=kept)


def cites_as_it_reads(entry: Evidence, source: Source) -> bool:
    """Whether what an entry says is what its source says now, white space and hyphenation aside."""
    if source.kind == "chunk":
        return folded(entry.quote) in folded(source.anchor.text)
    return recited(entry, source, "", lambda quote, _: quote).model_copy(update=_PLACE) == entry.model_copy(
        update=_PLACE
    )


_PLACE = {"document_version": "", "document_sha256": "", "page": 0, "page_label": ""} | {
    "effective_from": "",
    "effective_to": "",
}


def _alike(old: str, new: str) -> bool:
    return form_of(old, new) in ("none", "spacing", "hyphenation") and folded(old) == folded(new)


def replaced(case: Case, change: Callable[[Evidence], Evidence], pages: Mapping[str, int]) -> Case:
    """The case with each entry of its evidence changed; pages: where the sources of provisions lie now, by id."""
    provisions = tuple(
        p.model_copy(update={"page": pages[p.source_id]}) if p.source_id in pages else p for p in case.key_provisions
    )
    return case.model_copy(update={"evidence": tuple(map(change, case.evidence)), "key_provisions": provisions})


def judged_again(case: Case, document: Document, names: set[str]) -> Case:
    """The case judged against the current revision of a document, under the name by which it knows it."""
    entry = judged_against(document)
    again = tuple(
        entry.model_copy(update={"document_id": d.document_id}) if d.document_id in names else d for d in case.documents
    )
    return case.model_copy(update={"documents": again})


def renamed(case: Case, sources: Mapping[str, str], documents: Mapping[str, str]) -> Case:
    """The case with the ids of today in the place of names that sources and documents had before.

    Args:
        case: As people wrote it.
        sources: Earlier name -> id, of sources; `documents`: of documents.
        documents: See sources.
    """
    if not (sources or documents):
        return case

    def source(name: str) -> str:
        return sources.get(name, name)

    def document(name: str) -> str:
        return documents.get(name, name)

    evidence = tuple(
        e.model_copy(
            update={
                "source_id": source(e.source_id),
                "group": source(e.group),
                "document_id": document(e.document_id),
            }
        )
        for e in case.evidence
    )
    turns = tuple(
        t.model_copy(update={"expected_source_ids": tuple(dict.fromkeys(map(source, t.expected_source_ids)))})
        for t in case.turn_expectations
    )
    return case.model_copy(
        update={
            "evidence": evidence,
            "turn_expectations": turns,
            "key_provisions": tuple(
                p.model_copy(update={"source_id": source(p.source_id)}) for p in case.key_provisions
            ),
            "documents": tuple(d.model_copy(update={"document_id": document(d.document_id)}) for d in case.documents),
        }
    )
