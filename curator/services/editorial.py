"""Editorial marks: a second person says that what changed in a case since its release is its wording alone.

The mark is bound to both contents, the released one and the one that was looked at: any later edit needs another. It is
an event of its own kind; a wrong one is withdrawn with a reason.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curator.domain.case import CaseRecord
from curator.domain.changes import Mark, beyond_wording
from curator.errors import CheckFailed, Conflict, UsageError
from curator.exporting.line import case_line
from curator.services.context import Context
from curator.services.todays_names import TodaysNames, todays_names
from curator.store import cases, events, releases
from curator.store.database import Transaction
from curator.store.releases import Form

KIND, MARKED, WITHDRAWN = "editorial", "marked editorial", "mark withdrawn"
STANDING = ("in_review", "approved")


def mark(ctx: Context, names: Sequence[str], reason: str) -> tuple[Mark, ...]:
    """Say of cases that only their wording changed since they were released last; of all of them, or of none.

    Args:
        ctx: Open workspace. Who acts may review, and changed none of these cases since (but in a one-person team).
        names: Ids of the cases; each counts once.
        reason: What was changed, for CHANGES.md.

    Raises:
        UsageError: No reason, or who acts changed it.
        InputError: There is no such case.
        Conflict: It is a draft, was never released, or says what it said then.
        CheckFailed: More than wording changed: numbers, negations, sources, risk ...
    """
    reason = _given(reason, "a mark")
    with ctx.write("review") as tx:
        now = todays_names(tx)
        made = []
        wanted = list(dict.fromkeys(names))
        forms = releases.forms(tx, wanted)
        for name, record in cases.get_many(tx, wanted).items():
            latest = {form.suite: form for form in reversed(forms[name])}
            made += _marks(ctx, tx, record, list(latest.values()), now, reason)
        for entry in made:
            data = {"from": entry.before, "to": entry.after, "reason": reason}
            tx.log.append(KIND, entry.case_id, MARKED, data=data)
    return tuple(made)


def _given(reason: str, what: str) -> str:
    if not reason.strip():
        raise UsageError(f"{what} has a reason", "add --reason TEXT")
    return reason.strip()


def _marks(
    ctx: Context, tx: Transaction, record: CaseRecord, latest: Sequence[Form], now: TodaysNames, reason: str
) -> list[Mark]:
    """The marks that a case gets: one for each content under which it was released last."""
    name = record.case.id
    if not latest:
        raise Conflict(f"{name} was never released", "a mark speaks of what changed since a release")
    if record.status not in STANDING:
        raise Conflict(f"{name} is {record.status.replace('_', ' ')}", "submit it first; a mark is bound to a content")
    line = today(record, now)
    others = [f for f in latest if f.line["contentHash"] != line["contentHash"]]
    if not others:
        raise Conflict(f"{name} expects what it expected in {latest[0].version}", "it needs no mark")
    _require_second(ctx, tx, name, min(f.seq for f in others), others[0].version)
    told: dict[str, Mark] = {}
    for form in others:
        if more := beyond_wording(form.line, line):
            raise CheckFailed(
                f"{name}: {more[0].path} is more than wording since {form.suite} {form.version}",
                "only texts with the same numbers, dates, units, negations and modals can be marked",
            )
        before = form.line["contentHash"]
        told[before] = Mark(
            case_id=name, before=before, after=line["contentHash"], by=tx.log.actor, at=tx.log.at, reason=reason
        )
    return list(told.values())


def _require_second(ctx: Context, tx: Transaction, name: str, seq: int, version: str) -> None:
    """Raise when who acts wrote a content of this case after an event."""
    if ctx.review_policy.solo:
        return
    for event in events.history(tx, "case", name):
        wrote = isinstance(after := event["data"].get("after"), dict) and "turns" in after
        if event["seq"] > seq and wrote and event["actor"] == tx.log.actor:
            raise UsageError(
                f"{tx.log.actor} changed {name} since {version} and may not mark it", "another person does (--as ID)"
            )


def today(record: CaseRecord, now: TodaysNames) -> dict[str, Any]:
    """The line of a case that was released before, as it is now; the suite and its median are left open."""
    named = now.record(record)
    return case_line(named, suite="", reference_median=0, digest=record.content_hash if named is record else "")


def withdraw(ctx: Context, name: str, reason: str) -> int:
    """Withdraw all marks of a case with a reason; gives how many.

    Raises:
        UsageError: No reason.
        Conflict: It has none.
    """
    reason = _given(reason, "a withdrawal")
    with ctx.write("review") as tx:
        cases.get(tx, name)
        standing = marks(tx).get(name, [])
        if not standing:
            raise Conflict(f"{name} has no editorial mark", "`curator case history` shows what was marked")
        tx.log.append(KIND, name, WITHDRAWN, data={"reason": reason})
    return len(standing)


def marks(tx: Transaction) -> dict[str, list[Mark]]:
    """The marks that stand, by case, in the order in which they were made."""
    found: dict[str, list[Mark]] = {}
    for event in events.of_kind(tx, KIND):
        name, data = event["entityId"], event["data"]
        if event["verb"] == WITHDRAWN:
            found.pop(name, None)
            continue
        entry = Mark(
            case_id=name, before=data["from"], after=data["to"], by=event["actor"], at=event["at"],
            reason=data["reason"],
        )  # fmt: skip
        found.setdefault(name, []).append(entry)
    return found
