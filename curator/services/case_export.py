"""Export of cases as they are now: lines that `importing.import_cases` takes back, here and in another workspace.

No line tells what the acting person may not know, and none is cut short: where the labels of a case are hidden from
them, it is left out whole, and so is every case of the holdout, which leaves the workspace only with a release.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Literal

from curator.domain.canonical import dumps
from curator.domain.case import CaseRecord
from curator.domain.listing import ListQuery
from curator.domain.model import Model
from curator.errors import UsageError
from curator.exporting.line import placing_line, stored_line
from curator.progress import Progress, Silent
from curator.services.blind import hidden_of, listed
from curator.services.context import Context
from curator.services.reference import reference
from curator.services.selection import policy
from curator.services.todays_names import todays_names
from curator.store import cases
from curator.store.bulk import parts
from curator.store.database import Transaction

STEP = 250
"""Cases that are held at once, and read in one transaction."""


class Exported(Model):
    """How many cases were written, and how many were left out, by why.

    Attributes:
        hidden: Their labels are hidden from who acts until they have given their own.
        unasked: A filter by behavior or risk did not ask them, since its answer would be such a label.
        holdout: They lie in the holdout.
        retired: Nobody asked for retired ones: an import would make drafts of them.
    """

    written: int = 0
    hidden: int = 0
    unasked: int = 0
    holdout: int = 0
    retired: int = 0


def export_cases(
    ctx: Context, write: Callable[[str], object], query: ListQuery | None = None, *, names: Sequence[str] = (),
    suite: str = "", progress: Progress | None = None,
) -> Exported:  # fmt: skip
    """Write the lines of cases, sorted by id; the same cases give the same bytes. Taken back, they are `same`.

    A case cites its sources under the names that it was written with, as it does in the workspace. What changes while
    it is read stands in its line before or after the change, never in between.

    Args:
        ctx: Open workspace.
        write: Takes each line, with its line feed.
        query: Filters, as of the list of cases; the order is not asked.
        names: Only these cases; they cannot be filtered as well.
        suite: Only cases that the selection of this suite takes, whatever their status; the lines carry its canary.
        progress: One step a case.

    Raises:
        InputError: There is no case of a name, or a column that the list does not have.
        UsageError: There is no such suite, or names and filters were both given.
    """
    progress = progress or Silent()
    asked = replace(listed(ctx, query or ListQuery()), sort="id", descending=False)
    if not (asked.contains or asked.like):  # the holdout is counted, but not by its texts for whom it is closed to
        asked = replace(asked, without_holdout=False)
    filtered = bool(asked.where or asked.like or asked.contains or suite)
    if names and filtered:
        raise UsageError("cases are named or filtered, not both", "leave the ids out, or the filters")
    retired_too = bool(names) or ("status", "retired") in asked.where
    taking, median = _Taking(ctx, suite), reference(ctx).median
    counted: Counter[str] = Counter()
    with ctx.db.read() as tx:
        total = len(set(names)) or cases.count(tx, asked)
        unasked = cases.left_out(tx, asked)
    progress.stage("exporting cases", total)
    for records in _pages(ctx, asked, names):
        progress.checkpoint()
        for record, why in records:
            if why or (record.status == "retired" and not retired_too):
                counted[why or "retired"] += 1
            elif taking.takes(record, median):
                write(dumps(stored_line(record, suite=suite, reference_median=median)) + "\n")
                counted["written"] += 1
        progress.advance(len(records))
    return Exported(unasked=unasked, **counted)


Page = list[tuple[CaseRecord, Literal["", "holdout", "hidden"]]]


def _pages(ctx: Context, asked: ListQuery, names: Sequence[str]) -> Iterator[Page]:
    """The cases in parts, each read in a transaction of its own, and why a case may not leave."""
    if names:
        for part in parts(sorted(set(names)), STEP):
            with ctx.db.read() as tx:
                page = _page(ctx, tx, part)
            yield page  # whoever takes the lines may be slow
        return
    after = None
    while True:
        with ctx.db.read() as tx:
            lines = cases.lines(tx, asked, after=after, limit=STEP)
            page = _page(ctx, tx, [line.id for line in lines])
        if not lines:
            return
        yield page
        after = asked.key_of(lines[-1])


def _page(ctx: Context, tx: Transaction, names: Sequence[str]) -> Page:
    records = cases.get_many(tx, names).values()
    hidden = hidden_of(ctx, tx, records)
    return [(r, "holdout" if r.side == "holdout" else "hidden" if r.case.id in hidden else "") for r in records]


class _Taking:
    """Which cases a suite takes, under the ids of today; without a suite all."""

    def __init__(self, ctx: Context, suite: str) -> None:
        self._suite = None
        if suite:
            with ctx.db.read() as tx:
                self._names = todays_names(tx)
            self._suite = self._names.suite(policy(ctx, suite))

    def takes(self, record: CaseRecord, median: float) -> bool:
        """Whether it takes this one."""
        return self._suite is None or self._suite.takes(placing_line(self._names.record(record).case, median))
