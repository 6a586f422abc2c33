"""The list of cases: filtered and sorted by any column, with actions on all rows that are marked."""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import Binding, BindingType
from textual.message import Message

from curator.errors import Cancelled
from curator.states import STATES
from curator.text import counted
from curator.tui.filters import Columns
from curator.tui.messages import ProgressChanged
from curator.tui.progress import AppProgress, Snapshot
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.widgets.filtered_list import FilteredList
from curator.tui.widgets.row_list import Column
from curator.tui.widgets.row_window import Row
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.listing import ListKey, ListQuery
    from curator.services.cases import Submitted
    from curator.services.changing import Changed
    from curator.services.context import Context
    from curator.store.cases import CaseLine
    from curator.tui.app import CuratorApp
    from curator.tui.counting import CellOf

HIDDEN = "hidden"
BAR = 20
RISKS = ("low", "medium", "high", "critical")
FILTERS = Columns(
    {
        "domain": "domain", "risk": "risk", "state": "status", "behavior": "behavior", "task": "task",
        "author": "author", "language": "language", "id": "id", "question": "question", "changed": "updated_at",
    },
    {"risk": (*RISKS, "unstated"), "state": tuple(STATES), "behavior": ("answer", "refuse", "escalate"),
     "task": ("question", "summary")},
)  # fmt: skip
ACTIONS = (
    ("add", "add tags"),
    ("remove", "remove tags"),
    ("domain", "set the domain"),
    ("submit", "submit for review"),
    ("retire", "retire, with a reason (X)"),
    ("restore", "restore, with a reason (R)"),
)


class CaseRows:
    """Cases in the order of a column, in which equals follow their creation; all of them, or those of a cell."""

    immediate = False

    def __init__(
        self, ctx: Context, status: str = "", order: tuple[str, bool] = ("seq", False), cell: CellOf | None = None
    ) -> None:  # fmt: skip
        self._ctx = ctx
        self._cell = cell
        self._status = status
        self._order = order

    def ordered(self, column: str, *, descending: bool) -> CaseRows:
        """The same in another order."""
        return CaseRows(self._ctx, self._status, (column, descending), self._cell)

    def _query(self, contains: str) -> ListQuery:
        from curator.domain.listing import ListQuery

        asked = FILTERS.read(contains)
        exact, like = FILTERS.split(asked)
        where = (*exact, ("status", self._status)) if self._status else exact
        column, descending = self._order
        only = self._cell.ids() if self._cell else None
        return ListQuery(column, descending, asked.contains, like, where, only=only)

    def _lines(self, contains: str, *, after: Hashable | None = None, before: Hashable | None = None,
               back: bool = False, limit: int = 0) -> list[CaseLine]:  # fmt: skip
        from curator.services import cases

        keys = cast("tuple[ListKey | None, ListKey | None]", (after, before))
        query = self._query(contains)
        return cases.page_of(self._ctx, query, after=keys[0], before=keys[1], back=back, limit=limit)

    def _rows(self, contains: str, lines: Sequence[CaseLine]) -> list[Row]:
        from curator.services import queueing, rereading

        query = self._query(contains)
        flags = rereading.flags_of(self._ctx, [line.id for line in lines])
        open_here = [line.id for line in lines if _waits(line.status, flags.get(line.id, ()))]
        waiting = queueing.open_to(self._ctx, open_here)
        return [
            _row(query.key_of(line), line, flags=flags.get(line.id, ()), approves=line.id in waiting) for line in lines
        ]

    def count(self, contains: str) -> int:
        """How many."""
        from curator.services import cases

        return cases.count(self._ctx, self._query(contains))

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        return self._rows(contains, self._lines(contains, after=key, limit=limit))

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        return self._rows(contains, self._lines(contains, before=key, back=True, limit=limit))

    def key_at(self, place: int, contains: str, *, back: bool) -> Hashable | None:
        """The key of a place."""
        from curator.services import cases

        return cases.key_at(self._ctx, self._query(contains), place, back=back)

    def ids(self, contains: str) -> Sequence[str]:
        """Ids of all of them."""
        return [line.id for line in self._lines(contains)]

    def note(self, contains: str) -> str:
        """How many cases the filter does not ask, because they would tell a label."""
        from curator.services import cases

        count = cases.left_out(self._ctx, self._query(contains))
        return (
            f"{counted(count, 'in review is', 'in review are')} not asked: behavior and risk are hidden"
            if count
            else ""
        )


def _waits(status: str, flags: Sequence[str]) -> bool:
    """Whether a case waits for somebody's word: it is in review, or was approved elsewhere and is unverified."""
    return status == "in_review" or (status == "approved" and "unverified" in flags)


def _row(key: Hashable, line: CaseLine, *, flags: Sequence[str], approves: bool) -> Row:
    """A row; what the author says of a case that waits for labels is not told to those who may give one."""
    behavior, risk = line.behavior or HIDDEN, line.risk or HIDDEN
    glyph, _, word = STATES.get(line.status, line.status).partition(" ")
    short = "changes" if line.status == "changes_requested" else word
    marks = [f"! {flag}  " for flag in ("stale", "unverified") if flag in flags and line.status != "retired"]
    question = "".join(marks) + (line.question or "(no question yet)")
    cells = (glyph, question, behavior, risk, short, line.domain, line.id)
    offers = frozenset({"approve"} if approves else ())
    offers |= {"request_changes"} if _waits(line.status, flags) else set()
    offers |= {"restore"} if line.status == "retired" else {"retire"}
    return Row(key, line.id, cells, "muted" if line.status == "retired" else "", offers)


@dataclass
class Job:
    """One change of many cases that is being made."""

    doing: str
    snapshot: Snapshot = field(default_factory=Snapshot)
    stop: threading.Event = field(default_factory=threading.Event)

    def share(self) -> str:
        """How far it is, in figures."""
        now = self.snapshot
        return f"{now.done}/{now.total}" if now.total else now.stage or "…"

    def line(self) -> str:
        """What is done, a bar, and what stops it."""
        now = self.snapshot
        share = now.done / now.total if now.total else 1.0 if now.stage else 0.0
        filled = round(share * BAR)
        stops = "stopping …" if self.stop.is_set() else "esc: stop"
        return f"⟳ {self.doing} {'█' * filled}{'░' * (BAR - filled)} {share:4.0%} · {stops}"


class CaseList(FilteredList):
    """The cases, with a menu of what can be done to all that are marked."""

    class Move(Message):
        """Cases are to be retired or restored, which the screen asks about."""

        def __init__(self, names: list[str], what: str) -> None:
            super().__init__()
            self.names, self.what = names, what

    actions = "b: with all of them"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("b", "bulk", "change")]

    def __init__(self, *, dom_id: str) -> None:
        columns = [
            Column("", 1),
            Column("question", name="question"),
            Column("behavior", 10, least=76, name="behavior"),
            Column("risk", 8, least=60, name="risk"),
            Column("state", 9, least=46, name="status"),
            Column("domain", 16, least=100, name="domain"),
            Column("id", 24, least=120, name="id", middle=True),
        ]
        super().__init__(
            columns,
            empty="opening …",
            hint="words, or domain:… risk:high state:draft",
            filters=FILTERS,
            marks=True,
            dom_id=dom_id,
        )
        self._job: Job | None = None

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def _chosen(self) -> list[str]:
        """Ids of what is marked; of nothing marked, the row under the cursor."""
        if self.list.marked:
            return list(self.list.marked)
        return [self.list.row.id] if self.list.row else []

    def action_bulk(self) -> None:
        """Choose what to do."""
        names = self._chosen()
        if not names:
            return
        many = f"{len(names)} cases" if len(names) > 1 else names[0]
        self.app.push_screen(Choose(f"with {many}", ACTIONS, instant=True), partial(self._act, names))

    def _act(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        if answer[0] == "submit":
            self._submit(names)
            return
        if answer[0] in ("retire", "restore"):
            self.post_message(self.Move(names, answer[0]))
            return
        asked = {"add": "tags to add, separated by commas", "remove": "tags to remove", "domain": "domain"}[answer[0]]
        check = needed("a domain" if answer[0] == "domain" else "a tag")
        ask = Ask(counted(len(names), "case"), [Question(asked, check=check)], kept=f"{asked}, of {', '.join(names)}")
        self.app.push_screen(ask, partial(self._change, names, answer[0]))

    def _change(self, names: list[str], kind: str, answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        said = answer[0].strip()
        tags = tuple(dict.fromkeys(t.strip() for t in said.split(",") if t.strip()))
        asked = {"add": {"add_tags": tags}, "remove": {"remove_tags": tags}, "domain": {"domain": said}}[kind]
        told = {"add": f"tagged {', '.join(tags)}", "remove": f"without {', '.join(tags)}", "domain": f"in {said}"}

        def work(ctx: Context, progress: AppProgress) -> Sequence[Changed]:
            from curator.services.changing import change_many

            return change_many(ctx, names, **cast("Mapping[str, str]", asked), progress=progress)  # type: ignore[arg-type]

        self._serve(work, partial(self._changed, told[kind]), f"change {counted(len(names), 'case')}")

    def _submit(self, names: list[str]) -> None:
        def work(ctx: Context, progress: AppProgress) -> Sequence[Submitted]:
            from curator.services import cases

            return cases.submit(ctx, names, progress=progress)

        self._serve(work, self._submitted, f"submit {counted(len(names), 'case')}")

    # -- one change of many, which can be stopped -----------------------------------------------------------------

    def _serve(
        self, work: Callable[[Context, AppProgress], Sequence[object]], then: Callable[..., None], doing: str
    ) -> None:
        app = self._app
        ctx = app.ctx
        if ctx is None:
            return
        app.collect()
        job = self._job = Job(doing)
        progress = AppProgress(lambda snapshot: self.post_message(ProgressChanged(id(job), snapshot)), job.stop)
        serve(self, lambda: work(ctx, progress), then, doing=doing, failed=self._failed)
        self._paint_job()

    def on_progress_changed(self, message: ProgressChanged) -> None:
        """Paint how far it is."""
        message.stop()
        if self._job is not None and message.job == id(self._job):
            self._job.snapshot = message.snapshot
            self._paint_job()

    def _paint_job(self) -> None:
        said = self.working()
        self._app.work_changed(f"⟳ {self._job.share()}" if self._job else "", said)
        self.say_marks()

    def working(self) -> str:
        """A bar, and the key that stops it."""
        return self._job.line() if self._job else ""

    def action_clear(self) -> None:
        """While something is done with many cases, stop it: it is one decision, so that none of it is done then."""
        if self._job is None:
            super().action_clear()
        else:
            self._job.stop.set()
            self._paint_job()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """One such work at a time; Esc stops it."""
        if self._job is not None and action in ("clear", "bulk"):
            return action == "clear"
        return super().check_action(action, parameters)

    def on_unmount(self) -> None:
        """An app that ends waits for its threads."""
        if self._job is not None:
            self._job.stop.set()

    def _failed(self, error: Exception) -> bool:
        job, self._job = self._job, None
        self._paint_job()
        if isinstance(error, Cancelled) and job is not None:
            self._app.notify(f"stopped: {job.doing}; nothing was changed", markup=False)
            return True
        return False

    def _changed(self, told: str, results: Sequence[Changed]) -> None:
        done = [r.case_id for r in results if r.outcome == "done"]
        same = sum(r.outcome == "same" for r in results)
        parts = [f"{len(done)} now {told}"] + ([counted(same, "was so already", "were so already")] if same else [])
        self._over(parts, done, [(r.case_id, r.reason) for r in results if r.outcome == "conflict"])

    def _submitted(self, results: Sequence[Submitted]) -> None:
        wrong = [(r.case_id, r.problems[0].message) for r in results if r.problems]
        done = [r.case_id for r in results if not r.problems and r.status not in ("draft", "changes_requested")]
        self._over([f"{len(done)} submitted or further"], done, wrong)

    def _over(self, parts: list[str], done: list[str], refused: list[tuple[str, str]]) -> None:
        """Say what was done in one toast; what was refused stays readable with F12."""
        app = self._app
        self._job = None
        self._paint_job()
        for name, why in refused:
            app.list_error(f"change {name}", why)
        if refused:
            parts.append(f"{len(refused)} not: {refused[0][1]} (F12 lists them)")
        if done:
            parts.append("Ctrl+Z takes it back")
        app.notify(" · ".join(parts), severity="warning" if refused else "information", markup=False)
        self.list.unmark()
        sheet = app.desk.sheet
        if sheet is not None and sheet.record is not None and sheet.record.case.id in done:
            name, ctx = sheet.record.case.id, app.ctx
            from curator.services import cases

            assert ctx is not None
            serve(self, lambda: cases.get(ctx, name), app.take_record, doing=f"open {name}")
        self.list.reload()
