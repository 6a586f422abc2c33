"""`curator failures` and `curator privacy` as a person uses them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.privacy import ner
from curator.services import failures

LOG = (
    "2026-03-01T09:00:00Z,s1,rules,How long must a child with measles stay at home?,Four days.,[]\n"
    "2026-03-01T09:05:00Z,s2,rules,how long must a child with measles stay at home,Two days.,[]\n"
    "2026-03-01T09:10:00Z,s3,office,Write to ada@example.org. Who keeps the register?,The office.,[]\n"
)
ACCEPT = ("--no-names", "--accept-residual-names")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "log.csv"
    path.write_text(LOG)
    return path


def test_a_log_becomes_a_case(cli, desk, log: Path) -> None:
    done = cli("failures", "import", log, *ACCEPT, "--json")
    report = json.loads(done.out)
    assert done.code == 0
    assert {k: report[k] for k in ("new", "same", "changed", "rejected")} == {
        "new": 3,
        "same": 0,
        "changed": 0,
        "rejected": [],
    }
    assert report["mapping"] == {
        "time": "1",
        "session": "2",
        "route": "3",
        "question": "4",
        "answer": "5",
        "contexts": "6",
    }
    assert (report["masked"], report["quarantined"]) == ({"email": 1}, True)
    assert "no header" in done.err
    assert cli("failures", "promote", "f1").code == 1
    seen = json.loads(cli("privacy", "show", "f1", "--json").out)
    assert cli("privacy", "confirm", "f1", "--hash", "0" * 64, "--tick-all").code == 4
    assert cli("privacy", "confirm", "f1", "--hash", seen["hash"], "--tick-all").code == 0
    case_id = cli("failures", "promote", "f1", "--not-claim").out.strip()
    shown = cli("case", "show", case_id).out
    assert "must not claim: Four days." in shown
    assert failures.get(desk.ada, "f1").case_id == case_id


def test_a_dry_run_shows_rows_and_counts_and_stores_nothing(cli, desk, log: Path) -> None:
    done = cli("failures", "import", log, "--no-names", "--dry-run")
    assert done.code == 0
    assert "3 new, 0 same" in done.out
    assert "row 3" in done.out
    assert "[EMAIL_1]" in done.out
    assert "ada@example.org" not in done.out
    assert not failures.batches(desk.ada)


def test_rejected_rows_are_listed_in_a_file_without_their_text(cli, desk, tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text('{"question":"fine?"}\n{"question":12}\n{"question":"MARKER\n')
    done = cli("failures", "import", path, *ACCEPT)
    assert done.code == 3
    assert "row 2, question: the question is a number" in done.err
    rejects = (desk.root / ".curator" / "rejects" / "batch-1.csv").read_text("utf-8")
    assert rejects.splitlines()[:2] == ["row,column,reason", '2,question,"the question is a number, not text"']
    assert "MARKER" not in rejects + done.err


def test_a_saved_profile_reads_the_next_log(cli, desk, tmp_path: Path) -> None:
    first = tmp_path / "a.csv"
    first.write_text("x;y\nwas?;das\n")
    assert cli("failures", "import", first, *ACCEPT).code == 2
    assert cli("failures", "import", first, *ACCEPT, "--map", "question=x", "--save-profile", "chat").code == 0
    first.write_text("x;y\nund?;dies\n")
    done = cli("failures", "import", first, *ACCEPT, "--profile", "chat", "--json")
    assert json.loads(done.out)["new"] == 1


def test_without_names_it_must_be_said(cli, log: Path) -> None:
    done = cli("failures", "import", log, "--no-names")
    assert done.code == 2
    assert "--accept-residual-names" in done.err


@pytest.mark.skipif(not ner.installed(), reason="the extra `ner` is not installed")
def test_names_are_looked_for_in_every_row(cli, desk, tmp_path: Path) -> None:
    path = tmp_path / "log.csv"
    path.write_text("question,answer\nYesterday Barack Obama asked about measles at the desk?,Yes.\n")
    assert cli("failures", "import", path).code == 0
    assert "Obama" not in failures.get(desk.ada, "f1").question
    assert not failures.get(desk.ada, "f1").quarantined


def test_lists_folds_samples_and_numbers(cli, log: Path) -> None:
    cli("failures", "import", log, *ACCEPT)
    assert "nothing yet" in cli("failures", "list").err
    assert "f3" in cli("failures", "list", "--quarantined").out
    for name in ("f1", "f2", "f3"):
        seen = json.loads(cli("privacy", "show", name, "--json").out)
        assert cli("privacy", "confirm", name, "--hash", seen["hash"], "--tick-all").code == 0
    queue = json.loads(cli("failures", "list", "--queue", "--json").out)
    assert [(q["failureId"], q["size"]) for q in queue] == [("f1", 2), ("f3", 1)]
    fold = json.loads(cli("failures", "fold", queue[0]["fold"], "--json").out)
    assert fold["failures"] == ["f1", "f2"]
    assert cli("failures", "stage", "retrieval", "f1", "f2").code == 0
    assert cli("failures", "stage", "nowhere", "f1").code == 2
    assert "insufficient data" in cli("failures", "sample", "--per", "1", "--seed", "2").out
    assert "no case has this route: rules (2), office (1)" in cli("failures", "stats").out
    assert cli("failures", "dismiss", "f3", "--reason", "fine").code == 0
    assert cli("failures", "list", "--state", "dismissed").out.count("f3") == 1


def test_scan_finds_and_erase_needs_a_lead(cli, log: Path) -> None:
    cli("failures", "import", log, *ACCEPT)
    cli("case", "new", "--set", 'turns=["Call +44 20 7946 0958?"]')
    assert cli("privacy", "scan").code == 1
    erased = ("privacy", "erase", "--text", "+44 20 7946 0958", "--reason", "request 1", "--yes")
    assert cli(*erased).code == 2
    assert cli(*erased, by="carla").code == 0
    assert cli("privacy", "scan").code == 0
