"""`curator case export` and `case show --json`: what they print, `case import` takes."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Cli
from tests.services.desk import Desk

DRAFT = ("case", "new", "--set", 'turns=["Who may\u2028appeal \x85 or \u202e not?"]', "--json")


@pytest.mark.parametrize("words", [("case", "export"), ("case", "show")], ids=["export", "show"])
def test_a_draft_without_a_risk_comes_back(cli: Cli, bare: Cli, tmp_path: Path, words: tuple[str, ...]) -> None:
    name = json.loads(cli(*DRAFT).out)["case"]["id"]
    printed = cli(*words, name, *(("--json",) if words[1] == "show" else ())).out
    line = json.loads(printed)
    assert (line["id"], "risk" in line) == (name, False)
    (file := tmp_path / "draft.jsonl").write_text(printed)
    assert "0 new, 1 same, 0 rejected" in cli("case", "import", file).out
    assert bare("--as", "ada", "init", tmp_path / "other").code == 0
    on = ("-w", tmp_path / "other", "--as", "ada")
    assert "1 new, 0 same, 0 rejected" in bare(*on, "case", "import", file).out
    assert json.loads(bare(*on, "case", "show", name, "--json").out)["turns"] == line["turns"]


def test_a_file_says_what_stdout_says_and_what_was_left_out(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    desk.submitted(risk="high", consequence="a fine")
    desk.case("Second?", domain="law")
    file = tmp_path / "cases.jsonl"
    to_stdout, to_file = cli("case", "export"), cli("case", "export", "--out", file)
    assert to_stdout.out == file.read_text()
    assert to_file.out == ""
    assert f"{file}: 2 cases\n" in to_file.err
    blind = cli("case", "export", by="ben")
    assert len(blind.out.splitlines()) == 1
    assert "stdout: 1 case\n1 left out: labels are hidden from you" in blind.err
    assert "2 left out" not in cli("case", "export", "--domain", "law", by="ben").err
    assert "1 left out: in review and not asked" in cli("case", "export", "--risk", "low", by="ben").err


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("rules-zzzzzz",), 3, "no case rules-zzzzzz"),
        (("--suite", "nowhere"), 2, "no suite"),
        (("rules-zzzzzz", "--status", "draft"), 2, "not both"),
        (("--out", "/dev/null"), 2, "is no file"),
        (("--out", "nowhere/x.jsonl"), 74, "No such file"),
    ],
)
def test_what_cannot_be_exported_is_said_in_one_line(
    cli: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], code: int, said: str
) -> None:
    monkeypatch.chdir(tmp_path)
    ran = cli("case", "export", *words)
    assert (ran.code, ran.out) == (code, "")
    assert said in ran.err
    assert [p.name for p in tmp_path.iterdir()] == [p.name for p in tmp_path.glob("desk*")]


def test_who_reads_only_the_first_line_costs_nothing(desk: Desk) -> None:
    for n in range(3):
        desk.case(f"Question {n}?")
    command = f'"{sys.executable}" -m curator -w "{desk.root}" --as ada case export | head -1'
    done = subprocess.run(["bash", "-c", command], capture_output=True, text=True, env=dict(os.environ))
    assert json.loads(done.stdout)["id"]
    assert "Traceback" not in done.stderr


def test_a_retired_case_is_left_out_unless_it_is_asked_for(cli: Cli) -> None:
    name = json.loads(cli(*DRAFT).out)["case"]["id"]
    cli("case", "undo")  # takes the new case back: it is retired
    plain = cli("case", "export")
    assert plain.out == ""
    assert "1 left out: retired" in plain.err
    for words in ((name,), ("--status", "retired")):
        assert json.loads(cli("case", "export", *words).out)["id"] == name
