"""The last line: what can be done now, as many keys as fit, and always the one that shows the others."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.content import Content
from textual.widget import Widget

if TYPE_CHECKING:
    from textual.binding import ActiveBinding
    from textual.screen import Screen

ALWAYS = "keys"


class Footline(Widget):
    """One line; a click on a key does what the key does."""

    DEFAULT_CSS = """
    Footline { height: 1; dock: bottom; background: $footer-background; color: $footer-foreground; }
    """

    def __init__(self) -> None:
        super().__init__()
        self._places: list[tuple[range, ActiveBinding]] = []
        self._painted: list[tuple[str, str]] = []

    def freshen(self) -> None:
        """Paint again if other keys can be offered by now."""
        if [(key, said) for key, said, _ in self._shown()] != self._painted:
            self.refresh()

    def on_mount(self) -> None:
        """Listen to what can be done."""
        self.screen.bindings_updated_signal.subscribe(self, self._changed)

    def _changed(self, _screen: Screen[object]) -> None:
        self.refresh()

    def _shown(self) -> list[tuple[str, str, ActiveBinding]]:
        """Key and words of what can be done now, from the focus outward; each action once.

        What has the keys may leave some unsaid that would not be the next thing to do: `unsaid`, a set of actions.
        """
        found: dict[str, tuple[str, str, ActiveBinding]] = {}
        for active in self.screen.active_bindings.values():
            binding = active.binding
            wanted = binding.show and active.enabled and binding.description and binding.action not in found
            if wanted and binding.action not in getattr(active.node, "unsaid", ()):
                found[binding.action] = (self.app.get_key_display(binding), binding.description, active)
        always = found.pop(ALWAYS, None)
        return [*found.values(), *([always] if always else [])]

    def render(self) -> Content:
        """The line, as wide as the screen."""
        shown = self._shown()
        self._painted = [(key, said) for key, said, _ in shown]
        room = self.size.width
        widths = [cell_len(f"{key} {said}") + 1 for key, said, _ in shown]
        kept = list(range(len(shown)))
        while len(kept) > 1 and sum(widths[n] for n in kept) > room + 1:
            kept.pop(-2 if shown[kept[-1]][2].binding.action == ALWAYS else -1)
        parts: list[str | tuple[str, str]] = []
        self._places, at = [], 0
        for n in kept:
            key, said, active = shown[n]
            parts += [(key, "bold $footer-key-foreground"), f" {said} "]
            self._places.append((range(at, at + widths[n] - 1), active))
            at += widths[n]
        return Content.assemble(*parts)

    async def on_click(self, event: events.Click) -> None:
        """Do what the key under the pointer does."""
        for cells, active in self._places:
            if event.x in cells:
                event.stop()
                await self.app.run_action(active.binding.action, active.node)
                return
