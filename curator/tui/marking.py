"""Marks of a case as the reader shows and changes them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from curator.domain.case import Case, Role
from curator.domain.document import Source
from curator.tui.theme import ROLES

if TYPE_CHECKING:
    from curator.services.context import Context

NEXT_ROLE: dict[str, str] = {"": "required", "required": "supporting", "supporting": "distractor", "distractor": ""}


def next_role(source_id: str, ctx: Context, case: Case) -> Case:
    """The case with the next role of a source; in a worker."""
    from curator.services import cases

    entries = [e for e in case.evidence if e.source_id == source_id]
    role = NEXT_ROLE[entries[0].role if entries else ""]
    if not role:
        for entry in entries:
            case = cases.without_evidence(case, entry)
        return case
    if not entries and case.expected_behavior == "refuse":
        role = "distractor"
    return cases.with_evidence(ctx, case, source_id, _role(role))


def _role(name: str) -> Role:
    roles: dict[str, Role] = {"required": "required", "supporting": "supporting", "distractor": "distractor"}
    return roles[name]


def margin(case: Case) -> dict[str, str]:
    """What stands in the margin, by source id: a glyph and a short word; a pilcrow for a provision."""
    provided = {p.source_id for p in case.key_provisions}
    return {
        e.source_id: f"{ROLES[e.role][0]}{e.role[:3]}{'¶' if e.source_id in provided else ''}" for e in case.evidence
    }


def mark_words(case: Case, source: Source) -> list[str]:
    """The marks of a source in words."""
    found = [f"{ROLES[e.role][0]} {e.role}" for e in case.evidence if e.source_id == source.id]
    found += [f"¶ {p.id}" for p in case.key_provisions if p.source_id == source.id]
    return found or ["not marked: e"]
