"""Who may approve what: the truth table of DESIGN section 5."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.canonical import case_hash, question_hash
from curator.domain.case import RISKS, Case
from curator.domain.review import Review, ReviewPolicy, RiskFloor, agreement, is_sampled, labels, needs_two, outcome

NEVER, ALWAYS, SOLO = (
    ReviewPolicy(double_share=0),
    ReviewPolicy(double_share=1),
    ReviewPolicy(double_share=0, solo=True),
)
AUTHOR, BEN, CARLA, DAN = "ada", "ben", "carla", "dan"
EVIDENCE = [{"sourceId": "reg:a", "quote": "q"}]


def case(**body: Any) -> Case:
    return Case.model_validate({"id": "x-000000", "turns": ["how long?"], "evidence": EVIDENCE} | body)


class Said:
    """Reviews of one case, numbered as they come."""

    def __init__(self, about: Case) -> None:
        self.about = about
        self.all: list[Review] = []

    def add(self, slot: str, actor: str, of: Case | None = None, **changed: Any) -> Said:
        looked = of or self.about
        values: dict[str, Any] = {
            "sequence": len(self.all) + 1,
            "caseId": looked.id,
            "slot": slot,
            "actor": actor,
            "at": f"2026-03-0{len(self.all) + 1}T09:00:00Z",
            "contentHash": case_hash(looked),
            "questionHash": question_hash(looked),
        }
        if slot != "approval":
            values |= {
                "expectedBehavior": looked.expected_behavior,
                "expectedSourceIds": looked.expected_source_ids,
                "risk": looked.risk,
            }
        self.all.append(Review.model_validate(values | changed))
        return self

    def gives(self, policy: ReviewPolicy, *, of: Case | None = None, submitted: int = 0) -> Any:
        return outcome(of or self.about, AUTHOR, self.all, policy, submitted=submitted)


@pytest.mark.parametrize("risk", ["low", "medium"])
def test_low_and_medium_take_one_approval_by_another_person(risk: str) -> None:
    about = case(risk=risk)
    assert "someone other than ada" in Said(about).gives(NEVER).missing
    assert Said(about).add("approval", AUTHOR).gives(NEVER).status == "in_review"
    done = Said(about).add("approval", BEN).gives(NEVER)
    assert (done.status, done.approvals, done.confirmed_at, done.counted) == (
        "approved",
        1,
        "2026-03-01T09:00:00Z",
        (1,),
    )
    both = Said(about).add("approval", BEN).add("approval", CARLA).add("approval", BEN).gives(NEVER)
    assert (both.approvals, both.counted) == (2, (1, 2, 3))


@pytest.mark.parametrize("risk", RISKS)
@pytest.mark.parametrize("sampled", [False, True])
def test_what_is_high_or_sampled_takes_two_equal_labels(risk: str, sampled: bool) -> None:
    about, policy = case(risk=risk), ALWAYS if sampled else NEVER
    double = sampled or risk in ("high", "critical")
    assert needs_two(about, [], policy) is double
    one = Said(about).add("approval", BEN).gives(policy)
    assert one.status == ("in_review" if double else "approved")
    if not double:
        return
    assert one.missing == "label-1 and label-2 by another person"
    half = Said(about).add("label-1", AUTHOR).gives(policy)
    assert (half.status, half.missing) == ("in_review", "label-2 by another person")
    equal = Said(about).add("label-1", AUTHOR).add("label-2", BEN).gives(policy)
    assert (equal.status, equal.approvals, equal.confirmed_at) == ("approved", 2, "2026-03-02T09:00:00Z")
    alone = Said(about).add("label-1", BEN).add("label-2", BEN).gives(policy)
    assert (alone.status, alone.missing) == ("in_review", "label-1 by another person")


@pytest.mark.parametrize(
    "difference",
    [{"expectedBehavior": "refuse"}, {"expectedSourceIds": ["reg:b"]}, {"expectedSourceIds": []}, {"risk": "critical"}],
)
def test_labels_that_differ_need_an_adjudication(difference: dict[str, Any]) -> None:
    about = case(risk="high")
    said = Said(about).add("label-1", AUTHOR).add("label-2", BEN, **difference)
    open_ = said.gives(NEVER)
    assert (open_.status, open_.disputed) == ("in_review", True)
    for biased in (AUTHOR, BEN):
        assert (
            Said(about)
            .add("label-1", AUTHOR)
            .add("label-2", BEN, **difference)
            .add("adjudication", biased)
            .gives(NEVER)
            .disputed
        )
    done = said.add("adjudication", CARLA).gives(NEVER)
    assert (done.status, done.approvals, done.disputed) == ("approved", 3, False)
    against = (
        Said(about)
        .add("label-1", AUTHOR)
        .add("label-2", BEN, **difference)
        .add("adjudication", CARLA, **difference)
        .gives(NEVER)
    )
    assert against.status == "changes_requested"
    assert "does not say what was decided" in against.missing


def test_the_author_adjudicates_nothing_even_when_two_others_labeled() -> None:
    said = (
        Said(case(risk="high")).add("label-1", BEN).add("label-2", CARLA, risk="critical").add("adjudication", AUTHOR)
    )
    assert said.gives(NEVER).disputed
    assert said.add("adjudication", DAN).gives(NEVER).status == "approved"


def test_equal_labels_that_the_case_does_not_say_send_it_back() -> None:
    found = (
        Said(case(risk="high")).add("label-1", BEN, risk="critical").add("label-2", CARLA, risk="critical").gives(NEVER)
    )
    assert (found.status, found.missing) == (
        "changes_requested",
        "the case does not say what was decided: risk critical, not high",
    )


@pytest.mark.parametrize("risk", RISKS)
def test_one_person_teams_approve_their_own(risk: str) -> None:
    about = case(risk=risk)
    assert Said(about).gives(SOLO).missing == "one approval"
    assert Said(about).add("approval", AUTHOR).gives(SOLO).status == "approved"


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["approval", "label-1", "label-2", "adjudication"]),
            st.sampled_from(["approve", "request_changes"]),
            st.sampled_from(RISKS),
        ),
        max_size=5,
    ),
    st.sampled_from(RISKS),
    st.sampled_from([NEVER, ALWAYS]),
)
def test_the_author_alone_approves_nothing(given_: list[tuple[str, str, str]], risk: str, policy: ReviewPolicy) -> None:
    said = Said(case(risk=risk))
    for slot, decision, stated in given_:
        said.add(slot, AUTHOR, decision=decision, risk=stated)
    assert said.gives(policy).status != "approved"


def test_approvals_count_only_for_the_content_they_were_given_on() -> None:
    old, new = case(referenceAnswer="4 days"), case(referenceAnswer="5 days")
    said = Said(old).add("approval", BEN)
    assert said.gives(NEVER, of=new).status == "in_review"
    assert said.gives(NEVER, of=old).status == "approved"
    assert said.gives(NEVER, of=case(referenceAnswer="4 days", notes="x", tags=["t"])).status == "approved"


def test_labels_count_while_the_question_stays_the_same() -> None:
    old = case(risk="high", referenceAnswer="4 days")
    said = Said(old).add("label-1", AUTHOR).add("label-2", BEN)
    assert said.gives(NEVER, of=case(risk="high", referenceAnswer="four days")).status == "approved"
    for other in ({"turns": ["how long now?"]}, {"asOf": "2025-01-01"}, {"asker": "parent"}):
        assert said.gives(NEVER, of=case(risk="high", **other)).missing == "label-1 and label-2 by another person"


def test_a_reviewer_who_states_high_sends_a_low_case_to_two_labels() -> None:
    about = case(risk="low")
    assert needs_two(about, Said(about).add("approval", BEN, risk="high").all, NEVER)
    assert not needs_two(about, Said(about).add("approval", BEN, risk="medium").all, NEVER)
    assert not needs_two(about, Said(about).add("approval", BEN, risk="high", withdrawn=True).all, NEVER)
    assert not needs_two(about, Said(about).add("approval", BEN, of=case(turns=["other?"]), risk="high").all, NEVER)


@pytest.mark.parametrize(
    ("floor", "double"),
    [
        ({"domain": "health", "risk": "high"}, True),
        ({"route": "handoff", "risk": "critical"}, True),
        ({"risk": "high"}, True),
        ({"domain": "health", "route": "handoff", "risk": "high"}, True),
        ({"domain": "law", "risk": "high"}, False),
        ({"domain": "health", "route": "chat", "risk": "high"}, False),
        ({"domain": "health", "risk": "medium"}, False),
    ],
)
def test_a_floor_sets_the_least_risk(floor: dict[str, str], double: bool) -> None:
    policy = ReviewPolicy(double_share=0, floors=(RiskFloor.model_validate(floor),))
    assert needs_two(case(domain="health", route="handoff"), [], policy) is double


def test_a_request_for_changes_stands_until_it_is_answered() -> None:
    about = case()
    said = Said(about).add("approval", BEN, decision="request_changes", reason="add the domain")
    assert said.gives(NEVER).missing == "changes asked for: add the domain"
    assert said.gives(NEVER, submitted=9).status == "in_review"
    assert said.gives(NEVER, of=case(referenceAnswer="x")).status == "in_review"
    assert said.add("approval", BEN).gives(NEVER).status == "approved"
    assert (
        Said(about)
        .add("approval", BEN)
        .add("approval", CARLA, decision="request_changes", reason="r")
        .gives(NEVER)
        .status
        == "changes_requested"
    )


def test_the_latest_label_of_a_slot_counts_and_withdrawn_ones_never() -> None:
    about = case(risk="high")
    said = (
        Said(about)
        .add("label-1", BEN, risk="low")
        .add("label-1", CARLA)
        .add("label-2", DAN)
        .add("label-2", BEN, withdrawn=True)
    )
    first, second = labels(said.all, question_hash(about))
    assert (first and first.actor, second and second.actor) == (CARLA, DAN)
    assert said.gives(NEVER).status == "approved"


def test_the_draw_of_double_labels_holds_its_share_and_depends_on_the_seed() -> None:
    ids = [f"x-{n:06d}" for n in range(4000)]
    share = sum(is_sampled(i, ReviewPolicy(double_share=0.1)) for i in ids) / len(ids)
    assert 0.08 < share < 0.12
    assert [is_sampled(i, ReviewPolicy(seed=1)) for i in ids] != [is_sampled(i, ReviewPolicy(seed=2)) for i in ids]
    assert not any(is_sampled(i, NEVER) for i in ids)
    assert all(is_sampled(i, ALWAYS) for i in ids)


def test_agreement_by_field() -> None:
    said = Said(case(risk="high")).add("label-1", AUTHOR).add("label-2", BEN, risk="low", expectedSourceIds=["reg:a"])
    said.add("label-1", AUTHOR).add("label-2", BEN)
    pairs = [(said.all[0], said.all[1]), (said.all[2], said.all[3])]
    assert [(f.field, f.cases, f.equal) for f in agreement(pairs)] == [
        ("expectedBehavior", 2, 2),
        ("expectedSourceIds", 2, 2),
        ("risk", 2, 1),
    ]
