"""What needs me: counts, and one key to start; what was worked on last; first steps in an empty workspace."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from curator.tui.messages import OpenCase, OpenDocument, ShowCases
from curator.tui.screens.room import Room
from curator.tui.theme import state
from curator.tui.times import ago
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import plain, titled

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.home import Overview, SuiteGaps

FIRST_STEPS = """\
Nothing is here yet. The way from a PDF to a suite:

  F2 i   1  ingest a PDF: its text, sections and table rows become sources
  F3     2  read it; stand on the row that proves the answer
  c  e   3  c begins a case there, e makes the row its evidence
  F5     4  say the behavior, the risk and the right answer; Ctrl+S saves
  F9     5  submit it; another person (--as ID) approves it with a
  F8 r   6  release the suite

F10 shows the keys of every screen, Ctrl+P finds an action by name."""


WHEN = Column("", 7, right=True, least=30)
LABELS = "1234567890abcdefhlmopqrstuvwxyz"
"""The keys of the lines: digits, then the letters that mean nothing else here."""
SAID = {
    "unsaved": ("●", "text was typed and not saved", "texts were typed and not saved"),
    "returned": ("↩", "of my cases came back with changes asked for", "of my cases came back with changes asked for"),
    "review": ("→", "case waits for a review that I can give", "cases wait for a review that I can give"),
    "disputed": ("!", "case is disputed: two labels differ", "cases are disputed: two labels differ"),
    "ratings": ("★", "output of a system waits for my rating", "outputs of a system wait for my rating"),
    "reconfirm": ("≠", "source waits to be re-confirmed", "sources wait to be re-confirmed"),
    "outdated": ("↻", "document was read by older rules: A there reads it again",
                 "documents were read by older rules: A there reads one again"),
    "draft": ("·", "of my cases is a draft", "of my cases are drafts"),
}  # fmt: skip
"""Glyph, what is said of one, what is said of several; the number stands before it."""
STATE = 9
"""Cells for the state of a case in one word."""


def overview(ctx: Context) -> Overview:
    """Read what needs the person; in a worker."""
    from curator.services import home

    return home.overview(ctx)


def gaps_of(ctx: Context) -> tuple[SuiteGaps, ...]:
    """Read what the suites lack; in a worker, after the rest, since it reads every approved case."""
    from curator.services import home

    return home.suite_gaps(ctx)


class HomeScreen(Room):
    """F1."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_case", "new case"),
        Binding("i", "ingest", "ingest a PDF"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._seen: Overview | None = None
        self._gaps: tuple[SuiteGaps, ...] = ()
        self._toured = False

    def compose_room(self) -> ComposeResult:
        """Two columns, one under the other on narrow screens."""
        with Horizontal(id="halves"):
            with Vertical(classes="half", id="needs"):
                todo = RowList(
                    [Column("", 2), Column("", 1), Column("", 4, right=True), Column("")],
                    empty="opening …",
                    head=False,
                    dom_id="todo",
                )
                titled(todo, "what needs me", "its key starts a line")
                yield todo
                work = Static("", id="work")
                titled(work, "background")
                yield work
            with Vertical(classes="half", id="recent"):
                papers = RowList(
                    [Column(""), Column("", 6, right=True, least=44), WHEN],
                    empty="opening …",
                    head=False,
                    dom_id="documents",
                )
                titled(papers, "documents")
                yield papers
                lately = RowList(
                    [Column("", 1), Column("", STATE, least=44), Column(""), WHEN],
                    empty="opening …",
                    head=False,
                    dom_id="cases",
                )
                titled(lately, "changed lately")
                yield lately
        yield Static(plain(FIRST_STEPS), id="first")

    def on_mount(self) -> None:
        """Keys act at once."""
        super().on_mount()
        self.set_focus(self.query_one("#todo"))

    def refresh_room(self) -> None:
        """Count again; what the suites lack comes after the rest."""
        self.ask(overview, self._show, doing="look what needs you", group="home")
        self.ask(gaps_of, self._lacking, doing="look what the suites lack", group="gaps")

    def case_changed(self, origin: str) -> None:
        """A save changes the counts."""
        if origin == "saved" and self.is_current:
            self.refresh_room()

    def show_work(self, said: str) -> None:
        """What runs in the background."""
        box = self.query_one("#work", Static)
        box.update(plain(said))
        box.display = bool(said)

    def _lacking(self, gaps: tuple[SuiteGaps, ...]) -> None:
        self._gaps = gaps
        self._paint_todo()

    def _paint_todo(self) -> None:
        if self._seen is None:
            return
        todo = self.query_one("#todo", RowList)
        todo.empty = "nothing waits for you"
        todo.show_rows(ListedRows(_todo(self._seen, self._gaps, self.curator.unseen)), keep=True)

    def _show(self, seen: Overview) -> None:
        self._seen = seen
        empty = not seen.documents and not seen.counts
        self.set_class(empty, "-empty")
        self._paint_todo()
        papers = [
            Row(n, d.id, (d.title or d.id, f"{d.pages} p.", ago(d.at))) for n, d in enumerate(seen.recent_documents)
        ]
        self._put("#documents", papers, "no documents yet")
        lately = [
            Row(n, c.id, (state(c.status)[0], state(c.status)[2:].partition(" req")[0], c.question or c.id, ago(c.at)))
            for n, c in enumerate(seen.recent_cases)
        ]
        self._put("#cases", lately, "no cases yet")
        self.show_work(self.curator.work)
        if empty and not self._toured and self.is_current:  # who has gone elsewhere is not brought back
            self._toured = True
            from curator.tui.screens.tour import begin_first_tour

            begin_first_tour(self.curator)

    def _put(self, where: str, rows: list[Row], empty: str) -> None:
        listed = self.query_one(where, RowList)
        listed.empty = empty
        listed.show_rows(ListedRows(rows), keep=True)

    def on_key(self, event: events.Key) -> None:
        """The key of a line starts it."""
        if event.character and (place := LABELS.find(event.character)) >= 0:
            todo = self.query_one("#todo", RowList)
            if place < todo.count:
                event.stop()
                event.prevent_default()
                todo.cursor = place
                todo.action_choose()

    @on(RowList.Chosen, "#todo")
    def _start(self, event: RowList.Chosen) -> None:
        event.stop()
        kind, _, name = event.row.id.partition(" ")
        app = self.curator
        if kind == "gap":
            app.show_coverage(name)
        elif kind == "errors":
            app.action_errors()
        elif kind == "unsaved":
            app.action_drafts()
        elif kind == "ratings":
            from curator.tui.screens.rating_start import open_sample

            open_sample(self, int(name))
        elif kind == "reconfirm":
            app.action_mode("reconfirm")
        elif kind == "outdated":
            app.action_mode("sources")
        elif kind in ("review", "disputed"):
            app.next_review()
        else:
            self.post_message(ShowCases({"returned": "changes_requested"}.get(kind, "draft")))

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
        self.curator.start_case(then=self.curator.begin_case)

    def action_ingest(self) -> None:
        """Go to Sources and ask for a file."""
        self.curator.action_mode("sources")
        self.curator.call_later(self.curator.ask_for_file)


def _todo(seen: Overview, gaps: tuple[SuiteGaps, ...], errors: int) -> list[Row]:
    lines = []
    for need in seen.needs:
        glyph, one, many = SAID[need.kind]
        lines.append((f"{need.kind} {need.first}", glyph, str(need.count), one if need.count == 1 else many))
    for suite in gaps:
        if suite.gaps:
            gap, more = suite.gaps[0], len(suite.gaps) - 1
            said = f"gap{'s' if more else ''}: {suite.suite} lacks {gap.words}"
            lines.append((f"gap {suite.suite}", "!", str(len(suite.gaps)), said + (f"; {more} more" if more else "")))
    if errors:
        went = "thing went wrong: F12 shows it" if errors == 1 else "things went wrong: F12 lists them"
        lines.append(("errors", "!", str(errors), went))
    return [Row(n, name, (LABELS[n : n + 1], *cells)) for n, (name, *cells) in enumerate(lines)]
