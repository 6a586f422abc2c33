"""One workspace is made for all; each test gets a copy of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from curator.services import cases
from tests.services.desk import ARTICLE, MEASLES, MUMPS, SIBLING, Desk, build_desk, desks


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_desk(tmp_path_factory.mktemp("services") / "desk")


@pytest.fixture
def open_desk(original: Path, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    yield from desks(original, tmp_path)


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()


QUESTIONS = (
    ("What does a late report cost?", ARTICLE),
    ("Within how many days is an appeal lodged?", SIBLING),
    ("How long does a child with measles stay away?", MEASLES),
    ("And for mumps, which number applies?", MUMPS),
)


@pytest.fixture(scope="session")
def approved(original: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A workspace with four approved cases and a refusal; one lies in the holdout."""
    folder = tmp_path_factory.mktemp("approved")
    opens = desks(original, folder)
    desk = next(opens)()
    for question, source in QUESTIONS:
        desk.approved(question, source)
    desk.approved("Who wins the cup?", "", expectedBehavior="refuse", refusalReason="out_of_scope", referenceAnswer="")
    assert {cases.get(desk.ada, c.id).side for c in cases.page_of(desk.ada)} == {"dev", "holdout"}
    next(opens, None)
    return folder / "desk"
