"""`curator lint`: every check over the cases, for people and for CI."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from curator.cli.console import out, out_json, out_text, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import CheckFailed, UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.services.lint import Linted


def register(app: typer.Typer) -> None:
    """Add the command."""
    app.command("lint")(lint)


def lint(
    ctx: typer.Context,
    case_ids: Annotated[list[str], typer.Argument(metavar="CASE...", help="Only these; else all.")] = [],  # noqa: B006
    fail_on: Annotated[
        Literal["error", "warning"], typer.Option("--fail-on", help="What makes the exit code 1.")
    ] = "error",
    sarif: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write SARIF 2.1.0 for code scanning; `-` = stdout.")
    ] = None,
    junit: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write JUnit XML, a test a case; `-` = stdout.")
    ] = None,
    alone: Annotated[
        bool, typer.Option("--alone", help="Leave out what compares cases with one another or searches the sources.")
    ] = False,
    show: Annotated[bool, typer.Option("--list", help="List the checks and their severity; check nothing.")] = False,
    as_json: Json = False,
) -> None:
    """Check the cases: evidence, numbers, citations, near-duplicates. Exit code 1 when there is an error."""
    if (str(sarif) == "-") + (str(junit) == "-") + as_json > 1:
        raise UsageError("only one of --json, --sarif - and --junit - can go to stdout", "name a file for the other")
    from curator.services.lint import lint as check

    with opened(ctx) as context:
        if show:
            _list(context.settings.checks, as_json)
            return
        with progress() as shown:
            found = check(context, case_ids, around=not alone, progress=shown)
    if sarif:
        from curator.exporting.sarif import sarif as as_sarif

        _write(sarif, as_sarif(found.findings))
    if junit:
        from curator.exporting.junit import junit as as_junit

        _write(junit, as_junit(found.checked, found.findings, fail_on))
    _tell(found, as_json=as_json, quiet="-" in (str(sarif), str(junit)))
    wrong = [f for f in found.findings if fail_on == "warning" or f.severity == "error"]
    if wrong:
        count = len({f.case_id for f in wrong})
        raise CheckFailed(
            f"{_counted(found.counts)} in {counted(count, 'case')}", "`docs/checks.md` says what each means"
        )


def _tell(found: Linted, *, as_json: bool, quiet: bool) -> None:
    if as_json:
        findings = [f.model_dump(mode="json", by_alias=True) for f in found.findings]
        out_json({"checked": len(found.checked), "hidden": found.hidden, **found.counts, "findings": findings})
    elif not quiet:
        for f in found.findings:
            out(f"{f.case_id}  {'✗' if f.severity == 'error' else '!'} {f.severity} {f.code}  {f.message}")
            if f.hint:
                out(f"  → {f.hint}")
    said = f"{counted(len(found.checked), 'case')} checked: {_counted(found.counts)}"
    if found.hidden:
        said += f"; {found.hidden} of them by the question alone, since their labels are hidden from you"
    say(said)


def _counted(counts: dict[str, int]) -> str:
    return ", ".join(counted(n, word) for word, n in counts.items())


def _list(settings: Mapping[str, str], as_json: bool) -> None:
    from curator.domain.checks import CHECKS, levels

    by_code = levels(settings)
    if as_json:
        out_json([{**c._asdict(), "severity": by_code[c.code]} for c in CHECKS.values()])
        return
    table(("CODE", "SEVERITY", "WHAT IT SAYS"), [(c.code, by_code[c.code], c.title) for c in CHECKS.values()])


def _write(target: Path, data: bytes) -> None:
    if str(target) == "-":
        out_text(data.decode())
        return
    from curator.services.publishing import write_report

    write_report(target, data)
