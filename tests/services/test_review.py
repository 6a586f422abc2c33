"""Reviews by two and three people, and reviews that were given elsewhere."""

from __future__ import annotations

from typing import Any

import pytest

from curator.domain.case import Case
from curator.errors import Conflict, InputError, UsageError
from curator.services import cases, review
from curator.services.context import Context
from curator.services.review import Statement, import_reviews
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SETTINGS, SIBLING, Desk


def slots(ctx: Context, name: str) -> list[tuple[str, str]]:
    return [(r.slot, r.actor) for r in cases.standing(ctx, name)[1]]


def test_another_person_approves_and_the_case_gets_its_side(desk: Desk) -> None:
    record = desk.submitted()
    assert cases.standing(desk.ada, record.case.id)[0] == "one approval by someone other than ada"
    with pytest.raises(UsageError, match="may not approve"):
        review.approve(desk.ada, record.case.id)
    for who in ("dan", "", "stranger"):
        with pytest.raises(UsageError):
            review.approve(desk.by(who), record.case.id)
    done = review.approve(desk.ben, record.case.id)
    assert (done.status, done.approvals, done.partition) == ("approved", 1, done.side)
    assert done.confirmed_at.startswith("2026-03-01")
    with pytest.raises(Conflict, match="approved, not in review"):
        review.approve(desk.carla, record.case.id)


def test_a_draft_is_not_approved(desk: Desk) -> None:
    with pytest.raises(Conflict, match="curator case submit"):
        review.approve(desk.ben, desk.case().case.id)


def test_one_person_teams_approve_their_own(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("[review]", "[review]\nsolo = true"))
    record = desk.submitted(risk="critical", consequence="harm")
    assert slots(desk.ada, record.case.id) == []
    assert review.approve(desk.ada, record.case.id).status == "approved"


def test_changes_are_asked_for_with_a_reason_and_an_edit_answers(desk: Desk) -> None:
    record = desk.submitted()
    name = record.case.id
    with pytest.raises(UsageError, match="reason"):
        review.request_changes(desk.ben, name, "  ")
    back = review.request_changes(desk.ben, name, "name the article")
    assert back.status == "changes_requested"
    assert cases.standing(desk.ada, name)[0] == "changes asked for: name the article"
    changed = back.case.model_copy(update={"reference_answer": "Article 7: up to 10 million euro."})
    assert cases.save(desk.ada, changed, back.version).status == "draft"
    assert cases.submit(desk.ada, [name])[0].status == "in_review"
    assert review.approve(desk.ben, name).status == "approved"


@pytest.mark.parametrize("change", [{"route": "handoff"}, {"consequence": "a fine"}, {}])
def test_a_request_about_what_no_hash_covers_can_be_answered_too(desk: Desk, change: dict[str, str]) -> None:
    """Route and consequence are not part of the content hash, and an author may stand by the case as it is."""
    name = desk.submitted().case.id
    back = review.request_changes(desk.ben, name, "say where it goes")
    if change:
        cases.save(desk.ada, back.case.model_copy(update=change), back.version)
    assert cases.submit(desk.ada, [name])[0].status == "in_review"
    done = review.approve(desk.ben, name)
    assert done.status == "approved"
    edited = cases.save(desk.ada, done.case.model_copy(update={"notes": "n"}), done.version)
    assert edited.status == "approved"


def test_high_risk_takes_two_labels_and_a_copy_is_none(desk: Desk) -> None:
    name = desk.submitted(risk="high", consequence="a fine").case.id
    assert slots(desk.ada, name) == [("label-1", "ada")]
    with pytest.raises(UsageError, match="state your own"):
        review.approve(desk.ben, name)
    with pytest.raises(UsageError, match="--source"):
        review.approve(desk.ben, name, desk.label(source_ids=()))
    with pytest.raises(InputError, match="no source"):
        review.approve(desk.ben, name, desk.label(source_ids=("regulation:typo",)))
    with pytest.raises(UsageError, match="behavior"):
        review.approve(desk.ben, name, desk.label(behavior="anwser"))
    assert slots(desk.ada, name) == [("label-1", "ada")]
    done = review.approve(desk.ben, name, desk.label())
    assert (done.status, done.approvals) == ("approved", 2)


def test_labels_that_differ_are_decided_by_a_third_person(desk: Desk) -> None:
    name = desk.submitted(risk="high", consequence="a fine").case.id
    with pytest.raises(Conflict, match="not disputed"):
        review.adjudicate(desk.carla, name, desk.label())
    record = review.approve(desk.ben, name, desk.label(risk="critical"))
    assert (record.status, record.flags) == ("in_review", ("disputed",))
    with pytest.raises(Conflict, match="both its labels"):
        review.approve(desk.carla, name, desk.label())
    with pytest.raises(UsageError, match="may not adjudicate"):
        review.adjudicate(desk.ben, name, desk.label())
    done = review.adjudicate(desk.carla, name, desk.label())
    assert (done.status, done.flags, done.approvals) == ("approved", (), 3)


def test_a_decision_against_the_case_sends_it_back_until_it_says_so(desk: Desk) -> None:
    name = desk.submitted(risk="high", consequence="a fine").case.id
    review.approve(desk.ben, name, desk.label(risk="critical"))
    back = review.adjudicate(desk.carla, name, desk.label(risk="critical"))
    assert back.status == "changes_requested"
    assert "risk critical, not high" in cases.standing(desk.ada, name)[0]
    fixed = cases.save(desk.ada, back.case.model_copy(update={"risk": "critical"}), back.version)
    assert cases.submit(desk.ada, [fixed.case.id])[0].status == "approved"


def test_the_author_does_not_decide_between_two_others(desk: Desk) -> None:
    carla = desk.carla
    case = cases.with_evidence(carla, Case(turns=("q?",), reference_answer="a", risk="high", domain="rules"), ARTICLE)
    record = cases.new(carla, case)
    cases.submit(carla, [record.case.id])
    review.approve(desk.ben, record.case.id, desk.label(risk="low"))
    with pytest.raises(Conflict, match="third person"):
        review.adjudicate(carla, record.case.id, desk.label())


def test_a_low_case_that_a_reviewer_sees_as_high_needs_two_labels(desk: Desk) -> None:
    name = desk.submitted(risk="low").case.id
    with pytest.raises(UsageError, match="two labels"):
        review.approve(desk.ben, name, Statement(risk="high"))
    record = review.approve(desk.ben, name, desk.label(risk="high"))
    assert (record.status, record.flags) == ("in_review", ("disputed",))
    assert review.adjudicate(desk.carla, name, desk.label(risk="low")).status == "approved"


def test_a_floor_in_the_settings_counts(desk: Desk) -> None:
    desk.write_settings(
        SETTINGS.replace("[partitions]", '[[risk.floor]]\ndomain = "rules"\nrisk = "high"\n\n[partitions]')
    )
    name = desk.submitted(risk="low").case.id
    with pytest.raises(UsageError, match="two labels"):
        review.approve(desk.ben, name)


# --- reviews that were given elsewhere


def given(name: str, actor: str = "ben", **changed: Any) -> dict[str, Any]:
    return {
        "caseId": name,
        "slot": "approval",
        "actor": actor,
        "at": "2026-02-03T10:00:00Z",
        "decision": "approve",
    } | changed


def take(desk: Desk, *rows: dict[str, Any] | InputError, dry_run: bool = False) -> Any:
    return import_reviews(desk.carla, list(enumerate(rows, 1)), dry_run=dry_run)


def test_reviews_keep_their_own_people_and_times_and_a_repeat_is_the_same(desk: Desk) -> None:
    name = desk.submitted().case.id
    trial = take(desk, given(name), dry_run=True)
    assert (trial.new, cases.get(desk.ada, name).status) == (1, "in_review")
    done = take(desk, given(name), given(name))
    assert (done.new, done.same, done.rejected) == (1, 1, ())
    record = cases.get(desk.ada, name)
    assert (record.status, record.confirmed_at) == ("approved", "2026-02-03T10:00:00Z")
    assert [e["actor"] for e in cases.history(desk.ada, name)][-1] == "carla"
    again = take(desk, given(name))
    assert (again.new, again.same) == (0, 1)


def test_an_old_review_never_approves_what_came_after_it(desk: Desk) -> None:
    name = desk.submitted().case.id
    take(desk, given(name))
    record = cases.get(desk.ada, name)
    changed = cases.save(desk.ada, record.case.model_copy(update={"reference_answer": "Nothing."}), record.version)
    cases.submit(desk.ada, [name])
    again = take(desk, given(name))
    assert (again.new, again.same) == (0, 1)
    assert cases.get(desk.ada, name).status == "in_review"
    assert changed.case.reference_answer == "Nothing."


def test_three_reviews_of_a_file_adjudicate(desk: Desk) -> None:
    name = desk.submitted(risk="high", consequence="a fine").case.id
    label = {"expectedBehavior": "answer", "expectedSourceIds": [ARTICLE], "risk": "critical"}
    done = take(
        desk,
        given(name, slot="label-2", **label),
        given(name, "carla", slot="adjudication", **label | {"risk": "high"}),
    )
    assert (done.new, done.rejected) == (2, ())
    assert (cases.get(desk.ada, name).status, cases.get(desk.ada, name).approvals) == ("approved", 3)


LABEL = {"slot": "label-2", "expectedBehavior": "answer", "expectedSourceIds": [ARTICLE], "risk": "low"}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"actor": "stranger"}, "not listed"),
        ({"actor": "dan"}, "dan is engineer"),
        ({"actor": "b\x1b[31m"}, "no actor id"),
        ({**LABEL, "slot": "adjudication"}, "ben is reviewer"),
        ({"at": "yesterday"}, "no time"),
        ({"at": "2026-02-31T10:00:00Z"}, "no time"),
        ({"at": "2026-02-03T10:00:00"}, "no time"),
        ({"at": "２０２６-02-03T10:00:00Z"}, "no time"),
        ({"caseId": "rules-zzzzzz"}, "no case"),
        ({"slot": "label-3"}, "slot"),
        ({"decision": "maybe"}, "decision"),
        ({"decision": "request_changes"}, "without a reason"),
        ({"slot": "label-2"}, "without expectedBehavior or risk"),
        ({**LABEL, "expectedSourceIds": ["regulation:typo"]}, "no source"),
        ({"contentHash": "x"}, "unknown key contentHash"),
        ({"reason": ["x"]}, "reason"),
    ],
)
def test_a_review_that_cannot_count_is_refused_and_the_others_are_kept(
    desk: Desk, changed: dict[str, Any], why: str
) -> None:
    name = desk.submitted().case.id
    done = take(desk, given(name) | changed, given(name, "carla"), InputError("line 3: not JSON"))
    assert [r.row for r in done.rejected] == [1, 3]
    assert why in done.rejected[0].reason
    assert done.new == 1
    assert cases.get(desk.ada, name).status == "approved"


def test_a_review_with_text_that_no_database_holds_is_kept_readable(desk: Desk) -> None:
    name = desk.submitted().case.id
    done = take(desk, given(name, decision="request_changes", reason="bad\x00\ud800 [/x]"))
    assert done.new == 1
    assert "bad\ufffd\ufffd [/x]" in cases.standing(desk.ada, name)[0]


def test_only_a_lead_imports_reviews(desk: Desk) -> None:
    with pytest.raises(UsageError, match="may not adjudicate"):
        import_reviews(desk.ben, [])


# --- sides


def test_a_case_on_the_same_source_joins_its_side(desk: Desk) -> None:
    first = desk.approved()
    second = desk.approved("And how is a false report punished?")
    assert second.side == first.side != ""


def sided(desk: Desk, question: str, source: str, side: str) -> str:
    """A case that was released elsewhere on one side, and is approved here."""
    from curator.exporting.line import draft_line
    from curator.services.importing import import_cases

    case = desk.case(question, source).case
    line = draft_line(case.model_copy(update={"id": f"{side}-000000"})) | {"partition": side, "approvals": 1}
    assert import_cases(desk.ada, [(1, line)]).new == 1
    cases.require_submitted(cases.submit(desk.ada, [line["id"]]))
    assert review.approve(desk.ben, line["id"]).side == side
    return str(line["id"])


def test_a_new_case_that_ties_both_sides_waits(desk: Desk) -> None:
    sided(desk, "What does a late report cost?", ARTICLE, "dev")
    sided(desk, "Who hears an appeal?", SIBLING, "holdout")
    both = desk.case("Can a penalty be appealed against?", MEASLES).case
    both = cases.with_evidence(desk.ada, cases.with_evidence(desk.ada, both, ARTICLE), SIBLING)
    saved = cases.save(desk.ada, both, 1)
    cases.submit(desk.ada, [saved.case.id])
    with pytest.raises(Conflict, match="would tie cases of dev and holdout") as caught:
        review.approve(desk.ben, saved.case.id)
    assert "appeal" not in str(caught.value)
    assert cases.get(desk.ada, saved.case.id).status == "in_review"


def test_of_an_import_only_the_reviews_of_a_case_that_ties_both_sides_are_rejected(desk: Desk) -> None:
    sided(desk, "What does a late report cost?", ARTICLE, "dev")
    sided(desk, "Who hears an appeal?", SIBLING, "holdout")
    both = cases.with_evidence(desk.ada, desk.case("Can a penalty be appealed?", MEASLES).case, ARTICLE)
    both = cases.save(desk.ada, cases.with_evidence(desk.ada, both, SIBLING), 1).case
    other = desk.case("How long is one with mumps kept away?", MUMPS).case
    cases.submit(desk.ada, [both.id, other.id])
    done = take(desk, given(both.id), given(other.id))
    assert (done.new, [r.row for r in done.rejected]) == (1, [1])
    assert "would tie cases of dev and holdout" in done.rejected[0].reason
    assert [cases.get(desk.ada, c.id).status for c in (both, other)] == ["in_review", "approved"]
    assert [r.slot for r in cases.standing(desk.ada, both.id)[1]] == ["label-1"]  # its author's; nothing else is left


def test_an_edit_cannot_carry_a_holdout_source_into_dev(desk: Desk) -> None:
    dev = sided(desk, "What does a late report cost?", ARTICLE, "dev")
    sided(desk, "Who hears an appeal?", SIBLING, "holdout")
    record = cases.get(desk.ada, dev)
    cases.save(desk.ada, cases.with_evidence(desk.ada, record.case, SIBLING), record.version)
    cases.submit(desk.ada, [dev])
    with pytest.raises(Conflict, match="tie cases of dev and holdout"):
        review.approve(desk.ben, dev)
    record = cases.get(desk.ada, dev)
    cases.save(desk.ada, cases.without_evidence(record.case, record.case.evidence[1]), record.version)
    assert cases.submit(desk.ada, [dev])[0].status == "approved"
