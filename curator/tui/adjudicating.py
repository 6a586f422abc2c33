"""Deciding between two labels: both are read and shown side by side, the decision is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator.tui.screens.room import Room
from curator.tui.theme import state

if TYPE_CHECKING:
    from curator.domain.case import CaseRecord
    from curator.services.context import Context
    from curator.services.labelings import Labelings
    from curator.services.review import Statement

    _Room = Room
else:
    _Room = object


class Adjudicating(_Room):
    """Mix-in of the screens from which a case is decided."""

    def adjudicate(self, name: str) -> None:
        """Show both labels of a case, and store what is decided."""
        self.ask(partial(_both, name), self._show_both, doing=f"decide {name}", group="adjudicate")

    def _show_both(self, found: Labelings) -> None:
        from curator.tui.screens.adjudication import AdjudicationScreen

        self.app.push_screen(AdjudicationScreen(found), partial(self._decided, found.record.case.id))

    def _decided(self, name: str, answer: Statement | None) -> None:
        if answer is None:
            return

        def work(ctx: Context) -> tuple[CaseRecord, str]:
            from curator.services import cases, review

            return review.adjudicate(ctx, name, answer), cases.standing(ctx, name)[0]

        self.ask(work, self._adjudicated, doing=f"decide {name}")

    def _adjudicated(self, answer: tuple[CaseRecord, str]) -> None:
        record, missing = answer
        said = f"decided: {record.case.id} is {state(record.status, record.flags)}"
        self.notify(said + (f" · {missing}" if missing else "") + " · v: next review", markup=False)
        self.curator.take_record(record)


def _both(name: str, ctx: Context) -> Labelings:
    """Both labels of a case that this person may decide, which is in their hands from now on; in a worker."""
    from curator.services import labelings, queueing

    queueing.take(ctx, name)
    return labelings.labelings(ctx, name)
