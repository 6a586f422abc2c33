"""Getting about in the document that the reader shows: tables, sections, pages, marks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from textual import on

from curator.tui.screens.ask import Ask, Question
from curator.tui.screens.finding import Finding
from curator.tui.widgets.section_tree import SectionTree

if TYPE_CHECKING:
    from curator.domain.document import Document, Section, Source
    from curator.services.context import Context

STEP_PAGES = 10


class ReaderPlaces(Finding):
    """A base of the reader."""

    _sections: list[Section]
    _labels: dict[str, int]

    def action_table(self, by: int) -> None:
        """The first row of the next table, or of the one before."""
        source, document = self._view.source, self.document
        if source is None or document is None:
            return
        self.ask(
            partial(_other_table, source, document.revision.pages, by),
            partial(self._go_to, "no more tables that way"),
            doing="look for a table",
            group="table",
        )

    def _go_to(self, none: str, source: Source | None) -> None:
        if source is None:
            self.notify(none, markup=False, timeout=3)
        else:
            self._view.go(source.anchor.page, source_id=source.id)

    def action_mark(self, by: int) -> None:
        """The next mark of the case in this document, or the one before; round the end."""
        source, case = self._view.source, self.curator.desk.case
        if source is None:
            return
        marked = {e.source_id for e in case.evidence} | {p.source_id for p in case.key_provisions} if case else set()
        self.ask(
            partial(_other_mark, source, marked - {""}, by),
            partial(self._go_to, "no other mark of this case in this document"),
            doing="look for a mark",
            group="table",
        )

    def action_section(self, by: int) -> None:
        """The heading after or before the cursor."""
        place = self._section_at()
        if by < 0 and place >= 0 and self._view.source is not None and not self._is_first_of(place):
            by = 0
        if 0 <= place + by < len(self._sections):
            self._go_to_section(self._sections[place + by])

    def _is_first_of(self, place: int) -> bool:
        source = self._view.source
        assert source is not None
        before = self._view.source_before
        return before is None or before.anchor.section_path != source.anchor.section_path

    def _section_at(self) -> int:
        """Place of the heading that the cursor lies under; -1 = above the first."""
        source = self._view.source
        if source is None:
            return -1
        path, page = source.anchor.section_path, source.anchor.page
        same = [n for n, s in enumerate(self._sections) if s.path == path and s.page <= page]
        if same:
            return same[-1]
        return max((n for n, s in enumerate(self._sections) if s.page <= page), default=-1)

    def _go_to_section(self, section: Section) -> None:
        depth = len(section.path)
        self._view.go(section.page, choose=lambda s: s.anchor.section_path[:depth] == section.path)

    def _follow(self) -> None:
        """The tree shows where the cursor is."""
        if self._sections and self.query_one(SectionTree).display:
            self.query_one(SectionTree).follow(self._section_at())

    @on(SectionTree.Picked)
    def _picked(self, event: SectionTree.Picked) -> None:
        event.stop()
        self._go_to_section(self._sections[event.place])
        self.set_focus(self._view)

    def action_sections(self) -> None:
        """Show the sections and go there; again: hide them."""
        tree = self.query_one(SectionTree)
        if tree.display and tree.has_focus:
            self.set_class(False, "-sections")
            self.set_class(True, "-no-sections")
            self.set_focus(self._view)
            return
        self.set_class(True, "-sections")
        self.set_class(False, "-no-sections")
        if self.has_class("-narrow"):  # beside two panes no text would be left
            self.remove_class("-marks")
        self.call_after_refresh(tree.focus)

    def action_jump(self) -> None:
        """A page by its number, or by the label that is printed on it."""
        if self.document is None:
            return
        last = self.document.revision.pages

        def check(text: str) -> str:
            return "" if self._page_of(text) else f"pages are 1 to {last}, or the label printed on one"

        def jump(answer: tuple[str, ...] | None) -> None:
            if answer:
                page = self._page_of(answer[0])
                self._view.go(page)
                if page in self._view.notes:
                    self.notify(self._view.notes[page], markup=False, timeout=4)

        self.app.push_screen(Ask("go to page", [Question(f"number (1–{last}) or printed label", check=check)]), jump)

    def _page_of(self, text: str) -> int:
        """The page that is meant, 0 = none. `=7` is the page printed 7 where page 7 is another."""
        wanted = text.strip()
        if wanted.startswith("="):
            return self._labels.get(wanted[1:].strip().casefold(), 0)
        last = self.document.revision.pages if self.document else 0
        if wanted.isdecimal() and 1 <= int(wanted) <= last:
            return int(wanted)
        return self._labels.get(wanted.casefold(), 0)


@dataclass(frozen=True)
class Opening:
    """What is read when a document is opened: itself, pages by printed label, and what is said of single pages."""

    document: Document
    labels: dict[str, int]
    notes: dict[int, str]


def opening(document_id: str, ctx: Context) -> Opening:
    """Read it; of two pages with the same label the first counts. In a worker."""
    from curator.services import documents

    document = documents.get(ctx, document_id)
    labels: dict[str, int] = {}
    notes: dict[int, str] = {}
    for page in documents.pages(ctx, document_id):
        if page.label:
            labels.setdefault(page.label.casefold(), page.index)
        if page.note:
            notes[page.index] = page.note
    return Opening(document, labels, notes)


def _other_table(source: Source, pages: int, by: int, ctx: Context) -> Source | None:
    """The first row of the table after or before a source; in a worker, some pages at a time."""
    from curator.services import documents

    at = source.anchor
    first = at.page if by > 0 else max(1, at.page - STEP_PAGES + 1)
    target = ""
    best: Source | None = None
    while 1 <= first <= pages:
        last = min(pages, first + STEP_PAGES - 1)
        found = documents.sources_on(ctx, source.document_id, first, last)
        if by > 0:
            wanted = [s for s in found if s.anchor.table_id not in ("", at.table_id) and s.anchor.ordinal > at.ordinal]
            if wanted:
                return wanted[0]
            first = last + 1
            continue
        wanted = [s for s in found if s.anchor.table_id not in ("", at.table_id) and s.anchor.ordinal < at.ordinal]
        if best is not None and not any(s.anchor.table_id == target for s in wanted):
            return best
        if wanted:
            target = target or wanted[-1].anchor.table_id
            best = next(s for s in wanted if s.anchor.table_id == target)
        if first == 1:
            return best
        first = max(1, first - STEP_PAGES)
    return best


def _other_mark(source: Source, marked: set[str], by: int, ctx: Context) -> Source | None:
    """The marked source of the same document after or before a source, round the end; in a worker."""
    from curator.services import documents

    found = [s for s in documents.named(ctx, marked) if s.document_id == source.document_id and s.id != source.id]
    found.sort(key=lambda s: s.anchor.ordinal)
    after = [s for s in found if s.anchor.ordinal > source.anchor.ordinal]
    before = [s for s in found if s.anchor.ordinal < source.anchor.ordinal]
    return next(iter([*after, *before] if by > 0 else [*reversed(before), *reversed(after)]), None)
