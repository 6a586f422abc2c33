"""`curator search`."""

from __future__ import annotations

from typing import Annotated, Literal

import typer

from curator.cli.console import out, out_json, progress, say
from curator.cli.opening import opened
from curator.text import one_line


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("search")(search)


def search(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words or a question; put -- before one like -fire.")],
    kind: Annotated[
        Literal["chunk", "row"] | None, typer.Option("--kind", help="Only chunks, or only table rows.")
    ] = None,
    document: Annotated[str, typer.Option("--doc", metavar="D", help="Only in this document.")] = "",
    limit: Annotated[int, typer.Option("-n", min=1, max=1000, help="Most results.")] = 20,
    lexical: Annotated[
        bool, typer.Option("--lexical", help="By words alone, even where the semantic extra is installed.")
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")] = False,
) -> None:
    """Find the chunks and table rows that answer a text, best first: the ids to cite."""
    from curator.services import documents
    from curator.services.search import search as find

    with opened(ctx) as context, progress() as shown:
        if document:
            documents.get(context, document)  # a misspelt id is an error, not an empty answer
        found = find(
            context, text, kind=kind or "", document=document, limit=limit, semantic=False if lexical else None,
            progress=shown,
        )  # fmt: skip
    if found.semantic != "on" and not lexical:
        say(f"semantic: {found.semantic}")
    if as_json:
        out_json(found)
        return
    for hit in found.hits:
        meaning = f"  meaning {hit.semantic:.2f}" if hit.semantic else ""
        out(f"{hit.source_id}  {hit.kind}  p. {hit.page}  words {hit.score:.2f}{meaning}")
        start, end = hit.snippet
        cut = ("… " if start else "") + one_line(hit.text[start:end]) + (" …" if end < len(hit.text) else "")
        out(f"  {cut}")
    if found.note:
        say(found.note)
