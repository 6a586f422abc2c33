"""The case that is being worked on, with what is not saved yet. Every screen sees the same one.

Unsaved work is never dropped: opening another case puts this one on the shelf, and opening it again brings it back as
it was left.
"""

from __future__ import annotations

import os
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from curator.domain.case import Case, CaseRecord
    from curator.domain.model import Model
    from curator.domain.suggestion import Decided

MARKED = ("evidence", "key_provisions", "documents")
FILLED = ("domain", "document_type", "language")
STEPS = 200


def _empty() -> Case:
    from curator.domain.case import Case  # pydantic: 90 ms that the first paint need not wait for

    return Case()


def new_name(failure: str = "") -> str:
    """A name for what has no id yet, unlike any other's: its draft outlives the app, and with it what it came from."""
    return f"new {failure} {os.urandom(6).hex()}" if failure else f"new {os.urandom(6).hex()}"


SAID = {"turns": "question", "expected_behavior": "behavior", "key_provisions": "provisions"}


@dataclass
class Sheet:
    """One case on the desk: as it is now, and as it is stored.

    Attributes:
        case: With everything that was typed and marked.
        record: As it was loaded or saved last; None = it was never stored.
        start: What it was compared with while it was never stored.
        name: Tells sheets apart that have no id yet.
        hidden: Fields that the acting person may not see yet (services.blind).
        decided: What was said of suggestions since it was loaded or saved; stored with it.
        past: What the case, and what was decided, were before each change since it was loaded or saved, the latest
            last; future: after each change that was taken back.
    """

    case: Case
    record: CaseRecord | None = None
    start: Case = field(default_factory=_empty)
    name: str = field(default_factory=new_name)
    hidden: frozenset[str] = frozenset()
    decided: tuple[Decided, ...] = ()
    past: list[tuple[Case, tuple[Decided, ...]]] = field(default_factory=list)
    future: list[tuple[Case, tuple[Decided, ...]]] = field(default_factory=list)
    _typing: str = ""

    @property
    def key(self) -> str:
        """Its id, or a name of its own while it has none."""
        return self.record.case.id if self.record else self.name

    @property
    def blind(self) -> bool:
        """Whether it is shown without its labels: then its marks are those of the one who labels it, never saved."""
        return "expected_behavior" in self.hidden

    @property
    def stored(self) -> Case:
        """What is stored of it; what it began with when nothing is."""
        return self.record.case if self.record else self.start

    @property
    def dirty(self) -> bool:
        """Whether something is not stored yet."""
        return not self.blind and (self.case != self.stored or bool(self.to_record))

    @property
    def to_record(self) -> tuple[Decided, ...]:
        """What was decided about suggestions and says something, as the case is now."""
        if not self.decided:
            return ()
        from curator.domain.suggestion import counted

        return counted(self.decided, self.case)

    @property
    def status(self) -> str:
        """Status; "draft" while it was never stored."""
        return self.record.status if self.record else "draft"

    @property
    def waits(self) -> bool:
        """Whether it waits for somebody's word: in review, or approved elsewhere and unverified."""
        return self.status == "in_review" or (self.record is not None and self.record.is_unverified)

    def put(self, case: Case, typed: str = "", decided: tuple[Decided, ...] | None = None) -> None:
        """Change it; a change can be taken back. What is typed into one field, `typed`, is one change."""
        decided = self.decided if decided is None else decided
        if case == self.case and decided == self.decided:
            return
        if not typed or typed != self._typing:
            self.past = [*self.past[-STEPS:], (self.case, self.decided)]
        self._typing = typed
        self.future = []
        self.case, self.decided = case, decided

    def step(self, *, back: bool) -> list[str]:
        """Take the last change back, or make it again: the fields that it changed; [] when there is none."""
        source, goal = (self.past, self.future) if back else (self.future, self.past)
        if not source:
            return []
        before, said = self.case, self.decided
        goal.append((before, said))
        case, self.decided = source.pop()
        self.case = case.model_copy(update={"id": before.id})
        self._typing = ""
        return changed_fields(before, self.case) or (["suggestions"] if self.decided != said else [])

    def forget_steps(self) -> None:
        """What was changed is stored: from now on the stored decision is what can be taken back."""
        self.past, self.future, self._typing = [], [], ""


class Desk:
    """The current sheet, the shelf with unsaved ones, and what was searched for last: maybe a question already."""

    def __init__(self) -> None:
        self.sheet: Sheet | None = None
        self.searched = ""
        self._shelf: dict[str, Sheet] = {}

    @property
    def case(self) -> Case | None:
        """The current case."""
        return self.sheet.case if self.sheet else None

    def start(self, case: Case, *, start: Case | None = None, name: str = "") -> Sheet:
        """A new case, not stored; the sheet before goes to the shelf.

        Args:
            case: What it begins with.
            start: What counts as nothing typed yet; None = what it begins with.
            name: Of the sheet; "" = a new one.
        """
        return self._take(Sheet(case, start=case if start is None else start, name=name or new_name()))

    def open(self, record: CaseRecord, hidden: frozenset[str] = frozenset()) -> Sheet:
        """A stored case; with its unsaved changes when it has been here before."""
        waiting = self._shelf.get(record.case.id)
        if self.sheet and self.sheet.key == record.case.id:
            waiting = self.sheet
        if waiting is not None and waiting.dirty:
            return self._take(waiting)
        return self._take(Sheet(record.case, record, hidden=hidden))

    def resume(self, case: Case, record: CaseRecord | None, name: str) -> Sheet:
        """Typed text of an earlier time, over the case as its form was opened with it then."""
        sheet = self.bring_back(name)
        return sheet or self._take(Sheet(case, record, name=name))

    def bring_back(self, key: str) -> Sheet | None:
        """A sheet with unsaved changes, by its key."""
        if self.sheet is not None and self.sheet.key == key and self.sheet.dirty:
            return self.sheet
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

    def saved(self, sheet: Sheet, sent: Case, record: CaseRecord, decided: tuple[Decided, ...] = ()) -> None:
        """A save was committed. What was typed since it was sent stays, and stays unsaved."""
        self._shelf.pop(sheet.key, None)
        sheet.case = merged(sent, sheet.case, record.case).model_copy(update={"id": record.case.id})
        sheet.record = record
        sheet.decided = tuple(d for d in sheet.decided if d not in decided)
        sheet.forget_steps()
        if sheet is not self.sheet and sheet.dirty:
            self._shelf[sheet.key] = sheet

    def edit(self, sheet: Sheet, **changes: Any) -> None:
        """Change fields of a sheet; one that is not in front is kept on the shelf."""
        sheet.put(sheet.case.model_copy(update=changes), typed=" ".join(changes))
        if sheet is not self.sheet and sheet.dirty:
            self._shelf[sheet.key] = sheet


def merged(base: Case, mine: Case, theirs: Case) -> Case:
    """What others stored, with the fields that I have changed since `base` as I have them."""
    changes = {n: getattr(mine, n) for n in type(base).model_fields if getattr(mine, n) != getattr(base, n)}
    return theirs.model_copy(update=changes)


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


def changed_fields(one: Model, other: Model) -> list[str]:
    """Names of the fields in which two versions of a case differ."""
    return [name for name in type(one).model_fields if getattr(one, name) != getattr(other, name)]


def said(name: str) -> str:
    """A field's name as people say it, and as the form does."""
    return SAID.get(name, name.replace("_", " "))


def as_text(value: Any) -> str:
    """A field's value as a person reads it."""
    if isinstance(value, str):
        return value
    from curator.domain.model import Model

    if isinstance(value, Model):
        names = ("turn", "source_id", "document_id", "role", "group", "id", "text", "citation", "accept", "mandatory",
                 "expected_behavior", "reference_answer", "expected_source_ids", "quote", "title", "name",
                 "value")  # fmt: skip
        parts = (as_text(getattr(value, k)).replace("\n", "; ") for k in names if hasattr(value, k))
        return " · ".join(part for part in parts if part) or str(value)
    if isinstance(value, tuple | list):
        return "\n".join(as_text(v) for v in value)
    if isinstance(value, bool):
        return "mandatory" if value else ""
    return str(value)
