"""A room that does one long thing after another, behind a line that says how far it is and can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import ClassVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from curator.tui.messages import ProgressChanged
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.room import Room
from curator.tui.widgets.safe import plain


@dataclass
class Job:
    """One long thing: its number, and how far it is."""

    number: int
    snapshot: Snapshot = field(default_factory=Snapshot, kw_only=True)
    stop: threading.Event = field(default_factory=threading.Event, kw_only=True)

    def line(self) -> str:
        """What is done, how far it is, and the key that stops it."""
        raise NotImplementedError

    def state(self) -> str:
        """The same in a word, for the top line."""
        return "⟳"

    def stopping(self) -> str:
        """The key that stops it, or that it was pressed."""
        return "stopping …" if self.stop.is_set() else "x: stop"


class Working(Room):
    """The part of a room that works."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "stop", "stop it")]
    BUSY = "one thing after another: x stops what is being done"

    def __init__(self) -> None:
        super().__init__()
        self._job: Job | None = None
        self._jobs = 0
        self._job_said = ""

    def compose_job(self) -> Iterator[Static]:
        """The line of the job."""
        yield Static("", id="job")

    def next_number(self) -> int:
        """The number of a job that may begin now; 0 = another one is being done, which is said."""
        if self._job is not None:
            self.notify(self.BUSY, markup=False, timeout=4)
            return 0
        self._jobs += 1
        return self._jobs

    def take_up(self, job: Job) -> AppProgress:
        """This job is being done from now on; gives what it reports to."""
        self._job = job
        return AppProgress(lambda s: self.post_message(ProgressChanged(job.number, s)), job.stop)

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint how far it is."""
        message.stop()
        if self._job is not None and message.job == self._job.number:
            self._job.snapshot = message.snapshot
            self._paint_job()

    def _paint_job(self) -> None:
        doing = self._job.line() if self._job is not None else ""
        line = self.query_one("#job", Static)
        line.update(plain(doing or self._job_said))
        line.display = bool(doing or self._job_said)
        self.refresh_bindings()
        self.curator.work_changed(self._job.state() if self._job is not None else "", doing)

    def action_stop(self) -> None:
        """Stop at the next whole step; what was there before stays."""
        self.stop_all()
        self._paint_job()

    def stop_all(self) -> None:
        """Ask the job to stop."""
        if self._job is not None:
            self._job.stop.set()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be something to stop."""
        if action == "stop":
            return self._job is not None
        return super().check_action(action, parameters)
