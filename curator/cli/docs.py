"""`curator docs`: the documents of a workspace, their sections, rows and text."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli import reconfirm, repair
from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import InputError, UsageError
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.services.readings import RevisionTold

Document = Annotated[str, typer.Argument(metavar="DOCUMENT", help="Id of the document.")]
NAMED = 5
docs = typer.Typer(help="Documents: what was ingested, and what can be cited in it.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    docs.add_typer(reconfirm.group, name="reconfirm")
    docs.add_typer(repair.group, name="repair")
    app.add_typer(docs, name="docs")


@docs.command("list")
def list_(
    ctx: typer.Context,
    contains: Annotated[str, typer.Option("--contains", help="Only ids, titles and domains with this text.")] = "",
    as_json: Json = False,
) -> None:
    """List the documents."""
    from curator.services import documents
    from curator.services.outdated import is_older, outdated

    with opened(ctx) as context:
        found = documents.page_of(context, limit=0, contains=contains)
        old = outdated(context)
    older = [d.id for d in found if is_older(d.revision.parser, old.parser)]
    if older:
        names = ", ".join(older[:NAMED]) + (" ..." if len(older) > NAMED else "")
        say(f"{len(older)} read by older rules than {old.parser}: {names}: `curator ingest --again` reads them again")
    if as_json:
        out_json(found)
        return
    table(
        ("DOCUMENT", "PAGES", "CHUNKS", "ROWS", "DOMAIN", "TITLE"),
        [(d.id, d.revision.pages, d.chunks, d.rows, d.domain or "-", one_line(d.title, 60)) for d in found],
        empty="no documents yet: `curator ingest PATH`",
    )


@docs.command("show")
def show(
    ctx: typer.Context,
    document: Document,
    page: Annotated[
        int | None, typer.Option("--page", "-p", min=1, help="Print the text and sources of this page.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Show a document, or one page of it."""
    from curator.services import documents
    from curator.services.comparing import versions
    from curator.services.readings import revisions_of

    with opened(ctx) as context:
        found = documents.get(context, document)
        revisions, read = revisions_of(context, document), versions(context, document)
        if page:
            if page > found.revision.pages:
                raise InputError(
                    f"{found.id} has {counted(found.revision.pages, 'page')}, no page {page}", "count from 1"
                )
            shown = documents.pages(context, document, page, page)
            sources = documents.sources_on(context, document, page, page)
    if not page:
        if as_json:
            lines = [r.model_dump(mode="json", by_alias=True) for r in revisions]
            out_json(found.model_dump(mode="json", by_alias=True) | {"revisions": lines})
            return
        out(f"{found.id}: {found.title}")
        counts = (
            f"{counted(found.revision.pages, 'page')}, {counted(found.chunks, 'chunk')}, {counted(found.rows, 'row')}"
        )
        out(f"  {counts}, language {found.language or '?'}")
        out(f"  revision {found.revision.label}, {found.revision.file}, sha256 {found.revision.sha256}")
        for warning in found.revision.warnings:
            out(f"  {warning.told}")
        for told in revisions:
            out(f"  {_told(told, current=told.label == found.revision.label)}")
        if len(read) > len(revisions):
            out("  readings, for `curator docs diff`:")
            for side in read:
                out(f"    {side.name}  {side.at[:10]}  by {side.parser}")
        return
    if as_json:
        out_json({"page": [p.model_dump(by_alias=True) for p in shown],
                  "sources": [s.model_dump(mode="json", by_alias=True) for s in sources]})  # fmt: skip
        return
    for source in sources:
        out(f"[{source.id}]")
        for line in source.anchor.text.splitlines():
            out(f"  {line}")


def _told(line: RevisionTold, *, current: bool) -> str:
    """A revision in one line."""
    often = f", read {line.reading} times" if line.reading > 1 else ""
    kept = ", a copy is kept" if line.kept else ""
    mark = "*" if current else " "
    at = line.ingested_at[:10]
    return (
        f"{mark} revision {line.label}  {at}  {counted(line.pages, 'page')}  {line.file}  by {line.parser}{often}{kept}"
    )


@docs.command("sections")
def sections(ctx: typer.Context, document: Document, as_json: Json = False) -> None:
    """List the headings of a document."""
    from curator.services import documents

    with opened(ctx) as context:
        found = documents.sections(context, document)
    if as_json:
        out_json(found)
        return
    for section in found:
        out(f"{section.page:>5}  {'  ' * (section.level - 1)}{section.title}")


@docs.command("rows")
def rows(
    ctx: typer.Context,
    document: Document,
    contains: Annotated[str, typer.Option("--contains", help="Only rows with this text.")] = "",
    limit: Annotated[int, typer.Option("-n", min=0, help="Most rows; 0 = all.")] = 0,
    as_json: Json = False,
) -> None:
    """List the table rows of a document: the ids to cite."""
    from curator.services import documents

    with opened(ctx) as context:
        found = documents.rows(context, document, contains=contains, limit=limit)
    if as_json:
        out_json(found)
        return
    table(
        ("SOURCE", "PAGE", "CELLS"),
        [(s.id, s.anchor.page, one_line(" | ".join(s.anchor.cells), 100)) for s in found],
        empty="no such rows",
    )


@docs.command("rename")
def rename(
    ctx: typer.Context,
    name: Annotated[str, typer.Argument(metavar="NAME", help="Id of a document, or of a source (it has a colon).")],
    new: Annotated[str, typer.Argument(metavar="NEW", help="Its id from now on.")],
    as_json: Json = False,
) -> None:
    """Give a document or a source another id; the old one stays an alias and works everywhere."""
    from curator.services import renaming

    with opened(ctx) as context:
        done = renaming.rename(context, name, new)
    if as_json:
        out_json(done)
    else:
        out(f"{done.kind} {done.before} is {done.after}")


@docs.command("diff")
def diff(
    ctx: typer.Context,
    one: Annotated[str, typer.Argument(metavar="A", help="DOCUMENT, DOCUMENT@REVISION or DOCUMENT@REVISION#READING.")],
    two: Annotated[str, typer.Argument(metavar="B", help="The same; without it A and what stood before it.")] = "",
    only: Annotated[
        str, typer.Option("--only", help="Only these outcomes: form, moved, changed, gone, new; commas between.")
    ] = "",
    as_json: Json = False,
) -> None:
    """Compare two revisions, readings or documents, source by source; what differs is shown as [-gone-] {+new+}."""
    from curator.services.comparing import OUTCOMES, compare

    wanted = [word.strip() for word in only.split(",") if word.strip()] or OUTCOMES
    if unknown := [word for word in wanted if word not in OUTCOMES]:
        raise UsageError(f"no outcome {unknown[0]!a}", f"there are {', '.join(OUTCOMES[1:])}")
    with opened(ctx) as context, progress() as shown:
        found = compare(context, one, two, progress=shown)
    found = found.model_copy(update={"entries": tuple(e for e in found.entries if e.outcome in wanted)})
    if as_json:
        out_json(found)
        return
    for entry in found.entries:
        name = entry.source_id or entry.other_id
        also = f" -> {entry.other_id}" if entry.source_id and entry.other_id not in ("", entry.source_id) else ""
        out(f"{entry.outcome}  {name}{also}  p. {entry.page or '-'} -> {entry.other_page or '-'}")
        for line in reconfirm.marked(entry.pieces).splitlines():
            out(f"  {line}")
    counts = ", ".join(f"{n} {outcome}" for outcome, n in found.counts.items()) or "nothing on either side"
    say(f"{found.one.name} against {found.two.name}: {counts}")
