"""One line of outside text with an end that always stays: the front gives way, at whatever width it is drawn."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from curator.tui.widgets.safe import fit, flat, plain


class TwoEnds(Widget):
    """The width is known when the line is drawn, not when it is said: before the first layout it may be anything."""

    DEFAULT_CSS = "TwoEnds { height: 1; }"

    def __init__(self, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._front = self._end = ""

    def say(self, front: str, end: str = "") -> None:
        """Show both, the end at the right border; of the front as much as there is room for."""
        if (front, end) != (self._front, self._end):
            self._front, self._end = front, end
            self.refresh()

    def render(self) -> Content:
        """One line, exactly as wide as the widget."""
        width, end = self.size.width, flat(self._end)
        end = end if cell_len(end) <= width else fit(end, width)
        room = max(0, width - cell_len(end) - 1) if end else width
        return plain(fit(self._front, room) + (f" {end}" if end else ""))
