"""How a line of a source is painted: spans of its text lit, wide tables cut to the columns that are seen. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from curator.tui.widgets.source_layout import GAP, MORE, Line, TableShape

Lit = tuple[int, int, str]


def lit(line: Line, spans: Sequence[Lit], base: Style, styles: Mapping[str, Style]) -> list[Segment]:
    """A line in its style, spans of the source's text in theirs; of two that overlap the later one is on top.

    Args:
        line: The line.
        spans: Start and end in the source's text, and the name of a style.
        base: Style of the line.
        styles: By name.
    """
    ranges: list[tuple[int, int, Style]] = []
    for position, offset, size in line.pieces if spans else ():
        for start, end, name in spans:
            low, high = max(start, offset), min(end, offset + size)
            if low < high:
                ranges.append((position + low - offset, position + high - offset, styles[name]))
    if not ranges:
        return [Segment(line.text, base)]
    cuts = sorted({0, len(line.text), *(a for a, _, _ in ranges), *(b for _, b, _ in ranges)})
    segments = []
    for low, high in pairwise(cuts):
        style = base
        for start, end, over in ranges:
            if start <= low and high <= end:
                style += over
        segments.append(Segment(line.text[low:high], style))
    return segments


def windowed(body: Strip, shape: TableShape, style: Style) -> Strip:
    """A line of a table that is wider than the view: its first column, and those from `shift` on that fit whole.

    A number that is cut reads as another number, so no column is cut but one that alone is too wide.
    """
    edges, last = shape.edges, shape.seen[1]
    key, start = edges[1], edges[1 + shape.shift]
    end = min(edges[last] - len(GAP), start + max(0, shape.room - key))
    parts = [body.crop(0, key), body.crop(start, end)]
    if last < len(shape.widths):
        parts.append(Strip([Segment(MORE, style)]))
    return Strip.join(parts).crop(0, shape.room)
