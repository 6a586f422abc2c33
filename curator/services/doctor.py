"""Is what is stored still what was stored?"""

from __future__ import annotations

from pathlib import Path

from curator.domain.model import Model
from curator.services.backup import DATABASE, newest_sound
from curator.services.context import Context
from curator.store import cases, documents
from curator.store.database import FIXED_SQLITE, examined


class Examination(Model):
    """What was looked at, and what is wrong; no problem = sound."""

    schema_number: int
    sqlite: str
    documents: int = 0
    cases: int = 0
    problems: tuple[str, ...] = ()
    advice: tuple[str, ...] = ()


def examine(ctx: Context) -> Examination:
    """Check structure and references of the database and the content hash of every case."""
    problems = list(ctx.db.check())
    with ctx.db.read() as tx:
        problems += [f"{name}: its content does not fit its hash" for name in cases.damaged(tx)]
        counts = documents.count(tx), cases.count(tx)
    old = ctx.db.sqlite_version < FIXED_SQLITE
    advice = ("this SQLite can corrupt a database with two writers: install pysqlite3",) if old else ()
    return Examination(
        schema_number=ctx.db.schema,
        sqlite=".".join(map(str, ctx.db.sqlite_version)),
        documents=counts[0],
        cases=counts[1],
        problems=tuple(problems),
        advice=advice,
    )


def examine_closed(root: Path) -> Examination:
    """Look at the database of a workspace that cannot be opened; it is only read."""
    path = root / DATABASE
    found = examined(path) if path.is_file() else [f"{path.name} is not there"]
    copy = newest_sound(path.parent)
    step = f"`curator restore --here` puts back {copy.name}" if copy else "restore an archive: `curator restore`"
    return Examination(schema_number=0, sqlite="", problems=tuple(found), advice=(step,) if found else ())
