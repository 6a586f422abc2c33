"""`doctor` on the command line, the log, and the file for a bug report: nothing private is in them."""

from __future__ import annotations

import json
import sqlite3
import zipfile
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path

import pytest

from curator import log
from curator.cli.main import run
from curator.errors import InputError
from tests.cli.conftest import Cli
from tests.services.desk import Desk

MARKS = ("XQ7KMARK", "zebra-marker", "Ｍarker文", "hunter2marker")


def test_a_sound_workspace_is_told_and_damage_has_a_code_and_a_next_step(cli: Cli, desk: Desk) -> None:
    desk.case()
    ran = cli("doctor", "--full")
    assert (ran.code, ran.out.startswith("sound: 1 document, 1 case, ")) == (0, True)
    desk.workspace.close()
    (kept,) = (desk.root / ".curator" / "files").glob("*.pdf")
    kept.write_bytes(kept.read_bytes()[:-1])
    ran = cli("doctor", "--full", "--json")
    (problem,) = json.loads(ran.out)["problems"]
    assert (ran.code, problem["code"], problem["where"]) == (1, "source-file", "regulation.pdf")
    assert cli("doctor").code == 0  # quick: the database alone
    database = desk.root / ".curator" / "curator.db"
    with closing(sqlite3.connect(database)) as newer:
        (known,) = newer.execute("pragma user_version").fetchone()
        newer.execute("pragma user_version = 9999")
    ran = cli("doctor", "--json", "--bundle", desk.root / "newer.zip")
    (problem,) = json.loads(ran.out)["problems"]
    assert (ran.code, problem["code"], (desk.root / "newer.zip").is_file()) == (74, "not-opened", True)
    assert "schema 9999" in problem["message"]
    with closing(sqlite3.connect(database)) as newer:
        newer.execute(f"pragma user_version = {known}")
    database.write_bytes(b"\0" * 8192)
    ran = cli("doctor")
    assert ran.code == 1
    assert "structure: curator.db" in ran.out
    assert "next: " in ran.err
    (desk.root / "curator.toml").write_text("[[[")  # what the app cannot open is looked at all the same
    ran = cli("doctor", "--json", "--bundle", desk.root / "report.zip")
    assert {p["code"] for p in json.loads(ran.out)["problems"]} == {"settings", "structure"}
    assert (desk.root / "report.zip").is_file()


def test_nothing_private_is_in_the_log_or_in_the_bundle(
    cli: Cli, bare: Cli, desk: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, three, four = MARKS
    with (desk.root / "curator.toml").open("a") as stream:
        stream.write(f'[people.{one}]\nrole = "expert"\nname = "{two}"\n[suites."{two}"]\ndescription = "{three}"\n')
    desk.case(f"{one} {three}?", notes=two)
    pdf = tmp_path / f"{two} {one}.pdf"
    pdf.write_bytes(b"%PDF-1.4 no")
    cli("ingest", pdf)
    cli("ingest", tmp_path / f"{one}.missing.pdf")
    cli("case", "show", f"{two}-000000")
    cli("case", "edit", f"{one}", "--set", f"notes=postgres://u:{four}@host/db")
    cli("case", "list", "--contains", three, by=one)
    monkeypatch.setattr("curator.services.cases.page_of", lambda *_a, **_k: 1 / 0 if one else None)
    assert run(["-w", str(desk.root), "--as", "ada", "case", "list", "--contains", two]) == 1  # a bug, for once
    monkeypatch.undo()
    logged = (desk.root / ".curator" / "log" / "curator.log").read_text("utf-8")
    assert "curator case list: done in" in logged
    assert "curator ingest" in logged
    assert "ZeroDivisionError at test_doctor.py:" in logged
    target = tmp_path / "report.zip"
    assert cli("doctor", "--bundle", target).code == 0
    assert cli("doctor", "--bundle", target).code == 4
    assert target.stat().st_mode & 0o077 == 0
    with zipfile.ZipFile(target) as archive:
        members = {name: archive.read(name).decode() for name in archive.namelist()}
    assert set(members) == {"about.json", "doctor.json", "log.txt"}
    everything = "\n".join(members.values())
    for mark in (*MARKS, str(tmp_path), "ada", "regulation"):
        assert mark not in everything, mark
    for mark in (four, three, f"{two} {one}?"):
        assert mark not in logged, mark
    assert "curator case list: ZeroDivisionError" in members["log.txt"].replace("builtins.", "")
    about = json.loads(members["about.json"])
    assert about["rows"]["golden_case"] == 1
    assert about["settings"]["review"]["double_share"] == 0


def test_the_log_is_rotated_and_what_looks_like_a_secret_is_masked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log.write(tmp_path, "nowhere")  # no workspace: no log
    assert not list(tmp_path.iterdir())
    (tmp_path / ".curator").mkdir()
    monkeypatch.setattr(log, "LARGEST", 10_000)
    with ThreadPoolExecutor(4) as writers:
        for _ in range(60):
            writers.submit(log.write, tmp_path, "curator x", "y" * 100_000)
    kept = log.files(tmp_path)
    assert len(kept) == 1 + log.KEPT
    sizes = [p.stat().st_size for p in kept]
    assert max(sizes) < log.LARGEST + 5 * 2100
    assert min(sizes[1:]) > log.LARGEST  # of several that find it full, one begins a new file
    assert all(p.stat().st_mode & 0o077 == 0 for p in kept)
    for text in ("postgres://u:hunter2@h/db", "password=hunter2", "Bearer hunter2hunter2", "sk-hunter2hunter2hunter2",
                 "ana.hunter2@example.org", "line\nhunter\x1b]52;"):  # fmt: skip
        assert "hunter2" not in log.masked(text), text
        assert log.masked(text).isprintable()
    assert log.said(InputError("no case 'what was typed'")) == "InputError 3: no case '…'"


def test_verbose_says_what_is_logged_wherever_it_stands(cli: Cli) -> None:
    assert "curator case list: done in" in cli("case", "list", "--verbose").err
    assert "done in" not in cli("case", "list").err
