"""A mended copy of a damaged database: what can be read of it, and of the newest sound copy what cannot."""

from __future__ import annotations

import contextlib
import time
from pathlib import Path

from curator.domain.model import Model
from curator.durable import make_folder, sync_folder
from curator.errors import InputError, StorageError
from curator.progress import Progress, Silent
from curator.services.backup import DATABASE, FOLDER, newest_sound
from curator.store.copies import copy_problems
from curator.store.database import Database
from curator.store.salvage import HISTORY, Saved, salvage
from curator.text import counted


class MendedTable(Model):
    """Rows of a table: read, taken from a copy, left out because they pointed nowhere; stretches that were lost."""

    table: str
    read: int
    gaps: int = 0
    from_copy: int = 0
    left_out: int = 0


class Mended(Model):
    """The mended copy, the copy that lost rows were taken from ("" = none), and what was saved."""

    path: str
    copy_used: str = ""
    tables: tuple[MendedTable, ...] = ()

    @property
    def told(self) -> tuple[str, ...]:
        """What was saved, one line each; first the whole."""
        tables = [t for t in self.tables if t.table != HISTORY]
        lines = [f"{counted(sum(t.read for t in tables), 'row')} of {counted(len(tables), 'table')} could be read"]
        lines += [f"{counted(t.read, 'case')} taken from the history" for t in self.tables[len(tables) :] if t.read]
        for t in tables:
            parts = [f"{counted(t.gaps, 'stretch', 'stretches')} could not be read"] if t.gaps else []
            parts += [f"{counted(t.from_copy, 'row')} taken from {self.copy_used}"] if t.from_copy else []
            parts += [f"{counted(t.left_out, 'row')} left out: what they point to is lost"] if t.left_out else []
            if parts:
                lines.append(f"{t.table}: {', '.join(parts)}")
        return tuple(lines)


def mend(root: Path, progress: Progress | None = None) -> Mended:
    """Write a mended copy of the database among the copies; the database itself is not touched, nor need it open.

    `curator restore --here` takes the newest sound copy, which it is then.

    Raises:
        InputError: There is no database, or nothing of it and of no copy can be read.
        StorageError: The copy cannot be written.
    """
    database = root / DATABASE
    if not database.is_file():
        raise InputError(f"{database} is not there", "`curator restore --here` puts a copy in its place")
    copy = newest_sound(database.parent)
    folder = database.parent / FOLDER
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    target, part = folder / f"mended-{stamp}.db", folder / f".mended-{stamp}.part"
    try:
        make_folder(folder, 0o700)
        saved = salvage(database, part, copy, progress or Silent())
        if not sum(s.read + s.from_copy for s in saved):
            raise InputError(f"nothing of {database.name} can be read", "restore an archive: `curator restore`")
        if problems := copy_problems(part):
            raise StorageError(f"the mended copy is not sound: {problems[0]}", "check the disk")
        Database(part).close()  # brought up to date
        part.replace(target)
        sync_folder(folder)
    except OSError as error:
        raise StorageError(f"{target}: {error.strerror or error}", "free some space; nothing was changed") from None
    finally:
        for suffix in ("", "-wal", "-shm"):
            with contextlib.suppress(OSError):
                part.with_name(part.name + suffix).unlink(missing_ok=True)
    return Mended(path=str(target), copy_used=copy.name if copy else "", tables=_tables(saved))


def _tables(saved: list[Saved]) -> tuple[MendedTable, ...]:
    return tuple(MendedTable(**s._asdict()) for s in saved)
