"""A changed file is offered as the next revision of its document: one key answers, and the file waits for it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual.binding import Binding, BindingType
from textual.worker import get_current_worker

from curator.errors import Cancelled
from curator.text import counted
from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.room import Room
from curator.tui.verdicts import VERDICTS
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.progress import Progress
    from curator.services.context import Context
    from curator.services.ingest import Facts, Ingested
    from curator.services.revisions import Offer

TICK = 0.1


@dataclass
class Asked:
    """A question about a file, and its answer: "revision", "another" or "leave".

    `document_id`: the id of the other document; before the answer one that is free.
    """

    offer: Offer
    document_id: str
    over: threading.Event = field(default_factory=threading.Event)
    answer: str = ""

    def line(self) -> str:
        """The question, and the keys that answer it."""
        offer = self.offer
        why = "has its name" if offer.by_name else "is much like it"
        return (
            f"? {flat(offer.file)}: a new revision of {flat(offer.title)} ({flat(offer.document_id)})? It {why}, "
            f"{offer.likeness:.0%} of the text is the same.\n"
            "  r: the new revision · o: another document · l: leave it · a: so for all that follow"
        )


class Offering(Room):
    """The part of Sources that asks what a changed file is. It never comes between a person and what they type."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("r", "answer_offer('revision')", "new revision"),
        Binding("o", "answer_offer('another')", "another document"),
        Binding("l", "answer_offer('leave')", "leave it"),
        Binding("a", "answer_offer('all')", "the next answer for all"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._offers: list[Asked] = []
        self._for_all = False
        self._standing = ""

    def _paint_jobs(self) -> None:
        raise NotImplementedError

    # -- in the worker ------------------------------------------------------------------------------------------

    def take_in(self, ctx: Context, facts: Facts, progress: Progress, ingest: Callable[..., Ingested]) -> Ingested:
        """Ingest one file; what it is to be is asked when it is not clear. In the worker.

        Args:
            ctx: Open workspace.
            facts: What is known of the document.
            progress: Asked whether to stop, also while nobody has answered.
            ingest: Takes `facts` and `confirm`.

        Raises:
            Cancelled: Stopped.
        """
        from curator.services.ingest import free_id
        from curator.services.revisions import Answer

        worker = get_current_worker()

        def confirm(offer: Offer) -> Answer:
            asked = Asked(offer, free_id(ctx, offer.document_id))
            self.app.call_later(self._ask_about, asked)
            try:
                while not asked.over.wait(TICK):
                    progress.checkpoint()
                    if worker.is_cancelled:
                        raise Cancelled
            finally:
                self.app.call_later(self._forget, asked)
            if asked.answer == "another":
                return Answer("another", asked.document_id if offer.by_name else "")
            return Answer("revision" if asked.answer == "revision" else "leave")

        return ingest(facts, confirm)

    # -- asking -------------------------------------------------------------------------------------------------

    def _ask_about(self, asked: Asked) -> None:
        self._offers.append(asked)
        if self._standing:
            self._answered(asked, self._standing)
            return
        self._paint_jobs()
        if not self.is_current:
            self.notify(f"{flat(asked.offer.file)}: is it a new revision? F2 answers", markup=False, timeout=6)

    def _forget(self, asked: Asked) -> None:
        if asked in self._offers:
            self._offers.remove(asked)
        self._paint_jobs()

    def offers_said(self) -> list[str]:
        """The first question, whom its answer is for, and how many files more wait for an answer."""
        if self._offers and self._for_all:
            return [self._offers[0].line(), "  the answer is for this file and all that follow · a: for this one alone"]
        more = [f"  {len(self._offers) - 1} more files ask after it"] if len(self._offers) > 1 else []
        return [self._offers[0].line(), *more] if self._offers else []

    def action_answer_offer(self, answer: str) -> None:
        """Answer the first question; another document of a known name gets an id of its own."""
        if not self._offers:
            return
        if answer == "all":
            self._for_all = not self._for_all
            self._paint_jobs()
            return
        if self._for_all:
            self._standing, self._for_all = answer, False
            for asked in list(self._offers):
                self._answered(asked, answer)
            return
        asked = self._offers[0]
        if answer == "another" and asked.offer.by_name:
            question = Question("id of the other document", asked.document_id, check=_is_id)
            said = f"{asked.offer.document_id} stays as it is."
            self.app.push_screen(Ask(f"{asked.offer.file} is another document", [question], said),
                                 partial(self._named, asked))  # fmt: skip
            return
        self._answered(asked, answer)

    def _named(self, asked: Asked, answer: tuple[str, ...] | None) -> None:
        if answer is not None:
            asked.document_id = answer[0].strip()
            self._answered(asked, "another")

    def _answered(self, asked: Asked, answer: str) -> None:
        asked.answer = answer
        asked.over.set()
        self._forget(asked)

    def ask_anew(self) -> None:
        """Everything is answered: what is ingested next is asked about again."""
        self._for_all, self._standing = False, ""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There must be a question."""
        return bool(self._offers) if action == "answer_offer" else True


def _is_id(text: str) -> str:
    from curator.domain.identity import slug

    wanted = text.strip()
    return "" if wanted and slug(wanted) == wanted else f"that is no document id: try {slug(wanted) or 'a-name'}"


def revised(result: Ingested) -> str:
    """What a new revision means, in words: "revision 2 of x: 30 same, 1 changed; 2 cases are stale: F6"."""
    counts = [f"{n} {VERDICTS[v][1] if v in VERDICTS else v.lower()}" for v, n in result.verdicts.items()]
    said = f"revision {flat(result.revision)} of {flat(result.document_id)}: {', '.join(counts)}"
    waits = sum(n for v, n in result.verdicts.items() if v != "SAME")
    if result.stale:
        said += f"; {counted(result.stale, 'case is', 'cases are')} stale"
    return said + (": F6 re-confirms" if waits or result.stale else "")
