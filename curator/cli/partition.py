"""`curator partition`: dev and holdout, leaks between them, and the ledger of looks at the holdout."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import CheckFailed, UsageError
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.domain.ledger import Wear
    from curator.services.context import Context

DryRun = Annotated[bool, typer.Option("--dry-run", help="Say what would be done; store nothing.")]
Reason = Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why.")]
partition = typer.Typer(help="Dev and holdout: assign, show, check; the ledger.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(partition, name="partition")


@partition.command("assign")
def assign(
    ctx: typer.Context,
    case: Annotated[str, typer.Argument(metavar="CASE", help="Move this case and its group, with --to.")] = "",
    to: Annotated[Literal["", "dev", "holdout"], typer.Option("--to", help="The side to move to.")] = "",
    reason: Reason = "",
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Give a side to approved cases that have none; or move one with its group, for a reason."""
    if bool(case) != bool(to):
        raise UsageError("a case is moved to a side", "curator partition assign CASE --to dev --reason TEXT")
    with opened(ctx) as context:
        if case and to:
            _move(context, case, to, reason, dry_run, as_json)
            return
        from curator.services.partitions import assign as give

        with progress() as shown:
            made = give(context, dry_run=dry_run, progress=shown)
    if as_json:
        out_json(made)
        return
    for name, side in made.sides.items():
        out(f"{name}  {side}")
    verb = "would get" if dry_run else "got"
    say(
        f"{counted(len(made.sides), 'case')} {verb} a side, by {made.level}, seed {made.seed}, {made.share:.0%} holdout"
    )


def _move(
    context: Context, case: str, to: Literal["dev", "holdout"], reason: str, dry_run: bool, as_json: bool
) -> None:
    from curator.services.partitions import move

    with progress() as shown:
        made = move(context, case, to, reason, dry_run=dry_run, progress=shown)
    if as_json:
        out_json(made)
        return
    for name in made.cases:
        out(f"{name}  {made.to}")
    if made.suites:
        say(f"a major version of {', '.join(made.suites)}: a case changed its partition")
    if to == "holdout":
        say("who saw it in dev knows it: released versions hold its text")


@partition.command("show")
def show(ctx: typer.Context, as_json: Json = False) -> None:
    """Show how the cases lie, by stratum, and how worn the holdout is."""
    from curator.services.partitions import show as look

    with opened(ctx) as context, progress() as shown:
        found = look(context, progress=shown)
    if as_json:
        out_json(found)
        return
    out(", ".join(f"{n} {p}" for p, n in found.counts.items()))
    out(f"{counted(found.groups, 'group')} by {found.level}, the largest of {found.largest}; "
        f"{counted(found.joined, 'case shares', 'cases share')} one; seed {found.seed}")  # fmt: skip
    if found.unassigned:
        without = counted(found.unassigned, "approved case has", "approved cases have")
        say(f"{without} no side: `curator partition assign`")
    rows = [
        (s.stratum, s.cases, s.holdout, f"{'✓' if s.near else '!'} {s.share:.0%} of {found.target:.0%}", s.why)
        for s in found.strata
    ]
    table(("STRATUM", "CASES", "HOLDOUT", "SHARE", "WHY"), rows)
    _tell_wear(found.wear)


def _tell_wear(wear: Wear) -> None:
    out(f"{wear.words}: {', '.join(wear.people) or 'nobody'}")
    if wear.worn:
        say("draw new cases for the holdout, and report no improvement on this one alone")


@partition.command("check")
def check(ctx: typer.Context, as_json: Json = False) -> None:
    """Look for near-duplicates, shared sources and conversations across dev and holdout. Exit code 1 on a leak."""
    from curator.services.partitions import check as look

    with opened(ctx) as context, progress() as shown:
        found = look(context, progress=shown)
    if as_json:
        out_json(found)
    for leak in found.leaks if not as_json else ():
        out(f"! {leak.line}{'  (let pass by a waiver)' if leak.name in found.waived else ''}")
    number = len(found.leaks) - len(found.waived)
    if number:
        raise CheckFailed(
            f"{number} leak{'s' * (number != 1)} between dev and holdout", "reword, retire or move one side"
        )
    if not as_json:
        out(f"{counted(found.cases, 'case')}: no leak" + (f" but {len(found.waived)} let pass" if found.waived else ""))


@partition.command("ledger")
def ledger(
    ctx: typer.Context,
    withdraw: Annotated[int, typer.Option(metavar="N", min=0, help="Withdraw this entry, with --reason.")] = 0,
    record: Annotated[
        str, typer.Option(metavar="NAME[@VERSION]", help="Enter a look at this holdout elsewhere, with --reason.")
    ] = "",
    reason: Reason = "",
    as_json: Json = False,
) -> None:
    """List who looked at the holdout, when, why and at which version; enter a look; withdraw an entry."""
    from curator.services import ledger as service

    if withdraw and record:
        raise UsageError("one at a time", "--withdraw N or --record NAME@VERSION")
    with opened(ctx) as context:
        if withdraw:
            service.withdraw(context, withdraw, reason)
        if record:
            suite, _, version = record.partition("@")
            service.look_at_suite(context, suite, version, "elsewhere", reason)
        entries, wear = service.entries(context), service.worn(context)
    if as_json:
        out_json({"entries": [e.model_dump(by_alias=True) for e in entries], "wear": wear.model_dump(by_alias=True)})
        return
    rows = [
        (e.seq, e.at, e.actor, e.how, e.case_id or e.suite, e.version or "-",
         f"withdrawn: {one_line(e.withdrawn, 60)}" if e.withdrawn else one_line(e.reason, 60))
        for e in entries
    ]  # fmt: skip
    table(("ENTRY", "AT", "WHO", "HOW", "WHAT", "VERSION", "WHY"), rows, empty="nobody has looked")
    _tell_wear(wear)
