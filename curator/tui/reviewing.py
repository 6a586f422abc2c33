"""Reviewing from the case screen: what the reviewer must state is asked for first, then it is stored."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, get_args

from curator.domain.case import BEHAVIORS, RISKS, CaseRecord, RefusalReason
from curator.domain.review import needs_two, risk_level
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.choose import Choose
from curator.tui.screens.source_chooser import SourceChooser, hits
from curator.tui.theme import state

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.queueing import Assigned
    from curator.tui.adjudicating import Adjudicating as _Room
else:
    _Room = object


REASONS = tuple(r for r in get_args(RefusalReason) if r)
SLOTS = {
    "approval": "this case", "label-1": "the first label", "label-2": "the second label",
    "adjudication": "the decision between two labels",
}  # fmt: skip


class Reviewing(_Room):
    """Mix-in of the case screen; deciding between two labels is another (Adjudicating)."""

    _handed = ""
    """The case that the queue gave last."""
    _skipped: tuple[str, ...] = ()

    def action_next_review(self) -> None:
        """Take the next case that needs who acts in hand; one that is left unreviewed goes back, and comes last."""
        sheet = self.curator.desk.sheet
        if self._handed and sheet is not None and sheet.key == self._handed and sheet.status == "in_review":
            self._skipped = (*self._skipped, self._handed)
        self.ask(partial(_next, self._skipped), self._handed_out, doing="look for a review", group="queue")

    def _handed_out(self, assigned: Assigned | None) -> None:
        if assigned is not None:
            self._handed = assigned.case_id
            self.curator.open_case(assigned.case_id, partial(self._show_handed, assigned))
            self.notify(f"{SLOTS[assigned.slot]} is in your hands until {assigned.until[11:16]} UTC", markup=False)
        elif self._skipped:
            self._handed, self._skipped = "", ()
            self.notify("nothing else waits for you: v begins again with those left out", markup=False)
        else:
            self._handed = ""
            self.notify("nothing waits for a review of yours", markup=False)

    def _show_handed(self, assigned: Assigned) -> None:
        """The case in its form; over it, where it is to be decided, both labels."""
        self.curator.show_case()
        self._show_form()
        if assigned.slot == "adjudication":
            self.adjudicate(assigned.case_id)

    def take_review(self, name: str) -> None:
        """Take one case in hand, and show it."""

        def work(ctx: Context) -> Assigned:
            from curator.services import queueing

            return queueing.take(ctx, name)

        self.ask(work, self._handed_out, doing=f"take {name} in hand", group="queue")

    def _show_form(self) -> None:
        """The form, with the keys."""
        raise NotImplementedError

    def _chosen_record(self) -> str | None:
        """Id of the case that the action is about."""
        raise NotImplementedError

    def action_approve(self) -> None:
        """Approve, label or adjudicate: the risk is stated first, before anything else is asked."""
        name = self._chosen_record()
        if name is not None:
            self.ask(partial(_standing, name), self._state_risk, doing=f"approve {name}", group="review")

    def _state_risk(self, found: tuple[CaseRecord, bool]) -> None:
        record, two = found
        if record.status != "in_review" and not record.is_unverified:
            self.notify(f"{record.case.id} is {state(record.status)}: only cases in review are approved", markup=False,
                        severity="warning")  # fmt: skip
            return
        said = "How bad is a wrong answer to this? Your own view, before you look at the author's."
        if "disputed" in record.flags:
            self.adjudicate(record.case.id)
            return
        if two:
            said += "\nThis case takes two labels: behavior and sources are asked for next."
        options = [(r, r) for r in RISKS]
        self.app.push_screen(Choose("risk", options, instant=True, said=said), partial(self._risk_stated, record, two))

    def _risk_stated(self, record: CaseRecord, two: bool, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        risk = answer[0]
        if (not two and risk_level(risk) < risk_level("high")) or self._is_solo:
            self._store(record, risk, "", ())
            return
        options = [(b, b) for b in BEHAVIORS]
        said = "What should the system do with this question?\n\n" + "\n".join(record.case.turns)
        self.app.push_screen(
            Choose("behavior", options, instant=True, said=said), partial(self._behavior_stated, record, risk)
        )

    @property
    def _is_solo(self) -> bool:
        ctx = self.curator.ctx
        return ctx is not None and ctx.review_policy.solo

    def _behavior_stated(self, record: CaseRecord, risk: str, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        behavior = answer[0]
        if behavior == "refuse":
            options = [(r, r.replace("_", " ")) for r in REASONS]
            said = "Why should the system refuse?"
            self.app.push_screen(
                Choose("reason", options, instant=True, said=said), partial(self._refusal_stated, record, risk)
            )
            return
        if behavior != "answer":
            self._store(record, risk, behavior, ())
            return
        self.ask(
            lambda ctx: hits(ctx, record.case.question),
            partial(self._choose_sources, record, risk),
            doing="search the documents",
            group="choose sources",
        )

    def _refusal_stated(self, record: CaseRecord, risk: str, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            self._store(record, risk, "refuse", (), answer[0])

    def _choose_sources(self, record: CaseRecord, risk: str, found: list[tuple[str, str]]) -> None:
        """Sources come from the documents: what a search finds, and what this person has marked in the reader."""
        sheet = self.curator.desk.sheet
        mine: list[tuple[str, str]] = []
        if sheet is not None and sheet.blind and sheet.case.id == record.case.id:
            mine = [(e.source_id, f"p. {e.page_label or e.page}  {e.quote}") for e in sheet.case.evidence
                    if e.role == "required"]  # fmt: skip
        question = "\n".join(record.case.turns)
        self.app.push_screen(SourceChooser(question, found, mine), partial(self._sources_stated, record, risk))

    def _sources_stated(self, record: CaseRecord, risk: str, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            self._store(record, risk, "answer", answer or ("none",))

    def _store(
        self, record: CaseRecord, risk: str, behavior: str, sources: tuple[str, ...], refusal: str = ""
    ) -> None:  # fmt: skip
        name = record.case.id

        def work(ctx: Context) -> CaseRecord:
            from curator.services import review

            said = review.Statement(risk=risk, behavior=behavior, source_ids=sources, refusal_reason=refusal)
            return review.approve(ctx, name, said)

        self.ask(work, self._reviewed, doing=f"approve {name}")

    def _reviewed(self, record: CaseRecord) -> None:
        self.curator.take_record(record)
        more = " · v: next review" if record.case.id == self._handed else ""
        self.notify(f"{record.case.id}: {state(record.status, record.flags)}{more}", markup=False)

    def action_request_changes(self) -> None:
        """Send a case back, with a reason."""
        name = self._chosen_record()
        if name is None:
            return

        def answered(answer: tuple[str, ...] | None) -> None:
            if answer is None:
                return
            from curator.services import review

            self.ask(
                lambda ctx: review.request_changes(ctx, name, answer[0]), self._reviewed, doing=f"send {name} back"
            )

        questions = [Question("what should be changed", check=needed("a reason"))]
        self.app.push_screen(Ask(f"ask for changes of {name}", questions, kept=f"ask for changes of {name}"), answered)


def _next(skip: tuple[str, ...], ctx: Context) -> Assigned | None:
    """The next case of the queue, with its lease; in a worker."""
    from curator.services import queueing

    return queueing.take_next(ctx, skip=skip)


def _standing(name: str, ctx: Context) -> tuple[CaseRecord, bool]:
    """A case, and whether it takes two labels; in a worker."""
    from curator.services import cases

    record = cases.get(ctx, name)  # asked with the whole case: only what is asked of it is shown
    _, reviews = cases.standing(ctx, name)
    return record, needs_two(record.case, reviews, ctx.review_policy)
