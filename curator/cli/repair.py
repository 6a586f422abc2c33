"""`curator docs repair`: what a person puts right in the tables of a document."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import UsageError

if TYPE_CHECKING:
    from curator.domain.document import Source
    from curator.domain.repair import Put, Repair
    from curator.services.context import Context
    from curator.services.repair import RepairDone

CUT = "||"
Row = Annotated[str, typer.Argument(metavar="ROW", help="Id of a table row.")]
InTable = Annotated[str, typer.Argument(metavar="ROW", help="Id of any row of the table.")]
File = Annotated[
    Path | None, typer.Option("--file", metavar="PATH", help="The file, when it is not in the workspace's folder.")
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Show the tables, store nothing.")]
group = typer.Typer(
    help="Repair tables: cells, headers, rows, false tables. `case undo` takes the last repair back.",
    no_args_is_help=True,
)


@group.command("cell")
def cell(
    ctx: typer.Context,
    row: Row,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Its number from 1, or what stands over it.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What really stands there.")],
    as_json: Json = False,
) -> None:
    """Say what really stands in a cell."""
    from curator.domain.repair import CellFix

    _on_row(ctx, row, lambda s: CellFix(row=s.id, column=_column(s, column), text=text), as_json)


@group.command("label")
def label(
    ctx: typer.Context,
    row: InTable,
    column: Annotated[str, typer.Argument(metavar="COLUMN", help="Its number from 1, or what stands over it.")],
    text: Annotated[str, typer.Argument(metavar="TEXT", help="What really stands over it, levels joined by ' > '.")],
    as_json: Json = False,
) -> None:
    """Say what really stands over a column."""
    from curator.domain.repair import LabelFix

    _on_row(ctx, row, lambda s: LabelFix(table=s.anchor.table_id, column=_column(s, column), text=text), as_json)


@group.command("title")
def title(
    ctx: typer.Context,
    row: InTable,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Its title.")],
    as_json: Json = False,
) -> None:
    """Say what the title of a table is."""
    from curator.domain.repair import TitleFix

    _on_row(ctx, row, lambda s: TitleFix(table=s.anchor.table_id, text=text), as_json)


@group.command("header")
def header(
    ctx: typer.Context,
    row: InTable,
    rows: Annotated[int, typer.Argument(metavar="N", min=0, help="Rows from the top, the header of today counted in.")],
    as_json: Json = False,
) -> None:
    """Say how many rows of a table are its header."""
    from curator.domain.repair import HeaderRows

    _on_row(ctx, row, lambda s: HeaderRows(table=s.anchor.table_id, rows=rows), as_json)


@group.command("split")
def split(
    ctx: typer.Context,
    row: Row,
    cells: Annotated[
        list[str], typer.Argument(metavar="CELL...", help="Every cell; || in it: what follows is the second row's.")
    ],
    as_json: Json = False,
) -> None:
    """Make two rows of one: "Measles || Rubella" "4 || 7". The second gets an id of its own."""
    from curator.domain.repair import Split

    halves = [c.partition(CUT) for c in cells]
    first, second = tuple(a for a, _, _ in halves), tuple(b for _, _, b in halves)
    _on_row(ctx, row, lambda s: Split(row=s.id, first=first, second=second), as_json)


@group.command("join")
def join(
    ctx: typer.Context,
    row: Row,
    other: Annotated[str, typer.Argument(metavar="OTHER", help="The row right under it.")],
    as_json: Json = False,
) -> None:
    """Make one row of two; the id of the second speaks of it from then on."""
    from curator.domain.repair import Join

    _on_row(ctx, row, lambda s: Join(row=s.id, other=other), as_json)


@group.command("apart")
def apart(ctx: typer.Context, row: Row, as_json: Json = False) -> None:
    """Say of a row under a page break that it is not the rest of the row above."""
    from curator.domain.repair import Apart

    _on_row(ctx, row, lambda s: Apart(row=s.id), as_json)


@group.command("drop")
def drop(ctx: typer.Context, row: InTable, as_json: Json = False) -> None:
    """Say of a table that it is none: its text becomes running text."""
    from curator.domain.repair import Drop

    _on_row(ctx, row, lambda s: Drop(table=s.anchor.table_id), as_json)


@group.command("region")
def region(
    ctx: typer.Context,
    texts: Annotated[list[str], typer.Argument(metavar="SOURCE...", help="Ids of the chunks that are a table.")],
    file: File = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Say of running text that it is a table: its columns are the gaps that its lines keep."""
    from curator.services import repair_pages

    with opened(ctx) as context, progress() as shown:
        wanted = repair_pages.read_region(context, texts, file, progress=shown)
        _put(context, texts[0], wanted, dry_run, as_json)


@group.command("reread")
def reread(
    ctx: typer.Context,
    document: Annotated[str, typer.Argument(metavar="DOCUMENT", help="Id of the document.")],
    page: Annotated[int, typer.Argument(metavar="PAGE", min=1, help="Number of the page, from 1.")],
    engine: Annotated[str, typer.Option("--engine", help="camelot, ocr (extras) or curator.")] = "camelot",
    tables: Annotated[
        list[int], typer.Option("--table", metavar="N", help="Take only this one of the tables shown, from 1.")
    ] = [],  # noqa: B006
    file: File = None,
    dry_run: DryRun = False,
    as_json: Json = False,
) -> None:
    """Read the tables of a page again by another engine; rows that read the same keep their ids."""
    from curator.services import repair_pages

    with opened(ctx) as context, progress() as shown:
        wanted = repair_pages.read_again(context, document, page, engine, file, progress=shown)
        if tables:
            wanted = repair_pages.part_of(context, document, wanted, [n - 1 for n in tables])
        _put(context, document, wanted, dry_run, as_json)


@group.command("list")
def list_(
    ctx: typer.Context,
    document: Annotated[str, typer.Argument(metavar="[DOCUMENT]", help="Only of this document.")] = "",
    waiting: Annotated[
        bool, typer.Option("--waiting", help="Only those that could not be made again in a new revision.")
    ] = False,
    as_json: Json = False,
) -> None:
    """List the repairs of current revisions."""
    from curator.services.repair import listed

    with opened(ctx) as context:
        found = listed(context, document, states=("waiting",) if waiting else ("done", "waiting"))
    if as_json:
        out_json(found)
        return
    table(
        ("NUMBER", "STATE", "DOCUMENT", "REVISION", "REPAIR", "OF"),
        [(r.number, r.state, r.document_id, r.revision, r.repair.kind, _subject(r.repair)) for r in found],
        empty="no repairs",
    )


@group.command("dismiss")
def dismiss(
    ctx: typer.Context,
    numbers: Annotated[list[int], typer.Argument(metavar="NUMBER...", help="Numbers of repairs that wait.")],
    as_json: Json = False,
) -> None:
    """Say of repairs that wait that the new revision does not need them."""
    from curator.services import repair

    with opened(ctx) as context:
        done = repair.dismiss(context, numbers)
    if as_json:
        out_json({"dismissed": done})
    else:
        for number in done:
            out(f"{number}  dismissed")


def _subject(wanted: Repair) -> str:
    for name in ("row", "table"):
        if value := getattr(wanted, name, ""):
            return str(value)
    return f"page {getattr(wanted, 'page', 0)}"


def _column(source: Source, said: str) -> int:
    """The column, from 0, that a number from 1 or the words over it mean."""
    if said.isdecimal():
        return int(said) - 1
    header = [h.casefold() for h in source.anchor.table_header]
    found = [n for n, h in enumerate(header) if h == said.casefold()] or [
        n for n, h in enumerate(header) if h.rsplit(" > ", 1)[-1] == said.casefold()
    ]
    if len(found) != 1:
        raise UsageError(f"{'no' if not found else 'more than one'} column {said!a}", "give its number, from 1")
    return found[0]


def _on_row(ctx: typer.Context, row: str, make: Callable[[Source], Repair], as_json: bool) -> None:
    from curator.services import documents, repair

    with opened(ctx) as context:
        source = documents.source(context, row)
        if source.kind != "row":
            raise UsageError(f"{source.id} is no row of a table", "`curator docs rows DOCUMENT` lists them")
        done = repair.repair(context, source.document_id, make(source))
    _tell(done, as_json)


def _put(context: Context, name: str, wanted: Put, dry_run: bool, as_json: bool) -> None:
    """Show what was read, or repair by it; name: a source of the document, or the document."""
    from curator.services import documents, repair

    if dry_run:
        if as_json:
            out_json(wanted)
            return
        for number, found in enumerate(wanted.tables, 1):
            out(f"{number}  {found.title or 'a table'}  ({found.origin}, {found.confidence:.2f})")
            table(tuple(h or "-" for h in found.header), [r.cells for r in found.rows], empty="no rows")
        return
    document = documents.source(context, name).document_id if ":" in name else name
    _tell(repair.repair(context, document, wanted), as_json)


def _tell(done: RepairDone, as_json: bool) -> None:
    if as_json:
        out_json(done)
    else:
        joined = dict(done.joined)
        for word, names in (("changed", done.changed), ("new", done.new), ("gone", done.gone)):
            for name in names:
                out(f"{name}  {word}")
        for gone, kept in joined.items():
            out(f"{gone}  joined into {kept}")
    if done.stale:
        say(f"stale, until they are re-confirmed: {', '.join(done.stale)}")
