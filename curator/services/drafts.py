"""Drafts: what was typed and not saved outlives a crash. The app keeps one at most two seconds after a key."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from curator.domain.case import Case, CaseRecord
from curator.domain.suggestion import Decided, counted
from curator.services.context import Context
from curator.store import cases, drafts, events
from curator.store.drafts import Draft


class Typed(NamedTuple):
    """What stands on a form and is not saved: the case, its version when it was opened, its key, what was decided.

    `over`: hashes of what this app has kept of it as a draft before, or is keeping just now.
    """

    case: Case
    base_version: int
    key: str
    decided: Sequence[Decided] = ()
    over: tuple[str, ...] = ()


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


def keep_all(ctx: Context, typed: Iterable[Typed]) -> None:
    """Store several at once; see `keep`."""
    with ctx.write() as tx:
        for form in typed:
            drafts.keep(tx, form.case, form.key, form.base_version, form.decided)


def drop(ctx: Context, key: str) -> None:
    """Forget a draft: it was saved, or the person let it go."""
    with ctx.write() as tx:
        drafts.drop(tx, key)


def waiting(ctx: Context) -> list[Draft]:
    """Drafts of the acting person that say something else than what is saved, the newest first."""
    with ctx.db.read() as tx:
        found = drafts.of(tx, ctx.actor_id)
        known = cases.ids(tx, [d.case_id for d in found])
        return [
            d
            for d in found
            if d.case_id not in known or cases.get(tx, d.case_id).case != d.case or counted(d.decided, d.case)
        ]


def opened_with(ctx: Context, draft: Draft) -> CaseRecord | None:
    """The case as the form was opened with it: its content and version of then. None: it was never stored.

    A save of the draft over it is refused when somebody has saved since, and both versions can be shown.
    """
    with ctx.db.read() as tx:
        if draft.case_id not in cases.ids(tx, [draft.case_id]):
            return None
        record = cases.get(tx, draft.case_id)
        if record.version == draft.base_version:
            return record
        contents = [
            event["data"]["after"]
            for event in events.history(tx, "case", draft.case_id)
            if event["version"] <= draft.base_version and "turns" in (event["data"].get("after") or {})
        ]
    changes: dict[str, object] = {"version": draft.base_version}
    if contents:
        changes["case"] = Case.model_validate(contents[-1])
    return record.model_copy(update=changes)
