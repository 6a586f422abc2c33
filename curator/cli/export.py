"""`curator export`: a released suite in the form that each evaluator reads."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.options import Json
from curator.errors import UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.cli.opening import Here
    from curator.exporting.targets.protocol import LongFollowUps

LIST = "list"


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("export")(export)


def export(
    ctx: typer.Context,
    release: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]", help="Suite, or a path exports/SUITE/VERSION; no version: the latest."
        ),
    ] = "",
    to: Annotated[
        str, typer.Option("--to", metavar="NAME,...|all|list", help="Evaluators by name; list describes them.")
    ] = "",
    long_followups: Annotated[
        str,
        typer.Option(metavar="refuse|split", help="Follow-ups with more turns than a format takes: leave out, or cut."),
    ] = "refuse",
    run: Annotated[
        Path | None, typer.Option(metavar="RUN.jsonl", help="Answers of a system, for formats that carry them.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Write a released suite in the form that evaluators read, each with a page of what it cannot carry."""
    names = [name.strip() for name in to.split(",") if name.strip()]
    if names == [LIST]:
        _list(as_json)
        return
    if not release or not names:
        raise UsageError("name a suite and what to export to", "`curator export --to list` describes the evaluators")
    if long_followups not in ("refuse", "split"):
        raise UsageError("--long-followups is refuse or split", "see `curator export --help`")
    choice: LongFollowUps = "split" if long_followups == "split" else "refuse"
    _export(ctx.obj, release, names, choice, run, as_json)


def _list(as_json: bool) -> None:
    from curator.services.targets import targets

    found = targets()
    if as_json:
        out_json(found)
        return
    table(("NAME", "EVALUATOR", "TESTED", "WHAT"), [(t.name, t.evaluator, t.tested, t.summary) for t in found])


def _export(
    here: Here, release: str, names: list[str], long_followups: LongFollowUps, run: Path | None, as_json: bool
) -> None:
    from curator.services.targets import export, released

    folder = Path(release) if "/" in release else released(here.workspace.root / "exports", release)
    with progress() as shown:
        made = export(folder, names, long_followups=long_followups, run=run, progress=shown)
    if as_json:
        out_json(made)
        return
    rows = [(t.name, t.cases, sum(t.left_out.values()), t.folder) for t in made.targets]
    table(("TARGET", "CASES", "LEFT OUT", "FOLDER"), rows)
    out(f"{made.suite} {made.version}: {counted(made.cases, 'case')}, {counted(len(made.targets), 'target')}")
    say("each folder says in LOST.md what its format cannot carry, and which cases are left out")
