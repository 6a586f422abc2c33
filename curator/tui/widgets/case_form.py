"""The form of the current case. It edits the case on the desk, field by field, as one types."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, ClassVar, cast

from textual import events, on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Input, Static, TextArea

from curator.domain.case import Case
from curator.tui.desk import Sheet
from curator.tui.widgets.choice import Choice
from curator.tui.widgets.document_list import DocumentList
from curator.tui.widgets.form_fields import FIELDS, LISTS, FieldSpec
from curator.tui.widgets.mark_list import MarkList
from curator.tui.widgets.offers import OfferInput
from curator.tui.widgets.safe import SafeInput, SafeTextArea, plain
from curator.tui.widgets.turns import TurnsEditor
from curator.tui.workers import Sturdy, serve

if TYPE_CHECKING:
    from curator.tui.app import CuratorApp

CHOICES = {"next('expected_behavior')", "next('risk')"}
TYPED = tuple(spec for spec in FIELDS if spec.kind not in LISTS)


class FieldRow(Horizontal):
    """Label and editor."""


class CaseForm(Sturdy, VerticalScroll, can_focus=True):
    """Every field of a case. Esc leaves a field, so that letters act again."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "leave_field", "back"),
        Binding("enter", "fill_in", "fill in"),
        Binding("ctrl+n", "add_turn", "add a turn", show=False),
        Binding("ctrl+r", "remove_turn", "remove the last turn", show=False),
        Binding("b,ctrl+b", "next('expected_behavior')", "behavior"),
        Binding("k,ctrl+l", "next('risk')", "risk"),
        Binding("d", "go_to('domain')", "domain", show=False),
    ]

    class Left(Message):
        """Esc outside every field."""

    def __init__(self, *, dom_id: str | None = None) -> None:
        super().__init__(id=dom_id)
        self._sheet: Sheet | None = None
        self._seen: dict[str, object] = {}
        self._values: dict[str, tuple[str, ...]] = {}
        self._editors = {spec.name: self._editor(spec) for spec in FIELDS}
        self._rows = {spec.name: FieldRow(classes=f"kind-{spec.kind}") for spec in FIELDS}

    def compose(self) -> ComposeResult:
        """A row for each field."""
        for spec in FIELDS:
            with self._rows[spec.name]:
                yield Static(plain(spec.label), classes="label")
                editor = self._editors[spec.name]
                if isinstance(editor, OfferInput):
                    with Vertical(classes="offering"):
                        yield editor
                        yield editor.offers
                else:
                    yield editor

    def on_mount(self) -> None:
        """What is typed is asked for before the desk changes."""
        self._app.collectors.append(self.collect)

    def watch_has_focus(self, _has_focus: bool) -> None:
        """Only its own look is worked out: the hundred widgets in it look the same with the focus and without."""
        self.app.stylesheet.update_nodes([self])

    @property
    def _app(self) -> CuratorApp:
        return cast("CuratorApp", self.app)

    @property
    def unsaid(self) -> set[str]:
        """Not for the last line: how to leave when no field has the focus, and what one who reviews does not do."""
        sheet = self._sheet
        reviewed = sheet is not None and sheet.status not in ("draft", "changes_requested")
        return ({"leave_field"} if self.has_focus else set()) | (CHOICES if reviewed and self.has_focus else set())

    def _editor(self, spec: FieldSpec) -> Widget:
        name = f"f-{_slug(spec)}"
        if spec.kind == "choice":
            return Choice(spec.options, spec.shown(Case()), dom_id=name)
        if spec.kind == "turns":
            return TurnsEditor(spec.hint, self._cited, dom_id=name)
        if spec.kind == "documents":
            return DocumentList(dom_id=name)
        if spec.kind in LISTS:
            how = "^g suggests; or F3, stand on it, e" if spec.kind == "evidence" else "F3, stand on the source, p"
            empty = f"none: {how}"
            return MarkList(spec.kind, empty=empty, dom_id=name)
        if spec.kind in ("text", "lines"):
            return SafeTextArea(placeholder=spec.hint, dom_id=name)
        if spec.offered:
            known = partial(self._known, spec.name)
            return OfferInput(known, several=spec.kind == "words", placeholder=spec.hint, dom_id=name)
        return SafeInput(placeholder=spec.hint, dom_id=name)

    # -- what is offered ----------------------------------------------------------------------------------------

    def _cited(self) -> Sequence[str]:
        """Ids of the evidence: what an earlier turn may cite."""
        return list(dict.fromkeys(e.source_id for e in self._sheet.case.evidence)) if self._sheet else ()

    def _known(self, name: str) -> Sequence[str]:
        return self._values.get(name, ())

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Read anew what a field may offer, when one comes to it."""
        editor, ctx = event.widget, self._app.ctx
        name = next((n for n, e in self._editors.items() if e is editor), "")
        if ctx is None or not name or not isinstance(editor, OfferInput):
            return
        from curator.services.values import values

        def have(found: tuple[str, ...]) -> None:
            if found != self._values.get(name):
                self._values[name] = found
                editor.offer()

        serve(self, lambda: values(ctx, name), have, doing="read what was said before", group=f"values {name}")

    # -- the sheet ----------------------------------------------------------------------------------------------

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
        if sheet is None or sheet.blind or not self.is_attached:
            return
        changes: dict[str, object] = {}
        for spec in TYPED:
            if spec.name in sheet.hidden:
                continue
            raw = self._raw(spec)
            if raw == self._seen.get(spec.name):
                continue
            self._seen[spec.name] = raw
            value = spec.value(raw) if isinstance(raw, str) else raw
            if value != getattr(sheet.case, spec.name):
                changes[spec.name] = value
        said = self._turns.expectations
        if said != self._seen.get("turn_expectations"):
            self._seen["turn_expectations"] = said
            if said != sheet.case.turn_expectations:
                changes["turn_expectations"] = said
        if changes:
            self._app.edit_case(sheet, **changes)

    @property
    def _turns(self) -> TurnsEditor:
        editor = self._editors["turns"]
        assert isinstance(editor, TurnsEditor)
        return editor

    def show_sheet(self, sheet: Sheet) -> None:
        """Show a case; fields that say so already are left alone, so that typing is never disturbed."""
        if sheet is self._sheet:
            self.collect()
        self._sheet = sheet
        case = sheet.case
        for spec in FIELDS:
            row, editor = self._rows[spec.name], self._editors[spec.name]
            wanted = spec.when(case) and (spec.name not in sheet.hidden or (sheet.blind and spec.name == "evidence"))
            if row.display != wanted:
                row.display = wanted
            if row.disabled != (sheet.blind and spec.name != "evidence"):
                row.disabled = not row.disabled
            if isinstance(editor, MarkList | DocumentList):
                editor.show_case(case)
                continue
            raw = self._raw(spec)
            if (spec.value(raw) if isinstance(raw, str) else raw) != getattr(case, spec.name):
                _put(editor, spec, case)
            self._seen[spec.name] = self._raw(spec)
        if self._turns.expectations != case.turn_expectations:
            self._turns.show(case.turns, case.turn_expectations)
        self._seen["turn_expectations"] = self._turns.expectations

    def focus_first(self) -> None:
        """Begin with the question."""
        self.screen.set_focus(self._turns.boxes[-1])

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
        if self.has_focus:
            self.fill_in()

    def fill_in(self) -> None:
        """The same, wherever the focus is: also when it has been set to the form and not got there yet."""
        case = self._app.desk.case
        name = _first_lacking(case) if case is not None else ""
        if name:
            self.screen.set_focus(self.query_one(f"#f-{name}"))
        else:
            self.focus_first()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter is ours while no field has the focus; so are letters, which a field takes before."""
        if self._sheet is not None and self._sheet.blind:
            return action not in ("fill_in", "next", "go_to")
        return self.has_focus or action not in ("fill_in", "go_to")

    def action_add_turn(self) -> None:
        """One more box under the last: a follow-up. What the earlier turns expected can be said under each."""
        self.screen.set_focus(self._turns.add())

    def action_remove_turn(self) -> None:
        """Take the last box away; the first one stays."""
        box = self._turns.remove_last()
        if box is not None:
            self.screen.set_focus(box)
            self.collect()

    def action_next(self, name: str) -> None:
        """The next value of a choice, from anywhere in the form."""
        editor = self.query_one(f"#f-{name.replace('_', '-')}", Choice)
        editor.action_step(1)

    def action_go_to(self, name: str) -> None:
        """Into a field."""
        self.screen.set_focus(self.query_one(f"#f-{name}"))


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
        (not case.risk, "risk"),
    )
    return next((name for missing, name in lacking if missing), "")


def _slug(spec: FieldSpec) -> str:
    return spec.name.replace("_", "-")


def _put(editor: Widget, spec: FieldSpec, case: Case) -> None:
    """Put a field's value into its editor."""
    if isinstance(editor, TurnsEditor):
        editor.show(case.turns, case.turn_expectations)
    elif isinstance(editor, Choice):
        editor.show(spec.shown(case))
    elif isinstance(editor, SafeTextArea):
        editor.load_text(spec.shown(case))
    elif isinstance(editor, SafeInput):
        editor.value = spec.shown(case)
        editor.cursor_position = len(editor.value)
