"""Agreement over a workspace: first labels, before anybody decided between them."""

from __future__ import annotations

import pytest

from curator.errors import UsageError
from curator.services import review
from curator.services.agreement import agreement
from tests.services.desk import ARTICLE, SIBLING, Desk


def test_labels_are_compared_by_field_and_stratum_and_those_that_wait_are_counted(desk: Desk) -> None:
    high = {"risk": "high", "consequence": "A fine."}
    same = desk.submitted("What does a late report cost?", **high)
    differ = desk.submitted("How much is a false report?", **high)
    desk.submitted("Which fine is the highest of all?", **high)  # waits for its second label
    desk.submitted("Is there a fine at all?", risk="low")  # needs none
    review.approve(desk.ben, same.case.id, desk.label())
    review.approve(desk.ben, differ.case.id, desk.label(behavior="refuse", source_ids=("none",)))
    found = agreement(desk.ben, ["domain", "language"])
    assert [(m.field, m.cases, m.equal) for m in found.overall] == [
        ("expectedBehavior", 2, 1), ("expectedSourceIds", 2, 1), ("risk", 2, 2),
    ]  # fmt: skip
    behavior, sources, risk = found.overall
    assert (behavior.raw.value, behavior.kappa.value) == (0.5, 0)
    assert behavior.alpha.value == pytest.approx(0)  # 1 - (2/4) / (2*3*1 / (4*3))
    assert sources.masi is not None
    assert "one and the same" in risk.kappa.why
    assert found.strata[0].stratum == {"domain": "rules", "language": "en"}
    assert (found.waiting, found.drawn, found.adjudicated) == (1, 0, 0)
    review.adjudicate(desk.carla, differ.case.id, desk.label(source_ids=(ARTICLE, SIBLING)))
    again = agreement(desk.ben)
    assert again.overall == found.overall  # a decision does not make them agree after the fact
    assert again.adjudicated == 1


def test_without_labels_everything_is_undefined_and_says_why(desk: Desk) -> None:
    found = agreement(desk.ada)
    assert [(m.raw.value, m.raw.why) for m in found.overall] == [(None, "no case has two labels")] * 3
    with pytest.raises(UsageError, match="no dimension"):
        agreement(desk.ada, ["shoe size"])
