"""One workspace is made for all; each test gets a copy of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.services.desk import Desk, build_desk, desks


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build_desk(tmp_path_factory.mktemp("services") / "desk")


@pytest.fixture
def open_desk(original: Path, tmp_path: Path) -> Iterator[Callable[..., Desk]]:
    yield from desks(original, tmp_path)


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    return open_desk()
