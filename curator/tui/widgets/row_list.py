"""The one list: paints only the lines that are seen, and reads pages of 200 rows by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from time import monotonic
from typing import ClassVar, TypeVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from curator.tui.messages import Done, KeysWelcome
from curator.tui.widgets.columns import Column, line
from curator.tui.widgets.row_bar import RowBar
from curator.tui.widgets.row_marks import RowMarks
from curator.tui.widgets.row_window import (
    PAGE,
    ListedRows,
    Ordered,
    Read,
    Row,
    Rows,
    read,
    read_first,
    trimmed,
)
from curator.tui.widgets.safe import fit
from curator.tui.workers import serve

Result = TypeVar("Result")
LONGEST = 5.0
"""Seconds for which keys wait for rows."""


class RowList(RowMarks, can_focus=True):
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
        Binding("space", "mark", "mark"),
        Binding("asterisk", "mark_all", "mark all rows of the filter", show=False, key_display="*"),
        Binding("S", "sort", "sort", key_display="S"),
    ]

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
        marks: bool = False,
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
        self.marks = marks
        self.marked: dict[str, None] = {}
        self.order: tuple[str, bool] = ("", False)
        self._rows: dict[int, Row] = {}
        self.counting = False
        self._texts: dict[int, str] = {}
        self._style = Style.null()
        self._generation = 0
        self._reading = False
        self._wanted_id = ""
        self._to_the_end = False
        self._old: dict[int, Row] = {}
        self._fresh = False
        self._expected = 0.0
        self._offers: frozenset[str] | None = None

    # -- rows ---------------------------------------------------------------------------------------------------

    def show_rows(self, source: Rows, *, keep: bool = False, select: str = "") -> None:
        """Take rows from here from now on; keep, select: see `reload`."""
        self.source = source
        self._expected = 0.0
        self.reload(keep=keep, select=select)

    def expect(self) -> None:
        """Rows will be shown as soon as there is a place to read them from: keys wait for them."""
        self._expected = monotonic()

    def reload(self, *, keep: bool = True, contains: str | None = None, select: str = "") -> None:
        """Read again what is seen. With `keep`, what was read before is shown, and keys act on it, until it was.

        Args:
            keep: The cursor stays on its row, or at its place when the row is gone.
            contains: A new filter.
            select: Id of the row to put the cursor on, if it is among those read.
        """
        if contains is not None:
            self.contains = contains
        self._generation += 1
        self._fresh = self._reading = self.counting = self._to_the_end = False
        self._old = self._old | self._rows if keep and not self.source.immediate else {}
        self._rows = {}
        self._wanted_id = select
        if not self._old:
            self.count = -1
            self._texts.clear()
        if not keep:
            self.set_reactive(RowList.cursor, 0)
            self.scroll_y = 0
        self._need()

    @property
    def row(self) -> Row | None:
        """The row under the cursor, as it is shown."""
        return self._shown(self.cursor)

    def _shown(self, place: int) -> Row | None:
        """The row at a place; one that was read before, while it is read again."""
        return self._rows.get(place) or self._old.get(place)

    @property
    def awaits_rows(self) -> bool:
        """Whether the row under the cursor is about to come, so that keys had better wait for it."""
        if self._expected:
            return monotonic() - self._expected < LONGEST
        return (self.row is None and self._reading) or (self._to_the_end and self.counting)

    @property
    def rows(self) -> Rows:
        """Where rows come from, in the order that was chosen."""
        column, descending = self.order
        source = self.source
        return source.ordered(column, descending=descending) if column and isinstance(source, Ordered) else source

    def _need(self) -> None:
        """Read what is missing round the visible part."""
        height = max(1, self.size.height)
        top = self.scroll_offset.y if self._fresh else min(self.scroll_offset.y, self.cursor)
        want = range(max(0, top - height), top + 2 * height)
        count = self.count if self._fresh else -1
        if count >= 0:
            want = range(want.start, min(want.stop, count))
            if all(place in self._rows for place in want):
                return
        if self._reading:
            return
        work = partial(read, self.rows, self.contains, want, dict(self._rows), count)
        if self.source.immediate:
            self._take(self._generation, work())
            return
        if count < 0 and top == 0 and not self._wanted_id:  # what is seen need not wait for the count
            work = partial(read_first, self.rows, self.contains)
        self._reading = True
        self._serve(work, self._take, "rows")

    def _serve(self, work: Callable[[], Result], take: Callable[[int, Result], None], group: str) -> None:
        """Ask in a worker; what it gives is taken with the generation that it was asked for."""
        serve(
            self,
            work,
            partial(take, self._generation),
            doing="read the list",
            group=group,
            failed=lambda _error: self._stopped_reading(),
        )

    def on_done(self, message: Done) -> None:
        """Rows that were asked for are taken here: nothing but the list is painted for them."""
        message.stop()
        if message.then is not None:
            message.then(message.result)

    def _stopped_reading(self) -> bool:
        self._reading = False
        self.post_message(KeysWelcome())
        return False

    def _take(self, generation: int, answer: Read) -> None:
        if generation != self._generation:
            return
        self._reading = False
        first_time, last = not self._fresh, self.row
        seen = range(self.scroll_offset.y, self.scroll_offset.y + self.size.height)
        changes = first_time or any(place in answer.rows and place not in self._rows for place in seen)
        self.counting = answer.count < 0
        self._rows = trimmed(self._rows | answer.rows, self.scroll_offset.y)
        for place in self._old.keys() & answer.rows.keys():
            self._texts.pop(place, None)
        self._texts = trimmed(self._texts, self.scroll_offset.y)
        self._fresh = True
        self._take_count(max(len(answer.rows), self.count if self._old else 0) if self.counting else answer.count)
        if first_time:
            self._come_back(last)
        if self.counting:
            self._serve(partial(self.rows.count, self.contains), self._counted, "count")
        if changes:
            self.refresh()
        if first_time:
            self._see_cursor()
        if answer.rows:
            self._need()
        if not self._reading:
            self._forget_old()
        if first_time or self.cursor in answer.rows:
            self._tell()
        self._say_offers()
        if not self.awaits_rows:
            self.post_message(KeysWelcome())

    def _come_back(self, last: Row | None) -> None:
        """After the first reading: the cursor goes to the row that was asked for, or to the one on which it stood."""
        wanted = self._wanted_id or (last.id if last is not None and not self._to_the_end else "")
        self._wanted_id = ""
        place = next((n for n, r in self._rows.items() if r.id == wanted), None) if wanted else None
        if place is not None:
            self.set_reactive(RowList.cursor, place)
        elif self._to_the_end and not self.counting:
            self._to_the_end = False
            self.set_reactive(RowList.cursor, max(0, self.count - 1))
        if self.cursor >= self.count and not self.counting:
            self.set_reactive(RowList.cursor, max(0, self.count - 1))

    def _forget_old(self) -> None:
        """What is seen was read again."""
        for place in self._old.keys() - self._rows.keys():
            self._texts.pop(place, None)
        self._old = {}

    def _take_count(self, count: int) -> None:
        self.count = count
        self.virtual_size = Size(self._width, count + self.head)

    def _counted(self, generation: int, count: int) -> None:
        """The list is longer than its first page: go to the end now, if that was asked for meanwhile."""
        if generation != self._generation:
            return
        self.counting = False
        self._take_count(count)
        if self.cursor >= count:
            self.cursor = count
        if self._to_the_end:
            self.action_edge(1)
        self._need()
        if not self.awaits_rows:
            self.post_message(KeysWelcome())

    # -- cursor -------------------------------------------------------------------------------------------------

    def validate_cursor(self, value: int) -> int:
        """A place in the list."""
        return max(0, min(value, max(0, self.count - 1)))

    def watch_cursor(self, before: int, now: int) -> None:
        """Keep it in sight, and tell; only the two lines that changed are painted again."""
        self._wanted_id = ""
        self._to_the_end = False
        top = self.scroll_offset.y
        self._see_cursor()
        self._need()
        if self.scroll_offset.y == top:
            self._repaint(before, now)
        self._say_offers()
        self._tell()

    @property
    def _width(self) -> int:
        """Cells of a line; the scroll bar stands beside it."""
        return self.scrollable_content_region.width

    def _repaint(self, *places: int) -> None:
        """Paint the lines of these places again, and no others."""
        top, width = self.scroll_offset.y, self.size.width
        self.refresh(*(Region(0, place - top + self.head, width, 1) for place in places))

    def _see_cursor(self) -> None:
        room = max(1, self.size.height - self.head)
        top = self.scroll_offset.y
        if self.cursor < top:
            self.scroll_to(y=self.cursor, animate=False, immediate=True, force=True)
        elif self.cursor >= top + room:
            self.scroll_to(y=self.cursor - room + 1, animate=False, immediate=True, force=True)

    def _say_offers(self) -> None:
        """The foot of the screen says what can be done with the row under the cursor."""
        offers = None if self.row is None else self.row.offers
        if self._offers != offers:
            self._offers = offers
            self.refresh_bindings()

    def _tell(self) -> None:
        if self.row is not None:
            self.post_message(self.Highlighted(self, self.row))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is offered where it leads somewhere, marks and orders where there are any."""
        if action in ("mark", "mark_all"):
            return self.marks and self.count != 0
        if action == "sort":
            return self.count != 0 and isinstance(self.source, Ordered) and any(c.name for c in self.columns)
        return self.opens and self.count != 0 if action == "choose" else True

    def action_move(self, by: int) -> None:
        """One row up or down."""
        self.cursor += by

    def action_page(self, by: int) -> None:
        """A screenful up or down."""
        self.cursor += by * max(1, self.size.height - self.head - 1)

    def action_edge(self, end: int) -> None:
        """The first or the last row."""
        self.cursor = self.count - 1 if end else 0
        self._to_the_end = bool(end) and (self.counting or not self._fresh)

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Chosen(self, self.row))

    def on_click(self, event: events.Click) -> None:
        """To the row under the pointer; a double click opens it, one on the head sorts."""
        at = event.get_content_offset(self)  # inside the border
        if at is None:
            return
        place = at.y - self.head + self.scroll_offset.y
        if self.head and at.y == 0:
            self._sort_at(at.x)
        if at.y < self.head or not 0 <= place < self.count:
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
        self._texts.clear()
        if self.count >= 0:
            self._take_count(self.count)
        self._see_cursor()
        self._need()

    @property
    def vertical_scrollbar(self) -> ScrollBar:
        """Ours, which is painted when it looks different."""
        if self._vertical_scrollbar is None:
            self._vertical_scrollbar = RowBar(vertical=True, name="vertical", thickness=self.scrollbar_size_vertical)
            self._vertical_scrollbar.display = False
            self.app._start_widget(self, self._vertical_scrollbar)
        return self._vertical_scrollbar

    # -- painting -----------------------------------------------------------------------------------------------

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region; the styles are worked out once for all of them, which costs more than painting."""
        self._style = self.rich_style
        return super().render_lines(crop)

    def render_line(self, y: int) -> Strip:
        """One visible line."""
        width = self._width
        if self.head and y == 0:
            style = self.get_component_rich_style("row-list--head")
            return Strip([Segment(line(self.columns, tuple(map(self._title, self.columns)), width), style)], width)
        place = y - self.head + self.scroll_offset.y
        if self.count == 0 and place == 0:
            said = f"no row contains “{self.contains}”" if self.contains else self.empty
            return Strip([Segment(" " + fit(said, width - 1), self.get_component_rich_style("row-list--empty"))], width)
        row = self._shown(place)
        style = self._style
        if row is None:
            return Strip([Segment(" …" if place < self.count else "", style)]).adjust_cell_length(width, style)
        if place == self.cursor:
            style = self.get_component_rich_style("row-list--cursor" if self.has_focus else "row-list--blurred")
        elif row.tone == "muted":
            style = self.get_component_rich_style("row-list--muted")
        text = self._texts.get(place)
        if text is None:
            text = self._texts[place] = line(self.columns, row.cells, width)
        if row.id in self.marked:
            text = "■" + text[1:]
        return Strip([Segment(text, style)], width)

    def _title(self, column: Column) -> str:
        name, descending = self.order
        return f"{column.title} {'▼' if descending else '▲'}" if name and column.name == name else column.title


__all__ = ["PAGE", "Column", "ListedRows", "Row", "RowList"]
