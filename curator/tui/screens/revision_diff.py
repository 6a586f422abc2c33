"""What differs between a revision of a document and the one before it, source by source."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.progress import AppProgress
from curator.tui.screens.dialog import Dialog
from curator.tui.verdicts import DIFFERENCES, OUTCOMES
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled
from curator.tui.widgets.side_by_side import SideBySide
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.services.comparing import Compared, Entry
    from curator.tui.app import CuratorApp


class RevisionDiff(Dialog[str]):
    """Answers with the source to read; None when it was closed.

    Args:
        document_id: Its current revision is compared.
    """

    CSS_PATH = ["dialog.tcss", "revision_diff.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn", "list or texts"),
        Binding("w", "whole", "all of the text"),
    ]

    def __init__(self, document_id: str) -> None:
        super().__init__()
        self._document_id = document_id
        self._entries: tuple[Entry, ...] = ()
        self._found: Compared | None = None
        self._stop = threading.Event()

    def compose(self) -> ComposeResult:
        """How many differ in which way, the list of them, both texts of one."""
        with Vertical(classes="box") as box:
            titled(box, f"{self._document_id}: what the new revision changed", "enter: read it · esc: close")
            yield Static("comparing …", id="counts")
            columns = [Column("", 1), Column("", 9), Column("source", middle=True), Column("differs in", 20, least=90),
                       Column("page", 11, right=True)]  # fmt: skip
            yield RowList(columns, head=False, empty="comparing …", dom_id="differing")
            yield SideBySide(dom_id="texts")
        yield Footline()

    def on_mount(self) -> None:
        """Compare."""
        self.set_focus(self.query_one(RowList))
        ctx = cast("CuratorApp", self.app).ctx
        if ctx is None:
            return
        progress = AppProgress(lambda _snapshot: None, self._stop)

        def work() -> Compared:
            from curator.services.comparing import compare

            return compare(ctx, self._document_id, progress=progress)

        serve(self, work, self._show, doing="compare the revisions", failed=self._failed, reads=True)

    def _failed(self, _error: Exception) -> bool:
        self.dismiss(None)
        return False

    def _show(self, found: Compared) -> None:
        self._found, self._entries = found, found.entries
        said = ", ".join(f"{n} {OUTCOMES[outcome][1]}" for outcome, n in found.counts.items())
        sides = f"revision {found.one.revision} → {found.two.revision}"
        self.query_one("#counts", Static).update(plain(f"{sides}: {said or 'nothing on either side'}"))
        listed = self.query_one(RowList)
        listed.empty = "not one source differs"
        listed.show_rows(ListedRows([_row(n, e) for n, e in enumerate(found.entries)]))

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        entry, found = self._entries[int(event.row.id)], self._found
        assert found is not None
        abouts = (
            f"revision {found.one.revision}" + (f" · p. {entry.page}" if entry.page else ": not there"),
            f"revision {found.two.revision}" + (f" · p. {entry.other_page}" if entry.other_page else ": not there"),
        )
        self.query_one(SideBySide).show(abouts, entry.pieces, lines=entry.kind == "row")

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        entry = self._entries[int(event.row.id)]
        if entry.other_id:
            self.dismiss(entry.other_id)
        else:
            self.notify("it is not in this revision any more", markup=False, timeout=3)

    def action_turn(self) -> None:
        """Move in the list, or scroll the texts."""
        listed, texts = self.query_one(RowList), self.query_one(SideBySide)
        self.set_focus(texts if listed.has_focus else listed)

    def action_whole(self) -> None:
        """Show all that both texts share, or its ends again."""
        self.query_one(SideBySide).turn_whole()

    def on_unmount(self) -> None:
        """Nobody waits for it any more."""
        self._stop.set()


def _row(place: int, entry: Entry) -> Row:
    glyph, word = OUTCOMES[entry.outcome]
    pages = f"p. {entry.page or '–'} → {entry.other_page or '–'}"
    name = entry.other_id or entry.source_id
    return Row(place, str(place), (glyph, word, name, DIFFERENCES[entry.difference], pages))
