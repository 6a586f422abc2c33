"""Asks for a key provision: its words, and the phrases that count, offered to be ticked."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Input, Static

from curator.domain.accepting import Candidate, phrases
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, plain, titled

Answer = tuple[str, tuple[str, ...]]


class Phrases(RowList):
    """What is typed here is another phrase: it goes on in the line below, nothing of it is lost."""

    def on_key(self, event: events.Key) -> None:
        """A letter begins, or goes on with, the line of others; a space ticks."""
        if event.is_printable and event.character and event.character != " ":
            event.stop()
            event.prevent_default()
            others = self.screen.query_one("#others", SafeInput)
            self.screen.set_focus(others)
            others.insert_text_at_cursor(event.character)


class Provide(Dialog[Answer]):
    """Answers with the text and the phrases that count: those ticked, then those typed.

    Args:
        said: What is filled in: citation, page, source.
        text: The provision as it stands at first.
        offered: Phrases to tick.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("space", "tick", "tick", show=False)]

    def __init__(self, said: str, text: str, offered: Sequence[Candidate]) -> None:
        super().__init__()
        self._said, self._text, self._offered = said, text, tuple(offered)
        self._ticked = {n for n, c in enumerate(offered) if c.ticked}

    def compose(self) -> ComposeResult:
        """The text, the phrases, a line for others."""
        with Vertical(classes="box") as box:
            titled(box, "key provision", "enter: go on · esc: close")
            yield Static(plain(self._said), classes="said")
            yield Static("what a right answer must carry", classes="label")
            yield SafeInput(self._text, dom_id="wording")
            yield Static("any of these counts: space ticks, typing adds others", classes="label")
            listed = Phrases(
                [Column("", 1), Column(""), Column("", 14)], ListedRows(self._rows()), head=False,
                empty="nothing to offer: type it below",
            )  # fmt: skip
            listed.styles.height = max(1, min(8, len(self._offered)))
            yield listed
            yield SafeInput(placeholder="others, separated by ;", dom_id="others")
            yield Static("", classes="error", id="error")

    def on_mount(self) -> None:
        """The words first."""
        self.set_focus(self.query_one("#wording", SafeInput))

    def _rows(self) -> list[Row]:
        return [
            Row(n, str(n), ("●" if n in self._ticked else "○", c.phrase, c.kind)) for n, c in enumerate(self._offered)
        ]

    @on(Input.Submitted, "#wording")
    def _worded(self, event: Input.Submitted) -> None:
        event.stop()
        if not event.value.strip():
            self.query_one("#error", Static).update(plain("! a text is needed"))
            return
        self.query_one("#error", Static).update("")
        self.set_focus(self.query_one(RowList) if self._offered else self.query_one("#others", SafeInput))

    def action_tick(self) -> None:
        """The phrase under the cursor counts; again: it does not."""
        listed = self.query_one(RowList)
        if listed.row is not None:
            self._ticked ^= {int(listed.row.id)}
            listed.show_rows(ListedRows(self._rows()), keep=True)

    @on(RowList.Chosen)
    @on(Input.Submitted, "#others")
    def _done(self, event: RowList.Chosen | Input.Submitted) -> None:
        event.stop()
        text = self.query_one("#wording", SafeInput).value.strip()
        if not text:
            self.set_focus(self.query_one("#wording", SafeInput))
            return
        ticked = [c.phrase for n, c in enumerate(self._offered) if n in self._ticked]
        typed = phrases(self.query_one("#others", SafeInput).value)
        self.dismiss((text, tuple(dict.fromkeys([*ticked, *typed]))))
