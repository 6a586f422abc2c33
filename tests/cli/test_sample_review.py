"""`curator sample-review` as people use it: drawn, rated by one, given on paper by another, told and exported."""

from __future__ import annotations

import json

import pytest

from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, MEASLES, Desk

RUN = "runs/fts-rules-1.0.0/run.jsonl"


@pytest.fixture
def drawn(desk: Desk, cli: Cli) -> list[str]:
    """The cases of a sample of two outputs."""
    desk.write_settings((desk.root / "curator.toml").read_text().replace("holdout = 0.25", "holdout = 0"))
    desk.approved("What does a late report cost?", ARTICLE)
    desk.approved("How long does a child with measles stay away?", MEASLES)
    assert cli("suite", "release", "rules", by="carla").code == 0
    assert cli("baseline", "fts", "rules").code == 0
    made = cli("sample-review", "rules", "--run", desk.root / RUN, "--n", 20, "--seed", 3)
    assert made.code == 0, made.err
    assert made.out.startswith("sample 1 drawn: 2 outputs of curator baseline fts on rules 1.0.0: 2 2x (thin)")
    assert "only 2 cases there" in made.err
    names: list[str] = json.loads(cli("sample-review", "show", 1, "--json").out)["caseIds"]
    return names


def test_one_rates_here_and_one_on_paper(desk: Desk, cli: Cli, drawn: list[str]) -> None:
    again = cli("sample-review", "draw", "rules@1.0.0", "--run", desk.root / RUN, "-n", 20, "--seed", 3)
    assert again.out.startswith("sample 1 was drawn before")
    for name in drawn:
        shown = cli("sample-review", "show", 1, name).out
        assert "reference answer: Up to 10 million euro." in shown
        assert "output (answer):" in shown
        assert cli("sample-review", "rate", 1, name, "-c", 4, "-a", 5, "--note", "one [/x] slip").code == 0
    assert "2 of 2" in cli("sample-review", "list").out
    early = cli("sample-review", "results", 1)
    assert (early.code, early.out) == (4, "")
    assert cli("sample-review", "finish", 1).out == "sample 1 finished: 2 rated\n"
    assert cli("sample-review", "rate", 1, drawn[0], "-c", 1).code == 4
    table = desk.root / "paper.jsonl"
    rows = [{"caseId": n, "rater": "ben", "completeness": 2, "accuracy": "5"} for n in drawn]
    table.write_text("".join(json.dumps(r) + "\n" for r in [*rows, {"caseId": "x", "rater": "ben"}]))
    taken = cli("sample-review", "import", 1, table, "--finish", by="carla")
    assert (taken.code, taken.out) == (3, "2 new, 0 changed, 0 the same, 1 rejected\n")
    assert "! line 3, caseId: no case x in sample 1" in taken.err
    told = cli("sample-review", "results", 1, by="carla").out
    assert "2 raters finished" in told
    assert ["completeness", "all", "2", "4", "3.00", "1.38-4.62", "bounded", "!", "thin"] in map(
        str.split, told.splitlines()
    )
    assert "agreement on completeness, 2 cases by 2 raters" in told
    made = cli("sample-review", "export", "rules", "-o", desk.root / "out.jsonl")
    assert made.out.strip() == str(desk.root / "out.jsonl")
    kinds = [json.loads(line)["kind"] for line in (desk.root / "out.jsonl").read_text().splitlines()]
    assert kinds == ["sample"] + ["summary"] * 4 + ["rating"] * 4


def test_what_is_not_there_is_said_in_one_line(cli: Cli) -> None:
    for words, code, says in (
        (("draw", "nosuch", "--run", "nowhere.jsonl"), 3, "no release nosuch"),
        (("rules",), 2, "--run"),
        (("results", 9), 3, "no sample 9"),
    ):
        done = cli("sample-review", *words)
        assert (done.code, done.out) == (code, ""), words
        assert says in done.err
