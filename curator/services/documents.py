"""Documents as a person reads them."""

from __future__ import annotations

from collections.abc import Iterable

from curator.domain.document import Document, Page, Section, Source
from curator.domain.listing import ListKey, ListQuery
from curator.services.context import Context
from curator.store import documents, sources
from curator.store.documents import DocumentLine


def page_of(ctx: Context, *, after: str = "", before: str = "", limit: int = 200, contains: str = "") -> list[Document]:
    """Documents in order of their ids; see store.documents.page_of. contains: in id, title or domain."""
    with ctx.db.read() as tx:
        found = documents.BY_ID.narrowed(contains=contains)
        return documents.page_of(tx, found, after=after, before=before, limit=limit)


def lines(
    ctx: Context, query: ListQuery | None = None, *, after: ListKey | None = None, before: ListKey | None = None,
    back: bool = False, limit: int = 200,
) -> list[DocumentLine]:  # fmt: skip
    """A page of the list of documents by key, in the order of the query.

    Args:
        ctx: Open workspace.
        query: Filters and order; None = all in order of their ids.
        after: Only lines after this key (`query.key_of` a line).
        before: Only lines before it, the nearest first.
        back: The last lines, the last first, when no key is given.
        limit: Most lines; 0 = all.

    Raises:
        InputError: A column that the list does not have.
    """
    with ctx.db.read() as tx:
        return documents.lines(tx, query or documents.BY_ID, after=after, before=before, back=back, limit=limit)


def count(ctx: Context, query: ListQuery | None = None) -> int:
    """How many documents a list has."""
    with ctx.db.read() as tx:
        return documents.count(tx, query or documents.BY_ID)


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
