"""A reason that was typed into a dialog while the database was away stands there again, in this app and in the next."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.services.test_rescue import as_of_an_app_that_is_gone
from tests.tui.conftest import app_of, list_cases, opened, press, record_of, said, stored, until


async def test_a_reason_outlives_a_database_that_is_gone_and_the_app(
    root: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    name = stored(root)
    database, away, rescued = (root / ".curator" / n for n in ("curator.db", "away", "rescue"))
    async with opened(root, errors=True) as pilot:
        await list_cases(pilot)
        await press(pilot, "X")
        await until(pilot, lambda: said(pilot, f"retire {name}"))
        await press(pilot, "'repealed in spring'")
        await until(pilot, lambda: any(rescued.glob("typed-*.json")))  # while it is being typed
        database.rename(away)
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: any("not there any more" in e.said for e in app_of(pilot).errors))
        await press(pilot, "X")
        await until(pilot, lambda: said(pilot, "could not be stored", "repealed in spring"))
    as_of_an_app_that_is_gone(next(rescued.glob("typed-*.json")))
    away.rename(database)
    async with opened(root, errors=True) as pilot:
        await until(pilot, lambda: any(f"retire {name}" in e.said for e in app_of(pilot).errors))
        assert "repealed" not in (root / ".curator" / "errors.jsonl").read_text()
        await list_cases(pilot)
        await press(pilot, "X")
        await until(pilot, lambda: said(pilot, "could not be stored", "repealed in spring"))
        await press(pilot, "enter", "enter")
        await until(pilot, lambda: said(pilot, f"retired: {name}"))
        assert record_of(root, name).retired_reason == "repealed in spring"
        await until(pilot, lambda: not any(rescued.glob("typed-*.json")))
        await press(pilot, "R")
        await until(pilot, lambda: said(pilot, f"restore {name}"))
        await press(pilot, "'x'", "escape")
        assert not app_of(pilot).unstored  # what was decided against is not offered again
