"""Evidence and provisions of a case as lists."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar

from textual import events
from textual.binding import Binding, BindingType
from textual.message import Message

from curator.domain.case import Case, Evidence, KeyProvision
from curator.tui.marking import Mark
from curator.tui.theme import PROVISION, ROLES
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList

MOST_MARKS = 5
COLUMNS = (Column("", 12), Column("", 7), Column(""), Column("", 36, least=96, middle=True))


class MarkList(RowList):
    """Evidence or provisions: Enter opens the reader there, Delete takes the mark back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "read"),
        Binding("delete,backspace,d", "change('take_back')", "take back", key_display="del"),
        Binding("r", "change('role')", "other role"),
        Binding("o", "change('alternative')", "or instead"),
        Binding("u", "change('part')", "part of the text"),
    ]

    class Change(Message):
        """A key on an entry: take_back, role, alternative (to the entry above) or part (of its quote)."""

        def __init__(self, marks: MarkList, place: int, what: str) -> None:
            self.marks = marks
            self.place = place
            self.what = what
            super().__init__()

    def __init__(self, kind: str, *, empty: str, dom_id: str | None = None) -> None:
        super().__init__(COLUMNS, head=False, empty=empty, dom_id=dom_id)
        self.kind = kind

    def action_change(self, what: str) -> None:
        """Ask for a change of the entry under the cursor."""
        if self.row is not None:
            self.post_message(self.Change(self, self.cursor, what))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Alternatives are of evidence; provisions are reworded, evidence is cut."""
        if action == "change" and parameters == ("alternative",):
            return self.kind == "evidence"
        return super().check_action(action, parameters)

    def show_case(self, case: Case) -> None:
        """Show the entries of a case; as high as they are many, up to a limit."""
        rows = evidence_rows(case) if self.kind == "evidence" else provision_rows(case)
        height = max(1, min(MOST_MARKS, len(rows)))
        if any(row.cells[0] for row in rows):  # else nothing is an alternative, and its column would be empty
            self.columns = (Column("", 2), *COLUMNS)
        else:
            self.columns = COLUMNS
            rows = [replace(row, cells=row.cells[1:]) for row in rows]
        if self.styles.height is None or self.styles.height.value != height:
            self.styles.height = height
        self.show_rows(ListedRows(rows), keep=True)


class PageMarks(RowList):
    """The marks of the case in one document: Enter or a click goes there, Delete takes the mark back."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "choose", "go there"),
        Binding("delete,backspace,d,x", "change('take_back')", "take back", key_display="del"),
        Binding("r", "change('role')", "other role"),
        Binding("o", "change('alternative')", "or instead"),
        Binding("u", "change('part')", "part of the text"),
    ]

    class Change(Message):
        """A key on a mark; see MarkList.Change. kind: "evidence", "provision" or "answer"."""

        def __init__(self, kind: str, place: int, what: str) -> None:
            self.kind = kind
            self.place = place
            self.what = what
            super().__init__()

    def __init__(self, *, dom_id: str | None = None) -> None:
        columns = [Column("", 4), Column("", 7), Column("")]
        super().__init__(columns, head=False, empty="no marks: e makes one", dom_id=dom_id)
        self._marks: list[Mark] = []

    def show_marks(self, marks: Sequence[Mark]) -> None:
        """Show marks in their order; the cursor stays."""
        self._marks = list(marks)
        rows = [Row(n, mark.name, (_short(mark.word), mark.place_said, mark.text)) for n, mark in enumerate(marks)]
        self.show_rows(ListedRows(rows), keep=True)

    @property
    def mark(self) -> Mark | None:
        """The mark under the cursor."""
        return self._marks[self.cursor] if 0 <= self.cursor < len(self._marks) else None

    def action_change(self, what: str) -> None:
        """Ask for a change of the mark under the cursor."""
        if self.mark is not None:
            self.post_message(self.Change(self.mark.kind, self.mark.place, what))

    def on_click(self, event: events.Click) -> None:
        """One click goes there."""
        event.prevent_default()
        place = int(event.y + self.scroll_offset.y)
        if place < len(self._marks):
            self.cursor = place
            self.action_choose()


def _short(word: str) -> str:
    """Glyph and role as the margin of the text says them: "●req"."""
    glyph, _, role = word.partition(" ")
    return glyph + role[:3]


def evidence_rows(case: Case) -> list[Row]:
    """A row for each entry; alternatives to an entry above are marked by "or"."""
    rows, seen = [], set()
    for n, entry in enumerate(case.evidence):
        cells = ("or" if entry.group and entry.group in seen else "", *_evidence_cells(entry))
        seen.add(entry.group)
        rows.append(Row(n, entry.source_id, cells))
    return rows


def _evidence_cells(entry: Evidence) -> tuple[str, ...]:
    return (" ".join(ROLES[entry.role]), f"p. {entry.page_label or entry.page}", entry.quote, entry.source_id)


def provision_rows(case: Case) -> list[Row]:
    """A row for each key provision; its page is named as that of the evidence from the same source."""
    labels = {entry.source_id: entry.page_label for entry in case.evidence}
    return [
        Row(n, p.source_id, ("", *_provision_cells(p, labels.get(p.source_id, ""))))
        for n, p in enumerate(case.key_provisions)
    ]


def _provision_cells(entry: KeyProvision, label: str) -> tuple[str, ...]:
    accepts = f"  [{'; '.join(entry.accept)}]" if entry.accept else ""
    word = "mandatory" if entry.mandatory else "optional"
    page = f"p. {label or entry.page}" if label or entry.page else ""
    return f"{PROVISION[0]} {word}", page, f"{entry.text}{accepts}", entry.source_id


def as_alternative(evidence: Sequence[Evidence], place: int) -> tuple[Evidence, ...]:
    """The evidence with one entry made an alternative to the one above; one that is already stands alone again."""
    entry, above = evidence[place], evidence[place - 1] if place else None
    if above is None:
        return tuple(evidence)
    alone = any(e.group == entry.group for e in evidence[:place])
    group = _own_group(evidence, entry) if alone else above.group or above.source_id
    changed = {place: entry.model_copy(update={"group": group})}
    if not above.group and not alone:
        changed[place - 1] = above.model_copy(update={"group": group})
    return tuple(changed.get(n, e) for n, e in enumerate(evidence))


def _own_group(evidence: Sequence[Evidence], entry: Evidence) -> str:
    taken = {e.group for e in evidence if e is not entry}
    name, number = entry.source_id, 2
    while name in taken:
        name, number = f"{entry.source_id}-{number}", number + 1
    return name
