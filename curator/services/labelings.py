"""Both labelings of a case side by side, for the one who decides between them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from curator.domain.canonical import question_hash
from curator.domain.case import Case, CaseRecord
from curator.domain.document import Source
from curator.domain.model import Model
from curator.domain.review import LABELED_FIELDS, Review, labels
from curator.errors import Conflict
from curator.services import blind
from curator.services.context import Context
from curator.services.review import Statement
from curator.services.todays_names import todays_names
from curator.store import reviews, sources

FIELDS = (*LABELED_FIELDS, "refusalReason", "reason")
"""What a labeling says, in the order in which it is shown; by the first three two labels differ."""


class Cited(Model):
    """A source that a label names; `text` and `where` are "" when it is in no document here."""

    source_id: str
    text: str = ""
    where: str = ""


class Compared(Model):
    """One field of both labelings, in words; `differs`: it is marked."""

    field: str
    first: str
    second: str
    differs: bool


class Labelings(Model):
    """Two labels of a case that are both in.

    Attributes:
        record: The case as its author wrote it.
        first: Label one; second: label two; decided: the adjudication that counts, if there is one.
        fields: What both say, field by field, in the order of FIELDS.
        sources: Those that either names, by their id of today, in the order of their naming.
    """

    record: CaseRecord
    first: Review
    second: Review
    decided: Review | None = None
    fields: tuple[Compared, ...]
    sources: tuple[Cited, ...]

    @property
    def differing(self) -> tuple[str, ...]:
        """The fields by which the two differ, of those that are to be decided."""
        return tuple(f.field for f in self.fields if f.differs and f.field in LABELED_FIELDS)


def labelings(ctx: Context, name: str) -> Labelings:
    """Both labels of a case. They are shown to nobody until both are in.

    Raises:
        InputError: There is none of this id.
        Conflict: They are not both in.
    """
    record = blind.look(ctx, name).record
    with ctx.db.read() as tx:
        given = reviews.of_case(tx, name)
        first, second = labels(given, question_hash(record.case))
        if first is None or second is None or blind.hidden_from(ctx, record, given):
            raise Conflict(f"{name} does not have both its labels", "`curator review queue --all` says what is missing")
        now = todays_names(tx).sources
        first, second = today(first, now), today(second, now)
        named = list(dict.fromkeys((*first.expected_source_ids, *second.expected_source_ids)))
        here = {s.id: s for s in sources.named(tx, named)}
    cited = [
        Cited(source_id=n, text=here[n].anchor.text, where=_where(here[n])) if n in here else Cited(source_id=n)
        for n in named
    ]
    third = next((r for r in reversed(given) if r.slot == "adjudication" and not r.withdrawn), None)
    return Labelings(
        record=record, first=first, second=second, decided=third, fields=compared(first, second), sources=tuple(cited)
    )


def _where(source: Source) -> str:
    page = f"p. {source.anchor.page_label or source.anchor.page}"
    return page if source.id.startswith(source.document_id) else f"{source.document_id}, {page}"


def today(review: Review, now: Mapping[str, str]) -> Review:
    """The review with its sources under their ids of today: one may have been renamed between two labels."""
    ids = tuple(dict.fromkeys(now.get(s, s) for s in review.expected_source_ids))
    return review.model_copy(update={"expected_source_ids": ids})


def compared(first: Review, second: Review) -> tuple[Compared, ...]:
    """Both labels field by field; sources are compared as sets, and each that only one names is marked in its line."""
    said = [
        ("expectedBehavior", first.expected_behavior, second.expected_behavior),
        ("expectedSourceIds", _sources(first, second), _sources(second, first)),
        ("risk", first.risk, second.risk),
        ("refusalReason", first.refusal_reason, second.refusal_reason),
        ("reason", first.reason, second.reason),
    ]
    same = frozenset(first.expected_source_ids) == frozenset(second.expected_source_ids)
    differs = {n: a != b for n, a, b in said} | {"expectedSourceIds": not same, "reason": False}
    return tuple(Compared(field=n, first=a, second=b, differs=differs[n]) for n, a, b in said)


def _sources(one: Review, other: Review) -> str:
    marks = {s: "" if s in other.expected_source_ids else "! " for s in one.expected_source_ids}
    return "\n".join(mark + s for s, mark in marks.items()) or "none"


def taken(found: Labelings, number: int, said: Statement) -> Statement:
    """A statement that says what label 1 or 2 says, but for what it says already."""
    label = found.first if number == 1 else found.second
    behavior = said.behavior or label.expected_behavior
    sources = said.source_ids or label.expected_source_ids
    refusal = label.refusal_reason if behavior == label.expected_behavior == "refuse" else ""
    return Statement(
        risk=said.risk or label.risk,
        behavior=behavior,
        source_ids=sources or ("none",),
        refusal_reason=said.refusal_reason or refusal,
        reason=said.reason,
    )


def author_says(case: Case) -> tuple[tuple[str, str], ...]:
    """What the case says now, beside the two labels: name of the field and text."""
    facts: Sequence[tuple[str, str]] = (
        ("answer", case.reference_answer),
        ("refusal reason", case.refusal_reason.replace("_", " ")),
        ("escalate to", case.escalate_to),
        ("escalate when", case.escalate_when),
        ("consequence", case.consequence),
    )
    return tuple((name, text) for name, text in facts if text)
