"""Every command that the documents show is run, in order, in an empty folder beside the samples."""

from __future__ import annotations

import importlib
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
WARM = Path(__file__).with_name("warm.py")
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]


def blocks(page: Path, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page.read_text("utf-8"), re.M | re.S)


@pytest.fixture(scope="module")
def warm(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with a `curator` that need not be loaded for every command."""
    folder = tmp_path_factory.mktemp("warm")
    with tempfile.TemporaryDirectory() as short:  # the name of a socket is at most about 100 bytes
        door = Path(short) / "s"
        words = [sys.executable, str(WARM), str(door)]
        script = folder / "curator"
        script.write_text(f'#!/bin/sh\nexec {shlex.join([words[0], "-ISs", *words[1:]])} "$@"\n', "utf-8")
        script.chmod(0o755)
        environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
        server = subprocess.Popen(words, stdout=subprocess.PIPE, env=environment)
        try:
            assert server.stdout is not None
            assert server.stdout.readline() == b"ready\n"
            yield folder
        finally:
            server.kill()
            server.communicate()


@pytest.mark.parametrize("page", PAGES, ids=lambda p: p.name)
def test_the_commands_of_a_page_run(page: Path, tmp_path: Path, warm: Path) -> None:
    script = "\n".join(blocks(page, "bash"))
    if not script:
        pytest.skip("no commands on this page")
    (tmp_path / "datasets").symlink_to(ROOT / "datasets")
    shutil.copytree(ROOT / "exports", tmp_path / "exports")  # a copy: pages export into it
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    if page.name != "README.md":  # what a stranger reads first is run by the installed command itself
        path = f"{warm}{os.pathsep}{path}"
    environment = {"PATH": path, "HOME": str(tmp_path), "PYTHONPATH": str(ROOT), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", script], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_the_make_targets_that_the_readme_shows_exist() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text("utf-8"), re.M))
    shown = {word for block in blocks(PAGES[0], "sh") for word in re.findall(r"^make (\w+)", block, re.M)}
    assert {"demo", "test"} <= shown <= targets


def test_every_command_has_help_and_stands_in_the_docs() -> None:
    import typer.main

    from curator.cli.main import app

    page = (ROOT / "docs" / "commands.md").read_text("utf-8")

    def walk(command: object, words: list[str]) -> None:
        assert getattr(command, "help", None), words
        for name, inner in getattr(command, "commands", {}).items():
            walk(inner, [*words, name])
        if words and not hasattr(command, "commands"):
            assert f"`curator {' '.join(words)}" in page or f"`{' '.join(words)}" in page, words

    walk(typer.main.get_command(app), [])


@pytest.mark.parametrize("page", [*PAGES, ROOT / "ARCHITECTURE.md", ROOT / "CHANGELOG.md"], ids=lambda p: p.name)
def test_links_point_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", page.read_text("utf-8")):
        assert target.startswith("http") or (page.parent / target).exists(), target


PLACES = {
    "F3 Reader": ("curator.tui.screens.reader:ReaderScreen", "curator.tui.widgets.source_view:SourceView"),
    "F5 Case": ("curator.tui.screens.case:CaseScreen", "curator.tui.widgets.case_form:CaseForm"),
    "F4 Failures": ("curator.tui.screens.failures:FailuresScreen",),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_keys_of_the_guide_are_keys_of_the_app(place: str) -> None:
    names = {"/": "slash", "?": "question_mark", ":": "colon", "[": "left_square_bracket", "]": "right_square_bracket",
             "=": "equals_sign", "*": "asterisk", "↑": "up", "↓": "down"}  # fmt: skip
    page = (ROOT / "docs" / "app.md").read_text("utf-8")
    section = page.split(f"### {place}\n")[1].split("\n#")[0]
    told = {key for line in re.findall(r"^\| (`.*?) \|", section, re.M) for key in re.findall(r"`(.+?)`", line)}
    bound = {"question_mark"}  # of the app itself
    for where in PLACES[place]:
        module, name = where.split(":")
        screen = getattr(importlib.import_module(module), name)
        bound |= set(screen._merge_bindings().key_to_bindings)
    assert len(told) > 5
    assert {names.get(key, key) for key in told} <= bound
