"""Coverage: what the cases of a suite cover, what they lack, what they can show, and what would fill a gap."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from curator.domain import coverage as domain
from curator.domain.coverage_report import CoverageReport, Length
from curator.domain.listing import ListQuery
from curator.domain.size_panel import Assumptions, measured
from curator.domain.strata import Stratum, strata
from curator.errors import UsageError
from curator.progress import Progress, Silent
from curator.services import blind
from curator.services.context import Context
from curator.services.coverage_board import VEILED, is_veiled, require_dimensions
from curator.services.coverage_board import Board as Board
from curator.services.coverage_board import CellCase as CellCase
from curator.services.coverage_board import told as told
from curator.services.ledger import worn
from curator.services.reference import reference
from curator.services.todays_names import todays_names
from curator.services.uncollected import uncollected
from curator.store import cases

DEFAULT_BY = ("domain", "lengthStratum")


@uncollected()
def coverage(
    ctx: Context,
    suite: str = "",
    by: Sequence[str] = DEFAULT_BY,
    *,
    given: Assumptions | None = None,
    results: Mapping[str, bool] | None = None,
    board: Board | None = None,
    progress: Progress | None = None,
) -> CoverageReport:
    """Everything that is to be known of the coverage of a suite, or ("") of all cases and the gaps of every suite.

    Args:
        ctx: Open workspace.
        suite: Suite of curator.toml.
        by: One or two dimensions of the heat map; the size panel goes by them too.
        given: Assumptions of the size panel.
        results: Case id -> whether a run got it right.
        board: One that is kept; None = all cases are read.
        progress: Reading.

    Raises:
        UsageError: No such suite, an unknown dimension, or other than one or two.
        InputError: The length profile cannot be read.
    """
    if not 1 <= len(by) <= 2 or len(set(by)) < len(by):
        raise UsageError("a heat map has one or two dimensions", "such as --by domain,lengthStratum")
    require_dimensions(by)
    board = board or Board(ctx)
    (progress or Silent()).stage("counting cases")
    board.refresh(progress)
    chosen = board.suite(suite)
    kinds = Counter(c.kind for c in chosen.cases)
    given = measured(chosen.cases, given or Assumptions(), results or {})
    return CoverageReport(
        suite=suite,
        description=chosen.policy.description,
        at=ctx.now(),
        by=tuple(by),
        cases=kinds["counted"],
        coming=kinds["coming"],
        stale=kinds["stale"],
        holdout=sum(c.side == "holdout" and c.kind == "counted" for c in chosen.cases),
        wear=worn(ctx),
        length=Length(median=board.length.median, origin=board.length.origin, as_of=board.length.as_of),
        warnings=board.warnings(),
        grid=board.grid(suite, by[0], *by[1:]),
        dimensions=domain.dimensions(chosen.cases, chosen.asked, chosen.alike),
        quotas=chosen.asked,
        work=board.work(suite),
        histogram=board.histogram(suite),
        sizes=board.sizes(suite, by, given, results),
        assumed=given,
    )


def strata_of(ctx: Context, name: str) -> tuple[Stratum, ...]:
    """Every stratum of one case with how it was derived; what may not be seen yet says so.

    Raises:
        InputError: There is no such case.
    """
    length = reference(ctx)
    with ctx.db.read() as tx:
        record = todays_names(tx).record(cases.get(tx, name))
    found = strata(record.case, length.median)
    veil = blind.listed(ctx, ListQuery()).blind
    hides = blind.look(ctx, name).hidden == blind.ANSWERED  # also of a case that is retired with one label of two
    if not hides and not is_veiled(record.status, record.author, record.flags, veil):
        return found
    hidden = {"value": domain.HIDDEN, "how": "you may have to label this case: its labels are hidden until then"}
    return tuple(s.model_copy(update=hidden) if s.dimension in VEILED else s for s in found)
