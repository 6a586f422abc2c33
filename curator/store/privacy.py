"""What is allowed, what was confirmed, what was erased; and the one operation that rewrites history."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import delete, update
from sqlmodel import col, select

from curator.domain.anchoring import text_hash
from curator.store import seals
from curator.store.database import Transaction, driver
from curator.store.tables import (
    AnchorRow,
    CaseRow,
    PrivacyAllowRow,
    PrivacyConfirmationRow,
    PrivacyTombstoneRow,
    ReleaseCaseRow,
    ReleaseRow,
)

Change = Callable[[str], str]
"""Text -> text; the same text when nothing is to change."""


class AllowEntry(NamedTuple):
    """A string that a person named as no personal data; `case_id` "" = everywhere."""

    seq: int
    text: str
    kind: str
    case_id: str
    reason: str
    actor: str
    at: str


class Confirmation(NamedTuple):
    """What a person confirmed: the hash of the texts, and the detector that had looked at them."""

    entity_id: str
    text_hash: str
    detector: str
    actor: str
    at: str


def allow(tx: Transaction, text: str, kind: str, case_id: str, reason: str) -> int:
    """Keep an entry of the allow-list; its event names the reason and not the string."""
    seq = tx.log.append("privacy", case_id or "workspace", "allowed", data={"kind": kind, "reason": reason})
    row = PrivacyAllowRow(
        seq=seq, text=text, kind=kind, case_id=case_id, reason=reason, actor=tx.log.actor, at=tx.log.at
    )
    tx.session.add(row)
    tx.session.flush()
    return seq


def disallow(tx: Transaction, seq: int) -> bool:
    """Take an entry off the list; False when there is none."""
    gone = tx.session.execute(delete(PrivacyAllowRow).where(col(PrivacyAllowRow.seq) == seq))
    tx.log.append("privacy", str(seq), "disallowed")
    return bool(getattr(gone, "rowcount", 0))


def allowed(tx: Transaction) -> list[AllowEntry]:
    """The allow-list, in order."""
    rows = tx.session.exec(select(PrivacyAllowRow).order_by(col(PrivacyAllowRow.seq)))
    return [AllowEntry(r.seq, r.text, r.kind, r.case_id, r.reason, r.actor, r.at) for r in rows]


def confirm(tx: Transaction, entity: str, name: str, text_hash: str, detector: str) -> None:
    """Keep that the acting person confirmed the texts of a thing, over what was confirmed before."""
    seq = tx.log.append("privacy", name, "confirmed", data={"entity": entity, "hash": text_hash, "detector": detector})
    row = PrivacyConfirmationRow(
        entity=entity, entity_id=name, text_hash=text_hash, detector=detector, actor=tx.log.actor, at=tx.log.at, seq=seq
    )
    tx.session.merge(row)
    tx.session.flush()


def confirmations(tx: Transaction, entity: str) -> dict[str, Confirmation]:
    """The confirmations of one kind of thing, by id."""
    rows = tx.session.exec(select(PrivacyConfirmationRow).where(PrivacyConfirmationRow.entity == entity))
    return {r.entity_id: Confirmation(r.entity_id, r.text_hash, r.detector, r.actor, r.at) for r in rows}


def tombstones(tx: Transaction) -> list[dict[str, Any]]:
    """What was erased: seq, reason, counts, actor, at; never what it was."""
    rows = tx.session.exec(select(PrivacyTombstoneRow).order_by(col(PrivacyTombstoneRow.seq)))
    return [
        {"seq": r.seq, "reason": r.reason, "counts": json.loads(r.counts), "actor": r.actor, "at": r.at} for r in rows
    ]


def bury(tx: Transaction, reason: str, counts: dict[str, int]) -> int:
    """Leave a tombstone."""
    seq = tx.log.append("privacy", "workspace", "erased", data={"reason": reason, "counts": counts})
    tx.session.add(
        PrivacyTombstoneRow(seq=seq, reason=reason, counts=json.dumps(counts), actor=tx.log.actor, at=tx.log.at)
    )
    tx.session.flush()
    return seq


def releases_matching(tx: Transaction, holds: Callable[[str], bool]) -> list[tuple[str, str]]:
    """Suite and version of the releases with a line, or a manifest, that holds something, in order."""
    lines = tx.session.exec(select(ReleaseCaseRow.suite, ReleaseCaseRow.version, ReleaseCaseRow.line))
    manifests = tx.session.exec(select(ReleaseRow.suite, ReleaseRow.version, ReleaseRow.manifest))
    found = {(suite, version) for rows in (lines, manifests) for suite, version, text in rows if holds(text)}
    return sorted(found)


def mend_hashes(tx: Transaction, digest: Callable[[str], str]) -> None:
    """Write the content hash of every case anew whose content does not fit it."""
    for name, content, here in tx.session.exec(select(CaseRow.id, CaseRow.content, CaseRow.content_hash)).all():
        if (made := digest(content)) != here:
            tx.session.execute(update(CaseRow).where(col(CaseRow.id) == name).values(content_hash=made))


def mend_seals(tx: Transaction) -> None:
    """Write the hash of every source whose text does not fit it, and the seals of readings and events."""
    for key, text, here in tx.session.exec(select(AnchorRow.id, AnchorRow.text, AnchorRow.text_hash)).all():
        if (made := text_hash(text)) != here:
            tx.session.execute(update(AnchorRow).where(col(AnchorRow.id) == key).values(text_hash=made))
    seals.seal_again(tx)


def rewrite_texts(connection: Any, change: Change) -> dict[str, int]:
    """Change every text of every table of an open database, and say how many rows of each were changed.

    Args:
        connection: A connection of the driver, with a transaction open.
        change: Never called on numbers or blobs.
    """
    changed: dict[str, int] = {}
    listed = "select name, sql from sqlite_master where type = 'table' and name not like 'sqlite_%'"
    for table, sql in connection.execute(listed).fetchall():
        columns = [r[1] for r in connection.execute(f'pragma table_info("{table}")') if r[2].upper() == "TEXT"]
        if not columns or "without rowid" in str(sql).lower():
            continue
        names = ", ".join(f'"{c}"' for c in columns)
        for row in connection.execute(f'select rowid, {names} from "{table}"').fetchall():  # noqa: S608  names of our schema
            texts = zip(columns, row[1:], strict=True)
            new = {c: n for c, old in texts if isinstance(old, str) and (n := change(old)) != old}
            if new:
                assigned = ", ".join(f'"{c}" = ?' for c in new)
                statement = f'update "{table}" set {assigned} where rowid = ?'  # noqa: S608  as above
                connection.execute(statement, (*new.values(), row[0]))
                changed[table] = changed.get(table, 0) + 1
    return changed


def rewrite_rows(tx: Transaction, change: Change) -> dict[str, int]:
    """Change every text of every table in an open transaction, and say how many rows of each were changed.

    Keys may change with what points to them: that is looked at when the transaction ends. A lease, which lasts for
    minutes, goes when its case has another id.
    """
    connection = tx.session.connection()
    connection.exec_driver_sql("pragma defer_foreign_keys = on")
    changed = rewrite_texts(connection.connection.driver_connection, change)
    connection.exec_driver_sql("delete from lease where case_id not in (select id from golden_case)")
    return changed


def rewrite_file(path: Path, change: Change) -> dict[str, int]:
    """Change every text of a database file that nobody has open, and leave nothing of the old texts in its free pages.

    Raises:
        OSError: It cannot be opened or written.
    """
    module = driver()
    connection = module.connect(str(path), isolation_level=None, timeout=15)
    try:
        connection.execute("pragma secure_delete = on")
        connection.execute("pragma foreign_keys = off")
        connection.execute("begin immediate")
        changed = rewrite_texts(connection, change)
        connection.execute("commit")
        connection.execute("pragma wal_checkpoint(truncate)")
        connection.execute("vacuum")
        connection.execute("pragma wal_checkpoint(truncate)")
    except module.DatabaseError as error:
        raise OSError(0, str(error)) from None
    finally:
        connection.close()
    return changed
