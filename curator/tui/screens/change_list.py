"""What differs between two versions, case by case: a list, and both texts of the one under the cursor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical
from textual.widgets import Static

from curator.tui.screens.dialog import Dialog
from curator.tui.widgets.footline import Footline
from curator.tui.widgets.row_list import Column, ListedRows, Row, RowList
from curator.tui.widgets.safe import flat, plain, titled
from curator.tui.widgets.side_by_side import SideBySide

if TYPE_CHECKING:
    from curator.domain.changes import CaseChange, FieldChange

SIGNS = {"major": "▲", "minor": "+", "patch": "·", "none": " "}
ORDER = ("major", "minor", "patch", "none")


@dataclass(frozen=True)
class Told:
    """A row: a change of a case, and one thing that differs in it, where that may be told."""

    change: CaseChange
    field: FieldChange | None = None


class ChangeList(Dialog[str]):
    """Answers with what was decided; None = nothing.

    Args:
        title: What is compared.
        said: Lines above the list: the summary, and what stands in the way.
        changes: By case.
        sides: What the old and the new side are.
    """

    CSS_PATH = ["dialog.tcss", "change_list.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("tab", "turn", "list or texts"),
        Binding("w", "whole", "all of the text"),
    ]
    KEYS = "tab: texts · esc: close"

    def __init__(self, title: str, said: Sequence[str], changes: Sequence[CaseChange], sides: tuple[str, str]) -> None:
        super().__init__()
        self._title, self._said, self._sides = title, list(said), sides
        ordered = sorted(changes, key=lambda c: (ORDER.index(c.level), c.id))
        self._told = [t for change in ordered for t in _rows(change)]

    def compose(self) -> ComposeResult:
        """The summary, the list, both texts."""
        with Vertical(classes="box") as box:
            titled(box, self._title, self.KEYS)
            yield Static(plain("\n".join(self._said)), id="summary")
            columns = [Column("", 1), Column("", 5), Column("case", 24, middle=True, wide=28), Column("", 9),
                       Column("what differs", 0, middle=True)]  # fmt: skip
            rows = ListedRows([_row(n, t) for n, t in enumerate(self._told)])
            yield RowList(columns, rows, head=False, empty="not one case differs", dom_id="changes")
            yield SideBySide(dom_id="texts")
        yield Footline()

    def on_mount(self) -> None:
        """Read at once."""
        self.set_focus(self.query_one(RowList))
        self.query_one(SideBySide).display = bool(self._told)

    @property
    def told(self) -> Told | None:
        """The row under the cursor."""
        row = self.query_one(RowList).row
        return self._told[int(row.id)] if row is not None else None

    @on(RowList.Highlighted)
    def _seen(self, event: RowList.Highlighted) -> None:
        from curator.services.suite_diff import words

        event.stop()
        told = self._told[int(event.row.id)]
        about = f"{told.change.id} · {self._sides[0]}", self._sides[1]
        texts = self.query_one(SideBySide)
        if told.field is not None:
            where = f"{told.field.path}: {told.field.why}"
            texts.show((f"{about[0]} · {where}", about[1]), words(told.field))
        else:
            texts.show(about, (), instead=(explained(told.change), ""))

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.action_turn()

    def action_turn(self) -> None:
        """Move in the list, or scroll the texts."""
        listed, texts = self.query_one(RowList), self.query_one(SideBySide)
        self.set_focus(texts if listed.has_focus else listed)

    def action_whole(self) -> None:
        """Show all that both texts share, or its ends again."""
        self.query_one(SideBySide).turn_whole()


class NextRelease(ChangeList):
    """What a next release would be: "release", "hold" (or no longer), "revisions", "mark CASE"; None = nothing."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("y", "release_it", "release"),
        Binding("s", "hold", "hold stale cases, or leave them out"),
        Binding("e", "editorial", "wording alone"),
        Binding("v", "revisions", "judge against other revisions"),
    ]
    KEYS = "y: release · e: wording alone · v: revisions · esc: no"

    def action_release_it(self) -> None:
        """Release it."""
        self.dismiss("release")

    def action_hold(self) -> None:
        """Look again, with stale cases held in their last released form, or without."""
        self.dismiss("hold")

    def action_revisions(self) -> None:
        """Choose the revisions of the documents that it is judged against."""
        self.dismiss("revisions")

    def action_editorial(self) -> None:
        """Say that only the wording of the case under the cursor changed."""
        told = self.told
        if told is None or told.change.what != "changed" or told.change.level == "patch":
            self.notify("the cursor must be on a case that changed in more than places", markup=False, timeout=4)
        else:
            self.dismiss(f"mark {told.change.id}")


def explained(change: CaseChange) -> str:
    """What may be said of a change whose texts are not shown."""
    said = {
        "added": "it is new",
        "removed": "it leaves",
        "retired": "it was retired",
        "restored": "it was retired, and is back",
        "moved": "it changed its side",
        "changed": "it lies in the holdout: only the names of its fields are told",
    }[change.what]
    return f"{said}: {change.reason}" if change.reason else said


def _rows(change: CaseChange) -> list[Told]:
    return [Told(change, field) for field in change.details] or [Told(change)]


def _row(place: int, told: Told) -> Row:
    change, field = told.change, told.field
    level = field.level if field else change.level
    what = field.path if field else ", ".join(change.fields) or flat(change.reason)
    return Row(place, str(place), (SIGNS[level], level, change.id, change.what, what))
