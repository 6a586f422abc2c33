"""How long work tells how far it is, and how it is stopped.

Services take a Progress and know nothing of terminals. Each front end has its own: a bar on stderr, plain
lines when that is no terminal, messages to the app. Calls come from the thread that works.
"""

from __future__ import annotations

from typing import Protocol


class Progress(Protocol):
    """What a service reports to. Every method returns at once."""

    def stage(self, name: str, total: int | None = None) -> None:
        """A new stage begins: its name (outside text allowed: show it with text.visible) and its steps."""

    def advance(self, steps: int = 1) -> None:
        """So many steps of this stage are done."""

    def note(self, message: str) -> None:
        """One line that the person should read: a page skipped, a row refused."""

    def checkpoint(self) -> None:
        """Called at least every 200 ms of work.

        Raises:
            Cancelled: The person asked to stop; nothing half-done may be left.
        """


class Silent:
    """Reports to nobody and is never stopped."""

    def stage(self, name: str, total: int | None = None) -> None:
        """Nothing."""

    def advance(self, steps: int = 1) -> None:
        """Nothing."""

    def note(self, message: str) -> None:
        """Nothing."""

    def checkpoint(self) -> None:
        """Nothing."""
