"""Documents, their revisions, pages, sections, tables and sources."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Integer, Join, func
from sqlmodel import col, select

from curator.domain.document import Anchor, Document, Page, ParsedDocument, ParseWarning, Revision, Section, Table
from curator.domain.listing import ListKey, ListQuery
from curator.errors import InputError
from curator.store.bulk import insert_rows, parts, table_of
from curator.store.database import Transaction
from curator.store.listing import Listing
from curator.store.seals import seal_revision
from curator.store.tables import (
    AnchorRow,
    BlockRow,
    DocumentAliasRow,
    DocumentRow,
    PageRow,
    RevisionRow,
    SectionRow,
    SourceRow,
)

READ_AGAIN = "read again"
_LAST = 2**63 - 1


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
    """Those of these ids that are documents, or were the name of one."""
    found: set[str] = set()
    for part in parts(wanted):
        found |= set(tx.session.exec(select(DocumentRow.id).where(col(DocumentRow.id).in_(part))))
        found |= set(tx.session.exec(select(DocumentAliasRow.name).where(col(DocumentAliasRow.name).in_(part))))
    return found


def names_now(tx: Transaction) -> dict[str, str]:
    """Ids of documents by the names that they had before."""
    return dict(tx.session.exec(select(DocumentAliasRow.name, DocumentAliasRow.document_id)).all())


def _row(tx: Transaction, document_id: str) -> DocumentRow:
    """The row of this id or earlier name.

    Raises:
        InputError: There is none.
    """
    row = tx.session.get(DocumentRow, document_id)
    if row is None and (alias := tx.session.get(DocumentAliasRow, document_id)):
        row = tx.session.get(DocumentRow, alias.document_id)
    if row is None:
        raise InputError(f"no document {document_id}", "`curator docs list` shows them")
    return row


def exists(tx: Transaction, document_id: str) -> bool:
    """Whether there is a document of this id."""
    return bool(ids(tx, [document_id]))


def add(
    tx: Transaction, document: Document, parsed: ParsedDocument, anchors: Sequence[Anchor], size: int, sketch: str = ""
) -> None:
    """Store a new document with its first revision: everything, in the open transaction."""
    seq = tx.log.append(
        "document",
        document.id,
        "ingested",
        version=1,
        data={"file": document.revision.file, "sha256": parsed.sha256, "sources": len(anchors)},
    )
    revision_id = _add_revision(tx, document, parsed, size, seq, sketch)
    tx.session.add(
        DocumentRow(id=document.id, revision_id=revision_id, seq=seq, **(_columns(document) | _counts(anchors)))
    )
    tx.session.flush()
    _add_content(tx, document.id, revision_id, parsed, anchors, seq, {})


def add_revision(
    tx: Transaction,
    document: Document,
    parsed: ParsedDocument,
    anchors: Sequence[Anchor],
    size: int,
    *,
    known: Mapping[str, int],
    verdicts: Mapping[str, int],
    sketch: str = "",
    again: bool = False,
) -> int:
    """Store another revision of a document that is here and make it the current one; gives the revision's key.

    Args:
        tx: Open write.
        document: As it shall be from now on, with the new revision.
        parsed: What was read.
        anchors: Under the ids that the sources keep or get.
        size: Bytes of the file.
        known: Keys of the sources among them that are here already, by id; the others are stored as new.
        verdicts: How many of the sources before had which verdict, for the history.
        sketch: What its text is like.
        again: The same file, read again: the same revision to people, and another reading of it.
    """
    row = tx.session.get(DocumentRow, document.id)
    assert row is not None
    seq = tx.log.append(
        "document",
        document.id,
        READ_AGAIN if again else "revised",
        version=row.version + 1,
        data={"file": document.revision.file, "sha256": parsed.sha256, "revision": document.revision.label,
              "before": row.revision_id, "verdicts": dict(verdicts), "parser": parsed.parser},
    )  # fmt: skip
    reading = 1
    if again:
        last = select(func.max(RevisionRow.reading)).where(RevisionRow.sha256 == parsed.sha256)
        reading = (tx.session.exec(last).one() or 0) + 1
    revision_id = _add_revision(tx, document, parsed, size, seq, sketch, reading)
    values = {"revision_id": revision_id, "version": row.version + 1} | _columns(document) | _counts(anchors)
    for name, value in values.items():
        setattr(row, name, value)
    tx.session.add(row)
    tx.session.flush()
    _add_content(tx, document.id, revision_id, parsed, anchors, seq, known)
    return revision_id


def _columns(document: Document) -> dict[str, Any]:
    names = ("title", "domain", "document_type", "language", "effective_from", "effective_to")
    return {name: getattr(document, name) for name in names}


def _counts(anchors: Sequence[Anchor]) -> dict[str, Any]:
    return {"chunks": sum(a.kind == "chunk" for a in anchors), "rows": sum(a.kind == "row" for a in anchors)}


def _add_revision(
    tx: Transaction, document: Document, parsed: ParsedDocument, size: int, seq: int, sketch: str, reading: int = 1
) -> int:
    revision = RevisionRow(
        document_id=document.id,
        label=document.revision.label,
        reading=reading,
        sha256=parsed.sha256,
        file=document.revision.file,
        bytes=size,
        pages=parsed.page_count,
        parser=parsed.parser,
        warnings=_json(w.model_dump() for w in parsed.warnings),
        ingested_at=tx.log.at,
        seq=seq,
        sketch=sketch,
    )
    tx.session.add(revision)
    tx.session.flush()
    assert revision.id is not None
    return revision.id


def _add_content(
    tx: Transaction, document_id: str, revision_id: int, parsed: ParsedDocument, anchors: Sequence[Anchor],
    seq: int, known: Mapping[str, int],
) -> None:  # fmt: skip
    _add_layout(tx, revision_id, parsed)
    blocks = {t.id: n for n, t in enumerate(parsed.tables, 1)}
    _add_sources(tx, document_id, revision_id, anchors, seq, blocks, known)
    seal_revision(tx, revision_id)


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
    insert_rows(tx.session, PageRow, pages)
    insert_rows(tx.session, SectionRow, sections)
    insert_rows(tx.session, BlockRow, block_rows(revision_id, parsed.tables))


def block_rows(revision_id: int, tables: Sequence[Table]) -> list[dict[str, Any]]:
    """The rows of the tables of a revision."""
    return [
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
        for n, t in enumerate(tables, 1)
    ]


def _add_sources(
    tx: Transaction, document_id: str, revision_id: int, anchors: Sequence[Anchor], seq: int, blocks: dict[str, int],
    known: Mapping[str, int],
) -> None:  # fmt: skip
    first = (tx.session.exec(select(func.max(SourceRow.id))).one() or 0) + 1
    fresh = [a for a in anchors if a.source_id not in known]
    keys = dict(known) | {a.source_id: first + n for n, a in enumerate(fresh)}
    sources = [
        {"id": keys[a.source_id], "name": a.source_id, "document_id": document_id, "kind": a.kind, "seq": seq}
        for a in fresh
    ]
    rows = [{"source_id": keys[a.source_id], "revision_id": revision_id, **anchor_columns(a, blocks)} for a in anchors]
    insert_rows(tx.session, SourceRow, sources)
    insert_rows(tx.session, AnchorRow, rows)


def anchor_columns(a: Anchor, blocks: Mapping[str, int]) -> dict[str, Any]:
    """The columns of an anchor but for its source and revision; blocks: places of the tables, by their ids."""
    return {
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
        "question": a.question,
    }


def _document(row: DocumentRow, revision: RevisionRow) -> Document:
    return Document(
        id=row.id,
        title=row.title,
        domain=row.domain,
        document_type=row.document_type,
        language=row.language,
        effective_from=row.effective_from,
        effective_to=row.effective_to,
        version=row.version,
        chunks=row.chunks,
        rows=row.rows,
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


class DocumentLine(NamedTuple):
    """One line of a list of documents; `warnings` is how many its parse has, `parser` the rules that read it."""

    seq: int
    id: str
    title: str
    pages: int
    chunks: int
    rows: int
    domain: str
    document_type: str
    language: str
    warnings: int
    parser: str


_TABLE, _REVISION = table_of(DocumentRow), table_of(RevisionRow)
LIST = Listing(
    name="documents",
    columns={
        **{name: _TABLE.c[name] for name in ("seq", "id", "title")},
        "pages": _REVISION.c.pages,
        **{name: _TABLE.c[name] for name in ("chunks", "rows", "domain", "document_type", "language")},
        "warnings": func.json_array_length(_REVISION.c.warnings, type_=Integer),
        "parser": _REVISION.c.parser,
    },
    sought=("id", "title", "domain"),
)
BY_ID = ListQuery(sort="id")


def lines(
    tx: Transaction,
    query: ListQuery = BY_ID,
    *,
    after: ListKey | None = None,
    before: ListKey | None = None,
    back: bool = False,
    limit: int = 200,
) -> list[DocumentLine]:
    """Up to `limit` lines of the list of documents; the arguments are those of `store.cases.lines`.

    Raises:
        InputError: A column that the list does not have.
    """
    statement = select(*LIST.columns.values()).select_from(_joined())
    found = LIST.rows(tx.session, statement, query, after=after, before=before, back=back, limit=limit)
    return [DocumentLine(*row) for row in found]


def page_of(
    tx: Transaction, query: ListQuery = BY_ID, *, after: str = "", before: str = "", limit: int = 200
) -> list[Document]:
    """Up to `limit` documents in order of their ids: those after an id, or (reversed) those before one; 0 = all."""
    statement: Any = select(DocumentRow, RevisionRow).where(DocumentRow.revision_id == RevisionRow.id)
    found = LIST.rows(
        tx.session,
        statement,
        query,
        after=ListKey(after, _LAST) if after else None,
        before=ListKey(before, 0) if before else None,
        back=False,
        limit=limit,
    )
    return [_document(d, r) for d, r in found]


def count(tx: Transaction, query: ListQuery = BY_ID) -> int:
    """How many documents a list has."""
    statement = LIST.filtered(select(func.count()).select_from(_joined()), query)
    return int(tx.session.execute(statement).scalar_one())


def _joined() -> Join:
    return _TABLE.join(_REVISION, _TABLE.c.revision_id == _REVISION.c.id)


def get(tx: Transaction, document_id: str) -> Document:
    """The document of this id, or that had it as a name before.

    Raises:
        InputError: There is none.
    """
    row = _row(tx, document_id)
    revision = tx.session.get(RevisionRow, row.revision_id)
    assert revision is not None
    return _document(row, revision)


class ByParser(NamedTuple):
    """How many documents have a current revision that was read by these rules, and the first id of them."""

    parser: str
    documents: int
    first: str


def by_parser(tx: Transaction) -> list[ByParser]:
    """The parsers by which the current revisions were read."""
    query = (
        select(col(RevisionRow.parser), func.count(), func.min(DocumentRow.id))
        .join(RevisionRow, col(RevisionRow.id) == DocumentRow.revision_id)
        .group_by(col(RevisionRow.parser))
        .order_by(col(RevisionRow.parser))
    )
    return [ByParser(*row) for row in tx.session.exec(query)]


def read_by(tx: Transaction, parsers: Iterable[str]) -> list[str]:
    """Ids of the documents whose current revision was read by one of these parsers, in order."""
    query = (
        select(DocumentRow.id)
        .join(RevisionRow, col(RevisionRow.id) == DocumentRow.revision_id)
        .where(col(RevisionRow.parser).in_(list(parsers)))
    )
    return list(tx.session.exec(query.order_by(col(DocumentRow.id))))


def note_parser(tx: Transaction, document_id: str, parser: str) -> None:
    """Say that these rules read the current revision of a document just as it is stored."""
    row = _row(tx, document_id)
    revision = tx.session.get(RevisionRow, row.revision_id)
    assert revision is not None
    tx.log.append("document", row.id, READ_AGAIN, data={"before": revision.parser, "parser": parser, "same": True})
    revision.parser = parser
    tx.session.add(revision)


def revision_id_of(tx: Transaction, document_id: str) -> int:
    """Key of the current revision.

    Raises:
        InputError: There is no such document.
    """
    return _row(tx, document_id).revision_id


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
