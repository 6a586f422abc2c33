"""The list of cases, and the form of the current one with what it still lacks."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Static

from curator.tui.messages import OpenDocument
from curator.tui.reviewing import Reviewing
from curator.tui.screens.listing import Listing
from curator.tui.screens.room import Room
from curator.tui.theme import STATES, state
from curator.tui.widgets.case_form import CaseForm, MarkList
from curator.tui.widgets.row_list import Column, FilteredList, Row, RowList
from curator.tui.widgets.safe import flat, plain

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.store.cases import CaseLine

LAST = 2**62
NEXT_ROLE = {"required": "supporting", "supporting": "distractor", "distractor": "required"}


class CaseRows:
    """Cases in order of their creation."""

    immediate = False

    def __init__(self, ctx: Context, status: str = "") -> None:
        self._ctx = ctx
        self._where = {"status": status} if status else {}

    def count(self, contains: str) -> int:
        """How many."""
        from curator.services import cases

        return cases.count(self._ctx, contains=contains, where=self._where)

    def after(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The next ones."""
        from curator.services import cases

        after = key if isinstance(key, int) else 0
        return [
            _row(c, self._ctx.actor_id)
            for c in cases.page_of(self._ctx, after=after, limit=limit, contains=contains, where=self._where)
        ]

    def before(self, key: Hashable | None, limit: int, contains: str) -> Sequence[Row]:
        """The ones before, the nearest first."""
        from curator.services import cases

        before = key if isinstance(key, int) else LAST
        page = cases.page_of(self._ctx, before=before, limit=limit, contains=contains, where=self._where)
        return [_row(c, self._ctx.actor_id) for c in page]


def _row(line: CaseLine, actor: str) -> Row:
    """A row; what the author says of a case in review stays out of the list of those who may review it."""
    blind = line.status == "in_review" and line.author != actor
    behavior, risk = ("…", "…") if blind else (line.behavior, line.risk)
    glyph = STATES[line.status].partition(" ")[0]
    cells = (glyph, line.question or "(no question yet)", behavior, risk, STATES[line.status], line.id)
    return Row(line.seq, line.id, cells, "muted" if line.status == "retired" else "")


class CaseScreen(Reviewing, Room):
    """F5. Narrow screens show the list or the form, wide ones both."""

    CSS_PATH = "case.tcss"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("n", "new_case", "new"),
        Binding("l", "list", "list"),
        Binding("f9,ctrl+enter", "submit", "submit", key_display="F9"),
        Binding("a", "approve", "approve"),
        Binding("x", "request_changes", "changes"),
        Binding("h", "history", "history"),
        Binding("f", "next_status", "by status", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self._status = ""
        self._shown_status = ""
        self._said: dict[str, str] = {}

    def compose_room(self) -> ComposeResult:
        """List on the left, form on the right."""
        columns = [
            Column("", 1),
            Column("question"),
            Column("behavior", 8, least=60),
            Column("risk", 8, least=60),
            Column("state", 20, least=100),
            Column("id", 24, least=110),
        ]
        with Horizontal(id="both"):
            with Vertical(id="left"):
                yield Static("", id="what")
                yield FilteredList(columns, empty="opening …", hint="id or question contains …", dom_id="cases")
            with Vertical(id="right"):
                yield Static("", id="standing")
                yield Static("", id="missing")
                yield CaseForm(dom_id="form")

    def on_mount(self) -> None:
        """The list, until a case is open."""
        super().on_mount()
        if (sheet := self.curator.desk.sheet) is not None:
            self._form.show_sheet(sheet)
        self._paint()
        self.set_focus(self._form if sheet is not None and not self.has_class("-list") else self._list)

    @property
    def _list(self) -> RowList:
        return self.query_one("#cases", FilteredList).list

    @property
    def _form(self) -> CaseForm:
        return self.query_one("#form", CaseForm)

    # -- the list -----------------------------------------------------------------------------------------------

    def refresh_room(self) -> None:
        """Read the list again, and show the current case."""
        if self.curator.ctx is None:
            return
        self._list.empty = (
            f"no case is {self._status.replace('_', ' ')}" if self._status else "no cases yet: n begins one"
        )
        name = f"cases · {STATES[self._status]}" if self._status else "all cases"
        self.query_one("#what", Static).update(plain(f" {name} · f: other status · /: filter"))
        sheet = self.curator.desk.sheet
        self._list.source = CaseRows(self.curator.ctx, self._status)
        self._list.reload(select=sheet.case.id if sheet else "")
        if sheet is not None:
            self._form.show_sheet(sheet)
        self._paint()
        if self.focused is None:
            self.set_focus(self._form if self.curator.desk.sheet and not self.has_class("-list") else self._list)

    def show_list(self, status: str = "") -> None:
        """The list, cases with a status only ("" = all)."""
        self._status = status
        self.add_class("-list")
        if self.is_mounted:  # else it is shown when it has been mounted
            self.refresh_room()
            self.set_focus(self._list)

    def action_list(self) -> None:
        """To the list."""
        self.add_class("-list")
        self.set_focus(self._list)

    def action_next_status(self) -> None:
        """Only cases with the next status; at last all."""
        order = ["", *STATES]
        self.show_list(order[(order.index(self._status) + 1) % len(order)])

    @on(RowList.Chosen, "#cases RowList")
    def _open(self, event: RowList.Chosen) -> None:
        event.stop()
        self.curator.open_case(event.row.id, self._show_form)

    def _show_form(self) -> None:
        self.remove_class("-list")
        self.set_focus(self._form, scroll_visible=False)
        self._form.scroll_home(animate=False)

    @on(CaseForm.Left)
    def _left(self, event: CaseForm.Left) -> None:
        event.stop()
        self.action_list()

    # -- the current case ---------------------------------------------------------------------------------------

    def case_changed(self, origin: str) -> None:
        """Paint what changed; a form that is typed in is not written to."""
        sheet = self.curator.desk.sheet
        if origin in ("loaded", "marks", "saved") and sheet is not None:
            self._form.show_sheet(sheet)
        if origin == "loaded":
            self.remove_class("-list")
        if origin == "saved" and self.is_current:
            self._list.reload(select=sheet.case.id if sheet else "")
        self._paint()

    def _paint(self) -> None:
        sheet = self.curator.desk.sheet
        self.set_class(sheet is None, "-none")
        if sheet is None:
            return
        record = sheet.record
        said = [sheet.case.id or "new case", state(sheet.status, record.flags if record else ())]
        if record is not None:
            said.append(f"v{record.version} by {record.author}")
        unsaved = "● unsaved: Ctrl+S" if sheet.dirty else ""
        if unsaved and sheet.status in ("in_review", "approved"):
            unsaved += " (a changed expectation makes it a draft)"
        said.append(
            self.curator.saving if self.curator.saving and not (sheet.dirty and "✓" in self.curator.saving) else unsaved
        )
        if sheet.status != self._shown_status:
            self._shown_status = sheet.status
            self.refresh_bindings()
        self._say("#standing", flat("   ".join(s for s in said if s)))
        self._say("#missing", self._missing())

    def _say(self, where: str, said: str) -> None:
        """Update a line when it says something else; an update lays the screen out again."""
        if self._said.get(where) != said:
            self._said[where] = said
            self.query_one(where, Static).update(plain(said))

    def _missing(self) -> str:
        found, sheet = self.curator.problems, self.curator.desk.sheet
        if found is None or sheet is None:
            return "…"
        wrong = [p for p in found if p.severity == "error"]
        advice = [p for p in found if p.severity == "warning"]
        if wrong:
            return flat(f"! {len(wrong)} missing: " + " · ".join(p.message for p in wrong))
        said = "✓ nothing is missing"
        if sheet.status in ("draft", "changes_requested"):
            said += ": F9 submits it"
        elif self.curator.waits_for:
            said = f"→ waits for {self.curator.waits_for}"
        return flat(said + "".join(f" · advice: {p.message}" for p in advice[:2]))

    def action_new_case(self) -> None:
        """A new case; what was typed before stays on the shelf."""
        self.curator.start_case(then=self._begin)

    def _begin(self) -> None:
        self._show_form()
        self.call_after_refresh(self._form.focus_first)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What can be done with the case that is in front."""
        sheet = self.curator.desk.sheet
        if self._list.has_focus or not self.is_mounted:
            return True
        if action in ("approve", "request_changes"):
            return sheet is not None and sheet.status == "in_review"
        if action == "submit":
            return sheet is not None and sheet.status in ("draft", "changes_requested")
        return True

    def action_submit(self) -> None:
        """Save, then send to review."""
        self.curator.action_submit()

    # -- marks --------------------------------------------------------------------------------------------------

    @on(RowList.Chosen, "MarkList")
    def _read(self, event: RowList.Chosen) -> None:
        event.stop()
        case = self.curator.desk.case
        entry = next((e for e in case.evidence if e.source_id == event.row.id), None) if case else None
        if entry is not None:
            self.post_message(OpenDocument(entry.document_id, entry.page, entry.source_id))

    @on(MarkList.TakeBack)
    def _take_back(self, event: MarkList.TakeBack) -> None:
        event.stop()
        from curator.services import cases

        case, place = self.curator.desk.case, event.place
        if case is None:
            return
        if isinstance(event, MarkList.NextRole):
            self._next_role(event)
        elif event.marks.id == "f-evidence":
            entry = case.evidence[place]
            self.curator.mark(lambda _ctx, c: cases.without_evidence(c, entry), "")
        else:
            provision = case.key_provisions[place]
            self.curator.mark(lambda _ctx, c: cases.without_provision(c, provision), "")

    def _next_role(self, event: MarkList.NextRole) -> None:
        case = self.curator.desk.case
        assert case is not None
        if event.marks.id == "f-evidence":
            entry = case.evidence[event.place]
            new: Any = entry.model_copy(update={"role": NEXT_ROLE[entry.role]})
            self.curator.mark(
                lambda _ctx, c: c.model_copy(update={"evidence": tuple(new if e == entry else e for e in c.evidence)}),
                "",
            )
        else:
            old = case.key_provisions[event.place]
            other = old.model_copy(update={"mandatory": not old.mandatory})
            self.curator.mark(
                lambda _ctx, c: c.model_copy(
                    update={"key_provisions": tuple(other if p == old else p for p in c.key_provisions)}
                ),
                "",
            )

    # -- history ------------------------------------------------------------------------------------------------

    def action_history(self) -> None:
        """What happened to the case so far."""
        record = self._chosen_record()
        if record is None:
            return
        from curator.services import cases

        self.ask(lambda ctx: cases.history(ctx, record), self._show_history, doing="read the history", group="history")

    def _chosen_record(self) -> str | None:
        """Id of the case that an action is about: the row under the cursor in the list, else the one in the form."""
        if self._list.has_focus and self._list.row is not None:
            return self._list.row.id
        sheet = self.curator.desk.sheet
        return sheet.record.case.id if sheet and sheet.record else None

    def _show_history(self, events: list[dict[str, Any]]) -> None:
        columns = [Column("when", 17), Column("who", 14), Column("what", 16), Column("", 0)]
        rows = [(str(e["at"])[:16].replace("T", " "), str(e["actor"]), str(e["verb"]), _details(e)) for e in events]
        self.app.push_screen(Listing("history, oldest first", columns, rows, empty="nothing happened yet", last=True))


def _details(event: dict[str, Any]) -> str:
    """What an event changed, in a few words."""
    data = event.get("data") or {}
    before, after = data.get("before") or {}, data.get("after") or {}
    if isinstance(before, dict) and isinstance(after, dict) and before and after:
        changed = [k for k, v in after.items() if before.get(k, v) != v or k not in before]
        return ", ".join(changed)
    return "; ".join(f"{k}: {v}" for k, v in data.items() if isinstance(v, str) and v)
