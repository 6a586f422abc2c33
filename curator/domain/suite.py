"""Suites: which cases they take, which quotas they must meet, and what a new version is called.

MAJOR: what a system must do changed, or a case left. MINOR: something was added. PATCH: places and wording about it.
Two lines of one case are compared as the dicts of the canonical line.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal

from pydantic import Field

from curator.domain.canonical import HASHED, HASHED_EVIDENCE, HASHED_PROVISION
from curator.domain.model import Model

ChangeLevel = Literal["major", "minor", "patch", "none"]
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
        if self.domain and line["domain"] not in self.domain:
            return False
        if self.document and not any(d["documentId"] in self.document for d in line["documents"]):
            return False
        if self.tag and not any(tag in self.tag for tag in line["tags"]):
            return False
        alone = ((self.risk, "risk"), (self.task, "task"), (self.language, "language"))
        return all(not wanted or line[name] in wanted for wanted, name in alone)


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

    @property
    def words(self) -> str:
        """The gap as a person reads it: "domain=emission: has 2, needs 3"; shares in percent."""
        have, need = (f"{v:.1%}" if self.quota.unit == "share" else f"{v:g}" for v in (self.have, self.need))
        return f"{self.name}: has {have}, needs {need}"


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


def _hashed(line: Mapping[str, Any], name: str) -> list[Any]:
    """A list field, reduced to what `contentHash` covers of its entries."""
    keys = {"evidence": HASHED_EVIDENCE, "keyProvisions": HASHED_PROVISION}.get(name)
    return [{k: entry[k] for k in keys} for entry in line[name]] if keys else list(line[name])


def _added(old: Sequence[Any], new: Sequence[Any]) -> list[Any] | None:
    """What new has beside all of old in its order; None when something of old was changed, moved or taken away."""
    found: list[Any] = []
    waiting = list(old)
    for item in new:
        if waiting and item == waiting[0]:
            waiting.pop(0)
        else:
            found.append(item)
    return None if waiting else found


def _needed(name: str, entry: Any) -> bool:
    """Whether an added entry asks more of a system: required evidence, a mandatory provision."""
    return bool(
        (name == "evidence" and entry["role"] == "required") or (name == "keyProvisions" and entry["mandatory"])
    )


def line_change(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[ChangeLevel, tuple[str, ...]]:
    """Level of the change between two lines of one case, and the names of the fields that differ."""
    fields = tuple(k for k in new if k not in NEVER_COMPARED and old.get(k) != new[k])
    if not fields:
        return "none", ()
    return max((_field_level(name, old, new) for name in fields), key=ORDER.index), fields


_GROWING = ("acceptableAnswers", "evidence", "keyProvisions")
_MAJOR = frozenset(HASHED) - set(_GROWING) | {"partition"}


def _field_level(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> ChangeLevel:
    if name in _MAJOR:
        return "major"
    if name not in _GROWING:
        return "patch"
    added = _added(_hashed(old, name), _hashed(new, name))
    if added is None or any(_needed(name, entry) for entry in added):
        return "major"
    return "minor" if added else "patch"


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
