"""A small real workspace to break: a document with a table, cases in every state, a release with a holdout, a copy."""

from __future__ import annotations

import contextlib
import io
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from curator.cli.main import run
from curator.services import backup
from curator.workspace import Workspace
from tests.services.desk import ARTICLE, Desk, build_desk

PYTHON = sys.executable
SUITE = "rules"


def build(root: Path) -> Path:
    """A closed workspace with a released version; gives its folder."""
    build_desk(root)
    text = (root / "curator.toml").read_text("utf-8").replace("holdout = 0.25", "holdout = 0.5")
    (root / "curator.toml").write_text(text, "utf-8")
    desk = Desk(root)
    try:
        for n in range(12):
            desk.approved(f"Question {n}: what does a late report of the kind {n} cost?", ARTICLE)
        for n in range(4):
            desk.case(f"Draft {n}?")
    finally:
        desk.workspace.close()
    code, said = command(root, "suite", "release", SUITE, "--waive", "a small sample", by="carla")
    if code:
        raise SystemExit(f"no release: {said}")
    command(root, "search", "penalties")
    with contextlib.closing(Desk(root).workspace) as space:
        backup.daily(space.context, force=True)
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
