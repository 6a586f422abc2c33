"""Long work on suites: one job after another, behind a line that says how far it is and can be stopped."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from curator.errors import Cancelled, CuratorError
from curator.progress import Progress
from curator.tui.screens.working import Job, Working
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.services.context import Context

Result = TypeVar("Result")


@dataclass
class SuiteJob(Job):
    """One job: what is done."""

    doing: str

    def line(self) -> str:
        """What is done, the stage of it, and the key that stops it."""
        now = self.snapshot
        share = f" · {now.done:,} of {now.total:,}" if now.total else ""
        stage = f" · {flat(now.stage)}" if now.stage else ""
        return f"⟳ {flat(self.doing)}{stage}{share} · {self.stopping()}"


class SuiteJobs(Working):
    """The part of the room of suites that works."""

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
        if not (number := self.next_number()):
            return
        progress = self.take_up(SuiteJob(number, doing))
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
