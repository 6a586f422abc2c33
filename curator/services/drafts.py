"""Drafts: what was typed and not saved outlives a crash. The app keeps one at most two seconds after a key."""

from __future__ import annotations

from curator.domain.case import Case
from curator.services.context import Context
from curator.store import cases, drafts
from curator.store.drafts import Draft


def keep(ctx: Context, case: Case, base_version: int, *, key: str = "") -> None:
    """Store what the acting person has typed into a form, as it is.

    Args:
        ctx: Open workspace.
        case: Incomplete or not; without an id when it is new.
        base_version: The version that the form was opened with; 0 for a new case.
        key: Name of the form when the case has no id yet.
    """
    with ctx.write() as tx:
        drafts.keep(tx, case, case.id or key, base_version)


def drop(ctx: Context, key: str) -> None:
    """Forget a draft: it was saved, or the person let it go."""
    with ctx.write() as tx:
        drafts.drop(tx, key)


def waiting(ctx: Context) -> list[Draft]:
    """Drafts of the acting person that say something else than what is saved, the newest first."""
    with ctx.db.read() as tx:
        found = drafts.of(tx, ctx.actor_id)
        known = cases.ids(tx, [d.case_id for d in found])
        return [d for d in found if d.case_id not in known or cases.get(tx, d.case_id).case != d.case]
