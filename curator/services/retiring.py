"""Retiring cases with a reason, and restoring them. Nothing in the product deletes a case.

A retired case keeps its content and its reviews. Every later release of a suite that held it lists it as a tombstone,
until it is restored. Both are decisions of a person: many cases at once are one decision, taken back as one.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from curator.domain.case import CaseRecord
from curator.errors import InputError, UsageError
from curator.progress import Progress, Silent
from curator.services import blind
from curator.services.changing import Changed
from curator.services.context import Context
from curator.services.settling import settle
from curator.services.staleness import refresh
from curator.store import cases, leases
from curator.store.bulk import parts
from curator.store.cases import Change
from curator.store.database import Transaction
from curator.text import clean

RETIRED, RESTORED = "retired", "restored"
IN_USE = {"retired_at": "", "retired_reason": "", "successor": ""}
"""Columns of a case that is not retired."""
TAKEN_BACK = "undone: it was never meant"
"""Why a case is retired whose writing was undone."""
STEP = 100
"""Cases between two looks at whether to stop."""


def retire(
    ctx: Context, names: Sequence[str], reason: str, *, successor: str = "", progress: Progress | None = None
) -> tuple[Changed, ...]:
    """Take cases out of use. One that is retired already, or whose labels this person may not see, is a conflict.

    Args:
        ctx: Open workspace.
        names: Ids of the cases; each counts once.
        reason: Why, for the history and for later manifests.
        successor: The case that takes the place of all of them; "" = none.
        progress: How many are done; its checkpoint may stop it, and then nothing was changed.

    Raises:
        UsageError: No reason, or a case would replace itself.
        InputError: There is none of an id, or the successor is retired itself.
    """
    said, wanted, progress = _reason(reason, "retired"), list(dict.fromkeys(names)), progress or Silent()
    done: list[Changed] = []
    progress.stage("retire cases", len(wanted))
    with ctx.write() as tx:
        if successor:
            _require_successor(tx, successor, wanted)
        for part in parts(wanted, STEP):
            progress.checkpoint()
            found = cases.get_many(tx, part)
            veiled = blind.hidden_of(ctx, tx, found.values())
            going = []
            for name, record in found.items():
                if why := _why_not(record, hidden=veiled.get(name) == blind.ANSWERED):
                    done.append(Changed(case_id=name, outcome="conflict", status=record.status, reason=why))
                else:
                    going.append(record)
                    done.append(Changed(case_id=name, outcome="done", status="retired"))
            columns = {"status": "retired", "retired_at": tx.log.at, "retired_reason": said, "successor": successor}
            cases.change_many(tx, [Change(r, RETIRED, columns, reason=said) for r in going])
            leases.drop_cases(tx, [r.case.id for r in going])
            progress.advance(len(part))
        progress.checkpoint()
    return tuple(done)


def restore(
    ctx: Context, names: Sequence[str], reason: str, *, progress: Progress | None = None
) -> tuple[Changed, ...]:
    """Take retired cases into use again. One that is not retired is a conflict.

    What was a draft is a draft again. What was in review, or approved, stands as its reviews say now: they still count.

    Raises:
        UsageError: No reason.
        InputError: There is none of an id.
        Conflict: One would tie the two sides of the partition together.
    """
    said, wanted, progress = _reason(reason, "restored"), list(dict.fromkeys(names)), progress or Silent()
    done: dict[str, Changed] = {}
    progress.stage("restore cases", len(wanted))
    with ctx.write() as tx:
        for part in parts(wanted, STEP):
            progress.checkpoint()
            found = cases.get_many(tx, part)
            going = [r for r in found.values() if r.status == "retired"]
            before = cases.when_retired(tx, [r.case.id for r in going])
            changes = []
            for record in going:
                draft = record.retired_reason == TAKEN_BACK or before.get(record.case.id, "draft") == "draft"
                columns = {"status": "draft" if draft else "in_review", **IN_USE}
                changes.append(Change(record, RESTORED, columns, reason=said))
            cases.change_many(tx, changes)
            for name, record in found.items():
                is_back = record.status == "retired"
                why = "" if is_back else f"it is {record.status.replace('_', ' ')}, not retired"
                outcome = "done" if is_back else "conflict"
                done[name] = Changed(case_id=name, outcome=outcome, status=record.status, reason=why)
            progress.advance(len(part))
        back = [name for name, c in done.items() if c.outcome == "done"]
        bring_back(ctx, tx, back, progress)
        now = cases.get_many(tx, back)
    return tuple(c.model_copy(update={"status": now[n].status}) if n in now else c for n, c in done.items())


def bring_back(ctx: Context, tx: Transaction, names: Iterable[str], progress: Progress | None = None) -> None:
    """What follows when retired cases are in use again: staleness is worked out anew, and where they stand."""
    back = list(names)
    refresh(tx, back)
    settle(ctx, tx, [n for n, r in cases.get_many(tx, back).items() if r.status == "in_review"], progress)


def _reason(reason: str, what: str) -> str:
    said = clean(reason)[0].strip()
    if not said:
        raise UsageError(f"a case is {what} with a reason", "add --reason TEXT")
    return said


def _require_successor(tx: Transaction, successor: str, names: Sequence[str]) -> None:
    record = cases.get(tx, successor)
    if successor in names:
        raise UsageError(f"{successor} cannot take its own place", "name another case as successor, or none")
    if record.status == "retired":
        raise InputError(f"{successor} is retired itself", "name a case that is in use as successor")


def _why_not(record: CaseRecord, *, hidden: bool) -> str:
    if record.status == "retired":
        return "it is retired already"
    if hidden:
        return "its labels are hidden from you: its author retires it, or both labels come in first"
    return ""
