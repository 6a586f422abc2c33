"""`curator ingest` without anybody to ask, with one answer for all, and on a terminal; files that are read again."""

from __future__ import annotations

import json
import os
import pty
import select
import subprocess
import sys
from pathlib import Path

import pytest

from curator.services import documents
from curator.services.readings import revisions_of
from curator.store import documents as stored
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLES, ROWS, Desk, write_pdf

AMENDED = tuple((title, text.replace("up to 10 million", "up to 12 million")) for title, text in ARTICLES)
OTHERS = tuple((title.replace("Article", "Section"), text.replace("14 days", "28 days")) for title, text in ARTICLES)


def two_alike(tmp_path: Path) -> Path:
    """A folder with a changed file under its name, and one under another."""
    folder = tmp_path / "in"
    folder.mkdir()
    write_pdf(folder / "amended.pdf", articles=AMENDED)
    write_pdf(folder / "regulation.pdf", articles=OTHERS, rows=ROWS[:3])
    return folder


def test_nobody_is_there_to_ask_so_that_nothing_is_taken_and_all_is_said(desk: Desk, cli: Cli, tmp_path: Path) -> None:
    folder = two_alike(tmp_path)
    for more in ((), ("--dry-run",)):
        left = cli("ingest", folder, *more)
        assert (left.code, left.out) == (3, "")
        first, second = left.err.splitlines()[-2:]
        assert "amended.pdf: not taken: amended.pdf reads much like the document regulation," in first
        assert "regulation.pdf: not taken: regulation.pdf has the name of the document regulation," in second
        for line in (first, second):
            assert "% alike: `--revision-of regulation` takes it as a new revision" in line
    told = json.loads(cli("ingest", folder, "--json").out)
    assert (told["new"], len(told["rejected"])) == (0, 2)
    assert [d.id for d in documents.page_of(desk.ada)] == ["regulation"]


def test_one_answer_for_all(desk: Desk, cli: Cli, tmp_path: Path) -> None:
    folder = two_alike(tmp_path)
    assert cli("ingest", folder, "--each", "old").code == 2
    assert cli("ingest", folder, "--each", "new", "--yes").code == 2
    new = cli("ingest", folder, "--each", "new")
    assert (new.code, [line.split()[:2] for line in new.out.splitlines()]) == (
        0, [["amended", "new"], ["regulation-2", "new"]],
    )  # fmt: skip
    assert "alike with regulation, taken as another document, amended" in new.err
    more = tmp_path / "more"
    more.mkdir()
    write_pdf(more / "amended.pdf", articles=AMENDED, rows=ROWS[:3])
    write_pdf(more / "regulation.pdf", articles=AMENDED[:2])
    revised = cli("ingest", more, "--each", "revision")
    assert [line.split()[:2] for line in revised.out.splitlines()] == [
        ["amended", "changed"],
        ["regulation", "changed"],
    ]
    shown = cli("docs", "show", "regulation").out
    assert "  revision 1  " in shown
    assert "* revision 2  " in shown
    assert [r["label"] for r in json.loads(cli("docs", "show", "regulation", "--json").out)["revisions"]] == ["1", "2"]


def test_documents_read_by_older_rules_are_named_and_read_again(desk: Desk, cli: Cli) -> None:
    assert cli("ingest").code == 2
    assert cli("ingest", "--again").err.endswith("no document was read by older rules\n")
    assert cli("ingest", "regulation", "--again", "--title", "X").code == 2
    with desk.ada.write() as tx:
        stored.note_parser(tx, "regulation", "curator-pdf 0")
    assert "1 read by older rules than curator-pdf" in cli("docs", "list").err
    done = cli("ingest", "--again")
    assert (done.code, done.out.split()[:2]) == (0, ["regulation", "same"])
    assert "it reads as it is stored" in done.err
    assert cli("docs", "list").err == ""
    assert cli("ingest", desk.root / "datasets" / "regulation.pdf", "--again").code == 0
    assert cli("ingest", "regulation", "--again", "--dry-run").code == 0
    assert cli("ingest", "nowhere", "--again").code == 3


@pytest.mark.skipif(sys.platform == "win32", reason="pseudo-terminals are of Unix")
def test_on_a_terminal_one_is_asked_once_for_all_that_follow(desk: Desk, tmp_path: Path) -> None:
    folder = two_alike(tmp_path)
    said = on_a_terminal(desk, "R\n", "ingest", str(folder))
    assert said.count("so for all that follow") == 1
    assert [line.label for line in revisions_of(desk.ada, "regulation")] == ["1", "2", "3"]


def on_a_terminal(desk: Desk, typed: str, *words: str) -> str:
    """Run a command on a terminal of its own; what is typed is there when it is asked for."""
    here, there = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "curator", "-w", str(desk.root), "--as", "ada", *words],
        stdin=there, stdout=there, stderr=there, cwd=Path(__file__).parents[2],
    )  # fmt: skip
    os.close(there)
    said = b""
    try:
        os.write(here, typed.encode())
        while True:
            if not select.select([here], [], [], 120)[0]:
                raise AssertionError(f"nothing more was said after {said!r}")
            try:
                said += os.read(here, 4096)
            except OSError:  # nobody has the other end any more
                break
    finally:
        if process.poll() is None:
            process.terminate()
        process.wait(timeout=60)
        os.close(here)
    return said.decode("utf-8", "replace")
