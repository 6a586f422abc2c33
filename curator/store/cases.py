"""Cases: content as JSON, a version against lost updates, and the columns that lists use."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Row, Table, bindparam, func, update
from sqlmodel import col, select

from curator.domain.canonical import Written, case_hash, written
from curator.domain.case import RISKS, UNVERIFIED, Case, CaseRecord
from curator.domain.listing import ListKey, ListQuery
from curator.errors import Conflict, InputError
from curator.store.bulk import insert_rows, parts, table_of, words
from curator.store.database import Transaction
from curator.store.events import Event, as_data, before, last_data, last_of
from curator.store.listing import Listing, unindexed
from curator.store.tables import CaseRow, ReviewRow


class CaseLine(NamedTuple):
    """One line of a list of cases."""

    seq: int
    id: str
    status: str
    behavior: str
    risk: str
    domain: str
    language: str
    task: str
    author: str
    question: str
    updated_at: str


class NewCase(NamedTuple):
    """A case to be stored.

    Attributes:
        written: The case, with its id, as it is stored.
        imported: It came from a file; its author was not there when it was submitted.
        case_version: From an imported line.
        side: Partition that an imported line had; "" = assigned at the first approval.
    """

    written: Written
    imported: bool = False
    case_version: int = 1
    side: str = ""


class Change(NamedTuple):
    """A change of one case: of its content, of its standing, or of both.

    Attributes:
        before: The case as this transaction read it.
        verb: What the event says.
        columns: New values of the standing: status, flags, approvals, side ...
        case: The new content; None = it stays.
        undoes: Sequence of the event that this takes back; 0 = none.
        reason: Why, where a person gave one; kept in the event.
    """

    before: CaseRecord
    verb: str
    columns: Mapping[str, Any]
    case: Case | None = None
    undoes: int = 0
    reason: str = ""


def list_columns(made: Written) -> dict[str, Any]:
    """What the columns of a case say that follow from its content: the content itself, and what lists are made of."""
    case, text, digest = made
    return {
        "content": text,
        "content_hash": digest,
        "question": case.question,
        "domain": case.domain,
        "behavior": case.expected_behavior,
        "risk": case.risk or UNSTATED,
        "risk_rank": RISK_RANKS[case.risk or UNSTATED],
        "task": case.task,
        "language": case.language,
        "route": case.route,
    }


UNSTATED = "unstated"
"""What a list says of a risk that nobody has stated: an empty one is a hidden one there."""
RISK_RANKS: dict[str, int] = {name: rank for rank, name in enumerate((UNSTATED, *RISKS), -1)}

RETIREMENT = ("retired_at", "retired_reason", "successor")
"""Columns that say why a case is out of use; "" where it is not."""

OPEN = ("in_review", "changes_requested")
"""Statuses in which a label may still be given."""

_STANDING = tuple(name for name in CaseRecord.model_fields if name not in ("case", "flags"))
_READ = tuple(getattr(CaseRow, name) for name in ("content", "flags", *_STANDING))


def _record(content: str, flags: str, *standing: Any) -> CaseRecord:
    """The case of a row of `_READ`."""
    known = dict(zip(_STANDING, standing, strict=True))
    return CaseRecord(case=Case.model_validate_json(content), flags=words(flags), **known)


def add_many(tx: Transaction, new: Sequence[NewCase], *, verb: str = "created") -> None:
    """Store new cases as drafts of the acting person; `verb` is what their events say."""
    created = [Event("case", n.written.case.id, verb, version=1, data=f'{{"after":{n.written.text}}}') for n in new]
    common = {"status": "draft", "author": tx.log.actor, "created_at": tx.log.at, "updated_at": tx.log.at}
    rows = [
        {
            "id": n.written.case.id,
            "seq": seq,
            "imported": int(n.imported),
            "case_version": n.case_version,
            "side": n.side,
            **common,
            **list_columns(n.written),
        }
        for seq, n in zip(tx.log.append_many(created), new, strict=True)
    ]
    insert_rows(tx.session, CaseRow, rows)


def add(tx: Transaction, case: Case, *, verb: str = "created") -> CaseRecord:
    """Store one new case, as `add_many`, and give it back with its standing."""
    add_many(tx, [NewCase(written(case))], verb=verb)
    return get(tx, case.id)


def get_many(tx: Transaction, names: Sequence[str]) -> dict[str, CaseRecord]:
    """The cases of these ids, in their order.

    Raises:
        InputError: There is none of an id.
    """
    found: dict[str, CaseRecord] = {}
    for part in parts(dict.fromkeys(names)):
        rows = tx.session.execute(select(CaseRow.id, *_READ).where(col(CaseRow.id).in_(part)))
        here = {name: _record(*columns) for name, *columns in rows}
        for name in part:
            if name not in here:
                raise unknown(name)
            found[name] = here[name]
    return found


def unknown(case_id: str) -> InputError:
    """The error of an id that no case has."""
    return InputError(f"no case {case_id}", "`curator case list` shows them")


def get(tx: Transaction, case_id: str) -> CaseRecord:
    """The case of this id.

    Raises:
        InputError: There is none.
    """
    return get_many(tx, [case_id])[case_id]


def contents(tx: Transaction, wanted: Iterable[str]) -> dict[str, str]:
    """The JSON of the cases of these ids that exist, as `canonical.written` gives it."""
    return _values(tx, wanted, col(CaseRow.content))


def imported(tx: Transaction, wanted: Iterable[str]) -> set[str]:
    """Those of these cases that came from a file."""
    return {name for name, value in _values(tx, wanted, col(CaseRow.imported)).items() if value}


def approved_hashes(tx: Transaction, wanted: Iterable[str]) -> dict[str, str]:
    """Content hash of the content of each of these cases that was approved last; "" = never."""
    return _values(tx, wanted, col(CaseRow.approved_hash))


def _values(tx: Transaction, wanted: Iterable[str], column: Any) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in parts(wanted):
        rows = tx.session.execute(select(CaseRow.id, column).where(col(CaseRow.id).in_(part)))
        found |= dict(rows.all())
    return found


def in_review(tx: Transaction) -> list[str]:
    """Ids of the cases in review, in order of creation."""
    query = select(CaseRow.id).where(CaseRow.status == "in_review").order_by(col(CaseRow.seq))
    return list(tx.session.exec(query).all())


def open_of_others(tx: Transaction, wanted: Iterable[str], actor: str) -> list[str]:
    """Those of these cases in which a label may still be given, and that somebody else wrote."""
    table = table_of(CaseRow)
    found: list[str] = []
    for part in parts(wanted):
        here = table.c.id.in_(part) & unindexed(table.c.status).in_(OPEN) & (unindexed(table.c.author) != actor)
        found += tx.session.execute(select(table.c.id).where(here)).scalars()
    return found


def submissions(tx: Transaction, wanted: Iterable[str]) -> dict[str, int]:
    """Sequence of the last submission of each of these cases that was ever submitted."""
    return last_of(tx, "case", wanted, "submitted")


def when_retired(tx: Transaction, wanted: Iterable[str]) -> dict[str, str]:
    """The status in which each of these cases was retired last; those that nobody ever retired are not in it."""
    return {name: str(data["before"]["status"]) for name, data in last_data(tx, "case", wanted, "retired").items()}


def approved_before(tx: Transaction, moments: Mapping[str, int]) -> dict[str, tuple[str, int]]:
    """Hash and version of what of each of these cases was approved last before a sequence; ("", 0) = never."""
    found = dict.fromkeys(moments, ("", 0))
    for part in parts(moments):
        for name, data in before(tx, "case", {n: moments[n] for n in part}, "approved").items():
            found[name] = str(data["after"].get("approved_hash", "")), int(data["after"].get("case_version", 0))
    return found


def ids(tx: Transaction, wanted: Iterable[str]) -> set[str]:
    """Those of these ids that exist."""
    return set(_values(tx, wanted, col(CaseRow.seq)))


def save(
    tx: Transaction, case: Case, version: int, *, status: str, verb: str = "edited", **columns: Any
) -> CaseRecord:  # fmt: skip
    """Write new content over the version that was loaded; nobody stands behind that of a draft.

    Args:
        tx: Open write.
        case: The new content.
        version: The version that it was made from.
        status: The status from now on.
        verb: What the event says.
        columns: Further columns of the standing.

    Raises:
        Conflict: Someone saved since; nothing was written.
    """
    before = get(tx, case.id)
    require_version(before, version)
    return change_many(tx, [Change(before, verb, {"status": status, **columns}, case)])[0]


def require_version(record: CaseRecord, version: int) -> None:
    """Raise when a case is no more at the version that a person had opened.

    Raises:
        Conflict: Someone saved since.
    """
    if record.version != version:
        raise Conflict(
            f"{record.case.id} was saved as version {record.version} since version {version} was opened",
            "look at both and save again; nothing was overwritten",
        )


def change_many(tx: Transaction, changes: Sequence[Change]) -> list[CaseRecord]:
    """Write changes, each over the version it was made from; nobody stands behind the new content of a draft.

    Raises:
        Conflict: One of them was written in between; the transaction must not go on.
    """
    after, written_columns, done = [], [], []
    for change in changes:
        name, version = change.before.case.id, change.before.version + 1
        columns, data = _what_changes(change)
        columns |= {"version": version, "updated_at": tx.log.at}
        done.append(Event("case", name, change.verb, version=version, data=as_data(data), undoes=change.undoes))
        written_columns.append({"key": name, "loaded": change.before.version, **columns})
        known = {k: v for k, v in columns.items() if k in _STANDING}
        known |= {"flags": words(columns["flags"])} if "flags" in columns else {}
        known |= {"case": change.case} if change.case else {}
        after.append(change.before.model_copy(update=known))
    _update(tx, written_columns)
    tx.log.append_many(done)
    return after


def _what_changes(change: Change) -> tuple[dict[str, Any], dict[str, Any]]:
    """The columns that a change writes, and what its event keeps."""
    before, columns = change.before, dict(change.columns)
    if "flags" in columns:
        columns["flags"] = json.dumps(list(columns["flags"]))
    kept: dict[str, Any] = {"reason": change.reason} if change.reason else {}
    if before.status == "retired":
        kept["was"] = {name: getattr(before, name) for name in RETIREMENT}
    if change.case is None:
        return columns, {"before": {"status": before.status}, "after": columns} | kept
    nobody = {"approvals": 0, "confirmed_at": ""} if columns.get("status") == "draft" else {}
    bodies = {
        "before": before.case.model_dump(mode="json", by_alias=True),
        "after": change.case.model_dump(mode="json", by_alias=True),
    }
    return list_columns(written(change.case)) | nobody | columns, bodies | {"status": before.status} | kept


def _update(tx: Transaction, rows: Sequence[dict[str, Any]]) -> None:
    table = table_of(CaseRow)
    alike: dict[tuple[str, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        alike[tuple(row)].append(row)
    for names, group in alike.items():
        statement = (
            update(table)
            .where(table.c.id == bindparam("key"), table.c.version == bindparam("loaded"))
            .values({n: bindparam(n) for n in names if n not in ("key", "loaded")})
        )
        if tx.session.connection().execute(statement, group).rowcount != len(group):
            raise Conflict("a case was saved in between", "try again; nothing was overwritten")


def _half_labeled(table: Table) -> ColumnElement[bool]:
    """Whether a case is retired with one label of two: restored, it waits for the other.

    By numbers that are found once: a look at the reviews of each case would keep an order from its index.
    """
    retired, given = table.alias("retired"), table_of(ReviewRow)
    numbers = (
        select(retired.c.seq)
        .join(given, given.c.case_id == retired.c.id)
        .where(retired.c.status == "retired", given.c.withdrawn == "", given.c.slot.in_(("label-1", "label-2")))
        .group_by(retired.c.seq)
        .having(func.count() == 1)
    )
    return (unindexed(table.c.status) == "retired") & table.c.seq.in_(numbers)


def _veil(actor: str) -> ColumnElement[bool]:
    """Whether behavior and risk of a case are hidden from a person who may have to state them."""
    table = table_of(CaseRow)
    unverified = (unindexed(table.c.status) == "approved") & table.c.flags.contains(f'"{UNVERIFIED}"')
    waits = (unindexed(table.c.status).in_(OPEN) | unverified | _half_labeled(table)) & (
        unindexed(table.c.author) != actor
    )
    return waits & ~table.c.flags.contains('"disputed"')


LIST = Listing(
    name="cases",
    columns={name: table_of(CaseRow).c[name] for name in CaseLine._fields},
    sought=("id", "question"),
    ranks={"risk": (table_of(CaseRow).c.risk_rank, RISK_RANKS)},
    scan=True,
    veil=_veil,
    veiled=frozenset({"behavior", "risk"}),
    holdout=unindexed(table_of(CaseRow).c.side) == "holdout",
)


def lines(
    tx: Transaction,
    query: ListQuery | None = None,
    *,
    after: ListKey | None = None,
    before: ListKey | None = None,
    back: bool = False,
    limit: int = 200,
) -> list[CaseLine]:
    """Up to `limit` lines of the case list; what is hidden by `query.blind` is empty in them.

    Args:
        tx: Open transaction.
        query: Filters and order; None = all in order of creation. Risks are in the order of their rank.
        after: Only lines that come after this key in the order of the query.
        before: Only those that come before it, the nearest first.
        back: The last lines, the last first, when no key is given.
        limit: Most lines; 0 = all.

    Raises:
        InputError: A column that the list does not have.
    """
    query = query or ListQuery()
    statement: Any = select(*LIST.columns.values()).add_columns(LIST.hidden(query).label("hidden"))
    found = LIST.rows(tx.session, statement, query, after=after, before=before, back=back, limit=limit)
    return [_line(row) for row in found]


def _line(row: Row[Any]) -> CaseLine:
    line = CaseLine._make(row[:-1])
    return line._replace(behavior="", risk="") if row[-1] else line


def key_at(tx: Transaction, query: ListQuery, place: int, *, back: bool = False) -> ListKey | None:
    """The key of the line at a place of the list, 0 the first; None = there are not so many.

    Args:
        tx: Open transaction.
        query: Filters and order.
        place: Which line.
        back: Counted from the end, 0 the last.

    Raises:
        InputError: A column that the list does not have.
    """
    for part, veiled, _ in LIST.stretches(query, None, back=back):
        columns = LIST.ordering(part.sort), LIST.columns["seq"]
        page = LIST.page(select(*columns), part, back=back, limit=1, veiled=veiled).offset(place)
        if (row := tx.session.execute(page).first()) is not None:
            return ListKey("", row[1]) if veiled else LIST.key(part.sort, *row)
        if veiled is not None:
            place -= _count(tx, part, veiled)
    return None


def count(tx: Transaction, query: ListQuery | None = None) -> int:
    """How many cases a list has."""
    return _count(tx, query or ListQuery())


def _count(tx: Transaction, query: ListQuery, veiled: bool | None = None) -> int:
    statement = LIST.filtered(select(func.count()).select_from(CaseRow), query)
    if veiled is not None:
        statement = statement.where(LIST.hidden(query) if veiled else ~LIST.hidden(query))
    return int(tx.session.execute(statement).scalar_one())


def left_out(tx: Transaction, query: ListQuery) -> int:
    """How many lines a filter by a hidden column leaves out, whatever they would say."""
    others = replace(
        query,
        where=tuple(w for w in query.where if w[0] not in LIST.veiled),
        like=tuple(w for w in query.like if w[0] not in LIST.veiled),
    )
    same = len(others.where) == len(query.where) and len(others.like) == len(query.like)
    return 0 if same or query.blind is None else _count(tx, others, veiled=True)


def waiting(
    tx: Transaction, actor: str, *, own: bool, disputed: bool, but: Collection[str] = ()
) -> tuple[int, str]:  # fmt: skip
    """How many cases in review wait for a person, and the first of them in order of creation ("" = none).

    Args:
        tx: Open transaction.
        actor: The person.
        own: Those that they wrote count too.
        disputed: Those on which two labels differ; else the others.
        but: Ids that do not count.
    """
    table = table_of(CaseRow)
    marked = table.c.flags.contains('"disputed"')
    here = (unindexed(table.c.status) == "in_review") & (marked if disputed else ~marked)
    if not own:
        here &= unindexed(table.c.author) != actor
    number = tx.session.execute(select(func.count()).select_from(table).where(here)).scalar_one()
    for part in parts(but):
        out = select(func.count()).select_from(table).where(here, table.c.id.in_(part))
        number -= tx.session.execute(out).scalar_one()
    if not number:
        return 0, ""
    names = tx.session.execute(select(table.c.id).where(here).order_by(table.c.seq).limit(len(but) + 1)).scalars()
    return number, next((n for n in names if n not in but), "")


def counts_by_status(tx: Transaction) -> dict[str, int]:
    """Cases by status."""
    query = select(CaseRow.status, func.count()).group_by(CaseRow.status)
    return dict(tx.session.exec(query).all())


def by_status(
    tx: Transaction, statuses: Sequence[str], *, only: Collection[str] | None = None
) -> Iterator[CaseRecord]:  # fmt: skip
    """Cases with one of these statuses in order of creation; `only`: of these ids."""
    query = select(CaseRow.id).where(col(CaseRow.status).in_(statuses)).order_by(col(CaseRow.seq))
    names = [name for name in tx.session.exec(query) if only is None or name in only]
    for part in parts(names):
        yield from get_many(tx, part).values()


def assigned(tx: Transaction) -> Iterator[CaseRecord]:
    """Cases that have a partition, retired ones too, in order of their ids."""
    names = tx.session.exec(select(CaseRow.id).where(CaseRow.side != "").order_by(col(CaseRow.id))).all()
    for part in parts(names):
        yield from get_many(tx, part).values()


def damaged(tx: Transaction) -> list[str]:
    """Ids of the cases whose content cannot be read or does not fit the hash stored beside it."""
    found = []
    for name, content, digest in tx.session.execute(
        select(CaseRow.id, CaseRow.content, CaseRow.content_hash).order_by(col(CaseRow.id))
    ):
        try:
            fine = case_hash(Case.model_validate_json(content)) == digest
        except ValueError:
            fine = False
        if not fine:
            found.append(name)
    return found
