"""Retiring and restoring from the list of cases and from the form: a reason is asked for, and a successor."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, NamedTuple

from curator.text import counted
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.room import Room
from curator.tui.theme import state

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.domain.case import CaseRecord
    from curator.services.changing import Changed
    from curator.services.context import Context

    _Room = Room
else:
    _Room = object

MOST = 12
"""Cases among which a successor is chosen."""
NOBODY = ""


class Named(NamedTuple):
    """Cases that what was typed may mean: id and question."""

    typed: str
    found: tuple[tuple[str, str], ...]


class Retiring(_Room):
    """Mix-in of the case screen."""

    def chosen_names(self) -> list[str]:
        """Ids of the cases that the action is about."""
        raise NotImplementedError

    def action_retire(self) -> None:
        """Take the case out of use, or all that are marked: with a reason, and with the case that replaces it."""
        if names := self.chosen_names():
            self.ask_retirement(names)

    def ask_retirement(self, names: list[str]) -> None:
        """Ask why these cases are retired, and what replaces them."""
        many = counted(len(names), "case") if len(names) > 1 else names[0]
        questions = [
            Question("reason", check=needed("a reason"), hint="it stands in the history and in later manifests"),
            Question("replaced by", hint="an id, or words of its question; empty: by none"),
        ]
        said = "Nothing is deleted: a retired case stays in later releases as a tombstone. R restores it."
        self.app.push_screen(
            Ask(f"retire {many}", questions, said, kept=f"retire {', '.join(names)}"),
            partial(self._retirement_stated, names),
        )

    def _retirement_stated(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        reason, typed = answer[0], answer[1].strip()
        if not typed:
            self._retire(names, reason, NOBODY)
            return
        self.ask(
            partial(_meant, typed, names), partial(self._choose_successor, names, reason), doing="find the successor"
        )

    def _choose_successor(self, names: list[str], reason: str, named: Named) -> None:
        if not named.found:
            self.notify(f"no case in use has {named.typed!a} in its id or question; nothing was retired",
                        severity="warning", markup=False)  # fmt: skip
            self.curator.keep_answer()
        elif len(named.found) == 1 and named.found[0][0] == named.typed:
            self._retire(names, reason, named.typed)
        else:
            options = [(name, f"{name}  {question}") for name, question in named.found]

            def chosen(answer: tuple[str, ...] | None) -> None:
                if answer:
                    self._retire(names, reason, answer[0])

            self.app.push_screen(
                Choose("replaced by", options, said="Which case takes its place? Esc: retire nothing."), chosen
            )

    def _retire(self, names: list[str], reason: str, successor: str) -> None:
        def work(ctx: Context) -> tuple[Sequence[Changed], CaseRecord | None]:
            from curator.services import retiring

            return with_first(ctx, retiring.retire(ctx, names, reason, successor=successor))

        self.ask(work, partial(self.moved, "retired"), doing=f"retire {names[0]}")

    def action_restore(self) -> None:
        """Take the case into use again, or all that are marked, with a reason."""
        if names := self.chosen_names():
            self.ask_restoring(names)

    def ask_restoring(self, names: list[str]) -> None:
        """Ask why these cases are restored."""
        many = counted(len(names), "case") if len(names) > 1 else names[0]
        said = "It stands as its reviews say: what was approved, and reads as it did, is approved."
        questions = [Question("reason", check=needed("a reason"))]
        self.app.push_screen(
            Ask(f"restore {many}", questions, said, kept=f"restore {', '.join(names)}"),
            partial(self._restoring_stated, names),
        )

    def _restoring_stated(self, names: list[str], answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return

        def work(ctx: Context) -> tuple[Sequence[Changed], CaseRecord | None]:
            from curator.services import retiring

            return with_first(ctx, retiring.restore(ctx, names, answer[0]))

        self.ask(work, partial(self.moved, "restored"), doing=f"restore {names[0]}")

    def moved(self, verb: str, answer: tuple[Sequence[Changed], CaseRecord | None]) -> None:
        """Say what became of the cases, and show the first as it stands now."""
        results, record = answer
        done = [r for r in results if r.outcome == "done"]
        refused = [r for r in results if r.outcome == "conflict"]
        for one in refused:
            self.curator.list_error(f"change {one.case_id}", one.reason)
        parts = []
        if len(done) == 1 and record is not None:
            standing = "" if record.status == verb else f"; it is {state(record.status, record.flags)} now"
            parts.append(f"{verb}: {record.case.id}{standing}")
        elif done:
            parts.append(f"{verb}: {counted(len(done), 'case')}")
        if refused:
            parts.append(f"{len(refused)} not: {refused[0].reason} (F12 lists them)")
        if done:
            parts.append("Ctrl+Z takes it back")
        self.notify(" · ".join(parts), severity="warning" if refused else "information", markup=False)
        sheet = self.curator.desk.sheet
        current = sheet.record.case.id if sheet is not None and sheet.record is not None else ""
        if record is not None and record.case.id == current:
            self.curator.take_record(record)
        else:
            self.curator.case_signal.publish("saved")


def with_first(ctx: Context, results: Sequence[Changed]) -> tuple[Sequence[Changed], CaseRecord | None]:
    """What was done, with the first case as it stands now; in a worker."""
    from curator.services import cases

    done = [r.case_id for r in results if r.outcome == "done"]
    return results, cases.get(ctx, done[0]) if done else None


def _meant(typed: str, names: Sequence[str], ctx: Context) -> Named:
    """The cases in use that a text may mean, by id or question; in a worker."""
    from curator.services import cases

    lines = [c for c in cases.page_of(ctx, contains=typed, limit=MOST + len(names)) if c.id not in names]
    found = [(c.id, c.question) for c in lines if c.status != "retired"][:MOST]
    exact = [pair for pair in found if pair[0] == typed]
    return Named(typed, tuple(exact or found))
