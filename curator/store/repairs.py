"""A revision as the parse that it was, put back after a repair; what was repaired, and what waits by it."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import bindparam, delete, select, update
from sqlmodel import col

from curator.domain.anchoring import anchors
from curator.domain.document import Anchor, Chunk, Page, ParsedDocument, Row, Table
from curator.store import documents, sources
from curator.store.bulk import insert_rows, parts, table_of
from curator.store.database import Transaction
from curator.store.documents import anchor_columns, block_rows
from curator.store.seals import seal_revision
from curator.store.tables import (
    AnchorRow,
    BlockRow,
    DocumentRow,
    FindingRow,
    PageRow,
    RepairRow,
    RevisionRow,
    SourceAliasRow,
    SourceRow,
)


def read(tx: Transaction, document_id: str) -> ParsedDocument:
    """Chunks and tables of the current revision, under the ids that they have now, and the labels of its pages."""
    revision_id = documents.revision_id_of(tx, document_id)
    revision = tx.session.get(RevisionRow, revision_id)
    assert revision is not None
    chunks: list[Chunk] = []
    rows: dict[int, list[Row]] = {}
    for name, kind, anchor in _anchors(tx, revision_id):
        box = tuple(json.loads(anchor.box)) if anchor.box else None
        if kind == "chunk":
            path = tuple(json.loads(anchor.section_path))
            chunks.append(Chunk(id=name, page=anchor.page, page_end=anchor.page_end, section_path=path,
                                text=anchor.text, box=box))  # fmt: skip
        else:
            cells = tuple(json.loads(anchor.cells))
            row = Row(id=name, page=anchor.page, cells=cells, section=anchor.section_row, text=anchor.text, box=box,
                      question=anchor.question)  # fmt: skip
            rows.setdefault(anchor.block, []).append(row)
    return ParsedDocument(
        file=revision.file,
        sha256=revision.sha256,
        page_count=revision.pages,
        parser=revision.parser,
        pages=tuple(_pages(tx, revision_id)),
        chunks=tuple(chunks),
        tables=tuple(_table(b, rows.get(b.ordinal, [])) for b in _blocks(tx, revision_id)),
    )


def _anchors(tx: Transaction, revision_id: int) -> list[Any]:
    anchor = table_of(AnchorRow)
    query = (
        select(col(SourceRow.name), col(SourceRow.kind), *anchor.c)
        .join(anchor, anchor.c.source_id == SourceRow.id)
        .where(anchor.c.revision_id == revision_id)
        .order_by(anchor.c.ordinal)
    )
    return [(row[0], row[1], row) for row in tx.session.execute(query)]


def _blocks(tx: Transaction, revision_id: int) -> list[Any]:
    block = table_of(BlockRow)
    query = select(block).where(block.c.revision_id == revision_id).order_by(block.c.ordinal)
    return list(tx.session.execute(query))


def _pages(tx: Transaction, revision_id: int) -> list[Page]:
    query = select(col(PageRow.number), col(PageRow.label)).where(col(PageRow.revision_id) == revision_id)
    return [Page(index=n, label=label) for n, label in tx.session.execute(query.order_by(col(PageRow.number)))]


def _table(block: Any, rows: Sequence[Row]) -> Table:
    return Table(
        id=block.name,
        title=block.title,
        pages=tuple(json.loads(block.pages)),
        header=tuple(json.loads(block.header)),
        rows=tuple(rows),
        section_path=tuple(json.loads(block.section_path)),
        footnotes=tuple(json.loads(block.footnotes)),
        origin=block.origin,
        confidence=block.confidence,
    )


def set_aliases(tx: Transaction, aliases: Iterable[tuple[str, str]], *, joined: bool) -> None:
    """Make the ids of joined rows speak of the row that they are in, or give them back their own."""
    connection, alias = tx.session.connection(), table_of(SourceAliasRow)
    for gone, kept in aliases:
        if joined:
            connection.execute(alias.insert().values(name=gone, source_id=own_keys(tx, [kept])[kept]))
        else:
            connection.execute(delete(alias).where(alias.c.name == gone))
    tx.session.expire_all()


def own_keys(tx: Transaction, names: Iterable[str]) -> dict[str, int]:
    """Our numbers of the sources that have, or had, these very ids; aliases aside."""
    found: dict[str, int] = {}
    for part in parts(dict.fromkeys(names)):
        query = select(col(SourceRow.name), col(SourceRow.id)).where(col(SourceRow.name).in_(part))
        found |= {row[0]: row[1] for row in tx.session.execute(query)}
    return found


def write(tx: Transaction, document_id: str, parsed: ParsedDocument, seq: int) -> list[Anchor]:
    """Make the current revision read as this parse; only anchors that differ are written. Gives all anchors.

    Args:
        tx: Open write.
        document_id: The document.
        parsed: Its chunks and tables from now on.
        seq: The event that does it; new sources are of it.
    """
    revision_id = documents.revision_id_of(tx, document_id)
    found = list(anchors(parsed))
    before = {name: row._mapping for name, _, row in _anchors(tx, revision_id)}
    blocks = {t.id: n for n, t in enumerate(parsed.tables, 1)}
    _write_blocks(tx, revision_id, parsed.tables)
    keys = own_keys(tx, (a.source_id for a in found))
    fresh = [a for a in found if a.source_id not in keys]
    insert_rows(
        tx.session,
        SourceRow,
        [{"name": a.source_id, "document_id": document_id, "kind": a.kind, "seq": seq} for a in fresh],
    )
    keys |= own_keys(tx, (a.source_id for a in fresh))
    _write_anchors(
        tx, revision_id, before, {a.source_id: (keys[a.source_id], anchor_columns(a, blocks)) for a in found}
    )
    table = table_of(DocumentRow)
    seal_revision(tx, revision_id)
    counts = {"chunks": sum(a.kind == "chunk" for a in found), "rows": sum(a.kind == "row" for a in found)}
    tx.session.connection().execute(update(table).where(table.c.id == document_id).values(**counts))
    tx.session.expire_all()
    return found


def _write_blocks(tx: Transaction, revision_id: int, tables: Sequence[Table]) -> None:
    block = table_of(BlockRow)
    tx.session.connection().execute(delete(block).where(block.c.revision_id == revision_id))
    insert_rows(tx.session, BlockRow, block_rows(revision_id, tables))


def _write_anchors(
    tx: Transaction, revision_id: int, before: Mapping[str, Mapping[str, Any]],
    after: Mapping[str, tuple[int, Mapping[str, Any]]],
) -> None:  # fmt: skip
    connection, anchor = tx.session.connection(), table_of(AnchorRow)
    gone = [row["id"] for name, row in before.items() if name not in after]
    for part in parts(gone):
        connection.execute(delete(anchor).where(anchor.c.id.in_(part)))
    changed = [
        {"key": before[name]["id"], **values}
        for name, (_, values) in after.items()
        if name in before and any(before[name][c] != v for c, v in values.items())
    ]
    if changed:
        # two anchors of a revision never have the same place, not even between two of these statements
        ids = [c["key"] for c in changed]
        for part in parts(ids):
            connection.execute(update(anchor).where(anchor.c.id.in_(part)).values(ordinal=-anchor.c.ordinal))
        columns: dict[str, Any] = {name: bindparam(name) for name in changed[0] if name != "key"}
        connection.execute(update(anchor).where(anchor.c.id == bindparam("key")).values(**columns), changed)
    new = [
        {"source_id": key, "revision_id": revision_id, **values}
        for name, (key, values) in after.items()
        if name not in before
    ]
    insert_rows(tx.session, AnchorRow, new)


# -- how it read before ---------------------------------------------------------------------------------------------


def keep_old(tx: Transaction, document_id: str, names: Sequence[str], seq: int) -> dict[str, int]:
    """Keep how these sources read now, before a repair; gives the numbers of the kept anchors by id of the source."""
    current = tx.session.get(RevisionRow, documents.revision_id_of(tx, document_id))
    assert current is not None
    assert current.id is not None
    revision = RevisionRow(
        document_id=current.document_id, label=f"{current.label} before repair {seq}", sha256=f"{current.sha256}+{seq}",
        file=current.file, bytes=current.bytes, pages=current.pages, parser=current.parser,
        ingested_at=current.ingested_at, seq=seq, repaired=seq,
    )  # fmt: skip
    tx.session.add(revision)
    tx.session.flush()
    wanted = set(names)
    rows = [dict(row._mapping) for name, _, row in _anchors(tx, current.id) if name in wanted]
    for row in rows:
        for column in ("name", "kind", "id"):
            row.pop(column, None)
        row["revision_id"] = revision.id
    blocks = {row["block"] for row in rows}
    kept = [dict(b._mapping) | {"revision_id": revision.id} for b in _blocks(tx, current.id) if b.ordinal in blocks]
    insert_rows(tx.session, BlockRow, kept)
    insert_rows(tx.session, AnchorRow, rows)
    assert revision.id is not None
    seal_revision(tx, revision.id)
    query = select(col(SourceRow.name), col(AnchorRow.id)).join(AnchorRow, col(AnchorRow.source_id) == SourceRow.id)
    return {row[0]: row[1] for row in tx.session.execute(query.where(col(AnchorRow.revision_id) == revision.id))}


def findings_at(tx: Transaction, revision_id: int, keys: Iterable[int]) -> dict[int, dict[str, Any]]:
    """What is written about these sources in a revision, column by column."""
    table = table_of(FindingRow)
    found: dict[int, dict[str, Any]] = {}
    for part in parts(keys):
        query = select(table).where(table.c.revision_id == revision_id, table.c.source_id.in_(part))
        found |= {row.source_id: dict(row._mapping) for row in tx.session.execute(query)}
    return found


def set_findings(tx: Transaction, revision_id: int, wanted: Mapping[int, Mapping[str, Any] | None]) -> None:
    """Write about each of these sources what is given; None = nothing is written about it any more."""
    table, connection = table_of(FindingRow), tx.session.connection()
    for part in parts(wanted):
        connection.execute(delete(table).where(table.c.revision_id == revision_id, table.c.source_id.in_(part)))
    insert_rows(tx.session, FindingRow, [row for row in wanted.values() if row])
    tx.session.expire_all()


# -- what was repaired ----------------------------------------------------------------------------------------------


class RepairLine(NamedTuple):
    """A repair of the current revision of a document; `seq`: the event that first made it."""

    document_id: str
    revision: int
    label: str
    seq: int
    content: str
    ground: str
    state: str


def add(tx: Transaction, revision_id: int, rows: Sequence[Mapping[str, Any]]) -> None:
    """Store repairs of a revision: seq, content, ground, state, findings."""
    insert_rows(tx.session, RepairRow, [{"revision_id": revision_id, **row} for row in rows])


def of_document(
    tx: Transaction, document_id: str = "", *, states: Sequence[str] = ("done", "waiting")
) -> list[RepairLine]:
    """Repairs in the current revision of a document, or ("") of all, in the order in which they were made."""
    query = (
        select(
            col(DocumentRow.id), col(RepairRow.revision_id), col(RevisionRow.label), col(RepairRow.seq),
            col(RepairRow.content), col(RepairRow.ground), col(RepairRow.state),
        )
        .join(DocumentRow, col(DocumentRow.revision_id) == RepairRow.revision_id)
        .join(RevisionRow, col(RevisionRow.id) == RepairRow.revision_id)
        .where(col(RepairRow.state).in_(states))
        .order_by(col(DocumentRow.id), col(RepairRow.seq))
    )  # fmt: skip
    if document_id:
        query = query.where(col(DocumentRow.id) == document_id)
    return [RepairLine(*row) for row in tx.session.execute(query)]


def findings_of(tx: Transaction, revision_id: int, seq: int) -> list[dict[str, Any]]:
    """What a repair wrote about sources: source, before, after."""
    row = tx.session.get(RepairRow, (revision_id, seq))
    assert row is not None
    found: list[dict[str, Any]] = json.loads(row.findings)
    return found


def set_state(tx: Transaction, revision_id: int, seq: int, state: str) -> None:
    """Note what became of a repair."""
    table = table_of(RepairRow)
    here = (table.c.revision_id == revision_id) & (table.c.seq == seq)
    tx.session.connection().execute(update(table).where(here).values(state=state))
    tx.session.expire_all()


def taken_names(tx: Transaction, document_id: str, containers: Iterable[str]) -> set[str]:
    """Ids under these containers, or of this document, that may not be minted again."""
    return sources.taken_names(tx, sorted({document_id, *containers}))
