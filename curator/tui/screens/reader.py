"""The reader: a cursor over the sources of a document; what stands under it becomes evidence or a provision."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer
from textual.widgets import Static

from curator.domain.document import Document, Section, Source
from curator.tui.accepting import accept_phrases, phrases
from curator.tui.marking import margin, mark_words, next_role
from curator.tui.screens.ask import Ask, Question, needed
from curator.tui.screens.finding import Finding
from curator.tui.theme import PROVISION, ROLES
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, fit, flat, plain, titled
from curator.tui.widgets.section_tree import SectionTree
from curator.tui.widgets.source_layout import labeled
from curator.tui.widgets.source_view import SourceView

if TYPE_CHECKING:
    from curator.services.context import Context

STEP_PAGES = 10


class ReaderScreen(Finding):
    """F3."""

    CSS_PATH = "reader.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "evidence", "evidence"),
        Binding("p", "provision", "provision"),
        Binding("c", "new_case", "new case"),
        Binding("t", "table(1)", "table"),
        Binding("T", "table(-1)", "table before", show=False),
        Binding("right_square_bracket", "section(1)", "next section", key_display="]", show=False),
        Binding("left_square_bracket", "section(-1)", "section before", key_display="[", show=False),
        Binding("slash", "find", "find", key_display="/"),
        Binding("n", "match(1)", "next match", show=False),
        Binding("N", "match(-1)", "match before", show=False),
        Binding("colon,ctrl+g", "jump", "page", key_display=":"),
        Binding("s", "sections", "sections", show=False),
        Binding("escape", "back", "form"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.document: Document | None = None
        self._sections: list[Section] = []
        self._labels: dict[str, int] = {}
        self._matches: list[Source] = []
        self._found = ""
        self._timer: Timer | None = None
        self._wish: tuple[str, int, str] | None = None

    def compose_room(self) -> ComposeResult:
        """Sections, text, marks; under them the line of the source and the find line."""
        with Horizontal(id="columns"):
            yield SectionTree(dom_id="sections")
            with Vertical(id="middle"):
                yield Static("", id="title")
                yield SourceView(dom_id="text")
            with Vertical(id="marks"):
                marks = RowList(
                    [Column("", 12), Column("")], head=False, empty="no marks: e makes one", dom_id="mark-list"
                )
                titled(marks, "marks of the case")
                yield marks
        yield SafeInput(placeholder="find in this document …", dom_id="find")
        yield Static("", id="source")

    def on_mount(self) -> None:
        """Nothing is open yet."""
        super().on_mount()
        self._view.clear("no document is open: F2 lists them, Enter opens one")
        self.set_focus(self._view)

    # -- opening ------------------------------------------------------------------------------------------------

    def open_document(self, document_id: str, page: int = 0, source_id: str = "") -> None:
        """Show a document; the one that is open already stays where it is unless a place is named."""
        if self.curator.ctx is None or not self.is_mounted:
            self._wish = (document_id, page, source_id)
            return
        self.set_focus(self._view)
        if self.document is not None and self.document.id == document_id:
            if page or source_id:
                self._view.go(page or 1, source_id=source_id)
            return
        from curator.services import documents

        self._view.clear("loading …")
        self.ask(
            lambda ctx: documents.get(ctx, document_id),
            partial(self._opened, page, source_id),
            doing=f"open {document_id}",
            group="open document",
        )

    def refresh_room(self) -> None:
        """Show what was asked for before the workspace was open; paint the marks."""
        if self._wish is not None:
            wish, self._wish = self._wish, None
            self.open_document(*wish)
        self._paint_marks()

    def _opened(self, page: int, source_id: str, document: Document) -> None:
        from curator.services import documents

        ctx = self.curator.ctx
        assert ctx is not None
        self.document = document
        self._matches, self._found, self._labels, self._sections = [], "", {}, []
        self._view.open(
            lambda first, last: documents.sources_on(ctx, document.id, first, last),
            document.revision.pages,
            page=page or 1,
            source_id=source_id,
        )
        self._paint_marks()
        self._paint_title()
        self.ask(lambda c: documents.sections(c, document.id), self._has_sections, doing="read the sections",
                 group="sections")  # fmt: skip
        self.ask(partial(_labels, document.id), self._has_labels, doing="read the page labels", group="labels")

    def _has_sections(self, found: list[Section]) -> None:
        self._sections = found
        self.query_one(SectionTree).show_sections(found)
        self._follow()

    def _has_labels(self, labels: dict[str, int]) -> None:
        self._labels = labels

    # -- what is under the cursor -------------------------------------------------------------------------------

    @on(SourceView.Moved)
    def _moved(self, event: SourceView.Moved) -> None:
        event.stop()
        self._paint_title()
        self._paint_source()
        self._follow()

    def _paint_title(self) -> None:
        document, source = self.document, self._view.source
        if document is None:
            return
        width = max(20, self._view.size.width)
        at = source.anchor if source else None
        place = f" {labeled(at.page, at.page_label)} of {document.revision.pages} " if at else ""
        section = flat(source.anchor.section_path[-1]) if source and source.anchor.section_path else ""
        said = f" {flat(document.title)}" + (f" › {section}" if section else "")
        self.query_one("#title", Static).update(plain(fit(said, width - len(place)) + place), layout=False)

    def _paint_source(self) -> None:
        source, case = self._view.source, self.curator.desk.case
        if source is None:
            return
        said = mark_words(case, source) if case is not None else ["no case: c"]
        if self._found:
            place = next((n for n, m in enumerate(self._matches, 1) if m.id == source.id), 0)
            said.append(f"match {place or '·'}/{len(self._matches)}")
        said.append(source.id)
        self.query_one("#source", Static).update(plain(flat(" · ".join(said))), layout=False)

    def _paint_marks(self) -> None:
        case = self.curator.desk.case
        self._view.set_marks(margin(case) if case else {})
        self._paint_source()
        here = self.document.id if self.document else ""
        entries = [e for e in case.evidence if e.document_id == here] if case else []
        rows = [
            Row(n, e.source_id, (" ".join(ROLES[e.role]), f"p. {e.page_label or e.page}  {e.quote}"))
            for n, e in enumerate(entries)
        ]
        provisions = [p for p in case.key_provisions if p.source_id in {e.source_id for e in entries}] if case else []
        rows += [Row(1000 + n, p.source_id, (" ".join(PROVISION), p.text)) for n, p in enumerate(provisions)]
        self.query_one("#mark-list", RowList).show_rows(ListedRows(rows), keep=True)

    def case_changed(self, origin: str) -> None:
        """Marks are visible at once."""
        if origin in ("loaded", "marks", "saved"):
            self._paint_marks()

    @on(RowList.Chosen, "#mark-list")
    def _go_to_mark(self, event: RowList.Chosen) -> None:
        event.stop()
        case = self.curator.desk.case
        page = next((e.page for e in case.evidence if e.source_id == event.row.id), 1) if case else 1
        self._view.go(page, source_id=event.row.id)
        self.set_focus(self._view)

    # -- marks --------------------------------------------------------------------------------------------------

    def action_evidence(self) -> None:
        """The source under the cursor is evidence of the current case; again: the next role; at last: none."""
        source, case = self._view.source, self.curator.desk.case
        if source is None:
            return
        if case is None:
            self.curator.start_case(source.document_id)
        self.curator.mark(partial(next_role, source.id), "")

    def action_provision(self) -> None:
        """The source under the cursor is a key provision: its text, and the phrases that count."""
        source = self._view.source
        if source is None:
            return
        from curator.domain.citing import provision

        text = flat(provision(source, 1).text)
        questions = [
            Question("what a right answer must carry", text[:400], needed("a text")),
            Question("any of these counts (separated by ; )", "; ".join(accept_phrases(source)), hint="10,000; ten"),
        ]
        self.app.push_screen(Ask("key provision", questions, f"{source.id}"), partial(self._provided, source))

    def _provided(self, source: Source, answer: tuple[str, ...] | None) -> None:
        if answer is None:
            return
        from curator.services import cases

        text, accept = answer
        if self.curator.desk.case is None:
            self.curator.start_case(source.document_id)
        self.curator.mark(
            lambda ctx, case: cases.with_provision(ctx, case, source.id, text=text.strip(), accept=phrases(accept)), ""
        )

    def action_new_case(self) -> None:
        """Begin a case on this document: its question is asked for, and may be left for later."""
        if self.document is None:
            return
        document = self.document

        def begin(answer: tuple[str, ...] | None) -> None:
            if answer is not None:
                self.curator.start_case(document.id, answer[0].strip())

        said = "What a user would ask. Then e marks the source under the cursor, F5 shows the form."
        self.app.push_screen(Ask("new case", [Question("question")], said), begin)

    # -- getting about ------------------------------------------------------------------------------------------

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
                self._view.go(self._page_of(answer[0]))

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

    def action_back(self) -> None:
        """Out of the find line; away with what was found; back to the text; at last to the case."""
        if self.has_class("-finding"):
            self._leave_find()
        elif not self._view.has_focus:
            self.set_focus(self._view)
        elif self._found:
            self._found, self._matches = "", []
            self._view.set_words("")
            self._paint_source()
        else:
            self.curator.action_mode("case")


def _labels(document_id: str, ctx: Context) -> dict[str, int]:
    """Page by printed label; the first page that has it. In a worker."""
    from curator.services import documents

    found: dict[str, int] = {}
    for page in documents.pages(ctx, document_id):
        if page.label:
            found.setdefault(page.label.casefold(), page.index)
    return found


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
