"""What went wrong, in this session and before: when, what was being done, why it failed, and the next step."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType

from curator.text import counted, visible
from curator.tui.screens.listing import Listing
from curator.tui.times import ago
from curator.tui.widgets.row_list import Column, RowList

if TYPE_CHECKING:
    from curator.tui.troubles import Trouble


class Errors(Listing):
    """Newest last. `y` copies the line under the cursor, `Y` all of them, `d` drops them all.

    Args:
        errors: Oldest first.
        forget: Drops them.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "copy"),
        Binding("Y", "copy_all", "copy all"),
        Binding("d", "forget", "drop all"),
        Binding("f12", "close", "close", show=False),
    ]

    def __init__(self, errors: Sequence[Trouble], forget: Callable[[], None]) -> None:
        columns = [
            Column("when", 7),
            Column("while trying to", 22),
            Column("what happened"),
            Column("next step", 24, least=84),
        ]
        lines = [(ago(e.at), e.doing, *_parted(e.said)) for e in errors]
        title = f"errors: {len(lines)} · y: copy · Y: copy all · d: drop all" if lines else "errors"
        super().__init__(title, columns, lines, empty="nothing went wrong", last=True)
        self._forget = forget

    def action_copy(self) -> None:
        """Copy one line."""
        row = self.query_one(RowList).row
        if row is not None:
            self._copy([row.cells])

    def action_copy_all(self) -> None:
        """Copy all lines."""
        if self._rows:
            self._copy([row.cells for row in self._rows])

    def action_forget(self) -> None:
        """Drop them all, and close."""
        self._forget()
        self.dismiss(None)

    def _copy(self, lines: Sequence[tuple[str, ...]]) -> None:
        self.app.copy_to_clipboard("\n".join(visible("\t".join(cells)) for cells in lines))
        self.notify(f"{counted(len(lines), 'line')} copied", markup=False, timeout=3)


def _parted(said: str) -> tuple[str, str]:
    """What happened, and the hint that an error ends with in brackets."""
    head, bracket, hint = said.rpartition(" (")
    return (head, hint[:-1]) if bracket and hint.endswith(")") else (said, "")
