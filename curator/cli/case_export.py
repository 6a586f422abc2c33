"""`curator case export`: cases as lines that `curator case import` takes back."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out_text, progress, say
from curator.cli.opening import opened
from curator.text import counted

if TYPE_CHECKING:
    from curator.services.case_export import Exported

STDOUT = Path("-")


def register(case: typer.Typer) -> None:
    """Add the command to its group."""
    case.command("export")(export)


def export(
    ctx: typer.Context,
    case_ids: Annotated[list[str], typer.Argument(metavar="CASE", help="Only these cases.")] = [],  # noqa: B006
    suite: Annotated[str, typer.Option(help="Only cases that this suite selects, whatever their status.")] = "",
    status: Annotated[str, typer.Option(help="draft, in_review, changes_requested, approved or retired.")] = "",
    domain: Annotated[str, typer.Option(help="Only this domain.")] = "",
    behavior: Annotated[str, typer.Option(help="answer, refuse or escalate.")] = "",
    risk: Annotated[str, typer.Option(help="low, medium, high or critical.")] = "",
    contains: Annotated[str, typer.Option(help="Only ids and questions with this text.")] = "",
    target: Annotated[
        Path, typer.Option("--out", "-o", metavar="FILE", help="Where to; the file appears whole. `-` = stdout.")
    ] = STDOUT,
) -> None:
    """Write cases as JSON lines under their ids, drafts too; `case import` takes them back, here or elsewhere.

    Left out and counted: what lies in the holdout, what has labels that are hidden from you, and retired cases unless
    they are asked for.
    """
    from curator.domain.listing import ListQuery
    from curator.services.case_export import export_cases

    given = (("status", status), ("domain", domain), ("behavior", behavior), ("risk", risk))
    query = ListQuery(contains=contains, where=tuple((k, v) for k, v in given if v))
    with opened(ctx) as context:
        if target == STDOUT:
            _tell(export_cases(context, out_text, query, names=case_ids, suite=suite), "stdout")
            return
        from curator.services.publishing import whole_file

        with whole_file(target) as stream, progress() as shown:
            done = export_cases(
                context, lambda line: stream.write(line.encode()), query, names=case_ids, suite=suite, progress=shown
            )
    _tell(done, str(target))


def _tell(done: Exported, where: str) -> None:
    say(f"{where}: {counted(done.written, 'case')}")
    left_out = (
        (done.holdout, "in the holdout, which leaves only with a release"),
        (done.hidden, "labels are hidden from you until you have stated your own (curator review approve)"),
        (done.unasked, "in review and not asked: behavior and risk are hidden from who may have to state them"),
        (done.retired, "retired, which an import would make a draft again; --status retired writes them"),
    )
    for count, why in left_out:
        if count:
            say(f"{count} left out: {why}")
