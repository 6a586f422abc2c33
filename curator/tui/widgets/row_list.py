"""The one list: paints only the lines that are seen, and reads pages of 200 rows by key."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import ClassVar, TypeVar

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.scrollbar import ScrollBar
from textual.strip import Strip

from curator.tui.messages import Done
from curator.tui.widgets.row_bar import RowBar
from curator.tui.widgets.row_window import (
    PAGE,
    ListedRows,
    Named,
    Ordered,
    Read,
    Row,
    Rows,
    read,
    read_first,
    trimmed,
)
from curator.tui.widgets.safe import fit
from curator.tui.workers import Sturdy, serve

Result = TypeVar("Result")


@dataclass(frozen=True)
class Column:
    """A column.

    Attributes:
        title: Its head.
        width: In cells; 0 = shares what is left.
        least: How wide the list must be to show it.
        right: Figures stand on the right.
        name: By what the rows are sorted for it; "" = they cannot be.
    """

    title: str
    width: int = 0
    least: int = 0
    right: bool = False
    name: str = ""


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
        Binding("space", "mark", "mark"),
        Binding("asterisk", "mark_all", "mark all rows of the filter", show=False, key_display="*"),
        Binding("S", "sort", "sort", key_display="S"),
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

    class Marked(Message):
        """Rows were marked, or marks taken away."""

        def __init__(self, source: RowList) -> None:
            self.row_list = source
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
        self.counting = self._to_the_end = False
        self._rows = {}
        self._texts.clear()
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

    @property
    def rows(self) -> Rows:
        """Where rows come from, in the order that was chosen."""
        column, descending = self.order
        source = self.source
        return source.ordered(column, descending=descending) if column and isinstance(source, Ordered) else source

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
        work = partial(read, self.rows, self.contains, want, dict(self._rows), self.count)
        if self.source.immediate:
            self._take(self._generation, work())
            return
        if self.count < 0 and top == 0 and not self._wanted_id:  # what is seen need not wait for the count
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
        return False

    def _take(self, generation: int, answer: Read) -> None:
        if generation != self._generation:
            return
        self._reading = False
        first_time = self.count < 0
        seen = range(self.scroll_offset.y, self.scroll_offset.y + self.size.height)
        changes = first_time or any(place in answer.rows and place not in self._rows for place in seen)
        self.counting = answer.count < 0
        self._rows = trimmed(self._rows | answer.rows, self.scroll_offset.y)
        self._texts = trimmed(self._texts, self.scroll_offset.y)
        self._take_count(len(answer.rows) if self.counting else answer.count)
        if self.counting:
            self._serve(partial(self.rows.count, self.contains), self._counted, "count")
        if self._wanted_id:
            place = next((n for n, r in self._rows.items() if r.id == self._wanted_id), None)
            self._wanted_id = ""
            if place is not None:
                self.set_reactive(RowList.cursor, place)
        if self.cursor >= self.count:
            self.set_reactive(RowList.cursor, max(0, self.count - 1))
        if changes:
            self.refresh()
        if first_time:
            self._see_cursor()
        if answer.rows:
            self._need()
        if first_time or self.cursor in answer.rows:
            self._tell()

    def _take_count(self, count: int) -> None:
        self.count = count
        self.virtual_size = Size(self._width, count + self.head)

    def _counted(self, generation: int, count: int) -> None:
        """The list is longer than its first page: go to the end now, if that was asked for meanwhile."""
        if generation != self._generation:
            return
        self.counting = False
        self._take_count(max(count, self.count))
        if self._to_the_end:
            self.action_edge(1)
        self._need()

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
            self._repaint(before, now)
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

    def _tell(self) -> None:
        if self.row is not None:
            self.post_message(self.Highlighted(self, self.row))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is offered where it leads somewhere, marks and orders where there are any."""
        if action in ("mark", "mark_all"):
            return self.marks
        if action == "sort":
            return isinstance(self.source, Ordered) and any(c.name for c in self.columns)
        return self.opens if action == "choose" else True

    def action_move(self, by: int) -> None:
        """One row up or down."""
        self.cursor += by

    def action_page(self, by: int) -> None:
        """A screenful up or down."""
        self.cursor += by * max(1, self.size.height - self.head - 1)

    def action_edge(self, end: int) -> None:
        """The first or the last row."""
        self._to_the_end = bool(end) and self.counting
        self.cursor = self.count - 1 if end else 0

    def action_choose(self) -> None:
        """Open the row under the cursor."""
        if self.row is not None:
            self.post_message(self.Chosen(self, self.row))

    def on_click(self, event: events.Click) -> None:
        """The row under the pointer; a click on the current one opens it."""
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

    # -- order and marks ----------------------------------------------------------------------------------------

    def action_sort(self) -> None:
        """By the next column; each first upward, then downward; at last as the rows come by themselves."""
        names = [c.name for c in self.columns if c.name]
        orders = [("", False), *((name, down) for name in names for down in (False, True))]
        at = orders.index(self.order) if self.order in orders else 0
        self.sort_by(*orders[(at + 1) % len(orders)])

    def sort_by(self, column: str, descending: bool = False) -> None:
        """Read the rows in this order; "" = as they come by themselves."""
        self.order = (column, descending)
        self.reload(keep=False)

    def _sort_at(self, x: int) -> None:
        """A click on the head of a column: by it, or the other way round."""
        if not self.check_action("sort", ()):
            return
        end = 1
        for n, size in self._sizes(self._width):
            end += size + 1
            if x < end:
                name = self.columns[n].name
                if name:
                    self.sort_by(name, self.order == (name, False))
                return

    def action_mark(self) -> None:
        """Mark the row under the cursor, or take its mark away; go on to the next."""
        if self.row is None:
            return
        name = self.row.id
        if name in self.marked:
            del self.marked[name]
        else:
            self.marked[name] = None
        self._repaint(self.cursor)
        self.post_message(self.Marked(self))
        self.cursor += 1

    def action_mark_all(self) -> None:
        """Mark all rows of the filter; when all are, none."""
        rows, contains = self.rows, self.contains
        if self.marked and len(self.marked) >= self.count:
            self.unmark()
        elif isinstance(rows, Named):
            serve(
                self,
                lambda: dict.fromkeys(rows.ids(contains)),
                self._mark,
                doing="mark all rows",
                group="mark",
            )

    def _mark(self, names: dict[str, None]) -> None:
        self.marked |= names
        self.refresh()
        self.post_message(self.Marked(self))

    def unmark(self) -> None:
        """No row is marked any more."""
        self.marked = {}
        self.refresh()
        self.post_message(self.Marked(self))

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
            return Strip([Segment(self._text(tuple(map(self._title, self.columns)), width), style)], width)
        place = y - self.head + self.scroll_offset.y
        if self.count == 0 and place == 0:
            said = f"no row contains “{self.contains}”" if self.contains else self.empty
            return Strip([Segment(" " + fit(said, width - 1), self.get_component_rich_style("row-list--empty"))], width)
        row = self._rows.get(place)
        style = self._style
        if row is None:
            return Strip([Segment(" …" if place < self.count else "", style)]).adjust_cell_length(width, style)
        if place == self.cursor:
            style = self.get_component_rich_style("row-list--cursor" if self.has_focus else "row-list--blurred")
        elif row.tone == "muted":
            style = self.get_component_rich_style("row-list--muted")
        text = self._texts.get(place)
        if text is None:
            text = self._texts[place] = self._text(row.cells, width)
        if row.id in self.marked:
            text = "■" + text[1:]
        return Strip([Segment(text, style)], width)

    def _title(self, column: Column) -> str:
        name, descending = self.order
        return f"{column.title} {'▼' if descending else '▲'}" if name and column.name == name else column.title

    def _sizes(self, width: int) -> list[tuple[int, int]]:
        """The columns that are shown, by their number, with their widths in cells."""
        shown = [(n, c) for n, c in enumerate(self.columns) if width >= c.least]
        free = width - 1 - sum(c.width + 1 for _, c in shown)
        flexible = max(1, sum(not c.width for _, c in shown))
        return [(n, c.width or max(4, free // flexible)) for n, c in shown]

    def _text(self, cells: tuple[str, ...], width: int) -> str:
        """A line of exactly so many cells."""
        parts = [" "]
        for n, size in self._sizes(width):
            text = fit(cells[n] if n < len(cells) else "", size)
            if self.columns[n].right:
                text = text.rstrip()
                text = " " * (size - cell_len(text)) + text
            parts.append(text + " ")
        return set_cell_size("".join(parts), width)


__all__ = ["PAGE", "Column", "ListedRows", "Row", "RowList"]
