"""What the parts of the app tell each other."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from textual.message import Message

from curator.tui.progress import Snapshot


class Done(Message):
    """A service came back. The app runs `then` with the result, on its own thread."""

    def __init__(self, result: Any, then: Callable[[Any], None] | None) -> None:
        self.result = result
        self.then = then
        super().__init__()


class Failed(Message):
    """A service raised. `handle` may take the error (True); else the app lists it and shows a toast."""

    def __init__(self, doing: str, error: Exception, handle: Callable[[Exception], bool] | None = None) -> None:
        self.doing = doing
        self.error = error
        self.handle = handle
        super().__init__()


class ProgressChanged(Message):
    """How far a job is. A newer one replaces those of the same job that nobody has looked at yet."""

    def __init__(self, job: int, snapshot: Snapshot) -> None:
        self.job = job
        self.snapshot = snapshot
        super().__init__()

    def can_replace(self, message: Message) -> bool:
        """Only the newest counts."""
        return isinstance(message, ProgressChanged) and message.job == self.job


class OpenDocument(Message):
    """Show a document in the reader, at a page or at a source; neither: where it was left."""

    def __init__(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        self.document_id = document_id
        self.page = page
        self.source_id = source_id
        super().__init__()


class OpenCase(Message):
    """Make a case the current one and show its form."""

    def __init__(self, case_id: str) -> None:
        self.case_id = case_id
        super().__init__()


class ShowCases(Message):
    """Show the list of cases, those with a status only ("" = all)."""

    def __init__(self, status: str = "") -> None:
        self.status = status
        super().__init__()


class KeysWelcome(Message):
    """A list has the rows that keys waited for."""
