"""The size panel: what so many cases can show, and what they cannot, in numbers and in a plain sentence."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence

from curator.domain.coverage import SHOWN, Counted, values_of
from curator.domain.model import Model
from curator.domain.statistics import design_effect, intraclass_correlation, smallest_change, wilson
from curator.text import counted


class Size(Model):
    """What the cases of one stratum can show.

    Attributes:
        dimension: "" for all cases.
        documents: So many documents they lie in; cases without one count as one each.
        effect: Design effect of that clustering; effective: cases / effect.
        rate: Share right, assumed or measured (`measured` cases of a run); low, high: its Wilson interval.
        change: Smallest paired change seen with 80 % power; None = no change whatever.
        sentence: The same in plain words.
    """

    dimension: str
    value: str
    n: int
    documents: int
    effect: float
    effective: float
    rate: float
    measured: int
    low: float
    high: float
    change: float | None
    sentence: str


class Assumptions(Model):
    """What the size panel takes for granted.

    Attributes:
        rate: Share right where no results are given.
        discordance: Share of the cases that turns out otherwise in a second run.
        correlation: Of results within one document, 0 to 1.
        fixed: The correlation was stated: results do not replace it.
        measured: The correlation was estimated from results.
    """

    rate: float = 0.8
    discordance: float = 0.2
    correlation: float = 0.1
    fixed: bool = False
    measured: bool = False

    @property
    def words(self) -> str:
        """In one sentence, as it stands under every panel."""
        return (
            f"Assumed: {self.rate:.0%} right where no results are given; {self.discordance:.0%} of the cases turn out "
            f"otherwise in a second run; results within one document correlate by {self.correlation:.2g}"
            f"{' (measured)' if self.measured else ''}. 95% Wilson "
            "intervals on effective cases; exact McNemar test, two-sided 5%, 80% power."
        )


def measured(cases: Iterable[Counted], given: Assumptions, results: Mapping[str, bool]) -> Assumptions:
    """The assumptions with the correlation that the results show, where they can show one and none was stated."""
    clusters: dict[str, list[float]] = defaultdict(list)
    for c in cases:
        if c.id in results:
            clusters[c.cluster or f"\0{c.id}"].append(float(results[c.id]))
    found = None if given.fixed else intraclass_correlation(list(clusters.values()))
    if found is None:
        return given
    return given.model_copy(update={"correlation": min(1.0, max(0.0, found)), "measured": True})


def size(
    cases: Iterable[Counted], given: Assumptions, results: Mapping[str, bool], where: tuple[str, str] = ("", "")
) -> Size:  # fmt: skip
    """What the cases of one stratum can show, clustering by document taken into account.

    Args:
        cases: Of the stratum; only those that count are looked at.
        given: Assumptions.
        results: Case id -> whether a run got it right; where the stratum has any, they replace the assumed rate, and
            the interval is that of the cases that were run.
        where: Dimension and value of the stratum.
    """
    own = [c for c in cases if c.kind == "counted"]
    told = [c for c in own if c.id in results] if results else []
    rate = sum(results[c.id] for c in told) / len(told) if told else given.rate
    measured, told = len(told), told or own
    clusters = Counter([c.cluster or f"\0{c.id}" for c in own])
    effect = design_effect(clusters.values(), given.correlation)
    effective = len(own) / effect
    run = Counter([c.cluster or f"\0{c.id}" for c in told]) if measured else clusters
    low, high = wilson(rate, len(told) / design_effect(run.values(), given.correlation) if told else 0)
    change = smallest_change(int(effective), given.discordance) if own else None
    line = Size(
        dimension=where[0], value=where[1], n=len(own), documents=len(clusters), effect=effect, effective=effective,
        rate=rate, measured=measured, low=low, high=high, change=change, sentence="",
    )  # fmt: skip
    return line.model_copy(update={"sentence": sentence(line)})


def sizes(
    cases: Sequence[Counted], by: Sequence[str], given: Assumptions, results: Mapping[str, bool] | None = None
) -> tuple[Size, ...]:  # fmt: skip
    """The size panel: all cases, then every value of these dimensions that has cases."""
    results = results or {}
    found = [size(cases, given, results)]
    for name in by:
        place = SHOWN.index(name)
        groups: dict[str, list[Counted]] = defaultdict(list)
        for c in cases:
            if c.kind == "counted":
                groups[c.values[place]].append(c)
        found += [size(groups[v], given, results, (name, v)) for v in values_of(cases, name) if groups[v]]
    return tuple(found)


def sentence(line: Size) -> str:
    """What a person may say of it, and may not."""
    if not line.n:
        return "No case: nothing can be said."
    one, few = line.n == 1, round(line.effective) < line.n
    counts = counted(line.n, "case")
    if few:
        on = counted(line.documents, "document")
        counts += f" on {on} count{'s' * one} like {line.effective:.0f}"
    measured = f"{line.rate:.0%} of {line.measured} were right"
    right = measured if line.measured else f"if {line.rate:.0%} are right"
    said = f"{counts}: {right}, the true share lies between {line.low:.0%} and {line.high:.0%}; "
    if line.change is None:
        return said + "no change between two runs can be shown, whatever its size."
    said += f"a change shows only from {line.change * 100:.0f} points on."
    if line.change > 0.4:
        return said + " Too few to compare two runs."
    if line.change > 0.15:
        return said + " Enough for a smoke test, not for a comparison."
    if line.change > 0.05:
        return said + " Enough to see a large change, not one of 5 points."
    return said + " Enough to compare two systems."
