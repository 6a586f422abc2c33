"""CHANGES.md: what happened to each case since the version before: field, before, after, reason.

A holdout case is an id and field names.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from curator.domain.case import HIDDEN_PARTITIONS
from curator.domain.changes import CaseChange, ChangeLevel, FieldChange, narrowed, schema_level
from curator.domain.suite_diff import sources_note
from curator.exporting.markdown import plain
from curator.exporting.released import HOLDOUT_REASON, ReleaseInput
from curator.exporting.schema import CASE_SCHEMA_ID

_HEADINGS: tuple[tuple[ChangeLevel, str], ...] = (
    ("major", "Major: what a system must do changed, or a case left"),
    ("minor", "Minor: something was added"),
    ("patch", "Patch: places and wording about it"),
)
_QUESTION = 100
_TEXT = 700


def changelog(release: ReleaseInput) -> bytes:
    """The file. Questions are quoted for open cases of this version alone; reasons of holdout tombstones never."""
    name, parent = release.policy.name, release.parent
    since = f"Since {parent}." if parent else "First version."
    lines = [f"# Changes in {name} {release.version}", "", since]
    if release.schema_before:
        level = schema_level(release.schema_before, CASE_SCHEMA_ID)
        lines += ["", f"The schema of the lines is {CASE_SCHEMA_ID}, it was {release.schema_before} ({level})."]
    if release.sources_before:
        lines += ["", f"`sources.jsonl`: {sources_note(release.sources_before, release.source_choice)} (patch)."]
    if not release.changes:
        lines += ["", "No case changed."]
    notes = _Notes(release)
    for level, heading in _HEADINGS:
        changes = sorted((c for c in release.changes if c.level == level), key=lambda c: c.id)
        if changes:
            lines += ["", f"## {heading}", "", *(entry for change in changes for entry in notes.entry(change))]
    held = sorted((s for s in release.stale if s.held), key=lambda s: s.id)
    if held:
        lines += ["", "## Held: stale, in the form of an earlier version", ""]
        lines += [f"- {s.id}" + (f" ({plain(s.document_id)} changed)" if s.document_id else "") for s in held]
    return ("\n".join(lines) + "\n").encode()


class _Notes:
    """What may be said of each case beside its id and fields."""

    def __init__(self, release: ReleaseInput) -> None:
        self._lines: dict[str, Mapping[str, Any]] = {line["id"]: line for line in release.lines}
        self._tombstones = {t.id: t for t in release.tombstones}
        self._stale = {s.id for s in release.stale if not s.held}

    def entry(self, change: CaseChange) -> Iterator[str]:
        fields = f": {', '.join(change.fields)}" if change.fields else ""
        line, tombstone = self._lines.get(change.id), self._tombstones.get(change.id)
        if line is not None and line["partition"] in HIDDEN_PARTITIONS:
            yield f"- {change.id} {change.what} (holdout){fields}"
            return
        said = ""
        if line is not None:
            said = f". {plain(line['turns'][-1], _QUESTION)}"
        elif change.id in self._stale:
            said = ": stale, left out until it is confirmed again"
        elif tombstone is not None:
            hidden = tombstone.hidden or tombstone.reason == HOLDOUT_REASON
            said = " (holdout)" if hidden else f": {plain(tombstone.reason)}"
            said += f"; successor {tombstone.successor}" if tombstone.successor and not hidden else ""
        elif change.reason:
            said = f": {plain(change.reason)}"
        yield f"- {change.id} {change.what}{fields}{said}"
        if line is not None and change.reason:
            by = f", {plain(change.editorial)} says" if change.editorial else ""
            yield f"  - reason{' (wording alone' + by + ')' if change.editorial else ''}: {plain(change.reason)}"
        yield from map(_detail, change.details)


def _detail(change: FieldChange) -> str:
    """One field: before → after, and what of the table it is."""
    change = narrowed(change)
    where = f"  - {change.level} {plain(change.path, _TEXT)}"
    before, after = (plain(text, _TEXT) for text in (change.before, change.after))
    if not change.before:
        return f"{where}: {change.why}: **{after}**" if after else f"{where}: {change.why}"
    if not change.after:
        return f"{where}: {change.why}: ~~{before}~~"
    return f"{where}: ~~{before}~~ → **{after}** ({change.why})"
