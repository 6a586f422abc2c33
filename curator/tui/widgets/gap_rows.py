"""Unmet quotas as rows of a list, each followed by what would fill it, the best first."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from curator.text import counted
from curator.tui.widgets.columns import Column
from curator.tui.widgets.heat_map import in_words
from curator.tui.widgets.row_window import Row
from curator.tui.widgets.safe import flat

if TYPE_CHECKING:
    from curator.domain.filling import Filling, Place, Work

COLUMNS = (Column("", 1), Column("gap, and what fills it"), Column("", 14, right=True))
INDENT = "  "


@dataclass(frozen=True)
class Way:
    """A row: a gap, and of what would fill it a place, a failure, or neither: the gap itself."""

    work: Work
    place: Place | None = None
    failure: Filling | None = None

    @property
    def best(self) -> Way:
        """Of a gap itself, the first thing that would fill it."""
        if self.place or self.failure or not (self.work.places or self.work.failures):
            return self
        if self.work.places:
            return Way(self.work, place=self.work.places[0])
        return Way(self.work, failure=self.work.failures[0])

    @property
    def lacks_document(self) -> bool:
        """Whether a document must come, or lengths be declared, before a case can fill it."""
        return not self.work.step.startswith("approve")

    @property
    def whole(self) -> str:
        """All that is to be known of it."""
        if self.place is not None:
            p = self.place
            begin = f" · sections: {'; '.join(map(flat, p.sections))}" if p.sections else ""
            return f"{flat(p.title or p.document_id)}: pages {p.first_page} to {p.last_page} of {p.pages}{begin}"
        if self.failure is not None:
            return f"{flat(self.failure.question)}\n{', '.join(map(flat, self.failure.reasons))}"
        return f"{_stratum(self.work)}: {flat(self.work.words.rpartition(': ')[2])}\n→ {flat(self.work.step)}"


def ways(found: Sequence[Work]) -> list[Way]:
    """Gaps, each with what would fill it."""
    listed: list[Way] = []
    for work in found:
        listed.append(Way(work))
        listed += [Way(work, place=p) for p in work.places]
        listed += [Way(work, failure=f) for f in work.failures]
    return listed


def way_rows(listed: Sequence[Way], *, many: bool) -> list[Row]:
    """Their rows; the id tells them apart while they come and go.

    Args:
        listed: Of `ways`.
        many: Gaps of several suites: each says of which.
    """
    return [_row(n, way, many=many) for n, way in enumerate(listed)]


def _stratum(work: Work) -> str:
    """What a quota is about, in the words of the heat map."""
    return in_words(work.where) or flat(work.words.rpartition(": ")[0])


def _row(number: int, way: Way, *, many: bool) -> Row:
    work = way.work
    name = f"{work.suite} {work.name}"
    if way.place is not None:
        p = way.place
        said = f"{INDENT}{p.document_id}  pp. {p.first_page}–{p.last_page} of {p.pages}  {p.position}"
        key = f"{name} p {p.document_id}"
        return Row(number, key, ("→", said, f"{counted(p.cases, 'case')} there"))
    if way.failure is not None:
        f = way.failure
        return Row(number, f"{name} f {f.failure_id}", ("→", f"{INDENT}{f.failure_id}: {f.question}", f.reasons[-1]))
    said = f"{work.suite}: {_stratum(work)}" if many else _stratum(work)
    return Row(number, name, ("!", said, f"{work.missing} missing"))
