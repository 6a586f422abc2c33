"""A list tells no one who may label a case what others say of it: not by a filter, nor by an order, nor by a count."""

from __future__ import annotations

import pytest

from curator.domain.listing import ListQuery
from curator.services import cases, review
from curator.services.context import Context
from tests.services.desk import SETTINGS, SIBLING, Desk

RISKS = ("low", "high", "critical", "medium")


def desk_of_five(desk: Desk) -> dict[str, str]:
    """Four cases in review and a draft, by ada; gives their questions by id."""
    found = {}
    for n, risk in enumerate(RISKS):
        consequence = "a fine" if n in (1, 2) else ""
        found[desk.submitted(f"Question {n}?", SIBLING, risk=risk, consequence=consequence).case.id] = f"{n}"
    found[desk.case("Question 4?", SIBLING, risk="high", consequence="a fine").case.id] = "4"
    return found


def numbers(ctx: Context, query: ListQuery) -> str:
    return "".join(line.question[9] for line in cases.page_of(ctx, query))


@pytest.mark.parametrize("column", ["risk", "behavior"])
@pytest.mark.parametrize("kind", ["where", "like"])
def test_a_filter_leaves_out_what_is_hidden(desk: Desk, column: str, kind: str) -> None:
    desk_of_five(desk)
    for value in ("high", "low", "answer", "refuse", "i"):
        query = ListQuery(**{kind: ((column, value),)})  # type: ignore[arg-type]
        for who in (desk.ben, desk.carla, desk.by("")):
            assert numbers(who, query) in ("", "4"), "only the draft is seen"
            assert cases.count(who, query) == len(numbers(who, query))
            assert cases.left_out(who, query) == 4
    mine = ListQuery(where=(("risk", "high"),))
    assert numbers(desk.ada, mine) == numbers(desk.by("dan"), mine) == "14"
    assert cases.left_out(desk.ada, mine) == 0


@pytest.mark.parametrize("column", ["risk", "behavior"])
@pytest.mark.parametrize("descending", [False, True])
def test_an_order_has_what_is_hidden_at_its_end(desk: Desk, column: str, descending: bool) -> None:
    desk_of_five(desk)
    query = ListQuery(column, descending)
    wanted = "43210" if descending else "40123"
    assert numbers(desk.ben, query) == wanted
    assert [line.risk for line in cases.page_of(desk.ben, query)] == ["high", "", "", "", ""]
    assert [line.behavior for line in cases.page_of(desk.ben)] == ["", "", "", "", "answer"]
    walked, key = "", None
    while page := cases.page_of(desk.ben, query, after=key, limit=2):
        walked += "".join(line.question[9] for line in page)
        key = query.key_of(page[-1])
    assert walked == wanted
    walked, key = "", None
    while page := cases.page_of(desk.ben, query, before=key, back=True, limit=2):
        walked += "".join(line.question[9] for line in page)
        key = query.key_of(page[-1])
    assert walked == wanted[::-1]
    lines = cases.page_of(desk.ben, query)
    for place in range(5):
        assert cases.key_at(desk.ben, query, place) == query.key_of(lines[place])
        assert cases.key_at(desk.ben, query, place, back=True) == query.key_of(lines[4 - place])
    assert cases.key_at(desk.ben, query, 5) is cases.key_at(desk.ben, query, 5, back=True) is None


def test_the_author_and_who_does_not_review_see_the_order(desk: Desk) -> None:
    desk_of_five(desk)
    for who in (desk.ada, desk.by("dan")):
        assert numbers(who, ListQuery("risk")) == "03142"
    desk.write_settings(SETTINGS.replace("[review]", "[review]\nsolo = true"))
    assert numbers(desk.ben, ListQuery("risk")) == "03142"


def test_what_is_decided_or_known_to_differ_is_shown(desk: Desk) -> None:
    names = desk_of_five(desk)
    by_number = {n: name for name, n in names.items()}
    review.approve(desk.ben, by_number["0"])
    review.approve(desk.ben, by_number["1"], desk.label(risk="critical", source_ids=(SIBLING,)))
    review.request_changes(desk.ben, by_number["2"], "say of what")
    assert numbers(desk.carla, ListQuery("risk")) == "01423"
    assert numbers(desk.carla, ListQuery(where=(("risk", "critical"),))) == ""
    assert numbers(desk.carla, ListQuery(where=(("risk", "high"),))) == "14"
