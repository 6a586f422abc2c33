"""Undo and redo of decisions, per actor, across cases and restarts. Nothing is erased: each appends an event.

What can be taken back: a case written, edited or submitted. Reviews are withdrawn with a reason, never undone. An undo
is refused when somebody else's later event on the case, or a release that holds it, depends on the decision.
"""

from __future__ import annotations

from typing import Any

from curator.domain.case import Case, CaseRecord
from curator.domain.model import Model
from curator.errors import Conflict
from curator.services.context import Context
from curator.services.settling import settle
from curator.store import cases, events, releases
from curator.store.database import Transaction

DEPTH = 500
UNDOABLE = ("created", "edited", "submitted")
TAKEN_BACK = "undone: it was never meant"


class Undone(Model):
    """What was taken back or done again: the verb, the case, and its standing now."""

    verb: str
    case_id: str
    record: CaseRecord


def stacks(history: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    """Events that can be undone and undos that can be redone, the next one last, from an actor's events in order."""
    kinds: dict[int, str] = {}
    done: list[dict[str, Any]] = []
    undone: list[dict[str, Any]] = []
    for event in history:
        seq, target = event["seq"], event["undoes"]
        if not target:
            if event["entity"] == "case" and event["verb"] in UNDOABLE:
                kinds[seq] = "do"
                done.append(event)
                undone.clear()
        elif target in kinds:  # else what it took back is older than we look
            kinds[seq] = "redo" if kinds[target] == "undo" else "undo"
            source, goal = (undone, done) if kinds[seq] == "redo" else (done, undone)
            source[:] = [e for e in source if e["seq"] != target]
            goal.append(event)
    return done, undone


def undo(ctx: Context) -> Undone | None:
    """Take back the last decision of the acting person; None when there is none.

    Raises:
        Conflict: A later event or a release depends on it; the message names it.
    """
    return _turn(ctx, back=True)


def redo(ctx: Context) -> Undone | None:
    """Do again what was undone last; None when there is nothing.

    Raises:
        Conflict: As `undo`.
    """
    return _turn(ctx, back=False)


def _turn(ctx: Context, *, back: bool) -> Undone | None:
    with ctx.write() as tx:
        done, undone = stacks(events.by_actor(tx, tx.log.actor, limit=DEPTH))
        stack = done if back else undone
        if not stack:
            return None
        event = stack[-1]
        _require_free(tx, event)
        record = _apply(ctx, tx, event, back=back)
        return Undone(verb=event["verb"], case_id=event["entityId"], record=record)


def _require_free(tx: Transaction, event: dict[str, Any]) -> None:
    name = event["entityId"]
    for later in events.after(tx, event["seq"], name):
        if later["entity"] == "suite":
            version = later["data"].get("version", "")
            if name in releases.lines(tx, later["entityId"], version):
                raise Conflict(f"{later['entityId']} {version} was released with {name}", "edit the case instead")
        elif later["actor"] != tx.log.actor:
            raise Conflict(
                f"{later['actor']} {later['verb']} {name} since then (event {later['seq']})", "edit the case instead"
            )


def _apply(ctx: Context, tx: Transaction, event: dict[str, Any], *, back: bool) -> CaseRecord:
    """Write the standing from before the event; what it was then stands in the new event for a redo."""
    name = event["entityId"]
    now = cases.get(tx, name)
    before = event["data"].get("before") or {}
    status = event["data"].get("status") or before.get("status") or "retired"
    content = before if "turns" in before else None
    case = Case.model_validate(content) if content else now.case
    retired = status == "retired"
    record = cases.save(
        tx,
        case,
        now.version,
        status="in_review" if status == "approved" else status,
        verb="undone" if back else "redone",
        undoes=event["seq"],
        retired_at=tx.log.at if retired else "",
        retired_reason=TAKEN_BACK if retired else "",
    )
    return settle(ctx, tx, [name])[0] if status in ("in_review", "approved") else record
