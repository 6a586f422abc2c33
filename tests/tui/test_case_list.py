"""The list of cases: filters by column, order, marks, and one change of all that are marked."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

from curator import workspace
from curator.domain.case import Case
from curator.services import cases
from curator.store.database import driver
from curator.tui.filters import Columns, Filter
from curator.tui.widgets.case_list import CaseList
from tests.tui.conftest import app_of, complete_case, opened, press, screen, until

COLUMNS = Columns({"risk": "risk", "state": "status"}, {"risk": ("low", "high"), "state": ("draft", "in_review")})


def test_a_filter_line_is_read() -> None:
    assert COLUMNS.read('risk:high what "is it" foo:bar state:') == Filter('what "is it" foo:bar', (("risk", "high"),))
    assert COLUMNS.split(COLUMNS.read('state:"in review" risk:hi')) == ((("status", "in_review"),), (("risk", "hi"),))
    assert COLUMNS.completed("what ri") == "what risk:"
    assert COLUMNS.completed("risk:h") == "risk:high"
    assert COLUMNS.completed("zzz") == ""


def filled(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        for n, (domain, risk) in enumerate(
            (("health", "low"), ("law", "high"), ("health", "critical"), ("law", "low"))
        ):
            cases.new(space.context, Case(turns=(f"Question {n}?",), domain=domain, risk=risk))


def order_of(text: str) -> list[str]:
    return [line.split("Question ")[1][0] for line in text.splitlines() if "Question " in line]


async def test_filters_order_marks_and_one_change_that_is_taken_back(root: Path) -> None:
    filled(root)
    async with opened(root) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: order_of(screen(pilot)) == ["0", "1", "2", "3"])
        await press(pilot, "S", "S")
        await until(pilot, lambda: order_of(screen(pilot)) == ["3", "2", "1", "0"])
        assert "question ▼" in screen(pilot)
        await press(pilot, *"SSSSS"[:3])
        await until(pilot, lambda: "risk ▲" in screen(pilot) and order_of(screen(pilot)) == ["0", "3", "1", "2"])
        await press(pilot, "slash", "d", "o", "m", "tab", *"law", "enter")
        await until(pilot, lambda: order_of(screen(pilot)) == ["3", "1"])
        await press(pilot, "asterisk")
        await until(pilot, lambda: "■ 2 marked" in screen(pilot))
        await press(pilot, "b")
        await until(pilot, lambda: "with 2 cases" in screen(pilot))
        await press(pilot, "a")
        await until(pilot, lambda: "tags to add" in screen(pilot))
        await press(pilot, "'smoke, first'", "enter")
        await until(pilot, lambda: "2 now tagged smoke, first" in screen(pilot))
        ctx = app_of(pilot).ctx
        assert ctx is not None

        def tags() -> list[tuple[str, ...]]:
            return [cases.get(ctx, line.id).case.tags for line in cases.page_of(ctx)]

        assert tags() == [(), ("smoke", "first"), (), ("smoke", "first")]
        assert "marked ·" not in screen(pilot)
        await press(pilot, "ctrl+z")
        await until(pilot, lambda: tags() == [(), (), (), ()])


async def test_what_cannot_be_submitted_is_said_and_stays_readable(root: Path) -> None:
    filled(root)
    async with opened(root, errors=True) as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: "Question 0" in screen(pilot))
        await press(pilot, "space", "space")
        await until(pilot, lambda: "■ 2 marked" in screen(pilot))
        await press(pilot, "b", "s", "u")
        await until(pilot, lambda: "0 submitted" in screen(pilot))
        await press(pilot, "f12")
        await until(pilot, lambda: "copy all" in screen(pilot) and "no reference answer" in screen(pilot))
        await press(pilot, "y")
        await until(pilot, lambda: "1 line copied" in screen(pilot))


async def test_a_change_of_many_shows_how_far_it_is_and_can_be_stopped(root: Path) -> None:
    filled(root)
    async with opened(root) as pilot:
        ctx = app_of(pilot).ctx
        assert ctx is not None

        def domains() -> list[str]:
            return [line.domain for line in cases.page_of(ctx)]

        before = domains()
        await press(pilot, "f5")
        await until(pilot, lambda: "Question 3" in screen(pilot))
        await press(pilot, "asterisk")
        await until(pilot, lambda: "■ 4 marked" in screen(pilot))
        with closing(driver().connect(root / ".curator" / "curator.db", isolation_level=None)) as other:
            other.execute("BEGIN IMMEDIATE")  # the change has to wait for this
            await press(pilot, "b", "s", "e")
            await until(pilot, lambda: "enter: go on" in screen(pilot))
            await press(pilot, "'moved'", "enter")
            await until(pilot, lambda: "change 4 cases" in screen(pilot) and "esc: stop" in screen(pilot))
            await press(pilot, "escape")
            await until(pilot, lambda: "stopping" in screen(pilot))
        await until(pilot, lambda: "stopped: change 4 cases; nothing was changed" in screen(pilot))
        assert domains() == before
        assert "■ 4 marked" in screen(pilot)
        assert "esc: stop" not in screen(pilot)


async def test_what_is_hidden_cannot_be_filtered_or_sorted_for(root: Path) -> None:
    with workspace.Workspace(root, "ana") as space:
        for n, risk in enumerate(("low", "high")):
            case = complete_case(space.context, turns=(f"Question {n}?",), risk=risk, consequence="an outbreak")
            cases.require_submitted(cases.submit(space.context, [cases.new(space.context, case).case.id]))
        cases.new(space.context, Case(turns=("Question 2?",), risk="critical"))
    async with opened(root, "ben") as pilot:
        await press(pilot, "f5")
        await until(pilot, lambda: order_of(screen(pilot)) == ["0", "1", "2"])
        rows = [line for line in screen(pilot).splitlines() if "Question" in line]
        assert ["hidden" in row for row in rows] == [True, True, False]
        assert "high" not in screen(pilot)
        listed = pilot.app.screen.query_one("#cases", CaseList).list
        for descending in (False, True):
            listed.sort_by("risk", descending)
            wanted = ["2", "1", "0"] if descending else ["2", "0", "1"]
            await until(pilot, lambda wanted=wanted: order_of(screen(pilot)) == wanted)  # type: ignore[misc]
        await press(pilot, "slash", *"risk:high")
        await until(pilot, lambda: order_of(screen(pilot)) == [])
        await until(pilot, lambda: "2 in review are not asked" in screen(pilot))
