"""The part of a document that is in memory: pages near the cursor, read and laid out in a worker."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import accumulate
from typing import TYPE_CHECKING

from textual.widget import Widget
from textual.worker import get_current_worker

from curator.tui.widgets.source_layout import KEY_WIDTH, WIDE, Block, Layout
from curator.tui.workers import Sturdy, serve

if TYPE_CHECKING:
    from curator.domain.document import Source

    Load = Callable[[int, int], list[Source]]
    Choose = Callable[[Source], bool]

GUTTER = 7
NEAR_PAGES = 6
MOST_PAGES = 44
KEPT_PAGES = 120
SCREENS_AHEAD = 44
HEAVY = 100_000
SOURCE_COST = 100
"""Characters that take as long to lay out as what a source costs beside its text."""


class SourceWindow(Sturdy, Widget):
    """The base of the reader's text: what is loaded, where it stands, and the loading of more."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.pages = 0
        self.empty = ""
        self.at = 0
        self.top = 0
        self.notes: Mapping[int, str] = {}
        self._load: Load | None = None
        self._sources: list[Source] = []
        self._first = self._last = 0
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._layout = Layout(20)
        self._generation = 0
        self._loading = False

    def open(
        self, load: Load, pages: int, *, page: int = 1, source_id: str = "", notes: Mapping[int, str] | None = None
    ) -> None:
        """Show a document.

        Args:
            load: Sources on pages first to last; called in a worker.
            pages: How many it has.
            page: Where to begin.
            source_id: The source to stand on.
            notes: What is said of a page, by its number: that it has no text, and why.
        """
        self._load, self.pages, self.notes = load, pages, notes or {}
        self._layout = Layout(self._text_width, self.notes)
        self.empty = "loading …"
        self.go(page, source_id=source_id, fresh=True)

    def clear(self, said: str) -> None:
        """Show no document, but this line."""
        self._generation += 1
        self._load, self.pages, self.empty = None, 0, said
        self._sources, self._blocks, self._starts = [], [], []
        self.refresh()

    def go(self, page: int, *, source_id: str = "", choose: Choose | None = None, fresh: bool = False) -> None:
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
        stand = partial(self._stand, page, source_id, choose)
        self._read(first, last, partial(self._took_all, self._generation, first, last, stand))

    def _read(self, first: int, last: int, then: Callable[[list[Source]], None], group: str = "pages") -> None:
        load, layout = self._load, self._layout
        assert load is not None

        def work() -> list[Source]:
            worker = get_current_worker()
            found = load(first, last)
            layout.warm(found, lambda: worker.is_cancelled)
            return found

        serve(self, work, then, doing="read the pages", group=group)

    def _took_all(self, generation: int, first: int, last: int, stand: Callable[[], None], found: list[Source]) -> None:
        """Take the pages around the wanted one; where none of them has text, look further on, then further back."""
        if generation != self._generation:
            return
        if not found and (first > 1 or last < self.pages):
            more = last - first + 1
            low, high = (
                (last + 1, min(self.pages, last + more)) if last < self.pages else (max(1, first - more), first - 1)
            )
            first, last = min(first, low), max(last, high)
            self._read(low, high, partial(self._took_all, generation, first, last, stand))
            return
        self._first, self._last = first, last
        self._sources, self.at, self.top = found, 0, 0
        self.empty = "" if found else "no page of this document has text"
        self.lay_out()
        stand()

    def _stand(self, page: int, source_id: str, choose: Choose | None) -> None:
        if not self._sources:
            self.refresh()
            return
        named = self._place_of(source_id)
        if named is None and choose is not None:
            named = next((n for n, s in enumerate(self._sources) if s.anchor.page >= page and choose(s)), None)
        if named is None:
            end = len(self._sources) - 1
            named = next((n for n, s in enumerate(self._sources) if s.anchor.page >= page), end)
        self.move_to(named, at_top=True)
        if page > self._sources[named].anchor.page_end:  # a page without text at the end of the document
            self.top = max(self.top, self._height - self.size.height)

    def _place_of(self, source_id: str) -> int | None:
        if not source_id:
            return None
        return next((n for n, s in enumerate(self._sources) if source_id in (s.id, *s.aliases)), None)

    def move_to(self, place: int, *, at_top: bool = False) -> None:
        """Put the cursor on a source by its place among those that are loaded."""
        raise NotImplementedError

    def need(self) -> None:
        """Load the pages that come next, when the cursor or the view is near the edge of what is loaded."""
        if self._loading or self._load is None or not self._blocks:
            return
        height = max(1, self.size.height)
        below = self._height - (self.top + height)
        if self._last < self.pages and (below < 4 * height or self.at > len(self._sources) - 3):
            self._extend(self._last + 1, min(self.pages, self._last + self._pages_ahead))
        elif self._first > 1 and (self.top < 4 * height or self.at < 2):
            self._extend(max(1, self._first - self._pages_ahead), self._first - 1)

    @property
    def _height(self) -> int:
        """Lines of all that is loaded."""
        return self._starts[-1] + self._blocks[-1].height if self._blocks else 0

    @property
    def _pages_ahead(self) -> int:
        """How many pages are read at a time: reading has a price of its own, so it is done seldom, and well ahead."""
        lines = max(1, self._height // (self._last - self._first + 1))
        return max(NEAR_PAGES, min(MOST_PAGES, round(SCREENS_AHEAD * self.size.height / lines)))

    def _extend(self, first: int, last: int) -> None:
        self._loading = True
        self._read(first, last, partial(self._took_more, self._generation, first, last), "more pages")

    def _took_more(self, generation: int, first: int, last: int, found: list[Source]) -> None:
        if generation != self._generation:
            return
        self._loading = False
        seen_whole = self.top + self.size.height <= self._height
        current = self._sources[self.at]
        offset = self.top - self._starts[self.at]
        have = {s.id for s in self._sources}
        fresh = [s for s in found if s.id not in have]
        self._sources = sorted([*self._sources, *fresh], key=lambda s: s.anchor.ordinal)
        self._first, self._last = min(first, self._first), max(last, self._last)
        self._trim(current.anchor.page)
        self.lay_out()
        self.at = next(n for n, s in enumerate(self._sources) if s.id == current.id)
        self.top = max(0, self._starts[self.at] + offset)
        if not seen_whole:  # else what came lies out of sight
            self.refresh()
        self.need()

    def _trim(self, page: int) -> None:
        if self._last - self._first < KEPT_PAGES:
            return
        first, last = max(self._first, page - KEPT_PAGES // 2), min(self._last, page + KEPT_PAGES // 2)
        self._sources = [s for s in self._sources if s.anchor.page_end >= first and s.anchor.page <= last]
        self._first, self._last = first, last
        self._layout.keep(self._sources)

    @property
    def keyed(self) -> int:
        """Cells for the row's key in the gutter: wide screens only."""
        return KEY_WIDTH if self.size.width >= WIDE else 0

    @property
    def _text_width(self) -> int:
        return max(20, self.size.width - GUTTER - self.keyed - 1)

    def lay_out(self) -> None:
        """Lay out what is loaded: what is new, or all when the width has changed; off this thread when it is much."""
        if self._text_width != self._layout.width:
            if sum(SOURCE_COST + len(s.anchor.text) for s in self._sources) > HEAVY and self._blocks:
                self._lay_out_later()
            else:
                self._place(Layout(self._text_width, self.notes))
                return
        self._place(self._layout)

    def _place(self, layout: Layout) -> None:
        """Take the blocks of a layout; its wide tables are scrolled as those of the one before were."""
        self._blocks = layout.blocks(self._sources, self._first, self.pages if self._last >= self.pages else 0)
        self._starts = [0, *accumulate(b.height for b in self._blocks)][:-1]
        if layout is not self._layout:
            for table, shape in self._layout.shapes.items():
                if shape.shift and table in layout.shapes:
                    layout.shapes[table].scroll(shape.shift)
            self._layout = layout

    def _lay_out_later(self) -> None:
        """At the new width, in a worker; the lines as they are stay in sight until then."""
        layout, sources, first = Layout(self._text_width, self.notes), self._sources, self._first

        def work() -> Layout:
            worker = get_current_worker()
            layout.warm(sources, lambda: worker.is_cancelled)
            if not worker.is_cancelled:
                layout.blocks(sources, first)
            return layout

        serve(self, work, partial(self._laid_out, self._generation), doing="lay the page out", group="lay out")

    def _laid_out(self, generation: int, layout: Layout) -> None:
        if generation != self._generation or layout.width != self._text_width:
            return
        self._place(layout)
        self.see_again()

    def see_again(self) -> None:
        """Scroll so far that the source under the cursor is seen, and paint."""
        raise NotImplementedError
