"""The reader: a cursor over the sources of a document; what stands under it becomes evidence or a provision."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.timer import Timer

from curator.tui.screens.reader_places import Opening, opening
from curator.tui.screens.reader_repair import ReaderRepair
from curator.tui.trail import Place
from curator.tui.widgets.mark_list import PageMarks
from curator.tui.widgets.row_list import Column, RowList
from curator.tui.widgets.safe import SafeInput, titled
from curator.tui.widgets.section_tree import SectionTree
from curator.tui.widgets.source_layout import labeled
from curator.tui.widgets.source_view import SourceView
from curator.tui.widgets.two_ends import TwoEnds

if TYPE_CHECKING:
    from curator.domain.document import Document, Section


class ReaderScreen(ReaderRepair):
    """F3."""

    CSS_PATH = "reader.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("e", "evidence", "evidence"),
        Binding("p", "provision", "provision"),
        Binding("w", "answer", "into the answer", show=False),
        Binding("o", "alternative", "or instead: an alternative", show=False),
        Binding("x,delete,backspace", "take_back", "take a mark back", show=False, key_display="x"),
        Binding("c", "new_case", "new case"),
        Binding("f", "app.fill_in", "fill in"),
        Binding("t", "table(1)", "next table"),
        Binding("T", "table(-1)", "table before", show=False),
        Binding("m", "mark(1)", "next mark", show=False),
        Binding("M", "mark(-1)", "mark before", show=False),
        Binding("right_square_bracket", "section(1)", "next section", key_display="]", show=False),
        Binding("left_square_bracket", "section(-1)", "section before", key_display="[", show=False),
        Binding("slash", "find", "find", key_display="/"),
        Binding("n", "match(1)", "next match"),
        Binding("N", "match(-1)", "match before", show=False),
        Binding("colon,ctrl+g", "jump", "go to a page", key_display=":", show=False),
        Binding("s", "sections", "sections", show=False),
        Binding("i", "marks", "marks and cases here", show=False),
        Binding("enter", "row", "the row as a list", show=False),
        Binding("D", "differences", "what this revision changed", show=False, key_display="D"),
        Binding("r", "repair", "repair the table or text", show=False),
        Binding("R", "rename", "rename the source", show=False, key_display="R"),
        Binding("escape", "back", "back"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.document: Document | None = None
        self._sections: list[Section] = []
        self._labels = {}
        self._matches = []
        self._found = ""
        self._timer: Timer | None = None
        self._wish: tuple[str, int, str] | None = None
        self._answers = {}
        self._citing = {}
        self._cases_of = ("", 0, "")

    def compose_room(self) -> ComposeResult:
        """Sections, text, marks; under them the line of the source and the find line."""
        with Horizontal(id="columns"):
            yield SectionTree(dom_id="sections")
            with Vertical(id="middle"):
                yield TwoEnds(whole_end=True, dom_id="title")
                yield SourceView(dom_id="text")
            with Vertical(id="marks"):
                with Vertical(id="marks-here") as box:
                    titled(box, "marks of the case")
                    yield PageMarks(dom_id="mark-list")
                with Vertical(id="cases-here") as box:
                    titled(box, "other cases on this page")
                    columns = [Column("", 1), Column("")]
                    yield RowList(columns, head=False, empty="none", dom_id="case-list")
        yield SafeInput(placeholder="find in this document …", dom_id="find")
        yield TwoEnds(dom_id="source")

    def on_mount(self) -> None:
        """Nothing is open yet."""
        super().on_mount()
        self._view.clear("no document is open: F2 lists them, Enter opens one")
        self.set_focus(self._view)

    @property
    def unsaid(self) -> set[str]:
        """Not for the last line: what needs a case, or matches, while there are none; a new case while there is one."""
        lacking = {"new_case"} if self.curator.desk.sheet is not None else {"app.fill_in"}
        return lacking | (set() if self._matches else {"match(1)"})

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
        self._view.clear("loading …")
        self.ask(
            partial(opening, document_id),
            partial(self._opened, page, source_id),
            doing=f"open {document_id}",
            group="open document",
        )

    @property
    def place(self) -> Place:
        """Where the cursor stands, to come back to."""
        source = self._view.source if self.is_mounted else None
        if self.document is None or source is None:
            return Place("reader", *(self._wish or ()))
        return Place("reader", self.document.id, source.anchor.page, source.id)

    def refresh_room(self) -> None:
        """Show what was asked for before the workspace was open; paint the marks."""
        if self._wish is not None:
            wish, self._wish = self._wish, None
            self.open_document(*wish)
        self._paint_marks()
        self._look_for_cases()
        self.look_for_revision()

    def _opened(self, page: int, source_id: str, read: Opening) -> None:
        from curator.services import documents

        ctx = self.curator.ctx
        assert ctx is not None
        document = self.document = read.document
        self._matches, self._found, self._labels, self._sections = [], "", read.labels, []
        self._citing, self._cases_of, self._standing = {}, ("", 0, ""), None
        self._view.open(
            lambda first, last: documents.sources_on(ctx, document.id, first, last),
            document.revision.pages,
            page=page or 1,
            source_id=source_id,
            notes=read.notes,
        )
        self._paint_marks()
        self._paint_title()
        self._look_for_cases()
        self.look_for_revision()
        self.ask(lambda c: documents.sections(c, document.id), self._has_sections, doing="read the sections",
                 group="sections")  # fmt: skip

    def _has_sections(self, found: list[Section]) -> None:
        self._sections = found
        self.query_one(SectionTree).show_sections(found)
        self._follow()

    # -- what is under the cursor -------------------------------------------------------------------------------

    @on(SourceView.Moved)
    def _moved(self, event: SourceView.Moved) -> None:
        event.stop()
        self._paint_title()
        self._paint_source()
        self._paint_cases()
        self._follow()

    def _paint_title(self) -> None:
        document, source = self.document, self._view.source
        if document is None:
            return
        at = source.anchor if source else None
        place = [self.revision_said, f"{labeled(at.page, at.page_label)} of {document.revision.pages}" if at else ""]
        section = at.section_path[-1] if at and at.section_path else ""
        said = document.title + (f" › {section}" if section else "")
        self.query_one("#title", TwoEnds).say(said, " · ".join(p for p in place if p))

    def case_changed(self, origin: str) -> None:
        """Marks are visible at once."""
        if origin in ("loaded", "marks", "saved"):
            self._paint_marks()
        if origin == "saved":
            self._look_for_cases()
            self.look_for_revision()

    def action_row(self) -> None:
        """The cells of the row under the cursor, one under the other."""
        source = self._view.source
        if source is not None and source.anchor.cells:
            from curator.tui.screens.reader_row import RowSheet

            self.app.push_screen(RowSheet(source))

    def action_back(self) -> None:
        """Out of the find line; away with what was selected or found; back to the text; at last where one came from."""
        if self.has_class("-finding"):
            self._leave_find()
        elif not self._view.has_focus:
            self.set_focus(self._view)
        elif self._view.pick is not None:
            self._view.unpick()
        elif self._found:
            self._found, self._matches = "", []
            self._view.set_words("")
            self._paint_source()
        elif not self.curator.go_back():
            self.curator.action_mode("case")
