"""Failures: the queue, clusters, all of them, the quarantine, what is asked; one of them beside the documents."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from time import monotonic
from typing import TYPE_CHECKING, ClassVar, TypeVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Static

from curator.errors import Cancelled
from curator.text import counted
from curator.tui.messages import KeysWelcome
from curator.tui.progress import AppProgress
from curator.tui.screens.failures_deciding import DecidingFailures
from curator.tui.screens.scrubbing import ScrubScreen
from curator.tui.widgets.failure_rows import (
    FILTERS,
    HINT,
    VIEWS,
    FailureRows,
    QueueRows,
    ask_rows,
    cluster_rows,
    scanned_rows,
)
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.row_list import ListedRows, RowList
from curator.tui.widgets.safe import flat, plain
from curator.tui.widgets.triage_pane import FOUND, Looked, TriagePane, head, look

if TYPE_CHECKING:
    from curator.services.clusters import Cluster, Clusters
    from curator.services.context import Context
    from curator.services.coverage import Board
    from curator.services.failure_import import LogReport
    from curator.services.folds import Ask as Pair
    from curator.services.privacy import Review, Scanned
    from curator.services.search import Hit

LONGEST = 5.0
"""Seconds for which keys wait for the next failure."""
Result = TypeVar("Result")
ONE_BY_ONE = ("queue", "all", "quarantine")


class FailureList(FilteredList):
    """The list of this room; it tells on which row the cursor is."""

    actions = "s: stage · d: dismiss · =: duplicates"

    class On(Message):
        """The cursor came to a row."""

        def __init__(self, name: str) -> None:
            self.name = name
            super().__init__()

    @on(RowList.Highlighted)
    def _on(self, event: RowList.Highlighted) -> None:
        self.post_message(self.On(event.row.id))


class FailuresScreen(DecidingFailures):
    """F4."""

    CSS_PATH = "failures.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("p", "promote", "promote"),
        Binding("P", "promote(True)", "promote, the answer is wrong", key_display="P"),
        *(Binding(str(n), f"pick({n})", f"take source {n} as evidence", show=False) for n in range(1, FOUND + 1)),
        Binding("f", "next_view", "other view"),
        Binding("v", "scrub", "personal data", show=False),
        Binding("n", "next(1)", "next", show=False),
        Binding("N", "next(-1)", "one before", show=False),
        Binding("w", "whole", "all of the text", show=False),
        Binding("escape", "back", "list"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._view = "queue"
        self._shown = ""
        self._cluster: Cluster | None = None
        self._clusters: tuple[Cluster, ...] = ()
        self._pairs: tuple[Pair, ...] = ()
        self._about = ""
        self._wanted = ""
        self._busy = self._relook = False
        self._since = 0.0
        self._only: tuple[str, ...] = ()
        self._in_common = self._first = ""
        self._picked: dict[str, tuple[str, ...]] = {}
        self._stop = threading.Event()

    def compose_room(self) -> ComposeResult:
        """Which view; the list, or one failure; the import."""
        yield Static("", id="view")
        columns = VIEWS["queue"].columns
        yield FailureList(columns, empty="opening …", hint=HINT, filters=FILTERS, marks=True, dom_id="failures")
        with Vertical(id="triage"):
            yield Static("", id="head")
            yield TriagePane(dom_id="pane")
        yield from self.compose_job()

    def on_mount(self) -> None:
        """Keys act on the list."""
        super().on_mount()
        self.set_focus(self._list)
        if self.curator.ctx is None:
            self._list.expect()

    @property
    def _board(self) -> Board:
        """What the suites have and lack; it keeps itself up to date."""
        return self.curator.board

    @property
    def _list(self) -> RowList:
        return self.query_one("#failures", FailureList).list

    @property
    def _pane(self) -> TriagePane:
        return self.query_one("#pane", TriagePane)

    # -- views --------------------------------------------------------------------------------------------------

    def refresh_room(self) -> None:
        """Read the list again; what is worked out over all failures only when it is asked for."""
        ctx = self.curator.ctx
        if ctx is None:
            return
        view, listed = VIEWS[self._view], self._list
        keep = self._shown == self._view
        if not keep:
            listed.columns, listed.order, listed.marks = view.columns, ("", False), self._view in ("queue", "all")
            listed.unmark()
        self._shown = self._view
        listed.empty = view.empty
        first, self._first = self._first, ""
        if self._only:
            listed.empty = "none of them is here any more"
            listed.show_rows(FailureRows(ctx, only=self._only), keep=keep, select=first)
        elif self._view == "queue":
            listed.show_rows(QueueRows(ctx, self._board, self._cluster.folds if self._cluster else ()), keep=keep)
        elif self._view in ONE_BY_ONE:
            listed.show_rows(FailureRows(ctx, quarantined=self._view == "quarantine"), keep=keep)
        elif self._view == "clusters" and (not keep or not self._clusters):
            self._work_out(self._cluster_them, self._show_clusters, "work out the clusters")
        elif self._view == "asked":
            self._work_out(self._pair_them, self._show_pairs, "look for pairs")
        elif self._view == "found" and not keep:
            self._work_out(self._scan, self._show_scanned, "look for personal data", reads=False)
        self._paint_view()
        self.ask(self._waiting, self._show_waiting, doing="count what waits", group="counts")
        self._relook = self.is_triaging
        if first:
            self._triage(first)

    def _work_out(
        self, work: Callable[[AppProgress, Context], Result], then: Callable[[Result], None], doing: str,
        *, reads: bool = True,
    ) -> None:  # fmt: skip
        self._stop.set()
        stop = self._stop = threading.Event()
        self._list.empty = f"{doing} …"
        self._list.show_rows(ListedRows())
        progress = AppProgress(lambda _snapshot: None, stop)
        self.ask(partial(work, progress), then, doing=doing, group="view", reads=reads,
                 failed=lambda error: isinstance(error, Cancelled))  # fmt: skip

    @staticmethod
    def _cluster_them(progress: AppProgress, ctx: Context) -> Clusters:
        from curator.services.clusters import clusters

        return clusters(ctx, progress=progress)

    @staticmethod
    def _pair_them(progress: AppProgress, ctx: Context) -> tuple[Pair, ...]:
        from curator.services import folds

        return (*folds.asked(ctx), *folds.suggested(ctx, semantic=False, progress=progress))

    @staticmethod
    def _scan(progress: AppProgress, ctx: Context) -> list[Scanned]:
        from curator.services import privacy

        return privacy.scan(ctx, progress=progress)

    def _show_scanned(self, found: list[Scanned]) -> None:
        if self._view == "found":
            self._list.empty = VIEWS["found"].empty
            self._list.show_rows(ListedRows(scanned_rows(found)))

    def _show_clusters(self, found: Clusters) -> None:
        self._clusters, self._about = found.clusters, f"by {found.by}"
        if self._view == "clusters":
            self._list.empty = VIEWS["clusters"].empty
            self._list.show_rows(ListedRows(cluster_rows(found)))
            self._paint_view()

    def _show_pairs(self, found: tuple[Pair, ...]) -> None:
        self._pairs = found
        if self._view == "asked":
            self._list.empty = VIEWS["asked"].empty
            self._list.show_rows(ListedRows(ask_rows(found)))

    @staticmethod
    def _waiting(ctx: Context) -> int:
        from curator.services import failures

        return failures.count(ctx, quarantined=True)

    def _show_waiting(self, count: int) -> None:
        self._in_quarantine = count
        if count and self._view == "queue" and not self._only:
            self._list.empty = f"nothing is open; {counted(count, 'row')} in quarantine, where f leads: read them first"
            self._list.refresh()
        self._paint_view()

    _in_quarantine = 0

    def _paint_view(self) -> None:
        view = VIEWS[self._view]
        said = f"{view.name}: {view.said}"
        if self._view == "clusters" and self._about:
            said = f"{view.name}: {self._about}"
        if self._cluster is not None and self._view == "queue":
            said = f"cluster: {flat(self._cluster.medoid)} (esc: all clusters)"
        elif self._only:
            said = f"{flat(self._in_common)} (esc: coverage)"
        elif self._in_quarantine and self._view != "quarantine":
            said += f" · ! {self._in_quarantine:,} in quarantine"
        self.query_one("#view", Static).update(plain(f" {said} · f: other view"))

    def action_next_view(self) -> None:
        """The queue, clusters, all failures, the quarantine, pairs that are asked about, what a scan finds."""
        names = list(VIEWS)
        self.show_view(names[(names.index(self._view) + 1) % len(names)])

    def show_view(self, view: str) -> None:
        """Show a view from its beginning."""
        self._leave()
        self._view, self._cluster, self._clusters, self._only = view, None, (), ()
        self.refresh_room()

    def show_some(self, names: Sequence[str], name: str, about: str) -> None:
        """Show failures that have something in common one by one, and one of them in full."""
        self._view, self._cluster, self._clusters, self._shown = "all", None, (), ""
        self._only, self._in_common, self._first = tuple(names), about, name
        if self.is_mounted:  # else it is shown when it has been mounted
            self._leave()
            self.refresh_room()

    def imported(self, report: LogReport) -> None:
        """Show what came in."""
        self.show_view("quarantine" if report.quarantined else "queue")

    def stop_all(self) -> None:
        """What is worked out, and an import."""
        super().stop_all()
        self._stop.set()

    @on(RowList.Chosen, "#failures RowList")
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        if self._view == "clusters":
            self._cluster = self._clusters[int(event.row.id)]
            self._view = "queue"
            self.refresh_room()
        elif self._view == "asked":
            self.judge(self._pairs[int(event.row.id)])
        elif self._view in ("quarantine", "found"):
            self._scrub(event.row.id)
        else:
            self._triage(event.row.id)

    def _triage(self, name: str) -> None:
        """One failure in full."""
        self.forget_job()
        self.add_class("-triage")
        self.set_focus(self.query_one("#was"))
        self._look(name)

    # -- one failure --------------------------------------------------------------------------------------------

    @property
    def is_triaging(self) -> bool:
        """Whether one failure is shown."""
        return self.has_class("-triage")

    @on(FailureList.On)
    def _moved(self, event: FailureList.On) -> None:
        event.stop()
        if self.is_triaging and event.name != self._wanted:
            self._look(event.name)

    @on(KeysWelcome)
    def _was_read(self, _event: KeysWelcome) -> None:
        """The list was read: what is under its cursor now is shown; when nothing is left in it, the list is."""
        if not self.is_triaging:
            return
        if self._list.count == 0:
            self._leave()
        elif self._relook and self._list.row is not None:
            self._relook = False
            self._look(self._list.row.id)

    @property
    def is_turning(self) -> bool:
        """Whether another failure is about to be shown, or the same with what was decided."""
        waits = self._busy or self._relook or self._current is None
        return self.is_triaging and waits and monotonic() - self._since < LONGEST

    def deciding(self, *, busy: bool) -> None:
        """A decision is being stored, or came to nothing."""
        self._busy, self._since = busy, monotonic()
        if not busy:
            self.post_message(KeysWelcome())

    def _look(self, name: str) -> None:
        self._wanted, self._since = name, monotonic()
        self.ask(partial(look, name=name, board=self._board), self._looked_at, doing=f"look at {name}", group="look")

    def _looked_at(self, looked: Looked) -> None:
        if looked.failure.id != self._wanted:
            return
        if not self._relook:
            self.deciding(busy=False)
        before = self._pane.looked
        name = looked.failure.id
        looked = replace(looked, picked=self._picked.get(name, ()))
        if before is not None and before.failure.id == name:
            looked = replace(looked, hits=before.hits)
        self._show(looked)
        if looked.hits is None:
            self.ask(partial(_found_now, looked.failure.question), partial(self._found, name), doing="search",
                     group="found", reads=True)  # fmt: skip
        self.ask(partial(_reviewed, name), partial(self._reviewed, name), doing="look for personal data",
                 group="review", reads=True)  # fmt: skip

    def _show(self, looked: Looked) -> None:
        self._pane.show(looked)
        self.query_one("#head", Static).update(plain(head(looked)))
        self.refresh_bindings()

    def _found(self, name: str, hits: tuple[Hit, ...]) -> None:
        looked = self._pane.looked
        if looked is not None and looked.failure.id == name:
            self._show(replace(looked, hits=hits))

    def _reviewed(self, name: str, review: Review) -> None:
        looked = self._pane.looked
        if looked is not None and looked.failure.id == name:
            self._show(replace(looked, review=review))

    @property
    def _current(self) -> Looked | None:
        """What is shown in full; None while it is being read."""
        looked = self._pane.looked
        return looked if self.is_triaging and looked is not None and looked.failure.id == self._wanted else None

    def action_pick(self, place: int) -> None:
        """Take a source that was found as evidence of the case to be, or let it go."""
        looked = self._current
        if looked is None or not looked.hits or place > len(looked.hits):
            return
        source = looked.hits[place - 1].source_id
        picked = tuple(s for s in looked.picked if s != source) if source in looked.picked else (*looked.picked, source)
        self._picked[looked.failure.id] = picked
        self._show(replace(looked, picked=picked))

    def action_next(self, by: int) -> None:
        """The next one, or the one before, undecided."""
        self._list.cursor += by

    def action_whole(self) -> None:
        """Long texts in full, or shortened again."""
        self._pane.turn_whole()

    def action_back(self) -> None:
        """To the list; from the list of a cluster to the clusters."""
        if self.is_triaging:
            self._leave()
        elif self._only:
            self.show_view("queue")
            self.curator.action_mode("coverage")
        elif self._cluster is not None:
            self.show_view("clusters")

    def _leave(self) -> None:
        self.remove_class("-triage")
        self._wanted, self._busy, self._relook = "", False, False
        self.set_focus(self._list)
        self.refresh_bindings()

    # -- decisions ----------------------------------------------------------------------------------------------

    def chosen(self) -> list[str]:
        """The failure that is shown; in the list what is marked, else the row under the cursor."""
        if self._view not in ONE_BY_ONE:
            return []
        if self.is_triaging:
            return [self._wanted] if self._current is not None else []
        if self._list.marked:
            return list(self._list.marked)
        return [self._list.row.id] if self._list.row is not None else []

    @property
    def whole_folds(self) -> bool:
        """The queue is one of folds."""
        return self._view == "queue"

    def decided(self, said: str) -> None:
        """Read again: what is decided leaves the queue, and the next one is shown."""
        self.notify(said, markup=False, timeout=4)
        self._list.unmark()
        self.refresh_room()

    def case_changed(self, origin: str) -> None:
        """A decision was taken back, or a promoted case was saved."""
        if origin == "saved" and self.is_current:
            self.refresh_room()

    def action_scrub(self) -> None:
        """Look at what may be personal data in it, and confirm its text."""
        names = self.chosen()
        if names:
            self._scrub(names[0])

    def _scrub(self, name: str) -> None:
        looked = self._current
        review = looked.review if looked is not None and looked.failure.id == name else None

        def done(answer: bool | None) -> None:
            if answer:
                self._shown = "" if self._view == "found" else self._shown  # it is looked through again
                self.decided(f"{name}: confirmed")
            else:
                self.refresh_room()

        self.app.push_screen(ScrubScreen(name, review), done)

    def action_promote(self, wrong: bool = False) -> None:
        """Make a case of it: its text is confirmed first, then the form opens, filled in; saving comes back here.

        Args:
            wrong: The production answer is wrong: it must not be claimed.
        """
        names = self.chosen()
        if names:
            looked = self._current
            review = looked.review if looked is not None else None
            self.curator.promote_failure(names[0], self._picked.get(names[0], ()), wrong=wrong, review=review)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done in this view, with one failure or with the list."""
        if not self.is_mounted:
            return True
        if action in ("pick", "next", "whole"):
            return self.is_triaging
        if action == "back":
            return self.is_triaging or self._cluster is not None or bool(self._only)
        if action in ("next_view", "import_log"):
            return not self.is_triaging
        if action in ("stage", "dismiss_failure", "duplicate", "open_again", "promote", "fold"):
            return self._view in ("queue", "all") and (self.is_triaging or self._list.row is not None)
        if action in ("scrub", "history"):
            return self._view in ONE_BY_ONE
        return super().check_action(action, parameters)


def _found_now(question: str, ctx: Context) -> tuple[Hit, ...]:
    from curator.services.search import search

    return search(ctx, question, limit=FOUND, semantic=False).hits


def _reviewed(name: str, ctx: Context) -> Review:
    from curator.services import privacy

    return privacy.review(ctx, name)
