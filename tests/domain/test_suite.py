"""Which cases a suite takes, and when a quota is met."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from curator.domain.suite import Quota, Selector, SuitePolicy, dimension, gaps
from tests.domain.test_changes import line


def test_quotas_by_cell_and_by_share() -> None:
    lines = [line(), line(risk="high"), line(turns=["a", "b"]), line(expectedBehavior="refuse")]
    quotas = (
        Quota(minimum=4),
        Quota(minimum=5),
        Quota(where={"conversation": "follow-up"}, minimum=1),
        Quota(where={"expectedBehavior": "refuse"}, minimum=0.25, unit="share"),
        Quota(where={"expectedBehavior": "refuse"}, minimum=0.26, unit="share"),
        Quota(where={"domain": "emission", "lengthStratum": "10x"}, minimum=3),
    )
    found = gaps(quotas, lines)
    assert [g.words for g in found] == [
        "all cases: has 4, needs 5",
        "behavior refuse: has 25.0%, needs 26.0%",
        "domain emission × length 10x: has 0, needs 3",
    ]
    assert [g.have for g in gaps((Quota(minimum=0.5, unit="share"),), [])] == [0]


@given(st.integers(1, 400), st.data())
def test_a_share_that_is_met_exactly_is_no_gap(total: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(0, total))
    lines = [{"risk": "high"}] * part + [{"risk": "low"}] * (total - part)
    quota = Quota(where={"risk": "high"}, minimum=part / total, unit="share")
    assert gaps((quota,), lines) == ()


def test_selectors_take_and_leave_out() -> None:
    of = SuitePolicy(
        name="s", include=Selector(domain=("emission", "x"), language=("en",)), exclude=Selector(tag=("draft",))
    )
    assert of.takes(line())
    assert not of.takes(line(domain="other"))
    assert not of.takes(line(language="ko"))
    assert not of.takes(line(tags=["t", "draft"]))
    assert SuitePolicy(name="all").takes(line())
    for name, value in (("document", "reg"), ("tag", "t"), ("risk", "low"), ("task", "question")):
        assert Selector.model_validate({name: [value]}).matches(line())
        assert not Selector.model_validate({name: ["other"]}).matches(line())


def test_dimensions() -> None:
    assert dimension(line(), "conversation") == "single"
    assert dimension(line(turns=["a", "b"]), "conversation") == "follow-up"
    assert dimension(line(), "risk") == "low"
