"""Ratings that were given elsewhere, on paper or in a table: read row by row, entered in the names of their raters."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curator.domain.case import HIDDEN_PARTITIONS
from curator.domain.ratings import HIGHEST, LOWEST, Item, Said, Sampled
from curator.errors import CheckFailed, Conflict, CuratorError, InputError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.ratings import begin, checked_note, close, may_rate, sees_holdout
from curator.services.report import ImportReport, Rejected
from curator.services.results import rows
from curator.store import ratings
from curator.store.database import Transaction
from curator.text import one_line

COLUMNS: dict[str, tuple[str, ...]] = {
    "case_id": ("caseId", "case_id", "case", "id"),
    "rater": ("rater", "actor", "by", "annotator"),
    "completeness": ("completeness", "complete"),
    "accuracy": ("accuracy", "accurate"),
    "note": ("note", "notes", "comment", "reason"),
}
"""What a column may be called, the first that has something counts."""


class _BadRowError(ValueError):
    """Why a row is not taken: the column and the reason."""

    def __init__(self, column: str, reason: str) -> None:
        super().__init__(reason)
        self.column = column


def import_ratings(
    ctx: Context, number: int, path: Path, *, finish: bool = False, dry_run: bool = False,
    progress: Progress | None = None,
) -> ImportReport:  # fmt: skip
    """Enter the ratings of a CSV or JSONL: caseId, rater, completeness, accuracy, note.

    A row without a rater is of who acts; a lead may enter those of others. All good rows are one decision.

    Args:
        ctx: Open workspace; the acting person may review.
        number: Of the sample.
        path: The file.
        finish: Its raters have finished.
        dry_run: Only say what would be entered.
        progress: One step a row.

    Raises:
        InputError: There is no such sample, or the file cannot be read.
        UsageError: Who acts may not.
    """
    progress = progress or Silent()
    try:
        found = list(rows(path.read_text("utf-8-sig"), path.name))
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(
            f"{path.name}: {getattr(error, 'strerror', None) or 'not UTF-8'}", "name a CSV or JSONL"
        ) from None
    if not found:
        raise InputError(f"{path.name}: no rating in it", "a CSV or JSONL with caseId, completeness, accuracy")
    progress.stage("ratings", len(found))
    counts: Counter[str] = Counter()
    rejected: list[Rejected] = []
    with ctx.write("review", keep=not dry_run) as tx:
        entering = _Entering(ctx, tx, ratings.sample(tx, number))
        for line, row in found:
            progress.checkpoint()
            try:
                counts[entering.enter(row)] += 1
            except _BadRowError as error:
                rejected.append(Rejected(row=line, column=error.column, reason=str(error)))
            progress.advance()
        warnings = list(entering.finished()) if finish else []
    if not finish and entering.raters and not dry_run:
        warnings.append("they count when their raters have finished: --finish, or `curator sample-review finish`")
    there = {_plain(name): name for name in reversed(list(found[0][1])) if name}
    names = {k: next((there[n] for n in map(_plain, given) if n in there), "") for k, given in COLUMNS.items()}
    return ImportReport(
        new=counts["new"], same=counts["same"], changed=counts["changed"], rejected=tuple(rejected),
        mapping={k: v for k, v in names.items() if v}, warnings=tuple(warnings),
    )  # fmt: skip


class _Entering:
    """Enters rows of one sample in an open write."""

    def __init__(self, ctx: Context, tx: Transaction, sampled: Sampled) -> None:
        self._ctx, self._tx, self._sampled = ctx, tx, sampled
        self._items: dict[str, Item] = {i.case_id: i for i in ratings.items(tx, sampled.sample)}
        self._said = {(s.case_id, s.actor): s for s in ratings.said(tx, sampled.sample)}
        self._seen: set[tuple[str, str]] = set()
        self.raters: set[str] = set()

    def enter(self, row: Mapping[str, Any]) -> str:
        """Enter a row: "new", "same" or "changed".

        Raises:
            _BadRowError: It is none.
        """
        item, rater = self._item(row), self._rater(row)
        if item.side in HIDDEN_PARTITIONS and not sees_holdout(self._ctx, rater):
            raise _BadRowError("caseId", f"{item.case_id} lies in the holdout, which a lead rates")
        key = (item.case_id, rater)
        if key in self._seen:
            raise _BadRowError("caseId", "duplicate")
        values: dict[str, Any] = {"completeness": _score(row, "completeness"), "accuracy": _score(row, "accuracy")}
        before = self._said.get(key, Said(case_id=item.case_id, actor=rater))
        note = _value(row, "note")
        if note or not before.note:
            try:
                values["note"] = checked_note(self._ctx, note)
            except CheckFailed as error:
                raise _BadRowError("note", error.message) from None
        self._seen.add(key)
        self.raters.add(rater)
        if before.model_copy(update=values) == before:
            return "same"
        try:
            begin(self._tx, self._sampled.sample, rater)
        except Conflict as error:
            raise _BadRowError("rater", error.message) from None
        ratings.say(self._tx, self._sampled.sample, item.case_id, rater, **values)
        return "changed" if before.whole else "new"

    def finished(self) -> Iterator[str]:
        """Its raters have finished; gives a line for each who left something out or had finished before."""
        for rater in sorted(self.raters):
            try:
                done = close(self._ctx, self._tx, self._sampled, rater)
            except CuratorError as error:
                yield error.message
                continue
            if done.unrated:
                yield f"{rater}: {done.unrated} of {done.rated + done.unrated} not rated"

    def _item(self, row: Mapping[str, Any]) -> Item:
        name = _value(row, "case_id")
        if name not in self._items:
            what = f"no case {one_line(name, 60)} in sample {self._sampled.sample}" if name else "it names no case"
            raise _BadRowError("caseId", what)
        return self._items[name]

    def _rater(self, row: Mapping[str, Any]) -> str:
        actor = self._ctx.actor()
        rater = _value(row, "rater") or actor.id
        if not may_rate(self._ctx, rater):
            raise _BadRowError("rater", f"{one_line(rater, 60)} is nobody who may rate here")
        if rater != actor.id and not actor.may("adjudicate"):
            raise _BadRowError("rater", "only a lead enters ratings of others")
        return rater


def _value(row: Mapping[str, Any], field: str) -> str:
    said = {_plain(name): value for name, value in reversed(list(row.items())) if name and value not in (None, "")}
    return next((str(said[n]).strip() for n in map(_plain, COLUMNS[field]) if n in said), "")


def _plain(name: str) -> str:
    """The name of a column as it is compared: "Case ID" is caseId, "Accuracy (1-5)" is accuracy."""
    return re.sub(r"\(.*?\)|[\s_-]", "", name).casefold()


def _score(row: Mapping[str, Any], field: str) -> int:
    text = _value(row, field)
    try:
        number = float(text)
    except ValueError:
        number = 0
    if number not in range(LOWEST, HIGHEST + 1):
        raise _BadRowError(field, f"{one_line(text, 20) or 'nothing'} is no number from {LOWEST} to {HIGHEST}")
    return int(number)


__all__ = ["COLUMNS", "import_ratings"]
