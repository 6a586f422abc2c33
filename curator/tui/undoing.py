"""Ctrl+Z and Ctrl+Y outside a text field: first what is not saved yet, then the decisions that are."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from curator.tui.desk import said
from curator.tui.saving import Saving
from curator.tui.theme import state
from curator.tui.workers import serve

if TYPE_CHECKING:
    from collections.abc import Sequence

    from curator.services.undo import Undone

EDITING = ("case", "reader")
FEW = 3
TAKEN = {True: "taken back", False: "done again"}


class Undoing(Saving):
    """Mix-in of the app."""

    def action_undo(self) -> None:
        """Take back the last change of the current case; when there is none that is not saved, the last decision."""
        self._turn(back=True)

    def action_redo(self) -> None:
        """Do again what was taken back last."""
        self._turn(back=False)

    def _turn(self, *, back: bool) -> None:
        self.collect()
        ctx, sheet = self.ctx, self.desk.sheet
        if ctx is None:
            return
        if sheet is not None and self.current_mode in EDITING and (changed := sheet.step(back=back)):
            self.announce("marks")
            fields = ", ".join(said(name) for name in changed)
            self.notify(f"{TAKEN[back]}: {fields} of {sheet.case.id or 'the new case'} (not saved)", markup=False,
                        timeout=3)  # fmt: skip
            return

        def work() -> Undone | None:
            from curator.services import undo

            return undo.undo(ctx) if back else undo.redo(ctx)

        serve(self, work, partial(self._turned, back), doing="undo" if back else "redo", group="undo")

    def _turned(self, back: bool, done: Undone | None) -> None:
        if done is None:
            self.notify(f"nothing is left to {'undo' if back else 'redo'}", markup=False, timeout=3)
            return
        if done.record is None:
            self.notify(f"{TAKEN[back]}: {_few(done.names)} {done.verb}", markup=False)
            self.case_signal.publish("saved")
            return
        standing = state(done.record.status, done.record.flags)
        more = f" and {len(done.case_ids) - 1} more" if len(done.case_ids) > 1 else ""
        self.notify(f"{TAKEN[back]}: {done.case_id}{more} {done.verb}; it is {standing} now", markup=False)
        sheet = self.desk.sheet
        shown = sheet is not None and sheet.record is not None and sheet.record.case.id == done.case_id
        if shown or self.current_mode != "case" or (sheet is not None and sheet.dirty):
            self.take_record(done.record)
        else:
            self.open_case(done.case_id)
            self.case_signal.publish("saved")


def _few(names: Sequence[str]) -> str:
    """The first of some names, and how many more there are."""
    return ", ".join(names[:FEW]) + (f" and {len(names) - FEW} more" if len(names) > FEW else "")
