"""The page text as a cursor over sources. Only what is near is loaded, and only what is seen is painted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterable
from functools import partial
from itertools import accumulate
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget

from curator.domain.document import Source
from curator.tui.widgets.safe import fit
from curator.tui.widgets.source_layout import KEY_WIDTH, WIDE, Block, Line, TableShape, layout
from curator.tui.workers import Sturdy, serve

GUTTER = 7
NEAR_PAGES = 6
KEPT_PAGES = 60
STICKY_LINES = 4

Load = Callable[[int, int], list[Source]]


class SourceView(Sturdy, Widget, can_focus=True):
    """Sources of one document in reading order, with a cursor, marks in the margin, and found words lit."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {
        f"source-view--{name}"
        for name in (
            "text",
            "name",
            "head",
            "title",
            "section",
            "rule",
            "note",
            "row",
            "band",
            "cursor",
            "bar",
            "mark",
            "match",
            "empty",
        )
    }
    DEFAULT_CSS = """
    SourceView {
        background: $background;
        & > .source-view--text, & > .source-view--row { color: $foreground; }
        & > .source-view--band { color: $foreground; background: $surface; }
        & > .source-view--name { color: $text-muted; }
        & > .source-view--note { color: $text-muted; text-style: italic; }
        & > .source-view--rule { color: $text-muted; }
        & > .source-view--title { color: $text-primary; text-style: bold; background: $panel; }
        & > .source-view--head { color: $foreground; text-style: bold; background: $panel; }
        & > .source-view--section { color: $text-primary; text-style: bold; }
        & > .source-view--cursor { background: $block-cursor-blurred-background; }
        & > .source-view--bar { color: $accent; text-style: bold; }
        & > .source-view--mark { color: $text-accent; text-style: bold; }
        & > .source-view--match { color: $background; background: $accent; text-style: bold; }
        & > .source-view--empty { color: $text-muted; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "source before", show=False),
        Binding("down,j", "step(1)", "next source", show=False),
        Binding("pageup,b", "screenful(-1)", "screen up", show=False),
        Binding("pagedown,space", "screenful(1)", "screen down", show=False),
        Binding("ctrl+up", "scroll_lines(-1)", "line up", show=False),
        Binding("ctrl+down", "scroll_lines(1)", "line down", show=False),
        Binding("home", "edge(0)", "first page", show=False),
        Binding("end", "edge(1)", "last page", show=False),
    ]

    class Moved(Message):
        """The cursor stands on another source."""

        def __init__(self, source: Source) -> None:
            self.source = source
            super().__init__()

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.pages = 0
        self.marks: dict[str, str] = {}
        self.words = ""
        self.empty = ""
        self._load: Load | None = None
        self._sources: list[Source] = []
        self._first = self._last = 0
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._shapes: dict[str, TableShape] = {}
        self._width = 0
        self._generation = 0
        self._loading = False
        self.at = 0
        self.top = 0

    # -- what is shown ------------------------------------------------------------------------------------------

    def open(self, load: Load, pages: int, *, page: int = 1, source_id: str = "") -> None:
        """Show a document.

        Args:
            load: Sources on pages first to last; called in a worker.
            pages: How many it has.
            page: Where to begin.
            source_id: The source to stand on.
        """
        self._load, self.pages = load, pages
        self._shapes = {}
        self.words = ""
        self.empty = "loading …"
        self.go(page, source_id=source_id, fresh=True)

    def clear(self, said: str) -> None:
        """Show no document, but this line."""
        self._generation += 1
        self._load, self.pages, self.empty = None, 0, said
        self._sources, self._blocks, self._starts = [], [], []
        self.refresh()

    def go(
        self, page: int, *, source_id: str = "", choose: Callable[[Source], bool] | None = None, fresh: bool = False
    ) -> None:
        """Put the cursor on a page: on the source named, or on the first one there that is chosen, or the first."""
        if self._load is None:
            return
        page = max(1, min(page, max(1, self.pages)))
        if not fresh and self._first <= page <= self._last:
            self._stand(page, source_id, choose)
            return
        self._generation += 1
        self._loading = False
        first, last = max(1, page - 2), min(max(1, self.pages), page + NEAR_PAGES)
        serve(
            self,
            partial(self._load, first, last),
            partial(self._took_all, self._generation, first, last, page, source_id, choose),
            doing="read the pages",
            group="pages",
        )

    def _took_all(
        self,
        generation: int,
        first: int,
        last: int,
        page: int,
        source_id: str,
        choose: Callable[[Source], bool] | None,
        found: list[Source],
    ) -> None:
        if generation != self._generation:
            return
        if not found and (first > 1 or last < self.pages):  # a stretch of pages without text
            if last < self.pages:
                self._further(last + 1, last + 10, page, source_id, choose)
            elif first > 1:
                self._further(max(1, first - 10), first - 1, page, source_id, choose)
            return
        self._first, self._last = first, last
        self._sources, self.at, self.top = found, 0, 0
        self.empty = "" if found else "no page of this document has text"
        self._lay_out()
        self._stand(page, source_id, choose)

    def _further(
        self, first: int, last: int, page: int, source_id: str, choose: Callable[[Source], bool] | None
    ) -> None:
        assert self._load is not None
        last = min(last, self.pages)
        then = partial(self._took_all, self._generation, first, last, page, source_id, choose)
        serve(self, partial(self._load, first, last), then, doing="read the pages", group="pages")

    def _stand(self, page: int, source_id: str, choose: Callable[[Source], bool] | None) -> None:
        if not self._sources:
            self.refresh()
            return
        named = next((n for n, s in enumerate(self._sources) if source_id and source_id in (s.id, *s.aliases)), None)
        if named is None and choose is not None:
            named = next((n for n, s in enumerate(self._sources) if s.anchor.page >= page and choose(s)), None)
        if named is None:
            last = len(self._sources) - 1
            named = next((n for n, s in enumerate(self._sources) if s.anchor.page >= page), last)
        self._move(named, at_top=True)

    def _need(self) -> None:
        """Load the pages that come next, when the cursor or the view is near the edge of what is loaded."""
        if self._loading or self._load is None or not self._blocks:
            return
        height = max(1, self.size.height)
        below = self._starts[-1] + self._blocks[-1].height - (self.top + height)
        if self._last < self.pages and (below < 2 * height or self.at > len(self._sources) - 20):
            self._extend(self._last + 1, min(self.pages, self._last + NEAR_PAGES))
        elif self._first > 1 and (self.top < 2 * height or self.at < 20):
            self._extend(max(1, self._first - NEAR_PAGES), self._first - 1)

    def _extend(self, first: int, last: int) -> None:
        assert self._load is not None
        self._loading = True
        then = partial(self._took_more, self._generation, first, last)
        serve(self, partial(self._load, first, last), then, doing="read the pages", group="more pages")

    def _took_more(self, generation: int, first: int, last: int, found: list[Source]) -> None:
        if generation != self._generation:
            return
        self._loading = False
        current = self._sources[self.at]
        offset = self.top - self._starts[self.at]
        have = {s.id for s in self._sources}
        fresh = [s for s in found if s.id not in have]
        self._sources = sorted([*self._sources, *fresh], key=lambda s: s.anchor.ordinal)
        self._first, self._last = min(first, self._first), max(last, self._last)
        self._trim(current.anchor.page)
        self._lay_out()
        self.at = next(n for n, s in enumerate(self._sources) if s.id == current.id)
        self.top = max(0, self._starts[self.at] + offset)
        self.refresh()
        self._need()

    def _trim(self, page: int) -> None:
        if self._last - self._first < KEPT_PAGES:
            return
        first, last = max(self._first, page - KEPT_PAGES // 2), min(self._last, page + KEPT_PAGES // 2)
        self._sources = [s for s in self._sources if s.anchor.page_end >= first and s.anchor.page <= last]
        self._first, self._last = first, last

    @property
    def _keyed(self) -> int:
        """Cells for the row's key in the gutter: wide screens only."""
        return KEY_WIDTH if self.size.width >= WIDE else 0

    def _lay_out(self) -> None:
        width = max(20, self.size.width - GUTTER - self._keyed - 1)
        if width != self._width:
            self._width, self._shapes = width, {}
        self._blocks = layout(self._sources, width, self._shapes)
        self._starts = [0, *accumulate(b.height for b in self._blocks)][:-1]

    def on_resize(self) -> None:
        """Wrap again, the same source in sight."""
        if not self._sources:
            return
        self._lay_out()
        self._move(self.at, at_top=False)

    # -- cursor -------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The source under the cursor."""
        return self._sources[self.at] if self._sources else None

    @property
    def source_before(self) -> Source | None:
        """The source before it, when there is one."""
        return self._sources[self.at - 1] if self._sources and self.at else None

    def _move(self, place: int, *, at_top: bool = False) -> None:
        if not self._sources:
            return
        self.at = max(0, min(place, len(self._sources) - 1))
        block, start = self._blocks[self.at], self._starts[self.at]
        height = max(1, self.size.height)
        own = start + block.lead
        sticky = len(self._sticky_for(self.at)) if block.lead == 0 or own - self.top < block.lead else 0
        if at_top:
            self.top = start if block.lead else max(0, start - sticky)
        elif own - sticky < self.top:
            self.top = max(0, min(start, own - sticky))
        elif start + block.height > self.top + height:
            self.top = min(start + block.height - height, own - sticky)
        self.top = max(0, self.top)
        self.refresh()
        self.post_message(self.Moved(self._sources[self.at]))
        self._need()

    def action_step(self, by: int) -> None:
        """The source after or before; inside one taller than the view, a few lines further first."""
        if not self._sources:
            return
        block, start, height = self._blocks[self.at], self._starts[self.at], max(1, self.size.height)
        if by > 0 and start + block.height > self.top + height:
            self.top += min(height - 2, start + block.height - self.top - height)
            self.refresh()
        elif by < 0 and start < self.top and block.height > height:
            self.top = max(start, self.top - height + 2)
            self.refresh()
        else:
            self._move(self.at + by)

    def action_screenful(self, by: int) -> None:
        """A screen up or down; the cursor goes along."""
        if not self._sources:
            return
        height = max(2, self.size.height)
        end = self._starts[-1] + self._blocks[-1].height
        self.top = max(0, min(self.top + by * (height - 1), max(0, end - height)))
        wanted = self.top + (0 if by < 0 else height - 1)
        place = bisect_right(self._starts, max(0, wanted)) - 1
        if (by > 0 and place <= self.at) or (by < 0 and place >= self.at):
            place = self.at + by
        self._move(place)

    def action_scroll_lines(self, by: int) -> None:
        """Scroll without moving the cursor."""
        if self._blocks:
            end = self._starts[-1] + self._blocks[-1].height
            self.top = max(0, min(self.top + by, max(0, end - 2)))
            self.refresh()
            self._need()

    def action_edge(self, end: int) -> None:
        """The first or the last page."""
        self.go(self.pages if end else 1)

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Wheel."""
        event.stop()
        self.action_scroll_lines(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Wheel."""
        event.stop()
        self.action_scroll_lines(-3)

    def on_click(self, event: events.Click) -> None:
        """The source under the pointer."""
        if self._blocks:
            self._move(bisect_right(self._starts, self.top + event.y) - 1)

    def set_marks(self, marks: dict[str, str]) -> None:
        """Marks of the current case by source id: what stands in the margin."""
        self.marks = marks
        self.refresh()

    def set_words(self, words: str) -> None:
        """The words that are lit."""
        self.words = words
        self.refresh()

    # -- painting -----------------------------------------------------------------------------------------------

    def _sticky_for(self, place: int) -> tuple[Line, ...]:
        """The heading that stays above a row of a table."""
        at = self._sources[place].anchor
        known = self._shapes.get(at.table_id) if at.table_id else None
        if known is None:
            return ()
        return known.head if len(known.head) <= STICKY_LINES else (*known.head[:1], *known.head[1:STICKY_LINES])

    def _sticky(self) -> tuple[Line, ...]:
        place = bisect_right(self._starts, self.top) - 1
        block = self._blocks[place]
        here = self._sources[self.at].anchor
        if not here.table_id or block.source.anchor.table_id != here.table_id:
            return ()
        inside = self.top - self._starts[place]
        shown_whole = block.lead and any(x.tone == "title" for x in block.lines[inside : block.lead])
        return () if shown_whole else self._sticky_for(place)

    def render_line(self, y: int) -> Strip:
        """One visible line: bar, mark, key, text."""
        width = self.size.width
        base = self.rich_style
        if not self._blocks:
            text = " " + fit(self.empty, width - 1) if y == 1 else " " * width
            return Strip([Segment(text, self.get_component_rich_style("source-view--empty"))], width)
        sticky = self._sticky()
        if y < len(sticky):
            return self._painted(sticky[y], Segment(" " * (GUTTER + self._keyed), base), width)
        line_number = self.top + y
        place = bisect_right(self._starts, line_number) - 1
        block = self._blocks[place]
        inside = line_number - self._starts[place]
        if inside >= block.height:
            return Strip.blank(width, base)
        line = block.lines[inside]
        own, first = inside >= block.lead, inside == block.lead
        current = own and place == self.at
        gutter: list[Segment] = [
            Segment("▌" if current else " ", self.get_component_rich_style("source-view--bar")),
            Segment(
                fit(self.marks.get(block.source.id, "") if first else "", GUTTER - 1),
                self.get_component_rich_style("source-view--mark"),
            ),
        ]
        if self._keyed:
            key = block.source.id.partition(":")[2] if first and block.source.kind == "row" else ""
            gutter.append(Segment(fit(key, KEY_WIDTH - 1) + " ", self.get_component_rich_style("source-view--name")))
        return self._painted(line, gutter, width, current=current)

    def _painted(self, line: Line, gutter: Segment | list[Segment], width: int, *, current: bool = False) -> Strip:
        style = self.get_component_rich_style(f"source-view--{line.tone}")
        if current:
            style += self.get_component_rich_style("source-view--cursor").background_style
        room = width - GUTTER - self._keyed
        segments = [gutter] if isinstance(gutter, Segment) else gutter
        text = line.text
        body = list(self._lit(text, style)) if self.words and line.own else [Segment(text, style)]
        strip = Strip([*segments, *body]).adjust_cell_length(width, style)
        return strip if room > 0 else Strip.blank(width)

    def _lit(self, text: str, style: Style) -> Iterable[Segment]:
        """The text with each copy of the words lit."""
        lit = self.get_component_rich_style("source-view--match")
        lower, wanted = text.lower(), self.words.lower()
        if len(lower) != len(text) or wanted not in lower:
            yield Segment(text, style)
            return
        start = 0
        while (found := lower.find(wanted, start)) >= 0:
            yield Segment(text[start:found], style)
            yield Segment(text[found : found + len(wanted)], lit)
            start = found + len(wanted)
        yield Segment(text[start:], style)
