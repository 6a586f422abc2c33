"""The fields to type in: what is typed or loaded stays as it is, what is painted is visible()."""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.geometry import Region
from textual.strip import Strip
from textual.widgets import Input, TextArea

from curator.text import visible


class SafeInput(Input):
    """A line of text: what is typed or loaded stays as it is, what is painted is visible()."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+z", "undo(True)", "undo typing", show=False),
        Binding("ctrl+y", "undo(False)", "type again", show=False),
    ]

    def __init__(self, value: str = "", *, placeholder: str = "", dom_id: str | None = None) -> None:
        super().__init__(value, placeholder=placeholder, id=dom_id, compact=True, select_on_focus=False)
        self._past: list[str] = []
        self._future: list[str] = []

    def on_focus(self) -> None:
        """What can be undone begins when one comes to the line."""
        self._past, self._future = [self.value], []
        self.scroll_to_region(Region(self._cursor_offset, 0, 1, 1), force=True, animate=False)

    def on_blur(self) -> None:
        """Nobody writes any more: the line is read from its beginning."""
        self.scroll_to(x=0, force=True, animate=False)

    def watch_selection(self) -> None:
        """A value that was loaded is read from its beginning; the cursor waits at its end."""
        if not self.has_focus:
            self.scroll_to(x=0, force=True, animate=False)

    def render_line(self, y: int) -> Strip:
        """A line that is longer than its room says so, unless one writes in it."""
        strip, room = super().render_line(y), self.scrollable_content_region.width
        if self.has_focus or y or room < 1 or cell_len(visible(self.value)) <= room:
            return strip
        style = list(strip)[-1].style
        return Strip([*strip.crop(0, room - 1), Segment("…", style)]).extend_cell_length(strip.cell_length, style)

    def on_input_changed(self, event: Input.Changed) -> None:
        """A word, or what came at once, is one step."""
        if not self.has_focus or not self._past or event.value == self._past[-1]:
            return
        before = self._past[-1]
        self._future = []
        if len(self._past) > 1 and len(event.value) == len(before) + 1 and event.value[-1:] != " ":
            self._past[-1] = event.value
        else:
            self._past.append(event.value)

    def action_undo(self, back: bool) -> None:
        """Back to what stood there before, or forth again."""
        if back and len(self._past) > 1:
            self._future.append(self._past.pop())
        elif not back and self._future:
            self._past.append(self._future.pop())
        else:
            return
        self.value = self._past[-1]
        self.cursor_position = len(self.value)

    @property
    def _value(self) -> Text:
        """The value as Textual paints it, character by character the length of the value."""
        return Text(visible(self.value), no_wrap=True, overflow="ignore", end="")


class SafeTextArea(TextArea):
    """Text of several lines: what is typed or loaded stays as it is, what is painted is visible()."""

    def __init__(self, text: str = "", *, placeholder: str = "", dom_id: str | None = None) -> None:
        super().__init__(
            text, id=dom_id, compact=True, highlight_cursor_line=False, placeholder=Content(placeholder), soft_wrap=True
        )

    def load_text(self, text: str) -> None:
        """Show a text; one goes on writing at its end."""
        super().load_text(text)
        self.move_cursor(self.document.end)

    def get_line(self, line_index: int) -> Text:
        """One line as it is painted; tabs stay, the widget expands them."""
        raw = self.document.get_line(line_index)
        shown = "".join(ch if ch == "\t" else visible(ch) for ch in raw) if "\t" in raw else visible(raw)
        return Text(shown, end="", no_wrap=True)
