"""Dev and holdout: whole groups, once, by the same draw whatever the order; and no leak unseen."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from curator.domain.partition import PartitionCase, assign, groups, leaks, level_for


@st.composite
def many_cases(draw: st.DrawFn, most: int = 40) -> list[PartitionCase]:
    size = draw(st.integers(1, most))
    return [
        PartitionCase(
            id=f"x-{n:06d}",
            ties=tuple(draw(st.lists(st.sampled_from([f"source:{k}" for k in range(30)]), max_size=2))),
            documents=tuple(draw(st.lists(st.sampled_from("abcdefgh"), max_size=1))),
            sections=tuple(draw(st.lists(st.sampled_from(["a / 1", "a / 2", "b / 1", "c / 1"]), max_size=1))),
            stratum=draw(st.sampled_from(["answer", "refuse"])),
        )
        for n in range(size)
    ]


shares = st.sampled_from([0.0, 0.1, 0.25, 0.5])


def with_sides(cases: list[PartitionCase], sides: dict[str, Any]) -> list[PartitionCase]:
    return [c.model_copy(update={"side": sides.get(c.id, c.side)}) for c in cases]


@given(many_cases(), shares, st.integers(0, 99), st.randoms())
def test_the_order_of_the_list_does_not_matter(
    cases: list[PartitionCase], share: float, seed: int, chance: random.Random
) -> None:
    shuffled = list(cases)
    chance.shuffle(shuffled)
    assert assign(shuffled, share=share, seed=seed) == assign(cases, share=share, seed=seed)


@given(many_cases(), shares, st.integers(0, 99))
def test_what_must_stay_together_does(cases: list[PartitionCase], share: float, seed: int) -> None:
    result = assign(cases, share=share, seed=seed)
    assert set(result.sides) == {c.id for c in cases}
    assert not result.blocked
    assert leaks(with_sides(cases, result.sides)) == ()
    if share == 0:
        assert set(result.sides.values()) == {"dev"}


@given(many_cases(), shares, st.integers(0, 99), st.data())
def test_sides_never_change_when_cases_come_in_any_batches(
    cases: list[PartitionCase], share: float, seed: int, data: st.DataObject
) -> None:
    order = data.draw(st.permutations(cases))
    known: list[PartitionCase] = []
    while order:
        take = data.draw(st.integers(1, len(order)))
        batch, order = order[:take], order[take:]
        result = assign([*known, *batch], share=share, seed=seed)
        assert set(result.sides) == {c.id for c in batch} - {t.case_id for t in result.blocked} - barred(
            result, known, batch
        )
        known += with_sides([c for c in batch if c.id in result.sides], result.sides)
        assert leaks(known) == ()


def barred(result: Any, known: list[PartitionCase], batch: list[PartitionCase]) -> set[str]:
    """New cases of a group that ties both sides."""
    stuck = {t.case_id for t in result.blocked}
    return {
        c.id
        for group in groups([*known, *batch], lambda c: c.ties)
        if stuck & {c.id for c in group}
        for c in group
        if not c.side
    }


@given(st.integers(1, 60), st.sampled_from([0.1, 0.25, 0.5]), st.integers(0, 99), st.booleans(), st.randoms())
def test_the_share_is_within_one_group_in_each_stratum(
    count: int, share: float, seed: int, one_by_one: bool, chance: random.Random
) -> None:
    cases = [
        PartitionCase(id=f"x-{n:06d}", ties=(f"source:{n}",), stratum=chance.choice(["a", "b"])) for n in range(count)
    ]
    chance.shuffle(cases)
    if one_by_one:
        known: list[PartitionCase] = []
        for case in cases:
            known += with_sides([case], assign([*known, case], share=share, seed=seed).sides)
    else:
        known = with_sides(cases, assign(cases, share=share, seed=seed).sides)
    for stratum, size in Counter(c.stratum for c in known).items():
        hidden = sum(c.side == "holdout" for c in known if c.stratum == stratum)
        assert abs(hidden - share * size) <= 1


def test_another_seed_is_another_draw() -> None:
    cases = [PartitionCase(id=f"x-{n:06d}", ties=(f"source:{n}",), stratum=str(n % 7)) for n in range(40)]
    draws = {tuple(sorted(assign(cases, share=0.25, seed=seed).sides.items())) for seed in range(8)}
    assert len(draws) > 1


def test_a_new_case_joins_the_side_of_its_group() -> None:
    for side in ("dev", "holdout"):
        old = PartitionCase(id="a-000000", ties=("source:s",), side=side)
        new = [
            PartitionCase(id="b-000000", ties=("source:s", "source:t")),
            PartitionCase(id="c-000000", ties=("source:t",)),
        ]
        assert assign([old, *new], share=0.25, seed=1).sides == {"b-000000": side, "c-000000": side}


def test_a_case_that_ties_both_sides_is_blocked_and_named() -> None:
    cases = [
        PartitionCase(id="a-000000", ties=("source:s",), side="dev"),
        PartitionCase(id="b-000000", ties=("conversation:t",), side="holdout"),
        PartitionCase(id="c-000000", ties=("source:s", "conversation:t")),
        PartitionCase(id="d-000000", ties=("source:free",)),
    ]
    result = assign(cases, share=0.25, seed=1)
    assert set(result.sides) == {"d-000000"}
    (tie,) = result.blocked
    assert (tie.case_id, tie.other_id, tie.key) == ("c-000000", "a-000000", "source:s")


def test_a_chain_over_new_cases_is_blocked_too() -> None:
    cases = [
        PartitionCase(id="a-000000", ties=("k1",), side="dev"),
        PartitionCase(id="b-000000", ties=("k1", "k2")),
        PartitionCase(id="c-000000", ties=("k2", "k3")),
        PartitionCase(id="d-000000", ties=("k3",), side="holdout"),
    ]
    result = assign(cases, share=0.25, seed=1)
    assert result.sides == {}
    assert len(result.blocked) == 1


def test_planted_leaks_are_found() -> None:
    cases = [
        PartitionCase(id="a-000000", ties=("s", "t"), side="dev"),
        PartitionCase(id="b-000000", ties=("s",), side="holdout"),
        PartitionCase(id="c-000000", ties=("t",), side="dev"),
        PartitionCase(id="d-000000", ties=("u",)),
        PartitionCase(id="e-000000", ties=("u",), side="dev"),
    ]
    (leak,) = leaks(cases)
    assert (leak.case_id, leak.other_id, leak.key) == ("a-000000", "b-000000", "s")


def test_documents_join_only_when_that_leaves_enough_groups() -> None:
    wide = [PartitionCase(id=f"x-{n:06d}", documents=(f"d{n % 24}",)) for n in range(96)]
    assert level_for(wide) == "document"
    assert level_for(wide[:19]) == "top section"
    heavy = wide + [PartitionCase(id=f"y-{n:06d}", documents=("d0",)) for n in range(60)]
    assert level_for(heavy) == "top section"
    result = assign(wide, share=0.25, seed=1)
    assert result.level == "document"
    for document in range(24):
        assert len({result.sides[c.id] for c in wide if c.documents == (f"d{document}",)}) == 1


def test_a_section_pulls_a_new_case_to_the_side_that_holds_most_of_it() -> None:
    known = [PartitionCase(id=f"a-{n:06d}", sections=("reg / II",), side="holdout") for n in range(2)]
    known += [PartitionCase(id="b-000000", sections=("reg / II",), side="dev")]
    new = PartitionCase(id="c-000000", sections=("reg / II",))
    assert assign([*known, new], share=0.25, seed=1).sides == {"c-000000": "holdout"}


def test_a_third_case_on_a_key_of_two_leaking_ones_is_told_too() -> None:
    """Two keys of one pair are two leaks: who shares but one of them must be found by it."""
    cases = [
        PartitionCase(id="a-000000", ties=("s", "t"), side="dev"),
        PartitionCase(id="b-000000", ties=("s", "t"), side="holdout"),
        PartitionCase(id="c-000000", ties=("t",), side="dev"),
    ]
    assert [t.key for t in leaks(cases)] == ["s", "t"]
    assert [(t.case_id, t.key) for t in leaks(cases, {"c-000000"})] == [("c-000000", "t")]


def test_ten_thousand_cases_in_two_thousand_groups_leak_nothing_and_keep_the_share() -> None:
    """Groups of 1 to 40 cases in 15 strata: within two points of a quarter; in batches, groups grow where they lie."""
    draw = random.Random(11)
    cases: list[PartitionCase] = []
    for group in range(2000):
        stratum = f"{group % 5} / {group // 5 % 3}"
        size = min(40, 1 + int(draw.expovariate(1 / 4.5)))
        cases += [
            PartitionCase(id=f"c-{len(cases) + n:06d}", ties=(f"source:{group}",), stratum=stratum) for n in range(size)
        ]
    assert 9000 < len(cases) < 11000
    draw.shuffle(cases)
    for batches in (1, 20):
        known: list[PartitionCase] = []
        for n in range(batches):
            batch = cases[n::batches]
            known += with_sides(batch, assign([*known, *batch], share=0.25, seed=7).sides)
        assert leaks(known) == ()
        for stratum in {c.stratum for c in known}:
            own = [c for c in known if c.stratum == stratum]
            allowed = 0.02 if batches == 1 else max(0.02, 40 / len(own))
            assert abs(sum(c.side == "holdout" for c in own) / len(own) - 0.25) <= allowed, (batches, stratum)
