"""How many cases each stratum should get by what production looks like, and the weights that undo the choice."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Literal, NamedTuple

from curator.domain.allocation import FLOOR, Share, equal, neyman, proportional, weights
from curator.domain.case import Attribute, Case, CaseRecord
from curator.domain.coverage import SHOWN
from curator.domain.model import Model
from curator.domain.strata import length_band
from curator.errors import CheckFailed, UsageError
from curator.services.cases import rewrite
from curator.services.context import Context
from curator.services.coverage_board import Board
from curator.services.reference import profile, reference
from curator.store import cases, filling, triage

Method = Literal["equal", "proportional", "neyman"]
METHODS: tuple[Method, ...] = ("equal", "proportional", "neyman")
ATTRIBUTE = "weight"
BY = ("lengthStratum", "route", "language", "domain", "documentType")
_LEAST_CHANGE = 0.0005


class Population(NamedTuple):
    """Sizes of strata in production, and what they were counted on."""

    sizes: dict[str, float]
    origin: str


class Weighed(Model):
    """What became of the weights: by stratum, and how many cases got another one.

    `without`: strata that production has and the suite has no case of: no weight makes up for them.
    """

    by: str
    origin: str
    weights: dict[str, float]
    without: tuple[str, ...]
    changed: int


def population(ctx: Context, by: str) -> Population:
    """How large strata are in production: lengths by the declared profile, everything else by the failures.

    Raises:
        UsageError: Production says nothing of this dimension.
        CheckFailed: There is no profile, or no failure that tells.
    """
    if by not in BY:
        raise UsageError(f"production says nothing of {by!a}", f"use one of {', '.join(BY)}")
    if by == "lengthStratum":
        median, rows = reference(ctx).median, profile(ctx)
        if not rows:
            raise CheckFailed("no length profile is declared", "set lengths.profile in curator.toml to a CSV")
        bands: Counter[str] = Counter(length_band(int(pages), median) for _, pages in rows)
        order = ("base", "2x", "5x", "10x")
        return Population({b: float(bands[b]) for b in order}, ctx.settings.lengths.profile)
    with ctx.db.read() as tx:
        if by in ("route", "language"):
            sizes = Counter(value for value, _ in triage.members(tx, by) if value)
        else:
            here, shelf = triage.document_ids(tx), {d.document_id: d for d in filling.shelved(tx)}
            sizes = Counter()
            for name, number in triage.documents_of(tx).items():
                if document := shelf.get(here.get(name, "")):
                    sizes[document.domain if by == "domain" else document.document_type] += number
            del sizes[""]
    if not sizes:
        raise CheckFailed(f"no failure tells its {by}", "import a log that has it: `curator failures import`")
    return Population({v: float(n) for v, n in sorted(sizes.items())}, "failures")


def allocate(
    ctx: Context, by: str, total: int, method: Method, *, floor: int = FLOOR, rates: Mapping[str, float] | None = None
) -> tuple[Population, tuple[Share, ...]]:  # fmt: skip
    """Cases for each stratum of a dimension, with the weight of each case.

    Args:
        ctx: Open workspace.
        by: One of BY.
        total: Cases in all.
        method: equal, proportional or neyman.
        floor: Least cases of a stratum.
        rates: Pass rates of a pilot by stratum, for neyman.

    Raises:
        UsageError: What is asked for cannot be done.
        CheckFailed: Production is not known.
    """
    found = population(ctx, by)
    if method == "neyman":
        if not rates:
            raise UsageError("neyman needs the pass rates of a pilot", "add --results FILE of a run")
        return found, neyman(found.sizes, rates, total, floor)
    return found, (equal if method == "equal" else proportional)(found.sizes, total, floor)


def pilot_rates(ctx: Context, by: str, results: Mapping[str, bool]) -> dict[str, float]:
    """Pass rate of each stratum in the results of a run."""
    board = Board(ctx)
    board.refresh()
    place = SHOWN.index(by)
    told: dict[str, list[bool]] = {}
    for c in board.cases:
        if c.id in results:
            told.setdefault(c.values[place], []).append(results[c.id])
    return {value: sum(right) / len(right) for value, right in told.items()}


def weigh(ctx: Context, suite: str, by: str) -> Weighed:
    """Give every case of a suite the weight that makes its figures those of production: the attribute `weight`.

    It is one decision and can be taken back. An attribute is no part of what is expected: no approval is lost.

    Raises:
        UsageError: No such suite, or production says nothing of this dimension.
        CheckFailed: Production is not known, or none of its strata has a case.
    """
    found = population(ctx, by)
    board = Board(ctx)
    board.refresh()
    place = SHOWN.index(by)
    stratum = {c.id: c.values[place] for c in board.suite(suite).cases if c.kind == "counted"}
    own = Counter(v for v in stratum.values() if found.sizes.get(v))
    if not own:
        raise CheckFailed(f"no case lies in a stratum of {by} that production has", "look at `curator coverage --by`")
    weight = weights(found.sizes, own)
    edits: list[tuple[CaseRecord, Case]] = []
    with ctx.write() as tx:
        for name, record in cases.get_many(tx, sorted(stratum)).items():
            case = _weighed(record.case, weight.get(stratum[name]))
            if case != record.case:
                edits.append((record, case))
        rewrite(ctx, tx, edits)
    without = tuple(v for v, size in found.sizes.items() if size and v not in own)
    return Weighed(by=by, origin=found.origin, weights=weight, without=without, changed=len(edits))


def _weighed(case: Case, weight: float | None) -> Case:
    """The case with this weight, or without one; one that is the same to three digits stays as it is written."""
    others = [a for a in case.attributes if a.name != ATTRIBUTE]
    own = next((a.value for a in case.attributes if a.name == ATTRIBUTE), "")
    if weight is None:
        return case.model_copy(update={"attributes": tuple(others)}) if own else case
    if _is_close(own, weight):
        return case
    made = sorted([*others, Attribute(name=ATTRIBUTE, value=f"{weight:.4g}")], key=lambda a: a.name)
    return case.model_copy(update={"attributes": tuple(made)})


def _is_close(written: str, weight: float) -> bool:
    try:
        return abs(float(written) - weight) <= _LEAST_CHANGE * max(1.0, weight)
    except ValueError:
        return False
