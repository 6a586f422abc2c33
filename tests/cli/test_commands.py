"""Every command: its exit code, data on stdout, narration on stderr."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
import typer.main

from curator.cli.main import app, globals_first
from curator.exporting.line import draft_line
from curator.services import cases
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, MEASLES, SETTINGS, SIBLING, Desk, write_pdf

CASE = (
    "--set",
    "turns=What does a late report cost?",
    "--set",
    "referenceAnswer=Up to 10 million.",
    "--set",
    "risk=low",
    "--evidence",
    ARTICLE,
)


def commands() -> list[tuple[str, ...]]:
    found: list[tuple[str, ...]] = [()]
    for name, command in typer.main.get_command(app).commands.items():  # type: ignore[attr-defined]
        found += [(name,), *((name, inner) for inner in getattr(command, "commands", {}))]
    return found


@pytest.mark.parametrize("words", commands(), ids=" ".join)
def test_every_command_has_help(bare: Cli, words: tuple[str, ...]) -> None:
    ran = bare(*words, "--help")
    assert ran.code == 0
    assert "Usage: curator" in ran.out
    assert "[[" not in ran.out
    assert ran.err == ""


def new(cli: Cli, *words: str) -> str:
    ran = cli("case", "new", *CASE, *words)
    assert ran.code == 0, ran.err
    return ran.out.split()[0]


def approved(cli: Cli, *words: str) -> str:
    name = new(cli, *words)
    assert cli("case", "submit", name).code == 0
    assert cli("review", "approve", name, by="ben").code == 0
    return name


def test_from_a_new_folder_to_a_verified_release(bare: Cli, tmp_path: Path) -> None:
    root = tmp_path / "fresh"
    made = bare("init", root, "--as", "ada")
    assert (made.code, made.out.strip()) == (0, str(root.resolve()))
    both = bare("-w", root, "init", root / "other")
    assert (both.code, "two folders" in both.err, (root / "other").exists()) == (2, True, False)
    again = bare("init", root)
    assert (again.code, again.out) == (4, "")
    toml = (
        (root / "curator.toml")
        .read_text()
        .replace("[review]", '[people.ben]\nrole = "reviewer"\n\n[review]\ndouble_share = 0')
    )
    (root / "curator.toml").write_text(toml + "\n[suites.rules]\n")
    pdf = write_pdf(tmp_path / "regulation.pdf")
    on = ("-w", root, "--as", "ada")
    ingested = bare(*on, "ingest", pdf, "--domain", "rules", "--json")
    assert ingested.code == 0
    assert json.loads(ingested.out) == {
        "new": 1,
        "same": 0,
        "changed": 0,
        "rejected": [],
        "mapping": {},
        "warnings": [],
    }
    assert ingested.err
    assert "article-7" in bare(*on, "docs", "show", "regulation", "--page", 1).out
    rows = json.loads(bare(*on, "docs", "rows", "regulation", "--contains", "measles", "--json").out)
    assert [r["id"] for r in rows] == [MEASLES]
    name = bare(*on, "case", "new", *CASE).out.split()[0]
    assert bare(*on, "case", "submit", "--all").out.strip() == f"{name}  → in review"
    assert bare(*on, "review", "approve", name, "--as", "ben").out.strip() == f"{name}  ✓ approved"
    trial = bare(*on, "suite", "release", "rules", "--dry-run")
    assert trial.code == 0
    assert not (root / "exports" / "rules").exists()
    released = bare(*on, "suite", "release", "rules", "--json")
    assert json.loads(released.out)["version"] == "1.0.0"
    folder = root / "exports" / "rules" / "1.0.0"
    assert bare("suite", "verify", folder).out.strip() == f"{folder}: sound"
    assert bare(*on, "suite", "release", "--reproduce", folder / "manifest.json").code == 0
    (folder / "dev.jsonl").write_bytes((folder / "dev.jsonl").read_bytes() + b"\n")
    assert bare("suite", "verify", folder).code == 1
    assert bare(*on, "doctor").code == 0


def test_nothing_is_printed_on_stdout_but_data(cli: Cli, desk: Desk) -> None:
    name = approved(cli)
    path = desk.root / "cases.jsonl"
    path.write_text(json.dumps(draft_line(desk.case().case), ensure_ascii=False) + "\n\n")
    words = (
        ("docs", "list"),
        ("docs", "show", "regulation"),
        ("docs", "show", "regulation", "-p", 1),
        ("docs", "sections", "regulation"),
        ("docs", "rows", "regulation"),
        ("case", "list"),
        ("case", "show", name),
        ("case", "history", name),
        ("case", "submit", name),
        ("case", "import", path),
        ("case", "new", *CASE),
        ("case", "edit", name, "--set", "notes=n"),
        ("suite", "list"),
        ("suite", "release", "rules", "--dry-run"),
        ("doctor",),
        ("ingest", desk.root / "datasets"),
        ("parse", desk.root / "datasets" / "regulation.pdf"),
    )
    for each in words:
        ran = cli(*each, "--json")
        assert ran.code == 0, (each, ran.err)
        assert json.loads(ran.out) is not None
        before = cli("--json", *each)  # a global option stands anywhere
        assert before.code == 0, (each, before.err)
        assert json.loads(before.out) is not None
        assert cli(*each).code == 0


def test_a_case_as_json_is_its_canonical_line(cli: Cli) -> None:
    line = json.loads(cli("case", "show", new(cli), "--json").out)
    assert (line["turns"], line["expectedSourceIds"]) == (["What does a late report cost?"], [ARTICLE])
    assert line["contentHash"].startswith("sha256:")


def test_global_options_stand_anywhere(desk: Desk, bare: Cli) -> None:
    for words in (
        ("-w", desk.root, "docs", "list"),
        ("docs", "-w", desk.root, "list"),
        ("docs", "list", "--workspace", desk.root, "--as", "ada"),
        ("docs", "list", f"--workspace={desk.root}", "--as=ada"),
        ("docs", "list", f"-w{desk.root}"),
    ):
        ran = bare(*words)
        assert ran.code == 0, (words, ran.err)
        assert "regulation" in ran.out
    assert globals_first(["case", "list", "--", "--as", "--json"]) == ["case", "list", "--", "--as", "--json"]


def test_who_acts_by_the_environment(desk: Desk, bare: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    ran = bare("-w", desk.root, "case", "new", *CASE)
    assert (ran.code, ran.out) == (2, "")
    assert "--as ID" in ran.err
    monkeypatch.setenv("CURATOR_ACTOR", "ada")
    assert bare("-w", desk.root, "case", "new", *CASE).code == 0


# (words, exit code, what stderr says)
WRONG: list[tuple[tuple[str, ...], int, str]] = [
    (("nonsense",), 2, "No such command"),
    (("case", "lst"), 2, "No such command"),
    (("case", "list", "--stauts", "draft"), 2, "No such option"),
    (("case", "show"), 2, "CASE"),
    (("docs", "show", "regulation", "--page", "0"), 2, "--page"),
    (("docs", "show", "regulation", "--page", "99"), 3, "2 pages"),
    (("docs", "show", "nowhere"), 3, "no document nowhere"),
    (("docs", "rows", "nowhere"), 3, "no document nowhere"),
    (("case", "show", "rules-zzzzzz"), 3, "no case"),
    (("case", "history", "rules-zzzzzz"), 3, "no case"),
    (("case", "edit", "rules-zzzzzz", "--set", "notes=x"), 3, "no case"),
    (("case", "submit"), 2, "no case is named"),
    (("case", "submit", "rules-zzzzzz"), 3, "no case"),
    (("case", "new", "--set", "nosuch=x"), 2, "names no field"),
    (("case", "new", "--set", "id=x-000000"), 2, "names no field"),
    (("case", "new", "--set", "notes"), 2, "names no field"),
    (("case", "new", "--set", "risk=extreme"), 3, "risk"),
    (("case", "new", "--set", "turns=[1, 2]"), 3, "turns.0"),
    (("case", "new", "--set", "turns=[broken"), 3, "JSON list"),
    (("case", "new", "--set", "turns=" + "[" * 5000), 3, "JSON list"),
    (("case", "new", "--evidence", "regulation:typo"), 3, "no source"),
    (("case", "new", "--document", "typo"), 3, "no document"),
    (("case", "import", "nowhere.jsonl"), 3, "nowhere.jsonl"),
    (("review", "import", "nowhere.jsonl"), 3, "nowhere.jsonl"),
    (("review", "approve", "rules-zzzzzz"), 3, "no case"),
    (("review", "request-changes", "rules-zzzzzz"), 2, "--reason"),
    (("review", "adjudicate", "rules-zzzzzz"), 2, "state your own"),
    (("suite", "release"), 2, "name a suite"),
    (("suite", "release", "nosuch"), 2, "no suite"),
    (("suite", "release", "rules"), 1, "no case in dev"),
    (("suite", "release", "rules", "--reproduce", "nowhere.json"), 2, "name a suite"),
    (("suite", "release", "--reproduce", "nowhere.json"), 3, "nowhere.json"),
    (("suite", "verify", "nowhere"), 3, "no folder"),
    (("ingest", "nowhere.pdf"), 3, "no such file"),
    (("ingest", "nowhere.pdf", "--id", "Not An Id"), 2, "no document id"),
    (("ingest", "nowhere.pdf", "--effective-from", "soon"), 2, "no date"),
    (("parse", "nowhere.pdf"), 3, "nowhere.pdf"),
]


@pytest.mark.parametrize(
    ("words", "code", "said"), WRONG, ids=lambda v: " ".join(v)[:60] if isinstance(v, tuple) else None
)
def test_what_is_wrong_is_one_line_and_its_code(cli: Cli, words: tuple[str, ...], code: int, said: str) -> None:
    ran = cli(*words, by="carla")
    assert ran.code == code, ran.err
    assert said in ran.err
    assert ran.out == ""
    assert len([line for line in ran.err.splitlines() if line.startswith("curator: ")]) <= 1


def test_an_empty_file_is_no_import(cli: Cli, tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_bytes(b"\n\n")
    for group in ("case", "review"):
        assert cli(group, "import", tmp_path / "empty.jsonl", by="carla").code == 3


def test_an_import_tells_each_line_that_it_refused(cli: Cli, desk: Desk) -> None:
    good = draft_line(desk.case().case.model_copy(update={"id": "rules-000001"}))
    bad = good | {"id": "rules-000002", "risk": "extreme", "contentHash": ""}
    path = desk.root / "cases.jsonl"
    path.write_text(f"{json.dumps(good)}\n{{broken\n{json.dumps(bad)}\n")
    ran = cli("case", "import", path, "--json", "--dry-run")
    assert ran.code == 3
    assert [r["row"] for r in json.loads(ran.out)["rejected"]] == [2, 3]
    assert cli("case", "show", "rules-000001").code == 3
    ran = cli("case", "import", path)
    assert (ran.code, ran.out.strip()) == (3, "cases.jsonl: 1 new, 0 same, 2 rejected")
    assert cli("case", "import", path).out.strip() == "cases.jsonl: 0 new, 1 same, 2 rejected"


def test_a_submission_that_lacks_something_ends_in_one(cli: Cli) -> None:
    name = cli("case", "new", "--set", "turns=How long?").out.split()[0]
    ran = cli("case", "submit", name)
    assert (ran.code, ran.out.strip()) == (1, f"{name}  · draft")
    assert "no reference answer" in ran.err
    assert "error: no required source" in cli("case", "show", name).out


def test_lists_and_single_values_by_set(cli: Cli) -> None:
    name = new(cli, "--set", 'acceptableAnswers=["10 million", "ten"]', "--set", "tags=fines", "--set", "mustNotClaim=")
    line = json.loads(cli("case", "show", name, "--json").out)
    assert (line["acceptableAnswers"], line["tags"], line["mustNotClaim"]) == (["10 million", "ten"], ["fines"], [])
    evidence = json.dumps([{"sourceId": SIBLING, "quote": "An appeal is lodged"}])
    cli("case", "edit", name, "--set", f"evidence={evidence}")
    assert json.loads(cli("case", "show", name, "--json").out)["expectedSourceIds"] == [SIBLING]


def test_a_stale_edit_is_a_conflict(cli: Cli) -> None:
    name = new(cli)
    assert cli("case", "edit", name, "--set", "notes=first", "--version", "1").code == 0
    ran = cli("case", "edit", name, "--set", "notes=second", "--version", "1", by="ben")
    assert (ran.code, ran.out) == (4, "")
    assert "version 2 since version 1" in ran.err
    assert json.loads(cli("case", "show", name, "--json").out)["notes"] == "first"


def test_a_review_of_two_labels_by_words(cli: Cli) -> None:
    name = new(cli, "--set", "risk=high", "--set", "consequence=a fine")
    cli("case", "submit", name)
    assert cli("review", "approve", name).code == 2
    assert cli("review", "approve", name, by="ben").code == 2
    labeled = cli(
        "review", "approve", name, "--risk", "critical", "--behavior", "answer", "--source", ARTICLE, by="ben"
    )
    assert labeled.code == 0
    assert "needs an adjudication" in labeled.out
    label = ("--risk", "high", "--behavior", "answer", "--source", ARTICLE)
    assert cli("review", "adjudicate", name, *label, by="ben").code == 2
    assert "✓ approved" in cli("review", "adjudicate", name, *label, by="carla").out
    assert cli("review", "approve", name, by="carla").code == 4
    assert "(withdrawn)" not in cli("case", "show", name).out
    assert cli("review", "withdraw", name, "--reason", "mistaken", by="carla").code == 0
    assert cli("case", "show", name).out.count("(withdrawn)") == 1


def test_a_gap_stops_with_one(cli: Cli) -> None:
    approved(cli)
    ran = cli("suite", "release", "full", by="carla")
    assert (ran.code, ran.out) == (1, "")
    assert "all cases: has 1, needs 30" in ran.err
    assert "all cases: has 1, needs 30" in cli("suite", "list").out
    assert cli("suite", "release", "full", "--waive", "a start", by="carla").code == 0
    assert cli("suite", "release", "rules").code == 2


def test_the_app_needs_a_terminal(cli: Cli) -> None:
    ran = cli()
    assert (ran.code, ran.out) == (2, "")
    assert "terminal" in ran.err


def test_a_workspace_that_is_named_is_that_very_folder(desk: Desk, bare: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    inner = desk.root / "datasets"
    assert bare("-w", inner, "docs", "list").code == 3
    assert bare("-w", desk.root / "typo", "docs", "list").code == 3
    monkeypatch.chdir(inner)
    assert "regulation" in bare("docs", "list").out
    assert cases.count(desk.ada) == 0


def test_settings_that_are_wrong_name_the_key(desk: Desk, cli: Cli) -> None:
    (desk.root / "curator.toml").write_text(SETTINGS + "\n[suits.x]\n")
    ran = cli("docs", "list")
    assert (ran.code, ran.out) == (3, "")
    assert "suits: no such key" in ran.err


def test_the_next_case_is_handed_out_once(cli: Cli, desk: Desk) -> None:
    name = desk.submitted().case.id
    assert cli("review", "next", by="ben").out.strip() == f"{name}  approval"
    other = cli("review", "next", by="carla")
    assert (other.out, other.err.strip(), other.code) == ("", "nothing waits for you", 0)
    taken = cli("review", "approve", name, by="carla")
    assert taken.code == 4
    assert "ben has the approval" in taken.err
    assert name in cli("review", "queue", by="ben").out
    assert "given back: 1" in cli("review", "queue", "--let-go", by="ben").err
    assert cli("review", "approve", name, by="carla").code == 0


def test_a_workspace_is_backed_up_and_restored_and_a_ruined_database_put_back(
    cli: Cli, desk: Desk, tmp_path: Path
) -> None:
    name = desk.case().case.id
    assert cli("backup", tmp_path / "all.zip").out.strip() == str(tmp_path / "all.zip")
    assert cli("backup", tmp_path / "all.zip").code == 4
    assert cli("restore", tmp_path / "all.zip", tmp_path / "again").code == 0
    assert name in cli("case", "list", "-w", tmp_path / "again").out
    assert cli("restore", tmp_path / "all.zip").code == 2
    hidden = desk.root / ".curator"
    os.utime(hidden / ".gitignore", (1000, 1000))
    assert cli("case", "list").code == 0  # makes the copy of the day
    desk.workspace.close()
    (hidden / "curator.db").write_bytes(b"ruined" * 1000)
    ran = cli("case", "list")
    assert ran.code == 74
    assert "curator doctor" in ran.err
    looked = cli("doctor")
    assert looked.code == 1
    assert "curator restore --here" in looked.err
    assert cli("restore", "--here").code == 0
    assert name in cli("case", "list").out
