"""The order of a list and the marks on its rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView

from curator.tui.widgets.columns import Column, sizes
from curator.tui.widgets.row_window import Named, Row, Rows
from curator.tui.workers import Sturdy, serve


class RowMarks(Sturdy, ScrollView):
    """A base of the list."""

    columns: tuple[Column, ...]
    contains: str
    count: int
    marked: dict[str, None]
    order: tuple[str, bool]
    cursor: reactive[int] = reactive(0, repaint=False)

    class Marked(Message):
        """Rows were marked, or marks taken away."""

        def __init__(self, source: RowMarks) -> None:
            self.row_list = source
            super().__init__()

        @property
        def control(self) -> RowMarks:
            """The list."""
            return self.row_list

    if TYPE_CHECKING:

        @property
        def row(self) -> Row | None:
            """The row under the cursor."""

        @property
        def rows(self) -> Rows:
            """Where rows come from."""

        @property
        def _width(self) -> int: ...

        def _repaint(self, *places: int) -> None: ...

        def reload(self, *, keep: bool = True, contains: str | None = None, select: str = "") -> None:
            """Read again what is seen."""

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
        for n, size in sizes(self.columns, self._width):
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
