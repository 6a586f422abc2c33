"""Errors stay readable over restarts, and the file holds nothing that was typed."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from curator.errors import InputError
from curator.tui.times import ago
from curator.tui.troubles import FILE, KEPT, Trouble, earlier, keep
from tests.tui.conftest import app_of, opened, press, screen, until


async def test_an_error_is_read_again_after_a_restart_and_can_be_dropped(root: Path) -> None:
    async with opened(root, errors=True) as pilot:
        app_of(pilot).note_error("read x.pdf", InputError("page 3 is an image: no text", "install the extra ocr"))
        app_of(pilot).note_error("save", ValueError("what somebody typed"))
        await until(pilot, lambda: len(earlier(root / ".curator")) == 2)
        await press(pilot, "f2", "f1")
        await until(pilot, lambda: "2 things went wrong" in screen(pilot))
        await press(pilot, "f12")
        await until(pilot, lambda: "ValueError: what somebody typed" in screen(pilot))
        await press(pilot, "escape")
        await until(pilot, lambda: "things went wrong" not in screen(pilot))  # they have been looked at
    logged = (root / ".curator" / "log" / "curator.log").read_text("utf-8")
    kept = (root / ".curator" / FILE).read_text("ascii") + logged
    assert "what somebody typed" not in kept
    async with opened(root) as pilot:
        await press(pilot, "f12")
        await until(pilot, lambda: "read x.pdf" in screen(pilot) and "ValueError" in screen(pilot))
        await press(pilot, "d")
        await until(pilot, lambda: not (root / ".curator" / FILE).exists())
        await press(pilot, "f12")
        await until(pilot, lambda: "nothing went wrong" in screen(pilot))


def test_the_file_stays_small_and_what_cannot_be_read_is_left_out(tmp_path: Path) -> None:
    for n in range(0, 3 * KEPT, 50):
        keep(tmp_path, [Trouble(f"d{k}", "s" * 5000, "2026-01-01T00:00:00+00:00", "ana") for k in range(n, n + 50)])
    path = tmp_path / FILE
    assert len(path.read_text("ascii").splitlines()) < 2 * KEPT
    assert earlier(tmp_path)[-1].doing == f"d{3 * KEPT - 1}"
    with path.open("a", encoding="utf-8") as stream:
        stream.write('{"half\n[1,2,3,4]\n' + json.dumps(["", "", "last", "\x1b]52;"]) + "\n\udcff\n".encode(
            "utf-8", "surrogatepass").decode("utf-8", "replace"))  # fmt: skip
    assert earlier(tmp_path)[-1] == Trouble("last", "\x1b]52;", "", "")


def test_no_folder_is_no_further_trouble(tmp_path: Path) -> None:
    keep(tmp_path / "none", [Trouble("a", "b")])
    assert earlier(tmp_path / "none") == []


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(-90, "now"), (5, "now"), (300, "5 min"), (3 * 3600, "3 h"), (2 * 86400, "2 d"), (90 * 86400, "Sep 1"),
     (400 * 86400, "2025-10")],
)  # fmt: skip
def test_how_long_ago(seconds: int, said: str) -> None:
    now = datetime(2026, 11, 30, 12, tzinfo=UTC)
    assert ago((now - timedelta(seconds=seconds)).isoformat(), now) == said
    assert len(said) <= 7


def test_what_is_no_time_is_not_said() -> None:
    assert ago("") == ago("[/x]") == ""
    assert ago("2026-11-30T11:00:00", datetime(2026, 11, 30, 12, tzinfo=UTC)) == "1 h"
