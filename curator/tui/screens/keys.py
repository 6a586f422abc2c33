"""The keys of a place, by what one wants to do; typing finds one, Enter does what it does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input

from curator.tui.key_groups import Key
from curator.tui.screens.dialog import FindDialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, titled

NOT_NOW = "not now"


class Keys(FindDialog[Key]):
    """Answers with the key whose line was chosen."""

    CSS_PATH = ["dialog.tcss", "listing.tcss"]  # type: ignore[assignment]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("f10", "close", "close", show=False, priority=True),
        Binding("pageup", "page(-1)", "page up", show=False),
        Binding("pagedown", "page(1)", "page down", show=False),
    ]

    def __init__(self, place: str, keys: Sequence[Key]) -> None:
        super().__init__()
        self._place, self._keys = place, tuple(keys)

    def compose(self) -> ComposeResult:
        """The line to type in, and the keys."""
        columns = [Column("to", 14, least=60), Column("key", 11, wide=16), Column("does"), Column("", len(NOT_NOW))]
        with Vertical(classes="box") as box:
            titled(box, f"keys · {self._place}", "type to find · enter: do it · esc: close")
            yield SafeInput(placeholder="what do you want to do?", dom_id="narrow")
            yield RowList(columns, ListedRows(self._rows("")), empty="no key does that; Ctrl+P looks everywhere")

    def on_mount(self) -> None:
        """Type at once."""
        self.set_focus(self.query_one("#narrow", SafeInput))

    def _rows(self, contains: str) -> list[Row]:
        words = contains.casefold().split()
        rows, before = [], ""
        for n, key in enumerate(self._keys):
            if all(w in f"{key.group} {key.keys} {key.said}".casefold() for w in words):
                head = "" if key.group == before else key.group
                rows.append(Row(n, str(n), (head, key.keys, key.said, "" if key.now else NOT_NOW)))
                before = key.group
        return rows

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self._list.show_rows(ListedRows(self._rows(event.value)))

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._list.action_choose()

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(self._keys[int(event.row.id)])

    def action_page(self, by: int) -> None:
        """Scroll while one types."""
        self._list.action_page(by)
