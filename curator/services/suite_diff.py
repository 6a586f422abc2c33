"""Two released versions compared line by line; only lines whose bytes differ are read. No workspace is needed."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS
from curator.domain.changes import CaseChange, FieldChange, changes, is_open, narrowed
from curator.domain.identity import sha256
from curator.domain.revision import Piece
from curator.domain.suite_diff import DiffEntry, Holdout, Side, SuiteDiff, counted_changes, level_of, notes_of
from curator.errors import CheckFailed, InputError, UsageError
from curator.exporting.line import line_problems
from curator.exporting.read import read_object
from curator.exporting.released import HOLDOUT_REASON
from curator.matching.word_difference import difference
from curator.progress import Progress, Silent
from curator.services.released_folder import ReleasedFolder
from curator.services.targets import released
from curator.services.verifying import hidden_of, read
from curator.services.versions_between import Between, listed
from curator.text import one_line

_ID = re.compile(rb'\{"id":"([a-z0-9-]{1,60})"')
_BARE = re.compile(r"\d+\.\d+\.\d+")
_Lines = dict[str, bytes]


def words(change: FieldChange) -> tuple[Piece, ...]:
    """The words in which both texts of a change differ, long ones cut to where they do."""
    short = narrowed(change)
    return difference(short.before, short.after)


def resolved(exports: Path | None, one: str, two: str) -> tuple[Path, Path]:
    """The folders of two versions, each given as a version, NAME@VERSION, NAME (its latest), or a folder.

    Args:
        exports: The exports/ of the workspace; None = there is none, so that both must be folders.
        one: The first; a bare version is of the suite of the other, or of the only one that there is.
        two: The second.

    Raises:
        UsageError: One is none of these.
        InputError: There is no such release.
    """
    return _folder(exports, one, two), _folder(exports, two, one)


def _folder(exports: Path | None, text: str, other: str) -> Path:
    if "/" in text or Path(text).is_dir():
        if not Path(text).is_dir():
            raise InputError(f"{one_line(text, 80)} is no folder", "name exports/SUITE/VERSION")
        return Path(text)
    if exports is None:
        raise UsageError(f"{one_line(text, 80)!a}: there is no workspace here", "name two folders, or add -w DIR")
    if _BARE.fullmatch(text):
        text = f"{_suite(exports, other)}@{text}"
    return released(exports, text)


def _suite(exports: Path, other: str) -> str:
    """The suite that a bare version is of."""
    if not _BARE.fullmatch(other):
        return Path(other).resolve().parent.name if "/" in other else other.partition("@")[0]
    here = sorted(p.name for p in exports.iterdir() if p.is_dir()) if exports.is_dir() else []
    if len(here) != 1:
        raise UsageError("which suite?", f"write NAME@VERSION; there are {', '.join(here) or 'no releases yet'}")
    return here[0]


def diff(one: Path, two: Path, *, progress: Progress | None = None) -> SuiteDiff:
    """Compare two released versions; of the holdout, where it is here, ids and names of fields are told.

    Args:
        one: Folder of the first; every byte of it is checked.
        two: Folder of the second.
        progress: Its checkpoint is called for every line.

    Raises:
        InputError: One is no released version, or of an unknown schema.
        CheckFailed: One has other bytes than were released.
        StorageError: One cannot be read.
    """
    progress = progress or Silent()
    progress.stage("checking both versions")
    old, new = (ReleasedFolder(folder, progress, allows_yanked=True) for folder in (one, two))
    progress.stage("comparing")
    before, after = _Apart(progress), _Apart(progress)
    for partition in OPEN_PARTITIONS:
        _merge(old.lines(partition), new.lines(partition), before, after)
    holdout, hidden = _holdouts(old, new)
    if hidden is not None:
        for pair in zip(*hidden, strict=True):
            _merge(*pair, before, after)
    between = Between(old, new, progress)
    found = _changes(old, new, before.parsed(old.folder), after.parsed(new.folder), between)
    if holdout == "as the manifest says":
        found += _believed(new.manifest, {*before.seen, *after.seen})
    found = sorted(found, key=lambda c: c.id)
    return SuiteDiff(
        one=_side(old), two=_side(new), level=level_of(found, old.manifest, new.manifest),
        counts=counted_changes(found), holdout=holdout, notes=(*notes_of(old.manifest, new.manifest), *between.notes),
        changes=tuple(found),
    )  # fmt: skip


class _Apart:
    """Of one side: all ids, and the lines that the other side has not or has otherwise."""

    def __init__(self, progress: Progress) -> None:
        self.seen: set[str] = set()
        self.lines: _Lines = {}
        self._progress = progress

    def parsed(self, folder: Path) -> dict[str, dict[str, Any]]:
        found = {}
        for name, raw in self.lines.items():
            self._progress.checkpoint()
            row = read_object(raw, f"{folder} {name}")
            if problems := line_problems(row):
                raise CheckFailed(f"{folder}: {name}: {problems[0]}", "`curator suite verify` lists all that differs")
            found[name] = row
        return found


def _merge(one: Iterator[bytes], two: Iterator[bytes], before: _Apart, after: _Apart) -> None:
    """Keep what differs of two files whose lines are sorted by id; memory holds that alone."""
    left, right = _named(one, before), _named(two, after)
    a, b = next(left, None), next(right, None)
    while a is not None or b is not None:
        if b is None or (a is not None and a[0] < b[0]):
            assert a is not None
            before.lines[a[0]] = a[1]
            a = next(left, None)
        elif a is None or b[0] < a[0]:
            after.lines[b[0]] = b[1]
            b = next(right, None)
        else:
            if a[1] != b[1]:
                before.lines[a[0]], after.lines[b[0]] = a[1], b[1]
            a, b = next(left, None), next(right, None)


def _named(lines: Iterator[bytes], side: _Apart) -> Iterator[tuple[str, bytes]]:
    last = ""
    for raw in lines:
        found = _ID.match(raw)
        name = found[1].decode() if found else str(read_object(raw, "a line").get("id"))
        if name <= last:
            raise CheckFailed("the ids of a file are not sorted", "`curator suite verify` lists all that differs")
        last = name
        side.seen.add(name)
        yield name, raw


def _holdouts(
    old: ReleasedFolder, new: ReleasedFolder
) -> tuple[Holdout, tuple[list[Iterator[bytes]], list[Iterator[bytes]]] | None]:
    """How the holdouts are compared, and their lines, when both are here as they were released."""
    entries = [{e["path"]: e["sha256"] for e in side.manifest["holdout"]} for side in (old, new)]
    if not any(entries):
        return "none", None
    if entries[0] == entries[1]:
        return "same", None
    files = []
    for side, wanted in zip((old, new), entries, strict=True):
        place = hidden_of(side.folder)
        here = read(place).files if place and wanted else {}
        if any(sha256(here.get(n, b"")) != digest for n, digest in wanted.items()):
            follows = new.manifest["parent"] == old.version and new.suite == old.suite and "changes" in new.manifest
            return ("as the manifest says" if follows else "not compared"), None
        files.append([iter(here.get(f"{p}.jsonl", b"").splitlines(keepends=True)) for p in HIDDEN_PARTITIONS])
    return "compared", (files[0], files[1])


def _changes(
    old: ReleasedFolder, new: ReleasedFolder, before: dict[str, dict[str, Any]], after: dict[str, dict[str, Any]],
    between: Between,
) -> list[DiffEntry]:  # fmt: skip
    manifest = new.manifest
    buried = {t["id"] for t in old.manifest["tombstones"]}
    stones = {t["id"]: "" if t["reason"] == HOLDOUT_REASON else t["reason"] for t in manifest["tombstones"]}
    marked = {n: between.marks(n, before[n]["contentHash"], after[n]["contentHash"]) for n in before if n in after}
    reasons = between.reasons
    found = changes(
        before,
        after,
        stale={s["id"]: "stale, left out until it is confirmed again" for s in manifest["stale"] if not s["held"]},
        retired={n: reason for n, reason in stones.items() if n in before and n not in after},
        restored={n: reasons("restored").get(n, "") for n in buried & after.keys()},
        left=reasons("removed"),
        moved=reasons("partition"),
        marks=marked,
    )
    return [_entry(change, before.get(change.id), after.get(change.id)) for change in found]


def _entry(change: CaseChange, before: dict[str, Any] | None, after: dict[str, Any] | None) -> DiffEntry:
    line = after or before
    hidden = not is_open(before, after)
    question = str(line["turns"][-1]) if line and not hidden else ""
    reason = "" if hidden else change.reason
    return DiffEntry(**change.model_dump() | {"question": question, "is_hidden": hidden, "reason": reason})


def _believed(manifest: dict[str, Any], open_ids: set[str]) -> list[DiffEntry]:
    """What the manifest says of cases that no open file has: those of the holdout."""
    told = (c for c in listed(manifest) if c.id not in open_ids)
    return [DiffEntry(id=c.id, what=c.what, level=c.level, fields=c.fields, is_hidden=True) for c in told]


def _side(folder: ReleasedFolder) -> Side:
    manifest = folder.manifest
    return Side(
        suite=folder.suite, version=folder.version, parent=manifest["parent"], cases=manifest["counts"]["cases"],
        created_at=manifest["createdAt"], yanked=folder.yanked,
    )  # fmt: skip
