"""The one door by which text from outside reaches a widget.

Textual parses markup in plain strings and passes control characters on to the terminal. Everything that comes from a
file, a log or a person's typing goes through here: shown literally, one glyph for each character.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from rich.cells import cell_len, set_cell_size
from textual.content import Content
from textual.widget import Widget

from curator.text import visible

if TYPE_CHECKING:
    from curator.tui.widgets.safe_fields import SafeInput as SafeInput
    from curator.tui.widgets.safe_fields import SafeTextArea as SafeTextArea

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


def fit_middle(text: str, width: int) -> str:
    """As `fit`, but cut in the middle: names that begin alike are told apart by their ends."""
    shown = flat(text[: 4 * width + 200])
    if width < 6 or cell_len(shown) <= width:
        return fit(text, width)
    head, tail = set_cell_size(shown, (width - 1) // 2), ""
    for ch in reversed(shown):
        if cell_len(ch + tail) > width - 1 - cell_len(head):
            break
        tail = ch + tail
    return set_cell_size(f"{head}…{tail}", width)


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


def titled(widget: Widget, title: str, subtitle: str = "") -> None:
    """Put outside text into the border of a widget."""
    widget.border_title = plain(flat(title))
    if subtitle:
        widget.border_subtitle = plain(flat(subtitle))


def __getattr__(name: str) -> Any:
    """The fields to type in are of this door too; they are loaded when they are asked for, after the first paint."""
    if name in ("SafeInput", "SafeTextArea"):
        from curator.tui.widgets import safe_fields

        return getattr(safe_fields, name)
    raise AttributeError(name)
