"""What needs me: counts, and one key to start; what was worked on last; first steps in an empty workspace."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from curator.tui.messages import OpenCase, OpenDocument, ShowCases
from curator.tui.screens.room import Room
from curator.tui.theme import state
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled

if TYPE_CHECKING:
    from curator.services.context import Context

RECENT = 8
FIRST_STEPS = """\
Nothing is here yet. The way from a PDF to a suite:

  F2 i   1  ingest a PDF: its text, sections and table rows become sources
  F3     2  read it; stand on the row that proves the answer
  c  e   3  c begins a case there, e makes the row its evidence
  F5     4  say the behavior, the risk and the right answer; Ctrl+S saves
  F9     5  submit it; another person (--as ID) approves it with a
  F8 r   6  release the suite

F10 shows the keys of every screen, Ctrl+P finds an action by name."""


@dataclass(frozen=True)
class Overview:
    """What Home shows."""

    counts: dict[str, int] = field(default_factory=dict)
    mine: int = 0
    gaps: tuple[tuple[str, str], ...] = ()
    documents: tuple[tuple[str, str], ...] = ()
    document_count: int = 0
    cases: tuple[tuple[str, str, str], ...] = ()


def overview(ctx: Context) -> Overview:
    """Read what Home shows; in a worker."""
    from curator.services import cases, documents, release

    counts = cases.counts_by_status(ctx)
    papers = documents.page_of(ctx, limit=RECENT)
    newest = cases.page_of(ctx, before=2**62, limit=RECENT)
    gaps = [(s.name, f"{g.name}: has {g.have:g}, needs {g.need:g}") for s in release.suites(ctx) for g in s.gaps]
    return Overview(
        counts,
        cases.count(ctx, where={"status": "draft", "author": ctx.actor_id}) if ctx.actor_id else 0,
        tuple(gaps),
        tuple((p.id, p.title) for p in papers),
        documents.count(ctx),
        tuple((c.id, c.status, c.question) for c in newest),
    )


class HomeScreen(Room):
    """F1."""

    CSS_PATH = "home.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_case", "new case"),
        Binding("i", "ingest", "ingest a PDF"),
    ]

    def compose_room(self) -> ComposeResult:
        """Two columns, one under the other on narrow screens."""
        with Horizontal(id="halves"):
            with Vertical(classes="half"):
                todo = RowList([Column("", 4, right=True), Column("")], empty="opening …", head=False, dom_id="todo")
                titled(todo, "what needs me")
                yield todo
                work = Static("", id="work")
                titled(work, "background")
                yield work
            with Vertical(classes="half", id="recent"):
                papers = RowList([Column("")], empty="no documents yet", head=False, dom_id="documents")
                titled(papers, "documents")
                yield papers
                lately = RowList([Column("", 1), Column("")], empty="no cases yet", head=False, dom_id="cases")
                titled(lately, "newest cases")
                yield lately
        yield Static(plain(FIRST_STEPS), id="first")

    def on_mount(self) -> None:
        """Keys act at once."""
        super().on_mount()
        self.set_focus(self.query_one("#todo"))

    def refresh_room(self) -> None:
        """Count again."""
        self.ask(overview, self._show, doing="look what needs you", group="home")

    def case_changed(self, origin: str) -> None:
        """A save changes the counts."""
        if origin == "saved" and self.is_current:
            self.refresh_room()

    def show_work(self, said: str) -> None:
        """What runs in the background."""
        box = self.query_one("#work", Static)
        box.update(plain(said))
        box.display = bool(said)

    def _show(self, seen: Overview) -> None:
        empty = not seen.document_count and not seen.counts
        self.set_class(empty, "-empty")
        self.query_one("#todo", RowList).show_rows(ListedRows(_todo(seen)), keep=True)
        self.query_one("#todo", RowList).empty = "nothing waits for you"
        papers = [Row(n, name, (f"{name}  {title}",)) for n, (name, title) in enumerate(seen.documents)]
        self.query_one("#documents", RowList).show_rows(ListedRows(papers), keep=True)
        lately = [
            Row(n, name, (state(s).partition(" ")[0], f"{q or name}  {state(s).partition(' ')[2]}"))
            for n, (name, s, q) in enumerate(seen.cases)
        ]
        self.query_one("#cases", RowList).show_rows(ListedRows(lately), keep=True)
        self.show_work(self.curator.work)
        if empty and self.focused is self.query_one("#todo"):
            self.query_one("#todo", RowList).refresh()

    @on(RowList.Chosen, "#todo")
    def _start(self, event: RowList.Chosen) -> None:
        event.stop()
        kind, _, name = event.row.id.partition(" ")
        if kind == "gap":
            self.curator.action_mode("suites")
        elif kind == "unsaved":
            self.curator.open_case(name, lambda: self.curator.action_mode("case"))
        else:
            self.post_message(ShowCases(name))

    @on(RowList.Chosen, "#documents")
    def _read(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(OpenDocument(event.row.id))

    @on(RowList.Chosen, "#cases")
    def _case(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(OpenCase(event.row.id))

    def action_new_case(self) -> None:
        """Begin a case that is on no document yet."""
        self.curator.start_case(then=lambda: self.curator.action_mode("case"))

    def action_ingest(self) -> None:
        """Go to Sources and ask for a file."""
        self.curator.action_mode("sources")
        self.curator.call_later(self.curator.ask_for_file)


def _todo(seen: Overview) -> list[Row]:
    counts = seen.counts
    lines = [
        ("status changes_requested", counts.get("changes_requested", 0), "↩ cases came back with changes asked for"),
        ("status in_review", counts.get("in_review", 0), "→ cases wait for a review"),
        ("status draft", counts.get("draft", 0), f"· drafts, {seen.mine} of them mine"),
        ("status approved", counts.get("approved", 0), "✓ cases are approved"),
    ]
    rows = [Row(n, name, (str(count), said)) for n, (name, count, said) in enumerate(lines) if count]
    rows += [Row(100 + n, f"gap {suite}", ("!", f"{suite} lacks {gap}")) for n, (suite, gap) in enumerate(seen.gaps)]
    return rows
