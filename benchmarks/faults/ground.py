"""A small real workspace to break: a document with a table, cases in every state, a release with a holdout, a copy."""

from __future__ import annotations

import contextlib
import io
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curator.cli.main import run
from curator.services import backup, search
from curator.workspace import Workspace
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SIBLING, Desk, build_desk

PYTHON = sys.executable
SUITE = "rules"
SOURCES = (ARTICLE, SIBLING, "regulation:article-6", MEASLES, MUMPS, "regulation.table-2:varicella")
"""Cases on one source lie on one side: on several, some lie in the holdout."""


def build(root: Path) -> Path:
    """A closed workspace with a released version; gives its folder."""
    unreleased(root)
    code, said = command(root, "suite", "release", SUITE, "--waive", "a small sample", by="carla")
    if code:
        raise SystemExit(f"no release: {said}")
    if not list((root / ".curator" / "holdout").rglob("*.jsonl")):
        raise SystemExit("no case lies in the holdout")
    with contextlib.closing(Desk(root).workspace) as space:
        search.search(space.context, "penalties", semantic=False)
        backup.daily(space.context, force=True)
    return root


def unreleased(root: Path) -> Path:
    """The same before the release."""
    build_desk(root)
    text = (root / "curator.toml").read_text("utf-8").replace("holdout = 0.25", "holdout = 0.5")
    (root / "curator.toml").write_text(text, "utf-8")
    desk = Desk(root)
    try:
        for n in range(12):
            desk.approved(f"Question {n}: what is said of the kind {n}, and where?", SOURCES[n % len(SOURCES)])
        for n in range(4):
            desk.case(f"Draft {n}?")
    finally:
        desk.workspace.close()
    return root


def old_schema(root: Path, number: int, cases: int = 0) -> Path:
    """A workspace as an earlier version has left it, from the dump of its schema.

    Args:
        root: Made.
        number: Of the schema.
        cases: How many copies of its events there are besides, so that a migration takes a while.
    """
    for name in ("datasets", "exports", ".curator"):
        (root / name).mkdir(parents=True)
    (root / "curator.toml").write_text('[people.ada]\nrole = "lead"\n', "utf-8")
    (root / ".curator" / ".gitignore").write_text("*\n", "utf-8")
    dump = Path(__file__).parents[2] / "tests" / "store" / "schemas" / f"{number:04d}.sql"
    with contextlib.closing(sqlite3.connect(root / ".curator" / "curator.db", isolation_level=None)) as connection:
        connection.executescript(dump.read_text("utf-8"))
        connection.execute("begin")
        for n in range(cases):
            connection.execute(
                "insert into event (at, actor, entity, entity_id, verb, data) select at, actor, 'old', ?, verb, data"
                " from event where seq = 1",
                (f"old-{n}",),
            )
        connection.execute("commit")
    return root


def demo(root: Path) -> Path:
    """The workspace of `curator demo`: five documents, 43 cases, a release, 150 failures; with a copy of the day."""
    subprocess.run([PYTHON, "-m", "curator", "demo", str(root), "--no-app"], check=True, capture_output=True)
    with contextlib.closing(Workspace(root, "lead-carla")) as space:
        backup.daily(space.context, force=True)
    return root


def words(root: Path, *given: str, by: str = "ada") -> list[str]:
    """The command line of a process of its own."""
    return [PYTHON, "-m", "curator", "-w", str(root), "--as", by, *given]


def command(root: Path, *given: str, by: str = "ada") -> tuple[int, str]:
    """Run a command in this process; gives its exit code and all that it said."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = run(["-w", str(root), "--as", by, *given])
    return code, said.getvalue()


def process(root: Path, *given: str, by: str = "ada", wrap: tuple[str, ...] = ()) -> tuple[int, str]:
    """Run a command in a process of its own, perhaps inside another program; gives exit code and stderr."""
    done = subprocess.run([*wrap, *words(root, *given, by=by)], capture_output=True, text=True, errors="replace")
    return done.returncode, done.stderr


@contextmanager
def copied(original: Path, place: Path) -> Iterator[Path]:
    """A copy of a workspace, removed at the end."""
    shutil.copytree(original, place, symlinks=True)
    try:
        yield place
    finally:
        shutil.rmtree(place, ignore_errors=True)
