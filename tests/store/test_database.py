"""The database: nothing lost, nothing overwritten, upgrades whole or not at all."""

from __future__ import annotations

import contextlib
import multiprocessing
import resource
import signal
from pathlib import Path

import pytest
from sqlmodel import SQLModel

from curator.domain.case import Case
from curator.domain.listing import ListKey, ListQuery
from curator.errors import Conflict, StorageError
from curator.store import cases, rating_tables, tables  # noqa: F401  the tables register themselves
from curator.store.database import Database, Migration, driver, migrations

NOW = "2026-03-01T09:00:00Z"


@pytest.fixture
def db(tmp_path: Path):
    database = Database(tmp_path / "c.db")
    yield database
    database.close()


def add(db: Database, name: str = "x-000001") -> None:
    with db.write("ada", NOW) as tx:
        cases.add(tx, Case(id=name, turns=("how long?",)))


def test_the_settings_that_keep_data(db: Database) -> None:
    with db.write("ada", NOW) as tx:
        settings = {p: tx.session.connection().exec_driver_sql(f"PRAGMA {p}").scalar() for p in
                    ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")}  # fmt: skip
    assert settings["journal_mode"] == "wal"
    assert settings["synchronous"] == 2
    assert settings["foreign_keys"] == 1
    assert settings["busy_timeout"] >= 10_000


def test_the_tables_are_those_of_the_migrations(db: Database) -> None:
    with db.read() as tx:
        connection = tx.session.connection()
        real = {
            t: {(r[1], r[2].upper(), bool(r[5])) for r in connection.exec_driver_sql(f"PRAGMA table_info({t})")}
            for (t,) in connection.exec_driver_sql(
                "select name from sqlite_master where type = 'table' and name not like 'sqlite_%'"
            )
        }
    kinds = {"INTEGER": "INTEGER", "VARCHAR": "TEXT", "FLOAT": "REAL", "BLOB": "BLOB"}
    said = {
        t.name: {(c.name, kinds[str(c.type).split("(")[0]], c.primary_key) for c in t.columns}
        for t in SQLModel.metadata.sorted_tables
    }
    assert said == real


def test_a_stale_save_is_refused_and_nothing_is_overwritten(db: Database) -> None:
    add(db)
    with db.write("ada", NOW) as tx:
        cases.save(tx, Case(id="x-000001", turns=("mine",)), 1, status="draft")
    with pytest.raises(Conflict, match="version 2 since version 1"), db.write("ben", NOW) as tx:
        cases.save(tx, Case(id="x-000001", turns=("theirs",)), 1, status="draft")
    with db.read() as tx:
        assert cases.get(tx, "x-000001").case.turns == ("mine",)


def test_a_write_that_raises_leaves_nothing(db: Database) -> None:
    with contextlib.suppress(RuntimeError), db.write("ada", NOW) as tx:
        cases.add(tx, Case(id="x-000001"))
        raise RuntimeError
    with db.read() as tx:
        assert cases.count(tx) == 0
        assert tx.session.connection().exec_driver_sql("select count(*) from event").scalar() == 0


def test_a_dry_run_keeps_nothing(db: Database) -> None:
    with db.write("ada", NOW, keep=False) as tx:
        cases.add(tx, Case(id="x-000001"))
    with db.read() as tx:
        assert cases.count(tx) == 0


def test_every_change_has_an_event_with_its_actor(db: Database) -> None:
    add(db)
    with db.write("ben", NOW) as tx:
        cases.save(tx, Case(id="x-000001", turns=("again",)), 1, status="draft")
    with db.read() as tx:
        query = "select seq, actor, verb, version from event order by seq"
        found = list(tx.session.connection().exec_driver_sql(query))
    assert found == [(1, "ada", "created", 1), (2, "ben", "edited", 2)]


def bump(path: Path, times: int) -> None:
    database = Database(path)
    for _ in range(times):
        with database.write("ada", NOW) as tx:
            record = cases.get(tx, "x-000001")
            cases.save(tx, record.case.model_copy(update={"notes": f"{int(record.case.notes or 0) + 1}"}),
                       record.version, status="draft")  # fmt: skip
    database.close()


def test_writers_at_once_lose_no_update(db: Database) -> None:
    add(db)
    spawn = multiprocessing.get_context("spawn")
    workers = [spawn.Process(target=bump, args=(db.path, 10)) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join(60)
    assert [w.exitcode for w in workers] == [0, 0, 0]
    with db.read() as tx:
        record = cases.get(tx, "x-000001")
    assert (record.case.notes, record.version) == ("30", 31)


def test_a_reader_is_not_held_up_by_a_writer(db: Database) -> None:
    add(db)
    with db.write("ada", NOW) as writing:
        cases.add(writing, Case(id="x-000002"))
        with db.read() as reading:
            assert cases.count(reading) == 1


def test_a_newer_database_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    Database(path).close()
    raw = driver().connect(str(path))
    raw.execute("PRAGMA user_version=99")
    raw.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="newer Curator"):
        Database(path)
    assert path.read_bytes() == before


def test_an_upgrade_is_backed_up_and_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    first = migrations()
    old = Database(path, scripts=first)
    add(old)
    old.close()
    number = first[-1].number
    broken = Migration(number + 1, "create table extra (a text); insert into nowhere values (1);")
    with pytest.raises(StorageError):
        Database(path, scripts=[*first, broken])
    again = Database(path, scripts=first)
    assert again.schema == number
    again.close()
    open_meanwhile = Database(path, scripts=first)
    add(open_meanwhile, "x-000003")
    fine = Database(path, scripts=[*first, Migration(number + 1, "create table extra (a text); -- a note;\n")])
    assert fine.schema == number + 1
    with pytest.raises(StorageError, match="newer Curator has changed"):
        add(open_meanwhile, "x-000004")  # a program of yesterday does not write into the tables of today
    open_meanwhile.close()
    fine.close()
    backup = driver().connect(str(tmp_path / "backups" / f"before-schema-{number + 1}.db"))
    assert backup.execute("select count(*) from golden_case").fetchone() == (2,)
    backup.close()


def test_a_file_that_is_no_database_is_one_line(tmp_path: Path) -> None:
    path = tmp_path / "c.db"
    path.write_bytes(b"this is not a database, " * 100)
    with pytest.raises(StorageError) as caught:
        Database(path)
    assert "\n" not in str(caught.value)


def test_a_locked_database_says_who_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.store.database.BUSY_SECONDS", 0.2)
    database = Database(tmp_path / "c.db")
    # the same library: two SQLites in one process do not see each other's locks
    holder = driver().connect(str(tmp_path / "c.db"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with pytest.raises(StorageError, match="another program has been writing"):
        add(database)
    holder.close()
    add(database)
    database.close()


def test_lists_are_read_by_key_both_ways(db: Database) -> None:
    with db.write("ada", NOW) as tx:
        for n in range(25):
            cases.add(tx, Case(id=f"x-{n:06d}", turns=(f"question {n} of % and _",), domain="a" if n % 2 else "b"))
    with db.read() as tx:
        first = cases.lines(tx, limit=10)
        second = cases.lines(tx, after=ListKey(0, first[-1].seq), limit=10)
        back = cases.lines(tx, before=ListKey(0, second[0].seq), limit=10)
        assert [c.id for c in first + second] == [f"x-{n:06d}" for n in range(20)]
        assert [c.id for c in reversed(back)] == [c.id for c in first]
        assert cases.count(tx, ListQuery(where=(("domain", "a"),))) == 12
        assert cases.count(tx, ListQuery(contains="QUESTION 24 OF %")) == 1
        assert cases.count(tx, ListQuery(contains="100%_")) == 0


def test_content_that_was_changed_behind_our_back_is_found(db: Database) -> None:
    add(db)
    with db.write("ada", NOW) as tx:
        tx.session.connection().exec_driver_sql("update golden_case set content = replace(content, 'how', 'hew')")
    with db.read() as tx:
        assert cases.damaged(tx) == ["x-000001"]
    assert db.check() == []


def test_a_copy_that_finds_no_room_is_one_of_our_errors(tmp_path: Path) -> None:
    database = Database(tmp_path / "curator.db")
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    handled = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (20_000, before[1]))
    try:
        with pytest.raises(StorageError, match=r"the disk refused|no space left"):
            database.copy_to(tmp_path / "copy.db")
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
        signal.signal(signal.SIGXFSZ, handled)
        database.close()
    assert {p.name for p in tmp_path.iterdir()} == {"curator.db"}
