"""CHANGES.md: what happened to each case since the version before. A holdout case is an id and field names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from curator.domain.case import HIDDEN_PARTITIONS
from curator.domain.suite import CaseChange, ChangeLevel
from curator.exporting.markdown import plain
from curator.exporting.released import HOLDOUT_REASON, ReleaseInput

_HEADINGS: tuple[tuple[ChangeLevel, str], ...] = (
    ("major", "Major: what a system must do changed, or a case left"),
    ("minor", "Minor: something was added"),
    ("patch", "Patch: places and wording about it"),
)
_QUESTION = 100


def changelog(release: ReleaseInput) -> bytes:
    """The file. Questions are quoted for open cases of this version alone; reasons of holdout tombstones never."""
    name, parent = release.policy.name, release.parent
    since = f"Since {parent}." if parent else "First version."
    lines = [f"# Changes in {name} {release.version}", "", since]
    if not release.changes:
        lines += ["", "No case changed."]
    notes = _Notes(release)
    for level, heading in _HEADINGS:
        changes = sorted((c for c in release.changes if c.level == level), key=lambda c: c.id)
        if changes:
            lines += ["", f"## {heading}", "", *(notes.entry(change) for change in changes)]
    return ("\n".join(lines) + "\n").encode()


class _Notes:
    """What may be said of each case beside its id and fields."""

    def __init__(self, release: ReleaseInput) -> None:
        self._lines: dict[str, Mapping[str, Any]] = {line["id"]: line for line in release.lines}
        self._tombstones = {t.id: t for t in release.tombstones}
        self._stale = {s.id for s in release.stale if not s.held}

    def entry(self, change: CaseChange) -> str:
        fields = f": {', '.join(change.fields)}" if change.fields else ""
        line, tombstone = self._lines.get(change.id), self._tombstones.get(change.id)
        if line is not None and line["partition"] in HIDDEN_PARTITIONS:
            return f"- {change.id} {change.what} (holdout){fields}"
        said = ""
        if line is not None:
            said = f". {plain(line['turns'][-1], _QUESTION)}"
        elif change.id in self._stale:
            said = ": stale, left out until it is confirmed again"
        elif tombstone is not None:
            hidden = tombstone.hidden or tombstone.reason == HOLDOUT_REASON
            said = " (holdout)" if hidden else f": {plain(tombstone.reason)}"
            said += f"; successor {tombstone.successor}" if tombstone.successor and not hidden else ""
        return f"- {change.id} {change.what}{fields}{said}"
