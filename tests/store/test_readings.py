"""The schema of readings: an older database is brought to it with everything that points to its revisions."""

from __future__ import annotations

from pathlib import Path

import pytest

from curator.errors import StorageError
from curator.store.database import Database, migrations

FILLED = (
    "insert into event (seq, at, actor, entity, entity_id, verb) values (1, '', 'ada', 'document', 'd', 'x')",
    "insert into document (id, title, revision_id, seq) values ('d', 'D', 2, 1)",
    "insert into revision (id, document_id, label, sha256, file, bytes, pages, parser, ingested_at, seq, sketch,"
    " repaired) values (1, 'd', '1', 'aa', 'd.pdf', 9, 1, 'curator-pdf 1', '', 1, 's', 0)",
    "insert into revision (id, document_id, label, sha256, file, bytes, pages, parser, ingested_at, seq)"
    " values (2, 'd', '2', 'bb', 'd.pdf', 9, 1, 'curator-pdf 2', '', 1)",
    "insert into page (revision_id, number, kind, chars, text) values (1, 1, 'text', 1, 'a')",
    "insert into page (revision_id, number, kind, chars, text) values (2, 1, 'text', 1, 'b')",
)


def filled(path: Path, *more: str) -> None:
    """A database of schema 7 with these rows."""
    db = Database(path, scripts=[m for m in migrations() if m.number <= 7])
    with db._writer.begin() as connection:
        for statement in (*FILLED, *more):
            connection.exec_driver_sql(statement)
    db.close()


def rows(db: Database, query: str) -> list[tuple[object, ...]]:
    with db._reader.connect() as connection:
        return [tuple(row) for row in connection.exec_driver_sql(query)]


def test_revisions_and_what_points_to_them_stay(tmp_path: Path) -> None:
    filled(tmp_path / "w.db")
    db = Database(tmp_path / "w.db")
    assert rows(db, "select id, label, reading, sha256, parser, sketch from revision order by id") == [
        (1, "1", 1, "aa", "curator-pdf 1", "s"),
        (2, "2", 1, "bb", "curator-pdf 2", ""),
    ]
    assert rows(db, "select revision_id, text from page order by 1") == [(1, "a"), (2, "b")]
    assert db.check() == []
    db.close()


@pytest.mark.parametrize("same", ["'aa', '3'", "'cc', '1'"])
def test_one_hash_and_one_label_for_each_reading(tmp_path: Path, same: str) -> None:
    filled(tmp_path / "w.db")
    db = Database(tmp_path / "w.db")
    sha256, label = same.split(", ")
    insert = (
        "insert into revision (document_id, label, reading, sha256, file, bytes, pages, parser, ingested_at, seq)"
        f" values ('d', {label}, %d, {sha256}, 'd.pdf', 9, 1, 'p', '', 1)"
    )
    with db._writer.begin() as connection:
        connection.exec_driver_sql(insert % 2)
    with pytest.raises(StorageError), db._translated(), db._writer.begin() as connection:
        connection.exec_driver_sql(insert % 2)
    db.close()
