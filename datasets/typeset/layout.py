"""Puts blocks on pages. Lengths are points, y grows downwards from the top edge."""

from __future__ import annotations

from dataclasses import dataclass, field

from .blocks import Block, Contents, Heading, PageBreak, Para, Sample, Space, Table
from .metrics import LIFT, RAISED, Run, lines, width
from .tables import PAD, Band, Grid, grid

PAPER = {"A4": (595.28, 841.89), "Letter": (612.0, 792.0)}
LEFT, TOP, BOTTOM = 68.0, 84.0, 74.0
HEADINGS = {0: (24.0, 0.0, 16.0), 1: (16.0, 20.0, 8.0), 2: (12.5, 13.0, 5.0), 3: (10.8, 9.0, 3.5)}  # size, above, below


@dataclass(frozen=True)
class Ink:
    """Text at a baseline."""

    x: float
    y: float
    text: str
    style: str
    size: float


@dataclass(frozen=True)
class Rule:
    """A straight line."""

    x1: float
    y1: float
    x2: float
    y2: float
    width: float = 0.6


@dataclass(frozen=True)
class Shade:
    """A filled box under a header or section row."""

    x: float
    y: float
    width: float
    height: float
    gray: int


Op = Ink | Rule | Shade


@dataclass
class Sheet:
    """One page: what is drawn on it."""

    ops: list[Op] = field(default_factory=list)


@dataclass(frozen=True)
class Entry:
    """A heading and the page that it came to stand on."""

    level: int
    text: str
    page: int


class Layout:
    """Lays one sample out; `entries` of an earlier pass fill the contents page."""

    def __init__(self, sample: Sample, entries: list[Entry]) -> None:
        self.sample = sample
        self.known = entries
        self.entries: list[Entry] = []
        self.width, self.height = PAPER[sample.paper]
        self.room = self.width - 2 * LEFT
        self.floor = self.height - BOTTOM
        self.sheets = [Sheet()]
        self.y = TOP

    def run(self) -> list[Sheet]:
        """Place every block and return the pages."""
        blocks = self.sample.blocks
        for n, block in enumerate(blocks):
            self._place(block, blocks[n + 1 : n + 4])
        return self.sheets

    def _place(self, block: Block, following: list[Block]) -> None:
        if isinstance(block, Heading):
            self._heading(block, following)
        elif isinstance(block, Para):
            self._para(block)
        elif isinstance(block, Table):
            self._table(block)
        elif isinstance(block, PageBreak):
            if self.y > TOP:
                self._break()
        elif isinstance(block, Space):
            self.y += block.height
        else:
            self._contents(block)

    def _break(self) -> None:
        self.sheets.append(Sheet())
        self.y = TOP

    def _runs(self, x: float, baseline: float, runs: list[Run], size: float) -> None:
        for run in runs:
            if run.raised:
                self.sheets[-1].ops.append(Ink(x + run.x, baseline - LIFT * size, run.text, run.style, size * RAISED))
            else:
                self.sheets[-1].ops.append(Ink(x + run.x, baseline, run.text, run.style, size))

    def _needs(self, block: Block) -> float:
        """Least room that the start of a block takes, so that no heading stands alone at the foot of a page."""
        if isinstance(block, Para):
            return 2 * self.sample.size * self.sample.leading + self.sample.gap
        if isinstance(block, Table):
            measured = grid(block, self.sample, self.room)
            return 34 + measured.header.height + sum(band.height for band in measured.bands[:2])
        return 0

    def _heading(self, block: Heading, following: list[Block]) -> None:
        size, above, below = HEADINGS[block.level]
        if block.level > 1:
            size = max(size, self.sample.size * (1.18 if block.level == 2 else 1.06))
        wrapped = lines(block.text, self.sample.family, "B", size, self.room)
        need = len(wrapped) * size * 1.25 + above + below
        for other in following:
            need += HEADINGS[other.level][0] * 2.4 if isinstance(other, Heading) else self._needs(other)
            if not isinstance(other, Heading):
                break
        if self.y + need > self.floor and self.y > TOP:
            self._break()
        if self.y > TOP:
            self.y += above
        for _, runs in wrapped:
            self._runs(LEFT, self.y + size, runs, size)
            self.y += size * 1.25
        self.y += below
        if block.listed and block.level:
            self.entries.append(Entry(block.level, block.text, len(self.sheets)))

    def _para(self, block: Para) -> None:
        size = block.size or self.sample.size
        leading = size * self.sample.leading
        indent = block.depth * 20.0
        hang = 0.0
        if block.marker:
            hang = max(
                {"•": 15.0}.get(block.marker, 25.0 if block.marker.endswith(")") else 20.0),
                width(block.marker + " ", self.sample.family, "", size),
            )
        wrapped = lines(block.text, self.sample.family, "", size, self.room - indent - hang)
        for n, (full, runs) in enumerate(wrapped):
            ahead = 2 if (n == 0 and len(wrapped) > 1) or (n == len(wrapped) - 2 and len(wrapped) > 2) else 1
            if self.y + ahead * leading > self.floor:
                self._break()
            x = LEFT + indent + hang
            if block.center:
                x = LEFT + (self.room - full) / 2
            if n == 0 and block.marker:
                self._runs(LEFT + indent, self.y + size, [Run(0, block.marker, "")], size)
            self._runs(x, self.y + size, runs, size)
            self.y += leading
        self.y += self.sample.gap

    def _contents(self, block: Contents) -> None:
        size = self.sample.size * 0.86
        for entry in self.known or [Entry(1, "…", 0)] * block.depth:
            if entry.level > block.depth:
                continue
            leading = size * (1.5 if entry.level == 1 else 1.32)
            if self.y + leading > self.floor:
                self._break()
            style = "B" if entry.level == 1 else ""
            x = LEFT + (entry.level - 1) * 18
            family = self.sample.family
            number = str(entry.page)
            text = entry.text
            end = LEFT + self.room - width(number, family, style, size)
            dot = width(".", family, "", size) + 1.2
            start = x + width(text, family, style, size) + 5
            self._runs(x, self.y + size, [Run(0, text, style)], size)
            dots = int((end - 5 - start) / dot)
            if dots > 2:
                self._runs(end - 5 - dots * dot, self.y + size, [Run(0, " ".join("." * (dots // 2)), "")], size)
            self._runs(end, self.y + size, [Run(0, number, style)], size)
            self.y += leading

    def _table(self, block: Table) -> None:
        measured = grid(block, self.sample, self.room)
        size = self.sample.size
        caption = lines(block.caption, self.sample.family, "B", size * 0.95, self.room)
        notes = [lines(note, self.sample.family, "", size * 0.78, self.room - 8) for note in block.notes]
        foot = sum(len(note) * size * 1.05 + 1.5 for note in notes) + (4 if notes else 0)
        first = measured.header.height + sum(band.height for band in measured.bands[:2])
        self.y += 4
        if self.y + len(caption) * size * 1.3 + 4 + first + (foot if len(measured.bands) <= 2 else 0) > self.floor:
            self._break()
        for _, runs in caption:
            self._runs(LEFT, self.y + size, runs, size * 0.95)
            self.y += size * 1.3
        self.y += 4
        self._body(measured, foot)
        self.y += 4
        for note in notes:
            for n, (_, runs) in enumerate(note):
                self._runs(LEFT + (6 if n else 0), self.y + size * 0.8, runs, size * 0.78)
                self.y += size * 1.05
            self.y += 1.5
        self.y += 9

    def _body(self, measured: Grid, foot: float) -> None:
        """Bands of a table; the header again at the top of each page; the last row stays with the notes."""
        self._band(measured, measured.header)
        for n, band in enumerate(measured.bands):
            need = band.height
            if n == len(measured.bands) - 1:
                need += foot
            elif band.section:
                need += measured.bands[n + 1].height
            elif n == len(measured.bands) - 2:
                need += measured.bands[n + 1].height + foot
            if self.y + need > self.floor:
                self._break()
                self._band(measured, measured.header)
            self._band(measured, band)

    def _band(self, measured: Grid, band: Band) -> None:
        tops = [self.y]
        for height in band.heights:
            tops.append(tops[-1] + height)
        lefts = [LEFT]
        for column in measured.columns:
            lefts.append(lefts[-1] + column)
        ops = self.sheets[-1].ops
        if self.sample.shaded and (band.header or band.section):
            ops.append(Shade(LEFT, self.y, self.room, band.height, 222 if band.header else 240))
        edges: set[tuple[float, float, float, float]] = set()
        leading = measured.size * 1.28
        for cell in band.cells:
            x1, x2 = lefts[cell.column], lefts[cell.column + cell.columns]
            y1, y2 = tops[cell.row], tops[cell.row + cell.rows]
            edges |= {(x1, y1, x2, y1), (x1, y2, x2, y2), (x1, y1, x1, y2), (x2, y1, x2, y2)}
            y = y1 + PAD
            if band.header or cell.rows > 1 or cell.align != "l":
                y = y1 + (y2 - y1 - len(cell.lines) * leading) / 2
            for full, runs in cell.lines:
                x = x1 + PAD
                if cell.align == "c":
                    x = x1 + (x2 - x1 - full) / 2
                elif cell.align == "r":
                    x = x2 - PAD - full
                self._runs(x, y + measured.size * 0.98, runs, measured.size)
                y += leading
        ops.extend(Rule(*edge) for edge in sorted(edges))
        self.y = tops[-1]


def pages(sample: Sample) -> tuple[list[Sheet], list[Entry]]:
    """Lay a sample out until its contents page says the truth."""
    entries: list[Entry] = []
    for _ in range(4):
        layout = Layout(sample, entries)
        sheets = layout.run()
        if layout.entries == entries or not any(isinstance(block, Contents) for block in sample.blocks):
            return sheets, layout.entries
        entries = layout.entries
    raise AssertionError(f"{sample.file}: the contents page does not settle")
