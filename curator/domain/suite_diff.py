"""Two released versions compared: what a reader of the difference is told."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal, get_args

from curator.domain.changes import NOTHING, ORDER, CaseChange, ChangeLevel, What, schema_level
from curator.domain.model import Model

Holdout = Literal["none", "same", "compared", "as the manifest says", "not compared"]


class Side(Model):
    """One version; `yanked`: who yanked it, when and why, "" = nobody."""

    suite: str
    version: str
    parent: str = ""
    cases: int = 0
    created_at: str = ""
    yanked: str = ""


class DiffEntry(CaseChange):
    """What happened to a case; `question` is its last turn, "" for a case of the holdout (`is_hidden`)."""

    question: str = ""
    is_hidden: bool = False


class SuiteDiff(Model):
    """What differs between two versions.

    Attributes:
        level: What the difference makes of the second one as a successor of the first.
        counts: How many cases were added, changed and so on; what there is none of is left out.
        holdout: none: neither has one; same: by its hashes; compared: both were here, told by ids and field names;
            as the manifest says: the list of the second one was believed; not compared: it differs and is not here.
        notes: What differs beside the cases: documents, schema, quotas ..., one line each.
        changes: By id.
    """

    one: Side
    two: Side
    level: ChangeLevel
    counts: dict[str, int]
    holdout: Holdout
    notes: tuple[str, ...] = ()
    changes: tuple[DiffEntry, ...] = ()

    @property
    def summary(self) -> str:
        """The counts in words: "3 added, 1 changed"."""
        return ", ".join(f"{n} {what}" for what, n in self.counts.items()) or "no case differs"


def counted_changes(changes: Sequence[CaseChange]) -> dict[str, int]:
    """How many of each kind there are, in the order of the kinds."""
    counts = {what: sum(c.what == what for c in changes) for what in get_args(What)}
    return {what: n for what, n in counts.items() if n}


def level_of(changes: Sequence[CaseChange], one: dict[str, Any], two: dict[str, Any]) -> ChangeLevel:
    """The level of a difference; one and two: the manifests."""
    levels = [c.level for c in changes] + [schema_level(one["schema"]["id"], two["schema"]["id"])]
    levels += ["patch"] if _choice(one) != _choice(two) else []
    return max(levels, key=ORDER.index, default=NOTHING)


def notes_of(one: dict[str, Any], two: dict[str, Any]) -> tuple[str, ...]:
    """What differs between two manifests beside their cases, one line each."""
    notes = [] if one["suite"] == two["suite"] else [f"two suites: {one['suite']} and {two['suite']}"]
    if one["schema"] != two["schema"]:
        notes.append(f"schema: {one['schema']['id']} → {two['schema']['id']}, another text of it")
    notes += _documents(one["documents"], two["documents"])
    if (before := _choice(one)) != (now := _choice(two)):
        notes.append(f"sources.jsonl: {sources_note(before, now)} (patch)")
    if one["policy"]["quotas"] != two["policy"]["quotas"]:
        notes.append(f"quotas: {len(one['policy']['quotas'])} → {len(two['policy']['quotas'])}, or other minimums")
    if one["policy"]["review"] != two["policy"]["review"]:
        notes.append("review policy: another")
    lengths = [m.get("reference") for m in (one, two)]
    medians = [r.get("median") if isinstance(r, dict) else None for r in lengths]
    if medians[0] != medians[1]:
        notes.append(f"reference median in pages: {medians[0]} → {medians[1]}")
    for what, key in (("stale, held", True), ("stale, left out", False)):
        ids = [sorted(s["id"] for s in m["stale"] if s["held"] is key) for m in (one, two)]
        if ids[0] != ids[1]:
            notes.append(f"{what}: {', '.join(ids[0]) or 'none'} → {', '.join(ids[1]) or 'none'}")
    waived = [{w["gap"] for w in m["waivers"]} for m in (one, two)]
    notes += [f"waived: {gap}" for gap in sorted(waived[1] - waived[0])]
    notes += [f"waived no more: {gap}" for gap in sorted(waived[0] - waived[1])]
    return tuple(notes)


def _choice(manifest: dict[str, Any]) -> str:
    """What sources.jsonl holds; only a manifest that says so holds all."""
    return str(manifest.get("sources", "cited"))


def sources_note(before: str, now: str) -> str:
    """What sources.jsonl holds now, and held before, in words."""
    words = {"cited": "the cited sources", "all": "all sources of the cited documents"}
    return f"{words.get(now, now)}; before: {words.get(before, before)}"


def _documents(one: Sequence[dict[str, Any]], two: Sequence[dict[str, Any]]) -> list[str]:
    """Documents whose revisions differ."""

    def told(entries: Sequence[dict[str, Any]], name: str) -> str:
        here = [e for e in entries if e["documentId"] == name]
        return ", ".join(e["version"] or e["sha256"][:8] or "?" for e in here) or "not there"

    def facts(entries: Sequence[dict[str, Any]], name: str) -> list[tuple[str, str]]:
        return sorted((e["version"], e["sha256"]) for e in entries if e["documentId"] == name)

    names = sorted({e["documentId"] for e in (*one, *two)})
    return [f"document {n}: {told(one, n)} → {told(two, n)}" for n in names if facts(one, n) != facts(two, n)]
