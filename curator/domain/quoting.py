"""Parts of a text that can be quoted: tokens, which are never cut, and sentences.

A quote that begins or ends inside a number says something else: "0 million" is inside "10 million". So a number is one
token with its separators, its sign of currency and its percent sign, and quotes are snapped to tokens.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

Span = tuple[int, int]

_TOKEN = re.compile(
    r"[+\-−]?(?:[$€£¥₩]\s?)?\d+(?:[.,:/'’\u00a0\u202f]\d+)*(?:\s?[%‰°])?[^\W\d_]*"  # 10,000  $10  2.5 %  7:30  5mm
    r"|[^\W_]+(?:['’.\-\u2010\u2011&][^\W_]+)*"  # words: don't, e.g, COVID-19
    r"|[^\w\s]"
)
_END = re.compile(r"[.!?。！？]+[\"'”’)\]]*(?=\s|$)|\n|[。！？]")
_NUMBER = re.compile(r"[\d.]+")
_ABBREVIATIONS = ("art", "no", "nr", "abs", "e.g", "i.e", "cf", "p", "pp", "para", "sec", "vs", "approx", "mr", "dr")


def tokens(text: str) -> list[Span]:
    """Spans of the tokens of a text, in order, not overlapping; white space lies between them."""
    found: list[Span] = []
    for match in _TOKEN.finditer(text):
        start, end = match.span()
        if match[0][0] in "+-−" and end - start > 1 and start and not text[start - 1].isspace():
            found.append((start, start + 1))  # a dash between two numbers is no sign of the second
            start += 1
        found.append((start, end))
    return found


def sentences(text: str) -> list[Span]:
    """Spans of the sentences, in order; they hold every token. A line feed ends one: a heading stands alone."""
    found: list[Span] = []
    start = 0
    for match in _END.finditer(text):
        so_far = text[start : match.start()].strip()
        if match[0] == "." and _NUMBER.fullmatch(so_far):
            continue  # "2.7." before a definition
        before = so_far.rsplit(None, 1)
        if before and before[-1].strip("(").casefold() in _ABBREVIATIONS and match[0] == ".":
            continue
        _keep(found, text, start, match.end())
        start = match.end()
    _keep(found, text, start, len(text))
    return found


def _keep(found: list[Span], text: str, start: int, end: int) -> None:
    part = text[start:end]
    if part.strip():
        found.append((start + len(part) - len(part.lstrip()), end - (len(part) - len(part.rstrip()))))


def snapped(text: str, start: int, end: int, known: Sequence[Span] | None = None) -> Span:
    """The least span of whole tokens that holds a span; it stays empty when it touches no token.

    Args:
        text: The text.
        start: Begin of the span; end: its end, exclusive.
        end: See start.
        known: The tokens of the text, when they are at hand.
    """
    touched = [(a, b) for a, b in (tokens(text) if known is None else known) if a < end and b > start]
    return (touched[0][0], touched[-1][1]) if touched else (start, start)


def places(text: str, quote: str) -> list[Span]:
    """Where a quote stands in a text, whole tokens only; not overlapping."""
    if not quote or quote not in text:
        return []
    found: list[Span] = []
    at = text.find(quote)
    known = tokens(text) if at >= 0 else []
    starts, ends = {a for a, _ in known}, {b for _, b in known}
    while at >= 0:
        end = at + len(quote)
        if at in starts and end in ends:
            found.append((at, end))
            at = text.find(quote, end)
        else:
            at = text.find(quote, at + 1)
    return found
