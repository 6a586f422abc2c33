"""The fields of a case: what each is called, how it is typed, and when it is asked for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, get_args

from curator.domain.case import BEHAVIORS, RISKS, Case, Difficulty, RefusalReason, Task

Kind = Literal["line", "text", "lines", "words", "choice", "turns", "evidence", "provisions", "documents"]


def _always(_case: Case) -> bool:
    return True


@dataclass(frozen=True)
class FieldSpec:
    """One field.

    Attributes:
        name: Of the case.
        label: In front of it.
        kind: line: one line; text: several; lines: one entry a line; words: entries separated by commas; evidence,
            provisions and documents are lists, which are not typed into.
        options: Of a choice.
        hint: Shown while it is empty.
        when: Whether a case has it at all.
        offered: Whether values that the workspace has used are offered while one types.
    """

    name: str
    label: str
    kind: Kind
    options: tuple[str, ...] = ()
    hint: str = ""
    when: Callable[[Case], bool] = _always
    offered: bool = False

    def shown(self, case: Case) -> str:
        """The value as it stands in the field."""
        value: Any = getattr(case, self.name)
        if self.kind == "lines":
            return "\n".join(value)
        if self.kind == "words":
            return ", ".join(value)
        return str(value)

    def value(self, text: str) -> Any:
        """What a text in the field says. Entries keep their order; empty ones and repeated ones are left out."""
        if self.kind in ("lines", "words"):
            parts = text.split("\n" if self.kind == "lines" else ",")
            return tuple(dict.fromkeys(p.strip() for p in parts if p.strip()))
        return text


LISTS = ("evidence", "provisions", "documents")

FIELDS: tuple[FieldSpec, ...] = (
    FieldSpec("turns", "question", "turns", hint="as a user would ask it"),
    FieldSpec("expected_behavior", "behavior", "choice", BEHAVIORS),
    FieldSpec("risk", "risk", "choice", RISKS),
    FieldSpec("refusal_reason", "reason", "choice", get_args(RefusalReason),
              when=lambda c: c.expected_behavior == "refuse" or bool(c.refusal_reason)),
    FieldSpec("escalate_to", "escalate to", "line", hint="the school nurse …", offered=True,
              when=lambda c: c.expected_behavior == "escalate" or bool(c.escalate_to)),
    FieldSpec("escalate_when", "when", "line", hint="two cases in one class within a week …",
              when=lambda c: c.expected_behavior == "escalate" or bool(c.escalate_when)),
    FieldSpec("reference_answer", "answer", "text", hint="what a right reply says"),
    FieldSpec("evidence", "evidence", "evidence"),
    FieldSpec("key_provisions", "provisions", "provisions"),
    FieldSpec("documents", "documents", "documents"),
    FieldSpec("must_not_claim", "never claim", "lines", hint="one a line"),
    FieldSpec("acceptable_answers", "also right", "lines", hint="one a line"),
    FieldSpec("consequence", "consequence", "line", hint="what happens when the answer is wrong"),
    FieldSpec("task", "task", "choice", get_args(Task)),
    FieldSpec("domain", "domain", "line", offered=True),
    FieldSpec("document_type", "doc. type", "line", hint="guideline, regulation …", offered=True),
    FieldSpec("route", "route", "line", offered=True),
    FieldSpec("language", "language", "line", hint="en, ko …", offered=True),
    FieldSpec("difficulty", "difficulty", "choice", get_args(Difficulty)),
    FieldSpec("as_of", "as of", "line", hint="YYYY-MM-DD; empty: today"),
    FieldSpec("asker", "asked by", "line", offered=True),
    FieldSpec("required_behaviors", "must also", "words", hint="separated by commas", offered=True),
    FieldSpec("tags", "tags", "words", hint="separated by commas", offered=True),
    FieldSpec("notes", "notes", "text"),
)  # fmt: skip
