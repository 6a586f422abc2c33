"""Cells, margins, bars and sentences: every case is counted once, and nothing is said that is not so."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from curator.domain.case import Case
from curator.domain.coverage import Counted, counted, dimensions, glyph, grid, histogram, in_cell
from curator.domain.filling import Shelved, begun, fits, places, third_pages
from curator.domain.quotas import asked
from curator.domain.rules import THIRDS, third
from curator.domain.size_panel import Assumptions, measured, size, sizes
from curator.domain.strata import length_band
from curator.domain.suite import Quota, Selector, SuitePolicy


def line(**values: str) -> dict[str, Any]:
    usual = {
        "domain": "law", "documentType": "act", "expectedBehavior": "answer", "task": "question", "risk": "low",
        "difficulty": "easy", "route": "r", "language": "en", "lengthStratum": "base", "sectionPosition": "early",
        "conversation": "single", "sectionDepth": "1",
    }  # fmt: skip
    return {**usual, **values, "turns": ("",), "documents": [], "tags": ()}


@st.composite
def many(draw: st.DrawFn) -> list[Counted]:
    pick = {
        "domain": st.sampled_from(["law", "tax", ""]),
        "lengthStratum": st.sampled_from(["base", "2x", "none"]),
        "risk": st.sampled_from(["low", "critical", "hidden"]),
    }
    kinds = st.sampled_from(["counted", "counted", "coming", "stale"])
    return [
        counted(f"c-{n:06d}", draw(kinds), "dev", draw(st.sampled_from(["", "a", "b"])),
                line(**{k: draw(v) for k, v in pick.items()}))
        for n in range(draw(st.integers(0, 25)))
    ]  # fmt: skip


@given(many(), st.sampled_from([("domain", "risk"), ("lengthStratum", "domain"), ("risk", "")]))
def test_cells_and_margins_add_up(cases: list[Counted], by: tuple[str, str]) -> None:
    found = grid(cases, *by)
    counts = sum(c.kind == "counted" for c in cases)
    assert (
        found.total.count == counts == sum(m.count for m in found.rows) == sum(c.count for r in found.cells for c in r)
    )
    assert all(sum(c.count for c in row) == m.count for m, row in zip(found.rows, found.cells, strict=True))
    if by[1] and found.cells:
        columns = zip(*found.cells, strict=True)
        assert all(sum(c.count for c in col) == m.count for m, col in zip(found.columns, columns, strict=True))
    for row in found.cells:
        for cell in row:
            where = {by[0]: cell.row} | ({by[1]: cell.column} if by[1] else {})
            listed = in_cell(cases, where)
            assert sum(c.kind == "counted" for c in listed) == cell.count
            assert sum(c.kind == "coming" for c in listed) == cell.coming
    for dimension in dimensions(cases):
        assert sum(m.count for m in dimension.values) == counts


def test_a_cell_says_its_quota_and_an_empty_one_that_is_asked_for_is_a_gap() -> None:
    cases = [counted("c-000000", "counted", "dev", "a", line())]
    quotas = (
        Quota(where={"lengthStratum": "base", "domain": "law"}, minimum=1),
        Quota(where={"domain": "law", "lengthStratum": "10x"}, minimum=2),
        Quota(where={"domain": "law"}, minimum=5),
        Quota(where={"domain": "law", "lengthStratum": "5x"}, minimum=0.5, unit="share"),
    )
    found = grid(cases, "domain", "lengthStratum", asked(quotas, [c.line for c in cases]))
    assert [(c.column, c.glyph, c.need) for c in found.cells[0]] == [
        ("base", "✓", 1), ("2x", "·", 0), ("5x", "·", 0), ("10x", "!", 2)
    ]  # fmt: skip
    assert (found.rows[0].state, found.rows[0].need, found.total.state) == ("gap", 5, "free")


def test_density_is_told_by_quarters() -> None:
    assert [glyph(n, 8) for n in (0, 1, 2, 3, 4, 5, 6, 7, 8)] == ["·", *"░░▒▒▓▓██"]
    assert glyph(0, 0) == "·"


@given(st.integers(1, 5000), st.floats(0.5, 60))
def test_a_bar_lies_in_the_band_of_its_documents(pages: int, median: float) -> None:
    (bar,) = [b for b in histogram(median, [], [pages], []).bars if b.documents]
    assert bar.band == length_band(pages, median)


def test_without_a_median_there_are_no_bars() -> None:
    assert histogram(0, [1, 2], [3], [4]).bars == ()


@given(st.integers(1, 400))
def test_the_pages_of_a_third_are_those_that_lie_in_it(pages: int) -> None:
    for name in THIRDS:
        own = [p for p in range(1, pages + 1) if third(p, pages) == name]
        assert third_pages(pages, name) == ((own[0], own[-1]) if own else (0, 0))


SHELF = (
    Shelved("act", "The Act", "law", "act", "en", 90, 40),
    Shelved("code", "The Code", "law", "code", "en", 12, 9),
    Shelved("scan", "A Scan", "law", "act", "en", 95, 0),
    Shelved("duty", "Duties", "tax", "act", "en", 99, 12),
)


def test_places_are_ranked_by_the_fewest_cases_and_only_where_something_can_be_cited() -> None:
    suite = SuitePolicy(name="s")
    found = places(SHELF, Quota(where={"lengthStratum": "10x"}, minimum=9), suite, 8, {})
    assert [p.document_id for p in found] == ["act", "duty"]
    assert (found[0].position, found[0].first_page, found[0].last_page) == ("early", 1, 30)
    late = places(SHELF, Quota(where={"domain": "law", "sectionPosition": "late"}, minimum=9), suite, 8, {})
    assert [(p.document_id, p.first_page, p.last_page) for p in late] == [("act", 61, 90), ("code", 9, 12)]


@pytest.mark.parametrize(
    ("include", "exclude", "expected"),
    [
        ({}, {}, ["act", "code", "scan", "duty"]),
        ({"domain": ("law",)}, {}, ["act", "code", "scan"]),
        ({"domain": ("law",)}, {"document": ("code",)}, ["act", "scan"]),
        ({"document": ("act", "duty"), "risk": ("high",)}, {"domain": ("tax",), "tag": ("old",)}, ["act", "duty"]),
    ],
)
def test_a_suite_wants_the_documents_that_it_would_take_cases_on(
    include: dict[str, Any], exclude: dict[str, Any], expected: list[str]
) -> None:
    suite = SuitePolicy(name="s", include=Selector(**include), exclude=Selector(**exclude))
    assert [d.document_id for d in SHELF if fits(d, Quota(minimum=1), suite, 8)] == expected


def test_a_case_for_a_gap_says_what_the_gap_and_the_suite_ask_for_and_leaves_the_rest_open() -> None:
    where = {"expectedBehavior": "refuse", "route": "*", "lengthStratum": "10x", "conversation": "follow-up"}
    suite = SuitePolicy(name="s", include=Selector(domain=("law",), risk=("high", "low"), tag=("v2", "v3")))
    fields = begun(where, suite)
    assert fields == {"expected_behavior": "refuse", "domain": "law", "tags": ("v2",), "turns": ("", "")}
    assert begun({"domain": "tax", "risk": "none", "language": "ko"}, suite)["domain"] == "tax"
    assert Case.model_validate(fields).expected_behavior == "refuse"


def test_thirty_cases_are_said_to_be_a_smoke_test() -> None:
    apart = [counted(f"c-{n:06d}", "counted", "dev", f"d{n}", line()) for n in range(30)]
    whole = size(apart, Assumptions(), {})
    assert whole.sentence == (
        "30 cases: if 80% are right, the true share lies between 63% and 90%; a change shows only from 25 points on. "
        "Enough for a smoke test, not for a comparison."
    )
    together = [c._replace(cluster="one") for c in apart]
    clustered = size(together, Assumptions(), {})
    assert clustered.effective == pytest.approx(30 / 3.9)
    assert "30 cases on 1 document count like 8" in clustered.sentence
    assert clustered.high - clustered.low > whole.high - whole.low
    assert size([], Assumptions(), {}).sentence == "No case: nothing can be said."


def test_the_panel_goes_by_the_values_that_have_cases() -> None:
    cases = [
        counted("c-000000", "counted", "dev", "a", line(risk="high")),
        counted("c-000001", "coming", "", "a", line(risk="low")),
    ]
    assert [(s.dimension, s.value, s.n) for s in sizes(cases, ["risk"], Assumptions())] == [
        ("", "", 1),
        ("risk", "high", 1),
    ]


def test_results_show_how_alike_those_of_one_document_are() -> None:
    cases = [counted(f"c-{n:06d}", "counted", "dev", f"d{n // 5}", line()) for n in range(20)]
    by_document = {c.id: c.cluster in ("d0", "d2") for c in cases}
    found = measured(cases, Assumptions(), by_document)
    assert (found.correlation, found.measured) == (1, True)
    assert "correlate by 1 (measured)" in found.words
    assert size(cases, found, by_document).effective == pytest.approx(4)
    assert measured(cases, Assumptions(correlation=0.3, fixed=True), by_document).correlation == 0.3
    assert measured(cases, Assumptions(), {}) == Assumptions()
