"""Revisions from the command line: ingest, re-confirm, rename, compare."""

from __future__ import annotations

import json
from pathlib import Path

from curator.services import cases
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, ARTICLES, MEASLES, ROWS, Desk, write_pdf

AMENDED = tuple((title, text.replace("up to 10 million", "up to 12 million")) for title, text in ARTICLES)


def changed(tmp_path: Path) -> Path:
    return write_pdf(tmp_path / "regulation.pdf", articles=AMENDED, rows=(ROWS[0], *ROWS[2:]))


def test_a_changed_file_is_a_revision_when_it_is_said_and_only_then(cli: Cli, tmp_path: Path) -> None:
    path = changed(tmp_path)
    refused = cli("ingest", path)
    assert (refused.code, refused.out) == (3, "")
    assert "`--revision-of regulation` takes it as a new revision" in refused.err
    dry = cli("ingest", path, "--yes", "--dry-run", "--json")
    assert json.loads(dry.out)["changed"] == 1
    assert cli("docs", "reconfirm", "list", "--check").code == 0
    done = cli("ingest", path, "--yes", "--revision", "2026")
    assert (done.code, done.out.split()[:2]) == (0, ["regulation", "changed"])
    assert "revision 2026: 4 SAME, 1 CHANGED, 1 LOST" in done.err
    assert cli("ingest", path).out.split()[:2] == ["regulation", "same"]
    waiting = cli("docs", "reconfirm", "list", "--check")
    assert waiting.code == 1
    assert [line.split()[0] for line in waiting.out.splitlines()[1:]] == [ARTICLE, MEASLES]


def test_another_file_under_the_name_is_not_taken_for_a_revision_by_yes(cli: Cli, tmp_path: Path) -> None:
    other = write_pdf(
        tmp_path / "regulation.pdf", articles=(("Article 1. Bees", "Hives stand in the shade of trees."),), rows=()
    )
    assert cli("ingest", other, "--yes").code == 3
    assert cli("ingest", other, "--revision-of", "regulation").code == 0


def test_re_confirming_by_hand(desk: Desk, cli: Cli, tmp_path: Path) -> None:
    name = desk.approved().case.id
    cli("ingest", changed(tmp_path), "--yes")
    assert "✓ approved  ! stale" in cli("case", "list").out
    shown = cli("docs", "reconfirm", "show", ARTICLE)
    assert "[-10-] {+12+} million" in shown.out
    assert json.loads(cli("docs", "reconfirm", "show", ARTICLE, "--json").out)["wait"]["cases"] == 1
    assert cli("docs", "reconfirm", "accept").code == 2
    assert cli("docs", "reconfirm", "accept", MEASLES).code == 2
    assert cli("docs", "reconfirm", "list", "--verdict", "odd").code == 2
    assert cli("docs", "reconfirm", "show", "regulation:article-6").code == 3
    assert cli("docs", "reconfirm", "accept", "--formal").err.endswith("nothing of that kind waits\n")
    done = cli("docs", "reconfirm", "accept", ARTICLE, by="ben")
    assert (done.code, done.out) == (0, f"{ARTICLE}  accepted\n")
    assert cases.get(desk.ada, name).status == "approved"
    assert "stale" not in cli("case", "list").out
    assert cli("docs", "reconfirm", "drop", MEASLES, "--reason", "no longer listed", "--json", by="ben").code == 0
    assert cli("docs", "reconfirm", "list", "--check").code == 0
    assert cli("case", "undo", by="ben").out == f"undone: reconfirmed {MEASLES}\n"
    undone = cli("case", "undo", by="ben")
    assert undone.out.splitlines() == [f"undone: reconfirmed {ARTICLE}", f"undone: reconfirmed 1 case: {name}"]
    chosen = cli("docs", "reconfirm", "choose", MEASLES, "regulation.table-2:mumps", "--json")
    assert json.loads(chosen.out)["sources"] == [MEASLES]
    assert json.loads(cli("docs", "reconfirm", "list", "--cited", "--json").out)["sources"][0]["sourceId"] == ARTICLE


def test_names_and_differences(desk: Desk, cli: Cli, tmp_path: Path) -> None:
    assert cli("docs", "diff", "regulation").code == 2
    cli("ingest", changed(tmp_path), "--revision-of", "regulation")
    told = cli("docs", "diff", "regulation")
    assert "[-10-] {+12+} million" in told.out
    assert f"gone  {MEASLES}" in told.out
    assert "regulation@1 against regulation@2: 4 same, 1 changed, 1 gone" in told.err
    back = json.loads(cli("docs", "diff", "regulation@2", "regulation@1", "--json").out)
    assert back["counts"] == {"same": 4, "changed": 1, "new": 1}
    assert cli("docs", "diff", "regulation", "regulation").err.endswith(": 6 same\n".replace("6", "5"))
    assert cli("docs", "diff", "regulation@9").code == 3
    assert cli("docs", "rename", "regulation", "Rules").out == "document regulation is rules\n"
    assert json.loads(cli("docs", "rename", "regulation:article-8", "regulation:appeals", "--json").out) == {
        "kind": "source", "before": "regulation:article-8", "after": "regulation:appeals",
    }  # fmt: skip
    assert cli("docs", "show", "regulation").out.startswith("rules: ")
    assert cli("docs", "rename", "regulation:nothing", "regulation:x").code == 3
    assert cli("docs", "rename", "rules", "../up").code == 2
    assert cli("case", "undo").out == "undone: renamed regulation:article-8\n"
