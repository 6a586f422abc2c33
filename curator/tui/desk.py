"""The case that is being worked on, with what is not saved yet. Every screen sees the same one.

Unsaved work is never dropped: opening another case puts this one on the shelf, and opening it again brings it back as
it was left.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.domain.model import Model

MARKED = ("evidence", "key_provisions", "documents")
FILLED = ("domain", "document_type", "language")


def _empty() -> Case:
    from curator.domain.case import Case  # pydantic: 90 ms that the first paint need not wait for

    return Case()


@dataclass
class Sheet:
    """One case on the desk: as it is now, and as it is stored.

    Attributes:
        case: With everything that was typed and marked.
        record: As it was loaded or saved last; None = it was never stored.
        start: What it was compared with while it was never stored.
        number: Tells sheets apart that have no id yet.
    """

    case: Case
    record: CaseRecord | None = None
    start: Case = field(default_factory=_empty)
    number: int = 0

    @property
    def key(self) -> str:
        """Its id, or a name of its own while it has none."""
        return self.record.case.id if self.record else f"new {self.number}"

    @property
    def dirty(self) -> bool:
        """Whether something is not stored yet."""
        return self.case != (self.record.case if self.record else self.start)

    @property
    def status(self) -> str:
        """Status; "draft" while it was never stored."""
        return self.record.status if self.record else "draft"


class Desk:
    """The current sheet, and the shelf with unsaved ones."""

    def __init__(self) -> None:
        self.sheet: Sheet | None = None
        self._shelf: dict[str, Sheet] = {}
        self._count = 0

    @property
    def case(self) -> Case | None:
        """The current case."""
        return self.sheet.case if self.sheet else None

    def start(self, case: Case) -> Sheet:
        """A new case, not stored; the sheet before goes to the shelf."""
        self._count += 1
        return self._take(Sheet(case, start=case, number=self._count))

    def open(self, record: CaseRecord) -> Sheet:
        """A stored case; with its unsaved changes when it has been here before."""
        waiting = self._shelf.get(record.case.id)
        if self.sheet and self.sheet.key == record.case.id:
            waiting = self.sheet
        if waiting is not None and waiting.dirty:
            return self._take(waiting)
        return self._take(Sheet(record.case, record))

    def bring_back(self, key: str) -> Sheet | None:
        """A sheet from the shelf."""
        return self._take(self._shelf[key]) if key in self._shelf else None

    def _take(self, sheet: Sheet) -> Sheet:
        if self.sheet is not None and self.sheet is not sheet and self.sheet.dirty:
            self._shelf[self.sheet.key] = self.sheet
        self._shelf.pop(sheet.key, None)
        self.sheet = sheet
        return sheet

    @property
    def unsaved(self) -> list[Sheet]:
        """Every sheet with changes that are not stored, the current one first."""
        current = [self.sheet] if self.sheet and self.sheet.dirty else []
        return current + [s for s in self._shelf.values() if s.dirty]

    def saved(self, sheet: Sheet, sent: Case, record: CaseRecord) -> None:
        """A save was committed. What was typed since it was sent stays, and stays unsaved."""
        self._shelf.pop(sheet.key, None)
        merged: dict[str, Any] = {}
        for name in type(sent).model_fields:
            mine, then = getattr(sheet.case, name), getattr(sent, name)
            merged[name] = getattr(record.case, name) if mine == then or name == "id" else mine
        sheet.case = type(sent).model_construct(**merged)
        sheet.record = record
        if sheet is not self.sheet and sheet.dirty:
            self._shelf[sheet.key] = sheet

    def edit(self, sheet: Sheet, **changes: Any) -> None:
        """Change fields of a sheet; one that is not in front is kept on the shelf."""
        sheet.case = sheet.case.model_copy(update=changes)
        if sheet is not self.sheet and sheet.dirty:
            self._shelf[sheet.key] = sheet


def merged_marks(now: Case, before: Case, after: Case) -> Case:
    """What a mark changed, put into the case as it is now: fields typed meanwhile are left as they are.

    Args:
        now: The case with what was typed since.
        before: What the mark was made on; after: what came of it.
        after: See before.
    """
    changes: dict[str, Any] = {name: getattr(after, name) for name in MARKED}
    for name in FILLED:
        if getattr(now, name) == getattr(before, name):
            changes[name] = getattr(after, name)
    return now.model_copy(update=changes)


def differing(mine: Model, theirs: Model) -> list[tuple[str, str, str]]:
    """Fields of two versions of a case that differ: name, mine and theirs as text."""
    found = []
    for name in type(mine).model_fields:
        one, other = getattr(mine, name), getattr(theirs, name)
        if one != other:
            found.append((name.replace("_", " "), as_text(one), as_text(other)))
    return found


def as_text(value: Any) -> str:
    """A field's value as a person reads it."""
    if isinstance(value, str):
        return value
    from curator.domain.model import Model

    if isinstance(value, Model):
        said = (as_text(getattr(value, k)) for k in ("source_id", "role", "id", "text", "quote") if hasattr(value, k))
        return " · ".join(s for s in said if s) or str(value)
    if isinstance(value, tuple | list):
        return "\n".join(as_text(v) for v in value)
    return str(value)
