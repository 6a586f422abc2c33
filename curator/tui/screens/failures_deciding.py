"""Decisions about failures: stage, dismissed, duplicate, open again; folds and pairs; what was decided before."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual.binding import Binding, BindingType

from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.failures_import import ImportingLogs
from curator.tui.screens.listing import Listing
from curator.tui.widgets.failure_rows import STAGES
from curator.tui.widgets.row_list import Column
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.failures import QueueItem
    from curator.services.folds import Ask as Pair
    from curator.services.folds import Fold

REASONS = ("the answer was right", "not for this system", "cannot be understood", "a test, or small talk")


class DecidingFailures(ImportingLogs):
    """The part of the room that decides. In the queue a decision is about all open failures of a fold."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("s", "stage", "stage"),
        Binding("d", "dismiss_failure", "dismiss"),
        Binding("equals_sign", "duplicate", "duplicate of", key_display="="),
        Binding("o", "open_again", "open again", show=False),
        Binding("u", "fold", "the fold"),
        Binding("h", "history", "history", show=False),
    ]

    def chosen(self) -> list[str]:
        """Ids of the failures that a decision is about."""
        raise NotImplementedError

    @property
    def whole_folds(self) -> bool:
        """Whether a decision about a failure is one about its fold."""
        raise NotImplementedError

    def deciding(self, *, busy: bool) -> None:
        """A decision is being stored, or came to nothing."""
        raise NotImplementedError

    def _undecided(self, _error: Exception) -> bool:
        self.deciding(busy=False)
        return False

    def decided(self, said: str) -> None:
        """A decision was stored: show what comes next."""
        raise NotImplementedError

    def _decide(self, names: list[str], decision: Callable[[Context, list[str]], None], said: str, doing: str) -> None:
        folds = self.whole_folds

        def work(ctx: Context) -> int:
            from curator.services import failures

            every = failures.of_folds(ctx, names) if folds else names
            decision(ctx, every)
            return len(every)

        def told(count: int) -> None:
            about = names[0] if count == 1 else counted(count, "failure")
            self.decided(f"{about}: {said} · Ctrl+Z takes it back")

        self.deciding(busy=True)
        self.ask(work, told, doing=doing, failed=self._undecided)

    # -- stage, dismissal, duplicates ---------------------------------------------------------------------------

    def action_stage(self) -> None:
        """Name the stage at which it failed: by its digit, or by typing."""
        names = self.chosen()
        if names:
            options = [(s, f"{n} {s}") for n, s in enumerate(STAGES, 1)]
            self.app.push_screen(Choose("failed at", options, instant=True), partial(self._staged, names))

    def _staged(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        stage = answer[0]

        def decision(ctx: Context, every: list[str]) -> None:
            from curator.services import failures

            failures.set_stage(ctx, every, stage)

        self._decide(names, decision, f"failed at {stage}", "name the stage")

    def action_dismiss_failure(self) -> None:
        """Say that no case is needed, and why: by a digit, or in words of one's own."""
        names = self.chosen()
        if names:
            options = [(r, f"{n} {r}") for n, r in enumerate(REASONS, 1)] + [("", f"{len(REASONS) + 1} another reason")]
            self.app.push_screen(Choose("needs no case, because", options, instant=True), partial(self._why, names))

    def _why(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        if answer and answer[0]:
            self._dismissed(names, answer)
        else:
            ask = Ask(
                "needs no case",
                [Question("why", check=needed("a reason"))],
                kept=f"why {', '.join(names)} needs no case",
            )
            self.app.push_screen(ask, partial(self._dismissed, names))

    def _dismissed(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        reason = answer[0]

        def decision(ctx: Context, every: list[str]) -> None:
            from curator.services import failures

            failures.dismiss(ctx, every, reason)

        self._decide(names, decision, "dismissed", "dismiss")

    def action_duplicate(self) -> None:
        """Say of which failure it is a duplicate: by its id, or by words of its question."""
        names = self.chosen()
        if not names:
            return

        def work(ctx: Context) -> list[QueueItem]:
            from curator.services import failures

            return failures.queue(ctx, limit=500)

        self.ask(work, partial(self._choose_other, names), doing="read the queue", group="other")

    def _choose_other(self, names: list[str], found: Sequence[QueueItem]) -> None:
        options = [(i.failure_id, f"{i.failure_id}  {flat(i.question)}") for i in found if i.failure_id not in names]
        if not options:
            self.notify("no other failure is open", markup=False, timeout=3)
            return
        self.app.push_screen(Choose("asks the same as", options), partial(self._duplicated, names))

    def _duplicated(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        other = answer[0]

        def decision(ctx: Context, every: list[str]) -> None:
            from curator.services import failures

            failures.mark_duplicate(ctx, [n for n in every if n != other], other)

        self._decide(names, decision, f"duplicate of {other}", "mark the duplicate")

    def action_open_again(self) -> None:
        """Take a dismissal or a duplicate back, however old it is."""
        names = self.chosen()

        def work(ctx: Context) -> None:
            from curator.services import failures

            failures.reopen(ctx, names)

        if names:
            self.ask(work, lambda _none: self.decided(f"{', '.join(names[:3])}: open again"), doing="open again")

    # -- folds --------------------------------------------------------------------------------------------------

    def action_fold(self) -> None:
        """Open the fold: its wordings, how often each was asked; Space marks those that do not belong to it."""
        names = self.chosen()
        if not names:
            return

        def work(ctx: Context) -> Fold:
            from curator.services import failures, folds

            return folds.opened(ctx, failures.get(ctx, names[0]).fold)

        self.ask(work, self._show_fold, doing="open the fold", group="fold")

    def _show_fold(self, fold: Fold) -> None:
        others = [m for m in fold.members if not m.is_middle]
        middle = next((m for m in fold.members if m.is_middle), fold.members[0])
        said = f"{counted(fold.size, 'time')}, in {counted(len(fold.members), 'wording')}. "
        said += f"In the middle, {middle.uses}×:\n"
        said += flat(middle.question)
        if not others:
            self.notify(f"asked {fold.size} times, always in the same words", markup=False, timeout=4)
            return
        options = [(str(m.wording), f"{m.uses}× {m.ratio:.0f} % alike: {flat(m.question)}") for m in others]
        title = "mark what does not belong to it"
        self.app.push_screen(Choose(title, options, several=True, said=said), self._unfold)

    def _unfold(self, answer: tuple[str, ...] | None) -> None:
        if not answer:
            return
        wordings = [int(n) for n in answer]

        def work(ctx: Context) -> None:
            from curator.services import folds

            folds.unfold(ctx, wordings)

        count = counted(len(wordings), "wording")
        said = f"taken out of the fold: {count} · Ctrl+Z takes it back"
        self.ask(work, lambda _none: self.decided(said), doing="undo the fold")

    def judge(self, pair: Pair) -> None:
        """Ask whether two folds are the same."""
        said = f"{flat(pair.question)}\n\n{flat(pair.other_question)}"
        options = [("same", "same: one fold"), ("different", "different: two, and never asked again")]
        self.app.push_screen(
            Choose("are they the same?", options, instant=True, said=said), partial(self._judged, pair)
        )

    def _judged(self, pair: Pair, answer: tuple[str, ...] | None) -> None:
        if not answer:
            return

        def work(ctx: Context) -> None:
            from curator.services import folds

            folds.judge(ctx, pair.one, pair.other, "same" if answer[0] == "same" else "different")

        self.ask(work, lambda _none: self.decided(f"{answer[0]} · Ctrl+Z takes it back"), doing="judge a pair")

    # -- history ------------------------------------------------------------------------------------------------

    def action_history(self) -> None:
        """What was decided about it so far."""
        names = self.chosen()
        if not names:
            return

        def work(ctx: Context) -> list[dict[str, Any]]:
            from curator.services import failures

            return failures.history(ctx, names[0])

        self.ask(work, partial(self._show_history, names[0]), doing="read the history", group="history")

    def _show_history(self, name: str, found: list[dict[str, Any]]) -> None:
        columns = [Column("when", 20), Column("who", 14), Column("what", 12), Column("before")]
        rows = [(e["at"], e["actor"], e["verb"], _before(e["data"])) for e in found]
        empty = "nothing was decided about it yet"
        self.app.push_screen(Listing(f"history of {name}", columns, rows, empty=empty, last=True))


def _before(data: dict[str, Any]) -> str:
    """What stood before an event, as far as a person can read it."""
    before = data.get("before") or {}
    words = {k: v for k, v in before.items() if not k.startswith("confirmed")}
    return ", ".join(f"{k.replace('_', ' ')}: {v or '–'}" for k, v in words.items())
