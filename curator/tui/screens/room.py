"""What every screen of a mode has: the top line, the footer, and a way to be told that something changed."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar, cast

from textual import events
from textual.app import ComposeResult
from textual.screen import Screen

from curator.tui.widgets.footline import Footline
from curator.tui.widgets.masthead import Masthead
from curator.tui.workers import Sturdy, serve

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.tui.app import CuratorApp

Result = TypeVar("Result")


class Room(Sturdy, Screen[None]):
    """A screen of a mode. It is painted before the workspace is open; `refresh_room` is called when it is."""

    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-medium"), (120, "-wide")]

    def compose(self) -> ComposeResult:
        """Top line, the room itself, footer."""
        yield Masthead()
        yield from self.compose_room()
        yield Footline()

    def compose_room(self) -> ComposeResult:
        """What this screen shows."""
        raise NotImplementedError

    def refresh_room(self) -> None:
        """Read again what the screen shows. Called when the workspace is open and whenever the screen comes up."""

    def case_changed(self, origin: str) -> None:
        """The current case changed: by "form", "marks", "loaded", "saved" or "checked"."""

    @property
    def curator(self) -> CuratorApp:
        """The app."""
        return cast("CuratorApp", self.app)

    def on_mount(self) -> None:
        """Listen. The styles were read when this screen was made: its second coming up need not read them again."""
        self._css_update_count = self.curator._css_update_count
        self.curator.opened.subscribe(self, lambda _ctx: self.refresh_room())
        self.curator.case_signal.subscribe(self, self.case_changed)

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """The mode was switched to, or a dialog was closed.

        Textual would work the styles of every widget out again, which costs more than all the rest. They are as they
        were: a new theme is noticed when the mode is switched, and classes take effect at once, in front or not.
        """
        event.refresh_styles = False
        self.query_one(Masthead).refresh()
        if self.curator.ctx is not None:
            self.refresh_room()

    def ask(
        self,
        work: Callable[[Context], Result],
        then: Callable[[Result], None] | None = None,
        *,
        doing: str,
        group: str = "",
        failed: Callable[[Exception], bool] | None = None,
        reads: bool = False,
    ) -> None:
        """Call a service in a worker, when the workspace is open; see workers.serve."""
        ctx = self.curator.ctx
        if ctx is not None:
            serve(self, lambda: work(ctx), then, doing=doing, group=group, failed=failed, reads=reads)
