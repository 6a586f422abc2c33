"""The part of a document that is in memory: pages near the cursor, read and laid out in a worker."""

from __future__ import annotations

from collections.abc import Callable
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
KEPT_PAGES = 40


class SourceWindow(Sturdy, Widget):
    """The base of the reader's text: what is loaded, where it stands, and the loading of more."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self.pages = 0
        self.empty = ""
        self.at = 0
        self.top = 0
        self._load: Load | None = None
        self._sources: list[Source] = []
        self._first = self._last = 0
        self._blocks: list[Block] = []
        self._starts: list[int] = []
        self._layout = Layout(20)
        self._generation = 0
        self._loading = False

    def open(self, load: Load, pages: int, *, page: int = 1, source_id: str = "") -> None:
        """Show a document.

        Args:
            load: Sources on pages first to last; called in a worker.
            pages: How many it has.
            page: Where to begin.
            source_id: The source to stand on.
        """
        self._load, self.pages = load, pages
        self._layout = Layout(self._text_width)
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
        self._read(first, last, partial(self._took_all, self._generation, first, last, page, source_id, choose))

    def _read(self, first: int, last: int, then: Callable[[list[Source]], None], group: str = "pages") -> None:
        load, layout = self._load, self._layout
        assert load is not None

        def work() -> list[Source]:
            worker = get_current_worker()
            found = load(first, last)
            layout.warm(found, lambda: worker.is_cancelled)
            return found

        serve(self, work, then, doing="read the pages", group=group)

    def _took_all(
        self,
        generation: int,
        first: int,
        last: int,
        page: int,
        source_id: str,
        choose: Choose | None,
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
        self.lay_out()
        self._stand(page, source_id, choose)

    def _further(self, first: int, last: int, page: int, source_id: str, choose: Choose | None) -> None:
        last = min(last, self.pages)
        self._read(first, last, partial(self._took_all, self._generation, first, last, page, source_id, choose))

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
        below = self._starts[-1] + self._blocks[-1].height - (self.top + height)
        if self._last < self.pages and (below < 2 * height or self.at > len(self._sources) - 20):
            self._extend(self._last + 1, min(self.pages, self._last + NEAR_PAGES))
        elif self._first > 1 and (self.top < 2 * height or self.at < 20):
            self._extend(max(1, self._first - NEAR_PAGES), self._first - 1)

    def _extend(self, first: int, last: int) -> None:
        self._loading = True
        self._read(first, last, partial(self._took_more, self._generation, first, last), "more pages")

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
        self.lay_out()
        self.at = next(n for n, s in enumerate(self._sources) if s.id == current.id)
        self.top = max(0, self._starts[self.at] + offset)
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
        """Lay out what is loaded; only what is new, or all when the width has changed."""
        if self._text_width != self._layout.width:
            self._layout = Layout(self._text_width)
        self._blocks = self._layout.blocks(self._sources)
        self._starts = [0, *accumulate(b.height for b in self._blocks)][:-1]
