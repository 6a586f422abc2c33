"""The same change on many cases: one decision, told case by case, taken back as one."""

from __future__ import annotations

from typing import Any

import pytest

from curator.domain.listing import ListQuery
from curator.errors import Cancelled, Conflict, InputError, UsageError
from curator.progress import Silent
from curator.services import cases, review, undo
from curator.services.changing import change_many
from curator.services.release import release
from curator.store.bulk import PART
from tests.services.desk import SIBLING, Desk


def tags(desk: Desk, *names: str) -> list[tuple[str, ...]]:
    return [cases.get(desk.ada, n).case.tags for n in names]


def told(found: Any) -> list[tuple[str, str]]:
    return [(c.case_id, c.outcome) for c in found]


def test_tags_come_and_go_and_each_case_is_told_of(desk: Desk) -> None:
    one = desk.case(tags=("old", "kept")).case.id
    two = desk.case("What does a false report cost?", tags=("kept", "new")).case.id
    found = change_many(desk.ada, [one, two, one], add_tags=["new"], remove_tags=["old"])
    assert told(found) == [(one, "done"), (two, "same")]
    assert tags(desk, one, two) == [("kept", "new"), ("kept", "new")]
    assert [len(cases.history(desk.ada, n)) for n in (one, two)] == [2, 1]


def test_what_is_not_expected_of_a_system_leaves_the_status(desk: Desk) -> None:
    approved, sent = desk.approved().case.id, desk.submitted("Who hears an appeal?", SIBLING).case.id
    returned = desk.submitted("Within how many days?", SIBLING).case.id
    review.request_changes(desk.ben, returned, "say of what")
    found = change_many(desk.carla, [approved, sent, returned], domain="law", difficulty="hard", route="desk")
    assert [c.status for c in found] == ["approved", "in_review", "changes_requested"]
    record = cases.get(desk.ada, approved)
    assert (record.case.domain, record.case.difficulty, record.case.route) == ("law", "hard", "desk")
    assert (record.status, record.approvals) == ("approved", 1)
    assert cases.count(desk.ada, ListQuery(where=(("domain", "law"),))) == 3
    assert "say of what" in cases.standing(desk.ada, returned)[0]


def test_a_risk_floor_of_the_new_domain_asks_for_a_second_label(desk: Desk) -> None:
    desk.write_settings((desk.root / "curator.toml").read_text() + '\n[[risk.floor]]\ndomain = "law"\nrisk = "high"\n')
    name = desk.approved().case.id
    (found,) = change_many(desk.ada, [name], domain="law")
    assert (found.outcome, found.status) == ("done", "in_review")
    assert undo.undo(desk.ada).record.status == "approved"


def test_a_stale_and_a_retired_case_are_conflicts_and_the_others_are_changed(desk: Desk) -> None:
    stale, free = desk.case().case.id, desk.case("What does a false report cost?").case.id
    gone = desk.case("To be taken back").case.id
    assert undo.undo(desk.ada).record.status == "retired"
    record = cases.get(desk.ada, stale)
    cases.save(desk.ben, record.case.model_copy(update={"notes": "his"}), 1)
    found = change_many(desk.ada, [stale, free, gone], add_tags=["t"], versions={stale: 1, free: 1})
    assert told(found) == [(stale, "conflict"), (free, "done"), (gone, "conflict")]
    assert "saved as version 2 since version 1" in found[0].reason
    assert "retired" in found[2].reason
    assert tags(desk, stale, free, gone) == [(), ("t",), ()]


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({}, "nothing is to be changed"),
        ({"add_tags": [" "]}, "a tag is empty"),
        ({"add_tags": ["a"], "remove_tags": ["a"]}, "'a' shall be added and removed"),
    ],
)
def test_what_makes_no_sense_is_refused(desk: Desk, asked: dict[str, Any], why: str) -> None:
    with pytest.raises(UsageError, match=why):
        change_many(desk.ada, [desk.case().case.id], **asked)


def test_an_unknown_case_or_a_stop_changes_nothing(desk: Desk) -> None:
    class Stops(Silent):
        def checkpoint(self) -> None:
            raise Cancelled("stopped")

    name = desk.case().case.id
    with pytest.raises(InputError, match="no case rules-zzzzzz"):
        change_many(desk.ada, [name, "rules-zzzzzz"], add_tags=["t"])
    with pytest.raises(Cancelled):
        change_many(desk.ada, [name], add_tags=["t"], progress=Stops())
    with pytest.raises(UsageError):
        change_many(desk.by("dan"), [name], add_tags=["t"])
    assert tags(desk, name) == [()]


# --- taken back


def test_a_bulk_change_is_undone_and_redone_as_one_between_single_ones(desk: Desk) -> None:
    names = [desk.case(f"Question {n}?").case.id for n in range(3)]
    change_many(desk.ada, names, add_tags=["t"])
    record = cases.get(desk.ada, names[1])
    cases.save(desk.ada, record.case.model_copy(update={"notes": "later"}), record.version)
    assert undo.undo(desk.ada).case_ids == (names[1],)
    back = undo.undo(desk.ada)
    assert (back.verb, list(back.case_ids)) == ("edited", names)
    assert tags(desk, *names) == [(), (), ()]
    assert list(undo.redo(desk.ada).case_ids) == names
    assert tags(desk, *names) == [("t",)] * 3
    assert cases.get(desk.ada, names[1]).case.notes == ""
    undo.redo(desk.ada)
    assert cases.get(desk.ada, names[1]).case.notes == "later"
    assert undo.redo(desk.ada) is None


def test_a_submission_of_many_is_taken_back_as_one(desk: Desk) -> None:
    names = [desk.case(f"Question {n}?").case.id for n in range(3)]
    assert {s.status for s in cases.submit(desk.ada, names)} == {"in_review"}
    assert list(undo.undo(desk.ada).case_ids) == names
    assert {cases.get(desk.ada, n).status for n in names} == {"draft"}
    undo.redo(desk.ada)
    assert {cases.get(desk.ada, n).status for n in names} == {"in_review"}


def test_when_one_may_not_be_taken_back_none_is_and_the_event_is_named(desk: Desk) -> None:
    names = [desk.case(f"Question {n}?").case.id for n in range(3)]
    change_many(desk.ada, names, add_tags=["t"])
    record = cases.get(desk.ada, names[1])
    cases.save(desk.ben, record.case.model_copy(update={"notes": "his"}), record.version)
    with pytest.raises(Conflict, match=rf"ben edited {names[1]} since then \(event \d+\)"):
        undo.undo(desk.ada)
    assert tags(desk, *names) == [("t",)] * 3


def test_what_was_released_is_not_taken_back(desk: Desk) -> None:
    # a holdout of a quarter: the first of a stratum may lie there, so two strata
    names = [desk.approved().case.id, desk.approved("Who hears an appeal?", SIBLING, domain="other").case.id]
    change_many(desk.ada, names, add_tags=["t"])
    made = release(desk.carla, "rules")
    with pytest.raises(Conflict, match=f"rules {made.version} was released with"):
        undo.undo(desk.ada)


def test_more_than_one_part_is_still_one_decision(desk: Desk) -> None:
    from curator.exporting.line import draft_line
    from curator.services.importing import import_cases

    body = desk.case().case
    rows = [(n + 1, draft_line(body.model_copy(update={"id": f"many-{n:06d}"}))) for n in range(PART + 2)]
    rows.insert(PART + 1, (9999, rows[0][1]))  # twice, in two parts
    report = import_cases(desk.ada, rows)
    assert (report.new, [r.row for r in report.rejected]) == (PART + 2, [9999])
    assert import_cases(desk.ada, rows).same == PART + 2
    names = [f"many-{n:06d}" for n in range(PART + 2)]
    assert {c.outcome for c in change_many(desk.ada, names, add_tags=["t"])} == {"done"}
    assert len(undo.undo(desk.ada).case_ids) == PART + 2
    assert tags(desk, names[0], names[-1]) == [(), ()]
    assert len(undo.redo(desk.ada).case_ids) == PART + 2
    assert tags(desk, names[0], names[-1]) == [("t",), ("t",)]
