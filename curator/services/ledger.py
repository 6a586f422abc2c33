"""Looks at the holdout: entered, told, withdrawn with a reason, never undone."""

from __future__ import annotations

from collections.abc import Sequence

from curator.domain.ledger import HOWS, How, Look, Wear, wear
from curator.errors import UsageError
from curator.services import blind
from curator.services.blind import Seen
from curator.services.context import Context
from curator.store import cases, ledger
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
    blind.require_open(ctx, record)
    with ctx.db.write(ctx.actor_id or UNNAMED, ctx.now()) as tx:
        ledger.add(tx, how, case_id=name, version=f"v{record.version}", reason=reason)
    return True


def seen(ctx: Context, name: str, how: How, reason: str = "") -> Seen:
    """A case as the acting person may see it (services.blind.look), the look entered where it lies in the holdout.

    Raises:
        InputError: There is no such case.
        UsageError: It lies in the holdout, and who acts is an engineer.
    """
    look_at_case(ctx, name, how, reason)
    return blind.look(ctx, name)


def look_at_suite(ctx: Context, suite: str, version: str, how: str, reason: str) -> int:
    """Enter a look at the whole holdout of a released version; gives the number of the entry.

    The one call of whatever reads a released holdout, before it does: "fetch-holdout" before its files are copied,
    "gate" before answers to it are counted. A gate shows no text, so that an engineer may run it; all else is a lead's.

    Args:
        ctx: Open workspace.
        suite: Of curator.toml, or one that was released.
        version: That is looked at.
        how: One of `domain.ledger.HOWS`.
        reason: Why; of a gate what is released on it, such as the name of the run.

    Raises:
        UsageError: No reason, no such way to look, or who acts may not see the holdout.
    """
    if not reason.strip():
        raise UsageError("a look at the holdout has a reason", "add --reason TEXT")
    known = next((h for h in HOWS if h == how), None)
    if known is None:
        raise UsageError(f"{how!a} is no way to look", f"use one of {', '.join(HOWS)}")
    actor = ctx.actor("" if known == "gate" else "holdout")
    with ctx.db.write(actor.id, ctx.now()) as tx:
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
    hidden = ledger.hidden(tx)
    known = ({*hidden.values()} | ledger.reviewers(tx)) - {""}
    return wear(ledger.looks(tx), hidden, known, ctx.settings.partitions.worn_after)
