"""The form of the current case. It edits the case on the desk, field by field, as one types."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, cast

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from curator.domain.case import Case, Evidence, KeyProvision
from curator.tui.desk import Sheet
from curator.tui.theme import PROVISION, ROLES
from curator.tui.widgets.choice import Choice
from curator.tui.widgets.form_fields import FIELDS, FieldSpec
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, SafeTextArea, plain
from curator.tui.workers import Sturdy

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

MOST_MARKS = 5
TYPED = tuple(spec for spec in FIELDS if spec.kind not in ("evidence", "provisions"))


class TurnBox(SafeTextArea):
    """One turn of the conversation."""

    gone = False


class TurnsEditor(Vertical):
    """The turns, one box each; the last is what the system is asked."""

    def __init__(self, hint: str, *, dom_id: str | None = None) -> None:
        super().__init__(TurnBox("", placeholder=hint), id=dom_id)
        self._hint = hint

    @property
    def boxes(self) -> list[TurnBox]:
        """The boxes that are not being taken away."""
        return [b for b in self.query(TurnBox) if not b.gone]

    def show(self, turns: Sequence[str]) -> None:
        """Show turns; boxes that have their text already are left alone."""
        wanted = list(turns) or [""]
        boxes = self.boxes
        for box in boxes[len(wanted) :]:
            self.drop(box)
        for box, text in zip(boxes, wanted, strict=False):
            if box.text != text:
                box.load_text(text)
        for text in wanted[len(boxes) :]:
            self.mount(TurnBox(text, placeholder=self._hint))

    def drop(self, box: TurnBox) -> None:
        """Take a box away; it counts no more from now on."""
        box.gone = True
        box.remove()

    @property
    def turns(self) -> tuple[str, ...]:
        """What the boxes say; () when all are empty."""
        texts = tuple(b.text for b in self.boxes)
        return texts if any(t.strip() for t in texts) else ()


class MarkList(RowList):
    """Evidence or provisions: Enter opens the reader there, Delete takes the mark back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "read"),
        Binding("delete,backspace,d", "take_back", "take back", key_display="del"),
        Binding("r", "next_role", "role"),
    ]

    class TakeBack(Message):
        """Delete on an entry: its place."""

        def __init__(self, marks: MarkList, place: int) -> None:
            self.marks = marks
            self.place = place
            super().__init__()

    class NextRole(TakeBack):
        """`r` on an entry."""

    def action_take_back(self) -> None:
        """Ask for the entry to be taken back."""
        if self.row is not None:
            self.post_message(self.TakeBack(self, self.cursor))

    def action_next_role(self) -> None:
        """Ask for the next role, or for a provision: whether it is mandatory."""
        if self.row is not None:
            self.post_message(self.NextRole(self, self.cursor))

    def show_marks(self, rows: Sequence[Row]) -> None:
        """Show entries; as high as they are many, up to a limit."""
        self.styles.height = max(1, min(MOST_MARKS, len(rows)))
        self.show_rows(ListedRows(rows), keep=True)


class FieldRow(Horizontal):
    """Label and editor."""


class CaseForm(Sturdy, VerticalScroll, can_focus=True):
    """Every field of a case. Esc leaves a field, so that letters act again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave_field", "leave the field", show=False),
        Binding("enter", "fill_in", "fill in"),
        Binding("ctrl+n", "add_turn", "add a turn", show=False),
        Binding("ctrl+r", "remove_turn", "remove the last turn", show=False),
        Binding("b", "next('expected_behavior')", "behavior", show=False),
        Binding("k", "next('risk')", "risk", show=False),
    ]

    class Left(Message):
        """Esc outside every field."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._sheet: Sheet | None = None
        self._seen: dict[str, object] = {}
        self._editors = {spec.name: _editor(spec) for spec in FIELDS}
        self._rows = {spec.name: FieldRow(classes=f"kind-{spec.kind}") for spec in FIELDS}

    def compose(self) -> ComposeResult:
        """A row for each field."""
        for spec in FIELDS:
            with self._rows[spec.name]:
                yield Static(plain(spec.label), classes="label")
                yield self._editors[spec.name]

    def on_mount(self) -> None:
        """What is typed is asked for before the desk changes."""
        self._app.collectors.append(self.collect)

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def _raw(self, spec: FieldSpec) -> object:
        """What stands in a field now."""
        editor = self._editors[spec.name]
        if isinstance(editor, TurnsEditor):
            return editor.turns
        if isinstance(editor, SafeTextArea):
            return editor.text
        return editor.value if isinstance(editor, SafeInput | Choice) else None

    def collect(self) -> None:
        """Put what was typed since the last time into the sheet that the form shows.

        The form is the first to know: what a field holds and the sheet does not is never written over.
        """
        sheet = self._sheet
        if sheet is None:
            return
        changes = {}
        for spec in TYPED:
            raw = self._raw(spec)
            if raw == self._seen.get(spec.name):
                continue
            self._seen[spec.name] = raw
            value = spec.value(raw) if isinstance(raw, str) else raw
            if value != getattr(sheet.case, spec.name):
                changes[spec.name] = value
        if changes:
            self._app.edit_case(sheet, **changes)

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a case; fields that say so already are left alone, so that typing is never disturbed."""
        if sheet is self._sheet:
            self.collect()
        self._sheet = sheet
        case = sheet.case
        for spec in FIELDS:
            row, editor = self._rows[spec.name], self._editors[spec.name]
            if row.display != spec.when(case):
                row.display = spec.when(case)
            if isinstance(editor, MarkList):
                editor.show_marks(_evidence(case) if spec.kind == "evidence" else _provisions(case))
                continue
            raw = self._raw(spec)
            if (spec.value(raw) if isinstance(raw, str) else raw) != getattr(case, spec.name):
                _put(editor, spec, case)
            self._seen[spec.name] = self._raw(spec)

    def focus_first(self) -> None:
        """Begin with the question."""
        self.screen.set_focus(self.query_one(TurnsEditor).boxes[-1])

    # -- typing -------------------------------------------------------------------------------------------------

    @on(Input.Changed)
    @on(TextArea.Changed)
    def _typed(self, event: Input.Changed | TextArea.Changed) -> None:
        event.stop()
        self.collect()

    @on(Choice.Changed)
    def _chosen(self, event: Choice.Changed) -> None:
        event.stop()
        self.collect()
        if self._sheet is not None:
            self.show_sheet(self._sheet)

    # -- actions ------------------------------------------------------------------------------------------------

    def action_leave_field(self) -> None:
        """Out of the field; outside a field: out of the form."""
        if self.has_focus:
            self.post_message(self.Left())
        else:
            self.screen.set_focus(self, scroll_visible=False)

    def action_fill_in(self) -> None:
        """Into the first field that the case lacks; into the question when it lacks none."""
        case = self._app.desk.case
        if not self.has_focus or case is None:
            return
        name = _first_lacking(case)
        if name:
            self.screen.set_focus(self.query_one(f"#f-{name}"))
        else:
            self.focus_first()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Letters and Enter are ours while no field has the focus."""
        if action in ("fill_in", "next"):
            return self.has_focus
        return True

    def action_add_turn(self) -> None:
        """One more box under the last: a follow-up."""
        box = TurnBox("", placeholder="what is asked next")
        self.query_one(TurnsEditor).mount(box)
        self.screen.set_focus(box)

    def action_remove_turn(self) -> None:
        """Take the last box away; the first one stays."""
        editor = self.query_one(TurnsEditor)
        boxes = editor.boxes
        if len(boxes) > 1:
            editor.drop(boxes[-1])
            self.screen.set_focus(boxes[-2])
            self.collect()

    def action_next(self, name: str) -> None:
        """The next value of a choice, while no field has the focus."""
        editor = self.query_one(f"#f-{name.replace('_', '-')}", Choice)
        editor.action_step(1)


def _first_lacking(case: Case) -> str:
    """Editor of the first field that must be filled in for what the case says it is; "" = none, or the question."""
    if not case.question.strip():
        return ""
    behavior = case.expected_behavior
    lacking = (
        (behavior == "refuse" and not case.refusal_reason, "refusal-reason"),
        (behavior == "escalate" and not case.escalate_to.strip(), "escalate-to"),
        (behavior == "escalate" and not case.escalate_when.strip(), "escalate-when"),
        (behavior == "answer" and not case.reference_answer.strip(), "reference-answer"),
    )
    return next((name for missing, name in lacking if missing), "")


def _slug(spec: FieldSpec) -> str:
    return spec.name.replace("_", "-")


def _put(editor: Widget, spec: FieldSpec, case: Case) -> None:
    """Put a field's value into its editor."""
    if isinstance(editor, TurnsEditor):
        editor.show(case.turns)
    elif isinstance(editor, Choice):
        editor.show(spec.shown(case))
    elif isinstance(editor, SafeTextArea):
        editor.load_text(spec.shown(case))
    elif isinstance(editor, SafeInput):
        editor.value = spec.shown(case)
        editor.cursor_position = len(editor.value)


def _editor(spec: FieldSpec) -> Widget:
    name = f"f-{_slug(spec)}"
    if spec.kind == "choice":
        return Choice(spec.options, dom_id=name)
    if spec.kind == "turns":
        return TurnsEditor(spec.hint, dom_id=name)
    if spec.kind in ("evidence", "provisions"):
        columns = [Column("", 12), Column("", 8), Column("", 0), Column("", 36, least=96)]
        empty = "none: F3, stand on the source, " + ("e" if spec.kind == "evidence" else "p")
        return MarkList(columns, head=False, empty=empty, dom_id=name)
    if spec.kind in ("text", "lines"):
        return SafeTextArea(placeholder=spec.hint, dom_id=name)
    return SafeInput(placeholder=spec.hint, dom_id=name)


def _evidence(case: Case) -> list[Row]:
    return [Row(n, e.source_id, _evidence_cells(e)) for n, e in enumerate(case.evidence)]


def _evidence_cells(entry: Evidence) -> tuple[str, ...]:
    return (" ".join(ROLES[entry.role]), f"p. {entry.page_label or entry.page}", entry.quote, entry.source_id)


def _provisions(case: Case) -> list[Row]:
    return [Row(n, p.source_id, _provision_cells(p)) for n, p in enumerate(case.key_provisions)]


def _provision_cells(entry: KeyProvision) -> tuple[str, ...]:
    accepts = f"  [{'; '.join(entry.accept)}]" if entry.accept else ""
    word = "mandatory" if entry.mandatory else "optional"
    return (
        f"{PROVISION[0]} {word}",
        f"p. {entry.page}" if entry.page else "",
        f"{entry.text}{accepts}",
        entry.source_id,
    )
