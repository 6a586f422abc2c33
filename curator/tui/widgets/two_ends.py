"""One line of outside text whose end stands at the right border and stays in sight, at whatever width it is drawn."""

from __future__ import annotations

from rich.cells import cell_len
from textual.content import Content
from textual.widget import Widget

from curator.tui.widgets.safe import fit, fit_middle, flat, plain


class TwoEnds(Widget):
    """The width is known when the line is drawn, not when it is said: before the first layout it may be anything."""

    DEFAULT_CSS = "TwoEnds { height: 1; }"

    def __init__(self, *, whole_end: bool = False, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._whole_end = whole_end
        self._front = self._end = ""

    def say(self, front: str, end: str = "") -> None:
        """Show both, the end at the right border; of the front as much as there is room for."""
        if (front, end) != (self._front, self._end):
            self._front, self._end = front, end
            self.refresh()

    def render(self) -> Content:
        """One line, exactly as wide as the widget; a long end that need not stay whole gives way as far as 2/5."""
        width, front, end = self.size.width, flat(self._front), flat(self._end)
        if not end:
            return plain(fit(front, width))
        least = min(cell_len(end), width if self._whole_end else width * 2 // 5)
        room = min(cell_len(end), max(least, width - cell_len(front) - 1))
        return plain(f"{fit(front, width - room - 1)} {fit_middle(end, room)}")
