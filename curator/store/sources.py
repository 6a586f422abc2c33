"""Sources: what can be cited, and where each lies in the current revision of its document."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from sqlmodel import col, select

from curator.domain.document import Anchor, Source
from curator.errors import InputError
from curator.store.bulk import parts
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
    if not found and keys(tx, [name]):
        raise InputError(
            f"{name} is not in the current revision of its document", f"`curator docs reconfirm show {name}`"
        )
    if not found:
        raise InputError(f"no source {name}", "`curator docs rows DOCUMENT` lists the ids of table rows")
    return found[0]


def keys(tx: Transaction, names: Iterable[str]) -> dict[str, int]:
    """Our own numbers of the sources of these ids or aliases, by the name asked for; those that are not here lack."""
    found: dict[str, int] = {}
    for part in parts(dict.fromkeys(names)):
        aliases = select(SourceAliasRow.name, SourceAliasRow.source_id).where(col(SourceAliasRow.name).in_(part))
        own = select(SourceRow.name, SourceRow.id).where(col(SourceRow.name).in_(part))
        found |= {name: key for name, key in tx.session.exec(own) if key}
        found |= dict(tx.session.exec(aliases).all())  # a name that became an alias speaks of the other source
    return found


def ids_of(tx: Transaction, wanted: Iterable[int]) -> dict[int, str]:
    """Ids of sources by our own numbers."""
    found: dict[int, str] = {}
    for part in parts(dict.fromkeys(wanted)):
        rows = tx.session.exec(select(SourceRow.id, SourceRow.name).where(col(SourceRow.id).in_(part)))
        found |= {key: name for key, name in rows if key}
    return found


def names_now(tx: Transaction) -> dict[str, str]:
    """Ids of sources by the names that they had before."""
    query = select(SourceAliasRow.name, SourceRow.name).where(SourceRow.id == SourceAliasRow.source_id)
    return dict(tx.session.exec(query).all())


def at(tx: Transaction, anchors: Iterable[int]) -> dict[int, Source]:
    """Sources as they were at these anchors, by the anchor's number."""
    found: dict[int, Source] = {}
    for part in parts(anchors):
        rows = tx.session.exec(_source_query().where(col(AnchorRow.id).in_(part))).all()
        found |= dict(zip((a.id for a, *_ in rows), _told(tx, rows), strict=True))
    return found


def of_revision(tx: Transaction, revision_id: int) -> list[tuple[int, int, Source]]:
    """Number of the source, number of its anchor, and the source, for all of a revision in reading order."""
    query = _source_query().where(AnchorRow.revision_id == revision_id).order_by(col(AnchorRow.ordinal))
    rows = tx.session.exec(query).all()
    return [(s.id, a.id, source) for (a, s, *_), source in zip(rows, _told(tx, rows), strict=True)]


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


def as_read(tx: Transaction, names: Iterable[str], labels: Mapping[str, str] | None = None) -> list[Source]:
    """The sources of these ids or aliases as a revision has them, sorted by id; what is in no revision is left out.

    Args:
        tx: Open transaction.
        names: Ids or aliases.
        labels: Revision by document; of others, and where that one lacks the source, the current one or, failing that,
            the newest that has it.
    """
    wanted = labels or {}
    best: dict[str, tuple[tuple[bool, bool, int], int]] = {}
    query = select(SourceRow.name, SourceRow.document_id, AnchorRow.id, AnchorRow.revision_id).where(
        SourceRow.id == AnchorRow.source_id
    )
    current = dict(tx.session.exec(select(DocumentRow.id, DocumentRow.revision_id)).all())
    labeled = dict(tx.session.exec(select(RevisionRow.id, RevisionRow.label).where(RevisionRow.repaired == 0)).all())
    for part in parts(dict.fromkeys(names)):
        aliases = select(SourceAliasRow.source_id).where(col(SourceAliasRow.name).in_(part))
        rows = tx.session.exec(query.where(col(SourceRow.name).in_(part) | col(SourceRow.id).in_(aliases)))
        for name, document, anchor, revision in rows:
            if anchor is None or revision not in labeled:
                continue
            rank = (wanted.get(document) == labeled[revision], current.get(document) == revision, revision)
            if name not in best or rank > best[name][0]:
                best[name] = (rank, anchor)
    return sorted(at(tx, [anchor for _, anchor in best.values()]).values(), key=lambda s: s.id)


def of_documents(
    tx: Transaction, documents: Iterable[str], labels: Mapping[str, str], others: Iterable[Source] = ()
) -> Iterator[Source]:
    """All sources of these documents in one revision each, and others that it lacks, sorted by id, a part at a time.

    Args:
        tx: Open transaction.
        documents: Ids of documents.
        labels: Revision by document; of others, and where there is none of that label, the current one.
        others: Sources as they are given, where they are not there.
    """
    found: dict[str, int] = {}
    query = select(SourceRow.name, AnchorRow.id).where(SourceRow.id == AnchorRow.source_id)
    readings = select(RevisionRow.id).where(RevisionRow.repaired == 0)
    for name in documents:
        same = readings.where(RevisionRow.document_id == name, RevisionRow.label == labels.get(name))
        last = tx.session.exec(same.order_by(col(RevisionRow.id).desc()).limit(1)).first() if name in labels else None
        rows = tx.session.exec(query.where(AnchorRow.revision_id == (last or revision_id_of(tx, name))))
        found |= {source: anchor for source, anchor in rows if anchor}
    given = {s.id: s for s in others if s.id not in found}
    for part in parts(sorted({*found, *given})):
        read = at(tx, [found[n] for n in part if n in found])
        yield from (given[n] if n in given else read[found[n]] for n in part)


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
    return _told(tx, tx.session.exec(query).all())


def _told(tx: Transaction, rows: Sequence[Any]) -> list[Source]:
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
            question=anchor.question,
        ),
    )
