"""The heat map: cases by two dimensions, with a cursor; names and margins stay in sight while the cells scroll.

Every cell says its state by a glyph and its number; the shade of its ground only repeats how full it is.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region
from textual.message import Message
from textual.reactive import Reactive
from textual.strip import Strip
from textual.widget import Widget

from curator.domain import suite
from curator.domain.coverage import Cell, Grid, Margin
from curator.tui.widgets.safe import fit, flat

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

ALL = "all"
SHADES = 4
NARROW, WIDE = 7, 18
"""Cells of a column: at least, and at most for the sake of its title."""
LABEL = 26
MARGINS = {"gap": "! ", "met": "✓ ", "free": "  "}


@dataclass(frozen=True)
class Spot:
    """A place of the map: the values of its row and its column; "" with `whole_row`, `whole_column` = all of them."""

    row: str
    column: str
    whole_row: bool
    whole_column: bool


def in_words(where: Mapping[str, str]) -> str:
    """A stratum or a cell as the app says it: "domain filing × length 10x"; "" = all cases."""
    return flat(suite.in_words(where))


def named(value: str) -> str:
    """A value as it is shown."""
    return value or suite.UNSTATED


def words_of(cell: Cell | Margin) -> str:
    """Glyph, number, what a quota asks for and how many are missing, how many are on their way: "! 2/3 −1 +4"."""
    head = f"{cell.glyph} " if isinstance(cell, Cell) else MARGINS[cell.state]
    asked = f"/{cell.need:g}" if cell.state != "free" else ""
    lacks = f" −{cell.need - cell.count:g}" if cell.state == "gap" else ""
    coming = f" +{cell.coming}" if cell.coming else ""
    return f"{head}{cell.count}{asked}{lacks}{coming}"


class HeatMap(Widget, can_focus=True):
    """A grid with a cursor, which may stand on a margin too; Enter opens what is under it."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        "heat-map--head",
        "heat-map--sum",
        "heat-map--cursor",
        "heat-map--blurred",
        "heat-map--muted",
        *(f"heat-map--{shade}" for shade in range(SHADES + 1)),
        *(f"heat-map--{shade}-gap" for shade in range(SHADES + 1)),
    }
    DEFAULT_CSS = """
    HeatMap {
        background: $background;
        & > .heat-map--head { color: $text-muted; text-style: bold; background: $surface; }
        & > .heat-map--sum { color: $foreground; background: $surface; }
        & > .heat-map--cursor { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .heat-map--blurred {
            color: $block-cursor-blurred-foreground; background: $block-cursor-blurred-background;
        }
        & > .heat-map--muted, & > .heat-map--0 { color: $text-muted; background: $background; }
        & > .heat-map--1 { color: $foreground; background: $primary 8%; }
        & > .heat-map--2 { color: $foreground; background: $primary 14%; }
        & > .heat-map--3 { color: $foreground; background: $primary 20%; }
        & > .heat-map--4 { color: $foreground; background: $primary 26%; }
        & > .heat-map--0-gap { color: $text-error; text-style: bold; background: $background; }
        & > .heat-map--1-gap { color: $text-error; text-style: bold; background: $primary 8%; }
        & > .heat-map--2-gap { color: $text-error; text-style: bold; background: $primary 14%; }
        & > .heat-map--3-gap { color: $text-error; text-style: bold; background: $primary 14%; }
        & > .heat-map--4-gap { color: $text-error; text-style: bold; background: $primary 14%; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1, 0)", "up", show=False),
        Binding("down,j", "move(1, 0)", "down", show=False),
        Binding("left,h", "move(0, -1)", "left", show=False),
        Binding("right,l", "move(0, 1)", "right", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "edge(0)", "first column", show=False),
        Binding("end", "edge(1)", "last column", show=False),
        Binding("enter", "choose", "its cases"),
    ]
    cursor: Reactive[tuple[int, int]] = Reactive((0, 0), repaint=False, init=False)

    class Chosen(Message):
        """Enter on a cell."""

        def __init__(self, spot: Spot) -> None:
            self.spot = spot
            super().__init__()

    def __init__(self, moved: Callable[[], None], *, dom_id: str | None = None) -> None:
        """`moved` is called at once when the cursor comes to a cell: what it paints is painted with the map."""
        super().__init__(id=dom_id)
        self._moved = moved
        self.grid: Grid | None = None
        self._top = self._left = 0
        self._words: list[list[str]] = []
        self._widths: list[int] = []
        self._label = 0
        self._shades: list[list[int]] = []

    # -- what is shown ------------------------------------------------------------------------------------------

    def show_grid(self, grid: Grid) -> None:
        """Show a grid; the cursor stays on its values where they are still there, else where it stood."""
        spot = self.spot
        same = self.grid is not None and (self.grid.rows_by, self.grid.columns_by) == (grid.rows_by, grid.columns_by)
        self.grid = grid
        self._lay_out(grid)
        self.set_reactive(HeatMap.cursor, self._place_of(spot) if spot and same else (0, 0))
        if not same:
            self._top = self._left = 0
        self._see_cursor()
        self.refresh()
        self._moved()

    def _lay_out(self, grid: Grid) -> None:
        rows = [*grid.rows, grid.total]
        sums = [words_of(m) for m in rows]
        body = [[words_of(c) for c in line] for line in grid.cells] if grid.columns_by else [[] for _ in grid.rows]
        body.append([words_of(m) for m in grid.columns])
        self._words = [[*line, total] for line, total in zip(body, sums, strict=True)]
        heads = [*(named(m.value) for m in grid.columns), ALL]
        self._widths = [
            max(NARROW, min(WIDE, cell_len(head) + 1), *(cell_len(line[n]) + 1 for line in self._words))
            for n, head in enumerate(heads)
        ]
        self._label = min(LABEL, max(9, *(cell_len(named(m.value)) for m in grid.rows), len(ALL)) + 2)
        largest = max((c.count for line in grid.cells for c in line), default=0) or 1
        self._shades = [[-(-SHADES * c.count // largest) for c in line] for line in grid.cells]

    def _place_of(self, spot: Spot) -> tuple[int, int]:
        grid = self.grid
        assert grid is not None
        rows, columns = [m.value for m in grid.rows], [m.value for m in grid.columns]
        row = len(rows) if spot.whole_row else rows.index(spot.row) if spot.row in rows else self.cursor[0]
        column = (
            len(columns) if spot.whole_column else columns.index(spot.column) if spot.column in columns else 0
        )  # fmt: skip
        return min(row, len(rows)), min(column, len(columns))

    @property
    def spot(self) -> Spot | None:
        """What is under the cursor."""
        grid = self.grid
        if grid is None:
            return None
        row, column = self.cursor
        whole_row, whole_column = row >= len(grid.rows), column >= len(grid.columns)
        return Spot(
            "" if whole_row else grid.rows[row].value,
            "" if whole_column else grid.columns[column].value,
            whole_row,
            whole_column,
        )

    @property
    def where(self) -> Mapping[str, str]:
        """The cell under the cursor, dimension -> value; {} = all cases."""
        spot, grid = self.spot, self.grid
        if spot is None or grid is None:
            return {}
        rows = {} if spot.whole_row else {grid.rows_by: spot.row}
        return rows if spot.whole_column else rows | {grid.columns_by: spot.column}

    @property
    def under(self) -> Cell | Margin | None:
        """The cell or the margin under the cursor."""
        spot, grid = self.spot, self.grid
        if spot is None or grid is None:
            return None
        row, column = self.cursor
        if spot.whole_row:
            return grid.total if spot.whole_column else grid.columns[column]
        return grid.rows[row] if spot.whole_column else grid.cells[row][column]

    # -- cursor -------------------------------------------------------------------------------------------------

    def validate_cursor(self, value: tuple[int, int]) -> tuple[int, int]:
        """A place of the map."""
        if self.grid is None:
            return (0, 0)
        row, column = value
        return max(0, min(row, len(self.grid.rows))), max(0, min(column, len(self.grid.columns)))

    def watch_cursor(self, before: tuple[int, int], now: tuple[int, int]) -> None:
        """Keep it in sight; only the lines that changed are painted again."""
        seen = (self._top, self._left)
        self._see_cursor()
        if (self._top, self._left) != seen:
            self.refresh()
        else:
            self.refresh(*(Region(0, self._line_of(row), self.size.width, 1) for row in {before[0], now[0]}))
        self._moved()

    def _line_of(self, row: int) -> int:
        assert self.grid is not None
        return 1 + (min(len(self.grid.rows), self._height) if row >= len(self.grid.rows) else row - self._top)

    @property
    def _height(self) -> int:
        """Rows that are seen at once, between the head and the margin."""
        return max(1, self.size.height - 2)

    def _shown_columns(self) -> list[int]:
        """Columns that fit beside the names and the margin, from the first that is seen."""
        room = self.size.width - self._label - self._widths[-1] - 2
        found: list[int] = []
        for n in range(self._left, len(self._widths) - 1):
            if self._widths[n] > room and found:
                break
            found.append(n)
            room -= self._widths[n]
        return found

    def _see_cursor(self) -> None:
        grid = self.grid
        if grid is None or not self.size.width:
            return
        row, column = self.cursor
        if row < len(grid.rows):
            self._top = min(max(self._top, row - self._height + 1), row)
        self._top = max(0, min(self._top, len(grid.rows) - self._height))
        if column >= len(grid.columns):
            return
        self._left = min(self._left, column)
        while column not in self._shown_columns() and self._left < column:
            self._left += 1

    def action_move(self, down: int, right: int) -> None:
        """One cell on."""
        self.cursor = (self.cursor[0] + down, self.cursor[1] + right)

    def action_page(self, by: int) -> None:
        """A screenful of rows up or down."""
        self.cursor = (self.cursor[0] + by * max(1, self._height - 1), self.cursor[1])

    def action_edge(self, end: int) -> None:
        """The first column, or the margin."""
        self.cursor = (self.cursor[0], len(self._widths) if end else 0)

    def action_choose(self) -> None:
        """Open what is under the cursor."""
        if (spot := self.spot) is not None:
            self.post_message(self.Chosen(spot))

    def on_click(self, event: events.Click) -> None:
        """The cell under the pointer; a click on the current one opens it."""
        at, grid = event.get_content_offset(self), self.grid
        if at is None or grid is None or not 0 < at.y <= min(len(grid.rows), self._height) + 1:
            return
        last = at.y == min(len(grid.rows), self._height) + 1
        row = len(grid.rows) if last else self._top + at.y - 1
        x = self._label + 1
        for n in [*self._shown_columns(), len(self._widths) - 1]:
            if x <= at.x < x + self._widths[n]:
                if self.cursor == (row, n) and event.chain > 1:
                    self.action_choose()
                self.cursor = (row, n)
                return
            x += self._widths[n]

    def on_resize(self) -> None:
        """More or fewer cells are seen."""
        self._see_cursor()

    # -- painting -----------------------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        """One visible line: the head, a row, or the margin under the rows."""
        width, grid = self.size.width, self.grid
        rows = min(len(grid.rows), self._height) if grid else 0
        if grid is None or y > rows + 1:
            return Strip.blank(width, self.rich_style)
        row = len(grid.rows) if y == rows + 1 else self._top + y - 1
        segments = self._row(grid, row) if y else self._head(grid)
        return Strip(segments).adjust_cell_length(width, self.rich_style)

    def _head(self, grid: Grid) -> list[Segment]:
        style = self.get_component_rich_style("heat-map--head")
        shown = self._shown_columns()
        before = "‹" if self._left else " "
        after = "›" if shown and shown[-1] < len(self._widths) - 2 else " "
        names = "".join(_right(named(grid.columns[n].value), self._widths[n]) for n in shown)
        many = len(grid.rows) > self._height
        told = f"{self._top + 1}-{self._top + self._height}/{len(grid.rows)}" if many else ""
        return [Segment(fit(told, self._label) + before + names + after + _right(ALL, self._widths[-1]), style)]

    def _row(self, grid: Grid, row: int) -> list[Segment]:
        whole = row >= len(grid.rows)
        head = self.get_component_rich_style("heat-map--head" if whole else "heat-map--sum")
        segments = [Segment(fit(ALL if whole else named(grid.rows[row].value), self._label) + " ", head)]
        shown = self._shown_columns()
        segments += [Segment(_right(self._words[row][n], self._widths[n]), self._style(grid, row, n)) for n in shown]
        segments.append(Segment(" ", head))
        last = len(self._widths) - 1
        segments.append(Segment(_right(self._words[row][last], self._widths[last]), self._style(grid, row, last)))
        return segments

    def _style(self, grid: Grid, row: int, column: int) -> Style:
        if (row, column) == self.cursor:
            return self.get_component_rich_style("heat-map--cursor" if self.has_focus else "heat-map--blurred")
        if row >= len(grid.rows) or column >= len(grid.columns):
            margin = grid.total if row >= len(grid.rows) else grid.rows[row]
            if row >= len(grid.rows) and column < len(grid.columns):
                margin = grid.columns[column]
            return self.get_component_rich_style("heat-map--0-gap" if margin.state == "gap" else "heat-map--sum")
        gap = "-gap" if grid.cells[row][column].state == "gap" else ""
        shade = 0 if self.app.no_color else self._shades[row][column]
        if not gap and self.app.no_color:
            return self.get_component_rich_style("heat-map--sum") if self._shades[row][column] else self.rich_style
        return self.get_component_rich_style(f"heat-map--{shade}{gap}")


def _right(text: str, width: int) -> str:
    """Text at the right of so many cells, one of them free on its left."""
    shown = fit(text, width - 1).rstrip()
    return " " * (width - cell_len(shown)) + shown
