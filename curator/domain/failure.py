"""A failure: one production record after anonymisation, and what people decided about it."""

from __future__ import annotations

from typing import Literal, NamedTuple, get_args

from curator.domain.case import FailureStage
from curator.domain.model import Model

State = Literal["new", "promoted", "dismissed", "duplicate"]
Feedback = Literal["", "bad", "neutral", "good"]
STATES: tuple[State, ...] = get_args(State)
STAGES: tuple[FailureStage, ...] = tuple(s for s in get_args(FailureStage) if s != "none")

RISK_WORDS: tuple[str, ...] = (
    "death", "die", "dying", "suicide", "overdose", "poison", "emergency", "ambulance", "bleeding", "allergy",
    "allergic", "anaphylaxis", "seizure", "unconscious", "dose", "dosage", "pregnant", "infant", "abuse", "violence",
    "weapon", "lawsuit", "sue", "penalty", "fine", "breach", "fraud", "illegal", "discrimination", "notfall",
    "vergiftung", "überdosis", "klage", "응급", "사망", "자살", "중독", "출혈", "알레르기", "과다", "소송",
)  # fmt: skip
"""Words that bring a failure forward in the queue, unless `[failures] risk_words` says others."""


class FailureContext(Model):
    """A retrieved text, with what the log says of its origin; `text` is "" when the log names the source alone."""

    text: str = ""
    source: str = ""
    page: str = ""
    score: str = ""


class FailureTurn(Model):
    """One message of the conversation around the question."""

    role: Literal["user", "assistant"]
    text: str


class Failure(Model):
    """One failure, as it is stored: personal data replaced by placeholders.

    Attributes:
        id: "f" and a number, minted once.
        batch: Number of the import that brought it, `row` its place in that file, from 1.
        state: new, promoted, dismissed or duplicate.
        quarantined: No model has looked for names in it and nobody confirmed it: kept out of all but the scrub view.
        turns_before: The conversation before the question; `turns_after` as well.
        masked: How many placeholders were put in.
        fold: Id of the wording that it is folded into; `fold_size` failures have it.
        confirmed: A person has confirmed this very text, with the detector of today.
    """

    id: str
    batch: int
    row: int
    state: State = "new"
    quarantined: bool = False
    version: int = 1
    time: str = ""
    session: str = ""
    route: str = ""
    language: str = ""
    question: str
    answer: str = ""
    reference: str = ""
    error: str = ""
    score: str = ""
    feedback: Feedback = ""
    turns_before: tuple[FailureTurn, ...] = ()
    turns_after: tuple[FailureTurn, ...] = ()
    contexts: tuple[FailureContext, ...] = ()
    document: str = ""
    flags: tuple[str, ...] = ()
    masked: int = 0
    stage: str = ""
    reason: str = ""
    duplicate_of: str = ""
    case_id: str = ""
    risk: int = 0
    fold: int = 0
    fold_size: int = 1
    confirmed: bool = False

    @property
    def texts(self) -> tuple[tuple[str, str], ...]:
        """Every text of it with the name of its field, in the order in which a person reads them."""
        named = [(f"before {n}", t.text) for n, t in enumerate(self.turns_before, 1)]
        named += [
            ("question", self.question),
            ("answer", self.answer),
            ("reference", self.reference),
            ("error", self.error),
        ]
        named += [(f"after {n}", t.text) for n, t in enumerate(self.turns_after, 1)]
        for n, context in enumerate(self.contexts, 1):
            named += [(f"context {n}", context.text), (f"source {n}", context.source)]
        named += [("route", self.route), ("session", self.session)]
        return tuple((name, text) for name, text in named if text)


class Wanted(Model):
    """Something that the golden set lacks and that failures can bring; a failure fits when it fits every list.

    Attributes:
        words: What is lacking, as the reason for a place in the queue says it: "route claims: 2 of 5".
        routes: Routes that would fill it; () = any.
        languages: As `routes`, of languages.
        documents: As `routes`, of documents as a log names them: the name of the file, or the id.
    """

    words: str
    routes: tuple[str, ...] = ()
    languages: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()


class FailureLine(NamedTuple):
    """One line of a list of failures."""

    seq: int
    id: str
    state: str
    route: str
    stage: str
    feedback: str
    score: str
    time: str
    document: str
    question: str
    quarantined: int
    risk: int
    fold: int
    fold_size: int


class Batch(Model):
    """One import of a log."""

    id: int
    file: str
    format: str
    mapping: dict[str, str]
    detector: str
    quarantined: bool
    expires_at: str
    state: Literal["importing", "complete"]
    new: int
    same: int
    changed: int
    rejected: int
    skipped: int
    masked: dict[str, int]
    actor: str
    at: str


def iso_week(time: str) -> str:
    """The week of an ISO time, such as "2026-W10"; "" when the time was not understood."""
    import datetime

    try:
        year, week, _ = datetime.date.fromisoformat(time[:10]).isocalendar()
    except ValueError:
        return ""
    return f"{year}-W{week:02}"
