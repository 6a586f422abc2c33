"""`curator privacy`: look at what was found, confirm, allow, scan again, erase."""

from __future__ import annotations

from typing import Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import UsageError
from curator.text import counted, one_line, visible

Thing = Annotated[str, typer.Argument(metavar="ID", help="A failure (f12) or a case.")]
privacy = typer.Typer(help="Personal data: look, confirm, allow, scan, erase.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(privacy, name="privacy")


@privacy.command("show")
def show(ctx: typer.Context, name: Thing, as_json: Json = False) -> None:
    """The scrub view: every text of a failure or case, and each place that a person should look at."""
    from curator.domain.identity import CASE_ID
    from curator.services.ledger import look_at_case
    from curator.services.privacy import review

    with opened(ctx) as context:
        if CASE_ID.fullmatch(name):
            look_at_case(context, name, "privacy")
        seen = review(context, name)
    if as_json:
        out_json(seen)
        return
    for field, text in seen.fields:
        out(f"{field}: {visible(text)}")
    rows = [("blocks" if s.hard else "look", s.kind.replace("_", " "), s.key, one_line(s.text, 60)) for s in seen.spots]
    table(("", "kind", "place", "text"), rows, empty="nothing found; read it all the same before you confirm it")
    out(f"hash: {seen.hash}")
    out(f"{'confirmed' if seen.confirmed else 'not confirmed'}, detector {seen.detector}")


@privacy.command("confirm")
def confirm(
    ctx: typer.Context,
    name: Thing,
    digest: Annotated[str, typer.Option("--hash", help="As `privacy show` printed it: what you have read.")],
    tick: Annotated[list[str], typer.Option("--tick", metavar="PLACE", help="A place that is fine.")] = [],  # noqa: B006
    tick_all: Annotated[bool, typer.Option("--tick-all", help="I have looked at every place.")] = False,
) -> None:
    """Confirm that a text holds no personal data; bound to its hash and to the detector of today."""
    from curator.services import privacy as service

    with opened(ctx) as context:
        ticked = [s.key for s in service.review(context, name).spots if not s.hard] if tick_all else tick
        service.confirm(context, name, digest, ticked)
    say(f"{name}: confirmed")


@privacy.command("replace")
def replace(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="FAILURE", help="Id of the failure.")],
    value: Annotated[list[str], typer.Option("--text", help="Replace this text, wherever it stands in it.")],
    kind: Annotated[str, typer.Option("--kind", help="What it is: person, address, phone ...")] = "person",
) -> None:
    """Replace what the detector missed in a failure by a placeholder."""
    from curator.privacy.finding import REPLACED
    from curator.services import privacy as service

    if kind not in REPLACED:
        raise UsageError(f"there is no kind {kind!a}", f"use one of {', '.join(sorted(REPLACED))}")
    with opened(ctx) as context:
        service.replace_values(context, name, dict.fromkeys(value, kind))
    say(f"{name}: replaced")


@privacy.command("allow")
def allow(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Exactly this string.")] = "",
    reason: Annotated[str, typer.Option("--reason", help="Why it is no personal data.")] = "",
    kind: Annotated[str, typer.Option("--kind", help="Only as this kind.")] = "",
    case: Annotated[str, typer.Option("--case", help="Only in this case.")] = "",
    remove: Annotated[int, typer.Option("--remove", metavar="NUMBER", help="Take an entry off the list.")] = 0,
    as_json: Json = False,
) -> None:
    """Name a string as no personal data, with a reason; without a text: show the list."""
    from curator.services import privacy as service

    with opened(ctx) as context:
        if remove:
            service.disallow(context, remove)
        elif text:
            service.allow(context, text, reason, kind=kind, case_id=case)
        entries = service.allowed(context)
    if as_json:
        out_json([e._asdict() for e in entries])
    else:
        rows = [(e.seq, one_line(e.text, 40), e.kind, e.case_id, e.actor, one_line(e.reason, 60)) for e in entries]
        table(("number", "text", "kind", "case", "by", "reason"), rows)


@privacy.command("scan")
def scan(ctx: typer.Context, as_json: Json = False) -> None:
    """Look at every failure and case again, after an update of the detector. Exit code 1 on hard findings."""
    from curator.services.privacy import detector_for
    from curator.services.privacy import scan as service

    with opened(ctx) as context, progress() as shown:
        found = service(context, progress=shown)
        version = detector_for(context).version
    if as_json:
        out_json(found)
    else:
        rows = [(s.entity, s.id, s.hard, s.soft, "confirmed" if s.confirmed else "to be confirmed") for s in found]
        table(("what", "id", "hard", "soft", ""), rows, empty="nothing found")
        say(f"detector {version}")
    if any(s.hard for s in found):
        raise typer.Exit(1)


@privacy.command("erase")
def erase(
    ctx: typer.Context,
    reason: Annotated[str, typer.Option("--reason", help="Why; must not name what is erased.")],
    text: Annotated[list[str], typer.Option("--text", help="Erase this text wherever it stands.")] = [],  # noqa: B006
    failure: Annotated[list[str], typer.Option("--failure", metavar="FAILURE", help="Remove this failure.")] = [],  # noqa: B006
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    as_json: Json = False,
) -> None:
    """Erase personal data from rows, history, drafts, index, log and backups; a tombstone stays. Cannot be undone."""
    from curator.services.erasing import erase as service

    if not yes and not typer.confirm("This rewrites the history and every backup. Erase?", err=True):
        raise UsageError("nothing was erased", "add --yes to erase without a question")
    with opened(ctx) as context, progress() as shown:
        done = service(context, text, failure_ids=failure, reason=reason, progress=shown)
    if as_json:
        out_json(done)
        return
    out(f"erased: {counted(sum(done.rows.values()), 'row')} changed, {counted(done.failures, 'failure')} removed, "
        f"{counted(len(done.backups), 'backup')} rewritten; tombstone {done.tombstone}")  # fmt: skip
    for path in done.files:
        say(f"rewritten: {path}")
    for path in done.ratings:
        out(f"deleted: {path}, which held it; `curator sample-review export` writes it anew")
    for release in done.yanked:
        out(f"yanked: {release.suite} {release.version}")
        for file in release.files:
            say(f"  still holds it: {file}")
    for path in done.remaining:
        say(f"still holds it, and is not ours to change: {path}")
    if done.documents:
        say("a document says it: its PDF still does, in .curator/files too")
    say("not reached: archives of `curator backup`, and what was fetched, exported or copied out of the workspace")
