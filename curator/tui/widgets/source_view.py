"""The page text as a cursor over sources. Only what is near is loaded, and only what is seen is painted."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from curator.tui.widgets.source_layout import Line, TableShape
from curator.tui.widgets.source_painter import SourcePainter
from curator.tui.widgets.source_pick import Pick
from curator.tui.widgets.source_window import GUTTER

if TYPE_CHECKING:
    from curator.domain.document import Source
    from curator.tui.widgets.source_window import Load


class SourceView(SourcePainter, can_focus=True):
    """Sources of one document in reading order, with a cursor, marks in the margin, found and quoted words lit."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "step(-1)", "source before", show=False),
        Binding("down,j", "step(1)", "next source", show=False),
        Binding("left", "word(-1)", "word before, or column of a wide table", show=False),
        Binding("right", "word(1)", "next word, or column of a wide table", show=False),
        Binding("ctrl+left,shift+left", "sentence(-1)", "sentence before", show=False),
        Binding("ctrl+right,shift+right", "sentence(1)", "next sentence", show=False),
        Binding("v", "select", "choose words"),
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

    class Picked(Message):
        """The caret or the selection in the source under the cursor changed."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(dom_id=dom_id)
        self._dragging = False

    def open(
        self, load: Load, pages: int, *, page: int = 1, source_id: str = "", notes: Mapping[int, str] | None = None
    ) -> None:
        """Show a document; see SourceWindow."""
        self.words, self.pick, self._lit = "", None, {}
        super().open(load, pages, page=page, source_id=source_id, notes=notes)

    def on_resize(self) -> None:
        """Wrap again, the same source in sight."""
        if self._sources:
            self.lay_out()
            self.see_again()

    def see_again(self) -> None:
        """Scroll so far that the source under the cursor is seen, and paint."""
        self._see(at_top=False)
        self.refresh()
        self.need()

    # -- cursor -------------------------------------------------------------------------------------------------

    @property
    def source(self) -> Source | None:
        """The source under the cursor."""
        return self._sources[self.at] if self._sources else None

    @property
    def source_before(self) -> Source | None:
        """The source before it, when there is one."""
        return self._sources[self.at - 1] if self._sources and self.at else None

    def beside(self, source_id: str, by: int) -> Source | None:
        """The source that stands so many places after one of those that are loaded, when there is one."""
        place = next((n + by for n, s in enumerate(self._sources) if s.id == source_id), -1)
        return self._sources[place] if 0 <= place < len(self._sources) else None

    def ids_on(self, page: int) -> list[str]:
        """Ids of the sources that lie on a page, as far as it is loaded."""
        return [s.id for s in self._sources if s.anchor.page <= page <= s.anchor.page_end]

    @property
    def shape(self) -> TableShape | None:
        """The table that the cursor stands in."""
        source = self.source
        return self._layout.shapes.get(source.anchor.table_id) if source and source.anchor.table_id else None

    def move_to(self, place: int, *, at_top: bool = False) -> None:
        """Put the cursor on a source by its place among those that are loaded."""
        if not self._sources:
            return
        self.at = max(0, min(place, len(self._sources) - 1))
        if self.pick is not None and self.pick.source_id != self._sources[self.at].id:
            self.pick = None
        self._see(at_top=at_top)
        self.refresh()
        self.post_message(self.Moved(self._sources[self.at]))
        self.need()

    def _see(self, *, at_top: bool) -> None:
        """Scroll so far that the source under the cursor is seen."""
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

    def action_step(self, by: int) -> None:
        """The source after or before; inside one taller than the view, a few lines further first."""
        if not self._sources:
            return
        if self.pick is not None and self.pick.growing:
            self._line_of_pick(by)
            return
        block, start, height = self._blocks[self.at], self._starts[self.at], max(1, self.size.height)
        if by > 0 and start + block.height > self.top + height:
            self.top += min(height - 2, start + block.height - self.top - height)
            self.refresh()
        elif by < 0 and start < self.top and block.height > height:
            self.top = max(start, self.top - height + 2)
            self.refresh()
        else:
            self.move_to(self.at + by)

    def action_screenful(self, by: int) -> None:
        """A screen up or down; the cursor goes along."""
        if not self._sources:
            return
        height = max(2, self.size.height)
        self.top = max(0, min(self.top + by * (height - 1), max(0, self._height - height)))
        wanted = self.top + (0 if by < 0 else height - 1)
        place = bisect_right(self._starts, max(0, wanted)) - 1
        inside = self._starts[place] < self.top and self._starts[place] + self._blocks[place].height > self.top + height
        if inside:  # one source fills the view: the cursor is on it, the view stays
            self.at = place
            self.refresh()
            self.post_message(self.Moved(self._sources[place]))
            self.need()
            return
        if (by > 0 and place <= self.at) or (by < 0 and place >= self.at):
            place = self.at + by
        self.move_to(place)

    def action_scroll_lines(self, by: int) -> None:
        """Scroll without moving the cursor."""
        if self._blocks:
            self.top = max(0, min(self.top + by, max(0, self._height - 2)))
            self.refresh()
            self.need()

    def action_edge(self, end: int) -> None:
        """The first or the last page."""
        self.go(self.pages if end else 1)

    # -- words of the source ------------------------------------------------------------------------------------

    @property
    def quote(self) -> str:
        """What is selected in the source under the cursor; "" = nothing."""
        return self.pick.quote if self.pick is not None else ""

    def unpick(self) -> None:
        """Take caret and selection away."""
        self.pick = None
        self.refresh()
        self.post_message(self.Picked())

    def action_select(self) -> None:
        """Begin to select at the caret, or at the first word that was found; again: the selection is done."""
        pick = self._started()
        if pick is not None:
            pick.toggle()
            self._picked()

    def _started(self) -> Pick | None:
        source = self.source
        if source is None:
            return None
        if self.pick is None:
            found = [a for a, _, name in self._spans(source) if name == "match"]
            self.pick = Pick(source, found[0] if found else 0)
        return self.pick if self.pick.words else None

    def action_word(self, by: int) -> None:
        """The caret by words; where there is none, the columns of a wide table."""
        shape = self.shape
        if self.pick is None and shape is not None and shape.is_wide:
            if shape.scroll(by):
                self.refresh()
                self.post_message(self.Picked())
            return
        had, pick = self.pick is not None, self._started()
        if pick is not None:
            if had:
                pick.word(by)
            self._picked()

    def action_sentence(self, by: int) -> None:
        """The caret by sentences."""
        pick = self._started()
        if pick is not None:
            pick.sentence(by)
            self._picked()

    def _line_of_pick(self, by: int) -> None:
        """The caret a line up or down, at the same place in the line where it can."""
        assert self.pick is not None
        offset = self.pick.caret[0]
        for n, line in enumerate(own := self._own_lines()):
            hit = next(((p, o) for p, o, size in line.pieces if o <= offset < o + size), None)
            if hit is not None:
                there = own[max(0, min(n + by, len(own) - 1))]
                _, start, size = min(there.pieces, key=lambda p: abs(p[0] - hit[0]), default=(0, offset, 1))
                self.pick.word(0)
                self.pick.to(start + min(offset - hit[1], max(0, size - 1)))
                break
        self._picked()

    def _own_lines(self) -> tuple[Line, ...]:
        return self._blocks[self.at].own

    def _picked(self) -> None:
        """Scroll the caret into sight, and tell."""
        assert self.pick is not None
        offset, block = self.pick.caret[0], self._blocks[self.at]
        for n, line in enumerate(block.lines):
            at = next((k for k, (_, o, size) in enumerate(line.pieces) if o <= offset < o + size), None)
            if at is not None:
                y = self._starts[self.at] + n
                sticky = len(self._sticky_for(self.at))
                self.top = max(0, min(self.top, y - sticky), y - self.size.height + 1)
                shape = self.shape
                if shape is not None and shape.is_wide and at and not shape.seen[0] <= at + 1 <= shape.seen[1]:
                    shape.scroll(at + 1 - (shape.seen[0] if at + 1 < shape.seen[0] else shape.seen[1]))
                break
        self.refresh()
        self.post_message(self.Picked())

    # -- mouse --------------------------------------------------------------------------------------------------

    def on_mouse_scroll_down(self, event: events.MouseScrollDown) -> None:
        """Wheel."""
        event.stop()
        self.action_scroll_lines(3)

    def on_mouse_scroll_up(self, event: events.MouseScrollUp) -> None:
        """Wheel."""
        event.stop()
        self.action_scroll_lines(-3)

    def on_mouse_down(self, event: events.MouseDown) -> None:
        """The source under the pointer; with the pointer held down, a selection in it."""
        if self._blocks and event.button == 1:
            self.pick = None
            self.move_to(bisect_right(self._starts, self.top + event.y) - 1)
            self._dragging = True
            self._drag_from = self._offset_at(event.x, event.y)
            self.capture_mouse()

    def on_mouse_move(self, event: events.MouseMove) -> None:
        """Select as far as the pointer goes."""
        source = self.source
        if not self._dragging or source is None or self._drag_from is None:
            return
        there = self._offset_at(event.x, event.y)
        if there is not None and (self.pick is not None or there != self._drag_from):
            self.pick = self.pick or Pick(source)
            self.pick.select(self._drag_from, there)
            self.refresh()
            self.post_message(self.Picked())

    def on_mouse_up(self) -> None:
        """The selection is done."""
        if self._dragging:
            self._dragging = False
            self.release_mouse()

    def _offset_at(self, x: int, y: int) -> int | None:
        """Offset in the text of the source under the cursor that is painted at a place, or nearest; None = no text."""
        inside = self.top + y - self._starts[self.at]
        block = self._blocks[self.at]
        written = [n for n, line in enumerate(block.lines) if line.pieces]
        if not written:
            return None
        if inside < written[0] or inside > written[-1]:
            whole = [p for n in (written[0], written[-1]) for p in block.lines[n].pieces]
            return whole[0][1] if inside < written[0] else whole[-1][1] + max(0, whole[-1][2] - 1)
        if not block.lines[inside].pieces:
            return None
        line, cell = block.lines[inside], max(0, x - GUTTER - self.keyed)
        shape = self.shape
        if shape is not None and shape.is_wide and cell >= shape.edges[1]:
            cell += shape.edges[1 + shape.shift] - shape.edges[1]
        used = char = 0
        while char < len(line.text) and used + cell_len(line.text[char]) <= cell:
            used += cell_len(line.text[char])
            char += 1
        position, offset, size = next((p for p in reversed(line.pieces) if p[0] <= char), line.pieces[0])
        return offset + min(char - position, max(0, size - 1))
