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
