"""The canonical lines as they are, byte for byte, for targets that read them untouched."""

from __future__ import annotations

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.protocol import Folder, Line, Outcome


class CanonicalFiles:
    """Writes a file for each open partition, and sources.jsonl; a writer of its own for targets that need no more."""

    def __init__(self, folder: Folder) -> None:
        self._folder = folder
        self._partitions: dict[str, JsonLines] = {}
        self._sources = JsonLines(folder, "sources.jsonl")
        self.outcome = Outcome()

    @property
    def partitions(self) -> tuple[str, ...]:
        """The partitions that have a case."""
        return tuple(self._partitions)

    def add(self, case: Line, raw: bytes) -> None:
        """Take a case."""
        name = case["partition"]
        file = self._partitions.setdefault(name, JsonLines(self._folder, f"{name}.jsonl"))
        file.write_raw(raw)
        self.outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """Take a source."""
        self._sources.write_raw(raw)

    def finish(self) -> Outcome:
        """All is written."""
        return self.outcome
