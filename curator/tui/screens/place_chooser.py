"""Chooses where a source lies now: among the places that come into question, or any that words find."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, cast

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.timer import Timer
from textual.widgets import Input, Static

from curator.tui.screens.dialog import FindDialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.document import Anchor
    from curator.domain.revision import Wait
    from curator.services.context import Context
    from curator.tui.app import CuratorApp

WAIT = 0.15
MOST = 40
Option = tuple[str, str, str]


def candidates(ctx: Context, wait: Wait) -> list[Option]:
    """Id, how alike, and text of the places that come into question, the likeliest first; in a worker."""
    from curator.services import documents

    found = {s.id: s.anchor for s in documents.named(ctx, [c.source_id for c in wait.candidates])}
    return [(c.source_id, f"{c.score:.0f} %", _told_of(found[c.source_id]))
            for c in wait.candidates if c.source_id in found]  # fmt: skip


def hits(ctx: Context, wait: Wait, words: str) -> list[Option]:
    """What words find, of the kind of the source, its own document first; in a worker."""
    from curator.services.search import search

    found = search(ctx, words, kind=wait.kind, prefix=True, semantic=False, limit=MOST).hits
    ordered = sorted(found, key=lambda hit: hit.document_id != wait.document_id)
    return [(hit.source_id, "", _told(hit.page, hit.page_label, hit.text)) for hit in ordered]


def _told_of(at: Anchor) -> str:
    return _told(at.page, at.page_label, at.text)


def _told(page: int, label: str, text: str) -> str:
    """A place by the page as it is printed, as everywhere else."""
    return f"p. {label or page}  {text}"


class PlaceChooser(FindDialog[str]):
    """Answers with an id; it is shown beside the old text before anything is decided."""

    DEFAULT_CSS = """
    PlaceChooser {
        & > .box { height: 90%; }
        & RowList { height: 1fr; }
        & #whole { height: auto; max-height: 8; min-height: 4; border-top: solid $border-blurred; }
    }
    """

    def __init__(self, wait: Wait, found: Sequence[Option]) -> None:
        super().__init__()
        self._wait, self._first, self._found = wait, tuple(found), list(found)
        self._timer: Timer | None = None
        self._words = self._shown = ""
        self._is_entered = False

    def compose(self) -> ComposeResult:
        """The line to type in, the places, the whole text of one."""
        with Vertical(classes="box") as box:
            titled(box, f"where is {self._wait.source_id} now?", "type: find · enter: look at it · esc: close")
            yield SafeInput(placeholder=f"find another {self._wait.kind} by its words …", dom_id="words")
            columns = [Column("", 5, right=True), Column("", 30, least=70, middle=True), Column("")]
            yield RowList(columns, ListedRows(self._rows()), head=False, empty="nothing is like it: type words to find")
            yield Static("", id="whole")

    def on_mount(self) -> None:
        """Type at once; arrows move in the list."""
        self.set_focus(self.query_one("#words", SafeInput))

    def _rows(self) -> list[Row]:
        return [Row(n, name, (alike, name, text)) for n, (name, alike, text) in enumerate(self._found)]

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._words, self._is_entered = event.value.strip(), False
        if self._timer is not None:
            self._timer.stop()
        self._timer = self.set_timer(WAIT, partial(self._search, self._words))

    def _search(self, words: str) -> None:
        ctx, then = cast("CuratorApp", self.app).ctx, partial(self._have_found, words)
        if not words:
            then(list(self._first))
        elif ctx is not None:
            serve(self, partial(hits, ctx, self._wait, words), then, doing="search", group="find a place")

    def _have_found(self, words: str, found: list[Option]) -> None:
        self._found, self._shown = found, words
        self._list.empty = "nothing found: other words"
        self._list.show_rows(ListedRows(self._rows()))
        if self._is_entered and words == self._words:
            self._is_entered = False
            self._list.action_choose()

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.say_whole(f"{event.row.id}\n{event.row.cells[2]}")

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._is_entered = self._shown != self._words  # what is listed is not yet what these words find
        if not self._is_entered:
            self._list.action_choose()

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.id)
