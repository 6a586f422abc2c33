"""What a search found: a few lines a hit, the words that match lit. Paints only what is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator.text import visible
from curator.tui.widgets.safe import TABLESS, fit, flat, wrap
from curator.tui.widgets.source_layout import Line, placed
from curator.tui.widgets.source_paint import lit

if TYPE_CHECKING:
    from curator.services.search import Hit

NAMES = ("place", "text", "match", "cursor", "bar", "empty")


class SourceHits(Widget, can_focus=True):
    """A list of hits with a cursor: where it is, then two lines of text.

    Attributes:
        lines: Lines of text a hit.
    """

    lines = 2
    COMPONENT_CLASSES: ClassVar[set[str]] = {f"source-hits--{name}" for name in NAMES}
    DEFAULT_CSS = """
    SourceHits {
        background: $background;
        & > .source-hits--place { color: $text-primary; text-style: bold; }
        & > .source-hits--text { color: $foreground; }
        & > .source-hits--match { color: $text-accent; text-style: bold underline; }
        & > .source-hits--cursor { background: $block-cursor-blurred-background; }
        & > .source-hits--bar { color: $accent; text-style: bold; }
        & > .source-hits--empty { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "move(-1)", "up", show=False),
        Binding("down,j", "move(1)", "down", show=False),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
        Binding("home", "move(-10000)", "first", show=False),
        Binding("end", "move(10000)", "last", show=False),
        Binding("enter", "choose", "open"),
    ]

    class Chosen(Message):
        """Enter on a hit, or a click on the one under the cursor."""

        def __init__(self, hit: Hit) -> None:
            self.hit = hit
            super().__init__()

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.hits: list[Hit] = []
        self.titles: dict[str, str] = {}
        self.empty = ""
        self.at = 0
        self.top = 0
        self._lines: dict[str, list[Line]] = {}

    def show_hits(self, hits: Sequence[Hit], titles: dict[str, str], *, keep: bool = False) -> None:
        """Take hits, best first.

        Args:
            hits: Their texts are cut to the snippet.
            titles: Of their documents, by id.
            keep: The cursor stays on its hit when that is among them.
        """
        here = self.hit.source_id if keep and self.hit is not None else ""
        self.hits, self.titles, self._lines = list(hits), titles, {}
        self.at = next((n for n, h in enumerate(self.hits) if h.source_id == here), 0)
        self._see()

    @property
    def hit(self) -> Hit | None:
        """The hit under the cursor."""
        return self.hits[self.at] if self.hits else None

    def _see(self) -> None:
        rows = max(1, self.size.height // (self.lines + 1))
        self.top = max(0, min(self.top, self.at), self.at - rows + 1)
        self.refresh()

    def action_move(self, by: int) -> None:
        """Up or down."""
        self.at = max(0, min(self.at + by, len(self.hits) - 1))
        self._see()

    def action_page(self, by: int) -> None:
        """A screen up or down."""
        self.action_move(by * max(1, self.size.height // (self.lines + 1)))

    def action_choose(self) -> None:
        """Open the hit under the cursor."""
        if self.hit is not None:
            self.post_message(self.Chosen(self.hit))

    def on_click(self, event: events.Click) -> None:
        """To the hit under the pointer; a second click opens it."""
        place = self.top + event.y // (self.lines + 1)
        if place < len(self.hits):
            again = place == self.at
            self.at = place
            self._see()
            if again:
                self.action_choose()

    def on_mouse_scroll_down(self) -> None:
        """Wheel."""
        self.action_move(1)

    def on_mouse_scroll_up(self) -> None:
        """Wheel."""
        self.action_move(-1)

    def on_resize(self) -> None:
        """Wrap again."""
        self._lines = {}
        self._see()

    def _place(self, hit: Hit, width: int) -> str:
        section = hit.section_path[-1] if hit.section_path else ""
        page = f"p. {flat(hit.page_label) or hit.page}"
        kind = "▦ " if hit.kind == "row" else ""
        title = flat(self.titles.get(hit.document_id, hit.document_id))
        left = f"{kind}{title}" + (f" › {flat(section)}" if section else "")
        return fit(left, max(1, width - cell_len(page) - 1)) + " " + page

    def _snippet(self, hit: Hit, width: int) -> list[Line]:
        known = self._lines.get(hit.source_id)
        if known is None:
            start, end = hit.snippet
            before, after = "… " if start else "", " …" if end < len(hit.text) else ""
            text = before + visible(hit.text[start:end].translate(TABLESS).replace("\n", " ")) + after
            lines = wrap(text, width)
            spots = placed(text, lines, start - len(before))
            known = [Line(t, pieces=((0, *s),)) for t, s in zip(lines, spots, strict=True)]
            self._lines[hit.source_id] = known
        return known

    def render_line(self, y: int) -> Strip:
        """The place of a hit, or a line of its text."""
        width = self.size.width
        style = self.get_component_rich_style
        if not self.hits:
            text = " " + fit(self.empty, width - 1) if y == 1 else " " * width
            return Strip([Segment(text, style("source-hits--empty"))], width)
        place, inside = self.top + y // (self.lines + 1), y % (self.lines + 1)
        if place >= len(self.hits):
            return Strip.blank(width, self.rich_style)
        hit, current = self.hits[place], place == self.at
        ground = style("source-hits--cursor").background_style if current else Style.null()
        bar = Segment("▌" if current else " ", style("source-hits--bar"))
        if inside == 0:
            body = [Segment(self._place(hit, width - 2), style("source-hits--place") + ground)]
        else:
            lines = self._snippet(hit, width - 4)
            line = lines[inside - 1] if inside <= len(lines) else Line("")
            base = style("source-hits--text") + ground
            spans = [(a, b, "match") for a, b in hit.marks]
            body = [Segment("  ", base), *lit(line, spans, base, {"match": style("source-hits--match") + ground})]
        return Strip([bar, *body]).adjust_cell_length(width, (style("source-hits--text") + ground))
