"""The scroll bar of a long list: painted line by line, and only when it looks different."""

from __future__ import annotations

from rich.segment import Segment
from rich.style import Style
from textual.reactive import Reactive
from textual.scrollbar import ScrollBar, ScrollBarRender
from textual.strip import Strip


class RowBar(ScrollBar):
    """Beside 100,000 rows a page is a hundredth of a cell; Textual would paint the bar again for each, through Rich."""

    position: Reactive[float] = Reactive(0, repaint=False)

    def __init__(self, vertical: bool = True, name: str | None = None, *, thickness: int = 1) -> None:
        super().__init__(vertical, name, thickness=thickness)
        self._shown: list[Segment] = []

    def watch_position(self) -> None:
        """Paint it again when the thumb moved by an eighth of a cell."""
        if self._segments() != self._shown:
            self.refresh()

    def _segments(self) -> list[Segment]:
        """A segment a line, as Textual draws them."""
        bar = self.render()
        if not isinstance(bar, ScrollBarRender) or not isinstance(bar.style, Style):
            return []
        back, color = bar.style.bgcolor, bar.style.color
        assert back is not None
        assert color is not None
        drawn = bar.render_bar(
            size=self.size.height,
            virtual_size=bar.virtual_size,
            window_size=bar.window_size,
            position=bar.position,
            thickness=self.size.width,
            back_color=back,
            bar_color=color,
        )
        return list(drawn.segments)

    def render_line(self, y: int) -> Strip:
        """One line; the first works all of them out."""
        if y == 0 or len(self._shown) != self.size.height:
            self._shown = self._segments()
        line = self._shown[y : y + 1]
        return Strip(line, self.size.width) if line else Strip.blank(self.size.width)
