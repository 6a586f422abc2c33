"""`curator docs reconfirm`: what waits since a new revision, and what a person decides about it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import UsageError
from curator.text import counted, one_line

if TYPE_CHECKING:
    from curator.domain.revision import Piece
    from curator.services.reconfirm import Reconfirmed

Sources = Annotated[list[str], typer.Argument(metavar="SOURCE", help="Ids of sources that wait.")]
Document = Annotated[str, typer.Option("--doc", metavar="DOCUMENT", help="Only of this document.")]
group = typer.Typer(
    help="Re-confirm what a new revision changed: one decision a source serves all cases on it.", no_args_is_help=True
)


@group.command("list")
def list_(
    ctx: typer.Context,
    document: Document = "",
    verdict: Annotated[list[str], typer.Option("--verdict", help="Only these: CHANGED, LOST ...")] = [],  # noqa: B006
    cited: Annotated[bool, typer.Option("--cited", help="Only sources that a case cites.")] = False,
    check: Annotated[bool, typer.Option("--check", help="Exit code 1 when anything waits.")] = False,
    as_json: Json = False,
) -> None:
    """List the sources, and the refusals for silence, that wait for a person; those that cases cite first."""
    from curator.domain.revision import VERDICTS
    from curator.services import reconfirm

    wanted = [v.upper() for v in verdict]
    if unknown := [v for v in wanted if v not in VERDICTS]:
        raise UsageError(f"no verdict {unknown[0]!a}", f"use {', '.join(VERDICTS[1:])}")
    with opened(ctx) as context:
        waits = reconfirm.waiting(context, document, verdicts=wanted, cited=cited)
        hits = [h for h in reconfirm.refusals(context) if not document or h.document_id == document]
    if as_json:
        out_json({"sources": [w.model_dump(mode="json", by_alias=True) for w in waits],
                  "refusals": [h.model_dump(mode="json", by_alias=True) for h in hits]})  # fmt: skip
    else:
        table(
            ("SOURCE", "VERDICT", "SCORE", "DIFFERENCE", "CASES", "PROPOSED"),
            [(w.source_id, w.verdict, f"{w.score:.0f}", w.difference, w.cases, w.target or "-") for w in waits],
            empty="no source waits",
        )
        for hit in hits:
            out(f"refusal {hit.case_id}: {hit.source_id} has {hit.share:.0%} of {one_line(hit.question, 80)}")
    if check and (waits or hits):
        raise typer.Exit(1)


@group.command("show")
def show(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Id of a source that waits.")],
    beside: Annotated[str, typer.Option("--beside", metavar="SOURCE", help="Beside this source instead.")] = "",
    as_json: Json = False,
) -> None:
    """Show what a source said, what is proposed for it, and the words that differ: [-gone-] {+new+}."""
    from curator.services import reconfirm

    with opened(ctx) as context:
        found = reconfirm.look(context, source, beside)
    if as_json:
        out_json(found)
        return
    wait, old = found.wait, found.old
    cases = counted(wait.cases, "case")
    out(f"{wait.source_id}  {wait.verdict}  {wait.score:.0f}  {wait.difference}  {cases}  {wait.state}")
    out(f"  was on p. {old.page_label or old.page} of revision {found.old_revision}"
        + (f", is {wait.target} on p. {found.new.page_label or found.new.page}" if found.new else ""))  # fmt: skip
    for line in (marked(found.pieces) if found.new else old.text).splitlines():
        out(f"  {line}")
    for candidate in wait.candidates[1:] if found.new else wait.candidates:
        out(f"  or {candidate.source_id}  {candidate.score:.0f}")


def marked(pieces: Sequence[Piece]) -> str:
    """A difference as one text, what is gone in [- -] and what is new in {+ +}."""
    from curator.domain.revision import SIGNS

    found = []
    for piece in pieces:
        before, after = SIGNS[piece.kind] if piece.kind != "both" else ("", "")
        text = piece.text.rstrip()
        found.append(f"{before}{text}{after}{piece.text[len(text) :]}")
    return "".join(found)


@group.command("accept")
def accept(
    ctx: typer.Context,
    names: Annotated[list[str] | None, typer.Argument(metavar="SOURCE", help="Ids of sources that wait.")] = None,
    formal: Annotated[
        bool, typer.Option("--formal", help="All that differ in white space, hyphenation or numbering alone.")
    ] = False,
    uncited: Annotated[bool, typer.Option("--uncited", help="All proposals for sources that no case cites.")] = False,
    document: Document = "",
    as_json: Json = False,
) -> None:
    """Say that sources lie where they are proposed and that the cases on them still hold; one decision."""
    from curator.services import reconfirm

    if sum((bool(names), formal, uncited)) != 1:
        raise UsageError("name sources, or say --formal or --uncited", "`curator docs reconfirm list` shows them")
    with opened(ctx) as context, progress() as shown:
        if names:
            done = reconfirm.accept(context, names, progress=shown)
        else:
            done = reconfirm.accept_all(context, document, uncited=uncited, progress=shown)
    _tell(done, "accepted", as_json)


@group.command("choose")
def choose(
    ctx: typer.Context,
    source: Annotated[str, typer.Argument(metavar="SOURCE", help="Id of a source that waits.")],
    other: Annotated[str, typer.Argument(metavar="OTHER", help="Where it lies now: a source of a current revision.")],
    as_json: Json = False,
) -> None:
    """Say where a source lies now. What is new takes its id; a source that was there before is cited instead of it."""
    from curator.services import reconfirm

    with opened(ctx) as context:
        done = reconfirm.choose(context, source, other)
    _tell(done, "chosen", as_json)


@group.command("drop")
def drop(
    ctx: typer.Context,
    names: Sources,
    reason: Annotated[str, typer.Option("--reason", help="Why; stands in the history.")] = "",
    as_json: Json = False,
) -> None:
    """Say that sources are gone: the cases on them stay stale and go back to their authors."""
    from curator.services import reconfirm

    with opened(ctx) as context:
        done = reconfirm.drop(context, names, reason)
    _tell(done, "dropped", as_json)


@group.command("keep")
def keep(
    ctx: typer.Context,
    case_ids: Annotated[list[str], typer.Argument(metavar="CASE", help="Refusals for silence that wait.")],
    as_json: Json = False,
) -> None:
    """Say of refusals that the sources are still silent."""
    from curator.services import reconfirm

    with opened(ctx) as context:
        done = reconfirm.keep(context, case_ids)
    _tell(done, "kept", as_json)


def _tell(done: Reconfirmed, word: str, as_json: bool) -> None:
    if as_json:
        out_json(done)
    else:
        for name in done.sources or done.cases:
            out(f"{name}  {word}")
        if not (done.sources or done.cases):
            say("nothing of that kind waits")
    if done.in_review:
        say(f"in review, since the author re-confirmed them: {', '.join(done.in_review)}")
    if done.stale:
        say(f"still stale: {', '.join(done.stale)}")
