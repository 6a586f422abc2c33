"""The database file: engines, transactions, migrations, checks.

SQLite in WAL mode with synchronous=FULL. Two engines: one that reads (BEGIN) and one that writes (BEGIN IMMEDIATE), so
that a reader never queues behind a writer and a lost update cannot happen. See ARCHITECTURE.md for the measurements.
"""

from __future__ import annotations

import importlib.resources
import os
import shutil
import sqlite3
import threading
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from types import ModuleType
from typing import Any
from urllib.parse import quote

from sqlalchemy import Engine, create_engine, event, text
from sqlalchemy.exc import DBAPIError, OperationalError, SQLAlchemyError
from sqlmodel import Session

from curator.durable import identity, make_folder, sync_file, sync_folder
from curator.errors import StorageError
from curator.store.events import EventLog
from curator.store.listing import holds

BUSY_SECONDS = 15
NO_ROOM = 1 << 18
"""Bytes below which a disk counts as full: SQLite says "disk I/O error" when its shared memory finds no room."""
FIXED_SQLITE = (3, 51, 3)
GONE = "put the folder back where it was; or quit, and `curator restore --here` takes the newest copy"
RESTORE = "it can be read, not written; `curator restore --here` puts the newest sound copy in its place"


def driver() -> ModuleType:
    """The newest SQLite at hand: pysqlite3 where it is installed and newer, else the standard library's."""
    try:
        from pysqlite3 import dbapi2
    except ImportError:
        return sqlite3
    return dbapi2 if dbapi2.sqlite_version_info > sqlite3.sqlite_version_info else sqlite3


class Migration:
    """A numbered script; its statements run in one transaction."""

    def __init__(self, number: int, script: str) -> None:
        self.number = number
        lines = (line.split("--", 1)[0] for line in script.splitlines())
        self.statements = [s for part in "\n".join(lines).split(";") if (s := part.strip())]


def migrations() -> list[Migration]:
    """The scripts of this version, in order."""
    folder = importlib.resources.files("curator.store.migrations")
    names = sorted(f.name for f in folder.iterdir() if f.name.endswith(".sql"))
    return [Migration(int(n.split("_")[0]), folder.joinpath(n).read_text("utf-8")) for n in names]


class Transaction:
    """One open transaction. The store's functions take it; it never leaves a service.

    Attributes:
        session: Only for this room.
        log: Appends events; None while reading.
    """

    def __init__(self, session: Session, log: EventLog | None) -> None:
        self.session = session
        self._log = log

    @property
    def log(self) -> EventLog:
        """The event log of a write.

        Raises:
            RuntimeError: This transaction only reads.
        """
        if self._log is None:
            raise RuntimeError("a read transaction writes no events")
        return self._log


class Database:
    """One workspace database. Safe to share between threads; each transaction has its own connection.

    Raises:
        StorageError: It cannot be opened, is damaged, or was made by a newer version.
    """

    def __init__(self, path: Path, *, scripts: Sequence[Migration] | None = None, keeps_copy: bool = True) -> None:
        """Open it, and bring it up to date.

        Args:
            path: The file; made when it is not there.
            scripts: Migrations; None = those of this version.
            keeps_copy: A copy is made before the schema changes. Not of what is a copy itself.
        """
        self._keeps_copy = keeps_copy
        self.path = path
        self.damage = ""
        """What is wrong with it, once that is known: from then on nothing is written."""
        self._looked = False
        self._file = (0, 0)
        self._following = threading.Lock()
        self._scripts = list(migrations() if scripts is None else scripts)
        module = driver()
        self._newest = max((m.number for m in self._scripts), default=0)
        self._raw_error: type[Exception] = module.Error
        self.sqlite_version: tuple[int, ...] = module.sqlite_version_info
        self._refuse_newer(number_of(path) if path.is_file() else 0)  # before a connection marks the file as its own
        self._writer = self._engine(module, "BEGIN IMMEDIATE")
        self._reader = self._engine(module, "BEGIN")
        try:
            self._migrate()
            self._file = identity(path)
        except BaseException:
            self.close()
            raise

    def _engine(self, module: ModuleType, begin: str) -> Engine:
        engine = create_engine(
            f"sqlite:///{self.path}",
            module=module,
            connect_args={"timeout": BUSY_SECONDS, "isolation_level": None, "check_same_thread": False},
            hide_parameters=True,
        )

        @event.listens_for(engine, "connect")
        def _connected(connection: Any, _record: object) -> None:
            for pragma in (
                f"busy_timeout={int(BUSY_SECONDS * 1000)}",
                "journal_mode=WAL",
                "synchronous=FULL",
                "foreign_keys=ON",
                "trusted_schema=OFF",
            ):
                connection.execute(f"PRAGMA {pragma}")
            connection.create_function("holds", 2, holds, deterministic=True)

        @event.listens_for(engine, "begin")
        def _began(connection: Any) -> None:
            connection.exec_driver_sql(begin)

        return engine

    @contextmanager
    def read(self) -> Iterator[Transaction]:
        """A short read: one snapshot of everything that was committed before it began."""
        self._follow()
        with self._translated(), Session(self._reader) as session, session.begin():
            self._refuse_changed(session)
            yield Transaction(session, None)

    @contextmanager
    def write(self, actor: str, at: str, *, keep: bool = True) -> Iterator[Transaction]:
        """One decision: all of it is stored when the block ends, nothing when it raises.

        Args:
            actor: Who writes; stands in every event.
            at: Time in UTC, ISO; only told, never ordered by.
            keep: False takes everything back at the end: a dry run.

        Raises:
            StorageError: The disk or another writer refused, or the file is damaged; nothing was stored.
        """
        self._follow()
        if self.damage or (not self._looked and self.look()):
            raise StorageError(f"{self.path.name} is damaged: {self.damage}", RESTORE)
        with self._translated(), Session(self._writer) as session, session.begin():
            self._refuse_changed(session)
            yield Transaction(session, EventLog(session, actor, at))
            if not keep:
                session.rollback()

    def _follow(self) -> None:
        """Look whether the file is still the one that was opened: SQLite would go on in one that was deleted.

        One that was put in its place is opened instead.

        Raises:
            StorageError: There is none any more.
        """
        here = identity(self.path)
        if here == self._file:
            return
        if here == (0, 0):
            raise StorageError(f"{self.path} is not there any more", GONE)
        with self._following:
            if here == self._file:
                return
            self.close()
            self.damage, self._looked = "", False
            self._migrate()
            self._file = here

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except OperationalError as error:
            raise StorageError(*_told(error, self.path)) from error
        except DBAPIError as error:
            raise StorageError(f"{self.path.name}: {error.orig}", "run `curator doctor`") from error
        except self._raw_error as error:  # of a connection that SQLAlchemy does not stand before
            raise StorageError(*_told(error, self.path)) from error
        except SQLAlchemyError as error:
            raise StorageError(f"{self.path.name}: {str(error).splitlines()[0]}", "this is a bug") from error

    def forget_log(self) -> None:
        """Merge the write-ahead log and empty it, so that texts that were taken away do not stand there any longer.

        While somebody reads it stays as it is, until the next merging.
        """
        with self._translated(), closing(self._reader.raw_connection()) as connection:
            cursor = connection.cursor()
            cursor.execute("pragma busy_timeout=500")
            cursor.execute("pragma wal_checkpoint(truncate)")
            cursor.execute(f"pragma busy_timeout={BUSY_SECONDS * 1000}")

    def close(self) -> None:
        """Close every connection; the write-ahead log is merged when this was the last one."""
        self._writer.dispose()
        self._reader.dispose()

    @property
    def schema(self) -> int:
        """Number of the last migration that ran."""
        with self._translated(), self._reader.connect() as connection:
            return int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())

    def _refuse_newer(self, have: int) -> None:
        if have > self._newest:
            raise StorageError(
                f"{self.path.name} was written by a newer Curator (schema {have}, this one knows {self._newest})",
                "install that version; nothing was touched",
            )

    def _refuse_changed(self, session: Session) -> None:
        """Refuse to go on in a file that a newer program has brought to its schema meanwhile."""
        have = int(session.connection().exec_driver_sql("PRAGMA user_version").scalar_one())
        if have > self._newest:
            raise StorageError(
                f"a newer Curator has changed {self.path.name} (schema {have}, this one knows {self._newest})",
                "quit and start that version; nothing was stored here",
            )

    def _migrate(self) -> None:
        have = self.schema
        self._refuse_newer(have)
        if have == self._newest:
            return
        if have and self._keeps_copy:
            self._back_up(have)
        with self._translated(), self._writer.begin() as connection:
            have = int(connection.exec_driver_sql("PRAGMA user_version").scalar_one())
            for script in (m for m in self._scripts if m.number > have):
                for statement in script.statements:
                    connection.exec_driver_sql(statement)
                connection.exec_driver_sql(f"PRAGMA user_version={script.number}")

    def _back_up(self, number: int) -> None:
        """A verified copy beside the database before its schema changes.

        Raises:
            StorageError: The copy could not be made or is not sound; nothing was changed.
        """
        target = self.path.parent / "backups" / f"before-schema-{number + 1}.db"
        try:
            make_folder(target.parent, 0o700)
            self.copy_to(target)
        except OSError as error:
            raise StorageError(f"{target}: {error.strerror}", "the schema was not changed") from None

    def copy_to(self, target: Path) -> None:
        """A sound copy of all that is committed, in one file without a log; it is there whole, or not at all.

        Raises:
            StorageError: There is no room, or the copy is not sound.
            OSError: The folder refuses it.
        """
        part = target.with_name(f".{target.name}.{os.getpid()}.part")
        part.unlink(missing_ok=True)
        try:
            with self._translated():
                raw = self._reader.raw_connection()
                try:
                    raw.cursor().execute("VACUUM INTO ?", (str(part),))
                finally:
                    raw.close()
            if problems := examined(part):
                raise StorageError(f"the copy {target.name} is damaged: {problems[0]}", "check the disk")
            sync_file(part)
            part.replace(target)
            sync_folder(target.parent)
        finally:
            part.unlink(missing_ok=True)

    def look(self) -> str:
        """Look whether the file is sound, in less than a second for 100 MB; what is wrong is kept in `damage`."""
        try:
            with self._translated(), self._reader.connect() as connection:
                found = [r[0] for r in connection.execute(text("PRAGMA quick_check(1)")) if r[0] != "ok"]
        except StorageError as error:
            found = [error.message]
        self.damage = found[0].splitlines()[-1] if found else ""
        self._looked = True
        return self.damage

    def check(self) -> list[str]:
        """What SQLite finds wrong with the file; empty when it is sound."""
        with self._translated(), self._reader.connect() as connection:
            found = [r[0] for r in connection.execute(text("PRAGMA integrity_check")) if r[0] != "ok"]
            found += [f"{r[0]} row {r[1]} points nowhere" for r in connection.execute(text("PRAGMA foreign_key_check"))]
        return found


def examined(path: Path) -> list[str]:
    """What is wrong with a database file that nobody has open; empty when it is sound. It is only read.

    A file that is none, or is empty, is wrong too.
    """
    module = driver()
    try:
        with closing(module.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
            found = [str(r[0]) for r in connection.execute("PRAGMA quick_check") if r[0] != "ok"]
            if not found and not connection.execute("PRAGMA user_version").fetchone()[0]:
                found.append("it holds no schema of Curator")
            foreign = "select type, name from sqlite_master where type in ('trigger', 'view')"
            found += [f"it holds a {kind}, {name!a}, that is none of Curator's" for kind, name in
                      connection.execute(foreign)]  # fmt: skip
            return found
    except module.DatabaseError as error:
        return [str(error)]


def too_new(path: Path) -> bool:
    """Whether a database file that nobody has open is of a schema that this program does not know."""
    return number_of(path) > max(m.number for m in migrations())


def number_of(path: Path) -> int:
    """Number of the last migration of a database file that nobody has open; 0 = it is none."""
    module = driver()
    try:
        with closing(module.connect(f"file:{quote(str(path))}?mode=ro&immutable=1", uri=True)) as connection:
            return int(connection.execute("PRAGMA user_version").fetchone()[0])
    except module.DatabaseError:
        return 0


def _told(error: Exception, path: Path) -> tuple[str, str]:
    """Message and next step for what the disk or SQLite said."""
    said = str(getattr(error, "orig", error))
    if path.parent.is_dir() and not os.access(path.parent, os.W_OK | os.X_OK):
        return f"{path.parent} may not be written to", "change its permissions, or work on a copy"
    if "locked" in said or "busy" in said:
        return f"another program has been writing to {path.name} for {BUSY_SECONDS} s", "try again in a moment"
    if "full" in said or ("I/O" in said and _is_full(path.parent)):
        return f"no space left for {path.name}", "free some space and try again; nothing was stored"
    if "readonly" in said:
        return f"{path} is read-only", "change its permissions, or work on a copy"
    if "unable to open" in said:
        if not path.parent.is_dir():
            return f"{path.parent} is not there", "put the folder back where it was"
        return f"{path} cannot be opened", "check that the folder exists, may be written to, and has room"
    if "I/O" in said:
        return f"the disk refused {path.name} ({said})", "look for free space and at the disk; nothing was stored"
    return f"{path.name}: {said}", "run `curator doctor`"


def _is_full(folder: Path) -> bool:
    try:
        return shutil.disk_usage(folder).free < NO_ROOM
    except OSError:
        return False
