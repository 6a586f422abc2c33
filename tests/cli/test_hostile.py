"""Hostile text, a disk that refuses, a person who stops: one line, the right code, nothing lost."""

from __future__ import annotations

import json
import os
import pty
import select
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from curator.exporting.line import draft_line
from curator.services import cases, documents
from curator.services.doctor import examine
from curator.store.database import driver
from tests.cli.conftest import OBEYED, Cli
from tests.services.desk import Desk, write_pdf

EVIL = "\x1b[31mred\x9b2J\u202eltr\x07[/x][@click=app.quit]{}%s\x7f"


def command(*words: object) -> list[str]:
    return [sys.executable, "-m", "curator", *map(str, words)]


def environment(tmp_path: Path, **more: str) -> dict[str, str]:
    own = {k: v for k, v in os.environ.items() if not k.startswith("CURATOR")}
    return own | {"XDG_CONFIG_HOME": str(tmp_path / "config"), "NO_COLOR": "1"} | more


def test_hostile_text_is_seen_and_never_obeyed(cli: Cli, desk: Desk) -> None:
    """The fixture refuses every control character on stdout and stderr."""
    fields = ("turns", "referenceAnswer", "notes", "domain", "consequence", "mustNotClaim", "asker", "route")
    ran = cli("case", "new", *(w for f in fields for w in ("--set", f"{f}={EVIL}")))
    assert ran.code == 0
    name = ran.out.split()[0]
    record = cases.get(desk.ada, name)
    assert record.case.question == EVIL  # stored as it is, shown otherwise
    shown = cli("case", "show", name)
    assert "[/x][@click=app.quit]" in shown.out
    for words in (("case", "list"), ("case", "show", name), ("case", "history", name)):
        assert cli(*words).code == 0
        assert json.loads(cli(*words, "--json").out)
    assert json.loads(cli("case", "show", name, "--json").out)["turns"] == [EVIL]
    cli("case", "submit", name)
    path = desk.root / f"{EVIL.replace('/', '')}.jsonl"
    path.write_text(json.dumps({EVIL: 1}) + "\n" + EVIL + "\n" + json.dumps({"id": "x-000000", "turns": EVIL}))
    assert cli("case", "import", path).code == 3
    assert cli("review", "import", path, by="carla").code == 3
    for words in (
        (EVIL,),
        ("case", EVIL),
        ("case", "show", EVIL),
        ("docs", "show", EVIL),
        ("suite", "release", EVIL),
        ("--as", EVIL, "case", "new"),
    ):
        assert cli(*words).code in (2, 3)
    (desk.root / "curator.toml").write_text('[people.x]\nrole = "\\u001b[31m\\u202e"\n["\\u001b[31m"]\n')
    assert cli("docs", "list").code == 3


def test_hostile_names_of_files(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "named"
    folder.mkdir()
    write_pdf(folder / f"{EVIL.replace('/', '')}.pdf", rows=())
    (folder / "bad\x1b[31m.pdf").write_bytes(b"no")
    raw = os.fsencode(folder) + b"/raw-\xff\xfe.pdf"
    Path(os.fsdecode(raw)).write_bytes((folder / f"{EVIL.replace('/', '')}.pdf").read_bytes() + b"\n%other\n")
    for more, counts in (((), (0, 3)), (("--each", "new"), (2, 1))):  # they read like the regulation: nobody says yes
        ran = cli("ingest", folder, "--json", *more)
        assert ran.code == 3
        assert (json.loads(ran.out)["new"], len(json.loads(ran.out)["rejected"])) == counts
    listed = cli("docs", "list")
    assert len(listed.out.splitlines()) == 4
    for document in (line.split()[0] for line in listed.out.splitlines()[1:]):
        assert cli("docs", "show", document).code == 0
        assert json.loads(cli("docs", "show", document, "--json").out)


@pytest.mark.parametrize("words", [("case", "show"), ("case", "list", "--contains"), ("docs", "show")])
def test_words_that_are_not_utf8(cli: Cli, words: tuple[str, ...]) -> None:
    ran = cli(*words, os.fsdecode(b"\xff\xfe"))
    assert ran.code in (0, 2, 3), ran.err
    assert "Traceback" not in ran.err
    assert "a bug" not in ran.err


def test_bytes_that_are_not_utf8_and_are_to_be_stored(desk: Desk, tmp_path: Path) -> None:
    done = subprocess.run(
        [*map(os.fsencode, command("-w", desk.root, "--as", "ada", "case", "new", "--set")), b"notes=\xff\xfe"],
        capture_output=True,
        env=environment(tmp_path),
        check=False,
    )
    assert done.returncode in (0, 2, 3), done.stderr
    assert b"Traceback" not in done.stderr
    assert b"a bug" not in done.stderr


# --- the disk, the database, the reader of stdout


def test_a_locked_database_is_told_and_nothing_is_stored(cli: Cli, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("curator.store.database.BUSY_SECONDS", 0.2)
    cases.count(desk.ada)
    holder = driver().connect(str(desk.root / ".curator" / "curator.db"), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    ran = cli("case", "new", "--set", "notes=x")
    assert (ran.code, ran.out) == (74, "")
    assert "another program has been writing" in ran.err
    assert cli("case", "list").code == 0  # a reader does not wait
    holder.close()
    assert cases.count(desk.ada) == 0


def test_a_damaged_database_is_one_line(cli: Cli, desk: Desk) -> None:
    desk.workspace.close()
    for path in (desk.root / ".curator").glob("curator.db*"):
        path.unlink()
    (desk.root / ".curator" / "curator.db").write_bytes(b"not a database " * 200)
    ran = cli("docs", "list")
    assert (ran.code, ran.out) == (74, "")
    assert len(ran.err.splitlines()) == 1
    looked = cli("doctor")  # it looks at what cannot be opened
    assert (looked.code, looked.out) == (1, "structure: curator.db: file is not a database\n")
    assert len(looked.err.splitlines()) == 1


def test_a_file_in_place_of_our_folder_is_one_line(bare: Cli, tmp_path: Path) -> None:
    (tmp_path / "curator.toml").write_text("")
    (tmp_path / ".curator").write_text("in the way")
    assert bare("-w", tmp_path, "docs", "list").code == 74
    (tmp_path / "new").mkdir()
    (tmp_path / "new" / "exports").write_text("in the way")
    assert bare("init", tmp_path / "new").code == 74
    assert bare("init", tmp_path / "new" / "exports" / "deeper").code == 74
    assert bare("init", tmp_path / "x", "--as", "not an id").code == 2


def without_privilege() -> list[str]:
    """What makes root subject to permissions like anybody else."""
    if os.geteuid():
        return []
    found = shutil.which("setpriv")
    return (
        [found, "--bounding-set=-dac_override,-dac_read_search"] if found else pytest.skip("root may write everywhere")
    )


@pytest.mark.parametrize("place", ["curator.toml", ".curator", "."])
def test_folders_without_permission_are_one_line(desk: Desk, tmp_path: Path, place: str) -> None:
    desk.workspace.close()
    path = desk.root / place
    mode = path.stat().st_mode
    words = [*without_privilege(), *command("-w", desk.root, "--as", "ada", "case", "new", "--set", "notes=x")]
    path.chmod(0)
    try:
        done = subprocess.run(words, capture_output=True, text=True, env=environment(tmp_path), check=False)
    finally:
        path.chmod(mode)
    assert (done.returncode, done.stdout) == (2 if place == "." else 74, "")
    assert len(done.stderr.splitlines()) == 1
    assert "Traceback" not in done.stderr
    assert cases.count(desk.ada) == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no /dev/full here")
def test_a_full_disk_behind_stdout_is_told(desk: Desk, tmp_path: Path) -> None:
    with Path("/dev/full").open("w") as full:
        done = subprocess.run(
            command("-w", desk.root, "docs", "list"),
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(tmp_path),
            check=False,
        )
    assert done.returncode == 74
    assert done.stderr.decode().count("\n") == 1
    assert "No space left" in done.stderr.decode()


def test_a_reader_that_leaves_early_is_no_error(desk: Desk, tmp_path: Path) -> None:
    pipe = subprocess.Popen(
        command("-w", desk.root, "docs", "show", "regulation", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert pipe.stdout
    assert pipe.stderr
    pipe.stdout.close()
    assert pipe.wait(30) == 0
    assert pipe.stderr.read() == b""
    pipe.stderr.close()


# --- a person who stops


@pytest.mark.parametrize("dies", [False, True])
def test_ctrl_c_in_the_editor_is_the_editors(desk: Desk, tmp_path: Path, dies: bool) -> None:
    """An editor may use ctrl+c; one that ends by it ends the command, and what was typed is kept."""
    name = desk.case().case.id
    desk.workspace.close()
    started, going = tmp_path / "started", "kill -INT $$" if dies else "true"
    script = tmp_path / "editor.sh"
    script.write_text(
        f"#!/bin/sh\ntrap : USR1\necho 'notes = \"typed\"' > \"$1\"\ntouch '{started}'\nsleep 0.5\n{going}\n"
    )
    script.chmod(0o755)
    process = subprocess.Popen(
        command("-w", desk.root, "--as", "ada", "case", "edit", name),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path, EDITOR=str(script)),
    )
    for _ in range(600):
        if started.exists():
            break
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert b"Traceback" not in err
    forms = list((desk.root / ".curator" / "forms").iterdir())
    if dies:
        assert (process.returncode, out) == (130, b"")
        assert b"stopped" in err
        assert "typed" in forms[0].read_text()
        assert str(forms[0]) in err.decode()
    else:
        assert (process.returncode, forms) == (0, [])
        assert cases.get(desk.ada, name).case.notes == "typed"


def test_ctrl_c_in_the_middle_ends_130_and_keeps_what_was_stored(desk: Desk, tmp_path: Path) -> None:
    desk.workspace.close()
    for number in range(40):
        write_pdf(tmp_path / f"d{number:02}.pdf", articles=((f"Article {number}. Of {number}", "Text."),), rows=())
    process = subprocess.Popen(
        command("-w", desk.root, "--as", "ada", "ingest", tmp_path),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stderr
    said = b""
    while b"d01" not in said:
        line = process.stderr.readline()
        assert line, said
        said += line
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert b"Traceback" not in err
    assert b"stopped" in err
    assert out == b""
    kept = documents.page_of(desk.ada)
    assert 2 <= len(kept) < 41
    assert examine(desk.ada).problems == ()


def test_on_a_terminal_there_are_bars_and_no_control_of_ours_is_lost(desk: Desk, tmp_path: Path) -> None:
    """Bars on stderr, which is a terminal; data on stdout, which is a pipe."""
    desk.workspace.close()
    write_pdf(tmp_path / "again.pdf", articles=(("Article 1. " + "\u00e9", "Something new."),), rows=())
    outer, inner = pty.openpty()
    process = subprocess.Popen(
        command("-w", desk.root, "--as", "ada", "ingest", tmp_path / "again.pdf"),
        stdin=inner, stdout=subprocess.PIPE, stderr=inner, env=environment(tmp_path, TERM="xterm", COLUMNS="80"),
    )  # fmt: skip
    os.close(inner)
    seen = b""
    while select.select([outer], [], [], 30)[0]:
        try:
            part = os.read(outer, 4096)
        except OSError:
            break
        if not part:
            break
        seen += part
    out, _ = process.communicate(timeout=30)
    os.close(outer)
    assert process.returncode == 0
    assert out.startswith(b"again  new")
    assert not OBEYED & set(out.decode())
    assert b"Traceback" not in seen


def test_a_line_written_here_is_a_line_of_another_workspace(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    line = json.loads(cli("case", "show", desk.case(notes="n\u2028\x85").case.id, "--json").out)
    assert line == draft_line(cases.get(desk.ada, line["id"]).case, reference_median=1)
