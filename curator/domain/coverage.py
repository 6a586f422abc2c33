"""Coverage: cases counted by strata, as a grid of two dimensions with margins, and as a histogram of lengths.

A case counts when it is approved and not stale: what a release would take. One that is on its way counts beside, as
`coming`; it fills no quota.
"""

from __future__ import annotations

import operator
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any, Literal, NamedTuple

from curator.domain.case import BEHAVIORS, RISKS
from curator.domain.model import Model
from curator.domain.quotas import Asked
from curator.domain.strata import HOW
from curator.domain.suite import DIMENSIONS, TITLES

SHOWN: tuple[str, ...] = (*DIMENSIONS, "sectionDepth")
_VALUES = operator.itemgetter(*SHOWN)
FIXED: Mapping[str, tuple[str, ...]] = {
    "expectedBehavior": BEHAVIORS,
    "risk": RISKS,
    "task": ("question", "summary"),
    "difficulty": ("easy", "medium", "hard"),
    "lengthStratum": ("base", "2x", "5x", "10x"),
    "sectionPosition": ("early", "middle", "late"),
    "conversation": ("single", "follow-up"),
}
"""Values that a dimension always shows, in this order, with cases or without; others follow by name."""
HIDDEN = "hidden"
"""Value of what may not be seen yet of a case in review, since who looks may have to label it."""

Kind = Literal["counted", "coming", "stale"]
State = Literal["gap", "met", "free"]


class Counted(NamedTuple):
    """One case as it is counted.

    Attributes:
        side: dev or holdout; "" = not assigned yet.
        cluster: The document that its evidence lies in: cases on one document are not independent.
        line: What suites select and count by (`strata.placing_line`).
        values: Its value in each dimension of SHOWN, in that order.
        pages: Of the longest document that it was judged against; 0 = unknown.
    """

    id: str
    kind: Kind
    side: str
    cluster: str
    line: Mapping[str, Any]
    values: tuple[str, ...]
    pages: int


def counted(name: str, kind: Kind, side: str, cluster: str, line: Mapping[str, Any], pages: int = 0) -> Counted:
    """A case as it is counted, by what suites select and count by."""
    return Counted(name, kind, side, cluster, line, _VALUES(line), pages)


class Margin(Model):
    """One value of a dimension: cases that count, those on their way, and what a quota asks for (0 = nothing)."""

    value: str
    count: int = 0
    coming: int = 0
    need: float = 0
    state: State = "free"


class Cell(Model):
    """Where a row and a column meet; `glyph` says the state or the density where color cannot be seen."""

    row: str
    column: str
    count: int = 0
    coming: int = 0
    need: float = 0
    state: State = "free"
    glyph: str = ""


class Grid(Model):
    """Two dimensions, or one ("" as the second, a single column): cells by row and column, and both margins."""

    rows_by: str
    columns_by: str
    rows: tuple[Margin, ...]
    columns: tuple[Margin, ...]
    cells: tuple[tuple[Cell, ...], ...]
    total: Margin


class DimensionCounts(Model):
    """All values of one dimension, and how a value comes about."""

    name: str
    title: str
    how: str
    values: tuple[Margin, ...]


class Bar(Model):
    """Documents from `low` pages to below `high` (0 = no end): in production, here, and cases judged against them."""

    low: float
    high: float
    band: str
    production: int
    documents: int
    cases: int


class Histogram(Model):
    """Lengths in pages; `bands`: name and first page of each."""

    median: float
    bars: tuple[Bar, ...]
    bands: tuple[tuple[str, float], ...]


def values_of(cases: Iterable[Counted], name: str, also: Collection[str] = ()) -> tuple[str, ...]:
    """The values that a dimension shows: fixed ones, those that cases have, and those that are known otherwise."""
    return _ordered(name, {*_column(cases, name), *also})


def _ordered(name: str, seen: Collection[str]) -> tuple[str, ...]:
    fixed = FIXED.get(name, ())
    seen = set(seen)
    return (*fixed, *sorted(seen - set(fixed), key=lambda v: (v in ("", "none", HIDDEN), v)))


def grid(
    cases: Sequence[Counted],
    rows_by: str,
    columns_by: str = "",
    asked: Sequence[Asked] = (),
    also: Mapping[str, Collection[str]] | None = None,
    alike: Alike | None = None,
) -> Grid:
    """Count cases by two dimensions, or by one.

    Args:
        cases: Of one suite, or all.
        rows_by: One of SHOWN.
        columns_by: Another one; "" = none.
        asked: Quotas as they stand: those on exactly these cells, on a value, or on all stand beside their count.
        also: Values known otherwise, such as domains of documents that no case is on yet.
        alike: `tally` of the cases, when it is at hand.
    """
    also = also or {}
    alike = tally(cases) if alike is None else alike
    pairs = _pairs(alike, rows_by, columns_by)
    needs = {tuple(sorted(a.quota.where.items())): a for a in asked if a.quota.unit == "cases"}
    rows, columns = (_margins(d, alike, needs, also.get(d, ())) if d else () for d in (rows_by, columns_by))
    largest = max((p["counted"] for p in pairs.values()), default=0)
    names = [m.value for m in columns] if columns_by else [""]
    table = []
    for row in rows:
        line = []
        for name in names:
            where = {rows_by: row.value} | ({columns_by: name} if columns_by else {})
            found = pairs.get((row.value, name), Counter())
            need, state = _need(where, needs)
            count = found["counted"]
            line.append(
                Cell(
                    row=row.value, column=name, count=count, coming=found["coming"], need=need, state=state,
                    glyph=glyph(count, largest, state),
                )
            )  # fmt: skip
        table.append(tuple(line))
    need, state = _need({}, needs)
    count, coming = (sum(n for (_, kind), n in alike.items() if kind == k) for k in ("counted", "coming"))
    total = Margin(value="", count=count, coming=coming, need=need, state=state)
    return Grid(
        rows_by=rows_by, columns_by=columns_by, rows=rows, columns=columns, cells=tuple(table), total=total
    )  # fmt: skip


Alike = Mapping[tuple[tuple[str, ...], Kind], int]
"""How many cases have these values in all dimensions and are of this kind: much fewer than there are cases."""


def tally(cases: Iterable[Counted]) -> Alike:
    """Cases counted once, so that every dimension and every grid is summed up from few numbers."""
    return Counter((c.values, c.kind) for c in cases)


def _pairs(alike: Alike, rows_by: str, columns_by: str) -> dict[tuple[str, str], Counter[str]]:
    row, column = SHOWN.index(rows_by), SHOWN.index(columns_by) if columns_by else -1
    found: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (values, kind), number in alike.items():
        found[values[row], values[column] if columns_by else ""][kind] += number
    return found


def _column(cases: Iterable[Counted], name: str) -> list[str]:
    place = SHOWN.index(name)
    return [c.values[place] for c in cases]


def _margins(
    name: str,
    alike: Alike,
    needs: Mapping[tuple[tuple[str, str], ...], Asked],
    also: Collection[str],
) -> tuple[Margin, ...]:
    place = SHOWN.index(name)
    counts: Counter[tuple[str, str]] = Counter()
    for (values, kind), number in alike.items():
        counts[values[place], kind] += number
    made = []
    for value in _ordered(name, {v for v, _ in counts} | set(also)):
        need, state = _need({name: value}, needs)
        count, coming = counts[value, "counted"], counts[value, "coming"]
        made.append(Margin(value=value, count=count, coming=coming, need=need, state=state))
    return tuple(made)


def _need(where: Mapping[str, str], needs: Mapping[tuple[tuple[str, str], ...], Asked]) -> tuple[float, State]:
    found = needs.get(tuple(sorted(where.items())))
    return (0.0, "free") if found is None else (found.quota.minimum, "met" if found.met else "gap")


def glyph(count: int, largest: int, state: State = "free") -> str:
    """State of a cell, else its density: "!" a gap, "✓" met, "·" empty, "░▒▓█" by quarters of the fullest cell."""
    if state != "free":
        return "!" if state == "gap" else "✓"
    return "░▒▓█"[min(3, (4 * count - 1) // largest)] if count and largest else "·"


def dimensions(
    cases: Sequence[Counted], asked: Sequence[Asked] = (), alike: Alike | None = None
) -> tuple[DimensionCounts, ...]:
    """Every dimension with its values that have cases or are asked for, and how a value comes about."""
    needs = {tuple(sorted(a.quota.where.items())): a for a in asked if a.quota.unit == "cases"}
    alike = tally(cases) if alike is None else alike
    return tuple(
        DimensionCounts(name=d, title=TITLES[d], how=HOW[d], values=_margins(d, alike, needs, ())) for d in SHOWN
    )


def in_cell(cases: Iterable[Counted], where: Mapping[str, str]) -> tuple[Counted, ...]:
    """The cases of a cell, those that count before those on their way."""
    places = [(SHOWN.index(k), v) for k, v in where.items()]
    found = [c for c in cases if all(c.values[p] == v for p, v in places)]
    return tuple(sorted(found, key=lambda c: ("counted", "coming", "stale").index(c.kind)))


_EDGES = (0.0, 0.25, 0.5, 1.0, 2.0, 3.0, 5.0, 7.0, 10.0, 15.0, 25.0)


def histogram(
    median: float, production: Sequence[float], documents: Sequence[int], cases: Sequence[int]
) -> Histogram:  # fmt: skip
    """Lengths by multiples of the reference median, so that no bar crosses the edge of a band.

    Args:
        median: Reference median in pages; 0 = not declared, and then there are no bars.
        production: Pages of the documents in the declared profile.
        documents: Pages of the documents here.
        cases: Pages of the longest document of each case that counts; 0 = unknown.
    """
    if median <= 0:
        return Histogram(median=0, bars=(), bands=())
    bars, lengths = [], [Counter(p for p in pages if p > 0) for pages in (production, documents, cases)]
    for low, high in zip(_EDGES, (*_EDGES[1:], 0.0), strict=True):
        inside = [
            sum(number for p, number in counts.items() if low * median <= p and (not high or p < high * median))
            for counts in lengths
        ]
        band = "10x" if low >= 10 else "5x" if low >= 5 else "2x" if low >= 2 else "base"
        bars.append(
            Bar(
                low=low * median, high=high * median, band=band, production=inside[0], documents=inside[1],
                cases=inside[2],
            )
        )  # fmt: skip
    bands = (("base", 0.0), ("2x", 2 * median), ("5x", 5 * median), ("10x", 10 * median))
    return Histogram(median=median, bars=tuple(bars), bands=bands)
