"""Where what a list says of its evidence lies in the documents here: quotes, articles, pages. Only suggestions."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from curator.domain.case import Case
from curator.domain.hints import Hints
from curator.domain.references import references
from curator.domain.suggestion import Method
from curator.matching.locating import Places, Text, name_key
from curator.services.context import Context
from curator.store import documents, indexing
from curator.text import folded

MOST = 8
"""Places that are offered for one case."""
_A_QUOTE = 5
_A_PAGE = 3
_kept: dict[Path, tuple[str, Shelves]] = {}


class Located(NamedTuple):
    """A source that a list seems to speak of, and by what it was found."""

    source_id: str
    method: Method


class Shelves:
    """The sources of all documents here, read once; `names`: documents by the names that lists give them."""

    def __init__(self, ctx: Context) -> None:
        with ctx.db.read() as tx:
            found = documents.page_of(tx, limit=0)
            self.state = _state(indexing.stamps(tx))
            entries = [(d.id, e) for d in found for e in indexing.entries(tx, d.id)]
        self.places = Places(
            Text(e.source_id, name, e.page, e.page, tuple(e.section_path), e.text) for name, e in entries
        )
        self.names: dict[str, str] = {}
        for document in found:
            for name in (document.id, document.title, document.revision.file):
                if key := name_key(name):
                    self.names.setdefault(key, document.id)
        self.ids = {e.source_id for _, e in entries}

    @classmethod
    def of(cls, ctx: Context) -> Shelves:
        """Those of a workspace as it is now; read again only when a document changed."""
        with ctx.db.read() as tx:
            state = _state(indexing.stamps(tx))
        known = _kept.get(ctx.root)
        if known is None or known[0] != state:
            made = cls(ctx)
            _kept.clear()
            _kept[ctx.root] = known = (made.state, made)
        return known[1]


def _state(stamps: dict[str, str]) -> str:
    return "\n".join(f"{name} {stamp}" for name, stamp in sorted(stamps.items()))


def locate(shelves: Shelves, case: Case, hints: Hints) -> list[Located]:
    """The sources that the hints of a case name: by an id, by a quote, by an article, by a page; surest first.

    A quote that stands in more than five sources, and an article that several documents have, name none.
    """
    inside = [d for name in hints.documents if (d := shelves.names.get(name_key(name)))]
    found: dict[str, Method] = {}
    for name in hints.sources:
        if name.strip() in shelves.ids:
            found.setdefault(name.strip(), "id")
    quoted = [*_quoted(shelves.places, hints, inside)]
    for source in quoted:
        found.setdefault(source.source_id, "quote")
    for name in hints.sources:
        document, _, rest = name.partition(":")
        own = [d for part in (document, name.partition("#")[0]) if (d := shelves.names.get(name_key(part)))]
        for source in shelves.places.cited(rest or name, own or inside)[:_A_QUOTE]:
            found.setdefault(source.source_id, "place")
    for provision in case.key_provisions:
        if references(provision.citation):
            for source in shelves.places.cited(provision.citation, inside)[:_A_QUOTE]:
                found.setdefault(source.source_id, "place")
    if hints.pages and len(set(inside)) == 1 and not found:
        on = shelves.places.on_pages(hints.pages, inside)
        for source in _likest(on, f"{case.question} {case.reference_answer}")[:_A_PAGE]:
            found.setdefault(source.source_id, "page")
    return [Located(name, method) for name, method in found.items()][:MOST]


def _quoted(places: Places, hints: Hints, inside: Sequence[str]) -> Iterable[Text]:
    """Sources of quotes; a short answer is looked for in the sources of its passage."""
    around = [s for passage in hints.passages for s in places.quoted(passage, inside)]
    for quote in hints.quotes:
        near = [s for s in around if folded(quote) in folded(s.text)] if around else []
        found = near or places.quoted(quote, inside)
        if len(found) <= _A_QUOTE or near:
            yield from found[:_A_QUOTE]
    if not hints.quotes and len(around) <= _A_QUOTE:
        yield from around


def _likest(found: Sequence[Text], text: str) -> list[Text]:
    """Sources in the order of how many words of a text they hold, those with none left out."""
    wanted = {w for w in re.findall(r"\w+", text.casefold()) if len(w) > 3}
    counts = {s.source_id: sum(w in s.text.casefold() for w in wanted) for s in found}
    return sorted((s for s in found if counts[s.source_id]), key=lambda s: -counts[s.source_id])
