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
        roomy = self._is_roomy(app)
        left: list[tuple[str, str]] = [(" ", "")]
        for mode, digit, name in PLACES:
            here = mode == WITHIN.get(app.current_mode, app.current_mode)
            text = f" {digit} {name} " if here or roomy else f" {digit} "
            left.append((text, "bold $background on $primary" if here else "$text-muted"))
        if app.current_mode == "search":
            left.append((" ? Search ", "bold $background on $primary"))
        used = sum(cell_len(text) for text, _ in left)
        right = self._right(app)
        room = max(0, width - used - 1)
        while len(right) > 1 and cell_len(" · ".join(right)) > room:
            right.pop(0)
        said = fit(" · ".join(right), min(room, cell_len(" · ".join(right))))
        gap = " " * max(0, width - used - cell_len(said) - 1)
        return Content.assemble(*left, gap, said, " ")

    def on_click(self, event: events.Click) -> None:
        """Go to the place under the pointer."""
        app, at = cast("CuratorApp", self.app), 1
        roomy = self._is_roomy(app)
        for mode, digit, name in PLACES:
            wide = mode == WITHIN.get(app.current_mode, app.current_mode) or roomy
            width = cell_len(f" {digit} {name} " if wide else f" {digit} ")
            if at <= event.x < at + width and app.check_action("mode", ()):
                event.stop()
                app.action_mode(mode)
                return
            at += width

    def _is_roomy(self, app: CuratorApp) -> bool:
        """Whether all places can be named, and who acts on which case stands there too."""
        names = sum(cell_len(f" {digit} {name} ") for _, digit, name in PLACES)
        return self.size.width >= max(ROOMY, names + cell_len(" · ".join(self._right(app)[1:])) + 12)

    def _right(self, app: CuratorApp) -> list[str]:
        """What stands on the right; the first is left out first when there is no room."""
        sheet = app.desk.sheet
        parts = [flat(app.workspace.root.name)]
        parts += [app.state_of_work] if app.state_of_work else []
        parts += [
            f"{flat(app.workspace.actor_id)} ({app.role})" if app.workspace.actor_id else "! nobody acts: --as ID"
        ]
        if app.ctx is None:
            parts.append(app.opening)
        elif sheet is not None:
            name = flat(sheet.case.id) or "new case"
            parts.append(f"{name} ● unsaved" if sheet.dirty else name)
        return parts
