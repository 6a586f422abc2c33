"""The queue of reviews: who is handed what, and that nobody is handed what another has in hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

from curator.errors import Conflict, UsageError
from curator.services import queueing, review
from curator.services.context import Context
from tests.services.desk import MEASLES, SETTINGS, Desk


def later(ctx: Context, at: str) -> Context:
    return replace(ctx, now=lambda: at)


def test_two_reviewers_are_handed_different_cases_and_what_is_in_hand_comes_first(desk: Desk) -> None:
    first, second = desk.submitted().case.id, desk.submitted(turns=("And with measles?",)).case.id
    mine = queueing.take_next(desk.ben)
    assert mine is not None
    assert (mine.case_id, mine.slot) == (first, "approval")
    other = queueing.take_next(desk.carla)
    assert other is not None
    assert other.case_id == second
    again = queueing.take_next(desk.ben)
    assert again is not None
    assert again.case_id == first
    assert [x.case_id for x in queueing.in_hand(desk.ben)] == [first]
    assert queueing.queue(desk.ben).in_hand == 1  # the one that carla has
    with pytest.raises(Conflict, match=f"ben has the approval of {first} in hand"):
        review.approve(desk.carla, first)
    review.approve(desk.ben, first)
    assert queueing.in_hand(desk.ben) == []
    assert queueing.take_next(desk.ben) is None


def test_the_author_is_handed_nothing_of_their_own_and_who_may_not_review_nothing_at_all(desk: Desk) -> None:
    name = desk.submitted().case.id
    assert queueing.take_next(desk.ada) is None
    with pytest.raises(Conflict, match="needs no review of ada"):
        queueing.take(desk.ada, name)
    with pytest.raises(UsageError):
        queueing.take_next(desk.by("dan"))
    assert queueing.queue(desk.by("dan")).count == 0


def test_a_lease_runs_out_is_let_go_and_one_from_the_future_does_not_count(desk: Desk) -> None:
    name = desk.submitted().case.id
    held = queueing.take(desk.ben, name)
    assert "2026-03-01T10:00:00Z" <= held.until < "2026-03-01T10:01:00Z"  # an hour
    with pytest.raises(Conflict, match="ben has"):
        queueing.take(desk.carla, name)
    assert queueing.take(later(desk.carla, held.until), name).case_id == name
    assert queueing.let_go(later(desk.carla, held.until)) == 1
    queueing.take(later(desk.ben, "2027-01-01T00:00:00Z"), name)
    assert queueing.take(desk.carla, name).case_id == name  # the clock was set back since


def test_a_case_that_one_skips_goes_back_and_comes_again_later(desk: Desk) -> None:
    first, second = desk.submitted().case.id, desk.submitted(turns=("And with measles?",)).case.id
    assert queueing.take_next(desk.ben) is not None
    after = queueing.take_next(desk.ben, skip=[first])
    assert after is not None
    assert after.case_id == second
    other = queueing.take_next(desk.carla)
    assert other is not None
    assert other.case_id == first


def test_labels_then_the_decision_are_handed_out_slot_by_slot(desk: Desk) -> None:
    desk.write_settings(SETTINGS + '[people.eve]\nrole = "lead"\n[people.finn]\nrole = "reviewer"\n')
    name = desk.submitted(risk="high", consequence="harm").case.id  # ada's own label is the first
    held = queueing.take_next(desk.ben)
    assert held is not None
    assert (held.case_id, held.slot) == (name, "label-2")
    assert queueing.take_next(desk.by("finn")) is None  # the other slot is filled, this one in ben's hands
    review.approve(desk.ben, name, desk.label(source_ids=(MEASLES,)))
    assert queueing.take_next(desk.ben) is None  # a labeler gives one label
    assert queueing.take_next(desk.by("finn")) is None  # who may not adjudicate is not asked to
    assert queueing.queue(desk.by("eve")).adjudications == 1
    last = queueing.take_next(desk.by("eve"))
    assert last is not None
    assert last.slot == "adjudication"
    with pytest.raises(Conflict, match="eve has the adjudication"):
        review.adjudicate(desk.carla, name, desk.label())
    assert review.adjudicate(desk.by("eve"), name, desk.label()).status == "approved"


def test_disputed_cases_come_first_for_those_who_decide_them(desk: Desk) -> None:
    desk.submitted(turns=("And with measles?",))
    name = desk.submitted(risk="high", consequence="harm").case.id
    review.approve(desk.ben, name, desk.label(source_ids=(MEASLES,)))
    held = queueing.take_next(desk.carla)
    assert held is not None
    assert (held.case_id, held.slot) == (name, "adjudication")


def test_what_is_open_to_whom(desk: Desk) -> None:
    single, double = desk.submitted().case.id, desk.submitted("Who?", risk="high", consequence="x").case.id
    draft = desk.case("Draft?").case.id
    names = [single, double, draft]
    for who in (desk.ada, desk.by("dan"), desk.by(""), desk.by("nobody")):
        assert queueing.open_to(who, names) == {}
    assert queueing.open_to(desk.ben, names) == {single: "approval", double: "label-2"}
    queueing.take(desk.carla, single)
    assert queueing.open_to(desk.ben, names) == {double: "label-2"}
    review.approve(desk.ben, double, desk.label())
    assert queueing.open_to(desk.ben, names) == {}


def test_who_has_the_second_label_in_hand_gives_that_though_the_first_is_not_in(desk: Desk) -> None:
    name = desk.submitted(risk="high").case.id
    label = desk.label()
    review.withdraw(desk.ada, name, "from a file: nobody has labeled it")
    first, second = queueing.take(desk.carla, name), queueing.take(desk.ben, name)
    assert (first.slot, second.slot) == ("label-1", "label-2")
    assert "disputed" not in review.approve(desk.ben, name, label).flags
    assert review.approve(desk.carla, name, label).status == "approved"
