"""The behavior that an imported list only suggests, accepted by a key: in the list of cases, and in the form."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator.tui.retiring import Retiring, with_first

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.domain.case import CaseRecord
    from curator.services.changing import Changed
    from curator.services.context import Context


class Guessing(Retiring):
    """Mix-in of the case screen."""

    def action_accept_behavior(self) -> None:
        """Take the behavior that the list suggests, for the case or for all that are marked: one decision."""
        names = self.chosen_names()
        typed = {s.key for s in self.curator.desk.unsaved} & set(names)
        if typed:
            self.notify(f"{min(typed)} has text that is not saved: Ctrl+S first", severity="warning", markup=False)
        elif names:
            self.ask(
                partial(_accept, names), self._accepted, doing=f"accept the behavior suggested for {names[0]}"
            )  # fmt: skip

    def _accepted(self, answer: tuple[Sequence[Changed], CaseRecord | None]) -> None:
        if all(r.outcome == "same" for r in answer[0]):
            self.notify("no list suggests a behavior here", markup=False)
        else:
            self.moved("behavior accepted", answer)


def _accept(names: Sequence[str], ctx: Context) -> tuple[Sequence[Changed], CaseRecord | None]:
    """Accept; in a worker."""
    from curator.services import list_guesses

    return with_first(ctx, list_guesses.accept(ctx, names))
