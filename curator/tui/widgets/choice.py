"""One of a few values, all in sight: arrows or the first letter choose."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

SPELLING = 1.0
"""Seconds within which a letter may go on with the name that the one before began."""


class Choice(Widget, can_focus=True):
    """Values in a line; the chosen one stands in brackets, so that it shows without color.

    Args:
        options: All values.
        value: What is chosen at first; None = the first of them, one that is not among them = none.
    """

    DEFAULT_CSS = """
    Choice { height: 1; padding: 0 1; background: $surface; color: $foreground; }
    Choice:focus { background: $panel; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "step(-1)", "value before", show=False),
        Binding("right,space", "step(1)", "next value", show=False),
    ]

    class Changed(Message):
        """A person chose another value."""

        def __init__(self, choice: Choice, value: str) -> None:
            self.choice = choice
            self.value = value
            super().__init__()

        @property
        def control(self) -> Choice:
            """The choice."""
            return self.choice

    def __init__(self, options: Sequence[str], value: str | None = None, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.options = tuple(options)
        self._none = value if value is not None and value not in self.options else None
        self.value = self.options[0] if value is None else value
        self._begun, self._at = "", 0.0

    def show(self, value: str) -> None:
        """Show a value, without telling."""
        if value in (*self.options, self._none) and value != self.value:
            self.value = value
            self.refresh()

    def choose(self, value: str) -> None:
        """Choose a value, and tell."""
        if value != self.value:
            self.value = value
            self.refresh()
            self.post_message(self.Changed(self, value))

    def action_step(self, by: int) -> None:
        """The value beside it, round the end; when none is chosen, the first or the last one."""
        here = self.options.index(self.value) if self.value in self.options else -1 if by > 0 else 0
        self.choose(self.options[(here + by) % len(self.options)])

    def on_key(self, event: events.Key) -> None:
        """The first letter of a value chooses it; those that go on with its name change nothing."""
        if event.character and event.character.isalpha():
            event.stop()
            letter, now = event.character.lower(), event.time
            for begun in ([self._begun + letter] if now - self._at < SPELLING else []) + [letter]:
                fitting = next((o for o in self.options if o and o.startswith(begun)), None)
                if fitting is not None:
                    self._begun, self._at = begun, now
                    self.choose(fitting)
                    break

    def render(self) -> Content:
        """All values."""
        parts: list[tuple[str, str]] = []
        for option in self.options:
            name = option.replace("_", " ") or "none"
            chosen = option == self.value
            style = (
                ("bold $background on $primary" if self.has_focus else "bold $text-primary")
                if chosen
                else "$text-muted"
            )
            parts.append((f"[{name}]" if chosen else f" {name} ", style))
        return Content.assemble(*parts)
