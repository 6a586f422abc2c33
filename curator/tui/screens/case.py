"""The list of cases, and the form of the current one with what it still lacks."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, Horizontal, Vertical
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from curator.domain.suite import TITLES
from curator.states import STATES
from curator.tui.adjudicating import Adjudicating
from curator.tui.guessing import Guessing
from curator.tui.importing_lists import ImportingLists
from curator.tui.messages import OpenDocument
from curator.tui.remarking import Remarking
from curator.tui.reviewing import Reviewing
from curator.tui.screens.history import HistoryScreen
from curator.tui.screens.listing import Listing
from curator.tui.screens.room import Room
from curator.tui.screens.suggesting import Suggesting
from curator.tui.theme import state
from curator.tui.widgets.case_form import CaseForm
from curator.tui.widgets.case_list import CaseList, CaseRows
from curator.tui.widgets.evidence_pane import EvidencePane
from curator.tui.widgets.mark_list import MarkList
from curator.tui.widgets.row_list import Column, RowList
from curator.tui.widgets.safe import flat, plain
from curator.tui.widgets.suggestions import SuggestionList, SuggestionPane
from curator.tui.widgets.turns import TurnBox

if TYPE_CHECKING:
    from curator.domain.strata import Stratum
    from curator.services.context import Context
    from curator.tui.counting import CellOf
    from curator.tui.desk import Sheet


PARTS = "#left, #right, #beside, #suggested"


class CaseScreen(Suggesting, Remarking, Reviewing, Adjudicating, Guessing, ImportingLists, Room):
    """F5. Narrow screens show the list or the form, wide ones both."""

    CSS_PATH = "case.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_case", "new"),
        Binding("l", "list", "list"),
        Binding("f9,ctrl+enter", "submit", "submit", key_display="F9"),
        Binding("ctrl+t", "submit_and_go_on", "submit, next", priority=True),
        Binding("a", "approve", "approve"),
        Binding("x", "request_changes", "ask for changes"),
        Binding("v", "next_review", "next review", show=False),
        Binding("X", "retire", "retire", show=False, key_display="X"),
        Binding("R", "restore", "restore", key_display="R"),
        Binding("B", "accept_behavior", "behavior as the list suggests", show=False, key_display="B"),
        Binding("h", "history", "history"),
        Binding("w", "strata", "its strata, and how each came about", show=False),
        Binding("y", "copy", "copy"),
        Binding("ctrl+o", "evidence", "evidence"),
        Binding("s,ctrl+g", "suggestions", "suggestions", key_display="s ^g"),
        Binding("ctrl+down", "scroll_evidence(3)", "scroll the evidence", show=False),
        Binding("ctrl+up", "scroll_evidence(-3)", "scroll the evidence back", show=False),
        Binding("f", "next_status", "by status", show=False),
        Binding("escape", "leave_cell", "coverage"),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.awaits_focus = False
        self.add_class("-none", update=False)
        self._status = ""
        self._shown_status: tuple[str, bool | None] | None = None
        self._listed: tuple[str, CellOf | None] = ("", None)
        self._cell: CellOf | None = None
        self._beside = ""
        self._came_from: Widget | None = None
        self._said: dict[str, str] = {}

    def compose_room(self) -> ComposeResult:
        """List on the left, form on the right."""
        with Horizontal(id="both"):
            with Vertical(id="left"):
                yield Static("", id="what")
                yield Static("", id="importing")
                yield CaseList(dom_id="cases")
            with Vertical(id="right"):
                yield Static("", id="standing")
                yield Static("", id="missing")
                with Container(id="writing"):
                    yield CaseForm(dom_id="form")
                    yield EvidencePane(dom_id="beside")
                    yield SuggestionPane(dom_id="suggested")

    def on_mount(self) -> None:
        """The list, until a case is open."""
        super().on_mount()
        if (sheet := self.curator.desk.sheet) is not None:
            self._form.show_sheet(sheet)
        self._paint()
        self.set_focus(self._form if sheet is not None and not self.has_class("-list") else self._list)
        if self.curator.ctx is None:
            self._list.expect()

    @property
    def unsaid(self) -> set[str]:
        """Not for the last line: the way to the list for who is in it."""
        return {"list"} if self.is_mounted and self._list.has_focus else set()

    @property
    def _list(self) -> RowList:
        return self.query_one("#cases", CaseList).list

    @property
    def _form(self) -> CaseForm:
        return self.query_one("#form", CaseForm)

    # -- the list -----------------------------------------------------------------------------------------------

    def refresh_room(self) -> None:
        """Read the list again, and show the current case."""
        if self.curator.ctx is None:
            return
        self._list.empty = (
            f"no case: {self._status.replace('_', ' ')}" if self._status else "no cases yet: n begins one, i: a list"
        )
        name = f"cases: {STATES[self._status].partition(' ')[2]}" if self._status else "all cases"
        if self._cell is not None:
            self._list.empty, name = "no case is in this cell", f"esc: coverage · {flat(self._cell.name)}"
        self.query_one("#what", Static).update(plain(f" {name} · f: other status · /: filter"))
        sheet = self.curator.desk.sheet
        now = (self._status, self._cell)
        same, self._listed = now == self._listed, now
        select = sheet.case.id if sheet and not self._list.has_focus else ""
        self._list.show_rows(CaseRows(self.curator.ctx, self._status, cell=self._cell), keep=same, select=select)
        if sheet is not None:
            self._form.show_sheet(sheet)
        self._paint()
        if self.focused is None:
            self.set_focus(self._form if self.curator.desk.sheet and not self.has_class("-list") else self._list)

    def show_list(self, status: str = "") -> None:
        """The list, cases with a status only ("" = all)."""
        self._show_list(status, None)

    def show_cell(self, cell: CellOf) -> None:
        """The list, the cases of a cell of the coverage only; Esc goes back there."""
        self._show_list("", cell)

    def action_leave_cell(self) -> None:
        """All cases again, and back to the coverage."""
        self._show_list("", None)
        self.curator.action_mode("coverage")

    def _show_list(self, status: str, cell: CellOf | None) -> None:
        self._status, self._cell = status, cell
        self._arrange(list=True)
        if self.is_mounted:  # else it is shown when it has been mounted
            self.refresh_room()
            self.set_focus(self._list)

    def action_list(self) -> None:
        """To the list."""
        self._arrange(list=True)
        self.set_focus(self._list)

    def action_next_status(self) -> None:
        """In the list only cases with the next status, at last all; in the form, as from the reader, fill in."""
        if self.curator.desk.sheet is not None and not self.has_class("-list"):
            self.fill_in()
            return
        order = ["", *STATES]
        self.show_list(order[(order.index(self._status) + 1) % len(order)])

    @on(RowList.Chosen, "#cases RowList")
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        self.curator.open_case(event.row.id, self._show_form)

    def _show_form(self) -> None:
        self._arrange(list=False)
        self.set_focus(self._form, scroll_visible=False)
        self._form.scroll_home(animate=False)

    def fill_in(self) -> None:
        """Show the form, and go into the first field that the case lacks."""
        self._show_form()
        self._form.fill_in()

    @on(CaseForm.Left)
    def _left(self, event: CaseForm.Left) -> None:
        event.stop()
        self.action_list()

    @on(CaseList.Move)
    def _move(self, event: CaseList.Move) -> None:
        event.stop()
        (self.ask_retirement if event.what == "retire" else self.ask_restoring)(event.names)

    # -- the current case ---------------------------------------------------------------------------------------

    def case_changed(self, origin: str) -> None:
        """Paint what changed; a form that is typed in is not written to."""
        sheet = self.curator.desk.sheet
        if origin in ("loaded", "marks", "saved") and sheet is not None:
            self._form.show_sheet(sheet)
        if origin == "loaded":
            self._arrange(list=False)
        if origin == "saved" and self.is_current:
            self._list.reload(select=sheet.case.id if sheet else "")
        if origin != "checked":
            self.look_for_suggestions(anew=origin in ("loaded", "saved"))
        self._paint()

    def _paint(self) -> None:
        sheet = self.curator.desk.sheet
        self._arrange(none=sheet is None)
        if sheet is None:
            return
        self.query_one("#beside", EvidencePane).show_case(sheet.case)
        record = sheet.record
        said = [sheet.case.id or "new case", state(sheet.status, record.flags if record else ())]
        if record is not None:
            said.append(f"v{record.version} by {record.author}")
        said.append(self._unsaved(sheet))
        if (sheet.status, self.curator.approves) != self._shown_status:
            self._shown_status = sheet.status, self.curator.approves
            self.refresh_bindings()
        self._say("#standing", flat("   ".join(s for s in said if s)), layout=False)
        missing = self._missing()
        self.query_one("#missing").set_class(not missing.startswith("!"), "-fine")
        self._say("#missing", missing)

    def _unsaved(self, sheet: Sheet) -> str:
        """How saving stands: what went wrong first, else what is not saved, else that it was."""
        app = self.curator
        if not sheet.dirty:
            return app.saving
        if app.draft_note or (app.saving and "✓" not in app.saving):
            return (app.saving if app.saving.startswith("!") else "") or app.draft_note or app.saving
        changes = " (a changed expectation makes it a draft)" if sheet.status in ("in_review", "approved") else ""
        return "● unsaved: Ctrl+S" + (" · draft kept" if app.is_kept(sheet) else "") + changes

    def _arrange(self, **parts: bool) -> None:
        """Which parts are in sight; how they lie is worked out again, not how the hundred widgets in them look."""
        before = self.classes
        self.update_classes({f"-{name}": shown for name, shown in parts.items()}, update=False)
        if self.classes != before:
            self.app.stylesheet.update_nodes([self, *self.query(PARTS)])

    # -- beside the form: the evidence while one answers, suggestions while one asks -----------------------------

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """What stands beside a field stands there while one writes in it, where there is room."""
        if not isinstance(event.widget, SuggestionList):
            self._came_from = event.widget
        self._show_beside(event.widget)

    def on_descendant_blur(self, _event: events.DescendantBlur) -> None:
        """Nothing is written any more."""
        if self.focused is None:
            self._show_beside(None)

    def on_screen_suspend(self) -> None:
        """Who goes to another place comes back to the form, not into the box they left: letters are commands then."""
        if self.curator.current_mode != "case" and isinstance(self.focused, (Input, TextArea)):
            self.set_focus(self._form if self._form in self.focused.ancestors else self._list, scroll_visible=False)

    def _show_beside(self, focused: Widget | None) -> None:
        what = self._beside
        if isinstance(focused, SuggestionList):
            what = "suggestions"
        elif not what and focused is not None and focused.id == "f-reference-answer":
            what = "" if self.has_class("-narrow") else "evidence"
        elif not what and isinstance(focused, TurnBox):
            what = "suggestions" if self.has_class("-wide") else ""
        suggested = self.has_class("-suggesting")
        self._arrange(beside=what == "evidence", suggesting=what == "suggestions")
        if self.has_class("-suggesting") != suggested:
            self.look_for_suggestions()

    def action_evidence(self) -> None:
        """Show the evidence, or take it away; it stays in sight until it is taken away."""
        self._beside = "" if self.has_class("-beside") else "evidence"
        self._show_beside(None if self.has_class("-beside") else self.focused)

    def action_suggestions(self) -> None:
        """To the suggested evidence; from there: take it away. Else it stays in sight while one types."""
        self._arrange(list=False)
        if self.query_one(SuggestionList).has_focus:
            self._beside = ""
            self._back_to_form()
        else:
            self._beside = "suggestions"
            self._show_beside(self.focused)
            self.set_focus(self.query_one(SuggestionList))

    def _back_to_form(self) -> None:
        """Where one was before one went to the suggestions."""
        before = self._came_from
        self.set_focus(before if before is not None and before.is_attached and before.focusable else self._form)

    @on(SuggestionList.Left)
    def _left_suggestions(self, event: SuggestionList.Left) -> None:
        event.stop()
        if self.has_class("-narrow"):
            self._beside = ""  # they take half of a small screen
        self.left_suggestions()
        self._back_to_form()

    def action_scroll_evidence(self, by: int) -> None:
        """Some lines of it."""
        self.query_one("#beside", EvidencePane).scroll_relative(y=by, animate=False)

    def _say(self, where: str, said: str, *, layout: bool = True) -> None:
        """Update a line when it says something else; `layout` lays the screen out again, since it may grow."""
        if self._said.get(where) != said:
            self._said[where] = said
            self.query_one(where, Static).update(plain(said), layout=layout)

    def _missing(self) -> str:
        found, sheet = self.curator.problems, self.curator.desk.sheet
        if found is None or sheet is None:
            return "…"
        if sheet.status == "retired" and sheet.record is not None:
            gone = sheet.record
            instead = f" · replaced by {gone.successor}" if gone.successor else ""
            return flat(f"✗ retired on {gone.retired_at[:10]}: {gone.retired_reason}{instead} · R restores it")
        if sheet.blind:
            waits = f" (waits for {self.curator.waits_for})" if self.curator.waits_for else ""
            return flat("labels are hidden: a labels it by your own view; e in the reader marks your sources" + waits)
        wrong = [p for p in found if p.severity == "error"]
        advice = [p for p in found if p.severity == "warning"]
        if wrong:
            return flat(f"! {len(wrong)} missing: " + " · ".join(p.message for p in wrong))
        said = "✓ nothing is missing"
        if sheet.status in ("draft", "changes_requested"):
            said += ": F9 submits it"
        elif self.curator.waits_for:
            said = f"→ waits for {self.curator.waits_for}"
        if sheet.hidden:  # advice on risk would tell it
            return flat(said + " · a: state the risk as you see it, it is hidden till then")
        return flat(said + "".join(f" · advice: {p.message}" for p in advice[:2]))

    def action_new_case(self) -> None:
        """A new case; what was typed before stays on the shelf."""
        self.curator.start_case(then=self._begin)

    def begin(self) -> None:
        """Into the question of the case that has just begun; keys wait until one is there, or they would command."""
        self.awaits_focus = True
        self.call_later(self._begin)  # the screen may be about to come up for the first time

    def _begin(self) -> None:
        self.awaits_focus = True
        self._show_form()
        self.call_after_refresh(self._into_question)

    def _into_question(self) -> None:
        self.awaits_focus = False
        self._form.focus_first()

    def action_copy(self) -> None:
        """Begin the next case with what this one says, its evidence too."""
        if not self.curator.copy_case(then=self._begin):
            self.notify("no case is open that could be copied", markup=False, timeout=3)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done with the case that is in front."""
        sheet = self.curator.desk.sheet
        if not self.is_mounted:
            return True
        if action in ("approve", "request_changes", "history", "retire", "restore") and self._list.has_focus:
            row = self._list.row
            return row is not None and (action == "history" or action in row.offers)
        if action in ("approve", "request_changes"):
            waits = sheet is not None and sheet.waits
            return waits and (action != "approve" or self.curator.approves is not False)
        if action == "leave_cell":
            return self._cell is not None and self._list.has_focus
        if action == "accept_behavior" and self._list.has_focus:
            return self._list.row is not None
        if action in ("history", "accept_behavior"):
            return sheet is not None and sheet.record is not None
        if action in ("retire", "restore"):
            stored = sheet is not None and sheet.record is not None
            return stored and (sheet is not None and sheet.status == "retired") == (action == "restore")
        if action in ("suggestions", "copy") or (action == "evidence" and not self.has_class("-beside")):
            return sheet is not None
        if action in ("submit", "submit_and_go_on"):
            return sheet is not None and sheet.status in ("draft", "changes_requested")
        return super().check_action(action, parameters)

    def action_submit(self) -> None:
        """Save, then send to review."""
        self.curator.action_submit()

    def action_submit_and_go_on(self) -> None:
        """Save, send to review, and show the next draft; without one begin a new case."""
        self.curator.submit_and_go_on(self._gone_on)

    def _gone_on(self) -> None:
        sheet = self.curator.desk.sheet
        if sheet is not None and sheet.record is None:
            self._begin()
        else:
            self._show_form()

    # -- marks --------------------------------------------------------------------------------------------------

    @on(RowList.Chosen, "MarkList")
    def _read(self, event: RowList.Chosen) -> None:
        event.stop()
        case = self.curator.desk.case
        entry = next((e for e in case.evidence if e.source_id == event.row.id), None) if case else None
        if entry is not None:
            self.post_message(OpenDocument(entry.document_id, entry.page, entry.source_id))

    @on(MarkList.Change)
    def _change_mark(self, event: MarkList.Change) -> None:
        event.stop()
        self.change_mark(event.marks.kind, event.place, event.what)

    # -- history ------------------------------------------------------------------------------------------------

    def action_history(self) -> None:
        """What happened to the case so far."""
        record = self._chosen_record()
        if record is None:
            return
        from curator.services import blind, ledger

        def work(ctx: Context) -> tuple[list[dict[str, Any]], bool]:
            return blind.history(ctx, record), bool(ledger.seen(ctx, record, "app", "its history").hidden)

        self.ask(work, partial(self._show_history, record), doing="read the history", group="history")

    def _show_history(self, name: str, found: tuple[list[dict[str, Any]], bool]) -> None:
        self.app.push_screen(HistoryScreen(name, found[0], blind=found[1]))

    def action_strata(self) -> None:
        """In which strata the case is counted, and how each came about."""
        name = self._chosen_record()
        if name is not None:
            from curator.services.coverage import strata_of

            self.ask(lambda ctx: strata_of(ctx, name), partial(self._show_strata, name), doing=f"count {name}",
                     group="strata")  # fmt: skip

    def _show_strata(self, name: str, found: tuple[Stratum, ...]) -> None:
        rows = [(TITLES[s.dimension], s.value or "not stated", s.how) for s in found]
        columns = [Column("dimension", 16), Column("value", 14), Column("how it came about")]
        self.app.push_screen(Listing(f"strata of {name}, as it is stored", columns, rows, empty=""))

    def chosen_names(self) -> list[str]:
        """Ids of the cases that are marked in the list, else of the one that an action is about."""
        if self._list.has_focus and self._list.marked:
            return list(self._list.marked)
        name = self._chosen_record()
        return [name] if name else []

    def _chosen_record(self) -> str | None:
        """Id of the case that an action is about: the row under the cursor in the list, else the one in the form."""
        if self._list.has_focus and self._list.row is not None:
            return self._list.row.id
        sheet = self.curator.desk.sheet
        return sheet.record.case.id if sheet and sheet.record else None
