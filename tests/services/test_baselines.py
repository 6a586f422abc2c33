"""Baselines: runs in the published form, over what is open, and over the holdout only with an entry in the ledger."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from curator.errors import Conflict, InputError, UsageError
from curator.services import ledger
from curator.services.baselines import baseline
from curator.services.release import release
from tests.services.desk import ARTICLE, MEASLES, SIBLING, Desk

SCHEMA = Path(__file__).parents[3] / "shared" / "evaluators" / "_canonical"


@pytest.fixture
def released(desk: Desk) -> Desk:
    desk.approved("What does a late report cost?", ARTICLE)
    desk.approved(
        "", SIBLING, turns=["Who hears an appeal?", "Within how many days is it lodged at the regional office?"]
    )
    desk.approved("How long does a child with measles stay away?", MEASLES)
    desk.approved("zzz qqq xxx?", "", expectedBehavior="refuse", refusalReason="out_of_scope", referenceAnswer="")
    release(desk.carla, "rules")
    return desk


def lines(folder: str) -> dict[str, dict[str, Any]]:
    text = (Path(folder) / "run.jsonl").read_text()
    return {line["caseId"]: line for line in map(json.loads, text.splitlines())}


def test_lead3_answers_with_the_first_three_paragraphs_whatever_is_asked(released: Desk) -> None:
    made = baseline(released.ada, "lead3", "rules")
    found = lines(made.folder)
    assert made.folder == str(released.root / "runs" / "lead3-rules-1.0.0")
    assert len(found) == made.cases > 0
    for line in found.values():
        assert [r["rank"] for r in line["retrieved"]] == [1, 2, 3]
        assert line["retrieved"][0]["id"].startswith("regulation:")
        assert line["answer"].startswith(line["retrieved"][0]["text"])
        assert [c["sourceId"] for c in line["citations"]] == [r["id"] for r in line["retrieved"]]


def test_fts_finds_what_the_words_say_and_refuses_where_there_is_nothing(released: Desk) -> None:
    made = baseline(
        released.carla, "fts", "rules@1.0.0".partition("@")[0], "1.0.0", hits=4, holdout_reason="a first look"
    )
    found = lines(made.folder)
    assert len(found) == 4
    asked = {line["answer"][:20]: line for line in found.values()}
    nothing = asked[""]
    assert (nothing["behavior"], nothing["retrieved"], made.empty) == ("refuse", [], 1)
    tops = {line["retrieved"][0]["id"] for line in found.values() if line["retrieved"]}
    assert {ARTICLE, MEASLES} <= tops
    (follow,) = [line for line in found.values() if line["turns"]]
    assert [(t["turn"], t["behavior"]) for t in follow["turns"]] == [(1, "answer")]
    (entry,) = ledger.entries(released.ada)
    assert (entry.how, entry.suite, entry.version, entry.reason) == ("baseline", "rules", "1.0.0", "a first look")


def test_the_same_baseline_is_the_same_run(released: Desk, tmp_path: Path) -> None:
    one, two = (baseline(released.ada, "fts", "rules", folder=tmp_path / n) for n in ("a", "b"))
    assert (Path(one.folder) / "run.jsonl").read_bytes() == (Path(two.folder) / "run.jsonl").read_bytes()
    with pytest.raises(Conflict, match="exists"):
        baseline(released.ada, "fts", "rules", folder=tmp_path / "a")


def test_a_baseline_needs_a_release_and_the_holdout_a_lead(released: Desk) -> None:
    with pytest.raises(InputError, match=r"no release rules@9\.9\.9"):
        baseline(released.ada, "lead3", "rules", "9.9.9")
    with pytest.raises(UsageError, match="may not see the holdout"):
        baseline(released.ada, "lead3", "rules", holdout_reason="curious")
    assert not (released.root / "runs").exists()


def test_the_run_is_of_the_published_form(released: Desk) -> None:
    if not SCHEMA.exists():
        pytest.skip("the schema of a run is not beside this repository")
    import jsonschema

    made = baseline(released.ada, "fts", "rules")
    schema = json.loads((SCHEMA / "run.schema.json").read_text())
    for line in lines(made.folder).values():
        jsonschema.validate(line, schema)
    settings = json.loads((Path(made.folder) / "run.json").read_text())
    jsonschema.validate(settings, schema["$defs"]["settings"])
    check = [sys.executable, SCHEMA / "check.py", "--run", made.folder]
    done = subprocess.run(check, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
