"""Every schema that ever landed is brought up to date and can be worked with; a newer one is not touched.

The dumps in `schemas/` were made by the programs of their time (`schemas/make.py`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from curator.errors import StorageError
from curator.services import cases, documents
from curator.services.doctor import examine
from curator.store.database import Database, migrations
from curator.workspace import Workspace

DUMPS = sorted((Path(__file__).parent / "schemas").glob("*.sql"))
SETTINGS = '[people.ada]\nrole = "lead"\n[suites.rules]\n'


def laid_out(root: Path, dump: Path) -> Path:
    """A workspace as the program of that schema has left it; gives its database."""
    for name in ("datasets", "exports", ".curator"):
        (root / name).mkdir()
    (root / "curator.toml").write_text(SETTINGS)
    path = root / ".curator" / "curator.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(dump.read_text("utf-8"))
    return path


@pytest.mark.parametrize("dump", DUMPS, ids=lambda p: p.stem)
def test_a_workspace_of_an_earlier_schema_is_migrated_and_used(dump: Path, tmp_path: Path) -> None:
    path = laid_out(tmp_path, dump)
    with closing(sqlite3.connect(path)) as connection:
        before = connection.execute("select id, content from golden_case order by id").fetchall()
        events = connection.execute("select count(*) from event").fetchone()[0]
    with Workspace(tmp_path, "ada") as space:
        ctx = space.context
        assert ctx.db.schema == max(m.number for m in migrations())
        found = examine(ctx, full=True)
        assert found.problems == ()
        assert {c.id for c in cases.page_of(ctx, limit=0)} == {name for name, _ in before}
        (document,) = documents.page_of(ctx, limit=0)
        assert len(documents.sources_on(ctx, document.id)) == document.chunks + document.rows > 5
        draft = next(c for c in cases.page_of(ctx, limit=0) if "한국어" in c.question)
        record = cases.get(ctx, draft.id)
        saved = cases.save(ctx, record.case.model_copy(update={"notes": "still works"}), record.version)
        assert [e["verb"] for e in cases.history(ctx, draft.id)] == ["created", "edited"]
        assert cases.get(ctx, draft.id) == saved
    copies = list((tmp_path / ".curator" / "backups").glob("before-schema-*.db"))
    with closing(sqlite3.connect(copies[0])) as connection:
        assert connection.execute("select id, content from golden_case order by id").fetchall() == before
        assert connection.execute("select count(*) from event").fetchone()[0] == events


def test_every_schema_that_was_ever_the_newest_has_a_dump() -> None:
    """4 landed after 5, and 12 after 13: no program had them as its newest."""
    newest = max(m.number for m in migrations())
    missing = set(range(1, newest)) - {int(p.stem) for p in DUMPS} - {4, 12}
    assert missing <= {newest - 1}, "run schemas/make.py; that of the last but one can be made once the last has landed"


def test_one_of_a_newer_schema_is_refused_and_not_touched(tmp_path: Path) -> None:
    path = laid_out(tmp_path, DUMPS[-1])
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("pragma user_version=9999")
    before = path.read_bytes()
    with pytest.raises(StorageError, match="newer Curator"):
        Database(path)
    assert path.read_bytes() == before
    assert {p.name for p in path.parent.iterdir()} == {"curator.db"}
