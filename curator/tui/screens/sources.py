"""The documents; their ingestion stands under the list."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any

from textual import on
from textual.app import ComposeResult

from curator.tui.filters import Columns
from curator.tui.messages import OpenDocument
from curator.tui.screens.ingesting import Ingesting
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.row_list import Column, Row, RowList

if TYPE_CHECKING:
    from curator.domain.listing import ListQuery
    from curator.services.context import Context
    from curator.store.documents import DocumentLine

FILTERS = Columns(
    {
        "id": "id", "title": "title", "domain": "domain", "type": "document_type", "language": "language",
        "pages": "pages", "rows": "rows", "chunks": "chunks", "warnings": "warnings",
    }
)  # fmt: skip


class DocumentRows:
    """Documents in the order of a column, in which equals follow their ingestion."""

    immediate = False

    def __init__(self, ctx: Context, order: tuple[str, bool] = ("id", False)) -> None:
        self._ctx = ctx
        self._order = order

    def ordered(self, column: str, *, descending: bool) -> DocumentRows:
        """The same in another order."""
        return DocumentRows(self._ctx, (column, descending))

    def _query(self, contains: str) -> ListQuery:
        from curator.domain.listing import ListQuery

        asked = FILTERS.read(contains)
        return ListQuery(*self._order, asked.contains, asked.columns)

    def _rows(self, contains: str, limit: int, **keys: Any) -> list[Row]:
        from curator.parsing import PARSER
        from curator.services import documents

        query = self._query(contains)
        found = documents.lines(self._ctx, query, limit=limit, **keys)
        return [_row(query.key_of(d), d, PARSER) for d in found]

    def count(self, contains: str) -> int:
        """How many."""
        from curator.services import documents

        return documents.count(self._ctx, self._query(contains))

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        return self._rows(contains, limit, after=key)

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        return self._rows(contains, limit, before=key, back=True)


def _row(key: Hashable, line: DocumentLine, rules: str) -> Row:
    from curator.services.outdated import is_older

    flag = f"! {line.warnings}" if line.warnings else ""
    if is_older(line.parser, rules):
        flag = "↻"
    return Row(key, line.id, (line.id, line.title, str(line.pages), str(line.rows), line.domain, line.document_type,
                              line.language, flag))  # fmt: skip


class SourcesScreen(Ingesting):
    """F2."""

    CSS_PATH = "sources.tcss"

    def compose_room(self) -> ComposeResult:
        """The list, and the jobs under it while there are any."""
        columns = [
            Column("id", 22, name="id", wide=32, middle=True),
            Column("title", name="title"),
            Column("pages", 7, right=True, name="pages"),
            Column("rows", 6, least=90, right=True, name="rows"),
            Column("domain", 14, least=90, name="domain"),
            Column("type", 12, least=110, name="document_type"),
            Column("lang", 6, least=110, name="language"),
            Column("!", 4, name="warnings"),
        ]
        hint = "words, or domain:… type:… pages:>50 rows:0"
        yield FilteredList(columns, empty="opening …", hint=hint, filters=FILTERS, dom_id="documents")
        yield from self.compose_jobs()

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self._list)
        if self.curator.ctx is None:
            self._list.expect()

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
