"""The canonical lines as they are, byte for byte, for targets that read them untouched."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.protocol import Folder, Line, Outcome


class CanonicalFiles:
    """A file for each open partition, and sources.jsonl.

    Args:
        folder: Where to.
        at_end: Writes what describes the files; takes the partitions that have a case, and gives notes for LOST.md.
        sources: Whether sources.jsonl is written.
    """

    def __init__(
        self, folder: Folder, at_end: Callable[[tuple[str, ...]], Sequence[str]] = lambda _: (), *, sources: bool = True
    ) -> None:
        self._folder = folder
        self._at_end = at_end
        self._partitions: dict[str, JsonLines] = {}
        self._sources = JsonLines(folder, "sources.jsonl") if sources else None
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        """Take a case."""
        name = case["partition"]
        if name not in self._partitions:
            self._partitions[name] = JsonLines(self._folder, f"{name}.jsonl")
        self._partitions[name].write_raw(raw)
        self._outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """Take a source."""
        if self._sources is not None:
            self._sources.write_raw(raw)

    def finish(self) -> Outcome:
        """Write what describes the files."""
        self._outcome.notes += self._at_end(tuple(self._partitions))
        return self._outcome
