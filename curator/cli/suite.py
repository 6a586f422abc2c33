"""`curator suite`: releases of suites."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.errors import UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.services.context import Context

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
suite = typer.Typer(help="Suites: release, reproduce, verify.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(suite, name="suite")


@suite.command("list")
def list_(ctx: typer.Context, as_json: Json = False) -> None:
    """List the suites of curator.toml with their cases, gaps and versions."""
    from curator.services.release import suites

    with opened(ctx) as context:
        found = suites(context)
    if as_json:
        out_json(found)
        return
    rows = [(s.name, s.cases, s.latest or "-", "; ".join(g.words for g in s.gaps) or "none") for s in found]
    table(("SUITE", "CASES", "LATEST", "GAPS"), rows, empty="no suites: add [suites.NAME] to curator.toml")


@suite.command("release")
def release(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Suite of curator.toml.")] = "",
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Say what would be released; write nothing.")] = False,
    waive: Annotated[
        str, typer.Option(metavar="REASON", help="Let every gap and leak pass; the manifest says why.")
    ] = "",
    reproduce: Annotated[
        Path | None, typer.Option(metavar="MANIFEST", help="Make the bytes of this manifest again and compare.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Freeze the approved cases of a suite as its next version, whole or not at all."""
    if bool(name) == bool(reproduce):
        raise UsageError("name a suite, or a manifest to reproduce", "`curator suite list` shows the suites")
    with opened(ctx) as context:
        if reproduce:
            _reproduce(context, reproduce, as_json)
        else:
            _release(context, name, dry_run, waive, as_json)


def _release(context: Context, name: str, dry_run: bool, waive: str, as_json: bool) -> None:
    from curator.services.obstacles import Refused
    from curator.services.release import release

    try:
        with progress() as shown:
            made = release(context, name, dry_run=dry_run, waive=waive, progress=shown)
    except Refused as refused:
        for obstacle in refused.obstacles:
            say(f"! {obstacle.line}")
        raise
    if as_json:
        out_json(made)
        return
    counts = ", ".join(f"{n} {p}" for p, n in made.counts.items() if n)
    words = {"new": "released", "same": "unchanged since", "dry run": "would be"}
    out(f"{made.suite} {words[made.outcome]} {made.version}: {counted(made.cases, 'case')} ({counts})")
    for gap in made.gaps:
        say(f"gap: {gap.words}")
    for obstacle in made.obstacles:
        if obstacle.kind != "gap":
            say(f"! {obstacle.line}")
    if made.outcome == "new":
        out(f"  {made.folder}")
        if made.holdout:
            out(f"  {made.holdout} (holdout; git-ignored)")
    if made.outcome == "dry run":
        for change in made.changes:
            out(f"  {change.id}: {change.what} ({change.level}) {', '.join(change.fields)}".rstrip())


def _reproduce(context: Context, manifest: Path, as_json: bool) -> None:
    from curator.services.reproduce import reproduce

    with progress() as shown:
        made = reproduce(context, manifest, progress=shown)
    if as_json:
        out_json(made)
    else:
        for name in made.same:
            out(f"same       {name}")
        for name in made.different:
            out(f"different  {name}")
        out(f"{made.suite} {made.version}: " + ("other bytes" if made.different else "the same bytes"))
    if made.different:
        raise typer.Exit(1)


@suite.command("verify")
def verify(
    folder: Annotated[Path, typer.Argument(metavar="PATH", help="exports/SUITE/VERSION, or exports/SUITE.")],
    holdout: Annotated[Path | None, typer.Option(help="Folder of its holdout pair, to be checked too.")] = None,
    as_json: Json = False,
) -> None:
    """Check a released folder by itself: every byte, every rule. No workspace is needed."""
    from curator.services.verifying import verify

    problems = verify(folder, holdout)
    if as_json:
        out_json({"path": str(folder), "problems": list(problems)})
    else:
        for problem in problems:
            out(problem)
        out(f"{folder}: " + (counted(len(problems), "problem") if problems else "sound"))
    if problems:
        raise typer.Exit(1)
