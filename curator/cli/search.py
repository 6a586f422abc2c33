"""`curator search` and `curator suggest`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from curator.cli.console import out, out_json, progress, say
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import UsageError
from curator.text import one_line

if TYPE_CHECKING:
    from curator.progress import Progress
    from curator.services.context import Context
    from curator.services.suggestions import Suggested

Lexical = Annotated[bool, typer.Option("--lexical", help="By words alone, even where the semantic extra is installed.")]


def register(app: typer.Typer) -> None:
    """Add the commands."""
    app.command("search")(search)
    app.command("suggest")(suggest)


def search(
    ctx: typer.Context,
    text: Annotated[str, typer.Argument(metavar="TEXT", help="Words or a question; put -- before one like -fire.")],
    kind: Annotated[
        Literal["chunk", "row"] | None, typer.Option("--kind", help="Only chunks, or only table rows.")
    ] = None,
    document: Annotated[str, typer.Option("--doc", metavar="D", help="Only in this document.")] = "",
    limit: Annotated[int, typer.Option("-n", min=1, max=1000, help="Most results.")] = 20,
    lexical: Lexical = False,
    as_json: Json = False,
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
        out(f"  {_cut(hit.text, hit.snippet)}")
    if found.note:
        say(found.note)


def _cut(text: str, snippet: tuple[int, int]) -> str:
    start, end = snippet
    return ("… " if start else "") + one_line(text[start:end]) + (" …" if end < len(text) else "")


def suggest(
    ctx: typer.Context,
    case_id: Annotated[str, typer.Argument(metavar="CASE", help="Id of the case.", show_default=False)] = "",
    question: Annotated[
        list[str], typer.Option("--question", metavar="TEXT", help="For this question instead; again: its next turn.")
    ] = [],  # noqa: B006  Typer copies it
    limit: Annotated[int, typer.Option("-n", min=1, max=50, help="Most suggestions.")] = 12,
    accept: Annotated[
        list[str], typer.Option("--accept", metavar="SOURCE", help="Make a suggestion evidence of the case.")
    ] = [],  # noqa: B006
    role: Annotated[
        Literal["required", "supporting", "distractor"], typer.Option("--role", help="As what it is accepted.")
    ] = "required",
    reject: Annotated[
        list[str], typer.Option("--reject", metavar="SOURCE", help="Never suggest it for this case again.")
    ] = [],  # noqa: B006
    lexical: Lexical = False,
    as_json: Json = False,
) -> None:
    """Suggest evidence for a case, or for a question: best first, with scores. All turns are asked."""
    from curator.services import suggestions

    if bool(case_id) == bool(question):
        raise UsageError("name a case, or a question", "curator suggest CASE, or curator suggest --question TEXT")
    if question and (accept or reject):
        raise UsageError("suggestions are decided about for a case", "curator suggest CASE --accept SOURCE")
    if both := [name for name in accept if name in reject]:
        raise UsageError(f"{both[0]} is accepted and rejected", "choose one of the two")
    with opened(ctx) as context, progress() as shown:
        if accept or reject:
            suggestions.decide(
                context, case_id, accepted=dict.fromkeys(accept, role), rejected=reject,
                semantic=False if lexical else None, progress=shown,
            )  # fmt: skip
        found = _suggested(context, case_id, question, limit, lexical, shown)
    if found.semantic != "on" and not lexical:
        say(f"semantic: {found.semantic}")
    if as_json:
        out_json(found)
    else:
        _tell(found)


def _suggested(
    context: Context, case_id: str, question: Sequence[str], limit: int, lexical: bool, shown: Progress
) -> Suggested:
    from curator.domain.case import Case
    from curator.services import suggestions

    semantic = False if lexical else None
    if case_id:
        return suggestions.suggest_for(context, case_id, limit=limit, semantic=semantic, progress=shown)
    case = Case(turns=tuple(question))
    return suggestions.suggest(context, case, limit=limit, semantic=semantic, progress=shown)


def _tell(found: Suggested) -> None:
    from curator.domain.suggestion import BY

    if found.behavior:
        say(f"suggested behavior, nobody has confirmed it: {one_line(found.behavior)}; set it with case edit")
    for s in found.suggestions:
        meaning = f"  meaning {s.proposal.meaning:.2f}" if s.proposal.meaning else ""
        marked = f"  ● {s.role}" if s.role else ""
        page = f"p. {one_line(s.page_label) or s.page}"
        how = BY.get(s.proposal.method) or f"words {s.proposal.score:.2f}{meaning}"
        out(f"{s.proposal.rank:2}  {s.source_id}  {s.kind}  {page}  {how}{marked}")
        section = " › ".join(one_line(part) for part in s.section_path[-1:])
        out(f"    {one_line(s.title)}{f' › {section}' if section else ''}")
        out(f"    {_cut(s.text, s.snippet)}")
    if found.rejected:
        say(f"{found.rejected} rejected before")
    if found.note:
        say(found.note)
