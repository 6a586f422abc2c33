"""Import of canonical lines: what a file says is checked, and nothing that is here is overwritten."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from curator.domain.canonical import content_hash
from curator.errors import Cancelled, InputError
from curator.exporting.line import draft_line
from curator.progress import Silent
from curator.services import cases, drafts
from curator.services.case_export import export_cases
from curator.services.importing import import_cases
from tests.services.desk import Desk


def line(desk: Desk, name: str = "rules-7k2m9q", **changed: Any) -> dict[str, Any]:
    """A canonical line as another workspace would have written it."""
    body = draft_line(desk.case().case.model_copy(update={"id": name})) | changed
    return body | ({} if "contentHash" in changed else {"contentHash": content_hash(body)})


def take(desk: Desk, *rows: Any, dry_run: bool = False) -> Any:
    return import_cases(desk.ada, list(enumerate(rows, 1)), dry_run=dry_run)


def test_a_line_becomes_a_draft_and_the_same_again_changes_nothing(desk: Desk) -> None:
    row = line(desk, caseVersion=3)
    assert take(desk, row, dry_run=True).new == 1
    with pytest.raises(InputError):
        cases.get(desk.ada, row["id"])
    assert take(desk, row).new == 1
    record = cases.get(desk.ada, row["id"])
    assert (record.status, record.author, record.case_version, record.side) == ("draft", "ada", 3, "")
    again = take(desk, row)
    assert (again.new, again.same, again.rejected) == (0, 1, ())
    assert [e["verb"] for e in cases.history(desk.ada, row["id"])] == ["imported"]


def test_another_content_under_an_id_that_is_here_is_a_conflict(desk: Desk) -> None:
    row = line(desk)
    take(desk, row)
    other = line(desk, referenceAnswer="Nothing.", acceptableAnswers=["x"])
    (rejected,) = take(desk, other).rejected
    assert "is here with another referenceAnswer" in rejected.reason
    assert cases.get(desk.ada, row["id"]).case.reference_answer == row["referenceAnswer"]


def test_a_guess_at_a_hidden_label_is_not_told_to_be_right_or_wrong(desk: Desk) -> None:
    record = desk.submitted(risk="medium")
    right = draft_line(record.case)
    told = []
    for changed in ({}, {"risk": "low"}, {"expectedBehavior": "escalate"}):
        row = right | changed
        report = import_cases(desk.ben, [(1, row | {"contentHash": content_hash(row)})])
        assert "labels are hidden from you" in report.warnings[0]
        told.append(report)
    assert told[0] == told[1] == told[2]
    assert (told[0].new, told[0].same, told[0].rejected) == (0, 1, ())
    mine = take(desk, right | {"risk": "low", "contentHash": ""})
    assert (mine.same, mine.warnings) == (0, ("1 of these versions waits as a draft of yours",))
    assert "another risk" in mine.rejected[0].reason


def test_an_id_twice_in_a_file_is_a_duplicate(desk: Desk) -> None:
    row = line(desk)
    done = take(desk, row, row)
    assert (done.new, [r.row for r in done.rejected]) == (1, [2])
    assert done.rejected[0].reason.startswith("duplicate")


def test_a_line_that_was_released_keeps_its_side(desk: Desk) -> None:
    take(
        desk,
        line(desk, "rules-000001", partition="holdout", approvals=2),
        line(desk, "rules-000002", partition="holdout"),
    )
    take(desk, line(desk, "rules-000003", partition="followup_holdout", approvals=1, turns=["a?", "b?"]))
    assert [cases.get(desk.ada, f"rules-00000{n}").side for n in (1, 2, 3)] == ["holdout", "", "holdout"]


def test_what_a_release_derives_is_derived_again(desk: Desk) -> None:
    row = line(desk, lengthStratum="10x", sectionPosition="late", canary="x", confirmedAt="2020-01-01")
    assert take(desk, row).new == 1
    partial = {"id": "rules-000009", "turns": ["How long?"]}
    assert take(desk, partial).new == 1
    assert cases.get(desk.ada, "rules-000009").case.question == "How long?"


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"referenceAnswer": "Edited by hand.", "contentHash": "sha256:" + "0" * 64}, "contentHash"),
        ({"contentHash": 7}, "contentHash"),
        ({"contentHash": "x", "evidence": [{"sourceId": "a:b"}]}, "contentHash"),
        ({"approvals": "many"}, "approvals"),
        ({"approvals": None}, "approvals"),
        ({"approvals": -1}, "approvals"),
        ({"approvals": True}, "approvals"),
        ({"caseVersion": 0}, "caseVersion"),
        ({"caseVersion": [1]}, "caseVersion"),
        ({"approvals": 1, "partition": "test"}, "partition"),
        ({"approvals": 1, "partition": ["dev"]}, "partition"),
        ({"id": ""}, "no id"),
        ({"id": "../../evil-000000"}, "no case id"),
        ({"id": "rules-00000l"}, "no case id"),
        ({"turns": "one"}, "turns"),
        ({"risk": "extreme"}, "risk"),
        ({"evidence": [{"page": 3}]}, "evidence"),
        ({"surprise": 1}, "unknown key surprise"),
        ({"notes": None}, "notes"),
    ],
)
def test_a_bad_line_is_refused_by_name_and_poisons_nothing(desk: Desk, changed: dict[str, Any], why: str) -> None:
    bad = {**line(desk), **changed}
    good = line(desk, "rules-00000a")
    done = take(desk, bad, good, InputError("line 3: not JSON"))
    assert [r.row for r in done.rejected] == [1, 3]
    assert why in done.rejected[0].reason
    assert "\n" not in done.rejected[0].reason
    assert done.new == 1
    assert cases.count(desk.ada) == len(cases.page_of(desk.ada))
    assert cases.get(desk.ada, "rules-00000a").status == "draft"


def test_a_hash_set_to_nothing_lets_an_edit_by_hand_in(desk: Desk) -> None:
    assert take(desk, line(desk, referenceAnswer="Edited.", contentHash="")).new == 1


def test_text_is_made_storable(desk: Desk) -> None:
    row = json.loads(json.dumps(line(desk, contentHash="")).replace("Up to 10", "\\ud800\\u0000 10"))
    assert take(desk, row).new == 1
    assert cases.get(desk.ada, row["id"]).case.reference_answer == "\ufffd\ufffd 10 million euro."


def test_stopping_an_import_keeps_nothing_of_it(desk: Desk) -> None:
    class Stops(Silent):
        steps = 0

        def checkpoint(self) -> None:
            self.steps += 1
            if self.steps == 3:
                raise Cancelled

    rows = [(n, line(desk, f"rules-00000{n}")) for n in range(1, 5)]
    before = cases.count(desk.ada)
    with pytest.raises(Cancelled):
        import_cases(desk.ada, rows, progress=Stops())
    assert cases.count(desk.ada) == before


def test_two_workspaces_are_merged_and_of_two_versions_both_are_kept(open_desk: Callable[..., Desk]) -> None:
    mine, theirs = open_desk("mine"), open_desk("theirs")
    shared = line(mine)
    for desk in (mine, theirs):
        take(desk, shared)
    record = cases.get(theirs.ada, shared["id"])
    cases.save(theirs.ada, record.case.model_copy(update={"reference_answer": "Theirs."}), record.version)
    only_there = theirs.case("Asked there only?").case.id
    collided = line(mine, "rules-00000c")
    take(mine, collided)
    take(theirs, line(theirs, "rules-00000c", turns=["Another question under the same id?"]))
    exported: list[str] = []
    export_cases(theirs.ada, exported.append)
    rows = [json.loads(text) for text in exported]
    for _ in range(2):  # the same again changes nothing
        report = take(mine, *rows)
        assert {r.reason.split()[0] for r in report.rejected} == {shared["id"], "rules-00000c"}
        assert "2 of these versions wait as a draft of yours" in report.warnings
        waiting = drafts.waiting(mine.ada)
        assert {d.case_id for d in waiting} >= {shared["id"]}
        assert sorted((d.case.question, d.case.reference_answer) for d in waiting) == [
            ("Another question under the same id?", shared["referenceAnswer"]),
            (shared["turns"][0], "Theirs."),
        ]
    assert cases.get(mine.ada, only_there).case.question == "Asked there only?"
    assert cases.get(mine.ada, shared["id"]).case.reference_answer == shared["referenceAnswer"]
    assert cases.get(mine.ada, "rules-00000c").case.question == collided["turns"][0]


def test_a_draft_that_is_there_is_not_written_over_by_an_import(desk: Desk) -> None:
    take(desk, shared := line(desk))
    record = cases.get(desk.ada, shared["id"])
    drafts.keep(desk.ada, record.case.model_copy(update={"notes": "typed here"}), record.version)
    take(desk, line(desk, notes="from there", contentHash=""))
    assert {d.case.notes for d in drafts.waiting(desk.ada)} == {"typed here", "from there"}
