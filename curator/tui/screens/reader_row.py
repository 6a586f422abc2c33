"""A row of a table as a list, one cell under the other: for tables that are wider than the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.safe import flat, plain, titled

if TYPE_CHECKING:
    from curator.domain.document import Source


class RowSheet(Dialog[None]):
    """Each cell under the header of its column, then the footnotes. Enter or Esc closes it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("enter", "close", "close", show=False)]

    def __init__(self, source: Source) -> None:
        super().__init__()
        self._source = source

    def compose(self) -> ComposeResult:
        """Title, cells, footnotes."""
        at = self._source.anchor
        with Vertical(classes="box") as box:
            titled(box, f"row {self._source.id}", "arrows · esc: close")
            above = " › ".join(flat(part) for part in (at.table_title, at.section_row) if part.strip())
            if above:
                yield Static(plain(above), classes="said")
            with VerticalScroll() as body:
                body.styles.height = "auto"
                body.styles.max_height = 16
                yield Static(Content("\n").join(self._cells()))

    def _cells(self) -> list[Content]:
        at = self._source.anchor
        lines = []
        for n, cell in enumerate(at.cells):
            header = flat(at.table_header[n]) if n < len(at.table_header) else ""
            name = plain(f"{header or f'column {n + 1}'}: ", "bold")
            lines.append(name + plain(flat(cell) or "·"))
        return lines + [plain(note) for note in at.footnotes]

    def on_mount(self) -> None:
        """Arrows scroll."""
        self.set_focus(self.query_one(VerticalScroll))
