"""What a target is: the one protocol between a release and the form that an evaluator reads.

A target of another package is an object of this protocol under an entry point of the group `curator.targets`, named as
its folder will be. Nothing here knows disks: a target writes into a `Folder`, line by line, and keeps no case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Protocol

Line = Mapping[str, Any]
"""A canonical case line, or a line of sources.jsonl, with every key that version 1 has."""

LongFollowUps = Literal["refuse", "split"]


class Stream(Protocol):
    """A file that is being written."""

    def write(self, data: bytes, /) -> object:
        """Append these bytes."""


class Folder(Protocol):
    """Where a target writes. Names are plain, or have "/" between plain names; nothing is there before."""

    def open(self, name: str) -> Stream:
        """A new file; it is closed, synced and published with the folder."""

    def discard(self, name: str) -> None:
        """Forget a file that was opened, or all files of a folder within."""


class Answers(Protocol):
    """What a system under test said, by case: a run in the canonical form."""

    system: str
    """Name of the system, as its run says."""

    def get(self, case_id: str) -> Line | None:
        """The line of the run for a case: answer, retrieved[] (id, text, rank, score), turns[]; None: it has none."""


@dataclass(frozen=True, kw_only=True)
class Release:
    """The facts of a version that is exported.

    Attributes:
        suite: Name of the suite.
        version: Its version.
        manifest: manifest.json.
        small: The bytes of a small file of the release by name ("case.schema.json", "datapackage.json"), verified.
    """

    suite: str
    version: str
    manifest: Mapping[str, Any]
    small: Callable[[str], bytes]


@dataclass(frozen=True, kw_only=True)
class Choices:
    """What a person chose for an export.

    Attributes:
        long_followups: What becomes of a follow-up with more turns than a format takes: left out, or cut into pieces
            of which the last keeps as many turns as it may.
        answers: The answers of a system, for formats that carry them; None: no run was given.
    """

    long_followups: LongFollowUps = "refuse"
    answers: Answers | None = None


@dataclass
class Outcome:
    """What was written, and what was not. A target fills it while it writes.

    Attributes:
        written: Cases that are in at least one file.
        left_out: Reason -> ids of the cases that are nowhere; each case under one reason.
        missing_from: File -> (reason -> number of cases): cases that one file of several lacks.
        notes: Further sentences for LOST.md, about what this export does not hold.
        carries: Fields that come back from this export beside those that the target always carries.
    """

    written: int = 0
    left_out: dict[str, list[str]] = field(default_factory=dict)
    missing_from: dict[str, dict[str, int]] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    carries: frozenset[str] = frozenset()

    def leave_out(self, case_id: str, reason: str) -> None:
        """Note that a case is nowhere in the folder."""
        self.left_out.setdefault(reason, []).append(case_id)

    def miss(self, file: str, reason: str) -> None:
        """Note that one file lacks a case that others may have."""
        reasons = self.missing_from.setdefault(file, {})
        reasons[reason] = reasons.get(reason, 0) + 1


class Writer(Protocol):
    """One export of one target, from the first case to the last source."""

    def add(self, case: Line, raw: bytes) -> None:
        """Take a case of an open partition: as a value and as its line in the release, line feed included."""

    def add_source(self, source: Line, raw: bytes) -> None:
        """Take a line of sources.jsonl; all sources come after all cases."""

    def finish(self) -> Outcome:
        """Write what stands at the end of files. Called once."""


class Target(Protocol):
    """An evaluator's form.

    Attributes:
        name: The folder's name and the word of the command line: letters, digits and _.
        evaluator: The evaluator's own name.
        tested: The version whose own loader the export was tested with.
        summary: The files and what loads them, in one line.
        carries: Fields of the case line ("turns", "evidence.page": see `lost.FIELDS`) that come back unchanged
            from every case that is written.
        partly: Field -> how it is carried, where it does not come back unchanged from every case.
    """

    name: str
    evaluator: str
    tested: str
    summary: str
    carries: frozenset[str]
    partly: Mapping[str, str]

    def begin(self, release: Release, folder: Folder, choices: Choices) -> Writer:
        """Open what the target writes to."""
