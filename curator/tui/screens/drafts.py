"""Typed text that was never saved, from an earlier time: opened again, or let go."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Footer, Static

from curator.services import drafts
from curator.store.drafts import Draft
from curator.tui.desk import as_text, said
from curator.tui.screens.confirm import Confirm
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import titled
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

SHOWN = ("turns", "expected_behavior", "risk", "reference_answer", "consequence", "notes")


class DraftsScreen(Dialog[Draft]):
    """Answers with the draft to open. Esc leaves them where they are: the next start offers them again."""

    CSS_PATH = ["dialog.tcss", "listing.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "close", "later"),
        Binding("d,delete", "let_go", "let go", key_display="d"),
    ]

    def __init__(self, found: Sequence[tuple[Draft, int]]) -> None:
        super().__init__()
        self._found = list(found)

    def compose(self) -> ComposeResult:
        """The drafts, newest first; what the one under the cursor says stands below."""
        with Vertical(classes="box") as box:
            titled(box, "typed, but never saved", "enter: open · d: let go · esc: later")
            columns = [Column("case", 24), Column("question"), Column("when (UTC)", 16)]
            yield RowList(columns, ListedRows(self._rows()), empty="no drafts wait")
            yield Static("", id="whole")
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Choose at once."""
        self.set_focus(self._list)

    @property
    def _list(self) -> RowList:
        return self.query_one(RowList)

    def _rows(self) -> list[Row]:
        return [Row(n, str(n), _cells(draft, now)) for n, (draft, now) in enumerate(self._found)]

    def _chosen_draft(self) -> Draft | None:
        place = self._list.cursor
        return self._found[place][0] if 0 <= place < len(self._found) else None

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        event.stop()
        draft, now = self._found[int(event.row.id)]
        lines = [f"{said(n)}: {as_text(getattr(draft.case, n))}" for n in SHOWN if getattr(draft.case, n)]
        if now > draft.base_version > 0:
            lines.insert(0, "! the case was saved by someone since: a save shows both versions")
        self.say_whole("\n".join(lines))

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.dismiss(self._found[int(event.row.id)][0])

    def action_let_go(self) -> None:
        """Forget the draft under the cursor, once that is confirmed."""
        draft = self._chosen_draft()
        if draft is None:
            return
        name = draft.case.id or "the new case"
        text = f"{draft.case.question or '(no question yet)'}\n\nWhat was typed is gone then; what is saved stays."
        self.app.push_screen(Confirm(f"let the draft of {name} go?", text, "let it go"), partial(self._decided, draft))

    def _decided(self, draft: Draft, answer: bool | None) -> None:
        ctx = cast("CuratorApp", self.app).ctx
        if answer and ctx is not None:
            serve(
                self,
                lambda: drafts.drop(ctx, draft.case_id),
                lambda _none: self._gone(draft),
                doing="let the draft go",
            )

    def _gone(self, draft: Draft) -> None:
        self._found = [pair for pair in self._found if pair[0] is not draft]
        if not self._found:
            self.dismiss(None)
            return
        self._list.show_rows(ListedRows(self._rows()), keep=True)


def _cells(draft: Draft, now: int) -> tuple[str, ...]:
    stale = "! " if now > draft.base_version > 0 else ""
    name = draft.case.id or "new case"
    return stale + name, draft.case.question or "(no question yet)", draft.updated_at[:16].replace("T", " ")
