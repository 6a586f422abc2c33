"""Search in all documents, as one types: by words at once, in a better order by meaning when one pauses."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.timer import Timer
from textual.widgets import Input, Static

from curator.errors import MissingExtra
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.room import Room
from curator.tui.widgets.safe import SafeInput, flat, plain
from curator.tui.widgets.source_hits import SourceHits

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.search import Found

TYPE_WAIT = 0.12
MOST = 50
KINDS = (("", "rows and text"), ("row", "table rows"), ("chunk", "running text"))


@dataclass(frozen=True)
class Answer:
    """What was found, with the titles of its documents."""

    found: Found
    titles: dict[str, str]


class SearchScreen(Room):
    """`?`. Enter opens the reader there, Esc goes back to where one came from."""

    CSS_PATH = "search.tcss"
    IDLE: ClassVar[float] = 0.8
    """Seconds without typing after which meaning is asked."""
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "back", "back"),
        Binding("ctrl+t", "kind", "rows / text", priority=True),
        Binding("ctrl+x", "stop", "stop reading", show=False, priority=True),
        Binding("slash,question_mark", "type", "type", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._asked = ""
        self._kind = 0
        self._timer: Timer | None = None
        self._stopped = threading.Event()
        self._preparing: threading.Event | None = None
        self._prepared = False
        self._semantic = ""
        self._reading = ""
        self._left = False

    def compose_room(self) -> ComposeResult:
        """The line to type in, what was found, the state."""
        yield SafeInput(placeholder="search in all documents …", dom_id="query")
        yield SourceHits(dom_id="hits")
        yield Static("", id="state")

    def on_mount(self) -> None:
        """Type at once."""
        super().on_mount()
        self._hits.empty = "type words or numbers; the last word may be unfinished"
        self.set_focus(self.query_one("#query", SafeInput))

    def on_screen_suspend(self) -> None:
        """Another place is in front, or a dialog."""
        self._left = self._left or self.curator.current_mode != "search"

    def on_screen_resume(self, event: events.ScreenResume) -> None:
        """Whoever comes from elsewhere finds the words of the last search, and replaces them by typing."""
        line = self.query_one("#query", SafeInput)
        if self._left and line.has_focus and line.value == self._asked:
            line.select_all()
        self._left = False

    @property
    def _hits(self) -> SourceHits:
        return self.query_one("#hits", SourceHits)

    def refresh_room(self) -> None:
        """Say whether meaning is asked; search again what stands there, since documents may have changed."""
        from curator.services import search

        if not self._semantic:
            self._semantic = search.semantic_state()
        self._paint_state()
        if not self._asked and self.query_one("#query", SafeInput).value.strip():
            self._search(self.query_one("#query", SafeInput).value)

    # -- typing -------------------------------------------------------------------------------------------------

    @on(Input.Changed, "#query")
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        if self._timer is not None:
            self._timer.stop()
        self._stopped.set()  # a search that still runs is void
        self._timer = self.set_timer(TYPE_WAIT, partial(self._search, event.value))

    @on(Input.Submitted, "#query")
    def _entered(self, event: Input.Submitted) -> None:
        event.stop()
        if event.value == self._asked and self._hits.hits:
            self._hits.action_choose()
        else:
            self._search(event.value)

    def on_key(self, event: events.Key) -> None:
        """Arrows move in the list while one types."""
        if event.key in ("up", "down", "pageup", "pagedown") and not self._hits.has_focus:
            event.stop()
            event.prevent_default()
            by = -1 if event.key.endswith("up") else 1
            self._hits.action_page(by) if event.key.startswith("page") else self._hits.action_move(by)

    def action_type(self) -> None:
        """Back into the line."""
        self.set_focus(self.query_one("#query", SafeInput))

    def action_kind(self) -> None:
        """Only table rows, only running text, or both."""
        self._kind = (self._kind + 1) % len(KINDS)
        self._search(self.query_one("#query", SafeInput).value)

    # -- searching ----------------------------------------------------------------------------------------------

    def _search(self, text: str, *, deep: bool = False) -> None:
        if self._timer is not None:
            self._timer.stop()
        if self.curator.ctx is None:
            return
        self._asked = text
        if not text.strip():
            self._hits.show_hits([], {})
            self._paint_state()
            return
        self._stopped = threading.Event()
        progress = AppProgress(partial(self.app.call_later, self._told), self._stopped)
        self.ask(
            partial(_find, text, KINDS[self._kind][0], deep, progress),
            partial(self._found, text, deep),
            doing="search",
            group="search",
            reads=True,
        )

    def _told(self, snapshot: Snapshot) -> None:
        total = f" {snapshot.done}/{snapshot.total}" if snapshot.total else ""
        self._paint_state(f"{snapshot.stage}{total} …")

    def _found(self, text: str, deep: bool, answer: Answer) -> None:
        if text != self._asked:
            return
        self._hits.empty = answer.found.note
        moved = self._hits.at > 0
        if deep and moved:  # whoever has begun to go through the list keeps its order
            self._semantic = answer.found.semantic
        else:
            self._hits.show_hits(answer.found.hits, answer.titles)
        if deep:
            self._semantic = answer.found.semantic
            self._prepare()
        elif self._semantic == "on":
            self._timer = self.set_timer(self.IDLE, partial(self._search, text, deep=True))
        self._paint_state()

    def _paint_state(self, doing: str = "") -> None:
        said = [doing] if doing else []
        if self._asked.strip() and not doing:
            said.append(f"{len(self._hits.hits)} found" + (" or more" if len(self._hits.hits) == MOST else ""))
        said.append(f"{KINDS[self._kind][1]} (Ctrl+T)")
        said += [self._reading] if self._reading else []
        said.append(f"semantic: {self._semantic or '…'}")
        self.query_one("#state", Static).update(plain(flat(" · ".join(said))), layout=False)

    @on(SourceHits.Chosen)
    def _open(self, event: SourceHits.Chosen) -> None:
        event.stop()
        hit = event.hit
        self.curator.desk.searched = " ".join(self._asked.split())
        self.curator.show_document(hit.document_id, hit.page, hit.source_id)

    def action_back(self) -> None:
        """Where one came from."""
        if not self.curator.go_back():
            self.curator.action_mode("home")

    # -- reading ahead for meaning ------------------------------------------------------------------------------

    def _prepare(self) -> None:
        """Once meaning was asked: work out the vectors of all sources, so that later searches are quick."""
        if self._prepared or self._preparing is not None or self._semantic != "on":
            return
        from curator.services import search

        stopped = self._preparing = threading.Event()
        progress = AppProgress(partial(self.app.call_later, self._read_on), stopped)
        self.ask(
            lambda ctx: search.prepare(ctx, progress),
            self._ready,
            doing="read for meaning",
            failed=self._not_ready,
            reads=True,
        )

    def _read_on(self, snapshot: Snapshot) -> None:
        if self._preparing is not None and not self._preparing.is_set():
            self._reading = f"{snapshot.stage} {snapshot.done or ''} (Ctrl+X stops)"
            self._paint_state()

    def _ready(self, _made: int) -> None:
        self._prepared, self._preparing, self._reading = True, None, ""
        self._paint_state()

    def _not_ready(self, error: Exception) -> bool:
        self._preparing, self._reading = None, ""
        self._paint_state()
        if isinstance(error, MissingExtra):
            self._semantic = f"off ({error.message}; {error.hint})"
        return True if type(error).__name__ == "Cancelled" else isinstance(error, MissingExtra)

    def action_stop(self) -> None:
        """Stop reading for meaning; what was read is kept."""
        if self._preparing is not None:
            self._preparing.set()
            self._prepared = True

    def stop_all(self) -> None:
        """The app closes."""
        self._stopped.set()
        if self._preparing is not None:
            self._preparing.set()


def _find(text: str, kind: str, deep: bool, progress: AppProgress, ctx: Context) -> Answer:
    """Search, and read the titles of the documents; in a worker."""
    from curator.services import documents, search

    if deep:
        found = search.search(ctx, text, kind=kind, limit=MOST, progress=progress)
    else:
        found = search.search(ctx, text, kind=kind, limit=MOST, prefix=True, semantic=False, progress=progress)
    names = dict.fromkeys(hit.document_id for hit in found.hits)
    return Answer(found, {name: documents.get(ctx, name).title for name in names})
