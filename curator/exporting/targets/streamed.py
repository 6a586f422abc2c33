"""Targets whose writer is more than a record a case."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from curator.exporting.targets.protocol import Choices, Folder, Release, Writer


@dataclass(frozen=True, kw_only=True)
class Streamed:
    """A target with a writer of its own.

    Attributes:
        writer: Makes the writer of an export; it may write whole files at once.
        carries: As `protocol.Target`, and `partly`, `tested` and so on.
    """

    name: str
    evaluator: str
    tested: str
    summary: str
    writer: Callable[[Release, Folder, Choices], Writer]
    carries: frozenset[str]
    partly: Mapping[str, str] = field(default_factory=dict)

    def begin(self, release: Release, folder: Folder, choices: Choices) -> Writer:
        """Make the writer."""
        return self.writer(release, folder, choices)
