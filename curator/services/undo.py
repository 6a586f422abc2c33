"""Undo and redo of decisions, per actor, across cases and restarts. Nothing is erased: each appends events.

What can be taken back: cases written, edited, submitted, retired or restored, suggestions accepted or rejected, sources
re-confirmed or renamed, tables repaired, failures sorted, confirmed or promoted, folds joined or undone; what was done
to many at once is taken back from all of them. Reviews are withdrawn with a reason, never undone. An undo is refused,
whole, when somebody else's later event on one of the things, a newer revision, or a release depends on it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal

from curator.domain.case import Case, CaseRecord
from curator.domain.model import Model
from curator.errors import Conflict
from curator.services import failures, folds, reconfirm, renaming, repair, staleness
from curator.services.context import Context
from curator.services.retiring import IN_USE, TAKEN_BACK
from curator.services.settling import settle
from curator.store import cases, events, releases, suggestions
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.store.events import Decision

DEPTH = (500, 5_000, 50_000)
"""How many of the last decisions are looked at; the next figure where what is looked for lies further back."""
UNDOABLE = (
    "created", "edited", "submitted", "retired", "restored", "reconfirmed", "renamed", "repaired", "staged",
    "dismissed", "duplicated", "reopened", "promoted", "confirmed", "same", "different", "unfolded",
    suggestions.ACCEPTED, suggestions.REJECTED,
)  # fmt: skip
VERBS = (*UNDOABLE, "undone", "redone")


class Undone(Model):
    """What was taken back or done again: the verb, the cases, and how the first of them stands now.

    `record` is None, and `case_id` "", when it was about sources or documents that no case cites; `names` are theirs.
    """

    verb: str
    case_id: str
    record: CaseRecord | None
    case_ids: tuple[str, ...]
    names: tuple[str, ...] = ()


def stacks(history: Sequence[Decision]) -> tuple[list[Decision], list[Decision]]:
    """Decisions that can be undone and undos that can be redone, the next one last, from an actor's in their order.

    An undo and a redo are given with the verb of what was done first.
    """
    verbs: dict[int, str] = {}
    kinds: dict[int, str] = {}
    done: list[Decision] = []
    undone: list[Decision] = []
    for decision in history:
        number, target = decision.number, decision.undoes
        if not target:
            if decision.verb in UNDOABLE:
                kinds[number], verbs[number] = "do", decision.verb
                done.append(decision)
                undone.clear()
        elif target in kinds:  # else what it took back is older than we look
            kinds[number] = "redo" if kinds[target] == "undo" else "undo"
            source, goal = (undone, done) if kinds[number] == "redo" else (done, undone)
            source[:] = [d for d in source if d.number != target]
            verbs[number] = verbs[target]
            goal.append(decision._replace(verb=verbs[number]))
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
        decision, last = _next_turn(tx, back=back), 0
        if decision is None:
            return None
        verb: Literal["undone", "redone"] = "undone" if back else "redone"
        names: list[str] = []
        others: list[dict[str, Any]] = []
        unsettled: list[str] = []
        while part := events.of_decision(tx, tx.log.actor, decision.number, VERBS, after=last):
            last = part[-1]["seq"]
            _require_free(tx, part)
            mine = [e for e in part if e["entity"] == "case"]
            others += [e for e in part if e["entity"] != "case"]
            names += [e["entityId"] for e in mine]
            unsettled += _apply(tx, mine, verb=verb)
        settle(ctx, tx, unsettled)
        _turn_others(tx, others, verb, names)
        case_ids = tuple(dict.fromkeys(names))
        return Undone(
            verb=decision.verb,
            case_id=case_ids[0] if case_ids else "",
            record=cases.get(tx, case_ids[0]) if case_ids else None,
            case_ids=case_ids,
            names=tuple(dict.fromkeys(e["entityId"] for e in others)),
        )


def _next_turn(tx: Transaction, *, back: bool) -> Decision | None:
    """What an undo takes back, or a redo does again; None when there is nothing."""
    for depth in DEPTH:
        done, undone = stacks(events.decisions(tx, tx.log.actor, VERBS, limit=depth))
        if stack := done if back else undone:
            return stack[-1]
    return None


def _turn_others(
    tx: Transaction, others: Sequence[dict[str, Any]], verb: Literal["undone", "redone"], names: Sequence[str]
) -> None:
    """Turn what is no case, the last first, and mark the cases that rest on it now, or do no more."""
    documents: set[str] = set()
    for event in reversed(others):
        _service_of(event)(tx, event, verb)
        documents |= {event["data"]["document"]} if "document" in event["data"] else set()
    cited = {case for d in documents for found in staleness.citing(tx, d).values() for case in found}
    if others:
        staleness.refresh(tx, sorted({*cited, *names}))


def _service_of(event: dict[str, Any]) -> Callable[[Transaction, Mapping[str, Any], Literal["undone", "redone"]], None]:
    """What turns an event about a source, document or refusal; the event of a turn says by its data what it turned."""
    if event["entity"] == suggestions.ENTITY:
        return suggestions.turn
    if event["entity"] in ("failure", "fold"):
        return failures.turn if event["entity"] == "failure" else folds.turn
    data = event["data"]
    if event["verb"] == "renamed" or "names" in data:
        return renaming.turn
    return repair.turn if event["verb"] == "repaired" or "patch" in data else reconfirm.turn


def _require_free(tx: Transaction, part: Sequence[dict[str, Any]]) -> None:
    """Raise when somebody's later event, or a release, depends on one of these events of one decision."""
    first, names = part[0]["seq"], [e["entityId"] for e in part]
    for suite, version in events.released_after(tx, first):
        if name := releases.holds_any(tx, suite, version, names):
            raise Conflict(f"{suite} {version} was released with {name}", "edit the case instead")
        manifest = next(r.manifest for r in releases.versions(tx, suite) if r.version == version)
        if stones := {t["id"] for t in manifest.get("tombstones", ())} & {*names}:
            raise Conflict(f"{suite} {version} lists {min(stones)} as retired", "restore the case instead")
    if later := events.by_another(tx, first, names, tx.log.actor):
        raise Conflict(
            f"{later['actor']} {later['verb']} {later['entityId']} since then (event {later['seq']})",
            "edit the case instead",
        )


def _apply(tx: Transaction, part: Sequence[dict[str, Any]], *, verb: str) -> list[str]:
    """Write the standing from before the events, and give back the cases that are to be settled.

    How the cases stand now is kept in the new events, for a redo.
    """
    now = cases.get_many(tx, [e["entityId"] for e in part])
    approved = cases.approved_before(tx, {e["entityId"]: e["seq"] for e in part})
    changes = []
    for event in part:
        record, before = now[event["entityId"]], event["data"].get("before") or {}
        status = event["data"].get("status") or before.get("status") or "retired"
        hashed, number = approved[event["entityId"]]
        columns = {"status": "in_review" if status == "approved" else status, "approved_hash": hashed, **IN_USE}
        columns |= {"case_version": number} if number else {}
        if status == "retired":  # with the reason that was given, or because it was never written
            taken_back = {"retired_at": tx.log.at, "retired_reason": TAKEN_BACK, "successor": ""}
            columns |= event["data"].get("was") or taken_back
        case = Case.model_validate(before) if "turns" in before else record.case
        changes.append(Change(record, verb, columns, case, event["seq"]))
    after = cases.change_many(tx, changes)
    staleness.refresh(tx, [c.before.case.id for c in changes if c.before.status == "retired"])
    return [r.case.id for r in after if r.status == "in_review"]
