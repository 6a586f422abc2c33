"""Dev or holdout: assigned once, at the first approval, seeded and stratified, whole groups at a time.

Cases that share a near-duplicate question, a conversation or a required source are always one group. The document
joins cases too when that leaves at least 20 groups and none above a quarter of the cases; else its top section does.
Groups are drawn by systematic sampling within their stratum, counted in cases: with u from the seed and the stratum, a
group of s cases goes to the holdout when that leaves at most share * (cases so far + s) + u * s cases there. So the
share holds when cases come one by one; of groups that come together the largest are drawn first, the smallest last.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal

from curator.domain.identity import sha256
from curator.domain.model import Model

Side = Literal["dev", "holdout"]
Level = Literal["document", "top section"]
LEAST_GROUPS = 20
LARGEST_SHARE = 0.25


class PartitionCase(Model):
    """What partitioning knows of a case.

    Attributes:
        ties: Keys that always join: near-duplicate cluster, conversation, required sources.
        documents: Documents of the required evidence; sections: their top sections, as "document / section".
        stratum: Cases of one stratum are drawn together.
        side: Where it is already; "" = not assigned.
    """

    id: str
    ties: tuple[str, ...] = ()
    documents: tuple[str, ...] = ()
    sections: tuple[str, ...] = ()
    stratum: str = ""
    side: Side | Literal[""] = ""


class Tie(Model):
    """Two cases that may not lie on two sides, and the key that ties them.

    Of a new case, `side` is the one that the rest of its group would pull it to.
    """

    case_id: str
    other_id: str
    side: Side
    other_side: Side
    key: str


class Assignment(Model):
    """Sides for the cases that had none, the level that joined them, and what cannot be assigned."""

    sides: dict[str, Side]
    level: Level
    blocked: tuple[Tie, ...] = ()


def groups(cases: Sequence[PartitionCase], keys: Callable[[PartitionCase], Iterable[str]]) -> list[list[PartitionCase]]:
    """Cases joined wherever they share a key, in order of first appearance."""
    parent = {c.id: c.id for c in cases}

    def root(name: str) -> str:
        while parent[name] != name:
            parent[name] = parent[parent[name]]
            name = parent[name]
        return name

    holder: dict[str, str] = {}
    for case in cases:
        for key in keys(case):
            parent[root(case.id)] = root(holder.setdefault(key, case.id))
    found: dict[str, list[PartitionCase]] = defaultdict(list)
    for case in cases:
        found[root(case.id)].append(case)
    return list(found.values())


def _document_keys(case: PartitionCase) -> tuple[str, ...]:
    return (*case.ties, *(f"document:{d}" for d in case.documents))


def _section_keys(case: PartitionCase) -> tuple[str, ...]:
    return (*case.ties, *(f"section:{s}" for s in case.sections))


def level_for(cases: Sequence[PartitionCase]) -> Level:
    """Document, when grouping by it leaves enough groups, none of them too large; else "top section"."""
    by_document = groups(cases, _document_keys)
    largest = max(map(len, by_document), default=0)
    fine = len(by_document) >= LEAST_GROUPS and largest <= LARGEST_SHARE * len(cases)
    return "document" if fine else "top section"


def drawn_groups(cases: Sequence[PartitionCase]) -> list[list[PartitionCase]]:
    """The groups that are drawn as one: joined by what must never be split, and by the level that fits the cases."""
    return groups(cases, _document_keys if level_for(cases) == "document" else _section_keys)


def assign(cases: Sequence[PartitionCase], *, share: float, seed: int) -> Assignment:
    """Give a side to every case that has none. What has a side keeps it.

    A group with one side gets that side. A group tied to both sides by documents or sections alone follows its nearest
    tie, else the side that holds most of it; one that ties both sides by what must never be split is blocked.

    Args:
        cases: All assigned cases and the new ones, in any order.
        share: Share of groups for the holdout, 0 to 1.
        seed: Of the draw, for the workspace.
    """
    cases = sorted(cases, key=lambda c: c.id)
    level = level_for(cases)
    keys = _document_keys if level == "document" else _section_keys
    sides: dict[str, Side] = {}
    blocked: list[Tie] = []
    barred: set[str] = set()
    for group in groups(cases, lambda c: c.ties):
        present = {c.side for c in group if c.side}
        new = [c for c in group if not c.side]
        if new and len(present) > 1:
            blocked.append(_tie(new[0], group))
            barred |= {c.id for c in new}
        elif new and present:
            sides |= dict.fromkeys((c.id for c in new), next(iter(present)))
    draw = _Draw(share, seed)
    open_groups = []
    for group in groups(cases, keys):
        known = [s for c in group if (s := c.side or sides.get(c.id))]
        fresh = [c for c in group if not c.side and c.id not in sides and c.id not in barred]
        if known:
            side = _majority(known)
            sides |= dict.fromkeys((c.id for c in fresh), side)
            draw.count((c.stratum, c.side or sides[c.id]) for c in group if c.id not in barred)
        elif fresh:
            open_groups.append(fresh)
    for fresh in sorted(open_groups, key=len, reverse=True):
        sides |= dict.fromkeys((c.id for c in fresh), draw.next([c.stratum for c in fresh]))
    return Assignment(sides=sides, level=level, blocked=tuple(blocked))


def _majority(sides: Sequence[Side]) -> Side:
    return "holdout" if 2 * sides.count("holdout") > len(sides) else "dev"


class _Draw:
    """Systematic sampling that goes on where it was: it knows the cases on both sides of each stratum."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._seed = seed
        self._cases: Counter[str] = Counter()
        self._hidden: Counter[str] = Counter()

    def count(self, placed: Iterable[tuple[str, Side]]) -> None:
        for stratum, side in placed:
            self._cases[stratum] += 1
            self._hidden[stratum] += side == "holdout"

    def next(self, strata: Sequence[str]) -> Side:
        """The side of a group, by the strata of its cases; where they are several, each counts by its cases."""
        room = 0.0
        for stratum, size in Counter(strata).items():
            start = int(sha256(f"{self._seed}:{stratum}".encode())[:8], 16) / 2**32
            wanted = self._share * (self._cases[stratum] + size) + start * size
            room += size * (wanted - self._hidden[stratum] - size)
        side: Side = "holdout" if room >= 0 else "dev"
        self.count((stratum, side) for stratum in strata)
        return side


def _tie(case: PartitionCase, group: Sequence[PartitionCase]) -> Tie:
    """What a new case would tie: a case that has a side, with the key that they share where they share one."""
    others = sorted((c for c in group if c.side), key=lambda c: not set(c.ties) & set(case.ties))
    other = others[0]
    shared = [k for k in case.ties if k in other.ties] or list(other.ties)
    side: Side = "holdout" if other.side == "dev" else "dev"
    return Tie(
        case_id=case.id,
        other_id=other.id,
        side=side,
        other_side="dev" if side == "holdout" else "holdout",
        key=shared[0],
    )


def leaks(cases: Sequence[PartitionCase], of: Collection[str] | None = None) -> tuple[Tie, ...]:
    """Pairs of assigned cases on two sides that share what must never be split: one pair for each key.

    Args:
        cases: Assigned cases, in any order.
        of: Only pairs that one of these ids is part of; None = all.
    """
    holders: Mapping[str, list[PartitionCase]] = defaultdict(list)
    for case in cases:
        for key in case.ties:
            holders[key].append(case)

    def first(members: Iterable[PartitionCase], side: Side) -> str:
        names = (c.id for c in members if c.side == side)
        return min(names, key=lambda n: (of is not None and n not in of, n), default="")

    found = []
    for key, members in sorted(holders.items()):
        dev, hidden = first(members, "dev"), first(members, "holdout")
        if dev and hidden and (of is None or dev in of or hidden in of):
            found.append(Tie(case_id=dev, other_id=hidden, side="dev", other_side="holdout", key=key))
    return tuple(found)
