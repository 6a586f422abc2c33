"""Chooses from a list: typing narrows it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from curator.tui.screens.dialog import FindDialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, plain, titled

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp


class Choose(FindDialog[tuple[str, ...]]):
    """One of several values, or several of them.

    Args:
        title: What is asked.
        options: Value and what is shown for it.
        several: Space marks, Enter answers with all that are marked (it may be none).
        instant: Typing what only one option begins with answers at once.
        said: Some lines above the list.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "mark", "mark", show=False)]

    def __init__(
        self,
        title: str,
        options: Sequence[tuple[str, str]],
        *,
        several: bool = False,
        instant: bool = False,
        said: str = "",
    ) -> None:
        super().__init__()
        self._title, self._options, self._said = title, tuple(options), said
        self._several, self._instant = several, instant
        self._marked: set[str] = set()

    def compose(self) -> ComposeResult:
        """What is said, the line to type in, the list."""
        with Vertical(classes="box") as box:
            titled(
                box, self._title, "space: mark · enter: done" if self._several else "type, or arrows · enter: choose"
            )
            if self._said:
                yield Static(plain(self._said), classes="said")
            if not self._several:
                yield SafeInput(placeholder="type to narrow", dom_id="narrow")
            listed = RowList([Column("", 0)], ListedRows(self._rows()), head=False, empty="nothing fits")
            listed.styles.height = max(1, min(12, len(self._options)))
            yield listed

    def _rows(self) -> list[Row]:
        def shown(value: str, label: str) -> str:
            return f"{'●' if value in self._marked else '○'} {label}" if self._several else label

        return [Row(n, value, (shown(value, label),)) for n, (value, label) in enumerate(self._options)]

    def on_mount(self) -> None:
        """Type at once, or mark at once."""
        self.set_focus(self._list if self._several else self.query_one("#narrow", SafeInput))

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        begun = [pair for pair in self._options if pair[1].casefold().startswith(event.value.casefold())]
        if self._instant and event.value and len(begun) == 1:
            ((value, label),) = begun
            cast("CuratorApp", self.app).expect_rest(label, event.value)
            self.dismiss((value,))
            return
        self._list.reload(keep=False, contains=event.value)

    @on(Input.Submitted)
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        self._list.action_choose()

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        if self._several:
            self.dismiss(tuple(v for v, _ in self._options if v in self._marked))
        else:
            self.dismiss((event.row.id,))

    def action_mark(self) -> None:
        """Mark the row under the cursor, or take the mark away."""
        if self._several and self._list.row is not None:
            self._marked ^= {self._list.row.id}
            self._list.show_rows(ListedRows(self._rows()), keep=True)
