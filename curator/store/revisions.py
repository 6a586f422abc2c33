"""What became of the sources of a document in its current revision, and what people decided about those that wait."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, select, update
from sqlmodel import col

from curator.domain.document import Source
from curator.domain.revision import Finding
from curator.store import sources
from curator.store.bulk import insert_rows, parts, table_of
from curator.store.database import Transaction
from curator.store.tables import (
    AnchorRow,
    DocumentRow,
    FindingRow,
    RefusalHitRow,
    RevisionRow,
    SourceAliasRow,
    SourceRow,
)


class FindingLine(NamedTuple):
    """One source that was not found to be the same in the current revision of its document.

    Attributes:
        source: Our number of the source; `name`: its id.
        revision: Our number of the revision; `label`: what people call it.
        old_anchor: Number of the anchor by which it was known last.
        target: Number of the source that is proposed, 0 = none; candidates: numbers and scores.
    """

    source: int
    name: str
    kind: str
    document_id: str
    revision: int
    label: str
    verdict: str
    score: float
    difference: str
    old_anchor: int
    target: int
    candidates: tuple[tuple[int, float], ...]
    state: str


_COLUMNS = (
    FindingRow.source_id, SourceRow.name, SourceRow.kind, SourceRow.document_id, FindingRow.revision_id,
    RevisionRow.label, FindingRow.verdict, FindingRow.score, FindingRow.difference, FindingRow.old_anchor,
    FindingRow.target, FindingRow.candidates, FindingRow.state,
)  # fmt: skip


def findings(
    tx: Transaction, document_id: str = "", *, states: Sequence[str] = ("waiting",), wanted: Iterable[int] | None = None
) -> list[FindingLine]:
    """Findings of current revisions, by document, in the order in which the sources stood before.

    Args:
        tx: Open transaction.
        document_id: Only of this document; "" = of all.
        states: Only those in one of these states.
        wanted: Only of these sources (our numbers).
    """
    base = (
        select(*_COLUMNS)  # type: ignore[call-overload]
        .join(SourceRow, col(SourceRow.id) == FindingRow.source_id)
        .join(DocumentRow, col(DocumentRow.id) == SourceRow.document_id)
        .join(RevisionRow, col(RevisionRow.id) == FindingRow.revision_id)
        .join(AnchorRow, col(AnchorRow.id) == FindingRow.old_anchor)
        .where(FindingRow.revision_id == DocumentRow.revision_id, col(FindingRow.state).in_(states))
        .order_by(col(SourceRow.document_id), col(AnchorRow.ordinal), col(SourceRow.id))
    )
    if document_id:
        base = base.where(SourceRow.document_id == document_id)
    if wanted is None:
        return [_line(row) for row in tx.session.execute(base)]
    chosen = (base.where(col(FindingRow.source_id).in_(part)) for part in parts(wanted))
    return [_line(row) for query in chosen for row in tx.session.execute(query)]


def _line(row: Any) -> FindingLine:
    values = [*row]
    values[11] = tuple((int(key), float(score)) for key, score in json.loads(values[11]))
    return FindingLine(*values)


def count_waiting(tx: Transaction) -> int:
    """How many sources wait for a person."""
    query = (
        select(func.count())
        .select_from(table_of(FindingRow))
        .join(table_of(DocumentRow), col(DocumentRow.revision_id) == FindingRow.revision_id)
        .where(col(FindingRow.state) == "waiting")
    )
    return int(tx.session.execute(query).scalar_one())


def add_findings(tx: Transaction, revision_id: int, found: Sequence[Finding], old_anchors: Mapping[str, int]) -> None:
    """Store what waits for a person in a revision; old_anchors: number of the anchor of each source, by its id."""
    names = {f.source_id for f in found} | {c.source_id for f in found for c in f.candidates}
    keys = sources.keys(tx, names)
    rows = [
        {
            "revision_id": revision_id,
            "source_id": keys[f.source_id],
            "verdict": f.verdict,
            "score": f.score,
            "difference": f.difference,
            "old_anchor": old_anchors[f.source_id],
            "target": keys[f.target] if f.target else 0,
            "candidates": json.dumps([(keys[c.source_id], c.score) for c in f.candidates]),
            "state": "waiting",
        }
        for f in found
    ]
    insert_rows(tx.session, FindingRow, rows)


def supersede(tx: Transaction, revision_id: int) -> None:
    """What waited in a revision waits no more: the next one has findings of its own."""
    table = table_of(FindingRow)
    here = (table.c.revision_id == revision_id) & (table.c.state == "waiting")
    tx.session.connection().execute(update(table).where(here).values(state="superseded"))


def absent(tx: Transaction, names: Iterable[str]) -> set[str]:
    """Those of these ids and aliases whose source is known, but not in the current revision of its document."""
    known = sources.keys(tx, names)
    here: set[int] = set()
    for part in parts(set(known.values())):
        query = (
            select(col(SourceRow.id))
            .join(DocumentRow, col(DocumentRow.id) == SourceRow.document_id)
            .join(
                AnchorRow,
                (col(AnchorRow.source_id) == SourceRow.id) & (col(AnchorRow.revision_id) == DocumentRow.revision_id),
            )
            .where(col(SourceRow.id).in_(part))
        )
        here |= set(tx.session.execute(query).scalars())
    return {name for name, key in known.items() if key not in here}


def waiting_here(tx: Transaction, names: Iterable[str]) -> set[str]:
    """Those of these ids and aliases whose source is in the current revision of its document and waits all the same."""
    known = sources.keys(tx, names)
    lines = findings(tx, wanted=set(known.values())) if known else []
    waits = {line.source for line in lines}
    return {name for name, key in known.items() if key in waits}


def is_fresh(tx: Transaction, key: int, old_anchor: int) -> bool:
    """Whether a source was first seen after the revision of an anchor, so that it may be that one's new place."""
    first = tx.session.execute(
        select(func.min(AnchorRow.revision_id)).where(col(AnchorRow.source_id) == key)
    ).scalar_one_or_none()
    anchor = tx.session.get(AnchorRow, old_anchor)
    return first is not None and anchor is not None and first > anchor.revision_id


def merge(tx: Transaction, kept: int, fresh: int) -> dict[str, Any]:
    """Make a source that was minted for a new text the new place of an old one: its id becomes an alias.

    Returns:
        What `part` needs to take it back.
    """
    row = tx.session.get(SourceRow, fresh)
    assert row is not None
    moved = list(tx.session.execute(select(col(AnchorRow.id)).where(col(AnchorRow.source_id) == fresh)).scalars())
    names = select(col(SourceAliasRow.name)).where(col(SourceAliasRow.source_id) == fresh)
    data = {"kept": kept, "fresh": fresh, "anchors": moved, "aliases": list(tx.session.execute(names).scalars())}
    join(tx, data)
    return data


def join(tx: Transaction, data: Mapping[str, Any]) -> None:
    """Do what `merge` did, once more."""
    kept, fresh = data["kept"], data["fresh"]
    row = tx.session.get(SourceRow, fresh)
    assert row is not None
    _give(tx, data, kept)
    tx.session.add(SourceAliasRow(name=row.name, source_id=kept))
    tx.session.flush()


def part(tx: Transaction, data: Mapping[str, Any]) -> None:
    """Take a merge back: both sources stand for themselves again."""
    row = tx.session.get(SourceRow, data["fresh"])
    assert row is not None
    alias = tx.session.get(SourceAliasRow, row.name)
    if alias is not None:
        tx.session.delete(alias)
    tx.session.flush()
    _give(tx, data, data["fresh"])


def _give(tx: Transaction, data: Mapping[str, Any], key: int) -> None:
    connection, anchor, alias = tx.session.connection(), table_of(AnchorRow), table_of(SourceAliasRow)
    for some in parts(data["anchors"]):
        connection.execute(update(anchor).where(anchor.c.id.in_(some)).values(source_id=key))
    for names in parts(data["aliases"]):
        connection.execute(update(alias).where(alias.c.name.in_(names)).values(source_id=key))
    tx.session.expire_all()


def set_state(tx: Transaction, revision_id: int, key: int, state: str) -> None:
    """Note what was decided about a source in a revision."""
    table = table_of(FindingRow)
    here = (table.c.revision_id == revision_id) & (table.c.source_id == key)
    tx.session.connection().execute(update(table).where(here).values(state=state))


class Labeled(NamedTuple):
    """A revision of a document as it was read once: our number of it, what people call it, hash of its bytes, file.

    `reading`: the how-manieth reading of the revision; `parser`: the rules that read it.
    """

    number: int
    label: str
    sha256: str
    file: str
    pages: int
    ingested_at: str
    parser: str
    reading: int


def of_document(tx: Transaction, document_id: str) -> list[Labeled]:
    """All revisions of a document, the oldest first; of each its last reading."""
    return list({line.label: line for line in readings(tx, document_id)}.values())


def readings(tx: Transaction, document_id: str) -> list[Labeled]:
    """Every reading of every revision of a document, the oldest first."""
    query = (
        select(
            col(RevisionRow.id), col(RevisionRow.label), col(RevisionRow.sha256), col(RevisionRow.file),
            col(RevisionRow.pages), col(RevisionRow.ingested_at), col(RevisionRow.parser), col(RevisionRow.reading),
        )
        .where(col(RevisionRow.document_id) == document_id, col(RevisionRow.repaired) == 0)
        .order_by(col(RevisionRow.id))
    )  # fmt: skip
    return [Labeled(*row) for row in tx.session.execute(query)]


class HitLine(NamedTuple):
    """A refusal that new text of the current revision of a document may answer."""

    case_id: str
    document_id: str
    revision: int
    label: str
    source_id: str
    share: float
    state: str


def add_hits(tx: Transaction, revision_id: int, hits: Mapping[str, tuple[str, float]]) -> None:
    """Store the strongest source of the refusals that a revision may answer: case -> source id and share."""
    keys = sources.keys(tx, [name for name, _ in hits.values()])
    rows = [
        {"revision_id": revision_id, "case_id": case, "source_id": keys[name], "share": share}
        for case, (name, share) in hits.items()
    ]
    insert_rows(tx.session, RefusalHitRow, rows)


def hits(tx: Transaction, *, states: Sequence[str] = ("waiting",), cases: Iterable[str] | None = None) -> list[HitLine]:
    """Refusals that new text may answer, and about which nobody has decided; `cases`: only these."""
    query = (
        select(
            col(RefusalHitRow.case_id), col(RevisionRow.document_id), col(RefusalHitRow.revision_id),
            col(RevisionRow.label), col(SourceRow.name), col(RefusalHitRow.share), col(RefusalHitRow.state),
        )
        .join(RevisionRow, col(RevisionRow.id) == RefusalHitRow.revision_id)
        .join(SourceRow, col(SourceRow.id) == RefusalHitRow.source_id)
        .where(col(RefusalHitRow.state).in_(states))
        .order_by(col(RefusalHitRow.revision_id), col(RefusalHitRow.case_id))
    )  # fmt: skip
    if cases is None:
        return [HitLine(*row) for row in tx.session.execute(query)]
    chosen = (query.where(col(RefusalHitRow.case_id).in_(some)) for some in parts(cases))
    return [HitLine(*row) for q in chosen for row in tx.session.execute(q)]


def set_hit_state(tx: Transaction, revision_id: int, case_id: str, state: str) -> None:
    """Note what was decided about a refusal."""
    table = table_of(RefusalHitRow)
    here = (table.c.revision_id == revision_id) & (table.c.case_id == case_id)
    tx.session.connection().execute(update(table).where(here).values(state=state))


def source_at(tx: Transaction, anchor: int) -> Source:
    """A source as it was at an anchor."""
    return sources.at(tx, [anchor])[anchor]


class Alike(NamedTuple):
    """A document and what its current text is like: the sketch of its MinHash, "" = none was made."""

    document_id: str
    revision: int
    sketch: str


def sketches(tx: Transaction) -> list[Alike]:
    """Every document with the sketch of its current revision."""
    query = select(col(DocumentRow.id), col(RevisionRow.id), col(RevisionRow.sketch)).join(
        RevisionRow, col(RevisionRow.id) == DocumentRow.revision_id
    )
    return [Alike(*row) for row in tx.session.execute(query.order_by(col(DocumentRow.id)))]


def texts(tx: Transaction, revision_id: int) -> list[str]:
    """The texts of the sources of a revision, in reading order."""
    query = select(col(AnchorRow.text)).where(col(AnchorRow.revision_id) == revision_id)
    return list(tx.session.execute(query.order_by(col(AnchorRow.ordinal))).scalars())
