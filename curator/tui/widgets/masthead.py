"""The top line: where we are, in which workspace, who acts, on which case, and what works in the background."""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

from curator.tui.widgets.safe import fit, flat

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

PLACES = (("home", "1", "Home"), ("sources", "2", "Sources"), ("reader", "3", "Reader"),
          ("failures", "4", "Failures"), ("case", "5", "Case"), ("review", "6", "Review"),
          ("coverage", "7", "Coverage"), ("suites", "8", "Suites"))  # fmt: skip
WITHIN = {"reconfirm": "review"}
"""Modes that are another side of a place."""
ROOMY = 100
UNSAVED = " ● unsaved"


class Masthead(Widget):
    """One line. Places on the left, the current one by name; narrow screens show the others by their digit."""

    DEFAULT_CSS = """
    Masthead { height: 1; dock: top; background: $panel; color: $foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._painted: tuple[object, ...] = ()

    def freshen(self) -> None:
        """Paint again if the line says something else by now: the top and the last line span the whole screen."""
        if self._said() != self._painted:
            self.refresh()

    def _said(self) -> tuple[object, ...]:
        app = cast("CuratorApp", self.app)
        return app.current_mode, *self._right(app)

    def render(self) -> Content:
        """The line, as wide as the screen."""
        app = cast("CuratorApp", self.app)
        self._painted = self._said()
        width = self.size.width
        left: list[tuple[str, str]] = [(" ", "")]
        for _, text, here in self._places(app):
            left.append((text, "bold $background on $primary" if here else "$text-muted"))
        if app.current_mode == "search":
            left.append((" ? Search ", "bold $background on $primary"))
        used = sum(cell_len(text) for text, _ in left)
        room = max(0, width - used - 1)
        right, short = self._right(app), self._right(app, short=True)
        options = [" · ".join(parts) for parts in (right, right[1:], *(short[n:] for n in range(1, len(short))))]
        said = next((o for o in options if cell_len(o) <= room), options[-1])
        said = fit(said, min(room, cell_len(said)))
        gap = " " * max(0, width - used - cell_len(said) - 1)
        return Content.assemble(*left, gap, said, " ")

    def on_click(self, event: events.Click) -> None:
        """Go to the place under the pointer."""
        app, at = cast("CuratorApp", self.app), 1
        for mode, text, _ in self._places(app):
            width = cell_len(text)
            if at <= event.x < at + width and app.check_action("mode", ()):
                event.stop()
                app.action_mode(mode)
                return
            at += width

    def _places(self, app: CuratorApp) -> list[tuple[str, str, bool]]:
        """Mode, text, whether one is there: all by name, closer together, or by digit, as there is room.

        Who acts on which case stands beside them, and there is always room for "● unsaved", so that nothing moves when
        one begins to type.
        """
        current = WITHIN.get(app.current_mode, app.current_mode)
        sheet = app.desk.sheet
        unsaved = len(UNSAVED) if sheet is not None and not sheet.dirty else 0
        for short, end in ((False, " "), (False, ""), (True, " "), (True, "")):
            named = [(m, f" {digit} {name}{' ' if m == current else end}", m == current) for m, digit, name in PLACES]
            used = sum(cell_len(text) for _, text, _ in named) + (10 if app.current_mode == "search" else 0)
            beside = cell_len(" · ".join(self._right(app, short=short)[1:])) + unsaved
            if self.size.width >= max(ROOMY, used + beside + 3):
                return named
        return [(m, f" {digit} {name} " if m == current else f" {digit} ", m == current) for m, digit, name in PLACES]

    def _right(self, app: CuratorApp, *, short: bool = False) -> list[str]:
        """What stands on the right; the first is left out first when there is no room, then the role (`short`)."""
        sheet = app.desk.sheet
        parts = [flat(app.workspace.root.name)]
        parts += [app.state_of_work] if app.state_of_work else []
        told = app.ctx is not None and (not short or " " in app.role)  # one that says what is wrong is never left out
        role = f" ({app.role})" if told else ""
        parts += [f"{flat(app.workspace.actor_id)}{role}" if app.workspace.actor_id else "! nobody acts: --as ID"]
        if app.ctx is None:
            parts.append(app.opening)
        elif sheet is not None:
            name = flat(sheet.case.id) or "new case"
            parts.append(f"{name}{UNSAVED}" if sheet.dirty else name)
        return parts
