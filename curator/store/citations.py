"""Which cases cite the sources of a document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sqlalchemy import text

from curator.store.database import Transaction


class Cited(NamedTuple):
    """One source that one case cites."""

    source_id: str
    case_id: str
    status: str
    author: str
    question: str
    side: str


# instr first: only the cases that name the document have their JSON read
_CITED = text("""
select distinct json_extract(e.value, '$.sourceId'), c.id, c.status, c.author, c.question, c.side, c.seq
from golden_case as c, json_each(c.content, '$.evidence') as e
where instr(c.content, :needle) > 0 and c.status <> 'retired' and json_extract(e.value, '$.documentId') = :document
order by c.seq
""")


def of_document(tx: Transaction, document_id: str) -> list[Cited]:
    """Every citation of a source of this document by a case that is not retired, in the order of the cases."""
    values = {"needle": f'"documentId":"{document_id}"', "document": document_id}
    return [Cited(*row[:6]) for row in tx.session.execute(_CITED, values)]


_JUDGED = text("""
select c.id from golden_case as c, json_each(c.content, '$.documents') as d
where instr(c.content, :needle) > 0 and c.status <> 'retired' and json_extract(d.value, '$.documentId') = :document
union
select c.id from golden_case as c, json_each(c.content, '$.evidence') as e
where instr(c.content, :needle) > 0 and c.status <> 'retired' and json_extract(e.value, '$.documentId') = :document
""")


def judged_against(tx: Transaction, names: Iterable[str]) -> list[str]:
    """Ids of the cases that are not retired and name a document of one of these ids; sorted."""
    found: set[str] = set()
    for name in names:
        found |= set(tx.session.execute(_JUDGED, {"needle": f'"documentId":"{name}"', "document": name}).scalars())
    return sorted(found)
