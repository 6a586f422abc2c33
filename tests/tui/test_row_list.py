"""A long list reads pages of 200 by key, only near where one looks."""

from __future__ import annotations

import threading
from collections.abc import Hashable, Sequence
from typing import ClassVar

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType

from curator.tui.key_order import KeyOrder
from curator.tui.messages import Done
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.row_list import Column, RowList
from curator.tui.widgets.row_window import KEPT, PAGE, Row, read, read_first, trimmed
from tests.tui.conftest import press, screen, until


class Numbers:
    """A list of numbers that counts how often it is asked. Keys are odd, so that no place can pass for a key."""

    immediate = False

    def __init__(self, count: int) -> None:
        self._count = count
        self.asked = 0

    def _keys(self, contains: str) -> Sequence[int]:
        keys = range(1, 2 * self._count, 2)
        return [k for k in keys if contains in str(k)] if contains else keys

    def count(self, contains: str) -> int:
        return len(self._keys(contains))

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        self.asked += 1
        assert limit == PAGE
        keys = self._keys(contains)
        start = 0 if key is None else keys.index(key) + 1
        return [Row(k, str(k), (f"row {k}", "수두")) for k in keys[start : start + limit]]

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        self.asked += 1
        keys = self._keys(contains)
        end = len(keys) if key is None else keys.index(key)
        return [Row(k, str(k), (f"row {k}", "수두")) for k in keys[max(0, end - limit) : end]][::-1]


@given(st.integers(0, 1500), st.integers(0, 1500), st.integers(1, 80))
def test_a_range_is_read_from_the_nearest_known_row(count: int, first: int, height: int) -> None:
    rows = Numbers(count)
    known = dict(read(rows, "", range(30), {}, -1).rows)
    answer = read(rows, "", range(first, first + height), known, count)
    for place in range(first, min(count, first + height)):
        assert answer.rows[place].key == 2 * place + 1
    assert all(row.key == 2 * place + 1 for place, row in answer.rows.items())


def test_the_end_is_read_from_the_end() -> None:
    rows = Numbers(100_000)
    answer = read(rows, "", range(99_970, 100_000), {}, -1)
    assert rows.asked == 1
    assert answer.rows[99_999].key == 199_999


class PlacedNumbers(Numbers):
    """Numbers that know the key of a place."""

    def key_at(self, place: int, contains: str, *, back: bool) -> Hashable | None:
        keys = self._keys(contains)[:: -1 if back else 1]
        return keys[place] if place < len(keys) else None


@given(st.integers(0, 3000), st.integers(0, 3000), st.integers(1, 80))
def test_any_place_is_reached_by_one_page_or_two(count: int, first: int, height: int) -> None:
    rows = PlacedNumbers(count)
    known = dict(read_first(rows, "").rows)
    rows.asked = 0
    answer = read(rows, "", range(first, first + height), known, count)
    assert rows.asked <= 2
    wanted = range(first, min(count, first + height))
    assert all((known | answer.rows)[place].key == 2 * place + 1 for place in wanted)
    assert all(row.key == 2 * place + 1 for place, row in answer.rows.items())


@pytest.mark.parametrize(("count", "told"), [(0, 0), (PAGE - 1, PAGE - 1), (PAGE, -1), (5000, -1)])
def test_the_first_page_is_read_without_counting(count: int, told: int) -> None:
    answer = read_first(Numbers(count), "")
    assert answer.count == told
    assert len(answer.rows) == min(count, PAGE)


async def test_end_while_the_rows_are_being_counted_goes_to_the_end() -> None:
    counting = threading.Event()

    class Slow(PlacedNumbers):
        def count(self, contains: str) -> int:
            counting.wait(20)
            return super().count(contains)

    async with ListApp(Slow(3000)).run_test(size=(80, 24)) as pilot:
        listed = pilot.app.query_one(RowList)
        await until(pilot, lambda: "row 1 " in screen(pilot))
        assert listed.counting
        await press(pilot, "end")
        counting.set()
        await until(pilot, lambda: listed.row is not None and listed.row.id == "5999")


class Gated(PlacedNumbers):
    """Numbers that are given out one reading at a time."""

    def __init__(self, count: int) -> None:
        super().__init__(count)
        self.gate = threading.Semaphore(0)
        self.keys: Sequence[int] | None = None

    def open(self, readings: int = 1000) -> None:
        for _ in range(readings):
            self.gate.release()

    def _keys(self, contains: str) -> Sequence[int]:
        return self.keys if self.keys is not None and not contains else super()._keys(contains)

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        assert self.gate.acquire(timeout=20)
        return super().after(key, limit, contains)


async def test_keys_wait_for_the_first_page() -> None:
    rows = Gated(50)
    app = ListApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "down", "down", "enter")
        assert app.chosen == []
        rows.open()
        await until(pilot, lambda: app.chosen == ["5"])


async def test_a_key_that_leads_elsewhere_does_not_wait() -> None:
    app = ListApp(Gated(50))
    async with app.run_test(size=(80, 24)) as pilot:
        await press(pilot, "f9")
        await until(pilot, lambda: app.went)
        app.numbers.open()  # type: ignore[attr-defined]


async def test_while_rows_are_read_again_keys_act_on_what_is_shown() -> None:
    rows = Gated(50)
    app = ListApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        rows.open(1)
        listed = app.query_one(RowList)
        await until(pilot, lambda: "row 1 " in screen(pilot) and not listed.awaits_rows)
        listed.reload()
        await press(pilot, "end")
        assert "row 99 " in screen(pilot)
        await press(pilot, "enter")
        await until(pilot, lambda: app.chosen == ["99"])
        rows.keys = range(1, 103, 2)  # one more
        rows.open()
        await until(pilot, lambda: listed.count == 51)
        assert listed.row is not None
        assert listed.row.id == "101", "the end was asked for, and is there now"


async def test_after_reading_again_the_cursor_is_on_the_same_row() -> None:
    rows = Gated(50)
    app = ListApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        rows.open()
        listed = app.query_one(RowList)
        await until(pilot, lambda: "row 1 " in screen(pilot))
        await press(pilot, "down", "down")
        rows.keys = range(3, 101, 2)  # the first is gone
        listed.reload()
        await until(pilot, lambda: listed.count == 49)
        assert (listed.cursor, listed.row and listed.row.id) == (1, "5")
        rows.keys = [k for k in rows.keys if k != 5]
        listed.reload()
        await until(pilot, lambda: listed.count == 48)
        assert (listed.cursor, listed.row and listed.row.id) == (1, "7")
        assert "row 5 " not in screen(pilot)


async def test_enter_after_a_filter_opens_the_first_row_that_has_it() -> None:
    rows = Gated(3000)
    app = ListApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        rows.open(1)
        await until(pilot, lambda: "row 1 " in screen(pilot))
        await press(pilot, "slash", "9", "9", "9", "enter", "down", "enter")
        assert app.chosen == []
        rows.open()
        await until(pilot, lambda: app.chosen == ["1999"])


async def test_end_and_enter_on_a_long_list_open_its_last_row() -> None:
    rows = Gated(3000)
    app = ListApp(rows)
    async with app.run_test(size=(80, 24)) as pilot:
        rows.open()
        await until(pilot, lambda: "row 1 " in screen(pilot))
        await press(pilot, "end", "enter")
        await until(pilot, lambda: app.chosen == ["5999"])


def test_memory_is_bounded() -> None:
    rows = {n: Row(n, str(n), ()) for n in range(5000)}
    kept = trimmed(rows, 2500)
    assert len(kept) <= KEPT + 1
    assert 2500 in kept


class ListApp(KeyOrder, App[int]):
    BINDINGS: ClassVar[list[BindingType]] = [Binding("f9", "went", priority=True)]

    def __init__(self, rows: Numbers) -> None:
        super().__init__()
        self.begin_key_order()
        self.chosen: list[str] = []
        self.went = False
        self.numbers = rows

    def compose(self) -> ComposeResult:
        yield FilteredList([Column("name", 12), Column("disease")], empty="nothing", dom_id="list")

    def on_mount(self) -> None:
        listed = self.query_one(FilteredList).list
        listed.show_rows(self.numbers)
        self.screen.set_focus(listed)

    def on_row_list_chosen(self, message: RowList.Chosen) -> None:
        self.chosen.append(message.row.id)

    def action_went(self) -> None:
        self.went = True

    def on_done(self, message: Done) -> None:
        if message.then:
            message.then(message.result)


async def test_a_list_of_100_000_rows() -> None:
    rows = Numbers(100_000)
    async with ListApp(rows).run_test(size=(80, 24)) as pilot:
        listed = pilot.app.query_one(RowList)
        await until(pilot, lambda: "row 1 " in screen(pilot))
        assert rows.asked <= 2
        await press(pilot, "end")
        await until(pilot, lambda: "row 199999" in screen(pilot))
        assert rows.asked <= 4
        assert listed.row is not None
        assert listed.row.id == "199999"
        await press(pilot, "up", "up", "pageup")
        assert listed.row.id == str(199_999 - 2 * (2 + 22))
        await press(pilot, "home", "down")
        await until(pilot, lambda: listed.row is not None and listed.row.id == "3")
        assert len(listed._rows) <= KEPT + 1


async def test_typing_narrows_and_escape_shows_all_again() -> None:
    async with ListApp(Numbers(3000)).run_test(size=(80, 24)) as pilot:
        listed = pilot.app.query_one(RowList)
        await until(pilot, lambda: listed.count == 3000)
        await press(pilot, "slash", "9", "9", "9")
        await until(pilot, lambda: listed.count == 6)
        assert "row 999 " in screen(pilot)
        assert "row 1 " not in screen(pilot)
        await press(pilot, "enter", "escape")
        await until(pilot, lambda: listed.count == 3000)
        await press(pilot, "slash", "x")
        await until(pilot, lambda: "no row contains “x”" in screen(pilot))


@pytest.mark.parametrize("width", [40, 80])
async def test_wide_characters_do_not_shift_a_line(width: int) -> None:
    async with ListApp(Numbers(3)).run_test(size=(width, 6)) as pilot:
        await until(pilot, lambda: "row 1 " in screen(pilot))
        strips = pilot.app.screen._compositor.render_strips()
        assert {strip.cell_length for strip in strips} == {width}
