"""How the reader's text is painted: gutter, lines, what is lit in them, the heading that stays above a table."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, ClassVar

from rich.cells import cell_len
from rich.segment import Segment
from rich.style import Style
from textual.geometry import Region
from textual.strip import Strip

from curator.domain.quoting import places
from curator.tui.widgets.safe import fit, wrap
from curator.tui.widgets.source_layout import Block, Line, page_lines, shown_text
from curator.tui.widgets.source_paint import Lit, lit, windowed
from curator.tui.widgets.source_window import GUTTER, SourceWindow

if TYPE_CHECKING:
    from curator.domain.document import Source
    from curator.tui.widgets.source_pick import Pick

STICKY_LINES = 4
TONES = ("text", "name", "head", "title", "section", "rule", "note", "row", "band", "cursor", "bar", "mark", "match",
         "empty", "quote", "caret", "pick")  # fmt: skip


class SourcePainter(SourceWindow):
    """A base of the reader's text."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"source-view--{name}" for name in TONES}
    DEFAULT_CSS = """
    SourcePainter {
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
        & > .source-view--quote { color: $text-accent; text-style: bold underline; }
        & > .source-view--caret { text-style: underline reverse; }
        & > .source-view--pick { color: $block-cursor-foreground; background: $block-cursor-background; }
        & > .source-view--empty { color: $text-muted; }
    }
    """

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(dom_id=dom_id)
        self.marks: Mapping[str, str] = {}
        self.quotes: Mapping[str, Sequence[str]] = {}
        self.words = ""
        self.pick: Pick | None = None
        self._lit: dict[str, list[Lit]] = {}
        self._base = Style.null()
        self._tones: dict[str, Style] = {}
        self._above: tuple[Line, ...] = ()
        self._wide = self._keys = 0

    # -- what is lit --------------------------------------------------------------------------------------------

    def set_marks(self, marks: Mapping[str, str], quotes: Mapping[str, Sequence[str]] | None = None) -> None:
        """Marks of the current case by source id: what stands in the margin, and the parts that are quoted."""
        self.marks, self.quotes, self._lit = marks, quotes or {}, {}
        self.refresh()

    def set_words(self, words: str) -> None:
        """The words that are lit."""
        self.words, self._lit = words, {}
        self.refresh()

    def _spans(self, source: Source) -> list[Lit]:
        """What is lit in a source, but for caret and selection."""
        if not self.words and source.id not in self.quotes:
            return []
        found = self._lit.get(source.id)
        if found is None:
            text = shown_text(source)
            found = [
                (a, b, "quote")
                for quote in self.quotes.get(source.id, ())
                for a, b in places(text, quote)
                if b - a < len(text)
            ]
            if self.words:
                wanted = re.compile(r"\s+".join(map(re.escape, self.words.split())), re.IGNORECASE)
                found += [(*m.span(), "match") for m in wanted.finditer(text) if m.end() > m.start()]
            self._lit[source.id] = found
        return found

    # -- painting -----------------------------------------------------------------------------------------------

    def _sticky_for(self, place: int) -> tuple[Line, ...]:
        """The heading that stays above a row of a table."""
        at = self._sources[place].anchor
        known = self._layout.shapes.get(at.table_id) if at.table_id else None
        if known is None:
            return ()
        return known.head[:STICKY_LINES]

    def _sticky(self) -> tuple[Line, ...]:
        """The heading of the table that the first visible line lies in, when that is above and rows stay in sight."""
        place = bisect_right(self._starts, self.top) - 1
        block = self._blocks[place]
        inside = self.top - self._starts[place]
        head = self._sticky_for(place)
        if inside >= block.height - block.tail or any(
            x.tone in ("title", "rule") for x in block.lines[inside : block.lead]
        ):
            return ()
        end = place
        while end + 1 < len(self._blocks) and self._starts[end + 1] <= self.top + len(head):
            end += 1
        ends_there = self._blocks[end].source.anchor.table_id != block.source.anchor.table_id
        return () if ends_there else head

    def _tone(self, name: str) -> Style:
        """The style of a tone; looked up once a paint, which costs more than painting."""
        style = self._tones.get(name)
        if style is None:
            style = self._tones[name] = self.get_component_rich_style(f"source-view--{name}")
        return style

    def render_lines(self, crop: Region) -> list[Strip]:
        """The lines of a region."""
        self._base, self._tones = self.rich_style, {}
        self._wide, self._keys = self.size.width, self.keyed
        self._above = self._sticky() if self._blocks else ()
        return super().render_lines(crop)

    def _said(self, y: int) -> Strip:
        """A line of what is said where there is no text."""
        width = self.size.width
        lines = wrap(self.empty, max(2, width - 2))
        lines += (
            [x.text for x in page_lines(self.notes, range(1, self.pages + 1), max(2, width - 2))] if self.pages else []
        )
        text = lines[y - 1] if 1 <= y <= len(lines) else ""
        return Strip([Segment(" " + fit(text, width - 1), self._tone("empty"))], width)

    def render_line(self, y: int) -> Strip:
        """One visible line: bar, mark, key, text."""
        width, base = self._wide, self._base
        if not self._blocks:
            return self._said(y)
        if y < len(self._above):
            blank = [Segment(" " * (GUTTER + self._keys), base)]
            top = self._blocks[bisect_right(self._starts, self.top) - 1]
            return self._painted(self._above[y], blank, top, [], current=False)
        place = bisect_right(self._starts, self.top + y) - 1
        block = self._blocks[place]
        inside = self.top + y - self._starts[place]
        if inside >= block.height:
            return Strip.blank(width, base)
        line = block.lines[inside]
        first = inside == block.lead
        current = place == self.at and block.lead <= inside < block.height - block.tail
        spans = self._spans(block.source) if line.pieces else []
        if current and self.pick is not None and self.pick.source_id == block.source.id:
            spans = [*spans, (*self.pick.span, "pick"), (*self.pick.caret, "caret")]
        return self._painted(line, self._gutter(block, first=first, current=current), block, spans, current=current)

    def _gutter(self, block: Block, *, first: bool, current: bool) -> list[Segment]:
        source = block.source
        mark = self.marks.get(source.id, "") if first else ""
        key = source.id.partition(":")[2] if first and self._keys and source.kind == "row" else ""
        if not (mark or key or current):  # most lines: one piece is painted faster than three
            return [Segment(" " * (GUTTER + self._keys), self._base)]
        gutter = [
            Segment("▌" if current else " ", self._tone("bar")),
            Segment(fit(mark, GUTTER - 1), self._tone("mark")),
        ]
        if self._keys:
            gutter.append(Segment(fit(key, self._keys - 1) + " ", self._tone("name")))
        return gutter

    def _painted(
        self, line: Line, gutter: list[Segment], block: Block, spans: Sequence[Lit], *, current: bool
    ) -> Strip:
        width = self._wide
        style = self._tone(line.tone)
        if current:
            style += self._tone("cursor").background_style
        room = width - GUTTER - self._keys
        if room <= 0:
            return Strip.blank(width)
        shape = self._layout.shapes.get(block.source.anchor.table_id)
        is_cut = shape is not None and shape.is_wide and line.tone in ("row", "band", "head")
        if not spans and not is_cut:
            size = cell_len(line.text)
            if size <= room:
                return Strip([*gutter, Segment(line.text + " " * (room - size), style)], width)
        names = {name for _, _, name in spans}
        styles = {name: self._tone(name) for name in names}
        body = Strip(lit(line, spans, style, styles))
        if shape is not None and is_cut:
            body = windowed(body, shape, style)
        return Strip([*gutter, *body.adjust_cell_length(room, style)], width)
