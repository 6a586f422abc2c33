"""`curator gate`: a run in; a verdict, its reasons and an exit code out. A release alone is enough."""

from __future__ import annotations

import hashlib
import json
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from curator.cli.gate_text import lines
from curator.domain.gate_report import (
    Confusion,
    Counts,
    FailedCase,
    GateReport,
    JudgeRow,
    Measured,
    Rate,
    StratumRow,
    TargetRow,
)  # fmt: skip
from curator.services import ledger
from curator.services.release import release
from curator.store import cases as stored
from curator.store.cases import Change
from tests.cli.conftest import Cli, Ran
from tests.services.desk import ARTICLE, MEASLES, Desk

SAMPLES = Path(__file__).parents[2] / "exports" / "school-health" / "1.0.0"
Row = dict[str, Any]
Write = Callable[..., Path]
Gated = Callable[..., Ran]


def cases() -> Iterator[Row]:
    for name in ("dev", "followup_dev"):
        for line in (SAMPLES / f"{name}.jsonl").read_text("utf-8").splitlines():
            yield json.loads(line)


def right(case: Row) -> Row:
    """What a system that knows everything does with a case."""
    said = {"refuse": "The sources do not say anything about it.", "escalate": f"Please contact {case['escalateTo']}."}
    return {
        "caseId": case["id"],
        "answer": case["referenceAnswer"] or said[case["expectedBehavior"]],
        "behavior": case["expectedBehavior"],
        "retrieved": [
            {"id": name, "text": "", "rank": n, "score": 1} for n, name in enumerate(case["expectedSourceIds"], 1)
        ],
        "citations": [],
        "route": case["route"],
        "stageError": "",
        "latencyMs": 10,
        "costUsd": 0.001,
        "turns": [],
    }


RIGHT = {case["id"]: right(case) for case in cases()}
CASES = {case["id"]: case for case in cases()}
REFUSALS = [n for n, c in CASES.items() if c["expectedBehavior"] == "refuse"]
RISKY = next(n for n, c in CASES.items() if c["expectedBehavior"] == "answer" and c["risk"] in ("high", "critical"))


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a run in which some cases are other than right; None leaves a case out."""

    def written(name: str = "run", changes: dict[str, Row | None] | None = None, **settings: str) -> Path:
        rows = [RIGHT[n] | c for n in RIGHT if (c := (changes or {}).get(n, {})) is not None]
        path = tmp_path / f"{name}.jsonl"
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), "utf-8")
        said = {"run": name, "suite": "school-health", "version": "1.0.0", "manifestSha256": "", "system": "a",
                "startedAt": "2026-01-01T00:00:00Z",
                "settings": [{"name": k, "value": v} for k, v in settings.items()]}  # fmt: skip
        path.with_suffix(".json").write_text(json.dumps(said))
        return path

    return written


@pytest.fixture
def gated(bare: Cli, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Gated:
    """Gates a run against the released folder, where no workspace is."""
    monkeypatch.chdir(tmp_path)
    return lambda run, *words: bare("gate", run, "--suite", SAMPLES, *words)


def report(ran: Ran) -> Row:
    found: Row = json.loads(ran.out)
    return found


def blocks(ran: Ran) -> dict[str, Row]:
    return {b["code"]: b for b in report(ran)["blocks"]}


def test_a_right_run_passes_and_fits_a_terminal(gated: Gated, write: Write) -> None:
    ran = gated(write())
    assert ran.code == 0, ran.err
    assert ran.out.startswith("✓ PASS  school-health 1.0.0, run run\n")
    assert max(map(len, ran.out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("changes", "code", "names"),
    [
        ({RISKY: {"retrieved": []}}, "mandatory-source", [RISKY]),
        ({REFUSALS[0]: {"behavior": "answer", "answer": "Surely."}}, "refusal-answered", [REFUSALS[0]]),
        ({REFUSALS[0]: {"behavior": "", "answer": "Blue."}}, "refusal-answered", [REFUSALS[0]]),
        ({RISKY: {"answer": "No idea."}}, "high-risk-lost", [RISKY]),
        (dict.fromkeys(list(RIGHT)[:3]), "too-few-results", []),
    ],
)
def test_what_blocks(
    gated: Gated, write: Write, changes: dict[str, Row | None], code: str, names: list[str]
) -> None:  # fmt: skip
    ran = gated(write("now", changes), "--baseline", write("before"), "--json")
    assert ran.code == 1
    assert list(blocks(ran)) == [code]
    assert blocks(ran)[code]["cases"] == names
    assert blocks(ran)[code]["step"]
    assert ran.err.splitlines()[-1].startswith("curator: blocked: ")


def test_an_id_of_the_systems_own_is_no_source_though_it_begins_like_one(gated: Gated, write: Write) -> None:
    entry = next(e for e in CASES[RISKY]["evidence"] if e["role"] == "required")
    name = entry["sourceId"].partition(":")[0] + ":chunk-9"
    text = " | ".join([*entry["tableHeader"], entry["quote"]])
    held = [{"id": name, "text": text, "rank": 1, "score": 1}]
    assert gated(write(changes={RISKY: {"retrieved": held, "citations": []}})).code == 0
    assert gated(write(changes={RISKY: {"retrieved": [held[0] | {"text": "Other."}]}})).code == 1


def test_wrong_answers_that_no_target_could_block_are_watched(gated: Gated, write: Write, tmp_path: Path) -> None:
    now = write(changes={RISKY: {"answer": "Blue."}})
    (told,) = report(gated(now, "--json"))["watch"]
    assert (told["code"], told["cases"]) == ("no-target", [RISKY])
    rules = tmp_path / "rules.toml"
    rules.write_text("[gate]\nnear = 0\n[[gate.targets]]\nminimum = 0.1\n")
    assert report(gated(now, "--config", rules, "--json"))["watch"] == []


def test_not_everything_can_come_first(gated: Gated, write: Write) -> None:
    first = [{"id": f"other:{n}", "text": "", "rank": 1, "score": 1} for n in range(10)]
    found = [*first, *({**e, "rank": 1} for e in RIGHT[RISKY]["retrieved"])]
    ran = gated(write(changes={RISKY: {"retrieved": found}}), "--json")
    assert (ran.code, list(blocks(ran))) == (1, ["mandatory-source"])
    assert next(f for f in report(ran)["failed"] if f["caseId"] == RISKY)["stage"] == "ranking"


def test_cases_that_are_left_out_are_told_with_what_the_baseline_passed(gated: Gated, write: Write) -> None:
    ran = gated(write("now", {RISKY: None}), "--baseline", write("before"), "--json")
    (told,) = [w for w in report(ran)["watch"] if w["code"] == "missing"]
    assert (ran.code, told["cases"]) == (0, [RISKY])
    assert told["text"] == "1 case has no result, 1 of high risk that the baseline passed"


def test_a_broken_harness_says_nothing(gated: Gated, write: Write) -> None:
    dead = {"stageError": "harness: reset", "answer": "", "behavior": "", "retrieved": []}
    ran = gated(write(changes=dict.fromkeys(list(RIGHT)[:2], dead)))
    assert ran.code == 3
    assert ran.out.startswith("? NO VERDICT")
    one = gated(write(changes={RISKY: dead}), "--json")
    assert (one.code, report(one)["counts"]["harness"], report(one)["harness"]) == (0, 1, [RISKY])


def test_targets_block_and_are_watched(gated: Gated, write: Write, tmp_path: Path) -> None:
    config = tmp_path / "rules.toml"
    config.write_text(
        "[gate]\nresults = 0.5\n[[gate.targets]]\nwhere = { route = '*' }\nminimum = 0.95\n"
        "[[gate.targets]]\nminimum = 0.95\n[[gate.targets]]\nwhere = { route = 'chat' }\nminimum = 0.5\n"
        "[[gate.targets]]\nsuite = 'other'\nminimum = 1\n"
    )
    ran = gated(write(changes={RISKY: {"answer": "No idea."}}), "--config", config, "--json")
    found = {t["name"]: t["state"] for t in report(ran)["targets"]}
    assert found[f"route = {CASES[RISKY]['route']}"] == "below"
    assert found["route = chat"] == "thin"
    assert found["all cases"] == "watch"
    assert ran.code == 1
    assert [w["code"] for w in report(ran)["watch"]] == ["near-target"]
    for text, said in (("measure = 'luck'", "luck"), ("where = { moon = 'full' }", "moon"), ("minimum = 2", "minimum")):
        config.write_text(
            f"[[gate.targets]]\nminimum = 0.5\n{text}\n".replace("minimum = 0.5\nminimum = 2", "minimum = 2")
        )
        wrong = gated(write(), "--config", config)
        assert wrong.code == 3
        assert said in wrong.err.splitlines()[-1]


def test_the_baseline_case_by_case_with_what_changed(gated: Gated, write: Write) -> None:
    now = write("now", {RISKY: {"answer": "No idea.", "latencyMs": 30}}, model="b", k="5", chunker="same")
    before = write("before", {REFUSALS[0]: {"behavior": "answer"}}, model="a", k="9", chunker="same")
    ran = gated(now, "--baseline", before, "--json")
    diff = report(ran)["diff"]
    assert [(c["caseId"], c["change"]) for c in diff["changed"]] == [(RISKY, "lost"), (REFUSALS[0], "gained")]
    assert (diff["changed"][0]["latencyMs"], diff["changed"][0]["beforeLatencyMs"]) == (30, 10)
    assert (diff["both"], diff["p"], diff["spent"]["timed"]) == (23, 1.0, 23)
    assert [(s["name"], s["before"], s["after"]) for s in diff["settings"]] == [("k", "9", "5"), ("model", "a", "b")]
    assert "2 settings differ" in next(w for w in report(ran)["watch"] if w["code"] == "settings")["text"]


@pytest.mark.parametrize("last", [False, True])
def test_of_a_case_that_is_answered_twice_the_worse_counts(gated: Gated, write: Write, last: bool) -> None:
    run = write()
    lines = run.read_bytes().splitlines()
    kinds = [json.loads(line) for line in lines]
    refused = next(r for r in kinds if r["behavior"] == "refuse")
    worse = json.dumps(refused | {"answer": "It is 5 days.", "behavior": "answer"}).encode()
    run.write_bytes(b"\n".join([*lines, worse] if last else [worse, *lines]) + b"\n")
    assert gated(run, "--json").code == 1


HOSTILE = [
    b'{"caseId":"x-000000","answer":NaN,"behavior":"","retrieved":[]}',
    b'{"caseId":"x-000000","answer":"' + b"a" * 10_000_100 + b'","behavior":"","retrieved":[]}',
    b'{"caseId":"x-000000","answer":["a"],"behavior":"","retrieved":[]}',
    b'{"caseId":"x-000000","answer":"","behavior":"maybe","retrieved":[]}',
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":[{"id":"a","text":"","rank":0,"score":1}]}',
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":[],"latencyMs":-1}',
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":[],"costUsd":1e308}',
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":[],"costUsd":1' + b"0" * 400 + b"}",
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":{},"costUsd":1e999}',
    b'{"caseId":"x-000000","answer":"","behavior":"","retrieved":[],"stageError":"brain"}',
    b'{"caseId":"\\u0000\\u001b[31m\\u202ehidden","answer":"","behavior":"","retrieved":[]}',
    b'{"answer":"","behavior":"","retrieved":[]}',
    b"[" * 100_000,
    b"\xff\xfe\x00",
    b"null",
    b"{}",
]


def test_a_hostile_run_gives_one_line_each(gated: Gated, write: Write) -> None:
    run = write()
    run.write_bytes(b"\n".join(HOSTILE) + b"\n\n" + run.read_bytes() + run.read_bytes().splitlines()[0])
    ran = gated(run, "--json")
    assert ran.code == 0, ran.err
    counts = report(ran)["counts"]
    assert (counts["scored"], counts["unknown"], counts["duplicates"]) == (23, 1, 1)
    assert counts["unreadable"] == len(HOSTILE) - 1
    assert len(ran.err.splitlines()) == len(HOSTILE) + 1  # one for each, and the stage
    assert max(map(len, ran.err.splitlines())) < 200


STRANGE = '{"caseId":"other-7k2m9q","answer":"","behavior":"","retrieved":[]}'


@pytest.mark.parametrize(
    ("text", "said"),
    [("", "empty"), ("hello\n", "no run of a form that is known"), (STRANGE, "none of its lines is of a case")],
)  # fmt: skip
def test_what_is_no_run_of_this_suite(gated: Gated, tmp_path: Path, text: str, said: str) -> None:
    run = tmp_path / "odd.jsonl"
    run.write_text(text)
    ran = gated(run)
    assert ran.code == 3
    assert said in ran.err.splitlines()[-1]


def test_a_run_of_another_version_is_refused(gated: Gated, write: Write) -> None:
    run = write()
    said = json.loads(run.with_suffix(".json").read_text())
    run.with_suffix(".json").write_text(json.dumps(said | {"version": "2.0.0"}))
    ran = gated(run)
    assert ran.code == 3
    assert "the run is of school-health 2.0.0" in ran.err


def test_a_suite_that_was_changed_is_refused(bare: Cli, write: Write, tmp_path: Path) -> None:
    copy = tmp_path / "1.0.0"
    shutil.copytree(SAMPLES, copy)
    (copy / "dev.jsonl").write_bytes((copy / "dev.jsonl").read_bytes().replace(b"Paracetamol", b"Ibuprofen!!"))
    ran = bare("gate", write(), "--suite", copy)
    assert ran.code == 1
    assert "not the bytes that were released" in ran.err


def test_markdown_and_junit(gated: Gated, write: Write, tmp_path: Path) -> None:
    left = list(RIGHT)[-1]
    run = write("a|b<i>", {RISKY: {"answer": "No idea."}, left: None})
    ran = gated(run, "--markdown", "--junit", tmp_path / "gate.xml", "--baseline", write("before"))
    assert ran.code == 1
    assert ran.out.startswith("## ❌ BLOCK: school-health 1")
    assert "<i>" not in ran.out
    root = ET.parse(tmp_path / "gate.xml").getroot()
    rules, tests = root.findall("testsuite")
    assert [t.get("name") for t in rules.iter("testcase")] == ["high-risk-lost"]
    assert {t.get("name") for t in tests.iter("testcase")} == set(RIGHT)
    assert [t.get("name") for t in tests.iter("testcase") if t.find("failure") is not None] == [RISKY]
    assert [t.get("name") for t in tests.iter("testcase") if t.find("skipped") is not None] == [left]


LIGHT = """
import sys
from curator.cli.main import run

class Absent:
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in ("textual", "sqlmodel", "sqlalchemy", "pypdf", "pypdfium2", "torch"):
            raise ModuleNotFoundError(f"No module named {name!r}", name=name)

sys.meta_path.insert(0, Absent())
for words in WORDS:
    code = run(words)
    assert code == 0, (words, code)
"""


def test_what_ci_runs_on_a_folder_needs_no_database_no_app_and_no_pdf_reader(write: Write, tmp_path: Path) -> None:
    folder = tmp_path / "exports" / "school-health" / "1.0.0"
    shutil.copytree(SAMPLES, folder)
    (tmp_path / "curator.toml").touch()  # the checkout of a workspace, without what git ignores
    commands = [
        ["gate", str(write()), "--suite", str(folder)],
        ["suite", "verify", str(folder)],
        ["suite", "diff", str(SAMPLES), str(folder)],
        ["export", str(folder), "--to", "ir"],
    ]
    words = [sys.executable, "-c", LIGHT.replace("WORDS", repr(commands))]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    assert f"{folder}: sound" in done.stdout
    assert "not compared with what this workspace recorded: sqlalchemy is not installed" in done.stderr
    assert not (tmp_path / ".curator").exists()


@pytest.fixture
def hidden(desk: Desk) -> tuple[Desk, str, str]:
    """A workspace with a release of one case in dev and one in the holdout."""
    open_case = desk.approved("What does a late report cost?", ARTICLE).case.id
    name = desk.approved("How long does a child with measles stay away?", MEASLES, mustNotClaim=["five weeks"]).case.id
    with desk.carla.write("release") as tx:
        sides = ((open_case, "dev"), (name, "holdout"))
        stored.change_many(tx, [Change(stored.get(tx, n), "assigned", {"side": s}) for n, s in sides])
    release(desk.carla, "rules")
    return desk, name, open_case


def test_a_gate_on_the_holdout_stands_in_the_ledger_and_tells_ids_alone(
    cli: Cli, bare: Cli, hidden: tuple[Desk, str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk, name, open_case = hidden
    run = tmp_path / "run.jsonl"
    rows = [right_of(n) | {"answer": "For five weeks.", "retrieved": []} for n in (name, open_case)]
    run.write_text("".join(json.dumps(row) + "\n" for row in rows))
    ran = cli("gate", run, "rules", "--holdout", "before 2.1 ships", by="dan")
    assert ran.code == 1
    assert name in ran.out
    assert open_case not in ran.out
    for kept in ("measles", "five weeks", MEASLES.partition(":")[0]):
        assert kept not in ran.out.casefold()
        assert kept not in cli("gate", run, "rules", "--holdout", "again", "--json", by="dan").out.casefold()
    assert [(e.how, e.actor, e.reason) for e in ledger.entries(desk.carla)][:1] == [("gate", "dan", "before 2.1 ships")]
    fetched = tmp_path / "fetched"
    assert (
        cli("suite", "fetch-holdout", "rules@1.0.0", "--to", fetched, "--reason", "a new system", by="carla").code == 0
    )
    assert name in cli("gate", run, "rules", "--suite", fetched).out
    words = ("gate", run, "--suite", fetched)
    run.with_suffix(".json").write_text(json.dumps({"suite": "rules", "version": "1.0.0", "run": "r", "system": "s"}))
    assert name in cli(*words).out
    assert ledger.entries(desk.carla)[-1].how == "gate"
    monkeypatch.chdir(tmp_path)
    assert bare(*words).code in (2, 3)  # no ledger here


def right_of(name: str) -> Row:
    """A line of a run for any case."""
    return next(iter(RIGHT.values())) | {"caseId": name, "route": "", "behavior": "answer"}


def test_what_both_trivial_baselines_pass_is_too_easy(bare: Cli, write: Write, tmp_path: Path) -> None:
    space = tmp_path / "space"
    shutil.copytree(SAMPLES, space / "exports" / "school-health" / "1.0.0")
    (space / "curator.toml").write_text("")
    easy, hard = RISKY, next(n for n in RIGHT if n not in (RISKY, *REFUSALS))
    for kind, right_ones in (("lead3", {easy, hard}), ("fts", {easy})):
        made = write(kind, {n: {"answer": "Blue.", "behavior": ""} for n in RIGHT if n not in right_ones})
        folder = space / "runs" / f"{kind}-school-health-1.0.0"
        folder.mkdir(parents=True)
        made.rename(folder / "run.jsonl")
    ran = bare("-w", space, "gate", write(), "school-health")
    assert ran.code == 0, ran.err
    assert f"1 case is too easy, both trivial baselines pass: {easy}" in " ".join(ran.out.split())


def test_a_judge_beside_people(gated: Gated, write: Write, tmp_path: Path) -> None:
    rated = list(RIGHT)[:6]
    people = tmp_path / "human_ratings.jsonl"
    people.write_text("".join(json.dumps(rating(n, 5 if i < 4 else 2)) + "\n" for i, n in enumerate(rated)))
    judge = tmp_path / "judge.jsonl"
    judge.write_text(
        "".join(json.dumps({"caseId": n, "score": 0.9 if i < 5 else 0.1}) + "\n" for i, n in enumerate(rated))
    )
    ran = gated(write(), "--judge", judge, "--ratings", people, "--json")
    assert ran.code == 0, ran.err
    top = report(ran)["judge"][0]
    assert (top["value"], top["agree"]["n"], top["lenient"], top["strict"]) == ("all", 6, 1, 0)
    assert round(top["kappa"], 3) == 0.571  # 5 of 6 agree, (4*5 + 2*1) / 36 by chance
    assert {row["dimension"] for row in report(ran)["judge"]} >= {"risk"}
    missing = gated(write(), "--judge", judge)
    assert missing.code == 3
    assert "no human ratings" in missing.err


def rating(name: str, score: int) -> Row:
    case = CASES[name]
    return {
        "kind": "rating", "sample": 1, "suite": "school-health", "version": "1.0.0", "run": "run", "system": "a",
        "caseId": name, "partition": case["partition"], "lengthStratum": case["lengthStratum"],
        "outputSha256": hashlib.sha256(RIGHT[name]["answer"].encode()).hexdigest(), "rater": "kim",
        "completeness": score, "accuracy": score, "note": "", "ratedAt": "2026-01-01T00:00:00Z",
    }  # fmt: skip


def test_wide_figures_and_long_names_still_fit_a_terminal() -> None:

    rate = Rate(value=0.5, n=98_765, low=0.45, high=0.55, weighted=0.25, weighted_low=0.2, weighted_high=0.3)
    name = "학교 건강 지침과 그 부속 문서 " * 3
    made = GateReport(
        suite="a" * 64, version="10.20.30", partitions=("dev", "followup_dev"), run="r" * 90, system="s", format="run",
        ids="ids and text", k=10, verdict="block", counts=Counts(cases=98_765, scored=98_765, harness=1, missing=2),
        measures=(Measured(name="evidence", words="all evidence in the first k", all=rate, retrieved=rate),),
        strata=(StratumRow(dimension="risk", value=name, cases=98_765, passed=rate, after=rate, evidence=rate),),
        targets=(TargetRow(name=name, measure="groups of evidence", minimum=0.5, rate=rate, state="watch"),),
        failed=(FailedCase(case_id="a-7k2m9q", stage="other", passed=False, risk="low", hidden=False, why=(name,)),),
        judge=(JudgeRow(dimension="risk", value=name, judge=name, agree=rate, kappa=0.5, lenient=999, strict=999),),
        confusion=tuple(Confusion(expected="answer", shown=s, cases=98_765) for s in ("answer", "refuse", "hedged")),
    )  # fmt: skip
    assert max(map(cell_len, lines(made))) <= 80
