"""A second file beside a log: what people said of its answers, joined by the id of the request."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from curator.errors import UsageError
from curator.parsing.logs.choosing import Item, read
from curator.parsing.logs.record import LogRecord, Profile, Rejection
from curator.progress import Progress, Silent

KEYS = (
    "trace_id", "traceId", "trace.id", "request_id", "requestId", "message_id", "messageId", "run_id", "span_id", "id",
    "idx",
)  # fmt: skip
"""What the column with the id may be called, the likeliest first."""
STEP = 100


class Said(NamedTuple):
    """What the second file says of one request: -1, 0 or 1, None = nothing; and a score."""

    feedback: int | None
    score: str


class Joined:
    """The second file, read; and the records of a log with what it says.

    Attributes:
        column: The column that the id stands in.
        entries: Ids that say something.
        rejected: Rows that could not be read.
        used: Ids that belong to a record of the log; complete when all records have passed.
    """

    def __init__(self, path: Path, progress: Progress | None = None) -> None:
        """Read it whole: its ids and marks stay in memory.

        Raises:
            InputError: It cannot be read.
            UsageError: No column holds an id, or nothing is said beside it.
        """
        self._said: dict[str, Said] = {}
        self.rejected = 0
        self.used: set[str] = set()
        self.column = ""
        for column in KEYS:
            try:
                said, rejected = _read(path, column, progress or Silent())
            except UsageError as error:
                if getattr(error, "choices", ()):  # its encoding is not sure, whatever the column
                    raise
                continue
            if said:
                self.column, self._said, self.rejected = column, said, rejected
                return
        hint = f"an id ({', '.join(KEYS[:4])} ...) and a rating, feedback or score"
        raise UsageError(f"{path.name}: nothing in it is said of a request", hint)

    @property
    def entries(self) -> int:
        """Ids that say something."""
        return len(self._said)

    def records(self, items: Iterable[Item]) -> Iterator[Item]:
        """The items of a log, each record with what this file says of its id; what the log says itself stays."""
        for item in items:
            if isinstance(item, LogRecord) and item.id and (said := self._said.get(item.id)):
                self.used.add(item.id)
                item.feedback = said.feedback if item.feedback is None else item.feedback
                item.score = item.score or said.score
            yield item


def _read(path: Path, column: str, progress: Progress) -> tuple[dict[str, Said], int]:
    """What a file says by the ids of one column, and how many of its rows cannot be read so."""
    said: dict[str, Said] = {}
    rejected = 0
    with read(path, Profile(columns={"question": column}), progress) as stream:
        for n, item in enumerate(stream):
            if n % STEP == 0:
                progress.checkpoint()
            if isinstance(item, Rejection):
                rejected += 1
            elif isinstance(item, LogRecord) and (item.feedback is not None or item.score):
                said[item.question.strip()] = Said(item.feedback, item.score)
    return said, rejected
