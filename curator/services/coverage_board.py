"""The board: every case as it is counted, kept up to date by reading what changed.

A screen is right after an edit without reading all cases again: the history tells which cases were touched. Everything
else here is worked out from the board, without the store.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from curator.domain import coverage as domain
from curator.domain.case import UNVERIFIED
from curator.domain.coverage import SHOWN, Counted, Grid, Histogram, Kind, in_cell
from curator.domain.filling import Candidate, Place, Shelved, Work, failures, places, step
from curator.domain.listing import ListQuery
from curator.domain.model import Model
from curator.domain.quotas import Asked, asked
from curator.domain.size_panel import Assumptions, Size, sizes
from curator.domain.strata import HOW, longest, placing_line
from curator.domain.suite import SuitePolicy
from curator.errors import UsageError
from curator.exporting.released import Reference
from curator.progress import Progress, Silent
from curator.services import blind
from curator.services.context import Context
from curator.services.quotas import of_document, with_values
from curator.services.reference import profile, reference, warnings
from curator.services.selection import policy
from curator.services.todays_names import TodaysNames, todays_names
from curator.services.uncollected import uncollected
from curator.store import cases, filling, placing, triage
from curator.store.database import Transaction
from curator.store.placing import PlacedCase

STEP = 500
VEILED = ("expectedBehavior", "risk", "difficulty", "sectionPosition", "sectionDepth")
"""What a case in review does not show to who may have to label it: all that follows from its answer."""
SECTIONS = 3


class CellCase(Model):
    """A case of a cell: an id, whether it counts, and its side. Its text is looked up where it is shown."""

    id: str
    kind: Kind
    side: str


class _Suite(NamedTuple):
    """A suite as it stands: its cases, its quotas with "*" put out, and how they are met."""

    policy: SuitePolicy
    cases: list[Counted]
    asked: tuple[Asked, ...]
    alike: domain.Alike


class Board:
    """All cases that are not retired, as they are counted; safe to share between threads.

    Attributes:
        ctx: The open workspace; a newer one, with the settings read again, may be put in its place.
        cases: In order of creation.
        documents: Those that are here, by id.
        length: The reference median.
        version: Grows with every change, so that who shares the board knows whether what was worked out is old.
    """

    def __init__(self, ctx: Context) -> None:
        self.ctx = ctx
        self.cases: list[Counted] = []
        self.documents: dict[str, Shelved] = {}
        self.length = Reference()
        self._known: dict[str, Counted] = {}
        self._file_names: tuple[str, ...] = ()
        self._candidates: tuple[Candidate, ...] | None = None
        self._suites: dict[str, _Suite] = {}
        self._takes: dict[str, tuple[SuitePolicy | None, dict[str, tuple[Counted, bool]]]] = {}
        self._newest = 0
        self._rules: object = None
        self._settings: object = None
        self.version = 0
        self._lock = threading.Lock()

    def refresh(self, progress: Progress | None = None) -> bool:
        """Bring it up to date; gives whether anything changed. All cases are read when more than cases changed.

        Raises:
            InputError: The length profile cannot be read.
            Cancelled: Stopped; the board is as it was.
        """
        progress = progress or Silent()
        with self._lock:
            ctx = self.ctx
            length = reference(ctx)
            veil = blind.listed(ctx, ListQuery()).blind
            with ctx.db.read() as tx:
                newest, names = placing.newest(tx), todays_names(tx)
                rules = (names, length, veil)
                if (newest, rules, ctx.settings) == (self._newest, self._rules, self._settings):
                    return False
                touched = placing.touched(tx, self._newest) if rules == self._rules else None
                fresh = {}
                with uncollected():
                    for number, case in enumerate(placing.placed(tx, touched)):
                        if not number % STEP:
                            progress.checkpoint()
                        case = placing.renamed(case, *names) if any(names) else case
                        fresh[case.id] = _counted(case, length.median, veil)
                if touched is None:
                    self.documents = {d.document_id: d for d in filling.shelved(tx)}
                    self._file_names, self._candidates = tuple(triage.document_ids(tx)), None
            gone = touched - set(fresh) if touched else set()
            kept = {} if touched is None else {n: c for n, c in self._known.items() if n not in gone}
            self._known = kept | fresh
            self.cases = list(self._known.values())
            self.length, self._newest, self._rules, self._suites = length, newest, rules, {}
            self._settings = ctx.settings
            self.version += 1
            return True

    def _open_failures(self) -> tuple[Candidate, ...]:
        """The failures that could become cases, read when they are first asked for."""
        if self._candidates is None:
            with self.ctx.db.read() as tx:
                self._candidates = tuple(filling.candidates(tx))
        return self._candidates

    def suite(self, name: str = "") -> _Suite:
        """A suite of `curator.toml` on the board; "" = all cases, without quotas.

        Raises:
            UsageError: There is no such suite.
        """
        known = self._suites  # a refresh puts a new one in its place, after the cases
        if name not in known:
            cases = self.cases
            known[name] = (
                self._suite(name) if name else _Suite(SuitePolicy(name=""), cases, (), domain.tally(cases))
            )  # fmt: skip
        return known[name]

    def _suite(self, name: str) -> _Suite:
        own = policy(self.ctx, name)
        with self.ctx.db.read() as tx:
            taking = TodaysNames({}, todays_names(tx).documents).suite(own)
        chosen = self._taken(name, taking)
        lines = [c.line for c in chosen if c.kind == "counted"]
        own = with_values(self.ctx, own, lines, list(self.documents.values()))
        return _Suite(own, chosen, asked(own.quotas, lines), domain.tally(chosen))

    def _taken(self, name: str, taking: SuitePolicy) -> list[Counted]:
        """The cases that a suite takes; only those are asked about that were not asked about before as they are now."""
        before, known = self._takes.get(name, (None, {}))
        known = known if before == taking else {}
        now: dict[str, tuple[Counted, bool]] = {}
        for c in self.cases:
            held = known.get(c.id)
            now[c.id] = held if held is not None and held[0] is c else (c, taking.takes(c.line))
        self._takes[name] = taking, now
        return [c for c, taken in now.values() if taken]

    def grid(self, name: str, rows_by: str, columns_by: str = "") -> Grid:
        """The heat map of two dimensions, or of one, with margins and quotas; see `domain.coverage.Grid`.

        Raises:
            UsageError: No such suite or dimension.
        """
        require_dimensions([d for d in (rows_by, columns_by) if d])
        chosen = self.suite(name)
        also = {"domain": {d.domain for d in self.documents.values() if d.domain}} if not name else {}
        wanted: dict[str, set[str]] = {}
        for one in chosen.asked:
            for dimension, value in one.quota.where.items():
                wanted.setdefault(dimension, set()).add(value)
        return domain.grid(chosen.cases, rows_by, columns_by, chosen.asked, also | wanted, chosen.alike)

    def values(self, name: str) -> tuple[str, ...]:
        """The values of a dimension that there are, of cases and of documents.

        Raises:
            UsageError: No such dimension.
        """
        require_dimensions([name])
        return domain.values_of(self.cases, name, {of_document(d, name) for d in self.documents.values()} - {""})

    def cell(self, name: str, where: Mapping[str, str]) -> tuple[CellCase, ...]:
        """The cases of a cell (dimension -> value; {} = all), those that count first.

        Raises:
            UsageError: No such suite or dimension.
        """
        require_dimensions(list(where))
        return tuple(CellCase(id=c.id, kind=c.kind, side=c.side) for c in in_cell(self.suite(name).cases, where))

    def work(self, name: str) -> tuple[Work, ...]:
        """The unmet quotas of a suite with what would fill each, in the order of curator.toml; all suites for "".

        Raises:
            UsageError: There is no such suite.
        """
        if not name:
            return tuple(w for n in sorted(self.ctx.settings.suites) for w in self.work(n))
        chosen = self.suite(name)
        return tuple(self._work(chosen, a) for a in chosen.asked if a.have < a.quota.minimum)

    def _work(self, chosen: _Suite, gap: Asked) -> Work:
        quota, median = gap.quota, self.length.median
        found = places(self.documents.values(), quota, chosen.policy, median, self._on_page())
        with self.ctx.db.read() as tx:
            found = tuple(_with_sections(tx, p) for p in found)
        could = failures(self._open_failures(), self.documents, quota, chosen.policy, median)
        return Work(
            suite=chosen.policy.name, name=quota.name, where=dict(quota.where), words=told(gap), missing=gap.missing,
            step=step(gap, found, could, median), places=found, failures=could,
        )  # fmt: skip

    def _on_page(self) -> dict[str, Counter[str]]:
        """Document -> cases that count by the third in which their evidence lies."""
        place = SHOWN.index("sectionPosition")
        found: dict[str, Counter[str]] = {}
        for c in self.cases:
            if c.kind == "counted" and c.cluster:
                found.setdefault(c.cluster, Counter())[c.values[place]] += 1
        return found

    def histogram(self, name: str = "") -> Histogram:
        """Lengths in production, of the documents here and of the cases of a suite, with the bands.

        Raises:
            UsageError: There is no such suite.
        """
        own = [c.pages for c in self.suite(name).cases if c.kind == "counted"]
        production = [p for _, p in profile(self.ctx)]
        return domain.histogram(self.length.median, production, [d.pages for d in self.documents.values()], own)

    def sizes(
        self, name: str, by: Sequence[str], given: Assumptions, results: Mapping[str, bool] | None = None
    ) -> tuple[Size, ...]:  # fmt: skip
        """The size panel of a suite: all its cases, then each value of these dimensions.

        Raises:
            UsageError: No such suite or dimension.
        """
        require_dimensions(by)
        return sizes(self.suite(name).cases, by, given, results)

    def warnings(self) -> tuple[str, ...]:
        """What speaks against the declared reference median."""
        return warnings(self.ctx, list(self.documents.values()), self._file_names)


def _with_sections(tx: Transaction, place: Place) -> Place:
    best = filling.richest(tx, place.document_id, place.first_page, place.last_page, SECTIONS)
    page, source = (best[0].page, best[0].source) if best else (place.first_page, "")
    return place.model_copy(update={"sections": tuple(h.title for h in best), "page": page, "source": source})


def told(gap: Asked) -> str:
    """A gap as a person reads it: "domain emission: has 2, needs 3"; shares in percent."""
    have, need = (f"{v:.1%}" if gap.quota.unit == "share" else f"{v:g}" for v in (gap.have, gap.quota.minimum))
    return f"{gap.quota.words}: has {have}, needs {need}"


def require_dimensions(names: Sequence[str]) -> None:
    """Raise when one of these is no dimension that can be counted by.

    Raises:
        UsageError: One is not.
    """
    for name in names:
        if name not in SHOWN:
            raise UsageError(f"{name!a} is no dimension", f"use {', '.join(HOW)}")


def is_veiled(status: str, author: str, flags: Sequence[str], veil: str | None) -> bool:
    """The rule of the lists: see store.cases."""
    waits = status in cases.OPEN or (status == "approved" and UNVERIFIED in flags)
    return veil is not None and waits and author != veil and "disputed" not in flags


def _document_of(case: PlacedCase) -> str:
    """Where the first required evidence lies, else the first document that the case was judged against."""
    for e in case.evidence:
        if e.role == "required" and e.document_id:
            return e.document_id
    return case.documents[0].document_id if case.documents else ""


def _counted(case: PlacedCase, median: float, veil: str | None) -> Counted:
    line = placing_line(case, median)
    approved = case.status == "approved" and UNVERIFIED not in case.flags
    kind: Kind = "coming" if not approved else "stale" if "stale" in case.flags else "counted"
    if is_veiled(case.status, case.author, case.flags, veil):
        line |= dict.fromkeys(VEILED, domain.HIDDEN) | {"tags": ()}
    cluster = _document_of(case)
    return domain.counted(case.id, kind, case.side, cluster, line, longest(case.documents))
