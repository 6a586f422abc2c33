"""`curator quota`: what quotas would ask for, writing them, and how many cases each stratum should get."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.domain.suite import Quota
    from curator.services.quotas import Preview

Name = Annotated[str, typer.Argument(metavar="SUITE", help="Suite of curator.toml.")]
Preset = Annotated[str, typer.Option(metavar="NAME", help="smoke or regulated.")]
Wanted = Annotated[
    list[str],
    typer.Option("--quota", metavar="CELL:MINIMUM", help="domain=law,lengthStratum=10x:3, refuse share: ...:15%."),
]
quota = typer.Typer(help="Quotas: preview, set, allocate, weigh.", no_args_is_help=True)


def register(app: typer.Typer) -> None:
    """Add the group."""
    app.add_typer(quota, name="quota")


def _asked_for(preset: str, wanted: list[str]) -> list[Quota] | None:
    """The quotas of a preset and those that were typed, one a cell; None when nothing was said."""
    from curator.services.quotas import preset as named

    if not preset and not wanted:
        return None
    found = {q.name: q for q in (named(preset) if preset else ())}
    return list((found | {q.name: q for q in map(_typed, wanted)}).values())


def _typed(text: str) -> Quota:
    from curator.domain.suite import Quota
    from curator.services.quotas import minimum_of

    cell, colon, number = text.rpartition(":")
    try:
        minimum, unit = minimum_of(number)
    except UsageError:
        raise UsageError(f"{text!a} has no minimum", "such as domain=law,lengthStratum=10x:3") from None
    where = dict(pair.strip().partition("=")[::2] for pair in cell.split(",") if pair.strip()) if colon else {}
    return Quota(where=where, minimum=minimum, unit=unit)


@quota.command("preview")
def preview(ctx: typer.Context, suite: Name, preset: Preset = "", wanted: Wanted = [], as_json: Json = False) -> None:  # noqa: B006
    """Show what quotas would ask of a suite as it is now; without any, its own."""
    from curator.services.quotas import preview as look

    with opened(ctx) as context:
        found = look(context, suite, _asked_for(preset, wanted))
    _tell(found, as_json)


@quota.command("set")
def set_(
    ctx: typer.Context,
    suite: Name,
    preset: Preset = "",
    wanted: Wanted = [],  # noqa: B006
    keep: Annotated[bool, typer.Option("--keep", help="Beside the quotas that it has.")] = False,
    as_json: Json = False,
) -> None:
    """Write the quotas of a suite into curator.toml, its comments kept; leads only."""
    from curator.services.quotas import preview as look
    from curator.services.quotas import write
    from curator.services.selection import policy

    quotas = _asked_for(preset, wanted)
    if quotas is None:
        raise UsageError("no quota is named", "--preset smoke, or --quota CELL:MINIMUM")
    with opened(ctx) as context:
        own = {q.name: q for q in policy(context, suite).quotas} if keep else {}
        quotas = list((own | {q.name: q for q in quotas}).values())
        found = look(context, suite, quotas)
        write(context, suite, quotas)
    _tell(found, as_json)
    say(f"curator.toml: {suite} has {counted(len(quotas), 'quota')}")


def _tell(found: Preview, as_json: bool) -> None:
    if as_json:
        out_json(found)
        return
    rows = []
    for a in found.quotas:
        form = ".1%" if a.quota.unit == "share" else "g"
        rows.append(
            (
                f"{'✓' if a.met else '!'} {a.quota.name}",
                format(a.have, form),
                format(a.quota.minimum, form),
                a.missing or "",
            )
        )
    table(("QUOTA", "HAS", "NEEDS", "MISSING"), rows, empty="no quotas")
    say(f"{counted(found.cases, 'case')} now; at least {found.least_new} more meet them all")


@quota.command("allocate")
def allocate(
    ctx: typer.Context,
    total: Annotated[int, typer.Argument(metavar="N", min=1, help="Cases in all.")],
    by: Annotated[str, typer.Option("--by", metavar="D", help="Dimension that production tells of.")] = "lengthStratum",
    method: Annotated[str, typer.Option(help="equal, proportional or neyman.")] = "equal",
    floor: Annotated[int, typer.Option(min=0, help="Least cases of a stratum.")] = 2,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="CSV or JSONL of a pilot run: caseId, passed; for neyman.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Share N cases out over strata by what production looks like, with the weight that undoes it."""
    from curator.services.allocation import METHODS, pilot_rates
    from curator.services.allocation import allocate as share_out
    from curator.services.results import read_results

    chosen = next((m for m in METHODS if m == method), None)
    if chosen is None:
        raise UsageError(f"there is no method {method!a}", f"use one of {', '.join(METHODS)}")
    with opened(ctx) as context:
        rates = pilot_rates(context, by, read_results(results)) if results else None
        found, shares = share_out(context, by, total, chosen, floor=floor, rates=rates)
    if as_json:
        out_json(
            {
                "by": by,
                "method": method,
                "origin": found.origin,
                "strata": [s.model_dump(by_alias=True) for s in shares],
            }
        )
        return
    rows = [(s.stratum, f"{s.size:g}", s.cases, f"{s.weight:.3g}") for s in shares]
    table((by.upper(), "IN PRODUCTION", "CASES", "WEIGHT"), rows)
    say(f"sizes by {found.origin}")


@quota.command("weigh")
def weigh(
    ctx: typer.Context,
    suite: Name,
    by: Annotated[str, typer.Option("--by", metavar="D", help="Dimension that production tells of.")] = "lengthStratum",
    as_json: Json = False,
) -> None:
    """Give the cases of a suite the attribute `weight` that makes its figures those of production."""
    from curator.services.allocation import weigh as give

    with opened(ctx) as context:
        made = give(context, suite, by)
    if as_json:
        out_json(made)
        return
    for value, weight in made.weights.items():
        out(f"{by}={value}: {weight:.4g}")
    if made.without:
        say(f"! no case of {', '.join(made.without)}: no weight makes up for what the suite does not have")
    say(f"{counted(made.changed, 'case')} changed, by {made.origin}; `curator case undo` takes it back")
