"""A line of text that offers what was said in its field before: typing the first letters narrows the offers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.content import Content
from textual.widget import Widget

from curator.tui.widgets.safe import SafeInput, fit

MOST = 5


class Offers(Widget):
    """The values on offer, under the line that is typed in; hidden while there are none."""

    DEFAULT_CSS = """
    Offers { height: auto; max-height: 5; width: 1fr; display: none; background: $surface; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.values: list[str] = []
        self.place = -1

    def show(self, values: Sequence[str], place: int) -> None:
        """Show values; `place`: the one that Enter takes, -1 = none."""
        if (list(values), place) == (self.values, self.place):
            return
        self.values, self.place = list(values), place
        if self.display != bool(values):
            self.display = bool(values)
        self.refresh(layout=True)
        if values:  # at the foot of a form they would open out of sight
            self.call_after_refresh(self.scroll_visible, animate=False)

    def get_content_height(self, container: object, viewport: object, width: int) -> int:
        """A line for each."""
        return len(self.values)

    def render(self) -> Content:
        """All of them; the one that Enter takes is marked by a glyph."""
        width = max(4, self.size.width - 2)
        lines = [
            Content(f"{'▸' if n == self.place else ' '} {fit(value, width - 2)}").stylize(
                "$block-cursor-foreground on $block-cursor-background" if n == self.place else "$text-muted"
            )
            for n, value in enumerate(self.values)
        ]
        return Content("\n").join(lines)


class OfferInput(SafeInput):
    """Arrows choose among the offers; Enter takes the marked one, Tab takes it and goes on.

    Who means just what was typed, the beginning of a known value, goes up from the mark first.

    Args:
        known: Gives all values, the likeliest first; called whenever something is typed.
        several: Entries separated by commas: the last one is completed.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down", "offer(1)", "next value", show=False),
        Binding("up", "offer(-1)", "value before", show=False),
        Binding("enter", "take", "take the value", show=False),
        Binding("tab", "take_and_go_on", "take the value, next field", show=False),
    ]

    def __init__(
        self, known: Callable[[], Sequence[str]], *, several: bool = False, placeholder: str = "",
        dom_id: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(placeholder=placeholder, dom_id=dom_id)
        self._known = known
        self._several = several
        self.offers = Offers()

    def _typed_entry(self) -> str:
        return (self.value.rpartition(",")[2] if self._several else self.value).strip()

    def offer(self) -> None:
        """Look again what fits to what was typed."""
        if not self.has_focus:
            self.offers.show((), -1)
            return
        typed = self._typed_entry().casefold()
        used = {part.strip() for part in self.value.split(",")} if self._several else {self.value.strip()}
        known = [v for v in self._known() if v not in used]
        begun = [v for v in known if v.casefold().startswith(typed)]
        inside = [v for v in known if typed and typed in v.casefold() and v not in begun]
        self.offers.show([*begun, *inside][:MOST], 0 if typed and begun else -1)

    def watch_value(self, value: str) -> None:
        """Something was typed."""
        if self.is_mounted:
            self.offer()

    def on_focus(self) -> None:
        """Everything that is known, the commonest first."""
        super().on_focus()
        self.offer()

    def on_blur(self) -> None:
        """Nothing is offered to who is elsewhere."""
        self.offers.show((), -1)

    def action_offer(self, by: int) -> None:
        """The next offer, or the one before; above the first is none."""
        count = len(self.offers.values)
        self.offers.show(self.offers.values, max(-1, min(count - 1, self.offers.place + by)))

    def action_take(self) -> None:
        """Put the offer into the line."""
        if self.offers.place < 0:
            return
        value = self.offers.values[self.offers.place]
        if self._several:
            before = self.value.rpartition(",")[0]
            value = f"{before}, {value}, " if before.strip() else f"{value}, "
        self.value = value
        self.cursor_position = len(value)
        if not self._several:
            self.offers.show((), -1)

    def action_take_and_go_on(self) -> None:
        """The marked offer, if there is one, then the next field."""
        self.action_take()
        self.screen.focus_next()

    def on_paste(self, event: events.Paste) -> None:
        """As typed."""
        self.call_after_refresh(self.offer)
