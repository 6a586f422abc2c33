"""Two versions of a case side by side: nobody's text is lost."""

from __future__ import annotations

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.widgets import Footer, Static

from curator.domain.case import Case, CaseRecord
from curator.tui.desk import differing
from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.safe import flat, plain, titled


class ConflictScreen(Dialog[str]):
    """Answers "mine" (save over theirs, which stays in the history), "theirs" (mine becomes a case of its own)."""

    CSS_PATH = ["dialog.tcss", "conflict.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "answer('mine')", "keep mine (history has theirs)"),
        Binding("t", "answer('theirs')", "keep theirs (mine: a new draft)"),
        Binding("escape", "close", "later"),
    ]

    def __init__(self, mine: Case, theirs: CaseRecord) -> None:
        super().__init__()
        self._mine, self._theirs = mine, theirs

    def compose(self) -> ComposeResult:
        """The fields that differ, mine on the left."""
        with VerticalScroll(classes="box") as box:
            titled(box, f"{self._mine.id} was saved by someone else meanwhile", "nothing was overwritten")
            with Horizontal(classes="both"):
                yield Static("mine, not saved", classes="title")
                yield Static(plain(f"theirs, version {self._theirs.version}"), classes="title")
            for name, mine, theirs in differing(self._mine, self._theirs.case):
                with Vertical(classes="field"):
                    yield Static(plain(flat(name)), classes="label")
                    with Horizontal(classes="both"):
                        yield Static(plain(mine or "(empty)"))
                        yield Static(plain(theirs or "(empty)"))
        yield Footer(compact=True, show_command_palette=False)

    def on_mount(self) -> None:
        """Long texts can be scrolled at once."""
        self.set_focus(self.query_one(VerticalScroll))

    def action_answer(self, answer: str) -> None:
        """Decide."""
        self.dismiss(answer)
