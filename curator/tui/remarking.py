"""Changing the marks of a case in its form: taken back, another role, alternatives, part of a quote, other words."""

from __future__ import annotations

from functools import partial

from curator.domain.accepting import phrases
from curator.domain.case import Case, Evidence
from curator.domain.document import Source
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.quote import QuoteScreen
from curator.tui.screens.room import Room
from curator.tui.widgets.mark_list import as_alternative

NEXT_ROLE = {"required": "supporting", "supporting": "distractor", "distractor": "required"}


class Remarking(Room):
    """Mix-in of the case screen."""

    def change_mark(self, kind: str, place: int, what: str) -> None:
        """Change the entry at a place of the evidence or of the provisions; see MarkList.Change."""
        case = self.curator.desk.case
        if case is None or place >= len(case.evidence if kind == "evidence" else case.key_provisions):
            return
        if kind == "evidence":
            self._change_evidence(case, place, what)
        else:
            self._change_provision(case, place, what)

    def _change_evidence(self, case: Case, place: int, what: str) -> None:
        from curator.services import cases

        entry = case.evidence[place]
        if what == "take_back":
            self.curator.mark(lambda _ctx, c: cases.without_evidence(c, entry), "")
        elif what == "role":
            self._replace(entry, entry.model_copy(update={"role": NEXT_ROLE[entry.role]}))
        elif what == "alternative":
            if not place:
                self.notify("the first entry has none above it that it could be an alternative to", markup=False,
                            timeout=4)  # fmt: skip
                return
            self.curator.mark(
                lambda _ctx, c: c.model_copy(
                    update={"evidence": as_alternative(c.evidence, place) if place < len(c.evidence) else c.evidence}
                ),
                "",
            )
        elif entry.table_cells:
            self.notify("a row is quoted whole: its cells", markup=False, timeout=4)
        else:
            from curator.services import documents

            self.ask(
                lambda ctx: documents.source(ctx, entry.source_id),
                partial(self._cut, entry),
                doing="read the source",
                group="quote",
            )

    def _replace(self, old: Evidence, new: Evidence) -> None:
        self.curator.mark(
            lambda _ctx, c: c.model_copy(update={"evidence": tuple(new if e == old else e for e in c.evidence)}), ""
        )

    def _cut(self, entry: Evidence, source: Source) -> None:
        def cut(quote: str | None) -> None:
            if quote is not None:
                self._replace(entry, entry.model_copy(update={"quote": quote}))

        self.app.push_screen(QuoteScreen(source, entry.quote), cut)

    def _change_provision(self, case: Case, place: int, what: str) -> None:
        from curator.services import cases

        old = case.key_provisions[place]
        if what == "take_back":
            self.curator.mark(lambda _ctx, c: cases.without_provision(c, old), "")
        elif what == "role":
            self._reword(case, place, mandatory=not old.mandatory)
        else:
            questions = [
                Question("what a right answer must carry", old.text, needed("a text")),
                Question("any of these counts (separated by ; )", "; ".join(old.accept), hint="10,000; ten"),
            ]

            def reworded(answer: tuple[str, ...] | None) -> None:
                if answer is not None:
                    self._reword(case, place, text=answer[0].strip(), accept=phrases(answer[1]))

            self.app.push_screen(Ask(f"key provision {old.id}", questions, old.source_id), reworded)

    def _reword(self, case: Case, place: int, **changes: object) -> None:
        old = case.key_provisions[place]
        new = old.model_copy(update=changes)
        self.curator.mark(
            lambda _ctx, c: c.model_copy(
                update={"key_provisions": tuple(new if p == old else p for p in c.key_provisions)}
            ),
            "",
        )
