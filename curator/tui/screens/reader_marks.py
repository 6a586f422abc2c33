"""Marks that are made where the text is: evidence, alternatives, provisions, words for the answer."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING

from textual import on
from textual.containers import Vertical

from curator.domain.accepting import candidates
from curator.domain.citing import provision
from curator.errors import CuratorError
from curator.states import STATES
from curator.text import one_line
from curator.tui.marking import (
    Answered,
    Mark,
    alternative,
    margin,
    mark_words,
    marks_in,
    next_role,
    provided,
    quoted,
    with_words,
    without_words,
)
from curator.tui.messages import OpenCase
from curator.tui.remarking import Remarking
from curator.tui.screens.reader_places import ReaderPlaces
from curator.tui.widgets.mark_list import PageMarks
from curator.tui.widgets.row_list import ListedRows, Row, RowList
from curator.tui.widgets.source_layout import shown_text
from curator.tui.widgets.source_view import SourceView
from curator.tui.widgets.two_ends import TwoEnds

if TYPE_CHECKING:
    from curator.domain.case import Case
    from curator.domain.document import Source
    from curator.services.citations import CitingCase

LONGEST = 2000
_RIGHT_TO_LEFT = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]")


class ReaderMarks(ReaderPlaces, Remarking):
    """A base of the reader."""

    _answers: dict[str, list[Answered]]
    _citing: Mapping[str, tuple[CitingCase, ...]]
    _cases_of: tuple[str, int, str]

    @property
    def shown_case(self) -> Case | None:
        """The current case, under the ids that sources have today."""
        raise NotImplementedError

    def with_waiting(self, marks: list[Mark]) -> list[Mark]:
        """The marks; those whose source waits to be re-confirmed say so."""
        raise NotImplementedError

    def stale_said(self) -> list[str]:
        """That the case is stale."""
        raise NotImplementedError

    def question_said(self, source: Source) -> list[str]:
        """What is asked about a row."""
        raise NotImplementedError

    # -- making them --------------------------------------------------------------------------------------------

    def _begin_case(self, source: Source) -> None:
        if self.curator.desk.case is None:
            self.curator.start_case(source.document_id)

    def action_evidence(self) -> None:
        """What is selected, or the source, is evidence of the current case; again: the next role; at last: none."""
        source, quote = self._view.source, self._quote
        if source is not None:
            self._begin_case(source)
            self.curator.mark(partial(next_role, source.id, quote), "")
            self._view.unpick()

    def action_alternative(self) -> None:
        """What is selected, or the source, would do as well as the required evidence that was marked last."""
        source, quote = self._view.source, self._quote
        if source is not None:
            self._begin_case(source)
            self.curator.mark(partial(alternative, source.id, quote), "")
            self._view.unpick()

    @property
    def _quote(self) -> str:
        """The selected part of a chunk; a row is always cited whole."""
        source = self._view.source
        return self._view.quote if source is not None and source.kind == "chunk" else ""

    def action_provision(self) -> None:
        """What is selected, or the source, is a key provision: its words, and the phrases that count."""
        from curator.tui.screens.reader_provision import Provide

        source, quote = self._view.source, self._view.quote
        if source is None:
            return
        text = " ".join((quote or shown_text(source)).split())[:LONGEST]
        said = f"{provision(source, 1).citation} · {source.id}"  # the citation names the page
        self.app.push_screen(Provide(said, text, candidates(source, quote)), partial(self._provided, source))

    def _provided(self, source: Source, answer: tuple[str, tuple[str, ...]] | None) -> None:
        if answer is None:
            return
        text, accept = answer
        self._begin_case(source)
        self.curator.mark(partial(provided, source.id, text, accept), "")
        self._view.unpick()

    def action_answer(self) -> None:
        """Put what is selected, or the source, at the end of the reference answer; again: take it out."""
        source = self._view.source
        if source is None:
            return
        words = " ".join((self._view.quote or shown_text(source)).split())
        self._begin_case(source)
        self.curator.collect()
        sheet = self.curator.desk.sheet
        assert sheet is not None
        before, known = sheet.case.reference_answer, self._answers.setdefault(sheet.name, [])
        after = without_words(before, words)
        if after is None:
            after = with_words(before, words)
            known.append(Answered(source.document_id, source.id, source.anchor.page, words))
            self._answer_with(after, f"the answer ends: … {one_line(words[-60:])}")
        else:
            self._answer_with(after, "taken out of the answer")

    def _answer_with(self, answer: str, said: str) -> None:
        sheet = self.curator.desk.sheet
        assert sheet is not None
        self.curator.desk.edit(sheet, reference_answer=answer)
        self.curator.announce("marks")
        self.notify(said, markup=False, timeout=3)

    @property
    def _answered(self) -> list[Answered]:
        """Words that were put into the answer of the current case here, as far as they still stand there."""
        sheet = self.curator.desk.sheet
        known = self._answers.get(sheet.name, []) if sheet else []
        return [a for a in known if sheet and without_words(sheet.case.reference_answer, a.words) is not None]

    # -- taking them back ---------------------------------------------------------------------------------------

    def action_take_back(self) -> None:
        """Take back what is marked at the cursor; where there are several marks, it is asked which."""
        source, case = self._view.source, self.shown_case
        if source is None:
            return
        here = marks_in(case, source.document_id, self._answered) if case else []
        here = [m for m in here if m.source_id == source.id]
        if not here:
            self.notify("nothing is marked here", markup=False, timeout=3)
        elif len(here) == 1:
            self._change(here[0].kind, here[0].place, "take_back")
        else:
            self._ask_which(here)

    def _ask_which(self, marks: list[Mark]) -> None:
        from curator.tui.screens.choose import Choose

        def chosen(answer: tuple[str, ...] | None) -> None:
            mark = next((m for m in marks if answer and m.name == answer[0]), None)
            if mark is not None:
                self._change(mark.kind, mark.place, "take_back")

        latest = [(m.name, "  ".join(p for p in (m.word, m.place_said, m.text) if p)) for m in reversed(marks)]
        self.app.push_screen(Choose("take back which mark", latest), chosen)

    def _change(self, kind: str, place: int, what: str) -> None:
        if kind != "answer":
            self.change_mark(kind, place, what)
            return
        sheet, known = self.curator.desk.sheet, self._answered
        if sheet is None or what != "take_back" or place >= len(known):
            return
        self.curator.collect()
        after = without_words(sheet.case.reference_answer, known[place].words)
        if after is not None:
            self._answer_with(after, "taken out of the answer")

    @on(PageMarks.Change)
    def _change_listed(self, event: PageMarks.Change) -> None:
        event.stop()
        self._change(event.kind, event.place, event.what)

    def action_new_case(self) -> None:
        """Begin a case on this document: its question is asked for, and may be left for later."""
        from curator.tui.screens.ask import Ask, Question

        if self.document is None:
            return
        document = self.document

        def begin(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self.curator.start_case(document.id, answer[0].strip())

        said = "What a user would ask. Then e marks the source under the cursor, F5 shows the form."
        searched = self.curator.desk.searched
        question = Question("question", complete=lambda typed: [searched] if searched.startswith(typed) else [],
                            hint=f"{searched} (Tab)") if searched else Question("question")  # fmt: skip
        self.app.push_screen(Ask("new case", [question], said), begin)

    # -- showing them -------------------------------------------------------------------------------------------

    @on(SourceView.Picked)
    def _selected(self, event: SourceView.Picked) -> None:
        event.stop()
        self._paint_source()

    def _paint_source(self) -> None:
        source, case, view = self._view.source, self.shown_case, self._view
        if source is None:
            return
        said = mark_words(case, source, self._answered) if case is not None else ["no case: c"]
        if view.quote:
            said = [f"“{view.quote}”"]
        elif view.pick is not None:
            said = ["v selects from here"]
        if self._found:
            said.append(self.found_said(source))
        shape = view.shape
        if shape is not None and shape.is_wide:
            said.append(f"←→ {shape.seen[0]}–{shape.seen[1]} of {len(shape.widths)}")
        said = [*self.question_said(source), *said, *self.stale_said()]
        if _RIGHT_TO_LEFT.search(source.anchor.text):
            said.append("right-to-left text")
        said.append(source.id)
        line = self.query_one("#source", TwoEnds)
        line.say(said[0] if view.quote else " · ".join(said[:-1]), " · ".join(said[1:]) if view.quote else said[-1])

    def _paint_marks(self) -> None:
        case = self.shown_case
        answered = self._answered
        self._view.set_marks(margin(case, answered) if case else {}, quoted(case, answered) if case else {})
        self._paint_source()
        marks = marks_in(case, self.document.id, answered) if case and self.document else []
        self.query_one("#mark-list", PageMarks).show_marks(self.with_waiting(marks))
        self._paint_cases()

    def _look_for_cases(self) -> None:
        """Read which cases cite this document; when it was opened, and after every save."""
        from curator.services import citations

        document = self.document
        if document is not None:
            self.ask(
                lambda ctx: citations.citing(ctx, document.id),
                partial(self._has_cases, document.id),
                doing="look for cases",
                group="cases",
                failed=self._no_cases,
            )

    def _no_cases(self, error: Exception) -> bool:
        self._citing = {}
        return isinstance(error, CuratorError) and self.curator.ctx is None

    def _has_cases(self, document_id: str, found: Mapping[str, tuple[CitingCase, ...]]) -> None:
        if self.document is not None and self.document.id == document_id:
            self._citing = found
            self._cases_of = ("", 0, "")
            self._paint_cases()

    def _paint_cases(self) -> None:
        """Other cases that cite sources of the page under the cursor."""
        source, document = self._view.source, self.document
        sheet = self.curator.desk.sheet
        mine = sheet.record.case.id if sheet and sheet.record else ""
        key = (document.id if document else "", source.anchor.page if source else 0, mine)
        if key == self._cases_of:
            return
        self._cases_of = key
        names = self._view.ids_on(key[1])
        found = {c.id: c for name in names for c in self._citing.get(name, ()) if c.id != mine}
        rows = [
            Row(n, c.id, ("→", f"(hidden) {c.id}") if c.hidden else (STATES[c.status][:1], c.question or c.id))
            for n, c in enumerate(found.values())
        ]
        if rows or self.query_one("#case-list", RowList).count:  # a page without one looks as the one before
            self.query_one("#case-list", RowList).show_rows(ListedRows(rows))

    @on(RowList.Chosen, "#mark-list")
    def _go_to_mark(self, event: RowList.Chosen) -> None:
        event.stop()
        mark = self.query_one("#mark-list", PageMarks).mark
        if mark is not None and mark.page:
            self._view.go(mark.page, source_id=mark.source_id)
            self.set_focus(self._view)

    @on(RowList.Chosen, "#case-list")
    def _open_case(self, event: RowList.Chosen) -> None:
        event.stop()
        self.post_message(OpenCase(event.row.id))

    def action_marks(self) -> None:
        """Show the marks and go there; again: hide them."""
        box = self.query_one("#marks", Vertical)
        inside = self.focused is not None and box in self.focused.ancestors
        shown = bool(box.display) and not inside
        if box.display and inside:
            self.remove_class("-marks")
            self.add_class("-no-marks")
            self.set_focus(self._view)
            return
        self.add_class("-marks")
        self.remove_class("-no-marks")
        if self.has_class("-narrow"):  # beside two panes no text would be left
            self.remove_class("-sections")
        lists = list(box.query(RowList))
        self.call_after_refresh(self.set_focus, next((x for x in lists if x.count), lists[0]))
        if not shown:
            self._paint_marks()
