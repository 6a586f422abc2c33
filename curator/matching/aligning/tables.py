"""A row of a table in a chunk, however it was rendered: Markdown, HTML, CSV, tabs, "header: value", JSON, plain text.

In the bare form all of these are cells one behind the other, with header words between them or none. What a row means
stands in its title and header: whether these are in the same chunk is looked at apart.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

from curator.domain.alignment import Part
from curator.matching.aligning.bare import MARK, Mapped, bare
from curator.matching.aligning.passages import Passage, leaf

_CAPTION = re.compile(
    r"^[\s#*_|>]*((?:table|tabelle|tableau|tabla|tabella|tabel|schedule|표|表|별표)\s*[A-Z]?[\d.]*\d(?![\w,;])[^\n|]*)",
    re.IGNORECASE | re.MULTILINE,
)
_CAPTION_WORDS = ("table", "tabelle", "tableau", "tabla", "tabella", "tabel", "schedule", "표", "表")
_SEPARATORS = frozenset("|\t,;:\"'{}[]")
_LOOKS = 24
_TELLING = 8
_LONG_CELL, _END = 14, 10
_BLANK = 8.0


class RowFound(NamedTuple):
    """Where a row stands in a bare text, and how surely its cells are one row: cells that are blank there lower it."""

    first: int
    last: int
    score: float
    fault: str = ""


def find_row(passage: Passage, text: Mapped) -> RowFound | None:
    """The row, cell by cell in order; None: its cells do not stand together.

    A cell may be blank in the text where it is one of at least four and has no digit: merged cells are filled in the
    source, and stand once in the text. Where the same cells stand twice, those under the right caption are taken.
    """
    cells = [(bare(c), _between(passage, n), _label(c)) for n, c in enumerate(passage.cells)]
    cells = [cell for cell in cells if cell[0]]
    if not cells:
        return None
    best = _best_chain(passage, cells, text)
    rest = cells[1:]
    if best is None and len(rest) > 1 and sum(len(c) for c, _, _ in rest) >= _LONG_CELL:
        # the first cell may be merged over several rows, and stand above the first of them alone
        best = _best_chain(passage, rest, text)
        if best and (best.fault or cells[0][0] not in text.bare[: best.first]):
            return None
        best = best and best._replace(score=best.score - _BLANK)
    return best


def _best_chain(passage: Passage, cells: Sequence[tuple[str, tuple[str, ...], str]], text: Mapped) -> RowFound | None:
    best: RowFound | None = None
    at, looks = text.bare.find(cells[0][0]), 0
    while at >= 0 and looks < _LOOKS:
        if found := _chain(cells, text, at):
            fault = _start_fault(text, found.first, found.last)
            if not fault and (other := other_table(passage, text.text, text.places[found.first])):
                fault = f"the same row of another table: {other[:60]!r}"
            found = found._replace(fault=fault)
            if not fault and found.score == 100.0:
                return found
            if best is None or (bool(fault), -found.score) < (bool(best.fault), -best.score):
                best = found
        at, looks = text.bare.find(cells[0][0], at + 1), looks + 1
    return best


def may_hold(passage: Passage, chunk: str) -> bool:
    """Whether half of a row, by the length of its cells, stands somewhere in a bare text: a look before the look.

    Of a row that an edge of the chunk cuts there may be less.
    """
    there = sum(len(cell) for cell in passage.bare_cells if cell in chunk or _has_an_end(cell, chunk))
    if 2 * there >= sum(map(len, passage.bare_cells)):
        return True
    return any(chunk[:_END] in form.bare or chunk[-_END:] in form.bare for form in passage.forms)


def _has_an_end(cell: str, chunk: str) -> bool:
    return len(cell) >= _LONG_CELL and (cell[:_END] in chunk or cell[-_END:] in chunk)


def _between(passage: Passage, number: int) -> tuple[str, ...]:
    """What may stand before a cell: nothing, or its header, in full or its lowest part."""
    header = passage.header[number] if number < len(passage.header) else ""
    return tuple(dict.fromkeys(("", bare(leaf(header)), bare(header))))


def _label(cell: str) -> str:
    """The label of a footnote mark at the end of a cell, which extraction may have made a part of it."""
    marks = MARK.findall(cell)
    return bare(marks[-1]) if marks and cell.rstrip().endswith(marks[-1]) else ""


def _chain(cells: Sequence[tuple[str, tuple[str, ...], str]], text: Mapped, at: int) -> RowFound | None:
    place = at + len(cells[0][0])
    blank = 0
    label = cells[0][2]
    for cell, between, mark in cells[1:]:
        for words in (*between, *(label + words for words in between if label)):
            if text.bare.startswith(words + cell, place):
                place += len(words) + len(cell)
                label = mark
                break
        else:
            if any(ch.isdigit() for ch in cell) or len(cells) < 4:
                return None
            blank += 1
            place += next((len(w) for w in reversed(between) if w and text.bare.startswith(w, place)), 0)
            if blank > len(cells) // 4:
                return None
    if blank and not _is_blank_behind(text, place):
        return None
    if place < len(text.bare) and text.bare[place - 1].isdigit() and text.bare[place].isdigit():
        gap = text.gap(place)
        if gap in ("", ".", ",", "/"):
            return None
    return RowFound(at, place, 100.0 - _BLANK * blank)


def _is_blank_behind(text: Mapped, place: int) -> bool:
    """Whether a row ends there, and is not cut: a line ends, or a separator or space for another cell follows."""
    end = text.places[place] if place < len(text.bare) else len(text.text)
    gap = text.text[text.places[place - 1] + 1 : end]
    return "\n" in gap or "|" in gap or "," in gap


def _start_fault(text: Mapped, first: int, last: int) -> str:
    """The first cell must be a cell: in "German measles | 21 days" there is no row "measles"."""
    start = text.places[first]
    before = text.text[text.text.rfind("\n", 0, start) + 1 : start]
    kept = before.rstrip(" \t*_`")
    if not kept.strip() or kept[-1] in _SEPARATORS:
        return ""
    own = text.text[start : text.places[last - 1] + 1]
    if before.endswith(("  ", "\t")) or not (any(ch in own for ch in "|\t;") or "\n" in text.text):
        return ""
    return "the first cell is longer there" if before.endswith(" ") or before[-1].isalnum() else ""


def lost_parts(passage: Passage, chunk: str) -> tuple[Part, ...]:
    """What of the table is not in the chunk, whose bare form is given, with the row."""
    lost: list[Part] = []
    if not _has_title(passage, chunk):
        lost.append("title")
    if not has_header(passage, chunk):
        lost.append("header")
    return tuple(lost)


def _has_title(passage: Passage, chunk: str) -> bool:
    return not passage.bare_titles or any(t in chunk for t in passage.bare_titles)


def has_title(passage: Passage, chunk: str) -> bool:
    """Whether a bare text has the title of the table, where it has one."""
    return bool(passage.bare_titles) and _has_title(passage, chunk)


def has_header(passage: Passage, chunk: str) -> bool:
    """Whether a bare text has a header for each filled cell, in order or not."""
    return all(name in chunk for name in passage.leaves)


def other_table(passage: Passage, text: str, row_at: int) -> str:
    """The caption that stands over the row in a text, when it is that of another table; else ""."""
    above = list(_CAPTION.finditer(text, 0, row_at))
    if not above or not passage.bare_titles:
        return ""
    caption = above[-1][1].strip(" *_#|")
    return "" if is_caption_of(passage, bare(caption)) else caption


def is_caption_of(passage: Passage, caption: str) -> bool:
    """Whether a bare caption is the title of the table, with its number: two tables may have one name."""
    title = passage.bare_titles[0] if passage.bare_titles else ""
    return bool(title) and (title in caption or (len(caption) > _TELLING and title.startswith(caption)))


def last_caption(text: str, chunk: str) -> str:
    """The last line of a text that reads like the caption of a table, bare; "" = there is none."""
    if not any(word in chunk for word in _CAPTION_WORDS):
        return ""
    found = ""
    for match in _CAPTION.finditer(text):
        found = match[1]
    return bare(found)
