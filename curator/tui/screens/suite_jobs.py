"""Long work on suites: one job after another, behind a line that says how far it is and can be stopped."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual.binding import Binding, BindingType
from textual.widgets import Static

from curator.errors import Cancelled, CuratorError
from curator.progress import Progress
from curator.tui.messages import ProgressChanged
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.room import Room
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.services.context import Context

Result = TypeVar("Result")


@dataclass
class SuiteJob:
    """One job: what is done, how far it is. `keeps`: whether it writes, so that a closing app waits for it."""

    number: int
    doing: str
    keeps: bool
    snapshot: Snapshot = field(default_factory=Snapshot)
    stop: threading.Event = field(default_factory=threading.Event)

    def line(self) -> str:
        """What is done, the stage of it, and the key that stops it."""
        now = self.snapshot
        share = f" · {now.done:,} of {now.total:,}" if now.total else ""
        stage = f" · {flat(now.stage)}" if now.stage else ""
        return f"⟳ {flat(self.doing)}{stage}{share} · " + ("stopping …" if self.stop.is_set() else "x: stop")


class SuiteJobs(Room):
    """The part of the room of suites that works."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("x", "stop", "stop it")]

    def __init__(self) -> None:
        super().__init__()
        self._job: SuiteJob | None = None
        self._jobs = 0

    def compose_job(self) -> Iterator[Static]:
        """The line of the job."""
        yield Static("", id="job")

    def begin(
        self, doing: str, work: Callable[[Context, Progress], Result], then: Callable[[Result], None], *,
        said: Callable[[str], None], keeps: bool = False, failed: Callable[[Exception], bool] | None = None,
    ) -> None:  # fmt: skip
        """Do something in a worker; nothing else is begun until it is over or was stopped.

        Args:
            doing: What: "export school-health 1.0.0".
            work: The service call.
            then: Takes the result.
            said: Takes a line when it was stopped or went wrong.
            keeps: It writes: a closing app waits for it.
            failed: Takes an error first; True = dealt with.
        """
        if self._job is not None:
            self.notify("one thing after another: x stops what is being done", markup=False, timeout=4)
            return
        self._jobs += 1
        job = self._job = SuiteJob(self._jobs, doing, keeps)
        progress = AppProgress(lambda s: self.post_message(ProgressChanged(job.number, s)), job.stop)
        self.ask(
            lambda ctx: work(ctx, progress), partial(self._over, then), doing=doing,
            failed=partial(self._went_wrong, said, failed), reads=not keeps,
        )  # fmt: skip
        self._paint_job()

    def _over(self, then: Callable[[Result], None], result: Result) -> None:
        self._job = None
        self._paint_job()
        then(result)

    def _went_wrong(
        self, said: Callable[[str], None], failed: Callable[[Exception], bool] | None, error: Exception
    ) -> bool:
        self._job = None
        self._paint_job()
        if isinstance(error, Cancelled):
            said("· stopped: nothing was changed")
            return True
        if failed is not None and failed(error):
            return True
        if isinstance(error, CuratorError):
            said(f"! {error.message}" + (f"\n  {error.hint}" if error.hint else ""))
        return False

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint how far it is."""
        message.stop()
        if self._job is not None and message.job == self._job.number:
            self._job.snapshot = message.snapshot
            self._paint_job()

    def _paint_job(self) -> None:
        said = self._job.line() if self._job is not None else ""
        line = self.query_one("#job", Static)
        line.update(plain(said))
        line.display = bool(said)
        self.refresh_bindings()
        self.curator.work_changed("⟳" if said else "", said)

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
