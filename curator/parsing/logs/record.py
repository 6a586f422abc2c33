"""What an importer gives: a record of a log, a row that it cannot take, or one that is none. And how a log is read."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from pydantic import Field

from curator.domain.model import Model

FIELDS = (
    "id", "session", "time", "route", "question", "answer", "contexts", "context_ids", "reference", "feedback", "score",
    "error", "language", "group", "context_id", "context_text",
)  # fmt: skip
"""What a column can be mapped to."""

Role = Literal["user", "assistant"]
Format = Literal[
    "",
    "table",
    "json",
    "otlp",
    "openinference",
    "langfuse",
    "langsmith",
    "trulens",
    "zendesk",
    "intercom",
    "parquet",
    "xlsx",
]


class Profile(Model):
    """How a log is read; "" and {} and None mean: by its content.

    Attributes:
        format: Which importer.
        encoding: Of a text file, as Python names it.
        delimiter: Of a table: one character.
        header: Whether a table's first row names its columns.
        columns: Field -> column: its name, its number from 1, or for JSON a path such as `inputs.question`.
    """

    format: Format = ""
    encoding: str = ""
    delimiter: str = Field(default="", max_length=1)
    header: bool | None = None
    columns: dict[str, str] = Field(default_factory=dict)


class LogContext(NamedTuple):
    """A retrieved text, with what the log says of its origin."""

    text: str
    source: str = ""
    page: str = ""
    score: str = ""


class Turn(NamedTuple):
    """One message of a conversation."""

    role: Role
    text: str


@dataclass(slots=True, repr=False)
class LogRecord:
    """One question to a system and what came of it, raw. It has no repr: a traceback must not show what is in it.

    Attributes:
        row: Number of the record in its file, from 1.
        before: Messages of the same conversation before the question; `after` as well.
        feedback: -1, 0 or 1; None = nobody said anything.
        flags: What a person should know: "small-talk", "error-answer", "preview".
    """

    row: int
    question: str
    answer: str = ""
    id: str = ""
    session: str = ""
    time: str = ""
    route: str = ""
    reference: str = ""
    score: str = ""
    error: str = ""
    language: str = ""
    feedback: int | None = None
    contexts: list[LogContext] = field(default_factory=list)
    before: list[Turn] = field(default_factory=list)
    after: list[Turn] = field(default_factory=list)
    flags: list[str] = field(default_factory=list)


class Rejection(NamedTuple):
    """A row that cannot be taken: where, and why, without a word of its text."""

    row: int
    column: str
    reason: str


class Skipped(NamedTuple):
    """A thing in the file that is no record: a note, an outbound message, a request that asked no model."""

    row: int
    reason: str
