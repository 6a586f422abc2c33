"""Styles are read when a screen is made, and worked out for what they are about alone.

Textual parses every sheet again when a screen or a dialog is opened first, twice for a place, and styles all that is
shown anew. Each of our sheets names its own screen, so that none changes how another one looks: the new sheet is parsed
beside those that were, and the new screen, which knows its size from the first, is styled as it is mounted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.screen import Screen

if TYPE_CHECKING:
    _App = App[int]
else:
    _App = object


class Styling(_App):
    """The part of the app that reads styles."""

    def _load_screen_css(self, screen: Screen[Any]) -> None:
        """Read the sheets of a new screen; those of Textual's own dialogs as Textual does it."""
        if screen.CSS or not type(screen).__module__.startswith("curator."):
            super()._load_screen_css(screen)
            return
        new = [path for path in screen.css_path if not self.stylesheet.has_source(str(path), "")]
        if new:
            self.stylesheet.read_all(new)
            self.stylesheet.parse()
        if screen._css_update_count < 0:
            screen._css_update_count = self._css_update_count
            steps = (screen.HORIZONTAL_BREAKPOINTS, screen.VERTICAL_BREAKPOINTS)
            for length, names in zip(self.size, steps, strict=True):
                screen.add_class(*screen._get_breakpoint_classes(length, names or []), update=False)
            self.stylesheet.update_nodes([screen])
