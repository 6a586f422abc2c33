"""Every look at the holdout is in the ledger, and an engineer has none."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.domain.listing import ListQuery
from curator.errors import UsageError
from curator.services import blind, cases, ledger
from curator.services.citations import citing
from curator.services.coverage import coverage
from curator.services.home import overview
from curator.store import cases as stored
from curator.store.cases import Change
from tests.services.desk import ARTICLE, MEASLES, Desk


@pytest.fixture(scope="module")
def made(original: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A workspace with a case of ada's in the holdout, beside one in dev."""
    desk = Desk(shutil.copytree(original, tmp_path_factory.mktemp("looks") / "desk"))
    names = [desk.approved("What does a late report cost?", ARTICLE).case.id,
             desk.approved("How long does a child with measles stay away?", MEASLES).case.id]  # fmt: skip
    with desk.carla.write("release") as tx:
        sides = zip(names, ("dev", "holdout"), strict=True)
        stored.change_many(tx, [Change(stored.get(tx, n), "assigned", {"side": s}) for n, s in sides])
    desk.workspace.close()
    return desk.root, names[1]


@pytest.fixture
def desk(made: tuple[Path, str], tmp_path: Path) -> Iterator[Desk]:
    """A copy of it of this test's own."""
    opened = Desk(shutil.copytree(made[0], tmp_path / "desk"))
    yield opened
    opened.workspace.close()


@pytest.fixture
def hidden(made: tuple[Path, str]) -> str:
    """Id of the case in the holdout."""
    return made[1]


def test_an_engineer_sees_no_text_of_the_holdout_in_any_list_or_view(desk: Desk, hidden: str) -> None:
    dan = desk.by("dan")
    for query in (ListQuery(), ListQuery(contains="measles"), ListQuery(sort="question", descending=True)):
        assert hidden not in {line.id for line in cases.page_of(dan, query)}
        assert cases.count(dan, query) == len(cases.page_of(dan, query))
        assert hidden in {line.id for line in cases.page_of(desk.ben, query)}
    assert hidden not in {c.id for c in overview(dan).recent_cases}
    views: tuple[Callable[[], object], ...] = (
        lambda: blind.look(dan, hidden), lambda: blind.history(dan, hidden), lambda: ledger.seen(dan, hidden, "app")
    )  # fmt: skip
    for view in views:
        with pytest.raises(UsageError, match="an engineer sees nothing"):
            view()
    assert ledger.entries(desk.carla) == []


def test_a_case_that_is_opened_in_the_app_is_a_look_and_one_in_dev_is_none(desk: Desk, hidden: str) -> None:
    other = next(c.id for c in cases.page_of(desk.ben) if c.id != hidden)
    assert ledger.seen(desk.ben, hidden, "app").record.case.id == hidden
    ledger.seen(desk.ben, other, "app")
    (look,) = ledger.entries(desk.carla)
    assert (look.actor, look.how, look.case_id, look.version) == (
        "ben", "app", hidden, f"v{cases.get(desk.ben, hidden).version}"
    )  # fmt: skip


def test_the_reader_tells_of_a_holdout_case_its_id_alone_but_to_its_author(desk: Desk, hidden: str) -> None:
    (seen,) = citing(desk.ben, "regulation")[MEASLES]
    assert (seen.id, seen.hidden, seen.question) == (hidden, True, "")
    (own,) = citing(desk.ada, "regulation")[MEASLES]
    assert own.question.startswith("How long")


def test_a_gate_is_run_by_an_engineer_and_all_else_is_a_leads(desk: Desk, hidden: str) -> None:
    ledger.look_at_suite(desk.by("dan"), "rules", "1.0.0", "gate", "run nightly-7")
    for how in ("fetch-holdout", "baseline"):
        with pytest.raises(UsageError, match="may not see the holdout"):
            ledger.look_at_suite(desk.by("dan"), "rules", "1.0.0", how, "to see it")
    ledger.look_at_suite(desk.carla, "rules", "1.0.0", "fetch-holdout", "audit")
    assert [(e.actor, e.how, e.version) for e in ledger.entries(desk.ada)] == [
        ("dan", "gate", "1.0.0"), ("carla", "fetch-holdout", "1.0.0")
    ]  # fmt: skip
    with pytest.raises(UsageError, match="has a reason"):
        ledger.look_at_suite(desk.carla, "rules", "1.0.0", "gate", " ")


def test_coverage_says_how_worn_the_holdout_is_and_how_many_know_it(desk: Desk, hidden: str) -> None:
    root: Path = desk.root
    desk.write_settings((root / "curator.toml").read_text().replace("seed = 3", "seed = 3\nworn_after = 2"))
    for turn in range(3):
        ledger.look_at_suite(desk.carla, "rules", "1.0.0", "gate", f"run {turn}")
        wear = coverage(desk.ada).wear
        assert (wear.cases, wear.whole, wear.worn) == (1, turn + 1, turn == 2)
    assert wear.people == ("ada", "ben", "carla")
    assert "3 people know it" in wear.words
    entry = ledger.entries(desk.ada)[0]
    ledger.withdraw(desk.carla, entry.seq, "a trial of the gate itself")
    assert not coverage(desk.ada).wear.worn
