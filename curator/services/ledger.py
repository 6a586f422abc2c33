"""Looks at the holdout: entered, told, withdrawn with a reason, never undone."""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.ledger import HOWS, How, Look, Wear, wear
from curator.errors import UsageError
from curator.services.context import Context
from curator.store import cases, ledger, placing
from curator.store.database import Transaction

UNNAMED = "unnamed"
"""Who looked when nobody said who they are."""


def look_at_case(ctx: Context, name: str, how: How, reason: str = "") -> bool:
    """Enter that the acting person looks at a case; gives whether it lies in the holdout. Others are not entered.

    What its author or a labeler sees while they work on it is entered too: they know it.

    Raises:
        InputError: There is no such case.
        UsageError: It lies in the holdout, and who acts is an engineer: they see none of it.
    """
    with ctx.db.read() as tx:
        record = cases.get(tx, name)
    if record.side != "holdout":
        return False
    person = ctx.settings.people.get(ctx.actor_id)
    if person and person.role == "engineer":
        raise UsageError(f"{name} lies in the holdout, of which an engineer sees nothing", "ask a lead")
    with ctx.db.write(ctx.actor_id or UNNAMED, ctx.now()) as tx:
        ledger.add(tx, how, case_id=name, version=f"v{record.version}", reason=reason)
    return True


def look_at_suite(ctx: Context, suite: str, version: str, how: str, reason: str) -> int:
    """Enter a look at the whole holdout of a released version; gives the number of the entry.

    Raises:
        UsageError: No reason, no such way to look, or who acts may not see the holdout.
    """
    if not reason.strip():
        raise UsageError("a look at the holdout has a reason", "add --reason TEXT")
    known = next((h for h in HOWS if h == how), None)
    if known is None:
        raise UsageError(f"{how!a} is no way to look", f"use one of {', '.join(HOWS)}")
    with ctx.write("holdout") as tx:
        return ledger.add(tx, known, suite=suite, version=version, reason=reason.strip())


def withdraw(ctx: Context, number: int, reason: str) -> None:
    """Say why an entry is none.

    Raises:
        UsageError: No reason, or who acts is no lead.
        InputError: There is no such entry.
    """
    if not reason.strip():
        raise UsageError("an entry is withdrawn with a reason", "add --reason TEXT")
    with ctx.write("holdout") as tx:
        ledger.withdraw(tx, number, reason.strip())


def entries(ctx: Context) -> Sequence[Look]:
    """The whole ledger, in order."""
    with ctx.db.read() as tx:
        return ledger.looks(tx)


def worn(ctx: Context) -> Wear:
    """How worn the holdout is, and who knows it."""
    with ctx.db.read() as tx:
        return wear_of(ctx, tx)


def wear_of(ctx: Context, tx: Transaction) -> Wear:
    """As `worn`, in an open transaction."""
    hidden = {c.id for c in placing.placed(tx) if c.side == "holdout"}
    known = ledger.authors_and_reviewers(tx)
    return wear(ledger.looks(tx), hidden, known, ctx.settings.partitions.worn_after)
