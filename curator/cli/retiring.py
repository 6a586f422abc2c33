"""`curator case retire` and `case restore`: out of use with a reason, and back."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, say, status_word
from curator.cli.opening import opened
from curator.cli.options import Json

if TYPE_CHECKING:
    from curator.services.changing import Changed

Names = Annotated[list[str], typer.Argument(metavar="CASE", help="Ids of the cases.")]
Reason = Annotated[str, typer.Option(help="Why; it stands in the history and in later manifests.")]


def register(case: typer.Typer) -> None:
    """Add the commands to their group."""
    case.command("retire")(retire)
    case.command("restore")(restore)


def retire(
    ctx: typer.Context,
    case_ids: Names,
    reason: Reason = "",
    successor: Annotated[str, typer.Option(metavar="CASE", help="The case that takes their place.")] = "",
    as_json: Json = False,
) -> None:
    """Take cases out of use, with a reason. They stay in later manifests as tombstones; `case undo` takes it back."""
    from curator.services import retiring

    with opened(ctx) as context:
        _tell(retiring.retire(context, case_ids, reason, successor=successor), as_json)


def restore(ctx: typer.Context, case_ids: Names, reason: Reason = "", as_json: Json = False) -> None:
    """Take retired cases into use again, with a reason. Reviews that they had still count."""
    from curator.services import retiring

    with opened(ctx) as context:
        _tell(retiring.restore(context, case_ids, reason), as_json)


def _tell(results: Sequence[Changed], as_json: bool) -> None:
    tell_changed(results, as_json, lambda result: status_word(result.status))


def tell_changed(results: Sequence[Changed], as_json: bool, word: Callable[[Changed], str]) -> None:
    """What a change of several cases came to, a line each; exit code 4 when one was not changed."""
    if as_json:
        out_json(results)
    for result in results:
        if not as_json:
            out(f"{result.case_id}  {word(result)}")
        if result.reason:
            say(f"{result.case_id}: {result.reason}; nothing of it was changed")
    if any(r.outcome == "conflict" for r in results):
        raise typer.Exit(4)
