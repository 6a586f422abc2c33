"""`backup`, `restore`: a whole workspace in one file, and back."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from curator.cli.console import out, progress, say
from curator.cli.opening import Here, opened
from curator.errors import UsageError
from curator.text import counted


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("backup")(backup)
    app.command("restore")(restore)


def backup(
    ctx: typer.Context,
    file: Annotated[Path | None, typer.Argument(metavar="FILE.zip", help="Else named after the workspace.")] = None,
) -> None:
    """Write one archive of the workspace: database, settings, documents, releases, holdout. Keep it as secret."""
    from curator.services.backup import back_up

    with opened(ctx) as context, progress() as bars:
        stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
        target = file or Path(f"{context.root.name}-{stamp}.zip")
        made = back_up(context, target, bars)
    out(made.path)
    files = counted(made.files, "file")
    say(f"{files}, {made.bytes:,} bytes; `curator restore {made.path} DIR` makes a workspace of it")


def restore(
    ctx: typer.Context,
    archive: Annotated[Path | None, typer.Argument(metavar="ARCHIVE.zip")] = None,
    folder: Annotated[Path | None, typer.Argument(metavar="DIR", help="Empty, or not there.")] = None,
    here: Annotated[
        bool, typer.Option("--here", help="Put the newest sound copy in the place of this workspace's database.")
    ] = False,
) -> None:
    """Make a workspace of an archive; or, with --here, mend this one from the newest of its daily copies."""
    from curator.services import backup as service

    if here:
        if archive is not None:
            raise UsageError("--here takes no archive", "`curator restore ARCHIVE.zip DIR` makes another workspace")
        where: Here = ctx.obj
        done = service.put_back(where.workspace.root)
        out(str(done.copy))
        say(f"is the database now; the one before lies at {done.aside}")
        return
    if archive is None or folder is None:
        raise UsageError("an archive and a folder are needed", "curator restore ARCHIVE.zip DIR, or --here")
    with progress() as bars:
        made = service.restore(archive, folder, bars)
    out(made.path)
    say(f"{counted(made.files, 'file')}, {made.bytes:,} bytes; open it with `curator -w {made.path}`")
