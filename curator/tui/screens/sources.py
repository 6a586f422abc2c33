"""The documents; their ingestion stands under the list."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult

from curator.tui.messages import OpenDocument
from curator.tui.screens.ingesting import Ingesting
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.row_list import Column, Row, RowList

if TYPE_CHECKING:
    from curator.domain.document import Document
    from curator.services.context import Context

LAST = "\U0010ffff"


class DocumentRows:
    """Documents by their ids."""

    immediate = False

    def __init__(self, ctx: Context) -> None:
        self._ctx = ctx

    def count(self, contains: str) -> int:
        """How many; under a filter they are counted page by page."""
        from curator.services import documents

        if not contains:
            return documents.count(self._ctx)
        total, key = 0, ""
        while page := documents.page_of(self._ctx, after=key, contains=contains):
            total, key = total + len(page), page[-1].id
        return total

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        from curator.services import documents

        page = documents.page_of(self._ctx, after=str(key or ""), limit=limit, contains=contains)
        return [_row(d) for d in page]

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        from curator.services import documents

        page = documents.page_of(self._ctx, before=str(key or LAST), limit=limit, contains=contains)
        return [_row(d) for d in page]


def _row(document: Document) -> Row:
    pages, rows = document.revision.pages, document.rows
    flag = "!" if document.revision.warnings else ""
    return Row(document.id, document.id, (document.id, document.title, str(pages), str(rows), document.domain, flag))


class SourcesScreen(Ingesting):
    """F2."""

    CSS_PATH = "sources.tcss"

    def compose_room(self) -> ComposeResult:
        """The list, and the jobs under it while there are any."""
        columns = [
            Column("id", 24),
            Column("title"),
            Column("pages", 5, right=True),
            Column("rows", 5, right=True),
            Column("domain", 14, least=76),
            Column("", 1),
        ]
        yield FilteredList(columns, empty="opening …", hint="id, title or domain contains …", dom_id="documents")
        yield from self.compose_jobs()

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self._list)

    @property
    def _list(self) -> RowList:
        return self.query_one("#documents", FilteredList).list

    def refresh_room(self) -> None:
        """Read the list again."""
        if self.curator.ctx is not None:
            self._list.empty = "no documents yet: i ingests a PDF"
            self._list.show_rows(DocumentRows(self.curator.ctx), keep=True)

    def ingested(self, document_id: str) -> None:
        """A file is done: show it."""
        self._list.reload(select=document_id)

    @on(RowList.Chosen)
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(OpenDocument(event.row.id))
