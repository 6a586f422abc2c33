"""What changed between two versions of a suite, case by case, and what the new version is called for it.

MAJOR: what a system must do changed, or a case left. MINOR: something was added. PATCH: places and wording about it.
Two lines of one case are compared as the dicts of the canonical line.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

from curator.domain.canonical import HASHED, HASHED_EVIDENCE, HASHED_PROVISION
from curator.domain.case import OPEN_PARTITIONS
from curator.domain.critical import critical, opposed
from curator.domain.model import Model

ChangeLevel = Literal["major", "minor", "patch", "none"]
What = Literal["added", "removed", "changed", "moved", "retired", "restored"]
ORDER: tuple[ChangeLevel, ...] = ("none", "patch", "minor", "major")
NOTHING: ChangeLevel = "none"
NEVER_COMPARED = ("canary", "contentHash", "approvals", "confirmedAt", "caseVersion")
MOST_PAIRS = 1_000_000
LONGEST, AROUND = 600, 80
"""Characters of a text that are told as they are, and those told around a difference in a longer one."""
_KEYS = {
    "evidence": "sourceId",
    "keyProvisions": "id",
    "documents": "documentId",
    "turnExpectations": "turn",
    "attributes": "name",
}
_HASHED_WITHIN = {"evidence": HASHED_EVIDENCE, "keyProvisions": HASHED_PROVISION}
_MAJOR = frozenset(HASHED) | {"partition"}
_JOINTS = {"sectionPath": " > ", "tableHeader": " | ", "tableCells": " | "}
_SHOWN = {"evidence": "quote", "keyProvisions": "text", "documents": "documentVersion", "attributes": "value"}
_WORDINGS = frozenset(
    ("turns", "referenceAnswer", "acceptableAnswers", "mustNotClaim", "requiredBehaviors", "escalateTo", "escalateWhen",
     "text", "citation", "quote", "tableTitle", "tableHeader")
)  # fmt: skip
"""Last names of paths under which a text stands that a person may call the same in other words."""


class FieldChange(Model):
    """One thing that differs between two lines of a case.

    Attributes:
        path: Where: a key of the line, and what lies within: "evidence/disease-table:mumps/quote", "turns/2".
        level: What it makes of the version by itself.
        why: The rule of the table, in words.
        before: As a person reads it, "" = it was not there; `after`: "" = it is not there any more.
    """

    path: str
    level: ChangeLevel
    why: str
    before: str = ""
    after: str = ""

    @property
    def field(self) -> str:
        """The key of the line."""
        return self.path.partition("/")[0]

    @property
    def is_wording(self) -> bool:
        """Whether it is a text in other words, with the same numbers, dates, units, negations and modals."""
        last = next(p for p in reversed(self.path.split("/")) if not p.isdecimal())
        reworded = last in _WORDINGS or (self.field == "turnExpectations" and last == "referenceAnswer")
        return reworded and bool(self.before and self.after) and not _says_otherwise(self.before, self.after)


_SMALL = frozenset(("a", "an", "in", "of"))
"""Words of English that are units, or "or", elsewhere: one who corrects a wording may add them."""


def _says_otherwise(old: str, new: str) -> bool:
    """Whether two wordings differ in a number, date, unit, negation, modal or comparison."""
    one, two = ([t for t in critical(text) if t not in _SMALL] for text in (old, new))
    return one != two or opposed(old, new)


class Mark(Model):
    """A second person's word that what changed between two contents of a case is its wording alone."""

    case_id: str
    before: str
    after: str
    by: str
    at: str = ""
    reason: str


class CaseChange(Model):
    """What happened to one case between two versions.

    Attributes:
        fields: Names of the line, never values.
        reason: Why, as a person said it: of a retirement, a restoration, a mark; or why it was left out.
        editorial: Who said that it is wording alone; "" = nobody.
        details: What differs, in full; () for a case of the holdout, on whichever side.
    """

    id: str
    what: What
    level: ChangeLevel
    fields: tuple[str, ...] = ()
    reason: str = ""
    editorial: str = ""
    details: tuple[FieldChange, ...] = ()


def line_change(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[ChangeLevel, tuple[str, ...]]:
    """Level of the change between two lines of one case, and the names of the fields that differ."""
    return _level(found := field_changes(old, new)), tuple(dict.fromkeys(c.field for c in found))


def _level(found: Sequence[FieldChange]) -> ChangeLevel:
    return max((c.level for c in found), key=ORDER.index, default=NOTHING)


def field_changes(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """Everything that differs between two lines of one case, in the order of the line."""
    found: list[FieldChange] = []
    for name in dict.fromkeys((*new, *old)):
        one, two = old.get(name), new.get(name)
        if name in NEVER_COMPARED or one == two:
            continue
        if name in _KEYS:
            found += _entries(name, one or [], two or [])
        elif isinstance(two, list) or isinstance(one, list):
            found += _items(name, one or [], two or [])
        else:
            level: ChangeLevel = "major" if name in _MAJOR else "patch"
            found.append(FieldChange(path=name, level=level, why=_changed(level), before=_said(one), after=_said(two)))
    return tuple(found)


def _changed(level: ChangeLevel) -> str:
    return "what is expected changed" if level == "major" else "it says nothing of what is expected"


def _items(name: str, old: Sequence[Any], new: Sequence[Any]) -> Iterator[FieldChange]:
    """A list of texts, one by one; answers that are added to those that are acceptable are an addition."""
    kept = _kept(old, new)
    grows = name == "acceptableAnswers" and len(kept) == len(old)
    level: ChangeLevel = "minor" if grows else "major" if name in _MAJOR else "patch"
    why = "an acceptable answer was added" if grows else _changed(level)
    one, two = 0, 0
    for a, b in (*kept, (len(old), len(new))):
        while one < a or two < b:
            before, after = (old[one] if one < a else ""), (new[two] if two < b else "")
            place = (two if two < b else one) + 1
            one, two = min(one + 1, a), min(two + 1, b)
            path = f"{name}/{place}"
            yield FieldChange(path=path, level=level, why=why, before=_said(before), after=_said(after))
        one, two = a + 1, b + 1


def _kept(old: Sequence[Any], new: Sequence[Any]) -> list[tuple[int, int]]:
    """Places of what stands in both, in the order of both: a longest such sequence, of lists that are not very long."""
    if len(old) * len(new) > MOST_PAIRS:
        alike = itertools.takewhile(lambda n: old[n] == new[n], range(min(len(old), len(new))))
        return [(n, n) for n in alike]
    longest = [[0] * (len(new) + 1) for _ in range(len(old) + 1)]
    for a in reversed(range(len(old))):
        for b in reversed(range(len(new))):
            same = longest[a + 1][b + 1] + 1 if old[a] == new[b] else 0
            longest[a][b] = max(same, longest[a + 1][b], longest[a][b + 1])
    found, a, b = [], 0, 0
    while a < len(old) and b < len(new):
        if old[a] == new[b]:
            found.append((a, b))
            a, b = a + 1, b + 1
        elif longest[a + 1][b] >= longest[a][b + 1]:
            a += 1
        else:
            b += 1
    return found


def _entries(name: str, old: Sequence[Any], new: Sequence[Any]) -> Iterator[FieldChange]:
    """A list of objects: each is told by its id; equal ones are paired first, then those of one id."""
    key = _KEYS[name]
    pairs = _paired(old, new, key)
    gone = [entry for n, entry in enumerate(old) if n not in pairs]
    come = [entry for n, entry in enumerate(new) if n not in pairs.values()]
    for a, b in sorted(pairs.items(), key=lambda p: p[1]):
        yield from _within(name, old[a], new[b])
    level: ChangeLevel = "major" if name in _MAJOR else "patch"
    for entry in gone:
        why = f"{_kind(name, entry)} was taken away"
        yield FieldChange(path=f"{name}/{entry[key]}", level=level, why=why, before=_whole(name, entry))
    for entry in come:
        added: ChangeLevel = level if name not in _HASHED_WITHIN or _needed(name, entry) else "minor"
        why = f"{_kind(name, entry)} was added"
        yield FieldChange(path=f"{name}/{entry[key]}", level=added, why=why, after=_whole(name, entry))
    places = [pairs[a] for a in sorted(pairs)]
    if places != sorted(places):
        before, after = ("; ".join(str(e[key]) for e in entries) for entries in (old, new))
        yield FieldChange(path=name, level=level, why="their order changed", before=before, after=after)


def _paired(old: Sequence[Any], new: Sequence[Any], key: str) -> dict[int, int]:
    """Place in old -> place in new of what is the same entry."""
    pairs: dict[int, int] = {}
    taken: set[int] = set()
    for name_of in (str, lambda entry: str(entry[key])):  # equal ones first, then those of one id
        free: dict[str, list[int]] = {}
        for b in reversed(range(len(new))):
            if b not in taken:
                free.setdefault(name_of(new[b]), []).append(b)
        for a, entry in enumerate(old):
            if a not in pairs and (places := free.get(name_of(entry))):
                pairs[a] = places.pop()
        taken = set(pairs.values())
    return pairs


def _within(name: str, old: Mapping[str, Any], new: Mapping[str, Any]) -> Iterator[FieldChange]:
    hashed = _HASHED_WITHIN.get(name, tuple(new) if name in _MAJOR else ())
    for inner in dict.fromkeys((*new, *old)):
        if old.get(inner) != new.get(inner):
            level: ChangeLevel = "major" if inner in hashed else "patch"
            joint = _JOINTS.get(inner, "; ")
            before, after = _said(old.get(inner), joint), _said(new.get(inner), joint)
            path = f"{name}/{new[_KEYS[name]]}/{inner}"
            yield FieldChange(path=path, level=level, why=_changed(level), before=before, after=after)


def _needed(name: str, entry: Mapping[str, Any]) -> bool:
    """Whether an entry asks more of a system: required evidence, a mandatory provision."""
    return bool(
        (name == "evidence" and entry["role"] == "required") or (name == "keyProvisions" and entry["mandatory"])
    )


def _kind(name: str, entry: Mapping[str, Any]) -> str:
    """What an entry is, in words."""
    if name == "evidence":
        return f"{entry['role']} evidence"
    if name == "keyProvisions":
        return "a mandatory provision" if entry["mandatory"] else "an optional provision"
    return {"documents": "a document", "turnExpectations": "what an earlier turn expects"}.get(name, "an attribute")


def _whole(name: str, entry: Mapping[str, Any]) -> str:
    if name == "turnExpectations":
        return f"{entry['expectedBehavior']}: {entry['referenceAnswer']}".removesuffix(": ")
    return _said(entry[_SHOWN[name]]) or _said(entry[_KEYS[name]])


def _said(value: Any, joint: str = "; ") -> str:
    """A value as a person reads it."""
    if isinstance(value, list):
        return joint.join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return "" if value is None else str(value)


def narrowed(change: FieldChange) -> FieldChange:
    """The change with both texts cut to where they differ, when they are long."""
    old, new = change.before, change.after
    if max(len(old), len(new)) <= LONGEST:
        return change
    shorter = min(len(old), len(new))
    first = next((n for n in range(shorter) if old[n] != new[n]), shorter)
    last = next((n for n in range(shorter - first) if old[-1 - n] != new[-1 - n]), shorter - first)

    def cut(text: str) -> str:
        start, end = max(0, first - AROUND), min(len(text), len(text) - last + AROUND)
        part = text[start:end]
        part = part if len(part) <= LONGEST else f"{part[: LONGEST // 2]} … {part[-LONGEST // 2 :]}"
        return f"{'… ' if start else ''}{part}{' …' if end < len(text) else ''}"

    return change.model_copy(update={"before": cut(old), "after": cut(new)})


def is_open(*lines: Mapping[str, Any] | None) -> bool:
    """Whether what these lines of one case say may be told: none of them lies in the holdout."""
    return all(line is None or line["partition"] in OPEN_PARTITIONS for line in lines)


def case_change(
    name: str, old: Mapping[str, Any] | None, new: Mapping[str, Any] | None, *, marks: Sequence[Mark] = ()
) -> CaseChange | None:
    """What happened to one case by its lines alone, None = it was not there; None: nothing happened.

    Args:
        name: Its id.
        old: Its line in the version before.
        new: Its line in the version to come.
        marks: What a second person said of changes of this case; from one content to the next they may be a chain.
    """
    if old is None or new is None:
        return CaseChange(
            id=name, what="removed" if new is None else "added", level="major" if new is None else "minor"
        )
    found = field_changes(old, new)
    if not found:
        return None
    said = _chain(marks, old["contentHash"], new["contentHash"])
    if said:
        found = tuple(_as_wording(c, said[-1]) for c in found)
    fields = tuple(dict.fromkeys(c.field for c in found))
    editorial = ", ".join(dict.fromkeys(m.by for m in said))
    return CaseChange(
        id=name,
        what="moved" if fields == ("partition",) else "changed",
        level=_level(found),
        fields=fields,
        reason="; ".join(dict.fromkeys(m.reason for m in said)) if is_open(old, new) else "",
        editorial=editorial,
        details=found if is_open(old, new) else (),
    )


def _as_wording(change: FieldChange, mark: Mark) -> FieldChange:
    if change.level in ("none", "patch") or not change.is_wording:
        return change
    return change.model_copy(update={"level": "patch", "why": f"wording alone, {mark.by} says"})


def _chain(marks: Sequence[Mark], before: str, after: str) -> list[Mark]:
    """The marks that lead from one content to another; [] = none do."""
    ways: dict[str, list[Mark]] = {before: []}
    waiting = [before]
    while waiting and after not in ways:
        here = waiting.pop(0)
        for mark in marks:
            if mark.before == here and mark.after not in ways:
                ways[mark.after] = [*ways[here], mark]
                waiting.append(mark.after)
    return ways.get(after, []) if before != after else []


def beyond_wording(old: Mapping[str, Any], new: Mapping[str, Any]) -> tuple[FieldChange, ...]:
    """What of a change is more than wording, so that nobody may mark it editorial; () = it is wording alone."""
    return tuple(c for c in field_changes(old, new) if c.level in ("minor", "major") and not c.is_wording)


def changes(
    old: Mapping[str, Mapping[str, Any]],
    new: Mapping[str, Mapping[str, Any]],
    *,
    stale: Mapping[str, str] | None = None,
    retired: Mapping[str, str] | None = None,
    restored: Mapping[str, str] | None = None,
    left: Mapping[str, str] | None = None,
    moved: Mapping[str, str] | None = None,
    marks: Mapping[str, Sequence[Mark]] | None = None,
) -> tuple[CaseChange, ...]:
    """What happened between two versions, by case id, sorted.

    Args:
        old: Lines of the version before, by id.
        new: Lines of the version to come, by id.
        stale: Cases left out because they are stale, with why: a MINOR change.
        retired: Cases retired since, with the reason ("" for the holdout); also those that had left before.
        restored: Cases of `new` that were retired in the version before, with the reason.
        left: Why other cases leave.
        moved: Why cases changed their side.
        marks: What second persons said, by case.
    """
    stale, retired, restored, left = stale or {}, retired or {}, restored or {}, left or {}
    found = []
    for name in sorted({*old, *new, *retired}):
        before, after = old.get(name), new.get(name)
        if after is None and name in retired:
            found.append(CaseChange(id=name, what="retired", level="major", reason=retired[name]))
        elif before is None and name in restored:
            found.append(CaseChange(id=name, what="restored", level="major", reason=restored[name]))
        elif change := case_change(name, before, after, marks=(marks or {}).get(name, ())):
            if change.what == "removed":
                level: ChangeLevel = "minor" if name in stale else "major"
                change = change.model_copy(update={"level": level, "reason": stale.get(name, left.get(name, ""))})
            if after is not None and "partition" in change.fields and is_open(after):
                change = change.model_copy(update={"reason": (moved or {}).get(name, change.reason)})
            found.append(change)
    return tuple(found)


def schema_level(before: str, now: str) -> ChangeLevel:
    """What another schema of the lines makes of a version: a reader of the old one fails when its first number differs.

    Args:
        before: Id of the schema of the version before, "urn:curator:case:1.0.0"; now: of this one.
        now: See before.
    """
    if before == now:
        return "none"
    (name, _, old), (other, _, new) = before.rpartition(":"), now.rpartition(":")
    return "major" if name != other or old.partition(".")[0] != new.partition(".")[0] else "patch"


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
