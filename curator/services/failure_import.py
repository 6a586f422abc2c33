"""Import of production logs: read as a stream, scrubbed before the first write, stored in whole parts, folded.

A part is one transaction, so that other people's saves go on during a long import. What an import stored before it was
stopped stays: the same file again goes on where it ended, since rows that are here are `same`.
"""

from __future__ import annotations

import datetime
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from pydantic import Field

from curator.domain.failure import RISK_WORDS
from curator.errors import UsageError
from curator.matching.folding import BYTES_A_WORDING
from curator.parsing.logs import Joined, LogRecord, LogStream, Profile, Rejection, Skipped, read
from curator.privacy import Detector
from curator.progress import Progress, Silent
from curator.services.anonymising import Anonymiser, Anonymous
from curator.services.context import Context
from curator.services.folds import fold_new
from curator.services.privacy import detector_for, expire
from curator.services.rejects import write_rejects
from curator.services.report import ImportReport, Rejected
from curator.store import failures, folding
from curator.store.database import Transaction
from curator.text import one_line

PART = 1000
"""Records of one transaction: twice as many cost a fifth less to store, and another save waits a tenth of a second."""
LARGEST = 2_000_000
"""Characters of the records of a part: one of long texts is shorter."""
PREVIEW = 5
_MOST_TOLD = 1000


class LogReport(ImportReport):
    """The outcome of an import of a log.

    Attributes:
        records: Records in the file: new, same and changed together.
        skipped: Why a thing in the file is no record -> how many.
        masked: Kind of personal data -> how many times it was replaced.
        preview: The first five records as they are mapped, scrubbed.
        encoding: How the text is encoded, and how that was found.
        quarantined: Nobody has looked for names in it: each shown row waits for a person.
        index_bytes: Most memory that the index of foldings takes for this file.
        reject_file: Where the rejected rows are listed, "" = none.
        folded: Failures whose wording folds into another; `asked`: pairs about which a person is asked.
    """

    records: int = 0
    format: str = ""
    encoding: str = ""
    detector: str = ""
    batch: int = 0
    skipped: dict[str, int] = Field(default_factory=dict)
    masked: dict[str, int] = Field(default_factory=dict)
    preview: tuple[dict[str, str], ...] = ()
    quarantined: bool = False
    index_bytes: int = 0
    reject_file: str = ""
    folded: int = 0
    asked: int = 0


@dataclass
class _State:
    """What an import has come to so far."""

    dry_run: bool
    batch: int = 0
    new: int = 0
    same: int = 0
    changed: int = 0
    rejected: list[Rejection] = field(default_factory=list)
    skipped: Counter[str] = field(default_factory=Counter)
    masked: Counter[str] = field(default_factory=Counter)
    preview: list[dict[str, str]] = field(default_factory=list)
    keys: set[bytes] = field(default_factory=set)
    contents: set[bytes] = field(default_factory=set)
    wordings: set[bytes] = field(default_factory=set)
    quarantined: bool = False

    @property
    def counts(self) -> dict[str, int]:
        return {
            "new": self.new,
            "same": self.same,
            "changed": self.changed,
            "rejected": len(self.rejected),
            "skipped": self.skipped.total(),
        }


def import_log(
    ctx: Context,
    path: Path,
    *,
    profile: Profile | None = None,
    join: Path | None = None,
    dry_run: bool = False,
    accept_residual_names: bool = False,
    names: bool | None = None,
    progress: Progress | None = None,
) -> LogReport:
    """Take a log as failures.

    Personal data is replaced in memory, before anything is written. Without the extra `ner` nobody looks for names; the
    import must then say so, and its rows are quarantined until a person has confirmed each.

    Args:
        ctx: Open workspace.
        path: The log.
        profile: How it is read; what it leaves open is found in the content.
        join: A second file with feedback or scores, joined by the id of the request (`parsing.logs.Joined`).
        dry_run: Read, scrub and count; write nothing.
        accept_residual_names: Import although nobody looks for names.
        names: Whether a model looks for names; None = where the extra is installed. It takes ten times as long.
        progress: One step a record.

    Raises:
        InputError: It cannot be read.
        UsageError: Nobody looks for names and that was not accepted; no column holds the question; ...
    """
    progress = progress or Silent()
    if not dry_run:
        ctx.actor("edit")
    detector = detector_for(ctx, names=names, progress=progress)
    if not (detector.finds_names or accept_residual_names or dry_run):
        raise UsageError(
            "nobody would look for names in this log" + (": `ner` is not installed" if names is None else ""),
            "pip install 'golden-curator[ner]', or add --accept-residual-names: its rows then wait in quarantine",
        )
    state = _State(dry_run, quarantined=not detector.finds_names)
    anonymiser = Anonymiser(detector, ctx.settings.failures.risk_words or RISK_WORDS, partial(_earlier, ctx))
    if not dry_run:
        expire(ctx)
    beside = Joined(join, progress) if join is not None else None
    progress.stage(f"reading {path.name}")
    with read(path, profile, progress) as stream:
        name = _shown(path)
        if not dry_run:
            state.batch = _start(ctx, name, stream, detector, state)
        for part in _parts(beside.records(stream) if beside is not None else stream, state, progress):
            taken = anonymiser.take(part)
            _tell(taken, state)
            if dry_run:
                _compare(ctx, taken, state)
            else:
                _store(ctx, taken, state)
            progress.advance(len(part))
            progress.checkpoint()
    if join is not None and beside is not None:
        left = beside.entries - len(beside.used)
        name = one_line(os.fsencode(join.name).decode("utf-8", "replace"), 60)
        if left:
            stream.warnings.append(f"{name}: {left} of {beside.entries} entries belong to no record of this log")
        if beside.rejected:
            stream.warnings.append(f"{name}: rows that could not be read: {beside.rejected}")
    return _finished(ctx, path, stream, detector, anonymiser, state, progress)


def _earlier(ctx: Context, sessions: Sequence[str]) -> dict[str, list[str]]:
    with ctx.db.read() as tx:
        return failures.masked_texts(tx, sessions)


def _shown(path: Path) -> str:
    """The file's name as it is stored: a name may hold a person as well."""
    from curator.privacy import Scrubber

    return Scrubber(Detector()).scrub(one_line(os.fsencode(path.name).decode("utf-8", "replace"), 120))[0]


def _parts(
    stream: Iterable[LogRecord | Rejection | Skipped], state: _State, progress: Progress
) -> Iterator[list[LogRecord]]:
    waiting: list[LogRecord] = []
    size = 0
    for n, item in enumerate(stream):
        if n % 100 == 0:
            progress.checkpoint()
        if isinstance(item, Rejection):
            state.rejected.append(item)
        elif isinstance(item, Skipped):
            state.skipped[item.reason] += 1
        else:
            waiting.append(item)
            size += len(item.question) + len(item.answer) + sum(len(c.text) for c in item.contexts)
            if len(waiting) == PART or size > LARGEST:
                yield waiting
                waiting, size = [], 0
    if waiting:
        yield waiting


def _start(ctx: Context, name: str, stream: LogStream, detector: Detector, state: _State) -> int:
    expires = ""
    if state.quarantined:
        days = datetime.timedelta(days=ctx.settings.failures.quarantine_days)
        expires = (datetime.datetime.fromisoformat(ctx.now()) + days).strftime("%Y-%m-%dT%H:%M:%SZ")
    head = {
        "file": name,
        "format": stream.profile.format,
        "mapping": json.dumps(stream.profile.columns, ensure_ascii=False),
        "detector": detector.version,
        "quarantined": int(state.quarantined),
        "expires_at": expires,
    }
    with ctx.write() as tx:
        return failures.start_batch(tx, head)


def _tell(taken: Sequence[Anonymous], state: _State) -> None:
    for one in taken:
        state.masked.update(one.masked)
        if len(state.preview) < PREVIEW:
            shown = {
                k: str(one.columns[k])
                for k in ("time", "session", "route", "question", "answer", "feedback", "score", "error")
            }
            shown["contexts"] = " ⏐ ".join(
                f"{source}: {text}" if source else text for _, text, source, *_ in one.contexts
            )
            state.preview.append({"row": str(one.row), **{k: v for k, v in shown.items() if v}})


def _compare(ctx: Context, taken: Sequence[Anonymous], state: _State) -> None:
    """Count what a part would do, without a write; the wordings tell how large the index will be."""
    with ctx.db.read() as tx:
        new, changed = _sorted(tx, taken, state)
    state.new += len(new)
    state.changed += len(changed)
    state.wordings.update(one.wording[0] for one in taken)


def _sorted(
    tx: Transaction, taken: Sequence[Anonymous], state: _State
) -> tuple[list[Anonymous], list[tuple[Anonymous, failures.Known | None]]]:
    """The new records of a part, and those that say something else than before; the others are counted as the same."""
    here = failures.known(tx, [one.key for one in taken])
    seen = failures.seen(tx, [one.content for one in taken if one.has_id])
    new: list[Anonymous] = []
    changed: list[tuple[Anonymous, failures.Known | None]] = []
    for one in taken:
        known = one.key in here or one.key in state.keys
        if not known:
            new.append(one)
        elif one.has_id and one.content not in seen and one.content not in state.contents:
            changed.append((one, here.get(one.key)))
        else:
            state.same += 1
        state.keys.add(one.key)
        if one.has_id:
            state.contents.add(one.content)
    return new, changed


def _store(ctx: Context, taken: Sequence[Anonymous], state: _State) -> None:
    """One part, one transaction."""
    with ctx.write() as tx:
        new, changed = _sorted(tx, taken, state)
        state.keys.clear()  # what was stored is looked up
        state.contents.clear()
        everything = [*new, *(one for one, _ in changed)]
        texts = {key: text for one in everything for key, text, *_ in one.contexts if key}
        numbers = failures.context_ids(tx, texts)
        wordings = folding.numbers(tx, {one.wording[0]: one.wording[1:] for one in everything})
        failures.add_rows(tx, [_row(one, numbers, wordings, state) for one in new])
        folding.use(tx, Counter(wordings[one.wording[0]] for one in new))
        failures.see(tx, {one.content for one in new if one.has_id})
        late = failures.known(tx, [one.key for one, known in changed if known is None])
        for one, known in changed:
            before = known or late[one.key]
            failures.replace_row(tx, before, _row(one, numbers, wordings, state))
            folding.use(tx, {before.wording: -1})
            folding.use(tx, {wordings[one.wording[0]]: 1})
        failures.see(tx, {one.content for one, _ in changed})
    state.new += len(new)
    state.changed += len(changed)


def _row(one: Anonymous, numbers: dict[bytes, int], wordings: dict[bytes, int], state: _State) -> dict[str, Any]:
    contexts = [[numbers[key] if key else 0, *origin] for key, _, *origin in one.contexts]
    return {
        **one.columns,
        "batch": state.batch,
        "key": one.key,
        "quarantined": int(state.quarantined),
        "contexts": json.dumps(contexts, ensure_ascii=False) if contexts else "[]",
        "wording": wordings[one.wording[0]],
    }


def _finished(
    ctx: Context,
    path: Path,
    stream: LogStream,
    detector: Detector,
    anonymiser: Anonymiser,
    state: _State,
    progress: Progress,
) -> LogReport:
    folded = asked = 0
    rejects = ""
    if not state.dry_run:
        with ctx.write() as tx:
            masked = json.dumps(dict(state.masked))
            failures.finish_batch(tx, state.batch, {**state.counts, "masked": masked})
        folded, asked = fold_new(ctx, progress)
        if state.rejected:
            rejects = write_rejects(ctx, f"batch-{state.batch}", map(_rejected, state.rejected))
    warnings = list(stream.warnings)
    if anonymiser.replaced:
        warnings.append(f"characters that no file can hold, replaced by U+FFFD: {anonymiser.replaced}")
    if not (state.new or state.same or state.changed):
        warnings.append("no records in it")
    if state.quarantined:
        warnings.append("nobody looked for names: the rows wait in quarantine until each is confirmed")
    return LogReport(
        new=state.new,
        same=state.same,
        changed=state.changed,
        rejected=tuple(map(_rejected, state.rejected)),
        mapping=dict(stream.profile.columns),
        warnings=tuple(warnings),
        records=state.new + state.same + state.changed,
        format=stream.profile.format,
        encoding=f"{stream.encoding.name} ({stream.encoding.by})" if stream.encoding else "",
        detector=detector.version,
        batch=state.batch,
        skipped=dict(state.skipped),
        masked=dict(sorted(state.masked.items())),
        preview=tuple(state.preview),
        quarantined=state.quarantined,
        index_bytes=len(state.wordings) * BYTES_A_WORDING,
        reject_file=rejects,
        folded=folded,
        asked=asked,
    )


def _rejected(row: Rejection) -> Rejected:
    return Rejected(row=row.row, column=row.column, reason=row.reason)
