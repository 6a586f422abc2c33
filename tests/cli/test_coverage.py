"""`coverage`, `gaps`, `quota`, `partition` and `baseline` as a person types them."""

from __future__ import annotations

import json

import pytest

from curator.services import cases
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, MEASLES, SETTINGS, Desk

QUOTA = '\n[[suites.rules.quotas]]\nwhere = { domain = "rules", lengthStratum = "2x" }\nminimum = 2\n'


@pytest.fixture
def covered(desk: Desk) -> Desk:
    (desk.root / "datasets" / "lengths.csv").write_text("document,pages\nA,1\nB,1\nC,1\nD,2\nE,6\n")
    lengths = 'profile = "datasets/lengths.csv"\nas_of = "2026-02-01"\nmax_age_days = 9999'
    desk.write_settings(SETTINGS.replace("median = 1", lengths) + QUOTA)
    desk.approved(source=ARTICLE)
    return desk


def test_a_check_says_each_gap_with_its_next_step_and_clears_when_it_is_filled(covered: Desk, cli: Cli) -> None:
    done = cli("coverage", "--suite", "rules", "--check")
    assert done.code == 1
    (line,) = done.out.splitlines()
    assert line.startswith("rules: domain rules × length 2x: has 1, needs 2 → approve 1 more case, such as on")
    assert cli("suite", "release", "rules", by="carla").code == 1
    covered.approved("How long does a child with measles stay away?", MEASLES)
    done = cli("coverage", "--suite", "rules", "--check")
    assert (done.code, done.out) == (0, "every quota is met\n")
    assert cli("suite", "release", "rules", by="carla").code == 0


def test_a_refused_release_says_one_line_for_each_obstacle(covered: Desk, cli: Cli) -> None:
    done = cli("suite", "release", "rules", by="carla")
    assert done.code == 1
    lines = done.err.splitlines()
    assert any(n.startswith("! domain rules × length 2x: has 1, needs 2 → approve 1 more case") for n in lines)
    assert lines[-1].startswith("curator: 1 gap: ")


def test_every_form_of_the_report(covered: Desk, cli: Cli) -> None:
    told = cli("coverage", "--suite", "rules", "--by", "risk")
    assert told.code == 0
    assert "1 case on 1 document" in told.out or "1 case:" in told.out
    report = json.loads(cli("coverage", "--suite", "rules", "--json").out)
    assert report["quotas"][0]["missing"] == 1
    assert report["grid"]["cells"][0][1]["glyph"] == "!"
    assert report["assumptions"].startswith("Assumed: 80% right")
    assert cli("coverage", "--markdown").out.startswith("# Coverage: all cases")
    target = covered.root / "coverage.html"
    assert cli("coverage", "--suite", "rules", "--html", "-o", target).code == 0
    assert target.read_text() == cli("coverage", "--suite", "rules", "--html").out or target.stat().st_size > 5000
    assert cli("coverage", "--html", "--json").code == 2
    assert cli("coverage", "--by", "size").code == 2
    (case,) = cases.page_of(covered.ada)
    assert case.id in cli("coverage", "--cell", "domain=rules,lengthStratum=2x").out
    assert "2 pages of regulation / 1 = 2.0x" in cli("coverage", "--case", case.id).out


def test_gaps_and_quotas(covered: Desk, cli: Cli) -> None:
    assert "regulation  pp. " in cli("gaps", "--suite", "rules").out
    assert json.loads(cli("gaps", "--json").out)[1]["suite"] == "rules"
    done = cli("quota", "preview", "rules", "--preset", "regulated")
    assert "! domain=rules × lengthStratum=10x" in done.out
    assert "at least 29 more" in done.err
    assert cli("quota", "set", "rules", "--quota", "risk=low:x", by="carla").code == 2
    assert cli("quota", "set", "rules", "--quota", "risk=lowest:2", by="carla").code == 2
    wanted = ("--quota", "risk=low:1", "--quota", "domain=*,risk=low:10%")
    assert cli("quota", "set", "rules", *wanted, by="carla").code == 0
    assert cli("coverage", "--suite", "rules", "--check").code == 0
    shares = cli("quota", "allocate", 20, "--method", "proportional").out.splitlines()
    assert [line.split()[:3] for line in shares[1:4]] == [["base", "3", "12"], ["2x", "1", "4"], ["5x", "1", "4"]]
    assert cli("quota", "allocate", 20, "--method", "neyman").code == 2
    weighed = cli("quota", "weigh", "rules", by="carla")
    assert (weighed.code, weighed.out) == (0, "lengthStratum=2x: 1\n")
    assert "no case of base, 5x" in weighed.err
    (case,) = cases.page_of(covered.ada)
    record = cases.get(covered.ada, case.id)
    assert [(a.name, a.value) for a in record.case.attributes] == [("weight", "1")]
    assert record.status == "approved"


def test_partitions_ledger_and_baselines(covered: Desk, cli: Cli) -> None:
    covered.approved("How long does a child with measles stay away?", MEASLES)
    assert cli("suite", "release", "rules", by="carla").code == 0
    assert cli("partition", "check").code == 0
    assert "rules / answer" in cli("partition", "show").out
    hidden = next((c.id for c in cases.page_of(covered.ada) if cases.get(covered.ada, c.id).side == "holdout"), "")
    name = hidden or cases.page_of(covered.ada)[0].id
    assert cli("partition", "assign", name, "--to", "dev" if hidden else "holdout", by="carla").code == 2
    moved = cli(
        "partition", "assign", name, "--to", "dev" if hidden else "holdout", "--reason", "a test", by="carla"
    )  # fmt: skip
    assert moved.code == 0
    assert "a major version of rules" in moved.err
    back = cli("partition", "assign", name, "--to", "holdout" if hidden else "dev", "--reason", "back", by="carla")
    assert back.code == 0
    assert cli("partition", "ledger", "--record", "rules@1.0.0", "--reason", "audit", by="carla").code == 0
    entries = json.loads(cli("partition", "ledger", "--json").out)["entries"]
    assert [e["reason"] for e in entries] == ["audit"]
    done = cli("baseline", "lead3", "rules", "-o", covered.root / "lead")
    assert done.code == 0
    assert (covered.root / "lead" / "run.jsonl").exists()
    assert cli("baseline", "fts", "rules@9.9.9").code == 3


def test_showing_a_holdout_case_is_entered_and_an_engineer_is_refused(covered: Desk, cli: Cli) -> None:
    from tests.services.test_partitions import set_side

    (case,) = cases.page_of(covered.ada)
    set_side(covered, case.id, "holdout")
    assert cli("case", "show", case.id).code == 0
    assert cli("case", "show", case.id, by="dan").code == 2
    assert case.id in cli("partition", "ledger").out
