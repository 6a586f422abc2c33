"""What should be looked at again."""

from __future__ import annotations

from dataclasses import replace

from curator.services import due
from curator.services.release import release
from tests.services.desk import SETTINGS, Desk


def kinds(desk: Desk, at: str) -> list[tuple[str, str]]:
    return [(d.kind, d.name) for d in due.due(replace(desk.carla, now=lambda: at)) if d.kind != "length profile"]


def test_a_case_is_due_a_year_after_it_was_confirmed_and_again_never_when_that_is_said(desk: Desk) -> None:
    name = desk.approved().case.id
    assert kinds(desk, "2027-02-28T00:00:00Z") == []
    assert kinds(desk, "2027-03-01T00:00:00Z") == [("confirmed long ago", name)]
    desk.write_settings(SETTINGS.replace("[review]", "[review]\nreverify_days = 0"))
    assert kinds(desk, "2030-01-01T00:00:00Z") == []


def test_an_undated_length_profile_is_said(desk: Desk) -> None:
    assert [d.kind for d in due.due(desk.carla)] == ["length profile"]


def test_a_waiver_is_due_after_ninety_days(desk: Desk) -> None:
    desk.approved()
    release(desk.carla, "full", waive="a first draft")
    assert [k for k, _ in kinds(desk, "2026-05-29T00:00:00Z")] == []
    assert "waiver" in [k for k, _ in kinds(desk, "2026-05-31T00:00:00Z")]


def lengths(desk: Desk, table: str, at: str = "2026-03-02T00:00:00Z") -> str:
    desk.write_settings(SETTINGS.replace("[lengths]\nmedian = 1", table))
    return " ".join(d.said for d in due.due(replace(desk.carla, now=lambda: at)) if d.kind == "length profile")


def test_lengths_are_due_after_ninety_days_though_coverage_takes_them_for_a_year(desk: Desk) -> None:
    table = "[lengths]\nmedian = 7\nas_of = 2026-01-01"
    assert lengths(desk, table, "2026-03-31T00:00:00Z") == ""
    assert "90 days ago" in lengths(desk, table, "2026-04-01T00:00:00Z")


def test_a_profile_that_was_measured_on_the_golden_set_is_due(desk: Desk) -> None:
    (desk.root / "lengths.csv").write_text("document,pages\nregulation,2\n")
    assert "measured on the golden set" in lengths(desk, '[lengths]\nprofile = "lengths.csv"\nas_of = 2026-03-01')
    (desk.root / "lengths.csv").write_text("document,pages\nelsewhere,2\nother,3\nthird,9\n")
    assert lengths(desk, '[lengths]\nprofile = "lengths.csv"\nas_of = 2026-03-01') == ""


def test_a_gate_target_is_due_after_ninety_days_and_without_a_date(desk: Desk) -> None:
    targets = "\n[[gate.targets]]\nminimum = 0.9\nsince = 2026-01-01\n\n[[gate.targets]]\nminimum = 0.5\n"
    desk.write_settings(SETTINGS + targets + 'suite = "rules"\nwhere = { risk = "high" }\n')
    undated = ("gate target", "rules: passed of risk=high")
    assert kinds(desk, "2026-03-31T00:00:00Z") == [undated]
    assert kinds(desk, "2026-04-01T00:00:00Z") == [undated, ("gate target", "every suite: passed of all cases")]
