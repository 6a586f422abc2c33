"""Dev or holdout: assigned once, at the first approval, seeded and stratified, whole groups at a time.

Cases that share a near-duplicate question, a conversation or a required source are always one group. The document
joins cases too when that leaves at least 20 groups and none above a quarter of the cases; else its top section does.
Groups are drawn by systematic sampling within their stratum: with u from the seed and the stratum, the n-th group goes
to the holdout when fewer than floor(share * n + u) lie there, so that the share holds when cases come one by one too.
In a stratum of at least 20 groups, new groups are then turned over where that brings the share in cases within a point.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from curator.domain.identity import sha256
from curator.domain.model import Model

Side = Literal["dev", "holdout"]
Level = Literal["document", "top section"]
LEAST_GROUPS = 20
LARGEST_SHARE = 0.25
NEAR = 0.01
"""A share in cases this near to the wanted one is near enough."""


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
    joined = groups(cases, keys)
    open_groups = []
    for group in joined:
        known = [s for c in group if (s := c.side or sides.get(c.id))]
        fresh = [c for c in group if not c.side and c.id not in sides and c.id not in barred]
        stratum = min(Counter(c.stratum for c in group).items(), key=lambda item: (-item[1], item[0]))[0]
        if known:
            side = _majority(known)
            draw.count(stratum, side)
            sides |= dict.fromkeys((c.id for c in fresh), side)
        elif fresh:
            open_groups.append((stratum, fresh))
    drawn = [_Drawn(fresh, draw.next(stratum)) for stratum, fresh in open_groups]
    placed = [(c.stratum, s) for c in cases if (s := c.side or sides.get(c.id))]
    for fresh, side in _evened_out(drawn, placed, joined, share):
        sides |= dict.fromkeys((c.id for c in fresh), side)
    return Assignment(sides=sides, level=level, blocked=tuple(blocked))


class _Drawn(NamedTuple):
    """A group that is being assigned, and the side that it has so far."""

    cases: list[PartitionCase]
    side: Side


def _evened_out(
    drawn: list[_Drawn], placed: Iterable[tuple[str, Side]], joined: Sequence[Sequence[PartitionCase]], share: float
) -> list[_Drawn]:
    """The new groups with some on the other side, so that the share holds in cases and not in groups alone.

    Only strata of many groups are looked at: in the others a share in cases is a matter of single groups. The group
    that brings the strata nearest to the share is turned over first, until each is near, or none brings them nearer.

    Args:
        drawn: The groups that may still be turned over.
        placed: Stratum and side of every other case.
        joined: All groups, for their number in each stratum.
        share: Share of the cases for the holdout.
    """
    numbers = Counter(stratum for group in joined for stratum in {c.stratum for c in group})
    many = {stratum for stratum, number in numbers.items() if number >= LEAST_GROUPS}
    off: dict[str, float] = defaultdict(float)  # cases too many in the holdout
    sizes: Counter[str] = Counter()
    for stratum, side in (*placed, *((c.stratum, d.side) for d in drawn for c in d.cases)):
        if stratum in many:
            sizes[stratum] += 1
            off[stratum] += (side == "holdout") - share
    weights = [Counter(c.stratum for c in d.cases if c.stratum in many) for d in drawn]
    result = list(drawn)
    while any(abs(off[s]) > NEAR * sizes[s] for s in off):

        def gained(place: int) -> float:
            step = -1 if result[place].side == "holdout" else 1
            return sum(off[s] ** 2 - (off[s] + step * n) ** 2 for s, n in weights[place].items())

        best = max(range(len(result)), key=gained, default=None)
        if best is None or gained(best) <= 0:
            break
        turned: Side = "dev" if result[best].side == "holdout" else "holdout"
        for s, n in weights[best].items():
            off[s] += n if turned == "holdout" else -n
        result[best] = _Drawn(result[best].cases, turned)
    return result


def _majority(sides: Sequence[Side]) -> Side:
    return "holdout" if 2 * sides.count("holdout") > len(sides) else "dev"


class _Draw:
    """Systematic sampling that goes on where it was: it knows the groups on both sides of each stratum."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._seed = seed
        self._groups: Counter[str] = Counter()
        self._hidden: Counter[str] = Counter()

    def count(self, stratum: str, side: Side) -> None:
        self._groups[stratum] += 1
        self._hidden[stratum] += side == "holdout"

    def next(self, stratum: str) -> Side:
        start = int(sha256(f"{self._seed}:{stratum}".encode())[:8], 16) / 2**32
        wanted = math.floor(self._share * (self._groups[stratum] + 1) + start)
        side: Side = "holdout" if self._hidden[stratum] < wanted else "dev"
        self.count(stratum, side)
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
