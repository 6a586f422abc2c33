"""Two versions of a case side by side: nobody's text is lost."""

from __future__ import annotations

from typing import ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Static

from curator.domain.case import Case, CaseRecord
from curator.tui.desk import as_text, changed_fields, said
from curator.tui.screens.dialog import Dialog
from curator.tui.texts import marked, spans
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.safe import flat, plain, titled

EMPTY = "(empty)"


class Decided(NamedTuple):
    """The case to go on with, and the fields in which what I had typed was left out."""

    case: Case
    left_out: tuple[str, ...]


class FieldPair(Vertical, can_focus=True):
    """One field in both versions; what is taken is marked by a glyph."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "take(True)", "mine"),
        Binding("right", "take(False)", "theirs"),
        Binding("space", "swap", "the other", show=False),
        Binding("up,k", "app.focus_previous", "field before", show=False),
        Binding("down,j", "app.focus_next", "next field", show=False),
    ]

    def __init__(self, name: str, mine: str, theirs: str, who: str, *, take_mine: bool) -> None:
        super().__init__(classes="field")
        self.field = name
        self.who = who
        self._texts = (mine, theirs)
        self.mine = take_mine

    def compose(self) -> ComposeResult:
        """The name of the field, and both texts."""
        yield Static(plain(flat(f"{said(self.field)} · {self.who}")), classes="label")
        with Horizontal(classes="both"):
            yield Static(classes="mine")
            yield Static(classes="theirs")

    def on_mount(self) -> None:
        """Paint."""
        self._paint()

    def action_take(self, mine: bool) -> None:
        """Take mine or theirs."""
        self.mine = mine
        self._paint()

    def action_swap(self) -> None:
        """Take the other one."""
        self.action_take(not self.mine)

    def on_click(self, event: events.Click) -> None:
        """A click takes the text under the pointer."""
        event.stop()
        self.focus()
        self.action_take(event.screen_x < self.region.x + self.region.width // 2)

    def _paint(self) -> None:
        mine, theirs = self._texts
        parts = spans(mine, theirs) if mine and theirs else ([], [])
        for name, text, found, taken in (
            (".mine", mine, parts[0], self.mine),
            (".theirs", theirs, parts[1], not self.mine),
        ):
            shown = marked(text, found, "$text-accent") if text else plain(EMPTY)
            box = self.query_one(name, Static)
            box.update(Content("● " if taken else "○ ") + shown)
            box.set_class(taken, "-taken")


class ConflictScreen(Dialog[Decided]):
    """The fields that differ. Where only one side changed a field, its text is chosen already."""

    CSS_PATH = ["dialog.tcss", "conflict.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("m", "all(True)", "all mine"),
        Binding("t", "all(False)", "all theirs"),
        Binding("enter,ctrl+s", "done", "save what is ●", key_display="⏎"),
        Binding("escape", "close", "later"),
    ]

    def __init__(self, base: Case, mine: Case, theirs: CaseRecord) -> None:
        super().__init__()
        self._base, self._mine, self._theirs = base, mine, theirs

    def compose(self) -> ComposeResult:
        """The fields that differ, mine on the left."""
        mine, theirs = self._mine, self._theirs.case
        with VerticalScroll(classes="box", can_focus=False) as box:
            titled(box, f"{theirs.id} was saved by someone else meanwhile", "nothing was overwritten")
            with Horizontal(classes="both"):
                yield Static("mine, not saved", classes="title")
                yield Static(plain(f"theirs, version {self._theirs.version}"), classes="title")
            for name in changed_fields(mine, theirs):
                yield self._pair(name)
            if mine == theirs:
                yield Static("both say the same: Enter goes on", classes="said")
        yield Footline()

    def _pair(self, name: str) -> FieldPair:
        was, mine, theirs = (getattr(c, name) for c in (self._base, self._mine, self._theirs.case))
        if mine == was:
            who = "only they changed it"
        elif theirs == was:
            who = "only you changed it"
        else:
            who = "! both changed it"
        return FieldPair(name, as_text(mine), as_text(theirs), who, take_mine=mine != was)

    @property
    def _pairs(self) -> list[FieldPair]:
        return list(self.query(FieldPair))

    def on_mount(self) -> None:
        """The first field; long texts can be scrolled."""
        pairs = self._pairs
        self.set_focus(pairs[0] if pairs else None)

    def action_all(self, mine: bool) -> None:
        """Mine, or theirs, in every field, and done."""
        for pair in self._pairs:
            pair.action_take(mine)
        self.action_done()

    def action_done(self) -> None:
        """Go on with what is chosen."""
        chosen = {p.field: getattr(self._mine, p.field) for p in self._pairs if p.mine}
        mine = changed_fields(self._base, self._mine)
        left_out = tuple(said(p.field) for p in self._pairs if not p.mine and p.field in mine)
        self.dismiss(Decided(self._theirs.case.model_copy(update=chosen), left_out))
