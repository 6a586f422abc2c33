"""Home: what needs whom, in order."""

from __future__ import annotations

from curator.domain.case import Case
from curator.services import cases, drafts, home, review
from curator.services.context import Context
from curator.services.review import Statement
from tests.services.desk import ARTICLE, SETTINGS, SIBLING, Desk


def needs(ctx: Context) -> dict[str, tuple[int, str]]:
    return {n.kind: (n.count, n.first) for n in home.overview(ctx).needs}


def test_an_empty_workspace_needs_nothing_of_anybody(desk: Desk) -> None:
    found = home.overview(desk.ada)
    assert (found.needs, found.counts, found.documents) == ((), {}, 1)
    assert [d.id for d in found.recent_documents] == ["regulation"]
    assert needs(desk.by("")) == {}


def test_what_is_mine_comes_in_order_and_what_is_anothers_does_not(desk: Desk) -> None:
    drafted = desk.case("To be written")
    returned = desk.submitted("What does a late report cost?")
    review.request_changes(desk.ben, returned.case.id, "say of what")
    drafts.keep(desk.ada, drafted.case.model_copy(update={"notes": "half a sent"}), 1)
    drafts.keep(desk.ada, Case(turns=("a new one",)), 0, key="new")
    found = home.overview(desk.ada)
    assert [(n.kind, n.count, n.first) for n in found.needs] == [
        ("unsaved", 2, "new"),
        ("returned", 1, returned.case.id),
        ("draft", 1, drafted.case.id),
    ]
    assert needs(desk.ben) == {}
    assert found.counts == {"draft": 1, "changes_requested": 1}
    assert [c.id for c in found.recent_cases] == [returned.case.id, drafted.case.id]


def test_a_review_waits_for_those_who_may_give_it(desk: Desk) -> None:
    first, second = desk.submitted().case.id, desk.submitted("Who hears an appeal?", SIBLING).case.id
    assert needs(desk.ben) == {"review": (2, first)}
    assert needs(desk.ada) == {}  # she wrote them
    assert needs(desk.by("dan")) == {}  # an engineer reviews nothing
    assert needs(desk.by("stranger")) == {}
    review.approve(desk.ben, first)
    assert needs(desk.ben) == {"review": (1, second)}


def test_who_has_labeled_waits_until_the_question_changes(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("[people.dan]", '[people.eve]\nrole = "reviewer"\n[people.dan]'))
    written = Case(turns=("What does a late report cost?",), reference_answer="10", risk="high", consequence="a fine")
    name = cases.new(desk.carla, cases.with_evidence(desk.carla, written, ARTICLE)).case.id
    cases.submit(desk.ada, [name])  # another person's submission: no label of the author
    assert set(needs(desk.ben)) == {"review"}
    review.approve(desk.ben, name, desk.label())
    assert needs(desk.ben) == {}
    assert needs(desk.by("eve")) == {"review": (1, name)}
    record = cases.get(desk.ada, name)
    cases.save(desk.ada, record.case.model_copy(update={"turns": ("And a false one?",)}), record.version)
    cases.submit(desk.ada, [name])
    assert needs(desk.ben) == {"review": (1, name)}


def test_a_dispute_needs_a_lead_who_did_not_label(desk: Desk) -> None:
    name = desk.submitted(risk="high", consequence="a fine").case.id
    review.approve(desk.ben, name, desk.label(risk="low"))
    assert cases.get(desk.ada, name).flags == ("disputed",)
    assert needs(desk.carla) == {"disputed": (1, name)}
    assert needs(desk.ben) == {}
    review.adjudicate(desk.carla, name, desk.label(risk="high"))
    assert needs(desk.carla) == {}


def test_a_person_alone_reviews_their_own(desk: Desk) -> None:
    desk.write_settings(SETTINGS.replace("[review]", "[review]\nsolo = true"))
    name = desk.submitted(risk="high", consequence="a fine").case.id
    assert needs(desk.ada) == {"review": (1, name)}
    review.approve(desk.ada, name, Statement())
    assert needs(desk.ada) == {}


def test_gaps_are_told_by_suite(desk: Desk) -> None:
    desk.approved()
    found = {g.suite: g for g in home.suite_gaps(desk.ada)}
    assert (found["rules"].cases, found["rules"].gaps) == (1, ())
    assert [g.words for g in found["full"].gaps] == ["all cases: has 1, needs 30"]
