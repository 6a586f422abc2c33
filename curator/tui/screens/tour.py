"""The tour: six steps beside the real screens, shown by itself once, in an empty workspace."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, cast

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.widgets.safe import plain, titled

if TYPE_CHECKING:
    from pathlib import Path

    from curator.tui.app import CuratorApp

SEEN = "toured"


@dataclass(frozen=True)
class Step:
    """One step: the place that it is about, what it is called, and what is said."""

    mode: str
    title: str
    said: str


STEPS = (
    Step(
        "home",
        "Home",
        "Here is what needs you, in order; its key starts a line. F1 brings you back from anywhere.",
    ),
    Step(
        "sources",
        "Sources",
        "i ingests a PDF or a folder: its text, sections and table rows become sources that can be cited. "
        "x stops it; go on working meanwhile.",
    ),
    Step(
        "reader",
        "Reader",
        "Read, and stand on the row or paragraph that proves an answer. c begins a case there, e makes it evidence, "
        "p makes it a key provision.",
    ),
    Step(
        "case",
        "Case",
        "Say what the system should do: answer, refuse or escalate; how bad a wrong answer is; and the right answer. "
        "Ctrl+S saves, F9 submits.",
    ),
    Step(
        "case",
        "Review",
        "Another person (--as ID) approves with a, or asks for changes with x. High risk needs two opinions that do "
        "not know each other.",
    ),
    Step(
        "suites",
        "Suites",
        "Approved cases become a suite: r releases a version, which is never written again. F10 shows all keys, "
        "Ctrl+P finds every action.",
    ),
)


class TourPanel(Vertical, can_focus=True):
    """A small panel at the foot of a screen. Other keys do what they always do; going elsewhere ends the tour."""

    DEFAULT_CSS = """
    TourPanel {
        dock: bottom; width: 100%; height: auto; margin: 0 0 1 0; padding: 0 1;
        background: $panel; border: round $accent;
        border-title-color: $text-accent; border-subtitle-color: $text-muted;
        & > Static { height: auto; color: $foreground; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "go_on", "go on"),
        Binding("escape", "end", "end the tour"),
    ]

    def __init__(self, number: int) -> None:
        super().__init__(id="tour")
        self.number = number

    def compose(self) -> ComposeResult:
        """What is said."""
        step = STEPS[self.number]
        titled(self, f"{self.number + 1} of {len(STEPS)} · {step.title}", "enter: go on · esc: end")
        yield Static(plain(step.said))

    def action_go_on(self) -> None:
        """The next step; after the last one, Home."""
        app = cast("CuratorApp", self.app)
        self.remove()
        if self.number + 1 < len(STEPS):
            show_step(app, self.number + 1)
        else:
            app.action_mode("home")

    def action_end(self) -> None:
        """Esc ends it."""
        self.remove()


def show_step(app: CuratorApp, number: int) -> None:
    """Go to the screen of a step and put its panel there."""
    app.action_mode(STEPS[number].mode)
    app.call_later(_mount, app, number)


async def _mount(app: CuratorApp, number: int) -> None:
    await app.screen.query(TourPanel).remove()
    panel = TourPanel(number)
    await app.screen.mount(panel)
    app.screen.set_focus(panel)


def begin_tour(app: CuratorApp) -> None:
    """From the first step; it will not come by itself again in this workspace."""
    if mark := _mark(app):
        try:
            mark.touch()
        except OSError as error:
            app.note_error("remember the tour", error)
    show_step(app, 0)


def begin_first_tour(app: CuratorApp) -> None:
    """Begin it, unless it was begun in this workspace before."""
    mark = _mark(app)
    if mark is not None and not mark.exists():
        begin_tour(app)


def _mark(app: CuratorApp) -> Path | None:
    return app.ctx.hidden / SEEN if app.ctx is not None else None
