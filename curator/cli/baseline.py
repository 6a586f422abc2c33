"""`curator baseline`: runs that any real system must beat."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, progress, say
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.text import counted

if TYPE_CHECKING:
    from curator.services.baselines import Baseline

Name = Annotated[str, typer.Argument(metavar="NAME[@VERSION]", help="A released suite; else its latest version.")]
Folder = Annotated[
    Path | None, typer.Option("-o", "--output", metavar="DIR", help="A new folder; else runs/ of the workspace.")
]
Holdout = Annotated[str, typer.Option("--holdout", metavar="REASON", help="Also the holdout: a look in the ledger.")]
baseline = typer.Typer(help="Baselines: what any real system must beat.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(baseline, name="baseline")


@baseline.command("lead3")
def lead3(
    ctx: typer.Context, name: Name, output: Folder = None, holdout: Holdout = "", as_json: Json = False
) -> None:  # fmt: skip
    """Answer with the first three paragraphs of the documents of each case."""
    _run(ctx, "lead3", name, output, holdout, as_json)


@baseline.command("fts")
def fts(
    ctx: typer.Context,
    name: Name,
    output: Folder = None,
    holdout: Holdout = "",
    hits: Annotated[int, typer.Option(min=1, max=200, help="Most sources retrieved.")] = 10,
    as_json: Json = False,
) -> None:
    """Answer with the best hits of the full-text search over all sources."""
    _run(ctx, "fts", name, output, holdout, as_json, hits)


def _run(
    ctx: typer.Context, kind: Baseline, name: str, output: Path | None, holdout: str, as_json: bool, hits: int = 10
) -> None:  # fmt: skip
    from curator.services.baselines import baseline as run

    suite, _, version = name.partition("@")
    with opened(ctx) as context, progress() as shown:
        made = run(
            context, kind, suite, version, folder=output, hits=hits, holdout_reason=holdout, progress=shown
        )  # fmt: skip
    if as_json:
        out_json(made)
        return
    out(made.folder)
    refused = counted(made.empty, "found nothing and is refused", "found nothing and are refused")
    say(f"{counted(made.cases, 'case')} of {made.suite} {made.version}; {refused}")
