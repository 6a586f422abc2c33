"""F7: what the cases cover, from a gap to the case that fills it, quotas with a preview, right after every edit."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest
from textual.app import App, ComposeResult
from textual.pilot import Pilot

from curator import workspace
from curator.domain.coverage import Cell, Grid, Margin
from curator.services import cases, privacy, review
from curator.services import failures as service
from curator.services.failure_import import import_log
from curator.settings import load
from curator.tui.screens.coverage import CoverageScreen
from curator.tui.screens.coverage_quotas import QuotaScreen
from curator.tui.screens.coverage_sides import read, told
from curator.tui.widgets.heat_map import HeatMap
from curator.tui.widgets.row_list import RowList
from curator.tui.widgets.source_view import SourceView
from tests.tui.conftest import app_of, complete_case, opened, press, said, screen, until

SUITES = """
[[suites.health.quotas]]  # every domain, long
where = { domain = "*", lengthStratum = "2x" }
minimum = 2  # two are few

[[suites.health.quotas]]
where = { route = "rules" }
minimum = 1

[suites.empty]
include.domain = ["law"]
"""
LOG = "question,route,feedback\nWho is told about <b>rabies</b>?,rules,thumbs down\nWho cooks?,kitchen,\n"


@pytest.fixture(scope="session")
def covered_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A case that counts, one on its way, an open failure, and quotas that are not met."""
    root = shutil.copytree(template, tmp_path_factory.mktemp("covered") / "space")
    text = _settings(root).replace("median = 0", 'median = 2\nas_of = "2020-01-01"') + SUITES
    (root / "curator.toml").write_text(text, "utf-8")
    log = root / "datasets" / "log.csv"
    log.write_text(LOG, "utf-8")
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        for name, question in (
            ("health-0a1b2c", "How long does varicella exclude?"),
            ("health-1b2c3d", "And measles?"),
        ):
            cases.new(ctx, complete_case(ctx, id=name, turns=(question,)))
            assert not cases.submit(ctx, [name])[0].problems
        import_log(ctx, log, names=False, accept_residual_names=True)
        for line in service.page_of(ctx, quarantined=True):
            seen = privacy.review(ctx, line.id)
            privacy.confirm(ctx, line.id, seen.hash, [s.key for s in seen.spots])
    approve(root, "health-0a1b2c")
    return root


def _settings(root: Path) -> str:
    return (root / "curator.toml").read_text("utf-8")


def approve(root: Path, name: str) -> None:
    """By ben, in another workspace object: as another process would."""
    with workspace.Workspace(root, "ben") as space:
        review.approve(space.context, name)


@pytest.fixture
def covered(covered_template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(covered_template, tmp_path / "space")


async def coverage(pilot: Pilot[int]) -> CoverageScreen:
    await press(pilot, "f7")
    await until(pilot, lambda: "health: 1 case" in screen(pilot))
    assert isinstance(pilot.app.screen, CoverageScreen)
    return pilot.app.screen


async def test_a_cell_tells_what_is_missing_and_leads_to_its_cases_and_back(covered: Path) -> None:
    async with opened(covered) as pilot:
        await coverage(pilot)
        await until(pilot, lambda: said(pilot, "! 1/2 −1 +1", "! 2 quotas not met", "domain × length", "1 warning"))
        await press(pilot, "right")
        assert said(pilot, "domain school-health × length 2x: 1 case · ! 1 missing of 2 · +1 on their way")
        await press(pilot, "enter")
        await until(pilot, lambda: "varicella exclude" in screen(pilot) and "And measles" in screen(pilot))
        assert said(pilot, "esc: coverage", "domain school-health × length 2x of health")
        await press(pilot, "w")
        await until(pilot, lambda: "strata of health-0a1b2c" in screen(pilot))
        assert said(pilot, "4 pages of exclusion / 2 = 2.0x", "page 2 of 4 of exclusion")
        await press(pilot, "escape")
        await press(pilot, "escape")
        await until(pilot, lambda: said(pilot, "1 missing of 2"))
        await press(pilot, "left", "enter")
        await until(pilot, lambda: "no case is in this cell" in screen(pilot))
        await press(pilot, "escape", "f5")
        await until(pilot, lambda: "all cases" in screen(pilot) and "And measles" in screen(pilot))


async def test_rows_columns_and_suite_are_chosen_and_every_stratum_says_how_it_is_derived(covered: Path) -> None:
    async with opened(covered, size=(120, 40)) as pilot:
        await coverage(pilot)
        await until(pilot, lambda: said(pilot, "1 missing", "reference median: 2 pages", "stratum"))
        await press(pilot, "w")
        await until(pilot, lambda: "more than one turn is a follow-up" in screen(pilot))
        assert said(pilot, "pages of the longest document", "third of the document", "stated by people")
        await press(pilot, "down", "down", "down", "down", "enter")
        await until(pilot, lambda: "risk × length" in screen(pilot))
        await press(pilot, "c", "'behav'", "enter")
        await until(pilot, lambda: "risk × behavior" in screen(pilot))
        await press(pilot, "t")
        await until(pilot, lambda: "behavior × risk" in screen(pilot))
        await press(pilot, "c", "'no col'", "enter")
        await until(pilot, lambda: "heat map: behavior]" in screen(pilot))
        await press(pilot, "s", "'all'", "enter")
        await until(pilot, lambda: "all cases: 1 case" in screen(pilot))
        assert said(pilot, "health: domain school-health")


async def test_a_gap_begins_the_case_that_fills_it_where_it_is_to_be_found(covered: Path) -> None:
    async with opened(covered) as pilot:
        app = app_of(pilot)
        await until(pilot, lambda: "2 gaps: health lacks" in screen(pilot))
        todo = screen(pilot).splitlines()
        await press(pilot, next(line.split()[1] for line in todo if "gaps: health" in line))
        await until(pilot, lambda: "exclusion" in screen(pilot) and "pp." in screen(pilot))
        assert said(pilot, "→ approve 1 more case, such as on exclusion")
        await press(pilot, "enter")
        await until(pilot, lambda: app.desk.case is not None and bool(app.desk.case.documents))
        view = pilot.app.screen.query_one(SourceView)
        await until(pilot, lambda: view.source is not None)
        case, sheet = app.desk.case, app.desk.sheet
        assert case is not None
        assert sheet is not None
        assert (case.domain, case.documents[0].document_id) == ("school-health", "exclusion")
        assert not sheet.dirty, "what the gap says was typed by nobody"
        assert view.source is not None
        place = app.board.work("health")[0].places[0]
        assert (view.source.id, view.source.anchor.page) == (place.source, place.page)
        assert place.first_page <= place.page <= place.last_page
        await press(pilot, "escape")
        await until(pilot, lambda: "what it can show" in screen(pilot))
        await press(pilot, *["down"] * 2)
        await until(pilot, lambda: "route rules: has 0" in screen(pilot) and "told about" in screen(pilot))
        gaps = pilot.app.screen.query_one("#gaps", RowList)
        gaps.cursor = next(
            n for n in range(gaps.count) if "route=rules p exclusion" in getattr(gaps._shown(n), "id", "")
        )
        await press(pilot, "enter")
        await until(pilot, lambda: app.desk.case is not None and app.desk.case.route == "rules")


async def test_a_gap_leads_to_the_failure_in_triage_and_back(covered: Path) -> None:
    async with opened(covered) as pilot:
        await coverage(pilot)
        await press(pilot, "2")
        gaps = pilot.app.screen.query_one("#gaps", RowList)
        await press(pilot, "end")
        await until(pilot, lambda: gaps.row is not None and " f f1" in gaps.row.id)
        assert said(pilot, "<b>rabies</b>", "route rules")
        await press(pilot, "enter")
        await until(pilot, lambda: "text confirmed" in screen(pilot))
        assert said(pilot, "rabies")
        await press(pilot, "escape")
        await until(pilot, lambda: "fills route rules: has 0, needs 1" in screen(pilot))
        assert "Who cooks" not in screen(pilot)
        await press(pilot, "escape")
        await until(pilot, lambda: "what it can show" in screen(pilot))


async def test_it_is_right_after_an_edit_by_another_process(covered: Path) -> None:
    async with opened(covered) as pilot:
        await coverage(pilot)
        approve(covered, "health-1b2c3d")
        await until(pilot, lambda: "health: 2 cases" in screen(pilot))
        assert said(pilot, "✓ 2/2", "! 1 quota not met")
        text = _settings(covered).replace(
            'where = { route = "rules" }\nminimum = 1', 'where = { route = "rules" }\nminimum = 0'
        )
        (covered / "curator.toml").write_text(text, "utf-8")
        await until(pilot, lambda: "✓ every quota is met" in screen(pilot))
        (covered / "curator.toml").write_text(text + "\n[nonsense]\n", "utf-8")
        await until(pilot, lambda: "! curator.toml: nonsense: no such key" in screen(pilot))
        assert "health: 2 cases" in screen(pilot), "the settings before stay"
        (covered / "curator.toml").write_text(text, "utf-8")
        await until(pilot, lambda: "nonsense" not in screen(pilot))


async def test_quotas_are_tried_before_they_are_written_and_comments_stay(covered: Path) -> None:
    before = _settings(covered)
    async with opened(covered) as pilot:
        await coverage(pilot)
        await press(pilot, "q")
        await until(pilot, lambda: "! 1 missing in 1 cell" in screen(pilot))
        await press(pilot, "p", "'reg'", "enter", "'beside'", "enter")
        await until(pilot, lambda: said(pilot, "1 case now; at least 29 more meet them all", "changes not written yet"))
        assert _settings(covered) == before
        await press(pilot, "u")
        await until(pilot, lambda: "as in curator.toml" in screen(pilot))
        await press(pilot, "a", "'beh'", "enter", "'refuse'", "enter", "enter", "'15%'", "enter")
        await until(pilot, lambda: said(pilot, "behavior refuse", "! has 0%, 1 missing"))
        await press(pilot, "home", "x")
        await until(pilot, lambda: "taken out" in screen(pilot))
        await press(pilot, "w")
        await until(pilot, lambda: "+ behavior refuse: 15%" in screen(pilot))
        assert _settings(covered) == before
        await press(pilot, "y")
        await until(pilot, lambda: not isinstance(pilot.app.screen, QuotaScreen) and "quota" in screen(pilot))
        await until(pilot, lambda: said(pilot, "! 3 quotas not met"))
    after = _settings(covered)
    assert "# two are few" in after
    assert "# every domain, long" in after
    quotas = load(covered / "curator.toml").suites["health"].quotas
    assert [(q.where, q.minimum, q.unit) for q in quotas][-1] == ({"expectedBehavior": "refuse"}, 0.15, "share")


async def test_quotas_are_refused_when_the_file_was_changed_and_put_on_the_new_one(covered: Path) -> None:
    async with opened(covered) as pilot:
        await coverage(pilot)
        await press(pilot, "q")
        await until(pilot, lambda: "missing in 1 cell" in screen(pilot))
        await press(pilot, "down", "e", "ctrl+u", "'7'", "enter")
        await until(pilot, lambda: "! 6 missing in 1 cell" in screen(pilot))
        (covered / "curator.toml").write_text(_settings(covered) + '\n[suites.later]\ndescription = "new"\n', "utf-8")
        await press(pilot, "w", "y")
        await until(pilot, lambda: said(pilot, "was changed since it was read", "nothing was written"))
        assert "minimum = 7" not in _settings(covered)
        await press(pilot, "r")
        await until(pilot, lambda: "! 6 missing in 1 cell" in screen(pilot))
        await press(pilot, "w", "y")
        await until(pilot, lambda: not isinstance(pilot.app.screen, QuotaScreen) and "7/" not in screen(pilot))
        await until(pilot, lambda: "1/7" in screen(pilot))
    assert set(load(covered / "curator.toml").suites) >= {"health", "later"}


async def test_lengths_and_the_size_panel_say_what_they_go_by(covered: Path, tmp_path: Path) -> None:
    run = tmp_path / "run.csv"
    run.write_text("caseId,passed\nhealth-0a1b2c,false\n", "utf-8")
    async with opened(covered) as pilot:
        await coverage(pilot)
        await press(pilot, "3")
        await until(pilot, lambda: "── 2x: from 4 pages" in screen(pilot))
        assert said(
            pilot, "reference median: 2 pages, from curator.toml, as of 2020-01-01", "! curator.toml is of 2020-01-01"
        )
        await press(pilot, "4")
        await until(pilot, lambda: "Assumed: 80% right" in screen(pilot))
        assert said(pilot, "1 case", "no change between two runs can be shown")
        await press(pilot, "a", "ctrl+u", "'90'", "enter", "enter", "'0.2'", "enter")
        await until(pilot, lambda: "Assumed: 90% right" in screen(pilot))
        assert said(pilot, "correlate by 0.2")
        await press(pilot, "i", f"'{run}'", "enter")
        await until(pilot, lambda: "results: run.csv" in screen(pilot))
        assert said(pilot, "0% of 1 were right")


async def test_an_engineer_sees_numbers_of_the_holdout_and_no_ledger(covered: Path) -> None:
    with workspace.Workspace(covered, "ana") as space:
        assert "ledger: nobody has looked" in told(read(space.context))
    async with opened(covered, "eve") as pilot:
        await coverage(pilot)
        await press(pilot, "d")
        await until(pilot, lambda: "shown to those who may see" in screen(pilot))
        assert said(pilot, "1 dev", "target 0%", "✓ 0%")


class Maps(App[int]):
    """A map alone."""

    def compose(self) -> ComposeResult:
        yield HeatMap(lambda: None)


async def test_a_map_that_is_larger_than_the_screen_follows_its_cursor() -> None:
    names = tuple(f"r{n}" for n in range(20))
    columns = tuple(f"column-{n}" for n in range(12))
    cells = tuple(tuple(Cell(row=r, column=c, count=n, glyph="░") for n, c in enumerate(columns)) for r in names)
    grid = Grid(
        rows_by="domain", columns_by="route", rows=tuple(Margin(value=r) for r in names),
        columns=tuple(Margin(value=c) for c in columns), cells=cells, total=Margin(value="", count=7),
    )  # fmt: skip
    async with Maps().run_test(size=(60, 12)) as pilot:
        heat = pilot.app.query_one(HeatMap)
        heat.show_grid(grid)
        heat.focus()
        await press(pilot, *["right"] * 11, *["down"] * 12)
        await pilot.pause()
        lines = _lines(pilot)
        assert "column-11" in lines[0]
        assert "‹" in lines[0]
        assert lines[0].startswith("4-13/20")
        assert any(line.startswith("r12 ") and line.rstrip().endswith("0") for line in lines)
        assert lines[11].startswith("all")
        assert (heat.where, heat.under) == ({"domain": "r12", "route": "column-11"}, cells[12][11])
        await press(pilot, "end", "pagedown", "pagedown")
        assert heat.where == {}
        await press(pilot, "home")
        await pilot.pause()
        assert "column-0" in _lines(pilot)[0]


def _lines(pilot: Pilot[Any]) -> list[str]:
    return [strip.text for strip in pilot.app.screen._compositor.render_strips()]
