"""The base of all dialogs: a box in the middle, Esc closes it with nothing."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

from curator.tui.workers import Sturdy

Answer = TypeVar("Answer")


class Dialog(Sturdy, ModalScreen[Answer | None]):
    """A dialog that answers with a value, or with None when it is closed."""

    CSS_PATH: ClassVar[str | list[str]] = "dialog.tcss"  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close")]

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)
