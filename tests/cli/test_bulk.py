"""Tags on many cases, undo and redo from the command line."""

from __future__ import annotations

import json

from curator.services import cases
from tests.cli.conftest import Cli
from tests.services.desk import Desk


def test_tags_on_many_are_taken_back_and_come_again(desk: Desk, cli: Cli) -> None:
    one, two = desk.case().case.id, desk.case("What does a false report cost?", tags=("new",)).case.id
    done = cli("case", "tag", one, two, "--add", "new", "--remove", "old")
    assert (done.code, done.out.split()) == (0, [one, "done", two, "same"])
    assert cli("case", "undo").out == f"undone: edited 1 case: {one}\n"
    assert cases.get(desk.ada, one).case.tags == ()
    assert json.loads(cli("case", "redo", "--json").out) == {"verb": "edited", "cases": [one]}
    assert cases.get(desk.ada, one).case.tags == ("new",)
    nothing = cli("case", "redo")
    assert (nothing.code, nothing.out) == (0, "")
    assert "nothing of yours" in nothing.err


def test_a_submission_of_all_is_one_decision(desk: Desk, cli: Cli) -> None:
    names = [desk.case(f"Question {n}?").case.id for n in range(2)]
    assert cli("case", "submit", "--all").code == 0
    assert cli("case", "undo").out == f"undone: submitted 2 cases: {', '.join(names)}\n"
    cli("case", "redo")
    record = cases.get(desk.ben, names[0])
    cases.save(desk.ben, record.case.model_copy(update={"notes": "his"}), record.version)
    refused = cli("case", "undo")
    assert refused.code == 4
    assert f"ben edited {names[0]} since then" in refused.err


def test_a_retired_case_is_a_conflict_and_the_others_are_changed(desk: Desk, cli: Cli) -> None:
    kept = desk.case().case.id
    gone = desk.case("Taken back").case.id
    assert cli("case", "undo").code == 0
    done = cli("case", "tag", kept, gone, "--add", "t", "--json")
    assert done.code == 4
    assert [c["outcome"] for c in json.loads(done.out)] == ["done", "conflict"]
    assert f"{gone}: it is retired" in done.err
    assert cli("case", "tag", kept).code == 2
    assert cli("case", "tag", "rules-zzzzzz", "--add", "t").code == 3


def test_retire_and_restore_say_how_each_case_stands(desk: Desk, cli: Cli) -> None:
    name, other = desk.case().case.id, desk.case("What does a false report cost?").case.id
    assert cli("case", "retire", name).code == 2  # not without a reason
    done = cli("case", "retire", name, "--reason", "asked twice", "--successor", other)
    assert (done.code, done.out) == (0, f"{name}  ✗ retired\n")
    shown = cli("case", "show", name).out
    assert "asked twice" in shown
    assert f"successor: {other}" in shown
    again = cli("case", "retire", name, other, "--reason", "r", "--json")
    assert (again.code, [c["outcome"] for c in json.loads(again.out)]) == (4, ["conflict", "done"])
    assert cli("case", "restore", name, "--reason", "it was not").out == f"{name}  · draft\n"


def test_both_labels_are_compared_and_one_is_taken(desk: Desk, cli: Cli) -> None:
    name = desk.submitted(risk="high").case.id
    early = cli("review", "compare", name, by="carla")
    assert (early.code, early.out) == (4, "")
    cli("review", "approve", name, "--risk", "critical", "--behavior", "refuse", "--refusal-reason", "out_of_scope",
        "--reason", "no rule says so", by="ben")  # fmt: skip
    both = cli("review", "compare", name, by="carla")
    assert all(w in both.out for w in ("1: ada", "2: ben", "out_of_scope", "no rule says so", "Article 7"))
    assert "they differ in expectedBehavior, expectedSourceIds, risk" in both.err
    waits = cli("review", "queue", "--all", by="ben")
    assert "carla" in waits.out
    done = cli("review", "adjudicate", name, "--take", "1", "--reason", "the article does", by="carla")
    assert (done.code, done.out) == (0, f"{name}  ✓ approved\n")
