"""Documents as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable

from curator.domain.document import Document, Page, Section, Source
from curator.services.context import Context
from curator.store import documents, sources


def page_of(ctx: Context, *, after: str = "", before: str = "", limit: int = 200, contains: str = "") -> list[Document]:
    """A page of the list of documents by key; see store.documents.page_of."""
    with ctx.db.read() as tx:
        return documents.page_of(tx, after=after, before=before, limit=limit, contains=contains)


def count(ctx: Context) -> int:
    """How many documents there are."""
    with ctx.db.read() as tx:
        return documents.count(tx)


def get(ctx: Context, document_id: str) -> Document:
    """One document.

    Raises:
        InputError: There is none of this id.
    """
    with ctx.db.read() as tx:
        return documents.get(tx, document_id)


def pages(ctx: Context, document_id: str, first: int = 1, last: int = 0) -> list[Page]:
    """Pages of the current revision from first to last (0: to the end)."""
    with ctx.db.read() as tx:
        return documents.pages(tx, document_id, first, last)


def sections(ctx: Context, document_id: str) -> list[Section]:
    """Headings of the current revision, in order."""
    with ctx.db.read() as tx:
        return documents.sections(tx, document_id)


def rows(ctx: Context, document_id: str, *, contains: str = "", limit: int = 0) -> list[Source]:
    """Table rows of the current revision, in reading order."""
    with ctx.db.read() as tx:
        return sources.sources(tx, document_id, kind="row", contains=contains, limit=limit)


def sources_on(ctx: Context, document_id: str, first: int = 1, last: int = 0, contains: str = "") -> list[Source]:
    """Chunks and rows that lie on these pages (0: to the end), in reading order."""
    with ctx.db.read() as tx:
        return sources.sources(tx, document_id, first_page=first, last_page=last, contains=contains)


def named(ctx: Context, names: Iterable[str]) -> list[Source]:
    """The sources of these ids or aliases that exist, sorted by id."""
    with ctx.db.read() as tx:
        return sources.named(tx, names)


def source(ctx: Context, name: str) -> Source:
    """The source of this id or alias.

    Raises:
        InputError: There is none.
    """
    with ctx.db.read() as tx:
        return sources.source(tx, name)
