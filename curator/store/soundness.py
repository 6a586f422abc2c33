"""Whether the rows of a database say what they said when they were stored. Only read; SQLite's own check comes before.

Each check yields what it finds as (code, where, message). The codes are those of `docs/doctor.md`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import select, text
from sqlmodel import col

from curator.domain.anchoring import text_hash
from curator.domain.canonical import content_hash, written
from curator.domain.case import Case
from curator.store import cases, seals
from curator.store.bulk import table_of
from curator.store.cases import list_columns
from curator.store.database import Transaction
from curator.store.tables import AnchorRow, CaseRow, EventRow, ReleaseCaseRow, RevisionRow


class Found(NamedTuple):
    """Something that is wrong."""

    code: str
    where: str
    message: str


Check = Callable[[Transaction], Iterator[Found]]


def case_hashes(tx: Transaction) -> Iterator[Found]:
    """The content of each case fits the hash beside it."""
    for name in cases.damaged(tx):
        yield Found("case-hash", name, "its content does not fit its hash")


def case_columns(tx: Transaction) -> Iterator[Found]:
    """What lists are made of is what the cases say."""
    table = table_of(CaseRow)
    for row in tx.session.execute(select(table).order_by(table.c.id)):
        try:
            expected = list_columns(written(Case.model_validate_json(row.content)))
        except ValueError:
            continue  # its hash is told
        for column, value in expected.items():
            if row._mapping[column] != value and column != "content":
                yield Found(
                    "case-columns", row.id, f"its list says another {column.replace('_', ' ')} than its content"
                )


def case_history(tx: Transaction) -> Iterator[Found]:
    """The last content in a case's history is its content, and each event begins where the one before ended."""
    here = {
        name: (version, content)
        for name, version, content in tx.session.execute(
            select(col(CaseRow.id), col(CaseRow.version), col(CaseRow.content))
        )
    }
    query = (
        select(col(EventRow.entity_id), col(EventRow.seq), col(EventRow.version), col(EventRow.data))
        .where(col(EventRow.entity) == "case")
        .order_by(col(EventRow.entity_id), col(EventRow.seq))
    )
    name, said, version = "", None, 0
    seen: set[str] = set()
    for entity, seq, number, data in tx.session.execute(query):
        if entity != name:
            yield from _ended(here, name, said, version)
            name, said, version = entity, None, 0
            seen.add(entity)
        version = max(version, number)
        try:
            told = json.loads(data)
            before, after = told.get("before"), told.get("after")
        except (ValueError, AttributeError):
            yield Found("event-data", f"event {seq}", f"what it says of {entity} cannot be read")
            continue
        if _is_content(before) and said is not None and not _same(before, said):
            yield Found("history", entity, f"event {seq} does not begin with what the event before it ended with")
        said = after if _is_content(after) else said
    yield from _ended(here, name, said, version)
    for missing in sorted(here.keys() - seen):
        yield Found("history", missing, "it has no history")


def _ended(here: dict[str, tuple[int, str]], name: str, said: Any, version: int) -> Iterator[Found]:
    if name not in here:
        if name:
            yield Found("history", name, "its history is here, and the case is not")
        return
    number, content = here[name]
    if version != number:
        yield Found("history", name, f"it is at version {number}, its history at version {version}")
    try:
        now = json.loads(content)
    except ValueError:
        return  # its hash is told
    if said is not None and not _same(said, now):
        yield Found("history", name, "its content is not what its history ends with")


def _is_content(value: Any) -> bool:
    return isinstance(value, dict) and "turns" in value


def _same(one: Any, other: Any) -> bool:
    """Whether two contents are equal, fields that a newer version has added aside."""
    if one == other:
        return True
    try:
        return Case.model_validate(one) == Case.model_validate(other)
    except ValueError:
        return False


def events(tx: Transaction) -> Iterator[Found]:
    """The history has no gap, and no event changed since it was appended."""
    connection = tx.session.connection()
    first, last, count = connection.execute(text("select min(seq), max(seq), count(*) from event")).one()
    if count and (first != 1 or last != count):
        yield Found("history", "events", f"{count} events are numbered {first} to {last}")
    strange = "select seq from event where json_valid(data) = 0 order by seq"
    for (seq,) in connection.execute(text(strange)):
        yield Found("event-data", f"event {seq}", "what it says cannot be read")
    for seq, entity, name in seals.broken_events(tx):
        yield Found("event", f"event {seq}", f"it is not what was appended (on {entity} {name})")


def readings(tx: Transaction) -> Iterator[Found]:
    """What was read of each document is what was stored."""
    for _, document, label in seals.broken_revisions(tx):
        yield Found("reading", document, f"revision {label}: a page, section, table or source of it changed")


def anchors(tx: Transaction) -> Iterator[Found]:
    """The hash of each source fits its text, and its table is there."""
    table = table_of(AnchorRow)
    for key, said, digest in tx.session.execute(select(table.c.id, table.c.text, table.c.text_hash)):
        if text_hash(said) != digest:
            yield Found("source-hash", _named(tx, key), "its text does not fit its hash")
    alone = (
        "select a.id from anchor a where a.block > 0 and not exists"
        " (select 1 from block b where b.revision_id = a.revision_id and b.ordinal = a.block)"
    )
    for (key,) in tx.session.connection().execute(text(alone)):
        yield Found("orphan", _named(tx, key), "its table is not there")


def _named(tx: Transaction, anchor: int) -> str:
    query = "select s.name from source s join anchor a on a.source_id = s.id where a.id = :key"
    found = tx.session.connection().execute(text(query), {"key": anchor}).first()
    return str(found[0]) if found else f"anchor {anchor}"


_ORPHANS = (
    ("its current revision is not there",
     "select d.id from document d where not exists"
     " (select 1 from revision r where r.id = d.revision_id and r.document_id = d.id)"),
    ("it has no place in any revision",
     "select s.name from source s where not exists (select 1 from anchor a where a.source_id = s.id)"
     " and not exists (select 1 from repair)"
     " and not exists (select 1 from finding f where f.source_id = s.id or f.target = s.id)"  # accepted: one with it
     " and not exists (select 1 from source_alias a where a.name = s.name)"),
    ("another source that can be cited has this name",
     "select a.name from source_alias a join source s on s.name = a.name where s.id <> a.source_id and exists"
     " (select 1 from anchor n join document d on d.revision_id = n.revision_id where n.source_id = s.id)"),
    ("it is said to be another source, which is not there",
     "select s.name from finding f join source s on s.id = f.source_id where f.target > 0 and not exists"
     " (select 1 from source t where t.id = f.target)"),
    ("the case that was made of it is not there",
     "select f.id from failure f where f.case_id <> '' and not exists"
     " (select 1 from golden_case c where c.id = f.case_id)"),
    ("what it folds into is not there",
     "select 'wording ' || w.id from wording w where w.fold > 0 and not exists"
     " (select 1 from wording o where o.id = w.fold)"),
    ("its successor is not there",
     "select c.id from golden_case c where c.successor <> '' and not exists"
     " (select 1 from golden_case o where o.id = c.successor)"),
    ("the version before it is not there",
     "select r.suite || ' ' || r.version from release r where r.parent <> '' and not exists"
     " (select 1 from release p where p.suite = r.suite and p.version = r.parent)"),
)  # fmt: skip


def orphans(tx: Transaction) -> Iterator[Found]:
    """What points somewhere points to something."""
    for message, query in _ORPHANS:
        for (name,) in tx.session.connection().execute(text(query)):
            yield Found("orphan", str(name), message)


def counts(tx: Transaction) -> Iterator[Found]:
    """The counts beside a document are those of its sources."""
    query = (
        "select d.id, d.chunks, d.rows,"
        " (select count(*) from anchor a join source s on s.id = a.source_id"
        "  where a.revision_id = d.revision_id and s.kind = 'chunk'),"
        " (select count(*) from anchor a join source s on s.id = a.source_id"
        "  where a.revision_id = d.revision_id and s.kind = 'row') from document d"
    )
    for name, chunks, rows, found_chunks, found_rows in tx.session.connection().execute(text(query)):
        if (chunks, rows) != (found_chunks, found_rows):
            yield Found("counts", name, f"{chunks} + {rows} sources are told, {found_chunks} + {found_rows} are here")


def released(tx: Transaction) -> Iterator[Found]:
    """The lines of each release fit their own hashes, and each release has a readable manifest.

    What was erased from a version that is yanked stands in its hashes still.
    """
    query = select(col(EventRow.entity_id), col(EventRow.data)).where(
        col(EventRow.entity) == "suite", col(EventRow.verb) == "yanked"
    )
    yanked = {(name, _version(data)) for name, data in tx.session.execute(query)}
    table = table_of(ReleaseCaseRow)
    columns = (table.c.suite, table.c.version, table.c.case_id, table.c.line)
    for suite, version, name, line in tx.session.execute(select(*columns)):
        try:
            body = json.loads(line)
            fits = (suite, version) in yanked or body["contentHash"] == content_hash(body)
            fine = body["id"] == name and fits
        except (ValueError, KeyError, TypeError):
            fine = False
        if not fine:
            yield Found("release-line", f"{suite} {version}", f"the line of {name} does not fit its hash")
    bad = "select suite || ' ' || version from release where json_valid(manifest) = 0"
    for (name,) in tx.session.connection().execute(text(bad)):
        yield Found("release-line", name, "its manifest cannot be read")


FULL: tuple[Check, ...] = (
    case_columns, case_history, events, readings, anchors, orphans, counts, released,
)  # fmt: skip


def _version(data: str) -> str:
    try:
        return str(json.loads(data)["version"])
    except (ValueError, KeyError, TypeError):
        return ""  # the event is told


def released_lines(tx: Transaction, suite: str, version: str) -> dict[str, str]:
    """The line of each case of a release, as it was written; holdout included."""
    row = ReleaseCaseRow
    query = select(col(row.case_id), col(row.line)).where(col(row.suite) == suite, col(row.version) == version)
    return {str(name): str(line) for name, line in tx.session.execute(query).all()}


def row_counts(tx: Transaction) -> dict[str, int]:
    """How many rows each table has."""
    connection = tx.session.connection()
    listed = "select name from sqlite_master where type = 'table' and name not like 'sqlite_%' order by name"
    names = [name for (name,) in connection.execute(text(listed))]
    return {n: int(connection.execute(text(f'select count(*) from "{n}"')).scalar_one()) for n in names}  # noqa: S608


def last_time(tx: Transaction) -> str:
    """When the last event was stored, as the clock said then; "" = there is none."""
    found = tx.session.connection().execute(text("select at from event order by seq desc limit 1")).first()
    return str(found[0]) if found else ""


def unsealed(tx: Transaction) -> tuple[int, int]:
    """How many events and readings were stored before there were seals."""
    query = "select (select count(*) from event where seal = ''), (select count(*) from revision where seal = '')"
    found = tx.session.connection().execute(text(query)).one()
    return int(found[0]), int(found[1])


def revision_files(tx: Transaction) -> dict[str, str]:
    """The file of each revision that was ingested: hash of its bytes, and its name."""
    query = select(col(RevisionRow.sha256), col(RevisionRow.file)).where(col(RevisionRow.repaired) == 0)
    return {str(sha256): str(name) for sha256, name in tx.session.execute(query.order_by(col(RevisionRow.id))).all()}
