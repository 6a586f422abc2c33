"""Targets that write one JSON object a case into one file, which is most of them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release


@dataclass(frozen=True)
class LeftOut:
    """Instead of a record: why the case has none."""

    reason: str


Record = dict[str, Any] | LeftOut


def _nothing(release: Release, folder: Folder) -> None:
    """Most formats are one file."""


@dataclass(frozen=True, kw_only=True)
class Records:
    """A target of one record a case.

    Attributes:
        file: Name of the JSON Lines file.
        record: Makes the record of a case, or says why there is none.
        beside: Writes the files that stand beside it, once.
        notes: Sentences that always stand in LOST.md.
        carries: As `protocol.Target`, and `partly`, `tested` and so on.
    """

    name: str
    evaluator: str
    tested: str
    summary: str
    file: str
    record: Callable[[Release, Line], Record]
    carries: frozenset[str]
    partly: Mapping[str, str] = field(default_factory=dict)
    beside: Callable[[Release, Folder], None] = _nothing
    notes: tuple[str, ...] = ()

    def begin(self, release: Release, folder: Folder, choices: Choices) -> _Writer:
        """Open the file."""
        self.beside(release, folder)
        return _Writer(self, release, folder)


class _Writer:
    def __init__(self, target: Records, release: Release, folder: Folder) -> None:
        self._target = target
        self._release = release
        self._file = JsonLines(folder, target.file)
        self._outcome = Outcome(notes=list(target.notes))

    def add(self, case: Line, raw: bytes) -> None:
        made = self._target.record(self._release, case)
        if isinstance(made, LeftOut):
            self._outcome.leave_out(case["id"], made.reason)
        else:
            self._file.write(made)
            self._outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """The texts of sources come with the cases."""

    def finish(self) -> Outcome:
        return self._outcome
