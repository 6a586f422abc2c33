"""Where two texts differ, word by word."""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from textual.content import Content

from curator.tui.widgets.safe import plain

_WORDS = re.compile(r"\w+|\s+|[^\w\s]", re.UNICODE)
MOST = 4000
"""Words; longer texts are marked from their first to their last difference."""


def spans(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    """The parts of either text that the other does not have, as offsets."""
    left, right = _WORDS.findall(one), _WORDS.findall(other)
    if len(left) + len(right) > MOST:
        return _ends(one, other)
    found: tuple[list[tuple[int, int]], list[tuple[int, int]]] = ([], [])
    starts = tuple(_starts(words) for words in (left, right))
    for tag, a, b, c, d in SequenceMatcher(None, left, right, autojunk=False).get_opcodes():
        if tag == "equal":
            continue
        for side, first, last in ((0, a, b), (1, c, d)):
            if first < last:
                found[side].append((starts[side][first], starts[side][last]))
    return found


def _starts(words: list[str]) -> list[int]:
    places = [0]
    for word in words:
        places.append(places[-1] + len(word))
    return places


def _ends(one: str, other: str) -> tuple[list[tuple[int, int]], list[tuple[int, int]]]:
    same = next((n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    room = min(len(one), len(other)) - same
    tail = next((n for n in range(room) if one[-1 - n] != other[-1 - n]), room)
    return [(same, len(one) - tail)], [(same, len(other) - tail)]


def marked(text: str, found: list[tuple[int, int]], style: str) -> Content:
    """Outside text with these parts set off: by a style, and underlined, so that it shows without color."""
    content = plain(text)
    for first, last in found:
        content = content.stylize(f"{style} underline bold", first, last)
    return content
