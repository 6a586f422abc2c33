"""`curator suite` after a first release: the dry run, marks, comparing, verifying, yanking, fetching the holdout."""

from __future__ import annotations

import json
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest

from curator.services import cases, partitions, release, review
from curator.store import sources
from tests.cli.conftest import Cli
from tests.services.desk import ARTICLE, Desk, desks

ROOT = Path(__file__).parents[2]


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


def rows(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


def test_all_sources_of_the_cited_documents_are_a_corpus(cli: Cli, desk: Desk) -> None:
    with desk.ada.db.read() as tx:
        every = {s.id for s in sources.sources(tx, "regulation")}
    assert "has nothing new" in cli("suite", "release", "rules", "--sources", "cited", "--dry-run", by="carla").out
    assert cli("suite", "release", "rules", "--sources", "some", by="carla").code == 2
    said = "sources.jsonl: all sources of the cited documents; before: the cited sources (patch)"
    tried = cli("suite", "release", "rules", "--sources", "all", "--dry-run", by="carla")
    assert "rules would be 1.0.1 after 1.0.0, patch" in tried.out
    assert said in tried.out
    assert cli("suite", "release", "rules", "--sources", "all", by="carla").code == 0
    folder = desk.root / "exports" / "rules" / "1.0.1"
    assert {row["id"] for row in rows(folder / "sources.jsonl")} == every > {ARTICLE}
    assert "Who wins the cup?" not in "".join(path.read_text("utf-8") for path in folder.iterdir())
    assert said.partition(": ")[2] in (folder / "CHANGES.md").read_text("utf-8")
    assert "sources" not in json.loads((folder.parent / "1.0.0" / "manifest.json").read_text("utf-8"))
    assert cli("suite", "verify", "rules").code == 0
    for version in ("1.0.0", "1.0.1"):
        manifest = folder.parent / version / "manifest.json"
        assert "the same bytes" in cli("suite", "release", "--reproduce", manifest).out
    assert "has nothing new" in cli("suite", "release", "rules", "--sources", "all", by="carla").out
    assert said in cli("suite", "diff", "1.0.0", "1.0.1", "--fail-on", "minor").out
    assert "before: all sources" in cli("suite", "release", "rules", "--dry-run", by="carla").out

    assert cli("export", "rules", "--to", "ir").code == 0
    place = folder.parent / "1.0.1.targets" / "ir"
    corpus, asked = ({row["_id"] for row in rows(place / "beir" / f"{n}.jsonl")} for n in ("corpus", "queries"))
    judged = [line.split(" ") for line in (place / "qrels.trec").read_text("utf-8").splitlines()]
    table = [line.split("\t") for line in (place / "beir" / "qrels" / "test.tsv").read_text("utf-8").splitlines()]
    assert corpus == every
    assert {query for query, *_ in judged} == asked == {on(desk, "dev")}
    assert [(q, d, grade) for q, _, d, grade in judged] == [tuple(row) for row in table[1:]]
    assert {d for _, _, d, _ in judged} <= corpus
    assert not (place / "beir.cited").exists()
    assert f"beir/ holds all {len(every)} sources" in (place / "LOST.md").read_text("utf-8")
    check = ROOT.parent / "shared" / "evaluators" / "ir" / "check.py"
    if not (check.is_file() and find_spec("ir_measures") and find_spec("pytrec_eval")):
        pytest.skip("ir_measures, or the acceptance check beside the repository, is not here")
    done = subprocess.run([sys.executable, str(check), str(place)], capture_output=True, text=True)
    assert done.stdout.startswith("PASS "), done.stdout + done.stderr
