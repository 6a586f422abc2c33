"""Out of use with a reason, back with a reason; both undone like any decision, by the rules."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from curator.errors import Conflict, InputError, UsageError
from curator.services import blind, cases, coverage, privacy, queueing, retiring, review, undo
from curator.services.release import release
from tests.services.desk import SETTINGS, SIBLING, Desk


def test_a_case_is_retired_with_a_successor_and_comes_back_with_its_reviews(desk: Desk) -> None:
    old, new = desk.approved(), desk.case("What does a false report cost?")
    (done,) = retiring.retire(desk.ada, [old.case.id], " repealed\x00 ", successor=new.case.id)
    gone = cases.get(desk.ada, old.case.id)
    assert (done.outcome, gone.status, gone.retired_reason, gone.successor) == (
        "done", "retired", "repealed\ufffd", new.case.id,
    )  # fmt: skip
    assert (gone.case, gone.side) == (old.case, old.side)
    (back,) = retiring.restore(desk.carla, [old.case.id], "still in force")
    again = cases.get(desk.ada, old.case.id)
    assert (back.status, again.status, again.approvals, again.retired_reason, again.successor, again.retired_at) == (
        "approved", "approved", 1, "", "", "",
    )  # fmt: skip
    told = {e["verb"]: e for e in blind.history(desk.ada, old.case.id)}
    assert (told["retired"]["actor"], told["retired"]["data"]["reason"]) == ("ada", "repealed\ufffd")
    assert (told["restored"]["actor"], told["restored"]["data"]["reason"]) == ("carla", "still in force")


def test_each_status_comes_back_as_what_it_was(desk: Desk) -> None:
    draft, waits = desk.case("A draft?"), desk.submitted("Waits?")
    returned = desk.submitted("Returned?")
    review.request_changes(desk.ben, returned.case.id, "say how much")
    names = [r.case.id for r in (draft, waits, returned)]
    retiring.retire(desk.ada, names, "all at once")
    assert {r.status for r in retiring.restore(desk.ada, names, "no")} == {"draft", "in_review", "changes_requested"}
    assert [cases.get(desk.ada, n).status for n in names] == ["draft", "in_review", "changes_requested"]


def test_retiring_shows_nobody_the_one_label_of_a_case_that_may_come_back(desk: Desk) -> None:
    name = desk.submitted("How high is the fine?", risk="high", consequence="a fine").case.id
    retiring.retire(desk.ada, [name], "to have a look")
    for who in (desk.ben, desk.carla):
        assert blind.look(who, name).record.case.reference_answer == ""
        assert not any("referenceAnswer" in e["data"].get("after", {}) for e in blind.history(who, name))
        assert [(line.behavior, line.risk) for line in cases.page_of(who)] == [("", "")]
        with pytest.raises(UsageError, match="hidden from you"):
            privacy.review(who, name)
        assert "high" not in {s.value for s in coverage.strata_of(who, name)}
    assert privacy.review(desk.ada, name).fields
    retiring.restore(desk.ada, [name], "had it")
    review.approve(desk.ben, name, desk.label())
    assert blind.look(desk.carla, name).hidden == frozenset()


def test_undo_and_redo_of_both_keep_the_reason_that_was_given(desk: Desk) -> None:
    name, other = desk.approved().case.id, desk.case("Other?").case.id
    retiring.retire(desk.ada, [name, other], "twice", successor="")
    assert undo.undo(desk.ada).verb == "retired"
    assert [cases.get(desk.ada, n).status for n in (name, other)] == ["approved", "draft"]
    undo.redo(desk.ada)
    assert cases.get(desk.ada, name).retired_reason == "twice"
    retiring.restore(desk.ada, [name], "needed")
    undo.undo(desk.ada)
    gone = cases.get(desk.ada, name)
    assert (gone.status, gone.retired_reason) == ("retired", "twice")
    undo.redo(desk.ada)
    assert cases.get(desk.ada, name).status == "approved"


def test_undo_of_a_retirement_is_refused_after_another_has_acted(desk: Desk) -> None:
    name = desk.approved().case.id
    retiring.retire(desk.ada, [name], "repealed")
    retiring.restore(desk.carla, [name], "no")
    with pytest.raises(Conflict, match="carla restored"):
        undo.undo(desk.ada)


def test_a_case_whose_writing_was_undone_is_a_draft_when_it_is_restored(desk: Desk) -> None:
    name = desk.case().case.id
    undo.undo(desk.ada)
    assert retiring.restore(desk.ada, [name], "it was meant")[0].status == "draft"


def test_what_is_refused_says_why(desk: Desk) -> None:
    one, other = desk.case().case.id, desk.case("Other?").case.id
    with pytest.raises(UsageError, match="with a reason"):
        retiring.retire(desk.ada, [one], "  ")
    with pytest.raises(UsageError, match="its own place"):
        retiring.retire(desk.ada, [one], "r", successor=one)
    with pytest.raises(InputError, match="no case"):
        retiring.retire(desk.ada, [one], "r", successor="rules-zzzzzz")
    with pytest.raises(UsageError, match="engineer"):
        retiring.retire(desk.by("dan"), [one], "r")
    retiring.retire(desk.ada, [one], "r")
    with pytest.raises(InputError, match="retired itself"):
        retiring.retire(desk.ada, [other], "r", successor=one)
    assert [c.outcome for c in retiring.retire(desk.ada, [one, other], "r")] == ["conflict", "done"]
    assert retiring.restore(desk.ada, [desk.case("Third?").case.id], "r")[0].reason == "it is draft, not retired"


def test_retiring_is_no_way_to_see_hidden_labels_and_takes_the_case_out_of_hands(desk: Desk) -> None:
    name = desk.submitted(risk="high").case.id
    assert queueing.take_next(desk.ben).case_id == name
    (refused,) = retiring.retire(desk.ben, [name], "to look")
    assert (refused.outcome, cases.get(desk.ada, name).status) == ("conflict", "in_review")
    retiring.retire(desk.ada, [name], "mine")
    assert queueing.in_hand(desk.ben) == []
    assert queueing.queue(desk.ben).count == 0


def test_a_withdrawn_review_counts_no_more_and_stays_in_the_history(desk: Desk) -> None:
    name = desk.approved().case.id
    with pytest.raises(UsageError, match="with a reason"):
        review.withdraw(desk.ben, name, " ")
    with pytest.raises(InputError, match="no review of yours"):
        review.withdraw(desk.carla, name, "not mine")
    assert review.withdraw(desk.ben, name, "looked at the wrong row").status == "in_review"
    told = blind.history(desk.ada, name)
    assert [e["verb"] for e in told if e["entity"] == "review"][1:] == ["reviewed", "withdrawn"]
    assert queueing.queue(desk.ben).approvals == 1
    assert review.approve(desk.ben, name).status == "approved"
    given = cases.standing(desk.ada, name)[1][-1]
    with pytest.raises(UsageError, match="may not adjudicate"):
        review.withdraw(desk.ada, name, "hers", number=given.sequence)
    assert review.withdraw(desk.carla, name, "a lead may", number=given.sequence).status == "in_review"


def manifest(desk: Desk) -> dict[str, Any]:
    made = release(desk.carla, "rules")
    found: dict[str, Any] = json.loads((Path(made.folder) / "manifest.json").read_text("utf-8"))
    return found | {"version": made.version}


def test_a_tombstone_stays_in_later_manifests_until_the_case_is_restored(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("holdout = 0.25", "holdout = 0"))
    kept, gone = desk.approved(), desk.approved("Who hears an appeal?", SIBLING, referenceAnswer="The regional office.")
    assert manifest(desk)["version"] == "1.0.0"
    retiring.retire(desk.ada, [gone.case.id], "repealed", successor=kept.case.id)
    second = manifest(desk)
    (stone,) = second["tombstones"]
    assert (second["version"], stone["id"], stone["reason"], stone["successor"]) == (
        "2.0.0", gone.case.id, "repealed", kept.case.id,
    )  # fmt: skip
    with pytest.raises(Conflict, match=r"lists .* as retired"):
        undo.undo(desk.ada)
    desk.approved("How long is a report kept?", referenceAnswer="As Article 7 says, up to 10 million euro.")
    third = manifest(desk)
    assert (third["version"], [t["id"] for t in third["tombstones"]]) == ("2.1.0", [gone.case.id])
    retiring.restore(desk.carla, [gone.case.id], "in force again")
    fourth = manifest(desk)
    assert (fourth["version"], fourth["tombstones"]) == ("3.0.0", [])
