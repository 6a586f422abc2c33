"""What the parts of the case work share: the desk, what was typed but not told yet, and how a change is announced."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual.app import App

if TYPE_CHECKING:
    from textual.signal import Signal

    from curator.services.context import Context
    from curator.tui.desk import Desk
    from curator.workspace import Workspace

    _App = App[int]
else:
    _App = object


class Announcing(_App):
    """Base of the app's mix-ins for the current case.

    Attributes:
        desk: The current case, and unsaved ones.
        collectors: Called before the desk changes: each puts what was typed into the sheet that it shows.
        saving: How the last save went, as the form says it; "" = nothing to say.
        draft_note: What keeps typed text from being kept as a draft; "" = nothing does.
        opening: What is said while the workspace is opened; it begins with "!" when it cannot be.
    """

    workspace: Workspace
    opening: str

    ctx: Context | None
    case_signal: Signal[str]
    desk: Desk
    collectors: list[Callable[[], None]]
    saving: str
    draft_note: str

    def repaint_top(self) -> None:
        """Paint the top line again."""
        raise NotImplementedError

    def note_error(self, doing: str, error: Exception) -> None:
        """List an error and show it."""
        raise NotImplementedError

    def list_error(self, doing: str, line: str, kept: str = "") -> None:
        """List a line among the errors."""
        raise NotImplementedError

    def collect(self) -> None:
        """Take what was typed and has not been told yet, so that the desk is as the person sees it."""
        for collector in self.collectors:
            collector()

    def announce(self, origin: str) -> None:
        """Tell every screen that the case changed: by "form", "marks", "loaded", "saved" or "checked"."""
        raise NotImplementedError
