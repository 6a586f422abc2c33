"""What went wrong so far: what was being done, why it failed, and the next step; a line can be copied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual.binding import Binding, BindingType

from curator.text import visible
from curator.tui.screens.listing import Listing
from curator.tui.widgets.row_list import Column, RowList


class Errors(Listing):
    """Newest last. `y` copies the line under the cursor, `Y` all of them."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "copy", "copy"),
        Binding("Y", "copy_all", "copy all"),
    ]

    def __init__(self, errors: Sequence[tuple[str, str]]) -> None:
        columns = [Column("while trying to", 24), Column("what happened"), Column("next step", 24, least=70)]
        lines = [(doing, *_parted(said)) for doing, said in errors]
        title = "errors · y: copy · Y: copy all"
        super().__init__(title, columns, lines, empty="nothing went wrong", last=True)

    def action_copy(self) -> None:
        """Copy one line."""
        row = self.query_one(RowList).row
        if row is not None:
            self._copy([row.cells])

    def action_copy_all(self) -> None:
        """Copy all lines."""
        self._copy([row.cells for row in self._rows])

    def _copy(self, lines: Sequence[tuple[str, ...]]) -> None:
        self.app.copy_to_clipboard("\n".join(visible("\t".join(cells)) for cells in lines))
        self.notify(f"{len(lines)} line{'s' if len(lines) > 1 else ''} copied", markup=False, timeout=3)


def _parted(said: str) -> tuple[str, str]:
    """What happened, and the hint that an error ends with in brackets."""
    head, bracket, hint = said.rpartition(" (")
    return (head, hint[:-1]) if bracket and hint.endswith(")") else (said, "")
