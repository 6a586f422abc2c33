"""F4: a log in, sorted, its texts confirmed, promoted to cases; decisions taken back."""

from __future__ import annotations

import shutil
import time
from pathlib import Path

import pytest
from textual.pilot import Pilot

from curator import workspace
from curator.domain.case import Case
from curator.domain.failure import Failure
from curator.services import cases, failures, privacy
from curator.services.failure_import import import_log
from curator.tui.screens.failures import FailuresScreen
from curator.tui.widgets.row_list import RowList
from tests.tui.conftest import app_of, opened, press, record_of, screen, until

LOG = (
    "timestamp,session,route,question,answer,feedback,contexts",
    '2026-03-01T09:00:00Z,s1,rules,How long does a pupil with varicella stay away?,Ten days.,bad,"[""Varicella""]"',
    "2026-03-01T09:01:00Z,s2,rules,how long does a pupil with varicella stay away??,Twelve days.,,[]",
    "2026-03-02T09:00:00Z,s3,rules,Who is told about measles [/x] [@click=app.quit]?,Nobody.,,[]",
    "2026-03-02T10:00:00Z,s4,office,Does Zorba Quux keep the forms since 2024-05-01?,Yes.,,[]",
    "2026-03-03T10:00:00Z,s5,office,What is the death penalty of the register?,None.,,[]",
)


def log(folder: Path, rows: tuple[str, ...] = LOG) -> Path:
    path = folder / "log.csv"
    path.write_text("\n".join((*rows, "")), "utf-8")
    return path


@pytest.fixture(scope="session")
def failing_template(template: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The workspace with the log in it, every text confirmed but that of the two that are left in quarantine."""
    root = shutil.copytree(template, tmp_path_factory.mktemp("failing") / "space")
    with workspace.Workspace(root, "ana") as space:
        ctx = space.context
        import_log(ctx, log(root / "datasets"), names=False, accept_residual_names=True)
        for line in failures.page_of(ctx, quarantined=True):
            if "Zorba" not in line.question:
                seen = privacy.review(ctx, line.id)
                privacy.confirm(ctx, line.id, seen.hash, [s.key for s in seen.spots])
    return root


@pytest.fixture
def failing(failing_template: Path, tmp_path: Path) -> Path:
    return shutil.copytree(failing_template, tmp_path / "space")


def failure(root: Path, name: str) -> Failure:
    with workspace.Workspace(root, "ana") as space:
        return failures.get(space.context, name)


def rows(pilot: Pilot[int]) -> int:
    return pilot.app.screen.query_one("#failures RowList", RowList).count


async def triage(pilot: Pilot[int]) -> None:
    """Into the first failure of the queue, with what is found for it."""
    await press(pilot, "f4")
    await until(pilot, lambda: "risk word" in screen(pilot))
    await press(pilot, "enter")
    await until(pilot, lambda: "text confirmed" in screen(pilot) and "searching" not in screen(pilot))


async def to(pilot: Pilot[int], name: str) -> None:
    """From one failure on to another one."""
    shown = pilot.app.screen
    assert isinstance(shown, FailuresScreen)
    for _ in range(5):
        if shown.chosen() == [name]:
            return
        await press(pilot, "n")
        await until(pilot, lambda: bool(shown.chosen()))
    raise AssertionError(f"{name} is not in the queue:\n{screen(pilot)}")


async def test_a_log_is_shown_before_it_is_taken(root: Path) -> None:
    path = log(root / "datasets")
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "nothing is open" in screen(pilot))
        await press(pilot, "i", f"'{path.with_name('lo')}'", "tab", "enter", "enter")
        await until(pilot, lambda: "dry run: log.csv" in screen(pilot), 60)
        assert "5 new, 0 here already, 0 changed, 0 rejected" in screen(pilot)
        with workspace.Workspace(root, "ana") as space:
            assert not failures.batches(space.context)
        await press(pilot, "y")
        await until(pilot, lambda: "✓ log.csv: 5 new" in screen(pilot), 60)
        await press(pilot, "i", f"'{path}'", "enter", "enter")
        await until(pilot, lambda: "0 new, 5 here already" in screen(pilot), 60)
        await press(pilot, "escape")


async def test_an_empty_queue_says_what_waits_in_quarantine(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        import_log(space.context, log(root / "datasets"), names=False, accept_residual_names=True)
    async with opened(root) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "nothing is open; 5 rows in quarantine" in screen(pilot))


async def test_a_log_that_says_no_question_is_asked_for_its_columns(root: Path, tmp_path: Path) -> None:
    path = tmp_path / "odd.csv"
    path.write_text("a,b\nx1,y1\n", "utf-8")
    async with opened(root) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "nothing is open" in screen(pilot))
        await press(pilot, "i", f"'{path}'", "enter", "enter")
        await until(pilot, lambda: "! " in screen(pilot) and "import a log" in screen(pilot), 60)
        await press(pilot, "enter", "'question=b answer=a'", "enter")
        await until(pilot, lambda: "question = b" in screen(pilot), 60)


async def test_an_import_is_stopped_at_once_and_goes_on_later(root: Path) -> None:
    many = [f"2026-03-01,s{n},r,Is rule {n} of chapter {n % 7} still good?,It is rule {n}.,,[]" for n in range(30_000)]
    path = log(root / "datasets", (LOG[0], *many))
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "nothing is open" in screen(pilot))
        shown = pilot.app.screen
        assert isinstance(shown, FailuresScreen)
        shown._begin(path, "", dry_run=False)
        await until(pilot, lambda: "000 records" in screen(pilot) or "500 records" in screen(pilot), 120)
        begun = time.monotonic()
        await press(pilot, "x")
        await until(pilot, lambda: "stopped" in screen(pilot))
        assert time.monotonic() - begun < 20  # benchmarks/triage_keys.py measures: 0.3 s is the aim
        assert app_of(pilot).state_of_work == ""
    with workspace.Workspace(root, "ana") as space:
        here = failures.count(space.context) + failures.count(space.context, quarantined=True)
        assert 0 < here < 30_000
        short = path.with_name("short.csv")
        short.write_text("\n".join((LOG[0], *many[: here + 100], "")), "utf-8")
        again = import_log(space.context, short, names=False, accept_residual_names=True)
        assert (again.new, again.same) == (100, here)


async def test_from_the_queue_to_a_case_and_back_to_the_next(failing: Path) -> None:
    async with opened(failing) as pilot:
        await triage(pilot)
        assert "why here: risk word" in screen(pilot)
        await to(pilot, "f1")
        await until(pilot, lambda: "1 ○ exclusion" in screen(pilot) and "bad feedback on 1" in screen(pilot))
        assert "Ten days." in screen(pilot)
        await press(pilot, "s", "4")
        await until(pilot, lambda: "2 failures: failed at ranking" in screen(pilot))
        await until(pilot, lambda: "1 ○ exclusion" in screen(pilot))
        await press(pilot, "1")
        assert "1 ● exclusion" in screen(pilot)
        await press(pilot, "P")
        await until(pilot, lambda: app_of(pilot).current_mode == "case" and pilot.app.focused is not None)
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "f-reference-answer")
        await press(pilot, "'Until all blisters have crusted.'", "ctrl+s")
        await until(pilot, lambda: app_of(pilot).current_mode == "failures" and "is promoted to" in screen(pilot))
        shown = pilot.app.screen
        assert isinstance(shown, FailuresScreen)
        await until(pilot, lambda: shown.chosen() not in ([], ["f1"], ["f2"]))
    promoted = failure(failing, "f1")
    case = record_of(failing, promoted.case_id).case
    assert case.turns == ("How long does a pupil with varicella stay away?",)
    assert (case.origin, case.route, case.failure_stage) == ("production", "rules", "ranking")
    assert case.must_not_claim == ("Ten days.",)
    assert case.reference_answer == "Until all blisters have crusted."
    assert [e.role for e in case.evidence] == ["required"]
    assert (failure(failing, "f2").state, failure(failing, "f2").duplicate_of) == ("duplicate", "f1")


async def test_what_is_typed_into_a_promotion_outlives_the_app(failing: Path) -> None:
    async with opened(failing) as pilot:
        await triage(pilot)
        await to(pilot, "f1")
        await press(pilot, "p")
        await until(pilot, lambda: getattr(pilot.app.focused, "id", "") == "f-reference-answer")
        await press(pilot, "'Five days.'")
        await until(pilot, lambda: "draft kept" in screen(pilot))
    async with opened(failing) as pilot:
        await until(pilot, lambda: "varicella" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: app_of(pilot).current_mode == "case")
        await press(pilot, "ctrl+s")
        await until(pilot, lambda: "is promoted to" in screen(pilot))
    assert record_of(failing, failure(failing, "f1").case_id).case.reference_answer == "Five days."


async def test_decisions_are_taken_back_with_one_key(failing: Path) -> None:
    async with opened(failing) as pilot:
        await triage(pilot)
        await to(pilot, "f1")
        await press(pilot, "d", "2")
        await until(pilot, lambda: "2 failures: dismissed" in screen(pilot))
        assert failure(failing, "f2").reason == "not for this system"
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "taken back" in screen(pilot))
        assert failure(failing, "f1").state == "new"
        await press(pilot, "escape", "ctrl+y")
        await until(pilot, lambda: "done again" in screen(pilot))
        assert failure(failing, "f2").state == "dismissed"


async def test_a_fast_hand_decides_one_after_the_other(failing: Path) -> None:
    async with opened(failing) as pilot:
        await triage(pilot)
        await press(pilot, *"s2d1s2d1s2d1")
        await until(pilot, lambda: "nothing is open" in screen(pilot), 30)
    found = [failure(failing, f"f{n}") for n in (1, 2, 3, 5)]
    assert [(f.state, f.stage) for f in found] == [("dismissed", "chunking")] * 4


async def test_a_duplicate_is_chosen_by_its_words(failing: Path) -> None:
    async with opened(failing) as pilot:
        await triage(pilot)
        await press(pilot, "equals_sign")
        await until(pilot, lambda: "asks the same as" in screen(pilot))
        await press(pilot, "'measles'", "enter")
        await until(pilot, lambda: "duplicate of f3" in screen(pilot))
    assert failure(failing, "f5").duplicate_of == "f3"


async def test_a_fold_is_opened_and_undone(failing: Path) -> None:
    path = log(failing / "datasets", (LOG[0], LOG[1].replace("s1", "s8").replace("away?", "aawy?")))
    with workspace.Workspace(failing, "ana") as space:
        import_log(space.context, path, names=False, accept_residual_names=True)
        seen = privacy.review(space.context, "f6")
        privacy.confirm(space.context, "f6", seen.hash, [s.key for s in seen.spots])
    assert failure(failing, "f6").fold == failure(failing, "f1").fold
    async with opened(failing) as pilot:
        await triage(pilot)
        await to(pilot, "f1")
        await press(pilot, "u")
        await until(pilot, lambda: "mark what does not belong" in screen(pilot))
        assert "3 times, in 2 wordings" in screen(pilot)
        await press(pilot, "space", "enter")
        await until(pilot, lambda: "taken out of the fold" in screen(pilot))
        assert failure(failing, "f6").fold != failure(failing, "f1").fold
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: "taken back" in screen(pilot))
    assert failure(failing, "f6").fold == failure(failing, "f1").fold


async def test_places_are_ticked_one_by_one_before_a_text_leaves_the_quarantine(failing: Path) -> None:
    async with opened(failing) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "1 in quarantine" in screen(pilot))
        await press(pilot, "f", "f", "f")
        await until(pilot, lambda: "Zorba Quux" in screen(pilot))
        assert rows(pilot) == 1
        await press(pilot, "enter")
        await until(pilot, lambda: "⟦? Zorba Quux⟧" in screen(pilot), 60)
        assert "in quarantine" in screen(pilot)
        assert "⟦? 2024-05-01⟧" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: "places are not ticked" in screen(pilot))
        await press(pilot, "r")
        await until(pilot, lambda: "[PERSON_1]" in screen(pilot))
        await press(pilot, "space")
        assert "⟦✓ 2024-05-01⟧" in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: "f4: confirmed" in screen(pilot))
        await until(pilot, lambda: "nothing is in quarantine" in screen(pilot))
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: rows(pilot) == 1)
    left = failure(failing, "f4")
    assert left.quarantined
    assert left.question == "Does [PERSON_1] keep the forms since 2024-05-01?"


async def test_a_hard_finding_in_a_case_blocks_until_it_is_allowed_with_a_reason(failing: Path) -> None:
    with workspace.Workspace(failing, "ana") as space:
        name = cases.new(space.context, Case(turns=("May I write to desk@example.org?",))).case.id
    async with opened(failing) as pilot:
        await press(pilot, "f4", "f", "f", "f", "f", "f")
        await until(pilot, lambda: name in screen(pilot), 60)
        assert "privacy_open" in record_of(failing, name).flags
        shown = pilot.app.screen.query_one("#failures RowList", RowList)
        while shown.row is not None and shown.row.id != name:
            await press(pilot, "down")
        await press(pilot, "enter")
        await until(pilot, lambda: "⟦! desk@example.org⟧" in screen(pilot), 60)
        await press(pilot, "enter")
        await until(pilot, lambda: "holds email" in screen(pilot))
        await press(pilot, "a", "enter")
        assert "a reason is needed" in screen(pilot)
        await press(pilot, "'the public desk'", "enter")
        await until(pilot, lambda: "Nothing was found" in screen(pilot))
        await press(pilot, "enter")
        await until(pilot, lambda: f"{name}: confirmed" in screen(pilot))
    with workspace.Workspace(failing, "ana") as space:
        assert privacy.review(space.context, name).confirmed
        assert [(e.text, e.reason) for e in privacy.allowed(space.context)] == [("desk@example.org", "the public desk")]
    assert "privacy_open" not in record_of(failing, name).flags


async def test_clusters_lead_to_their_folds(failing: Path) -> None:
    async with opened(failing) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: "risk word" in screen(pilot))
        await press(pilot, "f")
        await until(pilot, lambda: "clusters: by " in screen(pilot) and rows(pilot) > 1, 90)
        await press(pilot, "enter")
        await until(pilot, lambda: "cluster: " in screen(pilot) and rows(pilot) >= 1)
        await press(pilot, "escape")
        await until(pilot, lambda: "clusters: " in screen(pilot))


async def test_the_list_is_filtered_by_route_and_sorted(failing: Path) -> None:
    async with opened(failing) as pilot:
        await press(pilot, "f4")
        await until(pilot, lambda: rows(pilot) == 3)
        await press(pilot, "slash", "'route:office'", "enter")
        await until(pilot, lambda: rows(pilot) == 1)
        await press(pilot, "escape", "f", "f")
        await until(pilot, lambda: "all failures" in screen(pilot) and rows(pilot) == 4)
        await press(pilot, "S")
        await until(pilot, lambda: "question ▲" in screen(pilot))
        await press(pilot, "asterisk")
        await until(pilot, lambda: "4 marked" in screen(pilot))
