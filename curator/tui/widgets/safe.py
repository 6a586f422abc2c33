"""The one door by which text from outside reaches a widget.

Textual parses markup in plain strings and passes control characters on to the terminal. Everything that comes from a
file, a log or a person's typing goes through here: shown literally, one glyph for each character.
"""

from __future__ import annotations

from typing import ClassVar

from rich.cells import cell_len, set_cell_size
from rich.text import Text
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Input, TextArea

from curator.text import visible

TABLESS = {ord("\t"): " "}


def plain(text: str, style: str = "") -> Content:
    """Outside text as content that no markup is read from; line feeds are kept."""
    return Content(visible(text.translate(TABLESS), lines=True)).stylize(style)


def flat(text: str) -> str:
    """Outside text on one visible line, white space folded."""
    return visible(" ".join(text.split()))


def fit(text: str, width: int) -> str:
    """Outside text on one line of exactly so many terminal cells; an ellipsis says that it was cut."""
    shown = flat(text[: 4 * width + 200])
    if width < 1:
        return ""
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width - 1).rstrip() + "…"
    return set_cell_size(shown, width)


def wrap(text: str, width: int) -> list[str]:
    """Outside text as visible lines of at most so many cells, broken at spaces, inside words where it must be."""
    width = max(2, width)
    lines: list[str] = []
    for paragraph in visible(text.translate(TABLESS), lines=True).split("\n"):
        lines += _wrapped(paragraph, width)
    return lines or [""]


def _wrapped(paragraph: str, width: int) -> list[str]:
    if paragraph.isascii() and len(paragraph) <= width:
        return [paragraph]
    lines, line, room = [], "", width
    for word in paragraph.split(" "):
        size = cell_len(word)
        if line and size + 1 > room:
            lines.append(line)
            line, room = "", width
        elif line:
            line, room = line + " ", room - 1
        while size > room:
            part = _head(word, room)
            lines.append(line + part)
            word, line, room = word[len(part) :], "", width
            size = cell_len(word)
        line, room = line + word, room - size
    return [*lines, line]


def _head(word: str, width: int) -> str:
    """As much of a word as fits in width cells; at least one character."""
    used = 0
    for n, ch in enumerate(word):
        used += cell_len(ch)
        if used > width:
            return word[: max(1, n)]
    return word


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


def titled(widget: Widget, title: str, subtitle: str = "") -> None:
    """Put outside text into the border of a widget."""
    widget.border_title = plain(flat(title))
    if subtitle:
        widget.border_subtitle = plain(flat(subtitle))
