"""What stands around a table: its title above, its notes below and at the foot of the page."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from curator.parsing.flow import Para, Piece
from curator.parsing.numbering import caption_number
from curator.parsing.sections import Placed

if TYPE_CHECKING:
    from curator.parsing.tables import Draft

_MARKS = re.compile(r"\[\^([^\]]*)\]")
CONTINUED = re.compile(
    r"[-–—,]?\s*[(\[]?\s*(?:\bcont(?:inued\b|['’]?d\b|\.)|\bcontinuation\b|계속|이어서|続き?|续|\bsuite\b|\bfortsetzung\b)\s*\.?\s*[)\]]?$",
    re.IGNORECASE,
)
NOTE = re.compile(
    r"(?:\[\^[^\]]+\]|[*†‡§]+\s?\S|notes?\b\s*\d*\s*[:.]|sources?\s*:|remarks?\s*:|anmerkung|legend\s*:|key\s*:"
    r"|주\s*\d*\s*[):]|비고|※|註|注\s*\d*[:：)])",
    re.IGNORECASE,
)


def title_of(placed: list[Placed], i: int) -> tuple[str, bool]:
    """The caption or lead-in just above the table (below it only for captions), and whether it is a caption."""
    piece = placed[i].item
    assert isinstance(piece, Piece)
    top, size = piece.table.box[1], piece.table.size
    for back in (1, 2):
        if i - back < 0:
            break
        item = placed[i - back].item
        if not isinstance(item, Para) or item.page_end != piece.page or item.footnote or item.contents:
            break
        gap = top - item.lines[-1][1].bottom
        reach = (5.0 if placed[i - back].heading else 3.2) if back == 1 else 5.5
        if not -2 * size <= gap <= reach * max(size, item.size):
            break
        if caption_number(item.text) is not None and len(item.text) <= 300:
            if _caption_below(placed, i - back - 1) is item:
                break  # it stands under the table above
            return _clean(item.text), True
        if back == 1 and _lead_in(item) and not _caption_below(placed, i):
            first = _unlabelled(placed[i - back], item)
            above = placed[i - 2].item if i >= 2 else None
            if len(first) < 40 and isinstance(above, Para) and caption_number(above.text) is not None:
                continue
            return first, False
    below = _caption_below(placed, i)
    if below is not None:
        return _clean(below.text), True
    return "", False


def _caption_below(placed: list[Placed], i: int) -> Para | None:
    """A caption just below the table, unless another table follows it that is about as near."""
    piece = placed[i].item if i >= 0 else None
    below = placed[i + 1].item if i + 1 < len(placed) else None
    if not (isinstance(piece, Piece) and isinstance(below, Para)) or below.page != piece.page:
        return None
    gap = below.first.top - piece.table.box[3]
    following = placed[i + 2].item if i + 2 < len(placed) else None
    owned = isinstance(following, Piece) and following.page == piece.page
    if isinstance(following, Piece) and owned:
        owned = gap > 0.6 * (following.table.box[1] - below.lines[-1][1].bottom)
    close = 0 <= gap <= 3 * piece.table.size and not owned and len(below.text) <= 300
    return below if close and caption_number(below.text) is not None else None


def _clean(text: str) -> str:
    return " ".join(CONTINUED.sub("", text).split()) if CONTINUED.search(text) else text


def _lead_in(para: Para) -> bool:
    text = para.text
    return (
        len(text) <= 200 and any(ch.isalpha() for ch in text) and (text.endswith(":") or not re.search(r"[.;,]$", text))
    )


def _unlabelled(entry: Placed, para: Para) -> str:
    """A heading without its number."""
    label = entry.node.label if entry.node is not None and entry.heading else ""
    text = para.text
    if label and text.startswith(label) and len(text) > len(label) + 2:
        return text[len(label) :].lstrip(" .:–—-")
    return text


def is_note(text: str) -> bool:
    """Whether a paragraph below a table reads like one of its notes."""
    return NOTE.match(text) is not None


def notes_below(placed: list[Placed], i: int) -> list[Para]:
    """Notes directly below the table."""
    piece = placed[i].item
    assert isinstance(piece, Piece)
    found: list[Para] = []
    bottom = piece.table.box[3]
    for entry in placed[i + 1 :]:
        item = entry.item
        if not isinstance(item, Para) or item.page != piece.page or entry.heading or item.contents:
            break
        small = item.size < piece.table.size - 0.3
        if item.first.top - bottom > 3 * item.size or not (NOTE.match(item.text) or (found and small)):
            break
        found.append(item)
        bottom = item.lines[-1][1].bottom
    return found


def far_notes(draft: Draft, placed: list[Placed], owned: set[int], foot: float) -> None:
    """Notes at the foot of the page whose marks stand in the table.

    A note just below another table is that table's own, unless it stands at the very foot of the page, where it may be
    meant for all above it.
    """
    texts = [*draft.header, *(cell for row in draft.rows for cell in row.cells)]
    marks = {mark for text in texts for group in _MARKS.findall(text) for mark in re.split(r"[,;]\s*", group)}
    have = {m[1] for note in draft.footnotes if (m := _MARKS.match(note))}
    for entry in placed:
        item = entry.item
        if isinstance(item, Para) and item.footnote and item.page in draft.pages:
            if id(item) in owned and item.lines[-1][1].bottom < foot:
                continue
            m = _MARKS.match(item.text)
            if m and m[1] in marks - have:
                draft.footnotes.append(item.text)
                have.add(m[1])
