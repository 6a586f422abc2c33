"""Lengths of documents as bars against the reference median, with the bands drawn in.

In production by the declared profile; of the documents here; of the longest document of each case that counts.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from textual import events
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message

from curator.tui.widgets.safe import fit, flat, wrap

if TYPE_CHECKING:
    from curator.domain.coverage import Histogram
    from curator.domain.coverage_report import CoverageReport

FIELDS = (("production", "production"), ("documents", "here"), ("cases", "cases"))
SPAN = 10
EIGHTHS = " ▏▎▍▌▋▊▉█"
NUMBER = 5


class LengthsPane(VerticalScroll):
    """The room of the bars; it tells when its width is known or another, since they are laid out for it."""

    class Sized(Message):
        """It has a width now."""

    def on_resize(self, _event: events.Resize) -> None:
        """Tell it."""
        self.post_message(self.Sized())


def bar(share: float, width: int) -> str:
    """A bar of a share of so many cells, to an eighth of a cell; what is not nothing is seen."""
    eighths = max(1, round(share * width * 8)) if share else 0
    return "█" * (eighths // 8) + (EIGHTHS[eighths % 8] if eighths % 8 else "")


def origin(report: CoverageReport) -> str:
    """Where the declared reference median comes from, and the day that it speaks of."""
    length = report.length
    of = f", from {flat(length.origin)}" if length.origin else ""
    return f"reference median: {length.median:g} pages{of}, as of {flat(length.as_of) or 'no date'}"


def lengths(report: CoverageReport, width: int) -> Content:
    """The histogram in lines of so many cells: a line a bar, a rule where a band begins."""
    said = [Content(line) for line in wrap(origin(report), width)] if report.length.median else []
    for warning in report.warnings:
        said += [Content.styled(line, "$text-warning") for line in wrap(f"! {warning}", width)]
    found = report.histogram
    if not found.bars:
        return Content("\n").join(said)
    room = max(6, (width - SPAN - 1) // len(FIELDS))
    totals = [sum(getattr(b, field) for b in found.bars) for field, _ in FIELDS]
    heads = [fit(f"{words}: {total}", room - 1) + " " for (_, words), total in zip(FIELDS, totals, strict=True)]
    said.append(Content.styled(f"{'pages':>{SPAN - 1}} " + "".join(heads), "bold $text-muted"))
    return Content("\n").join([*said, *_bars(found, room, width)])


def _bars(found: Histogram, room: int, width: int) -> list[Content]:
    largest = [max(1, *(getattr(b, field) for b in found.bars)) for field, _ in FIELDS]
    firsts, band, lines = dict(found.bands), "", []
    for b in found.bars:
        if b.band != band:
            band = b.band
            begins = f" from {firsts[band]:g} pages" if firsts[band] else f" below {found.bands[1][1]:g} pages"
            head = f"── {band}:{begins} "
            lines.append(Content.styled(head + "─" * max(0, width - cell_len(head)), "$text-primary"))
        span = f"{b.low:g}–{b.high:g}" if b.high else f"{b.low:g}+"
        cells = [_cell(getattr(b, field), most, room) for (field, _), most in zip(FIELDS, largest, strict=True)]
        lines.append(Content.assemble((f"{span:>{SPAN - 1}} ", "$text-muted"), *cells))
    return lines


def _cell(count: int, most: int, room: int) -> str:
    drawn = bar(count / most, max(1, room - NUMBER - 1))
    return fit(f"{drawn} {count}" if count else "·", room - 1) + " "
