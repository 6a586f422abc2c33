"""The documents that a case is judged against, as a list in its form."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType

from curator.domain.case import Case, CaseDocument
from curator.text import counted
from curator.tui.messages import OpenDocument
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.document import Document
    from curator.tui.app import CuratorApp

MOST = 5
OFFERED = 500


class DocumentList(RowList):
    """Title and pages of each: Enter opens the reader, `+` adds one, Delete takes one away that nothing cites."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "read"),
        Binding("plus", "add", "add", key_display="+"),
        Binding("delete,backspace,d", "take_back", "take away", key_display="del"),
    ]

    def __init__(self, *, dom_id: str | None = None) -> None:
        columns = [Column("", 0), Column("", 10, right=True), Column("", 28, least=72)]
        super().__init__(columns, head=False, empty="none: + adds one, evidence brings its own", dom_id=dom_id)
        self._documents: tuple[CaseDocument, ...] | None = None

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def show_case(self, case: Case) -> None:
        """Show the documents of a case; as high as they are many, up to a limit."""
        if case.documents == self._documents:
            return
        self._documents = case.documents
        height = max(1, min(MOST, len(case.documents)))
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.show_rows(ListedRows([Row(n, d.document_id, _cells(d)) for n, d in enumerate(case.documents)]), keep=True)

    def on_row_list_chosen(self, event: RowList.Chosen) -> None:
        """Read it."""
        event.stop()
        self.post_message(OpenDocument(event.row.id))

    def action_add(self) -> None:
        """Choose among the documents of the workspace."""
        from curator.services import documents

        ctx = self._app.ctx
        if ctx is not None:
            serve(self, lambda: documents.page_of(ctx, limit=OFFERED), self._offer, doing="list the documents")

    def _offer(self, found: Sequence[Document]) -> None:
        from curator.services import cases
        from curator.tui.screens.choose import Choose

        here = {d.document_id for d in self._documents or ()}
        options = [(d.id, f"{d.title or d.id} · {_pages(d.revision.pages)}") for d in found if d.id not in here]
        if not options:
            self.notify("no other document is in the workspace: F2, then i, brings one in", markup=False, timeout=4)
            return

        def chosen(answer: tuple[str, ...] | None) -> None:
            if answer:
                self._app.mark(lambda ctx, case: cases.with_document(ctx, case, answer[0]), "")

        self.app.push_screen(Choose("a document that the case is judged against", options), chosen)

    def action_take_back(self) -> None:
        """Take the one under the cursor away; one that evidence comes from stays."""
        case = self._app.desk.case
        if self.row is None or case is None:
            return
        name = self.row.id
        if any(e.document_id == name for e in case.evidence):
            self.notify("evidence comes from it: take that back first", markup=False, timeout=4)
            return
        self._app.mark(
            lambda _ctx, c: c.model_copy(update={"documents": tuple(d for d in c.documents if d.document_id != name)}),
            "",
        )


def _cells(document: CaseDocument) -> tuple[str, ...]:
    return document.title or document.document_id, _pages(document.pages), document.document_id


def _pages(count: int) -> str:
    return counted(count, "page") if count else ""
