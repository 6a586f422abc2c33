"""Suites: which cases they take, and which quotas they must meet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from curator.domain.model import Model

DIMENSIONS = (
    "domain",
    "documentType",
    "expectedBehavior",
    "task",
    "risk",
    "difficulty",
    "route",
    "language",
    "lengthStratum",
    "sectionPosition",
    "conversation",
)
TITLES = {
    "domain": "Domain",
    "documentType": "Document type",
    "expectedBehavior": "Behavior",
    "task": "Task",
    "risk": "Risk",
    "difficulty": "Difficulty",
    "route": "Route",
    "language": "Language",
    "lengthStratum": "Length",
    "sectionPosition": "Section position",
    "conversation": "Conversation",
    "sectionDepth": "Section depth",
}
EACH = "*"
"""As a value of a quota's cell: each value that there is."""
UNSTATED = "not stated"

SourceChoice = Literal["cited", "all"]
"""What a release holds: the sources that its open cases cite, or all sources of the documents that they cite."""
SOURCE_CHOICES: tuple[SourceChoice, ...] = ("cited", "all")


class Selector(Model):
    """Cases by their properties: a case matches when, for every list that is not empty, it has one of its values."""

    domain: tuple[str, ...] = ()
    document: tuple[str, ...] = ()
    tag: tuple[str, ...] = ()
    risk: tuple[str, ...] = ()
    task: tuple[str, ...] = ()
    language: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """Whether it names nothing."""
        return not (self.domain or self.document or self.tag or self.risk or self.task or self.language)

    def matches(self, line: Mapping[str, Any]) -> bool:
        """Whether a line (or a case under the names of the line) has one value of each list named."""
        if self.domain and line["domain"] not in self.domain:
            return False
        if self.document and not any(d["documentId"] in self.document for d in line["documents"]):
            return False
        if self.tag and not any(tag in self.tag for tag in line["tags"]):
            return False
        if self.risk and line["risk"] not in self.risk:
            return False
        if self.task and line["task"] not in self.task:
            return False
        return not self.language or line["language"] in self.language


def in_words(where: Mapping[str, str]) -> str:
    """A stratum or a cell as a person reads it: "domain filing × length 10x", "each domain"; "" = all cases."""
    cells = ((TITLES.get(d, d).lower(), v) for d, v in where.items())
    return " × ".join(f"each {title}" if v == EACH else f"{title} {v or UNSTATED}" for title, v in cells)


class Quota(Model):
    """How many cases, or which share, must lie in the cell `where` (dimension -> value; {} = the whole suite)."""

    where: dict[str, str] = Field(default_factory=dict)
    minimum: float
    unit: Literal["cases", "share"] = "cases"

    @property
    def name(self) -> str:
        """The cell as waivers name it: "domain=emission × lengthStratum=10x"."""
        return " × ".join(f"{k}={v}" for k, v in self.where.items()) or "all cases"

    @property
    def words(self) -> str:
        """The cell as a person reads it: "domain emission × length 10x"."""
        return in_words(self.where) or "all cases"


class Gap(Model):
    """A quota that is not met: what it asks for, what there is; both in the quota's unit."""

    quota: Quota
    have: float
    need: float

    @property
    def name(self) -> str:
        """The cell, as waivers name it."""
        return self.quota.name

    @property
    def words(self) -> str:
        """The gap as a person reads it: "domain emission: has 2, needs 3"; shares in percent."""
        have, need = (f"{v:.1%}" if self.quota.unit == "share" else f"{v:g}" for v in (self.have, self.need))
        return f"{self.quota.words}: has {have}, needs {need}"


class SuitePolicy(Model):
    """`[suites.NAME]` of curator.toml: a selection of the approved cases, and its quotas."""

    name: str
    description: str = ""
    include: Selector = Selector()
    exclude: Selector = Selector()
    quotas: tuple[Quota, ...] = ()

    def takes(self, line: Mapping[str, Any]) -> bool:
        """Whether the suite holds a case, by the line of it."""
        return self.include.matches(line) and (self.exclude.is_empty or not self.exclude.matches(line))


def dimension(line: Mapping[str, Any], name: str) -> str:
    """Value of a stratum dimension on a line; conversation is "single" or "follow-up"."""
    if name == "conversation":
        return "follow-up" if len(line["turns"]) > 1 else "single"
    return str(line[name])


def gaps(quotas: Sequence[Quota], lines: Sequence[Mapping[str, Any]]) -> tuple[Gap, ...]:
    """The quotas that lines do not meet, in their order."""
    found = []
    for quota in quotas:
        count = sum(all(dimension(line, k) == v for k, v in quota.where.items()) for line in lines)
        have = count if quota.unit == "cases" else (count / len(lines) if lines else 0.0)
        if have < quota.minimum:
            found.append(Gap(quota=quota, have=have, need=quota.minimum))
    return tuple(found)
