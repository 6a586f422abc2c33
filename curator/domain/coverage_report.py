"""Everything that is told of the coverage of a suite, as one value: what the command prints and the exports render."""

from __future__ import annotations

from pydantic import computed_field

from curator.domain.coverage import DimensionCounts, Grid, Histogram
from curator.domain.filling import Work
from curator.domain.ledger import Wear
from curator.domain.model import Model
from curator.domain.quotas import Asked
from curator.domain.size_panel import Assumptions, Size


class Length(Model):
    """The reference median in pages (0 = not declared), where it comes from, and the date it speaks of."""

    median: float
    origin: str = ""
    as_of: str = ""


class CoverageReport(Model):
    """Coverage of a suite ("" = of all cases; then `work` holds the gaps of every suite).

    Attributes:
        at: When it was made, UTC.
        by: Dimensions of the heat map.
        cases: Approved and current: what counts. `coming` are on their way, `stale` are left out.
        holdout: So many of those that count.
        wear: How often the holdout, of all suites, was looked at, and who knows it.
        quotas: Every quota as it stands, "*" put out.
        work: The unmet ones with what would fill them.
        too_easy: Cases that both trivial baselines pass, where their runs are here; a warning says so too.
    """

    suite: str
    description: str = ""
    at: str
    by: tuple[str, ...]
    cases: int
    coming: int
    stale: int
    holdout: int
    wear: Wear = Wear()
    length: Length
    warnings: tuple[str, ...] = ()
    grid: Grid
    dimensions: tuple[DimensionCounts, ...]
    quotas: tuple[Asked, ...] = ()
    work: tuple[Work, ...] = ()
    histogram: Histogram
    sizes: tuple[Size, ...] = ()
    too_easy: tuple[str, ...] = ()
    assumed: Assumptions

    @computed_field  # type: ignore[prop-decorator]
    @property
    def assumptions(self) -> str:
        """What the size panel takes for granted, in words."""
        return self.assumed.words
