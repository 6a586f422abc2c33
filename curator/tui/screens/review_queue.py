"""Review: what waits for whom and why; one key takes the next, and F6 leads here and to what is to be re-confirmed."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.widgets import Static

from curator.text import counted
from curator.tui.adjudicating import Adjudicating
from curator.tui.messages import OpenCase
from curator.tui.screens.room import Room
from curator.tui.times import ago
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.services.agreement import Agreement
    from curator.services.context import Context
    from curator.services.waiting import Waiting

GLYPHS = {"adjudication": "!", "label": "→", "approval": "→", "changes": "↩"}
ASKED = {"adjudication": "decide", "label-1": "label 1", "label-2": "label 2", "approval": "approve", "": ""}
KINDS = {"adjudication": "decision", "label": "label", "approval": "approval", "changes": "changes"}


class Seen(NamedTuple):
    """What is read: all that waits, and how many sources and refusals are to be re-confirmed."""

    waiting: tuple[Waiting, ...]
    sources: int


def look(ctx: Context) -> Seen:
    """Read what waits; in a worker."""
    from curator.services import reconfirm
    from curator.services.waiting import waiting

    return Seen(waiting(ctx), len(reconfirm.waiting(ctx)) + len(reconfirm.refusals(ctx)))


def measured(ctx: Context) -> Agreement:
    """How far people agree, in all and by risk and domain; in a worker."""
    from curator.services.agreement import agreement

    return agreement(ctx, BY)


BY = ("domain",)


class ReviewScreen(Adjudicating, Room):
    """F6."""

    CSS_PATH = "review_queue.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("v", "next_review", "next review"),
        Binding("o", "open", "only look"),
        Binding("r", "mode('reconfirm')", "re-confirm"),
        Binding("m", "agreement", "agreement"),
        Binding("L", "let_go_reviews", "give back what is in hand", show=False, key_display="L"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._waiting: dict[str, Waiting] = {}

    def compose_room(self) -> ComposeResult:
        """How much waits; the cases; why the one under the cursor does."""
        yield Static("", id="summary")
        columns = [
            Column("", 1),
            Column("for you", 8),
            Column("waits for", 10, least=90),
            Column("question"),
            Column("who can", 20, least=60, wide=32),
            Column("since", 9, right=True, least=76),
            Column("domain", 16, least=120),
        ]
        yield RowList(columns, empty="opening …", dom_id="queue")
        yield Static("", id="why")

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self._list)

    @property
    def _list(self) -> RowList:
        return self.query_one("#queue", RowList)

    @property
    def _here(self) -> Waiting | None:
        row = self._list.row
        return self._waiting.get(row.id) if row else None

    def refresh_room(self) -> None:
        """Read again what waits."""
        self.ask(look, self._show, doing="look what waits in review", group="queue", reads=True)

    def case_changed(self, origin: str) -> None:
        """A decision was made or taken back."""
        if origin == "saved" and self.is_current:
            self.refresh_room()

    def _show(self, seen: Seen) -> None:
        self._waiting = {w.case_id: w for w in seen.waiting}
        self._list.empty = "nothing is in review"
        self._list.show_rows(ListedRows([_row(n, w) for n, w in enumerate(seen.waiting)]), keep=True)
        self.query_one("#summary", Static).update(plain(_summary(seen)))
        self._say_why()
        self.refresh_bindings()

    @on(RowList.Highlighted, "#queue")
    def _highlighted(self, event: RowList.Highlighted) -> None:
        event.stop()
        self._say_why()

    def _say_why(self) -> None:
        found = self._here
        self.query_one("#why", Static).update(plain(_why(found) if found else ""))

    @on(RowList.Chosen, "#queue")
    def _take(self, event: RowList.Chosen) -> None:
        """Take the case in hand, where it waits for who acts; else look at it."""
        event.stop()
        found = self._waiting[event.row.id]
        if found.mine == "adjudication":
            self.adjudicate(found.case_id)
        elif found.mine:
            self.curator.take_review(found.case_id)
        else:
            self.post_message(OpenCase(found.case_id))

    def action_open(self) -> None:
        """Look at the case without taking it in hand."""
        if self._here is not None:
            self.post_message(OpenCase(self._here.case_id))

    def action_next_review(self) -> None:
        """Take what the queue gives next."""
        self.curator.next_review()

    def action_mode(self, mode: str) -> None:
        """To what is to be re-confirmed."""
        self.curator.action_mode(mode)

    def action_let_go_reviews(self) -> None:
        """Give back all that is in hand."""

        def work(ctx: Context) -> int:
            from curator.services import queueing

            return queueing.let_go(ctx)

        def gone(count: int) -> None:
            self.notify(f"given back: {counted(count, 'case')}", markup=False)
            self.refresh_room()

        self.ask(work, gone, doing="give back what is in hand")

    def action_agreement(self) -> None:
        """How far people agree who labeled the same cases."""
        self.ask(measured, self._show_agreement, doing="measure agreement", group="agreement", reads=True)

    def _show_agreement(self, found: Agreement) -> None:
        from curator.tui.screens.agreement import AgreementScreen

        self.app.push_screen(AgreementScreen(found, BY), partial(_nothing, self))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done with what is here."""
        return not (self.is_mounted and action == "open" and self._here is None)


def _nothing(_screen: ReviewScreen, _answer: None) -> None:
    """A dialog was closed."""


def _row(place: int, found: Waiting) -> Row:
    mine = "yours" if found.kind == "changes" and found.for_me else ASKED[found.mine]
    cells = (
        GLYPHS[found.kind], mine or "·", KINDS[found.kind], found.question or found.case_id, found.people,
        ago(found.since), found.domain,
    )  # fmt: skip
    return Row(place, found.case_id, cells, "" if found.for_me else "muted")


def _summary(seen: Seen) -> str:
    mine = [w for w in seen.waiting if w.for_me]
    counts = [(sum(w.mine == "adjudication" for w in mine), "to decide"),
              (sum(w.mine.startswith("label") for w in mine), "to label"),
              (sum(w.mine == "approval" for w in mine), "to approve"),
              (sum(w.kind == "changes" for w in mine), "to change")]  # fmt: skip
    said = ", ".join(f"{n} {what}" for n, what in counts if n) or "nothing"
    more = f" · {counted(len(seen.waiting), 'case')} in all" if seen.waiting else ""
    sources = f" · {seen.sources} to re-confirm: r" if seen.sources else ""
    return f"for you: {said}{more}{sources}"


def _why(found: Waiting) -> str:
    hand = f" · in hand: {found.in_hand}" if found.in_hand else ""
    does = {"adjudication": "⏎ shows both labels", "": "⏎ shows the case"}.get(found.mine, "⏎ takes it in hand")
    lines = [f"{found.case_id} by {found.author} · {found.why}", f"who can: {found.people}{hand} · {does}"]
    return "\n".join(flat(line) for line in lines)
