"""A list with a filter line."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input, Static

from curator.tui.filters import Columns, Completing
from curator.tui.widgets.row_list import Column, RowList
from curator.tui.widgets.row_window import Noting
from curator.tui.widgets.safe import SafeInput
from curator.tui.workers import serve

FILTER_WAIT = 0.08


class FilteredList(Vertical):
    """A RowList with a filter line under it: `/` opens it, typing narrows the list, Esc takes filter and marks away.

    Args:
        columns: As of the list.
        empty: What stands in an empty list.
        hint: What stands in an empty filter line.
        filters: Columns that can be named in the filter line; they are completed. The rows read the line themselves.
        marks: Whether rows can be marked.
        dom_id: Its id.
    """

    DEFAULT_CSS = """
    FilteredList {
        & > RowList { height: 1fr; }
        & > #filter { display: none; height: 1; background: $panel; padding: 0 1; }
        & > #marked { display: none; height: 1; background: $panel; color: $text-accent; padding: 0 1; }
        &.-filtered > #filter { display: block; }
        &.-marked > #marked { display: block; }
    }
    """
    actions = "space: mark"
    """What the line under a list with marks says can be done."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", key_display="/"),
        Binding("escape", "clear", "clear"),
    ]

    def __init__(
        self,
        columns: Sequence[Column],
        *,
        empty: str,
        hint: str = "filter",
        filters: Columns | None = None,
        marks: bool = False,
        dom_id: str | None = None,
    ) -> None:
        super().__init__(id=dom_id)
        self.list = RowList(columns, empty=empty, marks=marks)
        self._filters = filters
        self._hint = hint
        self._timer: Timer | None = None
        self._note = ""

    def compose(self) -> ComposeResult:
        """The list, and the filter line."""
        yield self.list
        line = SafeInput(placeholder=self._hint, dom_id="filter")
        if self._filters is not None:
            line.suggester = Completing(self._filters)
        yield Static("", id="marked")
        yield line

    @property
    def _line(self) -> Input:
        return self.query_one("#filter", Input)

    def action_filter(self) -> None:
        """Type what the rows must contain."""
        self.add_class("-filtered")
        self.screen.set_focus(self._line)

    def action_clear(self) -> None:
        """Show all rows again."""
        self.remove_class("-filtered")
        self._line.value = self._note = ""
        self.say_marks()
        if self.list.marked:
            self.list.unmark()
        self.screen.set_focus(self.list)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc is only ours while there is a filter or a mark."""
        if action == "filter":
            return not (self.is_mounted and self._line.has_focus)
        return self.has_class("-filtered") or bool(self.list.marked) if action == "clear" else True

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        """Nobody further up asks on which row the cursor is, and most keys move it."""
        if type(event) is RowList.Highlighted:  # a row that was chosen comes here too, and goes on
            event.stop()

    @on(RowList.Marked)
    def _marks(self, event: RowList.Marked) -> None:
        event.stop()
        self.say_marks()

    def say_marks(self) -> None:
        """How many rows are marked, in the line under the list; while something is done with them, how far it is."""
        count = len(self.list.marked)
        said = self.working() or (f"■ {count} marked · {self.actions} · *: all · esc: none" if count else self._note)
        self.set_class(bool(said), "-marked")
        self.query_one("#marked", Static).update(said)
        self.refresh_bindings()

    def working(self) -> str:
        """What is being done with the marked rows, and how far it is; "" = nothing."""
        return ""

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(FILTER_WAIT, partial(self._narrow, event.value))

    def _narrow(self, contains: str) -> None:
        if contains == self.list.contains:
            return
        self.list.reload(keep=False, contains=contains)
        rows = self.list.source
        if isinstance(rows, Noting):
            serve(self, lambda: rows.note(contains), self._noted, doing="filter", group="note")

    def _noted(self, note: str) -> None:
        self._note = note
        self.say_marks()

    @on(Input.Submitted, "#filter")
    def _accepted(self, event: Input.Submitted) -> None:
        event.stop()
        self._narrow(event.value)
        if not event.value:
            self.remove_class("-filtered")
        self.screen.set_focus(self.list)

    def on_key(self, event: events.Key) -> None:
        """Arrows in the filter line move in the list; Tab takes what is offered."""
        line = self._line
        if line.has_focus and event.key == "tab" and self._filters and (said := self._filters.completed(line.value)):
            event.stop()
            event.prevent_default()
            line.value = said
            line.cursor_position = len(said)
        if line.has_focus and event.key in ("down", "up", "pagedown", "pageup"):
            event.stop()
            self._narrow(line.value)
            self.screen.set_focus(self.list)
