"""Cases: content as JSON, a version against lost updates, and the columns that lists use."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from sqlalchemy import func, update
from sqlmodel import col, select

from curator.domain.canonical import case_hash, dumps
from curator.domain.case import Case, CaseRecord
from curator.errors import Conflict, InputError
from curator.store.database import Transaction
from curator.store.events import last_of
from curator.store.tables import CaseRow


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


def _columns(case: Case) -> dict[str, Any]:
    return {
        "content": dumps(case.model_dump(mode="json", by_alias=True)),
        "content_hash": case_hash(case),
        "question": case.question,
        "domain": case.domain,
        "behavior": case.expected_behavior,
        "risk": case.risk,
        "task": case.task,
        "language": case.language,
        "route": case.route,
    }


def _record(row: CaseRow) -> CaseRecord:
    return CaseRecord(
        case=Case.model_validate_json(row.content),
        status=row.status,
        flags=tuple(json.loads(row.flags)),
        author=row.author,
        version=row.version,
        case_version=row.case_version,
        approvals=row.approvals,
        confirmed_at=row.confirmed_at,
        side=row.side,
        content_hash=row.content_hash,
        created_at=row.created_at,
        updated_at=row.updated_at,
        retired_at=row.retired_at,
        retired_reason=row.retired_reason,
        successor=row.successor,
    )


def add(tx: Transaction, case: Case, *, verb: str = "created", imported: bool = False, case_version: int = 1,
        side: str = "") -> CaseRecord:  # fmt: skip
    """Store a new case as a draft of the acting person.

    Args:
        tx: Open write.
        case: With its id.
        verb: What the event says.
        imported: It came from a file; its author was not there when it was submitted.
        case_version: From an imported line.
        side: Partition that an imported line had; "" = assigned at the first approval.
    """
    body = case.model_dump(mode="json", by_alias=True)
    seq = tx.log.append("case", case.id, verb, version=1, data={"after": body})
    row = CaseRow(
        id=case.id,
        seq=seq,
        status="draft",
        author=tx.log.actor,
        imported=int(imported),
        case_version=case_version,
        side=side,
        created_at=tx.log.at,
        updated_at=tx.log.at,
        **_columns(case),
    )
    tx.session.add(row)
    tx.session.flush()
    return _record(row)


def _row(tx: Transaction, case_id: str) -> CaseRow:
    row = tx.session.get(CaseRow, case_id)
    if row is None:
        raise InputError(f"no case {case_id}", "`curator case list` shows them")
    return row


def get(tx: Transaction, case_id: str) -> CaseRecord:
    """The case of this id.

    Raises:
        InputError: There is none.
    """
    return _record(_row(tx, case_id))


def is_imported(tx: Transaction, case_id: str) -> bool:
    """Whether the case came from a file."""
    return bool(_row(tx, case_id).imported)


def approved_hash(tx: Transaction, case_id: str) -> str:
    """Content hash of the content that was approved last; "" = never."""
    return _row(tx, case_id).approved_hash


def submissions(tx: Transaction, wanted: Iterable[str]) -> dict[str, int]:
    """Sequence of the last submission of each of these cases that was ever submitted."""
    return last_of(tx, "case", wanted, "submitted")


def ids(tx: Transaction, wanted: Iterable[str] | None = None) -> set[str]:
    """The ids that exist, all or those of `wanted`."""
    query = select(CaseRow.id)
    if wanted is None:
        return set(tx.session.exec(query))
    names = list(wanted)
    found: set[str] = set()
    for start in range(0, len(names), 500):
        found |= set(tx.session.exec(query.where(col(CaseRow.id).in_(names[start : start + 500]))))
    return found


def save(
    tx: Transaction, case: Case, version: int, *, status: str, verb: str = "edited", undoes: int = 0, **columns: Any
) -> CaseRecord:
    """Write new content over the version that was loaded; nobody stands behind that of a draft.

    Args:
        tx: Open write.
        case: The new content.
        version: The version that it was made from.
        status: The status from now on.
        verb: What the event says.
        undoes: Sequence of the event that this takes back; 0 = none.
        columns: Further columns of the standing.

    Raises:
        Conflict: Someone saved since; nothing was written.
    """
    before = get(tx, case.id)
    body = case.model_dump(mode="json", by_alias=True)
    data = {"before": before.case.model_dump(mode="json", by_alias=True), "after": body, "status": before.status}
    nobody = {"approvals": 0, "confirmed_at": ""} if status == "draft" else {}
    return _update(tx, before, version, verb, data, undoes, **_columns(case), status=status, **nobody, **columns)


def set_standing(tx: Transaction, case_id: str, version: int, verb: str, **columns: Any) -> CaseRecord:
    """Change status, flags, approvals, partition or retirement; the content stays.

    Raises:
        Conflict: Someone saved since; nothing was written.
    """
    before = get(tx, case_id)
    if "flags" in columns:
        columns["flags"] = json.dumps(list(columns["flags"]))
    return _update(tx, before, version, verb, {"before": {"status": before.status}, "after": columns}, 0, **columns)


def _update(
    tx: Transaction, before: CaseRecord, version: int, verb: str, data: dict[str, Any], undoes: int, **columns: Any
) -> CaseRecord:
    case_id = before.case.id
    # ORM rows of this transaction must not outlive the UPDATE, or a later read would give the old content.
    result = tx.session.execute(
        update(CaseRow)
        .where(col(CaseRow.id) == case_id, col(CaseRow.version) == version)
        .values(version=version + 1, updated_at=tx.log.at, **columns)
        .execution_options(synchronize_session=False)
    )
    if result.rowcount != 1:  # type: ignore[attr-defined]
        raise Conflict(
            f"{case_id} was saved as version {before.version} since version {version} was opened",
            "look at both and save again; nothing was overwritten",
        )
    tx.session.expire_all()
    tx.log.append("case", case_id, verb, version=version + 1, data=data, undoes=undoes)
    return get(tx, case_id)


FILTERS = ("status", "behavior", "risk", "domain", "language", "task", "author", "id")


def lines(
    tx: Transaction,
    *,
    after: int = 0,
    before: int = 0,
    limit: int = 200,
    contains: str = "",
    where: dict[str, str] | None = None,
) -> list[CaseLine]:
    """Up to `limit` lines of the case list in order of creation.

    Args:
        tx: Open transaction.
        after: Only cases whose sequence is above it.
        before: Only those below it, the nearest first.
        limit: Most lines; 0 = all.
        contains: Only cases whose id or question contains this, whatever the case.
        where: Column of FILTERS -> value.
    """
    columns = [getattr(CaseRow, name) for name in CaseLine._fields]
    query = _filtered(select(*columns), contains, where or {})
    if after:
        query = query.where(col(CaseRow.seq) > after)
    if before:
        query = query.where(col(CaseRow.seq) < before)
    order = col(CaseRow.seq).desc() if before else col(CaseRow.seq)
    return [CaseLine(*row) for row in tx.session.execute(query.order_by(order).limit(limit or None))]


def _filtered(query: Any, contains: str, where: dict[str, str]) -> Any:
    for name, value in where.items():
        if name not in FILTERS:
            raise InputError(f"cases cannot be filtered by {name}", f"use one of {', '.join(FILTERS)}")
        query = query.where(getattr(CaseRow, name) == value)
    if contains:
        found = col(CaseRow.question).icontains(contains, autoescape=True)
        query = query.where(found | col(CaseRow.id).icontains(contains, autoescape=True))
    return query


def count(tx: Transaction, *, contains: str = "", where: dict[str, str] | None = None) -> int:
    """How many cases a list has."""
    query = _filtered(select(func.count()).select_from(CaseRow), contains, where or {})
    return int(tx.session.execute(query).scalar_one())


def counts_by_status(tx: Transaction) -> dict[str, int]:
    """Cases by status."""
    query = select(CaseRow.status, func.count()).group_by(CaseRow.status)
    return dict(tx.session.exec(query).all())


def by_status(tx: Transaction, statuses: Sequence[str], *, only: Sequence[str] | None = None) -> list[CaseRecord]:
    """Cases with one of these statuses in order of creation; `only`: of these ids."""
    query = select(CaseRow).where(col(CaseRow.status).in_(statuses)).order_by(col(CaseRow.seq))
    rows = tx.session.exec(query).all()
    wanted = None if only is None else set(only)
    return [_record(r) for r in rows if wanted is None or r.id in wanted]


def assigned(tx: Transaction) -> list[CaseRecord]:
    """Cases that have a partition, retired ones too, in order of their ids."""
    query = select(CaseRow).where(CaseRow.side != "").order_by(col(CaseRow.id))
    return [_record(r) for r in tx.session.exec(query)]


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
