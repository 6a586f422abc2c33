"""The rule of the house, checked."""

from __future__ import annotations

import ast
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "curator"
HEAVY = ("textual", "sqlmodel", "sqlalchemy", "pypdf", "pypdfium2", "pydantic", "rapidfuzz", "torch")


def modules() -> list[Path]:
    return sorted(PACKAGE.rglob("*.py"))


def test_imports_point_down() -> None:
    tool = Path(sys.executable).parent / "lint-imports"
    done = subprocess.run([tool, "--no-cache"], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


def loaded_by(code: str) -> set[str]:
    """Top-level modules that a fresh interpreter has loaded after running code."""
    script = f"import sys\n{code}\nprint('\\n'.join(sorted({{m.split('.')[0] for m in sys.modules}})))"
    done = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(done.stdout.split())


def test_help_loads_neither_the_app_nor_the_store() -> None:
    code = """
import io
from curator.cli.main import run
out, sys.stdout = sys.stdout, io.StringIO()
code = run(["--help"])
sys.stdout = out
assert code == 0
"""
    assert not loaded_by(code) & set(HEAVY)


@pytest.mark.parametrize(
    "room", ["curator", "curator.workspace", "curator.cli.main", "curator.domain.case", "curator.parsing"]
)
def test_no_room_loads_what_it_may_not_at_import(room: str) -> None:
    forbidden = {"textual", "sqlmodel", "sqlalchemy", "pypdf", "pypdfium2", "torch"}
    assert not loaded_by(f"import {room}") & forbidden


def test_pdf_readers_are_imported_inside_functions_but_for_the_modules_that_wrap_them() -> None:
    at_top = {}
    for path in modules():
        for node in ast.parse(path.read_text("utf-8")).body:
            names = [a.name for a in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            for name in names:
                if name.split(".")[0] in ("pypdf", "pypdfium2"):
                    at_top.setdefault(name.split(".")[0], set()).add(path.relative_to(PACKAGE).as_posix())
    for reader, places in at_top.items():
        assert all(p.startswith("parsing/") for p in places), (reader, places)


def test_modules_stay_small() -> None:
    long = {p.relative_to(ROOT).as_posix(): n for p in modules() if (n := len(p.read_text("utf-8").splitlines())) > 500}
    assert not long


def test_no_catch_all_modules() -> None:
    assert not [p for p in modules() if p.stem in ("utils", "helpers", "manager", "common", "misc")]


def test_outside_text_is_never_markup_on_the_command_line() -> None:
    """Rich and Typer parse `[...]`: nothing in the command line may print through markup."""
    for path in (PACKAGE / "cli").rglob("*.py"):
        text = path.read_text("utf-8")
        assert "rich.print" not in text, path
        assert "typer.echo" not in text, path
        assert "print(" not in text.replace("console.print(", "").replace("_print(", ""), path


def test_nothing_tells_about_this_machine() -> None:
    own = os.fspath(ROOT)
    done = subprocess.run(["git", "grep", "-lI", "-F", own], cwd=ROOT, capture_output=True, text=True)
    assert done.stdout == ""
