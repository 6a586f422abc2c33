"""Documents, their revisions, pages, sections, tables and sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlalchemy import func
from sqlmodel import col, select

from curator.domain.document import Anchor, Document, Page, ParsedDocument, ParseWarning, Revision, Section
from curator.errors import InputError
from curator.store.bulk import insert_rows, parts
from curator.store.database import Transaction
from curator.store.tables import (
    AnchorRow,
    BlockRow,
    DocumentRow,
    PageRow,
    RevisionRow,
    SectionRow,
    SourceRow,
)


def _json(value: Iterable[Any]) -> str:
    return json.dumps(list(value), ensure_ascii=False)


def by_hashes(tx: Transaction, wanted: Iterable[str]) -> dict[str, str]:
    """Ids of the documents that have a revision with these bytes, by the hash."""
    found: dict[str, str] = {}
    for part in parts(wanted):
        query = select(RevisionRow.sha256, RevisionRow.document_id).where(col(RevisionRow.sha256).in_(part))
        found |= dict(tx.session.exec(query).all())
    return found


def by_hash(tx: Transaction, sha256: str) -> str:
    """Id of the document that has a revision with these bytes, or ""."""
    return by_hashes(tx, [sha256]).get(sha256, "")


def ids(tx: Transaction, wanted: Iterable[str]) -> set[str]:
    """Those of these ids that are documents."""
    found: set[str] = set()
    for part in parts(wanted):
        found |= set(tx.session.exec(select(DocumentRow.id).where(col(DocumentRow.id).in_(part))))
    return found


def exists(tx: Transaction, document_id: str) -> bool:
    """Whether there is a document of this id."""
    return bool(ids(tx, [document_id]))


def add(tx: Transaction, document: Document, parsed: ParsedDocument, anchors: Sequence[Anchor], size: int) -> None:
    """Store a new document with its first revision: everything, in the open transaction."""
    seq = tx.log.append(
        "document",
        document.id,
        "ingested",
        version=1,
        data={"file": document.revision.file, "sha256": parsed.sha256, "sources": len(anchors)},
    )
    revision = RevisionRow(
        document_id=document.id,
        label=document.revision.label,
        sha256=parsed.sha256,
        file=document.revision.file,
        bytes=size,
        pages=parsed.page_count,
        parser=parsed.parser,
        warnings=_json(w.model_dump() for w in parsed.warnings),
        ingested_at=tx.log.at,
        seq=seq,
    )
    tx.session.add(revision)
    tx.session.flush()
    assert revision.id is not None
    tx.session.add(
        DocumentRow(
            id=document.id,
            title=document.title,
            domain=document.domain,
            document_type=document.document_type,
            language=document.language,
            effective_from=document.effective_from,
            effective_to=document.effective_to,
            revision_id=revision.id,
            seq=seq,
        )
    )
    tx.session.flush()
    _add_layout(tx, revision.id, parsed)
    _add_sources(tx, document.id, revision.id, anchors, seq, {t.id: n for n, t in enumerate(parsed.tables, 1)})


def _add_layout(tx: Transaction, revision_id: int, parsed: ParsedDocument) -> None:
    """Pages, sections and tables of a revision; in bulk, since a long document has tens of thousands of rows."""
    pages = [
        {
            "revision_id": revision_id,
            "number": p.index,
            "label": p.label,
            "kind": p.kind,
            "chars": p.chars,
            "note": p.note,
            "text": p.text,
            "running": _json(p.running),
        }
        for p in parsed.pages
    ]
    sections = [
        {
            "revision_id": revision_id,
            "ordinal": n,
            "path": _json(s.path),
            "title": s.title,
            "label": s.label,
            "page": s.page,
            "level": s.level,
        }
        for n, s in enumerate(parsed.sections, 1)
    ]
    blocks = [
        {
            "revision_id": revision_id,
            "ordinal": n,
            "name": t.id,
            "title": t.title,
            "header": _json(t.header),
            "pages": _json(t.pages),
            "section_path": _json(t.section_path),
            "footnotes": _json(t.footnotes),
            "origin": t.origin,
            "confidence": t.confidence,
        }
        for n, t in enumerate(parsed.tables, 1)
    ]
    insert_rows(tx.session, PageRow, pages)
    insert_rows(tx.session, SectionRow, sections)
    insert_rows(tx.session, BlockRow, blocks)


def _add_sources(
    tx: Transaction, document_id: str, revision_id: int, anchors: Sequence[Anchor], seq: int, blocks: dict[str, int]
) -> None:
    first = (tx.session.exec(select(func.max(SourceRow.id))).one() or 0) + 1
    sources = [
        {"id": first + n, "name": a.source_id, "document_id": document_id, "kind": a.kind, "seq": seq}
        for n, a in enumerate(anchors)
    ]
    rows = [
        {
            "source_id": first + n,
            "revision_id": revision_id,
            "ordinal": a.ordinal,
            "page": a.page,
            "page_end": a.page_end,
            "page_label": a.page_label,
            "section_path": _json(a.section_path),
            "text": a.text,
            "quote": a.quote,
            "text_hash": a.text_hash,
            "prefix": a.prefix,
            "suffix": a.suffix,
            "copies": a.copies,
            "copy_index": a.copy_index,
            "box": _json(a.box) if a.box else "",
            "block": blocks.get(a.table_id, 0),
            "section_row": a.section_row,
            "key_cell": a.key_cell,
            "cells": _json(a.cells),
        }
        for n, a in enumerate(anchors)
    ]
    insert_rows(tx.session, SourceRow, sources)
    insert_rows(tx.session, AnchorRow, rows)


def _document(row: DocumentRow, revision: RevisionRow, counts: dict[str, int]) -> Document:
    return Document(
        id=row.id,
        title=row.title,
        domain=row.domain,
        document_type=row.document_type,
        language=row.language,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        version=row.version,
        chunks=counts.get("chunk", 0),
        rows=counts.get("row", 0),
        revision=Revision(
            label=revision.label,
            sha256=revision.sha256,
            file=revision.file,
            pages=revision.pages,
            parser=revision.parser,
            warnings=tuple(ParseWarning(**w) for w in json.loads(revision.warnings)),
            ingested_at=revision.ingested_at,
        ),
    )


def page_of(
    tx: Transaction, *, after: str = "", before: str = "", limit: int = 200, contains: str = ""
) -> list[Document]:
    """Up to `limit` documents in order of their ids: those after a key, or (reversed) those before one.

    Args:
        tx: Open transaction.
        after: Only ids above it; before: only ids below it, the nearest first.
        before: See after.
        limit: Most documents; 0 = all.
        contains: Only documents whose id, title or domain contains this, whatever the case.
    """
    query = select(DocumentRow, RevisionRow).where(DocumentRow.revision_id == RevisionRow.id)
    if after:
        query = query.where(col(DocumentRow.id) > after)
    if before:
        query = query.where(col(DocumentRow.id) < before)
    if contains:
        columns = (col(DocumentRow.id), col(DocumentRow.title), col(DocumentRow.domain))
        matches = [c.icontains(contains, autoescape=True) for c in columns]
        query = query.where(matches[0] | matches[1] | matches[2])
    order = col(DocumentRow.id).desc() if before else col(DocumentRow.id)
    found = tx.session.exec(query.order_by(order).limit(limit or None)).all()
    counts = _counts(tx, [d.id for d, _ in found])
    return [_document(d, r, counts.get(d.id, {})) for d, r in found]


def count(tx: Transaction) -> int:
    """How many documents there are."""
    return int(tx.session.exec(select(func.count()).select_from(DocumentRow)).one())


def _counts(tx: Transaction, ids: Sequence[str]) -> dict[str, dict[str, int]]:
    query = (
        select(SourceRow.document_id, SourceRow.kind, func.count())
        .where(col(SourceRow.document_id).in_(ids))
        .group_by(SourceRow.document_id, SourceRow.kind)
    )
    found: dict[str, dict[str, int]] = {}
    for document_id, kind, number in tx.session.exec(query):
        found.setdefault(document_id, {})[kind] = number
    return found


def get(tx: Transaction, document_id: str) -> Document:
    """The document of this id.

    Raises:
        InputError: There is none.
    """
    row = tx.session.get(DocumentRow, document_id)
    if row is None:
        raise InputError(f"no document {document_id}", "`curator docs list` shows them")
    revision = tx.session.get(RevisionRow, row.revision_id)
    assert revision is not None
    return _document(row, revision, _counts(tx, [row.id]).get(row.id, {}))


def revision_id_of(tx: Transaction, document_id: str) -> int:
    """Key of the current revision.

    Raises:
        InputError: There is no such document.
    """
    row = tx.session.get(DocumentRow, document_id)
    if row is None:
        raise InputError(f"no document {document_id}", "`curator docs list` shows them")
    return row.revision_id


def pages(tx: Transaction, document_id: str, first: int = 1, last: int = 0) -> list[Page]:
    """Pages of the current revision, from first to last (0: to the end)."""
    query = select(PageRow).where(PageRow.revision_id == revision_id_of(tx, document_id), col(PageRow.number) >= first)
    if last:
        query = query.where(col(PageRow.number) <= last)
    return [
        Page(
            index=p.number,
            label=p.label,
            kind=p.kind,
            chars=p.chars,
            note=p.note,
            text=p.text,
            running=tuple(json.loads(p.running)),
        )
        for p in tx.session.exec(query.order_by(col(PageRow.number)))
    ]


def sections(tx: Transaction, document_id: str) -> list[Section]:
    """Headings of the current revision, in order."""
    query = select(SectionRow).where(SectionRow.revision_id == revision_id_of(tx, document_id))
    return [
        Section(path=tuple(json.loads(s.path)), title=s.title, label=s.label, page=s.page, level=s.level)
        for s in tx.session.exec(query.order_by(col(SectionRow.ordinal)))
    ]
