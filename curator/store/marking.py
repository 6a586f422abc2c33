"""Where a text that was found has the words of the query, in the text as it is, not as the index holds it."""

from __future__ import annotations

import re
from collections.abc import Sequence

from curator.store.words import aligned

SNIPPET = 160
MARK, UNMARK = "\ufdd0", "\ufdd1"  # noncharacters: text.clean lets none of them in
_EITHER = re.compile(f"[{MARK}{UNMARK}]")


def marks_of(text: str, marked: str, pairs: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Spans of the original text from the marked folded one, and those of the character pairs, merged."""
    ends = [m.start() - n for n, m in enumerate(_EITHER.finditer(marked))]  # without the marks before each
    spans = list(zip(ends[::2], ends[1::2], strict=True))
    if not spans and not pairs:
        return ()
    folded, origins = aligned(text)
    if not origins:
        return ()
    if pairs:
        spans += [m.span() for m in re.finditer("|".join(f"(?={re.escape(p)})" for p in pairs), folded)]
        spans = [(a, b if b > a else a + 2) for a, b in spans]
    after = [*origins, len(text)]
    merged: list[tuple[int, int]] = []
    for a, b in sorted((origins[a], max(origins[a] + 1, after[min(b, len(folded))])) for a, b in spans):
        if merged and a <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(b, merged[-1][1]))
        else:
            merged.append((a, b))
    return tuple(merged)


def snippet(text: str, marks: Sequence[tuple[int, int]]) -> tuple[int, int]:
    """The stretch of text with the most marks, from the beginning of a word."""
    if len(text) <= SNIPPET or not marks:
        return 0, min(len(text), SNIPPET)
    most, best, last = 0, 0, 0
    for first, (begin, _) in enumerate(marks):
        while last < len(marks) and marks[last][1] <= begin + SNIPPET - 20:
            last += 1
        if last - first > most:
            most, best = last - first, begin
    start = max(0, min(best - 20, len(text) - SNIPPET))
    if start and not text[start - 1].isspace():
        space = text.find(" ", start, best)
        start = space + 1 if space >= 0 else start
    return start, min(len(text), start + SNIPPET)
