"""`[checks]` of curator.toml holds in the form: what is off is not shown, a warning is advice, an error stops F9."""

from __future__ import annotations

from pathlib import Path

from tests.tui.conftest import app_of, open_case, opened, press, record_of, said, stored, until

WRONG = "For 9 days."  # the row says 5


def configure(root: Path, line: str) -> None:
    with (root / "curator.toml").open("a", encoding="utf-8") as stream:
        stream.write(f"\n[checks]\n{line}\n")


async def test_an_error_is_missing_and_stops_the_submission(root: Path) -> None:
    name = stored(root, reference_answer=WRONG)
    configure(root, 'value-unsupported = "error"')
    async with opened(root) as pilot:
        await open_case(pilot)
        await until(pilot, lambda: said(pilot, "! 1 missing: "))
        await press(pilot, "f9")
        await until(pilot, lambda: said(pilot, "not submitted: "))
    assert record_of(root, name).status == "draft"


async def test_what_is_off_is_no_advice_and_goes_through(root: Path) -> None:
    name = stored(root, reference_answer=WRONG)
    configure(root, 'value-unsupported = "off"\nrow-not-named = "off"')
    async with opened(root) as pilot:
        await open_case(pilot)
        await until(pilot, lambda: said(pilot, "nothing is missing"))
        assert not said(pilot, "advice")
        await press(pilot, "f9")
        await until(pilot, lambda: record_of(root, name).status == "in_review")


async def test_a_check_that_there_is_not_is_told_once(root: Path) -> None:
    stored(root)
    configure(root, 'value-unsuported = "off"')
    async with opened(root, errors=True) as pilot:
        await open_case(pilot)
        app = app_of(pilot)
        await until(pilot, lambda: len(app.errors) == 1)
        for _ in range(2):
            app.announce("form")  # as a key does
            await until(pilot, lambda: app._check_timer is None and all(w.group != "check" for w in app.workers))
        assert len(app.errors) == 1
        assert "value-unsuported" in str(app.errors[0])
