"""The base of all dialogs: a box in the middle, Esc closes it with nothing."""

from __future__ import annotations

from typing import ClassVar, TypeVar

from textual import events
from textual.await_complete import AwaitComplete
from textual.binding import Binding, BindingType
from textual.screen import ModalScreen
from textual.widgets import Static

from curator.tui.answering import Answering
from curator.tui.widgets.row_list import RowList
from curator.tui.widgets.safe import plain
from curator.tui.workers import Sturdy

Answer = TypeVar("Answer")


class Dialog(Sturdy, ModalScreen[Answer | None]):
    """A dialog that answers with a value, or with None when it is closed."""

    CSS_PATH: ClassVar[str | list[str]] = "dialog.tcss"  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "close", "close")]

    def action_close(self) -> None:
        """Close without an answer."""
        self.dismiss(None)

    def dismiss(self, result: Answer | None = None) -> AwaitComplete:
        """Close with an answer; where a text typed elsewhere led to it, it is kept until it is stored."""
        if isinstance(self.app, Answering):
            self.app.carry(self)
        return super().dismiss(result)

    def say_whole(self, text: str) -> None:
        """Show the whole of the row under the cursor, as high as it needs."""
        whole = self.query_one("#whole", Static)
        whole.update(plain(text))
        self.call_after_refresh(whole.refresh, layout=True)  # the first row is told of before anything is laid out


class FindDialog(Dialog[Answer]):
    """A dialog with a list that a line above it narrows; the arrows move in the list while one types."""

    @property
    def _list(self) -> RowList:
        return self.query_one(RowList)

    def on_key(self, event: events.Key) -> None:
        """Up and down are the list's wherever the focus is."""
        if event.key in ("up", "down") and not self._list.has_focus:
            event.stop()
            event.prevent_default()
            self._list.action_move(-1 if event.key == "up" else 1)
