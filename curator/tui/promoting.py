"""From a failure to a case and back: its text is confirmed, the form opens filled in, a save promotes it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from curator.tui.drafting import Drafting
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.domain.suggestion import Decided
    from curator.services.context import Context
    from curator.services.privacy import Review

_OF_FAILURE = re.compile(r"new (f\d+) ")


def failure_of(key: str) -> str:
    """Id of the failure that a sheet without an id was begun from, by the key of the sheet; "" = from none."""
    found = _OF_FAILURE.match(key)
    return found[1] if found else ""


def stored_new(ctx: Context, case: Case, key: str, decided: Sequence[Decided] = ()) -> CaseRecord:
    """Store a new case; one that was begun from a failure promotes it in the same decision. In a worker.

    Args:
        ctx: Open workspace.
        case: The case; `key`: the key of its sheet.
        key: See case.
        decided: What was said of suggestions for it.
    """
    from curator.services import cases, failures

    name = failure_of(key)
    if name:
        return cases.get(ctx, failures.promote(ctx, name, case, draft=key, decided=decided))
    return cases.new(ctx, case, draft=key, decided=decided)


class Promoting(Drafting):
    """Mix-in of the app.

    Attributes:
        came_from: The failure that the case which is being stored was begun from; "" = none.
    """

    came_from = ""

    def promote_failure(self, name: str, evidence: Sequence[str], *, wrong: bool, review: Review | None = None) -> None:
        """Begin the case that a failure becomes; its text is confirmed before, when it is not.

        Args:
            name: Id of the failure.
            evidence: Sources that a person took as evidence.
            wrong: The production answer must not be claimed.
            review: What was found in its texts, when that is known.
        """
        for sheet in self.desk.unsaved:
            if failure_of(sheet.key) == name:
                self.desk.bring_back(sheet.key)
                self._begun_already()
                return
        go = partial(self._begin_promotion, name, tuple(evidence), wrong)
        if review is not None and review.confirmed:
            go(True)
            return
        from curator.tui.screens.scrubbing import ScrubScreen

        self.push_screen(ScrubScreen(name, review), go)

    def _begin_promotion(self, name: str, evidence: tuple[str, ...], wrong: bool, confirmed: bool | None) -> None:
        ctx = self.ctx
        if not confirmed or ctx is None:
            return

        def work() -> Case:
            from curator.services import cases, failures

            begun = failures.begin(ctx, name, semantic=False)
            case = begun.case
            if wrong and begun.must_not_claim:
                case = case.model_copy(update={"must_not_claim": (begun.must_not_claim,)})
            for source in evidence:
                case = cases.with_evidence(ctx, case, source)
            return case

        serve(self, work, partial(self._promoting, name), doing=f"promote {name}", group="open case")

    def _promoting(self, name: str, case: Case) -> None:
        from curator.domain.case import Case as Blank
        from curator.tui.desk import new_name

        self.collect()
        self.desk.start(case, start=Blank(), name=new_name(name))
        self.note_change()
        self._begun_already()

    def _begun_already(self) -> None:
        self.announce("loaded")
        self.call_later(self._fill_in_promoted)

    async def _fill_in_promoted(self) -> None:
        """To the form, into the first field that the case lacks."""
        from curator.tui.screens.case import CaseScreen

        if self.current_mode != "case":
            await self.switch_mode("case")
        if isinstance(self.screen, CaseScreen):
            self.screen.fill_in()

    def back_to_failures(self, record: CaseRecord) -> None:
        """A case that was begun from a failure is stored, and submitted if that was asked for: to the next failure."""
        name, self.came_from = self.came_from, ""
        if name:
            self.notify(f"{name} is promoted to {record.case.id} · Ctrl+Z takes it back", markup=False, timeout=4)
            if self.current_mode == "case":
                self.switch_mode("failures")
