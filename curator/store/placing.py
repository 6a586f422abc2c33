"""The part of each case that strata are derived from, read by SQL out of its content: a tenth of reading it whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import bindparam, text
from sqlmodel import col, select

from curator.store.bulk import parts, words
from curator.store.database import Transaction
from curator.store.tables import CaseRow


class PlacedDocument(NamedTuple):
    """A document that a case was judged against."""

    document_id: str
    pages: int


class PlacedEvidence(NamedTuple):
    """Evidence without its texts; of `section_path` only the length is true."""

    source_id: str
    document_id: str
    role: str
    page: int
    section_path: tuple[str, ...]


class PlacedProvision(NamedTuple):
    """A key provision without its text."""

    source_id: str
    page: int


class PlacedCase(NamedTuple):
    """A case as it is counted; of `turns` only the number is true. It fits `domain.strata.Placeable`."""

    id: str
    version: int
    status: str
    flags: tuple[str, ...]
    side: str
    author: str
    domain: str
    document_type: str
    expected_behavior: str
    task: str
    risk: str
    difficulty: str
    route: str
    language: str
    tags: tuple[str, ...]
    turns: tuple[str, ...]
    documents: tuple[PlacedDocument, ...]
    evidence: tuple[PlacedEvidence, ...]
    key_provisions: tuple[PlacedProvision, ...]


_QUERY = """
select id, version, status, flags, side, author, domain,
  json_extract(content, '$.documentType'), behavior, task, json_extract(content, '$.risk'),
  json_extract(content, '$.difficulty'), route, language, json_extract(content, '$.tags'),
  json_array_length(content, '$.turns'),
  (select json_group_array(json_array(json_extract(d.value, '$.documentId'), json_extract(d.value, '$.pages')))
     from json_each(content, '$.documents') d),
  (select json_group_array(json_array(json_extract(e.value, '$.sourceId'), json_extract(e.value, '$.documentId'),
       json_extract(e.value, '$.role'), json_extract(e.value, '$.page'), json_array_length(e.value, '$.sectionPath')))
     from json_each(content, '$.evidence') e),
  (select json_group_array(json_array(json_extract(p.value, '$.sourceId'), json_extract(p.value, '$.page')))
     from json_each(content, '$.keyProvisions') p)
from golden_case
"""
_ALL = text(_QUERY + " where status != 'retired' order by seq")
_SOME = text(_QUERY + " where status != 'retired' and id in :names order by seq").bindparams(
    bindparam("names", expanding=True)
)


def versions(tx: Transaction) -> dict[str, int]:
    """Version of every case that is not retired, in order of creation."""
    query = select(CaseRow.id, CaseRow.version).where(CaseRow.status != "retired").order_by(col(CaseRow.seq))
    return dict(tx.session.execute(query).tuples().all())


def placed(tx: Transaction, only: Collection[str] | None = None) -> Iterator[PlacedCase]:
    """The cases that are not retired, in order of creation; `only`: of these ids."""
    if only is None:
        yield from map(_placed, tx.session.execute(_ALL))
        return
    for part in parts(only):
        yield from map(_placed, tx.session.execute(_SOME, {"names": part}))


def _placed(row: Any) -> PlacedCase:
    *plain, tags, turns, documents, evidence, provisions = row
    plain[3] = words(plain[3])
    return PlacedCase._make(
        (
            *plain,
            words(tags),
            ("",) * turns,
            tuple(PlacedDocument._make(d) for d in _entries(documents)),
            tuple(PlacedEvidence(s, d, r, p, ("",) * n) for s, d, r, p, n in _entries(evidence)),
            tuple(PlacedProvision._make(p) for p in _entries(provisions)),
        )
    )


def _entries(value: str) -> list[Any]:
    return [] if value == "[]" else list(json.loads(value))


def renamed(case: PlacedCase, sources: Mapping[str, str], documents: Mapping[str, str]) -> PlacedCase:
    """The case under the ids of today: source and document ids by the names that were given up."""
    return case._replace(
        documents=tuple(d._replace(document_id=documents.get(d.document_id, d.document_id)) for d in case.documents),
        evidence=tuple(
            e._replace(
                source_id=sources.get(e.source_id, e.source_id), document_id=documents.get(e.document_id, e.document_id)
            )
            for e in case.evidence
        ),
        key_provisions=tuple(p._replace(source_id=sources.get(p.source_id, p.source_id)) for p in case.key_provisions),
    )
