"""Erasing personal data that was found later: the one operation that rewrites history.

A value is taken out of every text of the database (rows, events, drafts, released lines), of its write-ahead log and
free pages, of every backup; the search index is made anew. What is left is a tombstone that says when, by whom and
why, and never what. Released versions that hold the value are marked yanked: published files cannot be called back.
"""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from curator.domain.canonical import case_hash
from curator.domain.case import Case
from curator.domain.model import Model
from curator.errors import CuratorError, StorageError, UsageError
from curator.progress import Progress, Silent
from curator.services import erased_files, yanking
from curator.services.context import Context
from curator.store import failure_texts, privacy, releases
from curator.store.database import Database, Transaction, examined, too_new
from curator.store.index import FILE
from curator.text import counted, one_line

ERASED = "[ERASED]"
LEAST = 3


class YankedRelease(Model):
    """A released version that holds what was erased, and the files of it that still do."""

    suite: str
    version: str
    files: tuple[str, ...]


class Erased(Model):
    """What an erasure came to: rows changed by table, failures removed, backups rewritten, releases yanked.

    `ratings`: exported human ratings that held it and are gone; `curator sample-review export` writes them anew.
    `files`: other files of ours that were rewritten; `remaining`: files of the workspace that are not ours to change
    and still say it; `documents`: a document said it, whose PDF still does.
    """

    tombstone: int
    rows: dict[str, int]
    failures: int
    backups: tuple[str, ...]
    yanked: tuple[YankedRelease, ...]
    ratings: tuple[str, ...] = ()
    files: tuple[str, ...] = ()
    remaining: tuple[str, ...] = ()
    documents: bool = False


def erase(
    ctx: Context,
    values: Sequence[str] = (),
    *,
    failure_ids: Sequence[str] = (),
    reason: str,
    progress: Progress | None = None,
) -> Erased:
    """Erase values wherever they stand, and whole failures. Cannot be undone.

    Args:
        ctx: Open workspace; the acting person may release.
        values: Texts of at least three characters; case, white space and Unicode form do not matter.
        failure_ids: Failures that are removed with their texts.
        reason: Why; stands in the tombstone, so it must not name what is erased.
        progress: One step a file.

    Raises:
        UsageError: Nothing to erase, no reason, or a reason that holds the value.
        StorageError: A file cannot be rewritten; the message names it, and the command can be run again.
    """
    progress = progress or Silent()
    values = [v.strip() for v in values if v.strip()]
    _require_sense(values, failure_ids, reason)
    pattern = re.compile("|".join(_forms(v) for v in values), re.I) if values else None

    def change(text: str) -> str:
        return pattern.sub(ERASED, text) if pattern is not None else text

    removed = _remove_failures(ctx, failure_ids)
    yanked = _released_with(ctx, pattern)
    progress.stage("erasing", 2)
    rows = _changed(ctx, change)
    _rewritten(ctx.db.path, change)  # nothing of it in free pages
    progress.advance()
    backups = tuple(_rewrite_backup(ctx, path, change) for path in erased_files.databases(ctx))
    files = erased_files.rewrite(ctx, change)
    exported = _remove_ratings(ctx, pattern)
    for name in (FILE, f"{FILE}-journal", f"{FILE}-wal", f"{FILE}-shm"):
        with suppress(OSError):
            (ctx.hidden / name).unlink()
    with ctx.write("release") as tx:
        counts = {**rows, "failures removed": removed, "backups": len(backups), "yanked": len(yanked)}
        tombstone = privacy.bury(tx, reason, counts)
        for release in yanked:
            tx.log.append("suite", release.suite, "yanked", data={"version": release.version, "reason": reason})
    _yank(ctx, yanked, reason)
    _rewritten(ctx.db.path, change)  # and nothing of it in pages that the tombstone's own write has moved
    progress.advance()
    return Erased(
        tombstone=tombstone,
        rows=rows,
        failures=removed,
        backups=backups,
        yanked=yanked,
        ratings=exported,
        files=files,
        remaining=erased_files.holding(ctx, pattern) if pattern is not None else (),
        documents=any(rows.get(table) for table in erased_files.READ_FROM_FILES),
    )


def _require_sense(values: Sequence[str], failure_ids: Sequence[str], reason: str) -> None:
    if not values and not failure_ids:
        raise UsageError("nothing is to be erased", "give --text VALUE or a failure's id")
    if short := [v for v in values if len(v) < LEAST]:
        raise UsageError(f"a text of {counted(len(short[0]), 'character')} stands everywhere", f"give at least {LEAST}")
    if not reason.strip():
        raise UsageError("an erasure needs a reason", "such as: request of the person, ticket 812")
    if any(re.search(_forms(v), reason, re.I) for v in values):
        raise UsageError("the reason holds what is to be erased", "say why without it")


def _forms(value: str) -> str:
    """A pattern of a value in every form in which it may be stored: composed or not, escaped, spaced otherwise."""
    forms = []
    for text in {value, unicodedata.normalize("NFC", value), unicodedata.normalize("NFD", value)}:
        for written in {text, json.dumps(text, ensure_ascii=False)[1:-1], json.dumps(text)[1:-1]}:
            twice = json.dumps(written, ensure_ascii=False)[1:-1]  # JSON within JSON
            forms += [r"(?:\s|\\n|\\t)+".join(map(re.escape, form.split())) for form in {written, twice}]
    return "(?:" + "|".join(sorted(set(forms), key=len, reverse=True)) + ")"


def _remove_failures(ctx: Context, names: Sequence[str]) -> int:
    if not names:
        ctx.actor("release")
        return 0
    with ctx.write("release") as tx:
        return failure_texts.remove(tx, names)


def _released_with(ctx: Context, pattern: re.Pattern[str] | None) -> tuple[YankedRelease, ...]:
    """Released versions that hold the value, in a line, in what changed since the one before, or in a file."""
    if pattern is None:
        return ()
    with ctx.db.read() as tx:
        found = privacy.releases_matching(tx, lambda text: pattern.search(text) is not None)
        known = [(r.suite, r.version) for r in releases.versions(tx)]
    made = []
    for suite, version in known:
        exported = ctx.exports / suite
        folders = [exported / version, exported / f"{version}.targets", ctx.hidden / "holdout" / suite / version]
        files = [f for folder in folders if folder.is_dir() for f in sorted(folder.rglob("*")) if f.is_file()]
        files = [f for f in files if _holds(f, pattern)]
        if not files and (suite, version) not in found:
            continue
        made.append(
            YankedRelease(suite=suite, version=version, files=tuple(str(f.relative_to(ctx.root)) for f in files))
        )
    return tuple(made)


def _holds(path: Path, pattern: re.Pattern[str]) -> bool:
    try:
        return pattern.search(path.read_text("utf-8", errors="replace")) is not None
    except OSError:
        return False


def _remove_ratings(ctx: Context, pattern: re.Pattern[str] | None) -> tuple[str, ...]:
    """Delete exported human ratings that hold the value: a note of theirs may; they can be exported again."""
    gone: list[str] = []
    if pattern is None:
        return ()
    for path in sorted(ctx.exports.glob("*/*.ratings/*.jsonl")):
        if _holds(path, pattern):
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise StorageError(f"{path}: {error.strerror}", "delete it yourself, and erase again") from None
            gone.append(str(path.relative_to(ctx.root)))
    return tuple(gone)


def _changed(ctx: Context, change: privacy.Change) -> dict[str, int]:
    """Change every text of the database, with the hashes of what was changed: all of it, or nothing."""
    with ctx.write("release") as tx:
        rows = privacy.rewrite_rows(tx, change)
        if rows:
            _mend_all(tx)
    return rows


def _rewritten(path: Path, change: privacy.Change) -> dict[str, int]:
    try:
        return privacy.rewrite_file(path, change)
    except OSError as error:
        raise StorageError(
            f"{path.name} cannot be rewritten: {error.strerror}",
            "free some space, close other programs that use it, and erase again",
        ) from None


def _rewrite_backup(ctx: Context, path: Path, change: privacy.Change) -> str:
    """Rewrite a backup; one that cannot be read is deleted, since nobody can say what is in it."""
    try:
        rows = privacy.rewrite_file(path, change)
        if rows and not too_new(path):
            # one of an older schema is brought up to date: its hashes would tell of the text
            copy = Database(path, keeps_copy=False)
            try:
                _mend_hashes(copy, ctx, rows)
            finally:
                copy.close()
    except (OSError, StorageError) as error:
        if isinstance(error, OSError) and not examined(path):  # it can be read: the disk refuses, or somebody has it
            raise StorageError(f"{path.name} cannot be rewritten", "free some space, and erase again") from None
        path.unlink(missing_ok=True)
    for suffix in ("-wal", "-shm", "-journal"):
        path.with_name(path.name + suffix).unlink(missing_ok=True)
    return path.name


def _mend_hashes(db: Database, ctx: Context, rows: dict[str, int]) -> None:
    """The hashes of cases and sources whose text was changed, and the seals, so that `doctor` finds them sound."""
    if not rows:
        return
    with db.write(ctx.actor("release").id, ctx.now()) as tx:
        _mend_all(tx)


def _mend_all(tx: Transaction) -> None:
    privacy.mend_hashes(tx, lambda content: case_hash(Case.model_validate_json(content)))
    privacy.mend_seals(tx)


def _yank(ctx: Context, gone: Sequence[YankedRelease], reason: str) -> None:
    """Add a line to `exports/<suite>/yanked.jsonl` for each version that has none."""
    for suite in dict.fromkeys(r.suite for r in gone):
        try:
            yanking.add(ctx, suite, [r.version for r in gone if r.suite == suite], one_line(reason))
        except CuratorError as error:
            raise StorageError(error.message, "the rest is erased; erase again to mark it") from None
