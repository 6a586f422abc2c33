"""`doctor`: whether what is stored is still what was stored."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say
from curator.cli.opening import Here, opened
from curator.cli.options import Json
from curator.errors import StorageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.services.doctor import Examination

SHOWN = 50


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("doctor")(doctor)


def doctor(
    ctx: typer.Context,
    full: Annotated[
        bool, typer.Option("--full", help="Read every row and every file, not the database alone.")
    ] = False,
    repair: Annotated[
        bool, typer.Option("--repair", help="Write a mended copy beside the database, which is not touched.")
    ] = False,
    bundle: Annotated[
        Path | None,
        typer.Option("--bundle", metavar="FILE.zip", help="Write a file for a bug report, without any text of yours."),
    ] = None,
    as_json: Json = False,
) -> None:
    """Look whether what is stored is still what was stored; one that cannot be opened, too. Nothing is changed."""
    found = _examined(ctx, full=full, target=bundle, as_json=as_json and not repair)
    if as_json and not repair:
        out_json(found)
    if not as_json:
        _tell(found)
    if repair:
        _mend(ctx, found, as_json=as_json)
    if found.problems:
        raise typer.Exit(1)


def _examined(ctx: typer.Context, *, full: bool, target: Path | None, as_json: bool) -> Examination:
    from curator.services.doctor import examine, examine_closed, not_opened, with_settings

    here: Here = ctx.obj
    wrong = here.workspace.forgo_settings()
    try:
        with opened(ctx, settings=wrong is None) as context, progress() as shown:
            found = with_settings(examine(context, full=full, progress=shown), wrong)
            _bundle(context, context.root, found, target)
            return found
    except StorageError as error:
        root = here.workspace.root
        found = examine_closed(root)
        if stands_in_the_way := not found.problems:  # it is sound, and something else does
            found = not_opened(found, error)
        found = with_settings(found, wrong)
        _bundle(None, root, found, target)
        if stands_in_the_way:
            if as_json:
                out_json(found)
            raise
        return found


def _bundle(context: Context | None, root: Path, found: Examination, target: Path | None) -> None:
    if target is not None:
        from curator.services.bundle import bundle

        bundle(context, root, found, target)
        say(f"{target}: versions, counts and codes, no text of yours; look into it before you send it")


def _tell(found: Examination) -> None:
    for problem in found.problems[:SHOWN]:
        out(problem.told)
    if len(found.problems) > SHOWN:
        out(f"and {len(found.problems) - SHOWN} more: --json lists all")
    for step in dict.fromkeys(p.hint for p in found.problems if p.hint):
        say(f"next: {step}")
    for line in found.advice:
        say(line)
    if not found.problems:
        files = f", {counted(found.files, 'file')}" if found.full else ""
        out(f"sound: {counted(found.documents, 'document')}, {counted(found.cases, 'case')}{files}, "
            f"schema {found.schema_number}, SQLite {found.sqlite}")  # fmt: skip


def _mend(ctx: typer.Context, found: Examination, *, as_json: bool) -> None:
    from curator.services.mending import mend

    here: Here = ctx.obj
    with progress() as shown:
        done = mend(here.workspace.root, progress=shown)
    if as_json:
        out_json(
            {
                "examination": found.model_dump(mode="json", by_alias=True),
                "mended": done.model_dump(mode="json", by_alias=True),
            }
        )
        return
    for line in done.told:
        say(line)
    out(done.path)
    say("`curator restore --here` puts it in the place of the database; nothing was changed there")
