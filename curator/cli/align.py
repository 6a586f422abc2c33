"""`curator align`: a released suite in the ids of the evaluated system's own chunks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.options import Json
from curator.text import counted

if TYPE_CHECKING:
    from curator.cli.opening import Here
    from curator.exporting.aligned import AlignmentReport

SHOWN = 20


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("align")(align)


def align(
    ctx: typer.Context,
    chunks: Annotated[Path, typer.Argument(metavar="CHUNKS.jsonl", help="All chunks, in the order of their cutting.")],
    release: Annotated[
        str,
        typer.Argument(
            metavar="NAME[@VERSION]", help="Suite, or a path exports/SUITE/VERSION; no version: the latest."
        ),
    ],
    to: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write; else VERSION.targets/align beside the release.")
    ] = None,
    check: Annotated[
        bool, typer.Option("--check", help="Exit 1 when required evidence is missing or torn from its table.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Find which of a system's own chunks hold each expected source: whole, split, torn from its table, or missing."""
    from curator.services.alignment import align as run
    from curator.services.targets import released

    here: Here = ctx.obj
    folder = Path(release) if "/" in release else released(here.workspace.root / "exports", release)
    with progress() as shown:
        report, place = run(chunks, folder, to=to, progress=shown)
    if as_json:
        out_json(report)
    else:
        _tell(report, place)
    for row in report.chunks.rejected[:SHOWN]:
        say(f"{report.chunks.file}, line {row.row}: {': '.join(p for p in (row.column, row.reason) if p)}")
    if (more := report.chunks.rejected_count - len(report.chunks.rejected[:SHOWN])) > 0:
        say(f"{report.chunks.file}: {more} more rejected")
    for warning in report.warnings:
        say(warning)
    if report.chunks.rejected_count:
        raise typer.Exit(3)
    if check and (report.required.missing or report.required.torn):
        raise typer.Exit(1)


def _tell(report: AlignmentReport, place: Path) -> None:
    rows = [(c.kind, c.whole, c.split, c.torn, c.missing) for c in (*report.counts, report.required)]
    table(("PASSAGES", "WHOLE", "SPLIT", "TORN", "MISSING"), rows)
    for entry in report.worst[:SHOWN]:
        if entry.found != "whole":
            lost = "title, header and row do not survive together" if entry.found == "torn" else entry.why
            out(f"{entry.found:8} {entry.source_id}  {lost}".rstrip())
    left = f", {len(report.left_out)} left out" if report.left_out else ""
    out(f"{report.suite} {report.version}: {counted(report.cases, 'case')} in the ids of {report.chunks.file}{left}")
    out(f"  {place}")
