"""Chooses sources from the documents by searching them, not from what somebody has cited already."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Footer, Input, Static

from curator.services.search import Found, search
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, plain, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.tui.app import CuratorApp

WAIT = 0.15
MOST = 40

Option = tuple[str, str]


def hits(ctx: Context, text: str) -> list[Option]:
    """Id and text of the sources that words find, best first; in a worker."""
    found: Found = search(ctx, text, prefix=True, semantic=False, limit=MOST)
    return [(hit.source_id, f"p. {hit.page_label or hit.page}  {hit.text}") for hit in found.hits]


class SourceChooser(Dialog[tuple[str, ...]]):
    """Answers with the ids that are marked; it may be none.

    Args:
        question: What the case asks.
        found: Sources that are shown at first.
        marked: Ids and texts of those that are marked at first.
    """

    CSS_PATH = ["dialog.tcss", "listing.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("space", "mark", "mark"),
        Binding("slash", "search", "search", key_display="/"),
        Binding("enter", "done", "done"),
        Binding("escape", "close", "close"),
    ]

    def __init__(self, question: str, found: Sequence[Option], marked: Sequence[Option] = ()) -> None:
        super().__init__()
        self._question = question
        self._found = list(found)
        self._marked: dict[str, str] = dict(marked)
        self._timer: Timer | None = None

    def compose(self) -> ComposeResult:
        """The question, the search line, the sources, and the whole text of one."""
        with Vertical(classes="box") as box:
            titled(box, "required sources", "space: mark · /: search · enter: done")
            yield Static(plain(f"Which sources prove the answer?\n{self._question}"), classes="said")
            yield SafeInput(placeholder="search all documents …", dom_id="words")
            columns = [Column("", 1), Column("", 30, least=70, middle=True), Column("")]
            none = "nothing found: / searches other words"
            yield RowList(columns, ListedRows(self._rows()), head=False, opens=False, empty=none)
            yield Static("", id="whole")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Mark at once, or search when nothing was found."""
        self.set_focus(self._list if self._rows() else self.query_one("#words"))

    @property
    def _list(self) -> RowList:
        return self.query_one(RowList)

    def _rows(self) -> list[Row]:
        listed = [*self._marked.items(), *(pair for pair in self._found if pair[0] not in self._marked)]
        return [Row(n, name, ("●" if name in self._marked else "○", name, text)) for n, (name, text) in
                enumerate(listed)]  # fmt: skip

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(WAIT, partial(self._search, event.value))

    def _search(self, words: str) -> None:
        ctx = cast("CuratorApp", self.app).ctx
        if ctx is not None and words.strip():
            serve(self, lambda: hits(ctx, words), self._have_found, doing="search", group="choose sources")

    def _have_found(self, found: list[Option]) -> None:
        self._found = found
        self._list.show_rows(ListedRows(self._rows()))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self.set_focus(self._list)

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.say_whole(f"{event.row.id}\n{event.row.cells[2]}")

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.action_done()

    def action_search(self) -> None:
        """Type other words."""
        self.set_focus(self.query_one("#words"))

    def action_mark(self) -> None:
        """Mark the source under the cursor, or take the mark away; its place stays while one looks."""
        row = self._list.row
        if row is None or not self._list.has_focus:
            return
        if row.id in self._marked:
            self._found = [(row.id, row.cells[2]), *(p for p in self._found if p[0] != row.id)]
            del self._marked[row.id]
        else:
            self._marked[row.id] = row.cells[2]
        self._list.show_rows(ListedRows(self._rows()), keep=True)

    def action_done(self) -> None:
        """Answer with what is marked."""
        self.dismiss(tuple(self._marked))

    def on_key(self, event: events.Key) -> None:
        """Down leaves the search line for the list."""
        if event.key == "down" and self.query_one("#words").has_focus:
            event.stop()
            self.set_focus(self._list)
