"""`init`, `demo`, `parse`, `ingest`."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, out_text, progress, say
from curator.cli.opening import Here, opened
from curator.cli.options import Json
from curator.text import counted, visible

if TYPE_CHECKING:
    from curator.domain.document import Table

Jobs = Annotated[
    int,
    typer.Option("--jobs", "-j", min=0, max=64, help="Processes that read a file; else one a processor, at most 4."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Read and report; store nothing.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("init")(init)
    app.command("demo")(demo)
    app.command("parse")(parse)
    app.command("ingest")(ingest)


def init(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Made when it is not there.")] = Path(),
    keep_files: Annotated[
        bool, typer.Option("--keep-files/--no-keep-files", help="Keep a copy of every file that is ingested.")
    ] = True,
) -> None:
    """Make a folder a workspace; the acting person is its first lead."""
    from curator import environment, workspace
    from curator.errors import UsageError

    here: Here = ctx.obj
    if here.folder and folder not in (Path(), here.folder):
        raise UsageError(f"two folders: {here.folder} and {folder}", "name one: `curator init DIR`")
    made = workspace.create(here.folder or folder, here.actor or environment.default_actor(), keep_files=keep_files)
    out(f"{made.resolve()}")
    say("a workspace: put PDFs in datasets/ and run `curator ingest datasets/`, then `curator`")


def demo(
    ctx: typer.Context,
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A new folder.")] = Path("curator-demo"),
    no_app: Annotated[bool, typer.Option("--no-app", help="Do not open the app at the end.")] = False,
) -> None:
    """Make a ready workspace from the samples: ingest, cases, reviews, release, verify; then open the app."""
    from curator.cli.demonstration import LEAD, show

    show(folder)
    here: Here = ctx.obj
    if not no_app and here.has_terminal:
        from curator.workspace import Workspace

        raise typer.Exit(here.open_app(Workspace(folder, LEAD)))


def parse(
    file: Annotated[Path, typer.Argument(metavar="FILE.pdf", help="A PDF; no workspace is needed.")],
    as_json: Json = False,
    strict: Annotated[bool, typer.Option("--strict", help="Any page warning is exit code 3.")] = False,
    ocr: Annotated[
        bool | None,
        typer.Option("--ocr/--no-ocr", help="Recognize text on pages that are images; else where the extra is there."),
    ] = None,
    page: Annotated[int, typer.Option("--page", help="Read this page alone, with --engine.")] = 0,
    engine: Annotated[str, typer.Option("--engine", help="curator, camelot or ocr; with --page.")] = "",
    jobs: Jobs = 0,
) -> None:
    """Read a PDF and print what was found: pages, sections, chunks, tables and rows."""
    from curator.parsing import parse_json, parse_pdf

    if page or engine:
        _parse_page(file, page, engine or "curator", as_json)
        return
    with progress() as shown:
        document = parse_pdf(file, progress=shown, ocr=ocr, jobs=jobs)
    for warning in document.warnings:
        say(f"{file.name}: {warning.told}")
    if as_json:
        out_text(parse_json(document))
    else:
        rows = sum(len(t.rows) for t in document.tables)
        out(f"{document.file}: {counted(document.page_count, 'page')}, {counted(len(document.sections), 'section')}, "
            f"{counted(len(document.chunks), 'chunk')}, {counted(len(document.tables), 'table')} "
            f"with {counted(rows, 'row')}")  # fmt: skip
        _print_tables(document.tables)
    if not document.has_text or (strict and document.warnings):
        raise typer.Exit(3)


def _parse_page(file: Path, page: int, engine: str, as_json: bool) -> None:
    """One page read again by an engine: its tables with their rows."""
    from curator.errors import UsageError
    from curator.parsing import reread

    if not page:
        raise UsageError("--engine reads one page", "add --page N")
    with progress() as shown:
        reading = reread(file, page, engine, progress=shown)
    for warning in reading.warnings:
        say(f"{file.name}: {warning.told}")
    if as_json:
        out_json(reading)
        return
    out(f"{visible(file.name)}: page {page} by {reading.parser}: {counted(len(reading.tables), 'table')}")
    for table in reading.tables:
        _print_tables([table])
        for cells in (table.header, *(row.cells for row in table.rows)):
            out("    " + " | ".join(cells))


def _print_tables(tables: Iterable[Table]) -> None:
    """A line a table: where it came from and how sure that is; then what is asked about its rows."""
    for table in tables:
        pages = ", ".join(map(str, table.pages))
        sure = f"{table.origin} {table.confidence:.2f}"
        out(f"  {table.id}  p. {pages}  {counted(len(table.rows), 'row')}  {sure}  {table.title}")
        for row in table.rows:
            if row.question:
                out(f"    ? {row.id}: {row.question}")


def ingest(
    ctx: typer.Context,
    paths: Annotated[
        list[str] | None, typer.Argument(metavar="PATH", help="PDF files, and folders of them.", show_default=False)
    ] = None,
    document_id: Annotated[
        str, typer.Option("--id", help="Id of the document, for life; else from the file name.")
    ] = "",
    revision_of: Annotated[
        str, typer.Option("--revision-of", metavar="DOCUMENT", help="The file is a new revision of this document.")
    ] = "",
    each: Annotated[
        str, typer.Option("--each", metavar="new|revision", help="What every file is that may be a revision.")
    ] = "",
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take files as revisions where that is sure; leave the others.")
    ] = False,
    again: Annotated[
        bool,
        typer.Option("--again", help="Read files or documents that are here again; none: all read by older rules."),
    ] = False,
    title: Annotated[str, typer.Option(help="Title; else from the document.")] = "",
    domain: Annotated[str, typer.Option("--domain", help="Domain, such as school-health.")] = "",
    document_type: Annotated[str, typer.Option("--type", help="Kind of document, such as regulation.")] = "",
    language: Annotated[str, typer.Option(help="Language, such as en; else found out.")] = "",
    revision: Annotated[str, typer.Option(help="Name of this revision.")] = "",
    effective_from: Annotated[str, typer.Option(help="In force from this day, YYYY-MM-DD.")] = "",
    effective_to: Annotated[str, typer.Option(help="In force to this day, YYYY-MM-DD.")] = "",
    strict: Annotated[bool, typer.Option("--strict", help="Any page warning is exit code 3.")] = False,
    jobs: Jobs = 0,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Read PDFs into the workspace; each whole or not at all. The same file again changes nothing.

    A changed file is offered as a new revision of its document: it is asked on a terminal; else it is left, and told,
    unless --revision-of, --each or --yes says what it is.
    """
    from curator.cli.ingesting import confirming, tell
    from curator.errors import UsageError
    from curator.services import ingest as service

    facts = service.Facts(
        document_id=document_id, revision_of=revision_of, title=title, domain=domain,
        document_type=document_type, language=language,
        revision=revision, effective_from=effective_from, effective_to=effective_to,
    )  # fmt: skip
    if again and (facts != service.Facts() or each or yes):
        raise UsageError("--again reads what is here: nothing else is said of it", "leave the other options out")
    if not paths and not again:
        raise UsageError("no file is named", "see `curator ingest --help`")
    confirm = confirming(each, yes=yes)
    with opened(ctx) as context, progress() as shown:
        if again:
            from curator.services.readings import read_again_all

            results = read_again_all(context, paths or (), dry_run=dry_run, progress=shown, jobs=jobs)
        else:
            files = [Path(p) for p in paths or ()]
            results = service.ingest(context, files, facts, dry_run=dry_run, confirm=confirm, progress=shown, jobs=jobs)
    if as_json:
        out_json(service.report(results))
    for result in results:
        tell(result, as_json=as_json, again=again)
    if again and not results and not paths:
        say("no document was read by older rules")
        return
    if not results:
        say("no PDF there")
    raise typer.Exit(service.exit_code(results, strict=strict))
