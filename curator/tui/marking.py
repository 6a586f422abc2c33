"""Marks of a case as the reader shows and changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator.errors import UsageError
from curator.tui.theme import ROLES

if TYPE_CHECKING:
    from curator.domain.case import Case, Evidence, Role
    from curator.domain.document import Source
    from curator.services.context import Context

NEXT_ROLE: dict[str, str] = {"": "required", "required": "supporting", "supporting": "distractor", "distractor": ""}


def _marked(case: Case, source_id: str, quote: str) -> Evidence | None:
    """The entry that a mark is about: that of the quote, or the one of the source that was marked last."""
    entries = [e for e in case.evidence if e.source_id == source_id and (not quote or e.quote == quote)]
    return entries[-1] if entries else None


def next_role(source_id: str, quote: str, ctx: Context, case: Case) -> Case:
    """The case with the next role of a source, or of a quote from it; in a worker.

    Args:
        source_id: The source under the cursor.
        quote: What is selected in it; "" = the mark that was made on it last, or all of it.
        ctx: Open workspace.
        case: As it is now.
    """
    from curator.services import cases

    entry = _marked(case, source_id, quote)
    role = NEXT_ROLE[entry.role if entry else ""]
    if not role:
        assert entry is not None
        return cases.without_evidence(case, entry)
    if entry is None and case.expected_behavior == "refuse":
        role = "distractor"
    group = entry.group if entry else ""
    return cases.with_evidence(ctx, case, source_id, _role(role), quote=entry.quote if entry else quote, group=group)


def alternative(source_id: str, quote: str, ctx: Context, case: Case) -> Case:
    """The case with a source as an alternative of the required evidence marked last; again: on its own; in a worker.

    Raises:
        UsageError: Nothing else is required yet.
    """
    from curator.services import cases

    entry = _marked(case, source_id, quote)
    others = [e for e in case.evidence if e.role == "required" and e != entry]
    if entry is not None and any(e.group == entry.group for e in others):
        return cases.with_evidence(ctx, case, source_id, entry.role, quote=entry.quote, group=_own_group(case, entry))
    if not others:
        raise UsageError("an alternative needs required evidence before it", "mark that first: e")
    return cases.with_evidence(
        ctx, case, source_id, "required", quote=entry.quote if entry else quote, group=others[-1].group
    )


def _own_group(case: Case, entry: Evidence) -> str:
    """A group that nothing else is in."""
    taken = {e.group for e in case.evidence if e != entry}
    names = (entry.source_id, *(f"{entry.source_id} {n}" for n in range(2, len(taken) + 3)))
    return next(n for n in names if n not in taken)


def _role(name: str) -> Role:
    roles: dict[str, Role] = {"required": "required", "supporting": "supporting", "distractor": "distractor"}
    return roles[name]


def is_alternative(case: Case, entry: Evidence) -> bool:
    """Whether another required entry before it would do as well."""
    before = case.evidence[: case.evidence.index(entry)]
    return entry.role == "required" and any(
        e.role == "required" and e.group == entry.group and e.source_id != entry.source_id for e in before
    )


def word_of(case: Case, entry: Evidence) -> str:
    """Glyph and role of an entry: "● required", "● or" for an alternative."""
    return "● or" if is_alternative(case, entry) else " ".join(ROLES[entry.role])


def margin(case: Case) -> dict[str, str]:
    """What stands in the margin, by source id: a glyph and a short word; a pilcrow for a provision."""
    provided = {p.source_id for p in case.key_provisions}
    return {
        e.source_id: f"{word_of(case, e)[0]}{word_of(case, e)[2:5]}{'¶' if e.source_id in provided else ''}"
        for e in case.evidence
    }


def quoted(case: Case) -> dict[str, list[str]]:
    """The quotes of each source: its evidence, and the provisions taken from it word for word."""
    found: dict[str, list[str]] = {}
    for entry in case.evidence:
        found.setdefault(entry.source_id, []).append(entry.quote)
    for provision in case.key_provisions:
        found.setdefault(provision.source_id, []).append(provision.text)
    return found


def mark_words(case: Case, source: Source) -> list[str]:
    """The marks of a source in words."""
    found = [word_of(case, e) for e in case.evidence if e.source_id == source.id]
    found += [f"¶ {p.id}" for p in case.key_provisions if p.source_id == source.id]
    return found or ["not marked: e"]
