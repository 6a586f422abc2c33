"""The part of each case that strata are derived from, read by SQL out of its content: a tenth of reading it whole."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import bindparam, func, text
from sqlmodel import col, select

from curator.domain.case import UNVERIFIED
from curator.store.bulk import parts, words
from curator.store.database import Transaction
from curator.store.tables import CaseRow, EventRow


class PlacedDocument(NamedTuple):
    """A document that a case was judged against."""

    document_id: str
    pages: int


class PlacedEvidence(NamedTuple):
    """Evidence without its texts."""

    source_id: str
    document_id: str
    role: str
    page: int
    section_path: Sequence[str]


class PlacedProvision(NamedTuple):
    """A key provision without its text."""

    source_id: str
    page: int


_Entry = TypeVar("_Entry", PlacedDocument, PlacedEvidence, PlacedProvision)


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
    tags: Sequence[str]
    turns: Sequence[str]
    documents: Sequence[PlacedDocument]
    evidence: Sequence[PlacedEvidence]
    key_provisions: Sequence[PlacedProvision]


DOCUMENTS, EVIDENCE, PROVISIONS = 2, 3, 2
"""So many of each are read by their paths; the few cases that have more are read whole."""
_DOCUMENT = ("documentId", "pages")
_EVIDENCE = ("sourceId", "documentId", "role", "page", "sectionPath")
_PROVISION = ("sourceId", "page")
_PATHS = (
    "$.documentType",
    "$.risk",
    "$.difficulty",
    "$.tags",
    *(f"$.documents[{n}].{key}" for n in range(DOCUMENTS) for key in _DOCUMENT),
    *(f"$.evidence[{n}].{key}" for n in range(EVIDENCE) for key in _EVIDENCE),
    *(f"$.keyProvisions[{n}].{key}" for n in range(PROVISIONS) for key in _PROVISION),
    f"$.documents[{DOCUMENTS}].documentId",  # there when there are more
    f"$.evidence[{EVIDENCE}].sourceId",
    f"$.keyProvisions[{PROVISIONS}].sourceId",
)
_SECOND, _THIRD = 4 + DOCUMENTS * 2, 4 + DOCUMENTS * 2 + EVIDENCE * 5
_END = _THIRD + PROVISIONS * 2
_QUERY = (
    "select id, version, status, flags, side, author, domain, behavior, task, route, language, "
    "json_array_length(content, '$.turns'), "
    "json_extract(content, " + ", ".join(f"'{path}'" for path in _PATHS) + ") "
    "from golden_case where status != 'retired'"
)
_ALL = text(f"{_QUERY} order by seq")
_SOME = text(f"{_QUERY} and id in :names order by seq").bindparams(bindparam("names", expanding=True))
_LISTS = "json_extract(content, '$.documents', '$.evidence', '$.keyProvisions')"
_WHOLE = text(f"select id, {_LISTS} from golden_case where id in :names").bindparams(  # noqa: S608  constants alone
    bindparam("names", expanding=True)
)


def newest(tx: Transaction) -> int:
    """Sequence of the last event; 0 = nothing was ever written."""
    return int(tx.session.execute(select(func.coalesce(func.max(EventRow.seq), 0))).scalar_one())


def touched(tx: Transaction, since: int) -> set[str] | None:
    """Ids of the cases that were written after an event; None when documents, failures or their like were too."""
    after = col(EventRow.seq) > since
    kinds = set(tx.session.exec(select(EventRow.entity).where(after).distinct()))
    if kinds - {"case", "review", "holdout", "suite", "partition", "rating"}:
        return None
    return set(tx.session.exec(select(EventRow.entity_id).where(after, EventRow.entity == "case").distinct()))


def placed(tx: Transaction, only: Collection[str] | None = None) -> Iterator[PlacedCase]:
    """The cases that are not retired, in order of creation; `only`: of these ids."""
    if only is None:
        found: Iterable[Any] = tx.session.execute(_ALL).all()
    else:
        found = (row for part in parts(only) for row in tx.session.execute(_SOME, {"names": part}).all())
    for rows in parts(found):
        read = json.loads(f"[{','.join(row[12] for row in rows)}]")
        large = [row[0] for row, values in zip(rows, read, strict=True) if values[-3:] != [None, None, None]]
        whole: dict[str, str] = dict(tx.session.execute(_WHOLE, {"names": large}).all()) if large else {}
        yield from (_placed(row, values, whole.get(row[0], "")) for row, values in zip(rows, read, strict=True))


def _placed(row: Any, values: list[Any], whole: str) -> PlacedCase:
    name, version, status, flags, side, author, domain, behavior, task, route, language, turns, _ = row
    kind, risk, difficulty, tags = values[:4]
    if whole:
        documents, evidence, provisions = _cells(whole)
        entries = (
            _made(PlacedDocument, documents, 0, len(documents), 2),
            _made(PlacedEvidence, evidence, 0, len(evidence), 5),
            _made(PlacedProvision, provisions, 0, len(provisions), 2),
        )
    else:
        entries = (
            _made(PlacedDocument, values, 4, _SECOND, 2),
            _made(PlacedEvidence, values, _SECOND, _THIRD, 5),
            _made(PlacedProvision, values, _THIRD, _END, 2),
        )
    return PlacedCase(
        name, version, status, words(flags) if flags != "[]" else (), side, author, domain, kind, behavior, task, risk,
        difficulty, route, language, tags, ("",) * turns, *entries,
    )  # fmt: skip


def _made(kind: type[_Entry], cells: list[Any], at: int, end: int, width: int) -> Sequence[_Entry]:
    """Entries out of the cells from a place on, up to the first that is not there."""
    found = []
    while at < end and cells[at] is not None:
        found.append(kind._make(cells[at : at + width]))
        at += width
    return found


def _cells(whole: str) -> list[list[Any]]:
    """Documents, evidence and provisions of a case, each flat, in the order of the paths."""
    keys = (_DOCUMENT, _EVIDENCE, _PROVISION)
    return [[e[key] for e in entries for key in named] for entries, named in zip(json.loads(whole), keys, strict=True)]


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


def unverified(tx: Transaction) -> list[str]:
    """Ids of the cases that came in as approved and that nobody has confirmed here, in order."""
    marked = (col(CaseRow.status) == "approved") & col(CaseRow.flags).contains(f'"{UNVERIFIED}"')
    return list(tx.session.exec(select(CaseRow.id).where(marked).order_by(col(CaseRow.id))).all())
