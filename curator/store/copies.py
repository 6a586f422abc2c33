"""A copy of the database: whether it is sound, and whether the database still says what it said then."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import quote

from curator.errors import StorageError
from curator.store.database import BUSY_SECONDS, Database, driver
from curator.store.soundness import Found

# Never changed once it is stored: a repair or a renaming writes to sources and tables, an erasure to the copies too.
_NEVER = ("event", "page", "section", "review", "waiver", "release", "release_case", "failure_context", "fold_verdict",
          "failure_seen", "privacy_allow", "privacy_tombstone")  # fmt: skip
_REMOVED = ("failure_context", "failure_seen", "privacy_allow", "review")
"""Rows of these may be gone for a reason, or be marked as withdrawn."""
_IDLE = {
    "golden_case": ("id", "select entity_id from main.event where seq > :last"),
    "document": (
        "id",
        "select entity_id from main.event where seq > :last union select value from main.event,"
        # of a renaming: before and after; what is no JSON any more is told by another check
        " json_each(iif(json_valid(data), data, '{}'), '$.names') where entity = 'document' and seq > :last",
    ),
    "failure": ("id", "select entity_id from main.event where seq > :last"),
}
_LOOSE = {"golden_case": ("flags",), "document": ("chunks", "rows"), "review": ("withdrawn",), "event": ("seal",)}


@contextmanager
def _both(path: Path, copy: Path) -> Iterator[Any]:
    module = driver()
    try:
        with closing(module.connect(f"file:{quote(str(path))}?mode=ro", uri=True, timeout=BUSY_SECONDS)) as connection:
            connection.execute("attach ? as kept", (f"file:{quote(str(copy))}?mode=ro&immutable=1",))
            yield connection
    except module.Error as error:
        raise StorageError(f"{path.name} cannot be compared with {copy.name}: {error}", "look at both") from None


def against(db: Database, copy: Path) -> Iterator[Found]:
    """What differs from a copy of an earlier time, without an event that says why. None when schemas differ.

    Raises:
        StorageError: One of them cannot be read.
    """
    with _both(db.path, copy) as connection:
        if (
            connection.execute("pragma kept.user_version").fetchone()
            != connection.execute("pragma main.user_version").fetchone()
        ):
            return
        (last,) = connection.execute("select coalesce(max(seq), 0) from kept.event").fetchone()
        (now,) = connection.execute("select coalesce(max(seq), 0) from main.event").fetchone()
        if now < last:
            yield Found("copy-differs", "events", f"{copy.name} holds {last} events, the database {now}")
        tables = [t for (t,) in connection.execute("select name from kept.sqlite_master where type = 'table'")]
        for table in sorted(tables):
            if table in ("draft", "lease") or table.startswith("sqlite_"):
                continue
            if table not in _NEVER and table not in _IDLE and now != last:
                continue  # it may have changed for a reason
            count, example = _differing(connection, table, last)
            if count:
                yield Found("copy-differs", table, f"{count} rows are not as in {copy.name}, such as {example}")


def _differing(connection: Any, table: str, last: int) -> tuple[int, str]:
    """How many rows of the copy are others here, and the key of one of them."""
    listed = connection.execute(f'pragma main.table_info("{table}")').fetchall()
    loose = _LOOSE.get(table, ())
    names = [r[1] for r in listed if r[1] not in loose]
    keys = [r[1] for r in sorted((r for r in listed if r[5]), key=lambda r: r[5])]
    on = " and ".join(f'm."{k}" is k."{k}"' for k in keys)
    same = " and ".join(f'm."{n}" is k."{n}"' for n in names if n not in keys) or "1"
    gone = f'exists (select 1 from main."{table}" m where {on}) and' if table in _REMOVED else ""  # noqa: S608  as below
    idle = ""
    if table in _IDLE:
        name, touched = _IDLE[table]
        idle = f' and k."{name}" not in ({touched})'
    key = " || ' ' || ".join(f'k."{k}"' for k in keys)
    query = (
        f'select count(*), min({key}) from kept."{table}" k'  # noqa: S608  names of our schema
        f' where {gone} not exists (select 1 from main."{table}" m where {on} and {same}){idle}'
    )
    count, example = connection.execute(query, {"last": last} if idle else {}).fetchone()
    return int(count), str(example)


def copy_problems(path: Path) -> list[str]:
    """What SQLite finds wrong with a copy when it looks at all of it."""
    module = driver()
    try:
        with closing(module.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
            found = [str(r[0]) for r in connection.execute("pragma integrity_check") if r[0] != "ok"]
            found += [f"{r[0]} row {r[1]} points nowhere" for r in connection.execute("pragma foreign_key_check")]
            if not found and not connection.execute("pragma user_version").fetchone()[0]:
                found.append("it holds no schema of Curator")
            return found
    except module.DatabaseError as error:
        return [str(error)]
