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
from curator.tui.theme import PROVISION, ROLES
from curator.tui.widgets.choice import Choice
from curator.tui.widgets.form_fields import FIELDS, FieldSpec
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import SafeInput, SafeTextArea, plain
from curator.tui.workers import Sturdy

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

MOST_MARKS = 5


class TurnBox(SafeTextArea):
    """One turn of the conversation."""


class TurnsEditor(Vertical):
    """The turns, one box each; the last is what the system is asked."""

    def show(self, turns: Sequence[str], hint: str) -> None:
        """Show turns; boxes that have their text already are left alone."""
        wanted = list(turns) or [""]
        boxes = list(self.query(TurnBox))
        for box in boxes[len(wanted) :]:
            box.remove()
        for box, text in zip(boxes, wanted, strict=False):
            if box.text != text:
                box.load_text(text)
        for text in wanted[len(boxes) :]:
            self.mount(TurnBox(text, placeholder=hint))

    @property
    def turns(self) -> tuple[str, ...]:
        """What the boxes say; boxes that are being removed do not count."""
        texts = [b.text for b in self.query(TurnBox) if b.is_attached and not b._pruning]
        return tuple(texts) if any(t.strip() for t in texts) else ()


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
        Binding("enter", "first_field", "fill in", show=False),
        Binding("f6", "add_turn", "add a turn", show=False),
        Binding("f7", "remove_turn", "remove the last turn", show=False),
        Binding("b", "next('expected_behavior')", "behavior", show=False),
        Binding("k", "next('risk')", "risk", show=False),
    ]

    class Left(Message):
        """Esc outside every field."""

    def compose(self) -> ComposeResult:
        """A row for each field."""
        for spec in FIELDS:
            with FieldRow(id=f"row-{_slug(spec)}", classes=f"kind-{spec.kind}"):
                yield Static(plain(spec.label), classes="label")
                yield _editor(spec)

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    def show_case(self, case: Case) -> None:
        """Show a case; fields that say so already are left alone, so that typing is never disturbed."""
        for spec in FIELDS:
            self.query_one(f"#row-{_slug(spec)}").display = spec.when(case)
            editor = self.query_one(f"#f-{_slug(spec)}")
            if isinstance(editor, TurnsEditor):
                if editor.turns != case.turns:
                    editor.show(case.turns, spec.hint)
            elif isinstance(editor, MarkList):
                editor.show_marks(_evidence(case) if spec.kind == "evidence" else _provisions(case))
            elif isinstance(editor, Choice):
                editor.show(spec.shown(case))
            elif isinstance(editor, SafeTextArea):
                if spec.value(editor.text) != getattr(case, spec.name):
                    editor.load_text(spec.shown(case))
            elif isinstance(editor, SafeInput) and spec.value(editor.value) != getattr(case, spec.name):
                editor.value = spec.shown(case)

    def focus_first(self) -> None:
        """Begin with the question."""
        if boxes := self.query(TurnBox):
            boxes.last().focus()
        else:
            self.call_after_refresh(lambda: self.query(TurnBox).last().focus() if self.query(TurnBox) else None)

    # -- typing -------------------------------------------------------------------------------------------------

    def _typed(self, widget: Widget, text: str) -> None:
        case = self._app.desk.case
        spec = next((s for s in FIELDS if widget.id == f"f-{_slug(s)}"), None)
        if case is None or spec is None:
            return
        value = spec.value(text)
        if value != getattr(case, spec.name):
            self._app.edit_case(**{spec.name: value})

    @on(Input.Changed)
    def _line_typed(self, event: Input.Changed) -> None:
        event.stop()
        self._typed(event.input, event.input.value)

    @on(TextArea.Changed)
    def _text_typed(self, event: TextArea.Changed) -> None:
        event.stop()
        if isinstance(event.text_area, TurnBox):
            self._turns_typed()
        else:
            self._typed(event.text_area, event.text_area.text)

    def _turns_typed(self) -> None:
        case, turns = self._app.desk.case, self.query_one(TurnsEditor).turns
        if case is not None and turns != case.turns:
            self._app.edit_case(turns=turns)

    @on(Choice.Changed)
    def _chosen(self, event: Choice.Changed) -> None:
        event.stop()
        self._typed(event.choice, event.value)
        if self._app.desk.case is not None:
            self.show_case(self._app.desk.case)

    # -- actions ------------------------------------------------------------------------------------------------

    def action_leave_field(self) -> None:
        """Out of the field; outside a field: out of the form."""
        if self.has_focus:
            self.post_message(self.Left())
        else:
            self.focus(scroll_visible=False)

    def action_first_field(self) -> None:
        """Into the first field."""
        if self.has_focus:
            self.focus_first()

    def action_add_turn(self) -> None:
        """One more box under the last: a follow-up."""
        box = TurnBox("", placeholder="what is asked next")
        self.query_one(TurnsEditor).mount(box)
        self.call_after_refresh(box.focus)

    def action_remove_turn(self) -> None:
        """Take the last box away; the first one stays."""
        boxes = list(self.query(TurnBox))
        if len(boxes) < 2:
            return
        boxes[-1].remove()
        boxes[-2].focus()
        self._turns_typed()

    def action_next(self, name: str) -> None:
        """The next value of a choice, while no field has the focus."""
        editor = self.query_one(f"#f-{name.replace('_', '-')}", Choice)
        editor.action_step(1)


def _slug(spec: FieldSpec) -> str:
    return spec.name.replace("_", "-")


def _editor(spec: FieldSpec) -> Widget:
    name = f"f-{_slug(spec)}"
    if spec.kind == "choice":
        return Choice(spec.options, dom_id=name)
    if spec.kind == "turns":
        return TurnsEditor(id=name)
    if spec.kind in ("evidence", "provisions"):
        columns = [Column("", 12), Column("", 9), Column("", 0)]
        empty = "none: F3, stand on the source, " + ("e" if spec.kind == "evidence" else "p")
        return MarkList(columns, head=False, empty=empty, dom_id=name)
    if spec.kind in ("text", "lines"):
        return SafeTextArea(placeholder=spec.hint, dom_id=name)
    return SafeInput(placeholder=spec.hint, dom_id=name)


def _evidence(case: Case) -> list[Row]:
    return [Row(n, e.source_id, _evidence_cells(e)) for n, e in enumerate(case.evidence)]


def _evidence_cells(entry: Evidence) -> tuple[str, ...]:
    return (" ".join(ROLES[entry.role]), f"p. {entry.page_label or entry.page}", f"{entry.source_id}  {entry.quote}")


def _provisions(case: Case) -> list[Row]:
    return [Row(n, p.source_id, _provision_cells(p)) for n, p in enumerate(case.key_provisions)]


def _provision_cells(entry: KeyProvision) -> tuple[str, ...]:
    accepts = f"  [{'; '.join(entry.accept)}]" if entry.accept else ""
    word = "mandatory" if entry.mandatory else "optional"
    return (f"{PROVISION[0]} {word}", f"p. {entry.page}" if entry.page else "", f"{entry.text}{accepts}")
