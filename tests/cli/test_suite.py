"""`curator suite` after a first release: the dry run, marks, comparing, verifying, yanking, fetching the holdout."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from curator.services import cases, partitions, release, review
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, Desk, desks


@pytest.fixture(scope="module")
def first(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rules 1.0.0: one case in dev, a refusal in the holdout."""
    folder = tmp_path_factory.mktemp("first")
    opens = desks(original, folder)
    desk = next(opens)()
    shown = desk.approved("What does a late report cost?", ARTICLE).case.id
    hidden = desk.approved(
        "Who wins the cup?", "", expectedBehavior="refuse", refusalReason="out_of_scope", referenceAnswer=""
    ).case.id
    for name, side in ((shown, "dev"), (hidden, "holdout")):
        if cases.get(desk.ada, name).side != side:
            partitions.move(desk.carla, name, "dev" if side == "dev" else "holdout", "for the test")
    assert release.release(desk.carla, "rules").version == "1.0.0"
    next(opens, None)
    return folder / "desk"


@pytest.fixture
def desk(first: Path, tmp_path: Path) -> object:
    opens = desks(first, tmp_path)
    yield next(opens)()
    next(opens, None)


def on(desk: Desk, side: str) -> str:
    return next(c.id for c in cases.page_of(desk.ada) if cases.get(desk.ada, c.id).side == side)


def test_from_a_dry_run_to_a_pull_request(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    name, hidden = on(desk, "dev"), on(desk, "holdout")
    assert "rules has nothing new since 1.0.0" in cli("suite", "release", "rules", "--dry-run").out
    for case, changed in ((name, {"reference_answer": "It is up to 10 million euro."}),
                          (hidden, {"turns": ("Who takes the cup?",)})):  # fmt: skip
        record = cases.get(desk.ada, case)
        cases.save(desk.ada, record.case.model_copy(update=changed), record.version)
        cases.submit(desk.ada, [case])
        review.approve(desk.ben, case)
    ran = cli("suite", "release", "rules", "--dry-run")
    assert "rules would be 2.0.0 after 1.0.0, major" in ran.out
    assert "{+It is up+} to 10 million euro." in ran.out.replace("[-Up-] ", "")
    assert f"major  {hidden} changed: turns\n" in ran.out
    assert "cup" not in ran.out
    assert cli("suite", "editorial", name, "--reason", "clearer").code == 2  # ada changed it
    assert cli("suite", "editorial", name, hidden, "--reason", "clearer", by="ben").code == 0
    ran = cli("suite", "release", "rules", by="carla")
    assert "rules released 1.0.1 after 1.0.0, patch" in ran.out
    ran = cli("suite", "diff", "1.0.0", "rules")
    assert ran.out.startswith("rules 1.0.0 → 1.0.1: patch; 2 changed; 2 → 2 cases; holdout: compared\n")
    assert "reason: clearer (ben: wording alone)" in ran.out
    assert "cup" not in ran.out
    assert cli("suite", "diff", "1.0.0", "1.0.1", "--fail-on", "minor").code == 0
    assert cli("suite", "diff", "1.0.0", "1.0.1", "--fail-on", "patch").code == 1
    told = json.loads(cli("suite", "diff", "rules@1.0.0", "rules@1.0.1", "--json").out)
    assert {c["id"]: c["isHidden"] for c in told["changes"]} == {name: False, hidden: True}
    page = cli("suite", "diff", desk.root / "exports/rules/1.0.0", desk.root / "exports/rules/1.0.1", "--markdown").out
    assert page.startswith("### rules 1.0.0 → 1.0.1: patch\n")
    assert "**It is up** to 10 million euro." in page
    for words, code in ((("1.0.0", "9.0.0"), 3), (("1.0.0", "no/where"), 3), (("1.0.0", "rules", "--fail-on", "x"), 2),
                        (("1.0.0", "rules", "--json", "--markdown"), 2), (("X", "1.0.0"), 2)):  # fmt: skip
        assert cli("suite", "diff", *words).code == code, words
    dev = desk.root / "exports/rules/1.0.1/dev.jsonl"
    dev.write_bytes(dev.read_bytes().replace(b"million", b"billion"))
    assert cli("suite", "diff", "1.0.0", "1.0.1").code == 1
    ran = cli("suite", "verify", "rules@1.0.1")
    assert ran.code == 1
    assert f"dev.jsonl line 1 {name}: not the line that was released: referenceAnswer" in ran.out
    assert json.loads(cli("suite", "verify", "rules@1.0.0", "--json").out)["versions"][0]["recorded"] is True


def test_yanked_and_fetched(cli: Cli, desk: Desk, tmp_path: Path) -> None:
    to = tmp_path / "holdout"
    fetch = ("suite", "fetch-holdout", "rules@1.0.0", "--to", to)
    assert cli(*fetch, by="carla").code == 2  # no reason
    assert cli(*fetch, "--reason", "the yearly test", by="dan").code == 2
    assert cli(*fetch, "--reason", "the yearly test", by="carla").code == 0
    assert [p.name for p in to.iterdir()] == ["holdout.jsonl"]
    assert "the yearly test" in cli("partition", "ledger", by="carla").out
    assert cli(*fetch, "--reason", "again", by="carla").code == 4
    inside = desk.root / "exports" / "out"
    assert cli("suite", "fetch-holdout", "rules@1.0.0", "--to", inside, "--reason", "x", by="carla").code == 2
    assert cli("suite", "yank", "rules", "--reason", "wrong", by="carla").code == 2
    assert cli("suite", "yank", "rules@1.0.0", "--reason", "wrong", by="ben").code == 2
    assert "rules 1.0.0 is yanked: wrong" in cli("suite", "yank", "rules@1.0.0", "--reason", "wrong", by="carla").out
    assert cli("suite", "yank", "rules@1.0.0", "--reason", "wrong", by="carla").code == 4
    assert "(yanked: 1.0.0)" in cli("suite", "list").out
    ran = cli("suite", "verify", "rules@1.0.0")
    assert (ran.code, "1.0.0 is yanked by carla" in ran.err) == (0, True)
    assert cli("export", "rules@1.0.0", "--to", "ragas").code == 1
    assert "! rules 1.0.0 is yanked by carla" in cli("suite", "diff", "rules@1.0.0", "rules@1.0.0").out
    for wrong, code in (("regulation", 2), ("regulation=7", 3), ("regulation=1", 0)):
        ran = cli("suite", "release", "rules", "--dry-run", "--hold-stale", "--revision", wrong)
        assert ran.code == code, wrong
