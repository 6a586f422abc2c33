"""What a released case expects, as far as the gate needs it: little enough to hold a suite in memory."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from curator.domain.answers import question_key
from curator.domain.case import HIDDEN_PARTITIONS, Behavior
from curator.domain.cautioning import asks_for_warnings
from curator.domain.suite import dimension

STRATA = (
    "lengthStratum", "domain", "sectionPosition", "route", "language", "risk", "expectedBehavior", "conversation",
    "documentType", "task", "difficulty",
)  # fmt: skip
"""Dimensions by which results are told; of a case it says one value each."""
WEIGHT = "weight"
"""Attribute that says how much a case counts: `curator quota weigh` writes it."""


class Entry(NamedTuple):
    """Evidence of a group; `cells`, `header` and `title` of a row."""

    source_id: str
    quote: str
    cells: tuple[str, ...]
    header: tuple[str, ...]
    title: str


class Group(NamedTuple):
    """Required evidence: any of its entries suffices."""

    name: str
    entries: tuple[Entry, ...]


class Provision(NamedTuple):
    """A key provision."""

    id: str
    text: str
    mandatory: bool
    accept: tuple[str, ...]


class Turn(NamedTuple):
    """What was expected of an earlier turn."""

    turn: int
    behavior: Behavior
    source_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Expectation:
    """A case of a released suite.

    Attributes:
        hidden: It lies in the holdout: nothing of its text may be told.
        strata: Value of each dimension of STRATA, in that order.
        pages: Of the longest document it was judged against; 0 = unknown.
        weight: How much it counts in a weighted mean.
        supporting: Ids of supporting evidence: to cite them is right.
        asked: `answers.question_key` of its turns.
        asks_warnings: They ask what is to be avoided.
    """

    id: str
    hidden: bool
    behavior: Behavior
    language: str
    risk: str
    route: str
    strata: tuple[str, ...]
    pages: int
    weight: float
    groups: tuple[Group, ...]
    supporting: frozenset[str]
    provisions: tuple[Provision, ...]
    must_not_claim: tuple[str, ...]
    references: tuple[str, ...]
    escalate_to: str
    turns: tuple[Turn, ...]
    asked: str
    asks_warnings: bool = False

    def stratum(self, name: str) -> str:
        """Its value of a dimension."""
        return self.strata[STRATA.index(name)]

    def lies_in(self, where: Mapping[str, str]) -> bool:
        """Whether it lies in a cell; "*" stands for any value."""
        return all(value in ("*", self.stratum(name)) for name, value in where.items())


def expectation(line: Mapping[str, Any]) -> Expectation:
    """What a canonical line expects. The line is taken as it was checked."""
    groups: dict[str, list[Entry]] = {}
    for e in line["evidence"]:
        if e["role"] == "required":
            entry = Entry(
                e["sourceId"], e["quote"], tuple(e["tableCells"]), tuple(e["tableHeader"]), e["tableTitle"]
            )  # fmt: skip
            groups.setdefault(e["group"] or e["sourceId"], []).append(entry)
    return Expectation(
        id=line["id"],
        hidden=line["partition"] in HIDDEN_PARTITIONS,
        behavior=line["expectedBehavior"],
        language=line["language"],
        risk=line["risk"],
        route=line["route"],
        strata=tuple(dimension(line, name) for name in STRATA),
        pages=max((d["pages"] for d in line["documents"]), default=0),
        weight=_weight(line),
        groups=tuple(Group(name, tuple(entries)) for name, entries in groups.items()),
        supporting=frozenset(e["sourceId"] for e in line["evidence"] if e["role"] == "supporting"),
        provisions=tuple(
            Provision(p["id"], p["text"], p["mandatory"], tuple(a for a in p["accept"] if a.strip()))
            for p in line["keyProvisions"]
        ),
        must_not_claim=tuple(c for c in line["mustNotClaim"] if c.strip()),
        references=tuple(t for t in (line["referenceAnswer"], *line["acceptableAnswers"]) if t.strip()),
        escalate_to=line["escalateTo"],
        turns=tuple(
            Turn(t["turn"], t["expectedBehavior"], tuple(t["expectedSourceIds"])) for t in line["turnExpectations"]
        ),
        asked=question_key(tuple(line["turns"])),
        asks_warnings=bool(line["mustNotClaim"]) and asks_for_warnings(line["turns"]),
    )


def _weight(line: Mapping[str, Any]) -> float:
    """The attribute `weight`; 1 when there is none or it is no number above 0."""
    for attribute in line["attributes"]:
        if attribute["name"] == WEIGHT:
            try:
                weight = float(attribute["value"])
            except ValueError:
                return 1.0
            return weight if math.isfinite(weight) and weight > 0 else 1.0
    return 1.0
