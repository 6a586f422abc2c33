"""Where quotes and cited places lie among sources: text with blanks, case and hyphens folded; places by number.

A quote is looked up by a stretch of it, not by reading every source: 10,000 quotes against 500 pages take seconds.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curator.domain.references import references
from curator.text import folded

STRETCH = 16
"""Folded characters that a quote and a source must share at a place for a closer look."""
SHORTEST = 8
"""Folded characters below which a quote says too little to be found by it."""
_PLACE = re.compile(r"[\W_]+")
_DEEP = re.compile(r"^([^()]+)")


class Text(NamedTuple):
    """A source to look in: its id, document, first and last page, section path, text."""

    source_id: str
    document_id: str
    page: int
    page_end: int
    section_path: tuple[str, ...]
    text: str


class Places:
    """Sources, to be asked for quotes and places many times."""

    def __init__(self, sources: Iterable[Text]) -> None:
        self._sources = list(sources)
        self._folded = [folded(s.text) for s in self._sources]
        self._stretches: dict[str, list[int]] = defaultdict(list)
        self._short: dict[str, list[int]] = {}
        for n, text in enumerate(self._folded):
            for at in range(0, max(1, len(text) - STRETCH + 1), STRETCH):
                self._stretches[text[at : at + STRETCH]].append(n)
        self._cited: dict[tuple[str, str], list[int]] = defaultdict(list)
        self._pages: dict[tuple[str, int], list[int]] = defaultdict(list)
        for n, source in enumerate(self._sources):
            for page in range(source.page, max(source.page, source.page_end) + 1):
                self._pages[source.document_id, page].append(n)
            for title in source.section_path:
                for ref in references(title[:120])[:1]:
                    self._cited[ref.kind, ref.number].append(n)

    def __len__(self) -> int:
        return len(self._sources)

    def quoted(self, quote: str, documents: Sequence[str] = ()) -> list[Text]:
        """The sources that hold a quote, or lie whole in it; those of the documents alone, when any of them does."""
        wanted = folded(quote)
        if len(wanted) < SHORTEST:
            return []
        found = [n for n in self._candidates(wanted) if wanted in self._folded[n]]
        if not found:
            found = [n for n in self._candidates(wanted) if len(self._folded[n]) >= 40 and self._folded[n] in wanted]
        return self._told(found, documents)

    def _candidates(self, wanted: str) -> list[int]:
        if len(wanted) < 2 * STRETCH - 1:
            if wanted not in self._short:
                self._short[wanted] = [n for n, text in enumerate(self._folded) if wanted in text]
            return self._short[wanted]
        found: dict[int, None] = {}
        for at in range(STRETCH):  # one of these begins where a stretch of the source does
            found |= dict.fromkeys(self._stretches.get(wanted[at : at + STRETCH], ()))
        for at in range(STRETCH, min(len(wanted) - STRETCH, 4000)):  # a source that lies in the quote begins somewhere
            if (more := self._stretches.get(wanted[at : at + STRETCH])) and len(more) < 50:
                found |= dict.fromkeys(more)
        return sorted(found)

    def cited(self, place: str, documents: Sequence[str] = ()) -> list[Text]:
        """The sources under what a citation names ("Article 7", "제7조"); none when several documents have one."""
        found: list[int] = []
        for ref in references(place):
            if ref.kind != "page":
                found += self._cited.get((ref.kind, ref.number), [])
        told = self._told(found, documents)
        return told if len({s.document_id for s in told}) <= 1 else []

    def on_pages(self, pages: Sequence[int], documents: Sequence[str]) -> list[Text]:
        """The sources of documents that lie on these pages."""
        found = [n for d in dict.fromkeys(documents) for p in dict.fromkeys(pages) for n in self._pages.get((d, p), ())]
        return [self._sources[n] for n in sorted(set(found))]

    def _told(self, found: Iterable[int], documents: Sequence[str]) -> list[Text]:
        told = [self._sources[n] for n in dict.fromkeys(found)]
        inside = [s for s in told if s.document_id in documents]
        return inside or told


def name_key(name: str) -> str:
    """A document's name in the form in which two are compared: without ending, case, blanks and marks."""
    stem = re.sub(r"\.[A-Za-z0-9]{1,5}$", "", name.strip().rpartition("/")[2])
    return _PLACE.sub("", folded(stem))
