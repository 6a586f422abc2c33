"""How services report to the app: at most ten messages a second, and a flag that stops them."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from curator.errors import Cancelled

INTERVAL = 0.1


@dataclass(frozen=True)
class Snapshot:
    """How far a job is: the stage, its steps, and what was noted so far."""

    stage: str = ""
    total: int | None = None
    done: int = 0
    notes: tuple[str, ...] = field(default=())


class AppProgress:
    """A Progress for a worker thread.

    Args:
        tell: Takes a snapshot; called from the working thread, at most ten times a second, and at every new stage.
        stopped: Whether the person asked to stop, or the app is closing.
    """

    def __init__(self, tell: Callable[[Snapshot], object], stopped: threading.Event) -> None:
        self._tell = tell
        self._stopped = stopped
        self._now = Snapshot()
        self._told_at = 0.0

    def stage(self, name: str, total: int | None = None) -> None:
        """A new stage begins; told at once."""
        self._now = replace(self._now, stage=name, total=total, done=0)
        self._say(always=True)

    def advance(self, steps: int = 1) -> None:
        """So many steps of the stage are done."""
        self._now = replace(self._now, done=self._now.done + steps)
        self._say(always=self._now.done == self._now.total)

    def note(self, message: str) -> None:
        """A line that the person should read."""
        self._now = replace(self._now, notes=(*self._now.notes, message))
        self._say()

    def checkpoint(self) -> None:
        """Stop here when asked to.

        Raises:
            Cancelled: The person asked to stop, or the app is closing.
        """
        if self._stopped.is_set():
            raise Cancelled

    def _say(self, *, always: bool = False) -> None:
        now = time.monotonic()
        if always or now - self._told_at >= INTERVAL:
            self._told_at = now
            self._tell(self._now)
