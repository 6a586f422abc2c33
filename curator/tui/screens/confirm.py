"""Asks yes or no."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import VerticalScroll
from textual.widgets import Static

from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import plain, titled


class Confirm(Dialog[bool]):
    """True for yes; None when it was closed."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y,enter", "yes", "yes"),
        Binding("n", "close", "no"),
    ]

    def __init__(self, title: str, said: str, yes: str = "yes") -> None:
        super().__init__()
        self._title, self._said, self._yes = title, said, yes

    def compose(self) -> ComposeResult:
        """What is asked, and the keys."""
        with VerticalScroll(classes="box") as box:
            titled(box, self._title, f"y or enter: {self._yes} · n or esc: no")
            yield Static(plain(self._said), classes="said")
        yield Footline()

    def on_mount(self) -> None:
        """Long texts can be scrolled at once."""
        self.set_focus(self.query_one(VerticalScroll))

    def action_yes(self) -> None:
        """Yes."""
        self.dismiss(True)
