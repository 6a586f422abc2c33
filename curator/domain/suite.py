"""Suites: which cases they take, which quotas they must meet, and what a new version is called.

MAJOR: what a system must do changed, or a case left. MINOR: something was added. PATCH: places and wording about it.
Two lines of one case are compared as the dicts of the canonical line.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from curator.domain.model import Model

ChangeLevel = Literal["major", "minor", "patch", "none"]
SUITE_NAME = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
VERSION = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
ORDER: tuple[ChangeLevel, ...] = ("none", "patch", "minor", "major")
NEVER_COMPARED = ("canary", "contentHash", "approvals", "confirmedAt", "caseVersion")
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
        return not any(getattr(self, name) for name in type(self).model_fields)

    def matches(self, line: Mapping[str, Any]) -> bool:
        """Whether a line (or a case under the names of the line) has one value of each list named."""
        values: dict[str, set[str]] = {
            "domain": {line["domain"]},
            "document": {d["documentId"] for d in line["documents"]},
            "tag": set(line["tags"]),
            "risk": {line["risk"]},
            "task": {line["task"]},
            "language": {line["language"]},
        }
        return all(not (wanted := getattr(self, name)) or values[name] & set(wanted) for name in values)


class Quota(Model):
    """How many cases, or which share, must lie in the cell `where` (dimension -> value; {} = the whole suite)."""

    where: dict[str, str] = Field(default_factory=dict)
    minimum: float
    unit: Literal["cases", "share"] = "cases"

    @property
    def name(self) -> str:
        """The cell in words: "domain=emission × lengthStratum=10x"."""
        return " × ".join(f"{k}={v}" for k, v in self.where.items()) or "all cases"


class Gap(Model):
    """A quota that is not met: what it asks for, what there is; both in the quota's unit."""

    quota: Quota
    have: float
    need: float

    @property
    def name(self) -> str:
        """The cell, as waivers name it."""
        return self.quota.name


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


class CaseChange(Model):
    """What happened to one case between two versions; `fields` are names of the line, never values."""

    id: str
    what: Literal["added", "removed", "changed", "moved", "retired"]
    level: ChangeLevel
    fields: tuple[str, ...] = ()


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


def _required_groups(line: Mapping[str, Any]) -> list[list[list[Any]]]:
    """The required evidence as groups of what is hashed of it."""
    found: dict[str, list[list[Any]]] = {}
    for e in line["evidence"]:
        if e["role"] == "required":
            found.setdefault(e["group"], []).append([e["sourceId"], e["quote"], e["tableTitle"], e["tableHeader"]])
    return [sorted(members) for members in found.values()]


def _others(line: Mapping[str, Any]) -> list[list[Any]]:
    return [
        [e["sourceId"], e["role"], e["group"], e["quote"], e["tableTitle"], e["tableHeader"]]
        for e in line["evidence"]
        if e["role"] != "required"
    ]


def _provisions(line: Mapping[str, Any], *, mandatory: bool) -> list[list[Any]]:
    return [
        [p["id"], p["text"], p["citation"], p["sourceId"], p["accept"]]
        for p in line["keyProvisions"]
        if p["mandatory"] is mandatory
    ]


def _added_only(old: Sequence[Any], new: Sequence[Any]) -> bool:
    return all(item in new for item in old)


def line_change(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[ChangeLevel, tuple[str, ...]]:
    """Level of the change between two lines of one case, and the names of the fields that differ."""
    fields = tuple(k for k in new if k not in NEVER_COMPARED and old.get(k) != new[k])
    if not fields:
        return "none", ()
    return max((_field_level(name, old, new) for name in fields), key=ORDER.index), fields


_MAJOR = (
    "task",
    "turns",
    "expectedBehavior",
    "referenceAnswer",
    "mustNotClaim",
    "asOf",
    "expectedSourceIds",
    "requiredBehaviors",
    "refusalReason",
    "escalateTo",
    "escalateWhen",
    "turnExpectations",
    "risk",
    "partition",
)


def _field_level(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> ChangeLevel:
    if name in _MAJOR:
        return "major"
    if name == "acceptableAnswers":
        return "minor" if _added_only(old[name], new[name]) else "major"
    if name == "evidence":
        if _required_groups(old) != _required_groups(new):
            return "major"
        if _others(old) != _others(new):
            return "minor"
        return "patch"
    if name == "keyProvisions":
        if _provisions(old, mandatory=True) != _provisions(new, mandatory=True):
            return "major"
        if _provisions(old, mandatory=False) != _provisions(new, mandatory=False):
            return "minor"
    return "patch"


def changes(
    old: Mapping[str, Mapping[str, Any]],
    new: Mapping[str, Mapping[str, Any]],
    *,
    stale: Sequence[str] = (),
    retired: Sequence[str] = (),
) -> tuple[CaseChange, ...]:
    """What happened between two versions, by case id, sorted.

    Args:
        old: Lines of the version before, by id.
        new: Lines of the version to come, by id.
        stale: Ids left out because they are stale: a MINOR change.
        retired: Ids retired since.
    """
    found = []
    for name in sorted({*old, *new}):
        if name not in old:
            found.append(CaseChange(id=name, what="added", level="minor"))
        elif name not in new:
            what: Literal["retired", "removed"] = "retired" if name in retired else "removed"
            found.append(CaseChange(id=name, what=what, level="minor" if name in stale else "major"))
        else:
            level, fields = line_change(old[name], new[name])
            if level != "none":
                moved = fields == ("partition",)
                found.append(CaseChange(id=name, what="moved" if moved else "changed", level=level, fields=fields))
    return tuple(found)


def next_version(parent: str, levels: Sequence[ChangeLevel]) -> str:
    """The version after parent by the largest change; "1.0.0" when there is none before."""
    if not parent:
        return "1.0.0"
    major, minor, patch = map(int, parent.split("."))
    level = max(levels, key=ORDER.index, default="patch")
    if level == "major":
        return f"{major + 1}.0.0"
    return f"{major}.{minor + 1}.0" if level == "minor" else f"{major}.{minor}.{patch + 1}"


def version_key(version: str) -> tuple[int, ...]:
    """Sort key of a version."""
    return tuple(map(int, version.split(".")))
