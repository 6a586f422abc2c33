"""Sources: what can be cited, and where each lies in the current revision of its document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any

from sqlmodel import col, select

from curator.domain.document import Anchor, Source
from curator.errors import InputError
from curator.store.database import Transaction
from curator.store.documents import revision_id_of
from curator.store.tables import AnchorRow, BlockRow, DocumentRow, RevisionRow, SourceAliasRow, SourceRow


def taken_names(tx: Transaction, containers: Sequence[str]) -> set[str]:
    """Source ids and aliases under these containers, which may never be minted again."""
    found: set[str] = set()
    for container in containers:
        low, high = f"{container}:", f"{container};"  # ";" follows ":" in code-point order
        for column in (col(SourceRow.name), col(SourceAliasRow.name)):
            found |= set(tx.session.exec(select(column).where(column >= low, column < high)))
    return found


def sources(
    tx: Transaction,
    document_id: str,
    *,
    kind: str = "",
    first_page: int = 1,
    last_page: int = 0,
    contains: str = "",
    limit: int = 0,
) -> list[Source]:
    """Sources of the current revision in reading order.

    Args:
        tx: Open transaction.
        document_id: The document.
        kind: "chunk" or "row"; "" = both.
        first_page: Sources that lie on a page from this ...
        last_page: ... to this (0: to the end); one that runs over a page break lies on both pages.
        contains: Only those whose text contains this, whatever the case.
        limit: Most sources; 0 = all.
    """
    revision_id = revision_id_of(tx, document_id)
    query = _source_query().where(AnchorRow.revision_id == revision_id, col(AnchorRow.page_end) >= first_page)
    if kind:
        query = query.where(SourceRow.kind == kind)
    if last_page:
        query = query.where(col(AnchorRow.page) <= last_page)
    if contains:
        query = query.where(col(AnchorRow.text).icontains(contains, autoescape=True))
    query = query.order_by(col(AnchorRow.ordinal))
    return _loaded(tx, query.limit(limit) if limit else query)


def source(tx: Transaction, name: str) -> Source:
    """The source of this id or alias.

    Raises:
        InputError: There is none.
    """
    found = named(tx, [name])
    if not found:
        raise InputError(f"no source {name}", "`curator docs rows DOCUMENT` lists the ids of table rows")
    return found[0]


def named(tx: Transaction, names: Iterable[str]) -> list[Source]:
    """The sources of these ids or aliases that exist, in their current revision, sorted by id."""
    wanted = list(dict.fromkeys(names))
    found: dict[str, Source] = {}
    for start in range(0, len(wanted), 500):
        part = wanted[start : start + 500]
        aliases = select(SourceAliasRow.source_id).where(col(SourceAliasRow.name).in_(part))
        query = _source_query().where(
            DocumentRow.id == SourceRow.document_id,
            DocumentRow.revision_id == AnchorRow.revision_id,
            col(SourceRow.name).in_(part) | col(SourceRow.id).in_(aliases),
        )
        found |= {s.id: s for s in _loaded(tx, query)}
    return [found[k] for k in sorted(found)]


def _source_query() -> Any:
    return (
        select(AnchorRow, SourceRow, RevisionRow, BlockRow)
        .select_from(AnchorRow)
        .join(SourceRow, col(SourceRow.id) == AnchorRow.source_id)
        .join(RevisionRow, col(RevisionRow.id) == AnchorRow.revision_id)
        .outerjoin(
            BlockRow, (col(BlockRow.revision_id) == AnchorRow.revision_id) & (col(BlockRow.ordinal) == AnchorRow.block)
        )
    )


def _loaded(tx: Transaction, query: Any) -> list[Source]:
    rows = tx.session.exec(query).all()
    documents = {
        d.id: d
        for d in tx.session.exec(
            select(DocumentRow).where(col(DocumentRow.id).in_({s.document_id for _, s, _, _ in rows}))
        )
    }
    aliases: dict[int, list[str]] = {}
    ids = [s.id for _, s, _, _ in rows]
    for start in range(0, len(ids), 500):
        wanted = select(SourceAliasRow).where(col(SourceAliasRow.source_id).in_(ids[start : start + 500]))
        for alias in tx.session.exec(wanted):
            aliases.setdefault(alias.source_id, []).append(alias.name)
    return [_source(a, s, r, b, documents[s.document_id], tuple(sorted(aliases.get(s.id, ())))) for a, s, r, b in rows]


def _source(
    anchor: AnchorRow,
    row: SourceRow,
    revision: RevisionRow,
    block: BlockRow | None,
    document: DocumentRow,
    aliases: tuple[str, ...],
) -> Source:
    return Source(
        id=row.name,
        aliases=aliases,
        kind=row.kind,
        document_id=row.document_id,
        revision=revision.label,
        document_sha256=revision.sha256,
        effective_from=document.effective_from,
        effective_to=document.effective_to,
        anchor=Anchor(
            source_id=row.name,
            kind=row.kind,
            ordinal=anchor.ordinal,
            page=anchor.page,
            page_end=anchor.page_end,
            page_label=anchor.page_label,
            section_path=tuple(json.loads(anchor.section_path)),
            text=anchor.text,
            quote=anchor.quote,
            text_hash=anchor.text_hash,
            prefix=anchor.prefix,
            suffix=anchor.suffix,
            copies=anchor.copies,
            copy_index=anchor.copy_index,
            box=tuple(json.loads(anchor.box)) if anchor.box else None,
            table_id=block.name if block else "",
            table_title=block.title if block else "",
            table_header=tuple(json.loads(block.header)) if block else (),
            section_row=anchor.section_row,
            key_cell=anchor.key_cell,
            cells=tuple(json.loads(anchor.cells)),
            footnotes=tuple(json.loads(block.footnotes)) if block else (),
        ),
    )
