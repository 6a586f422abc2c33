"""The ledger of the holdout: a hidden set wears out as people look at it, and as systems are tuned on what they saw."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from typing import Literal, get_args

from curator.domain.model import Model
from curator.text import counted

How = Literal[
    "app", "case show", "case history", "case edit", "review", "privacy", "ratings", "fetch-holdout", "gate",
    "baseline", "elsewhere",
]  # fmt: skip
"""Where it was looked at: the app, a command, or by a person elsewhere, who says so."""
HOWS: tuple[How, ...] = get_args(How)


class Look(Model):
    """A look: at a case, or (`case_id` "") at the whole holdout of a released version. `withdrawn`: why it is none."""

    seq: int
    actor: str
    at: str
    how: How
    suite: str = ""
    version: str = ""
    case_id: str = ""
    reason: str = ""
    withdrawn: str = ""


class Wear(Model):
    """How worn a holdout is.

    Attributes:
        cases: Cases that lie in it.
        whole: Looks at all of it; single: looks at one case.
        looks: How often a case of it was looked at on average: whole + single / cases.
        worn: Whether that is more than `limit`.
        most_seen: The cases that were looked at most by themselves, with how often.
        people: Who knows it: who looked, wrote or judged.
    """

    cases: int = 0
    whole: int = 0
    single: int = 0
    looks: float = 0
    limit: int = 0
    worn: bool = False
    most_seen: tuple[tuple[str, int], ...] = ()
    people: tuple[str, ...] = ()

    @property
    def words(self) -> str:
        """All of it in one line."""
        return (
            f"{'! worn: ' if self.worn else ''}{counted(self.cases, 'holdout case')}, looked at {self.looks:.1f} times "
            f"on average (limit {self.limit}): {counted(self.whole, 'look')} at all, {self.single} at single cases; "
            f"{counted(len(self.people), 'person knows', 'people know')} it"
        )


def wear(entries: Iterable[Look], hidden: Collection[str], knowing: Collection[str], limit: int) -> Wear:
    """How worn the holdout is.

    Args:
        entries: The ledger; withdrawn entries do not count, nor looks at cases that lie there no more.
        hidden: Ids of the cases in the holdout.
        knowing: Who wrote or judged one of them.
        limit: Looks after which it is worn.
    """
    counted = [e for e in entries if not e.withdrawn and (not e.case_id or e.case_id in hidden)]
    single = Counter(e.case_id for e in counted if e.case_id)
    whole = sum(not e.case_id for e in counted)
    looks = whole + (single.total() / len(hidden) if hidden else 0)
    return Wear(
        cases=len(hidden), whole=whole, single=single.total(), looks=looks, limit=limit, worn=looks > limit,
        most_seen=tuple(sorted(single.items(), key=lambda i: (-i[1], i[0]))[:5]),
        people=tuple(sorted({e.actor for e in counted} | set(knowing))),
    )  # fmt: skip
