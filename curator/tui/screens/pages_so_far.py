"""A file that is being read: the pages that are there so far, one at a time. Nothing of it is stored yet."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Static

from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled

if TYPE_CHECKING:
    from curator.tui.screens.ingesting import Reading

LOOK = 0.2
NOT_STORED = "not stored yet: nothing can be marked"


class PagesSoFar(Dialog[int]):
    """Answers with the page to read in the reader, once the document is stored; None when it was closed."""

    CSS_PATH = ["dialog.tcss", "pages_so_far.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right,n", "turn(1)", "next page"),
        Binding("left,p", "turn(-1)", "page before"),
        Binding("enter", "choose", "open in the reader"),
    ]

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading
        self._page = min(list(reading.pages), default=1)
        self._shown = ("", "")

    def compose(self) -> ComposeResult:
        """How far it is, and the page."""
        with Vertical(classes="box") as box:
            titled(box, flat(self._reading.file), "← →: pages · esc: close")
            yield Static("", id="far")
            with VerticalScroll(id="page"):
                yield Static("", id="text")
        yield Footline()

    def on_mount(self) -> None:
        """Look again and again."""
        self.set_focus(self.query_one("#page"))
        self.set_interval(LOOK, self._look)
        self._look()

    def _look(self) -> None:
        """Say how far it is; show the page when it has come. Only what changed is painted."""
        told = (self._told(), self._text())
        if told[0] != self._shown[0]:
            self.query_one("#far", Static).update(plain(told[0]))
            self.refresh_bindings()
        if told[1] != self._shown[1]:
            self.query_one("#text", Static).update(plain(told[1]))
        self._shown = told

    def _told(self) -> str:
        reading = self._reading
        total = reading.total or max(list(reading.pages), default=0)
        if reading.document_id:
            return f"page {self._page} of {total} · it is stored now: enter opens it in the reader"
        state = reading.over or NOT_STORED
        return f"page {self._page} of {total} · {len(reading.pages)} read so far · {state}"

    def _text(self) -> str:
        text = self._reading.pages.get(self._page)
        if text is None:
            return "this page was not read" if self._reading.over else "this page is being read …"
        return text or "no text stands on this page"

    def action_turn(self, by: int) -> None:
        """Another page, whether it is there yet or not."""
        last = max(self._reading.total, max(list(self._reading.pages), default=1))
        self._page = min(max(1, self._page + by), last)
        self.query_one("#page").scroll_home(animate=False)
        self._look()

    def action_choose(self) -> None:
        """The reader, at this page."""
        self.dismiss(self._page)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There is something to open once it is stored."""
        return bool(self._reading.document_id) if action == "choose" else True
