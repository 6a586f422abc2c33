"""Shows a list to be read: the history of a case, errors, what a check found."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import titled


class Listing(Dialog[str]):
    """Rows to read; the whole of the one under the cursor stands below. Enter answers with its id, `enter` says why."""

    CSS_PATH = ["dialog.tcss", "listing.tcss"]

    def __init__(
        self, title: str, columns: Sequence[Column], rows: Sequence[tuple[str, ...]], *, empty: str, last: bool = False,
        enter: str = "",
    ) -> None:  # fmt: skip
        super().__init__()
        self._title, self._columns, self._empty, self._last, self._enter = title, columns, empty, last, enter
        self._rows = [Row(n, str(n), cells) for n, cells in enumerate(rows)]

    def compose(self) -> ComposeResult:
        """The list, and the whole row."""
        with Vertical(classes="box") as box:
            titled(box, self._title, f"enter: {self._enter} · esc: close" if self._enter else "esc: close")
            yield RowList(self._columns, ListedRows(self._rows), empty=self._empty)
            yield Static("", id="whole")

    def on_mount(self) -> None:
        """Read at once."""
        listed = self.query_one(RowList)
        self.set_focus(listed)
        if self._last:
            self.call_after_refresh(listed.action_edge, 1)

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        self.say_whole("\n".join(c for c in event.row.cells if c))

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(event.row.id)
