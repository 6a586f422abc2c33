"""The one list: paints only the lines that are seen, and reads pages of 200 rows by key."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import Input

from curator.tui.widgets.row_window import PAGE, ListedRows, Read, Row, Rows, read, trimmed
from curator.tui.widgets.safe import SafeInput, fit
from curator.tui.workers import Sturdy, serve

FILTER_WAIT = 0.08


@dataclass(frozen=True)
class Column:
    """A column: title, width in cells (0: shares what is left), and how wide the list must be to show it."""

    title: str
    width: int = 0
    least: int = 0
    right: bool = False


class RowList(Sturdy, ScrollView, can_focus=True):
    """A list of any length with a cursor. Rows come from `Rows`; at most five pages are kept."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "row-list--head",
        "row-list--cursor",
        "row-list--blurred",
        "row-list--empty",
        "row-list--muted",
    }
    DEFAULT_CSS = """
    RowList {
        background: $background;
        overflow-x: hidden;
        scrollbar-gutter: stable;
        & > .row-list--head { color: $text-muted; text-style: bold; background: $surface; }
        & > .row-list--cursor { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .row-list--blurred {
            color: $block-cursor-blurred-foreground; background: $block-cursor-blurred-background;
        }
        & > .row-list--empty, & > .row-list--muted { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "edge(0)", "first", show=False),
        Binding("end", "edge(1)", "last", show=False),
        Binding("enter", "choose", "open"),
    ]
    cursor: reactive[int] = reactive(0, repaint=False)

    class Highlighted(Message):
        """The cursor came to a row."""

        def __init__(self, source: RowList, row: Row) -> None:
            self.row_list = source
            self.row = row
            super().__init__()

        @property
        def control(self) -> RowList:
            """The list."""
            return self.row_list

    class Chosen(Highlighted):
        """Enter on a row, or a click on the one under the cursor."""

    def __init__(
        self,
        columns: Sequence[Column],
        rows: Rows | None = None,
        *,
        empty: str = "nothing here",
        head: bool = True,
        opens: bool = True,
        dom_id: str | None = None,
    ) -> None:
        super().__init__(id=dom_id)
        self.columns = tuple(columns)
        self.source: Rows = rows or ListedRows()
        self.empty = empty
        self.head = 1 if head else 0
        self.opens = opens
        self.contains = ""
        self.count = -1
        self._rows: dict[int, Row] = {}
        self._generation = 0
        self._reading = False
        self._wanted_id = ""

    # -- rows ---------------------------------------------------------------------------------------------------

    def show_rows(self, source: Rows, *, keep: bool = False) -> None:
        """Take rows from here from now on; keep: the cursor stays at its place."""
        self.source = source
        self.reload(keep=keep)

    def reload(self, *, keep: bool = True, contains: str | None = None, select: str = "") -> None:
        """Read again what is seen.

        Args:
            keep: The cursor stays at its place.
            contains: A new filter.
            select: Id of the row to put the cursor on, if it is among those read.
        """
        if contains is not None:
            self.contains = contains
        self._generation += 1
        self.count = -1
        self._rows = {}
        self._reading = False
        self._wanted_id = select
        if not keep:
            self.set_reactive(RowList.cursor, 0)
            self.scroll_y = 0
        self._need()

    @property
    def row(self) -> Row | None:
        """The row under the cursor."""
        return self._rows.get(self.cursor)

    def _need(self) -> None:
        """Read what is missing round the visible part."""
        height = max(1, self.size.height)
        top = min(self.scroll_offset.y, self.cursor) if self.count < 0 else self.scroll_offset.y
        want = range(max(0, top - height), top + 2 * height)
        if self.count >= 0:
            want = range(want.start, min(want.stop, self.count))
            if all(place in self._rows for place in want):
                return
        if self._reading:
            return
        work = partial(read, self.source, self.contains, want, dict(self._rows), self.count)
        if self.source.immediate:
            self._take(self._generation, work())
            return
        self._reading = True
        serve(
            self,
            work,
            partial(self._take, self._generation),
            doing="read the list",
            group="rows",
            failed=lambda _error: self._stopped_reading(),
        )

    def _stopped_reading(self) -> bool:
        self._reading = False
        return False

    def _take(self, generation: int, answer: Read) -> None:
        if generation != self._generation:
            return
        self._reading = False
        first_time = self.count < 0
        self.count = answer.count
        self._rows = trimmed(self._rows | answer.rows, self.scroll_offset.y)
        self.virtual_size = Size(self.size.width, self.count + self.head)
        if self._wanted_id:
            place = next((n for n, r in self._rows.items() if r.id == self._wanted_id), None)
            self._wanted_id = ""
            if place is not None:
                self.set_reactive(RowList.cursor, place)
        if self.cursor >= self.count:
            self.set_reactive(RowList.cursor, max(0, self.count - 1))
        self.refresh()
        if first_time:
            self._see_cursor()
        if answer.rows:
            self._need()
        if first_time or self.cursor in answer.rows:
            self._tell()

    # -- cursor -------------------------------------------------------------------------------------------------

    def validate_cursor(self, value: int) -> int:
        """A place in the list."""
        return max(0, min(value, max(0, self.count - 1)))

    def watch_cursor(self, before: int, now: int) -> None:
        """Keep it in sight, and tell; only the two lines that changed are painted again."""
        top = self.scroll_offset.y
        self._see_cursor()
        self._need()
        if self.scroll_offset.y == top:
            width = self.size.width
            self.refresh(*(Region(0, place - top + self.head, width, 1) for place in (before, now)))
        self._tell()

    def _see_cursor(self) -> None:
        room = max(1, self.size.height - self.head)
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True, force=True)
        elif self.cursor >= top + room:
            self.scroll_to(y=self.cursor - room + 1, animate=False, immediate=True, force=True)

    def _tell(self) -> None:
        if self.row is not None:
            self.post_message(self.Highlighted(self, self.row))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is offered where it leads somewhere."""
        return self.opens if action == "choose" else True

    def action_move(self, by: int) -> None:
        """One row up or down."""
        self.cursor += by

    def action_page(self, by: int) -> None:
        """A screenful up or down."""
        self.cursor += by * max(1, self.size.height - self.head - 1)

    def action_edge(self, end: int) -> None:
        """The first or the last row."""
        self.cursor = self.count - 1 if end else 0

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Chosen(self, self.row))

    def on_click(self, event: events.Click) -> None:
        """The row under the pointer; a click on the current one opens it."""
        place = event.y - self.head + self.scroll_offset.y
        if event.y < self.head or not 0 <= place < self.count:
            return
        if place == self.cursor and event.chain > 1:
            self.action_choose()
        self.cursor = place

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Read what came into sight."""
        super().watch_scroll_y(old_value, new_value)
        self._need()

    def on_resize(self) -> None:
        """More or fewer lines are seen."""
        if self.count >= 0:
            self.virtual_size = Size(self.size.width, self.count + self.head)
        self._see_cursor()
        self._need()

    # -- painting -----------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width = self.size.width
        if self.head and y == 0:
            titles = tuple(c.title for c in self.columns)
            return self._painted(titles, width, self.get_component_rich_style("row-list--head"))
        place = y - self.head + self.scroll_offset.y
        if self.count == 0 and place == 0:
            said = f"no row contains “{self.contains}”" if self.contains else self.empty
            return Strip([Segment(" " + fit(said, width - 1), self.get_component_rich_style("row-list--empty"))], width)
        row = self._rows.get(place)
        style = self.rich_style
        if row is None:
            return Strip([Segment(" …" if place < self.count else "", style)]).adjust_cell_length(width, style)
        if place == self.cursor:
            style = self.get_component_rich_style("row-list--cursor" if self.has_focus else "row-list--blurred")
        elif row.tone == "muted":
            style = self.get_component_rich_style("row-list--muted")
        return self._painted(row.cells, width, style)

    def _painted(self, cells: tuple[str, ...], width: int, style: Style) -> Strip:
        shown = [(n, c) for n, c in enumerate(self.columns) if width >= c.least]
        free = width - 1 - sum(c.width + 1 for _, c in shown)
        flexible = [n for n, c in shown if not c.width]
        parts = [" "]
        for n, column in shown:
            size = column.width or max(4, free // max(1, len(flexible)))
            text = fit(cells[n] if n < len(cells) else "", size)
            if column.right:
                text = text.rstrip().rjust(size)
            parts.append(text + " ")
        return Strip([Segment("".join(parts), style)]).adjust_cell_length(width, style)


class FilteredList(Vertical):
    """A RowList with a filter line under it: `/` opens it, typing narrows the list, Esc takes it away."""

    DEFAULT_CSS = """
    FilteredList {
        & > RowList { height: 1fr; }
        & > #filter { display: none; height: 1; dock: bottom; background: $panel; padding: 0 1; }
        &.-filtered > #filter { display: block; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("slash", "filter", "filter", key_display="/"),
        Binding("escape", "clear", "all rows", show=False),
    ]

    def __init__(
        self, columns: Sequence[Column], *, empty: str, hint: str = "filter", dom_id: str | None = None
    ) -> None:
        super().__init__(id=dom_id)
        self.list = RowList(columns, empty=empty)
        self._hint = hint
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The list, and the filter line."""
        yield self.list
        yield SafeInput(placeholder=self._hint, dom_id="filter")

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
        self._line.value = ""
        self.screen.set_focus(self.list)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Esc is only ours while there is a filter."""
        return self.has_class("-filtered") if action == "clear" else True

    @on(Input.Changed, "#filter")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(FILTER_WAIT, partial(self._narrow, event.value))

    def _narrow(self, contains: str) -> None:
        if contains != self.list.contains:
            self.list.reload(keep=False, contains=contains)

    @on(Input.Submitted, "#filter")
    def _accepted(self, event: Input.Submitted) -> None:
        event.stop()
        self._narrow(event.value)
        if not event.value:
            self.remove_class("-filtered")
        self.screen.set_focus(self.list)

    def on_key(self, event: events.Key) -> None:
        """Arrows in the filter line move in the list."""
        if self._line.has_focus and event.key in ("down", "up", "pagedown", "pageup"):
            event.stop()
            self.screen.set_focus(self.list)


__all__ = ["PAGE", "Column", "FilteredList", "ListedRows", "Row", "RowList"]
