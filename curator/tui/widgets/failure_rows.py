"""Failures as rows of a list: the queue, all of them, the quarantine, clusters, pairs that are asked about."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

from curator.states import FAILURE_STATES
from curator.tui.filters import Columns
from curator.tui.widgets.columns import Column
from curator.tui.widgets.row_window import Row

if TYPE_CHECKING:
    from curator.domain.failure import FailureLine
    from curator.domain.listing import ListKey, ListQuery
    from curator.services.clusters import Clusters
    from curator.services.context import Context
    from curator.services.coverage import Board
    from curator.services.failures import QueueItem
    from curator.services.folds import Ask
    from curator.services.privacy import Scanned

STAGES = ("parsing", "chunking", "retrieval", "ranking", "routing", "conversation", "generation", "harness", "other")
FILTERS = Columns(
    {
        "route": "route", "stage": "stage", "document": "document", "state": "state", "feedback": "feedback",
        "language": "language", "week": "week", "session": "session", "id": "id", "question": "question",
        "answer": "answer",
    },
    {"state": ("new", "promoted", "dismissed", "duplicate"), "feedback": ("bad", "neutral", "good"), "stage": STAGES},
)  # fmt: skip
HINT = "words, or route:… stage:… document:… state:new"


@dataclass(frozen=True)
class View:
    """One way to look at the failures: its name, what it says when it is empty, and its columns."""

    name: str
    said: str
    empty: str
    columns: tuple[Column, ...]


_QUESTION = Column("question", name="question")
VIEWS = {
    "queue": View("queue", "open, folded, the most urgent first", "nothing is open: i imports a log", (
        Column("", 1), Column("why here", 24, wide=36), Column("question"), Column("×", 4, right=True),
        Column("route", 14, least=76), Column("stage", 12, least=110), Column("document", 22, least=130),
    )),
    "clusters": View("clusters", "by route, stage and document, then by what is asked", "nothing is open", (
        Column("", 1), Column("fails", 5, right=True), Column("folds", 5, right=True), Column("in the middle"),
        Column("route", 14), Column("stage", 12, least=90), Column("document", 20, least=110),
        Column("farthest from it", 30, least=140),
    )),
    "all": View("all failures", "one by one", "no failures yet: i imports a log", (
        Column("", 1), _QUESTION, Column("state", 10, least=60, name="state"),
        Column("route", 14, least=70, name="route"), Column("stage", 12, least=90, name="stage"),
        Column("score", 6, least=96, right=True, name="score"), Column("said", 7, least=100, name="feedback"),
        Column("document", 20, least=120, name="document"), Column("id", 7, right=True, name="seq"),
    )),
    "quarantine": View("quarantine", "nobody looked for names: read each and confirm it", "nothing is in quarantine", (
        Column("", 1), _QUESTION, Column("route", 14, least=70, name="route"),
        Column("id", 7, right=True, name="seq"),
    )),
    "asked": View("asked", "nearly the same: say of each pair whether it is", "nothing is asked", (
        Column("", 1), Column("like", 5, right=True), Column("by", 8, least=70), Column("question"), Column("other"),
    )),
    "found": View("personal data", "what the detector of today finds in failures and cases", "nothing is found", (
        Column("", 1), Column("id"), Column("what", 9), Column("blocks", 7, right=True),
        Column("to be ticked", 13, right=True), Column("", 16),
    )),
}  # fmt: skip


def asked_of(
    contains: str, order: tuple[str, bool] = ("seq", False), only: tuple[str, ...] | None = None
) -> ListQuery:  # fmt: skip
    """What a filter line asks, in an order; `only`: of these failures."""
    from curator.domain.listing import ListQuery

    typed = FILTERS.read(contains)
    exact, like = FILTERS.split(typed)
    return ListQuery(order[0], order[1], typed.contains, like, exact, only=only)


class FailureRows:
    """Failures one by one, in the order of a column, in which equals follow their import; () = all of them."""

    immediate = False

    def __init__(
        self, ctx: Context, *, quarantined: bool = False, order: tuple[str, bool] = ("seq", False),
        only: tuple[str, ...] = (),
    ) -> None:  # fmt: skip
        self._ctx = ctx
        self._only = only or None
        self._quarantined = quarantined
        self._order = order

    def ordered(self, column: str, *, descending: bool) -> FailureRows:
        """The same in another order."""
        return FailureRows(self._ctx, quarantined=self._quarantined, order=(column, descending), only=self._only or ())

    def _rows(self, contains: str, limit: int, *, after: Hashable | None = None, before: Hashable | None = None,
              back: bool = False) -> list[Row]:  # fmt: skip
        from curator.services import failures

        keys = cast("tuple[ListKey | None, ListKey | None]", (after, before))
        query = asked_of(contains, self._order, self._only)
        lines = failures.page_of(
            self._ctx, query, after=keys[0], before=keys[1], back=back, limit=limit, quarantined=self._quarantined
        )
        return [_row(query.key_of(line), line, quarantined=self._quarantined) for line in lines]

    def count(self, contains: str) -> int:
        """How many."""
        from curator.services import failures

        return failures.count(self._ctx, asked_of(contains, only=self._only), quarantined=self._quarantined)

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        return self._rows(contains, limit, after=key)

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        return self._rows(contains, limit, before=key, back=True)

    def key_at(self, place: int, contains: str, *, back: bool) -> Hashable | None:
        """The key of a place."""
        from curator.services import failures

        query = asked_of(contains, self._order, self._only)
        return failures.key_at(self._ctx, query, place, back=back, quarantined=self._quarantined)

    def ids(self, contains: str) -> Sequence[str]:
        """Ids of all of them."""
        from curator.services import failures

        return failures.names(self._ctx, asked_of(contains, only=self._only), quarantined=self._quarantined)


class QueueRows:
    """Open folds in the order of the queue. The key of a row is its place: the order is worked out for every page."""

    immediate = False

    def __init__(self, ctx: Context, board: Board, folds: Sequence[int] = ()) -> None:
        self._ctx = ctx
        self._board = board
        self._folds = tuple(folds)

    def _items(self, contains: str, start: int, limit: int) -> list[QueueItem]:
        from curator.services import failures
        from curator.services.wanted import wanted

        gaps = wanted(self._board)
        query = asked_of(contains)
        return failures.queue(self._ctx, query, folds=self._folds, wanted=gaps, start=start, limit=limit)

    def count(self, contains: str) -> int:
        """How many folds."""
        from curator.services import failures

        return failures.queue_length(self._ctx, asked_of(contains), folds=self._folds)

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        start = cast("int", key) + 1 if key is not None else 0
        return [_queued(start + n, item) for n, item in enumerate(self._items(contains, start, limit))]

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        end = cast("int", key) if key is not None else self.count(contains)
        start = max(0, end - limit)
        rows = [_queued(start + n, item) for n, item in enumerate(self._items(contains, start, end - start))]
        return rows[::-1]

    def key_at(self, place: int, contains: str, *, back: bool) -> Hashable | None:
        """The key of a place."""
        count = self.count(contains)
        return (count - 1 - place if back else place) if place < count else None

    def ids(self, contains: str) -> Sequence[str]:
        """The failures that are shown for the folds."""
        return [item.failure_id for item in self._items(contains, 0, -1)]


def _queued(place: int, item: QueueItem) -> Row:
    why = item.reasons[:-1] if len(item.reasons) > 1 else item.reasons
    cells = ("·", ", ".join(why), item.question, str(item.size), item.route, item.stage, item.document)
    return Row(place, item.failure_id, cells)


def _row(key: Hashable, line: FailureLine, *, quarantined: bool) -> Row:
    if quarantined:
        return Row(key, line.id, ("!", line.question, line.route, line.id))
    glyph, _, word = FAILURE_STATES[line.state].partition(" ")
    cells = (glyph, line.question, word, line.route, line.stage, line.score, line.feedback, line.document, line.id)
    return Row(key, line.id, cells, "" if line.state == "new" else "muted")


def cluster_rows(found: Clusters) -> list[Row]:
    """A row for each cluster; its id is its place."""
    return [
        Row(n, str(n), ("·", str(c.size), str(len(c.folds)), c.medoid, c.route, c.stage, c.document,
                        c.farthest if len(c.folds) > 1 else ""))
        for n, c in enumerate(found.clusters)
    ]  # fmt: skip


def scanned_rows(found: Sequence[Scanned]) -> list[Row]:
    """A row for each thing in which something was found; its id is that of the thing."""
    return [
        Row(n, s.id, ("!" if s.hard else "?", s.id, s.entity, str(s.hard or ""), str(s.soft or ""),
                      "confirmed" if s.confirmed else "to be confirmed"))
        for n, s in enumerate(found)
    ]  # fmt: skip


def ask_rows(found: Sequence[Ask]) -> list[Row]:
    """A row for each pair; its id is its place."""
    return [Row(n, str(n), ("?", f"{a.likeness:.0%}", a.by, a.question, a.other_question)) for n, a in enumerate(found)]
