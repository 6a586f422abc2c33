"""`curator coverage` and `curator gaps`: what the cases cover, what is missing, and what would fill it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from curator.cli.console import out, out_json, out_text, progress, say, table
from curator.cli.opening import opened
from curator.cli.options import Json
from curator.errors import CheckFailed, UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.domain.coverage_report import CoverageReport
    from curator.domain.filling import Work
    from curator.domain.size_panel import Assumptions
    from curator.services.context import Context

TOLD = 10
"""So many ids stand in a warning."""
Suite = Annotated[str, typer.Option("--suite", metavar="NAME", help="Suite of curator.toml; else all cases.")]


def register(app: typer.Typer) -> None:
    """Add these commands."""
    app.command("coverage")(coverage)
    app.command("gaps")(gaps)


def coverage(
    ctx: typer.Context,
    suite: Suite = "",
    by: Annotated[
        str, typer.Option("--by", metavar="A[,B]", help="One or two dimensions of the heat map.")
    ] = "domain,lengthStratum",
    check: Annotated[
        bool, typer.Option("--check", help="Print the unmet quotas; exit code 1 when there is one.")
    ] = False,
    markdown: Annotated[bool, typer.Option("--markdown", help="Print Markdown.")] = False,
    html: Annotated[bool, typer.Option("--html", help="Print one HTML file that can be mailed.")] = False,
    output: Annotated[Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write there instead.")] = None,
    cell: Annotated[str, typer.Option(metavar="D=V[,D=V]", help="List the cases of this cell alone.")] = "",
    case: Annotated[str, typer.Option(metavar="CASE", help="Show how the strata of one case were derived.")] = "",
    rate: Annotated[float, typer.Option(min=0, max=1, help="Share right that the size panel assumes.")] = 0.8,
    discordance: Annotated[
        float, typer.Option(min=0.001, max=1, help="Share of the cases that turns out otherwise in a second run.")
    ] = 0.2,
    icc: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="Correlation of results within one document; else by --results, else 0.1."),
    ] = None,
    results: Annotated[
        Path | None, typer.Option(metavar="FILE", help="CSV or JSONL of a run: caseId, passed; instead of --rate.")
    ] = None,
    as_json: Json = False,
) -> None:
    """Count the cases by strata, with quotas, lengths, and what so many cases can show."""
    if markdown + html + as_json + bool(cell) + bool(case) > 1:
        raise UsageError("one form at a time", "--json, --markdown, --html, --cell or --case")
    from curator.domain.size_panel import Assumptions

    given = Assumptions(rate=rate, discordance=discordance)
    if icc is not None:
        given = given.model_copy(update={"correlation": icc, "fixed": True})
    with opened(ctx) as context:
        if cell or case:
            _look(context, suite, cell, case)
            return
        report = _report(context, suite, by, given, results)
    if output:
        _write(
            output,
            _told(report, markdown=markdown, html=html, as_json=as_json) or report.model_dump_json(by_alias=True),
        )
    elif as_json:
        out_json(report)
    elif text := _told(report, markdown=markdown, html=html):
        out_text(text)
    elif not check:
        _print(report)
    if check:
        _check(report, quiet=bool(markdown or html or as_json) and not output)


def _report(context: Context, suite: str, by: str, given: Assumptions, results: Path | None) -> CoverageReport:
    from curator.services.coverage import coverage as count
    from curator.services.results import read_results
    from curator.services.too_easy import too_easy_of

    right = read_results(results) if results else None
    with progress() as shown:
        report = count(context, suite, [d.strip() for d in by.split(",")], given=given, results=right, progress=shown)
        return _with_too_easy(report, too_easy_of(context.root, suite, shown))


def _with_too_easy(report: CoverageReport, names: tuple[str, ...]) -> CoverageReport:
    """The report with the cases that both trivial baselines pass, which a warning tells in every form."""
    if not names:
        return report
    more = f" and {len(names) - TOLD} more" if len(names) > TOLD else ""
    said = counted(len(names), "case is too easy", "cases are too easy")
    warning = f"{said}, both trivial baselines pass: {', '.join(names[:TOLD])}{more}"
    return report.model_copy(update={"too_easy": names, "warnings": (*report.warnings, warning)})


def _told(report: CoverageReport, *, markdown: bool, html: bool, as_json: bool = False) -> str:
    if html:
        from curator.exporting.coverage_html import coverage_html

        return coverage_html(report).decode()
    if markdown:
        from curator.exporting.coverage_markdown import coverage_markdown

        return coverage_markdown(report)
    return report.model_dump_json(by_alias=True, indent=1) + "\n" if as_json else ""


def _write(target: Path, text: str) -> None:
    from curator.services.publishing import write_report

    write_report(target, text.encode())
    say(f"written to {target}")


def _check(report: CoverageReport, *, quiet: bool) -> None:
    """One line for each unmet quota with its next step, then exit code 1."""
    for work in report.work:
        (say if quiet else out)(f"{work.suite}: {work.words} → {work.step}")
    if report.work:
        number = len(report.work)
        raise CheckFailed(
            f"{counted(number, 'quota is', 'quotas are')} not met", "`curator gaps` lists what would fill them"
        )
    if not quiet:
        out("every quota is met")


def _print(report: CoverageReport) -> None:
    from curator.domain.suite import TITLES

    grid = report.grid
    for warning in report.warnings:
        say(f"! {warning}")
    out(f"{report.suite or 'all cases'}: {report.cases} count, {report.holdout} of them in the holdout; "
        f"{report.coming} on their way, {report.stale} stale")  # fmt: skip
    if report.wear.cases:
        (say if report.wear.worn else out)(report.wear.words)
    out()
    first = " by ".join(TITLES[d] for d in report.by)
    rows = []
    for margin, line in zip(grid.rows, grid.cells, strict=True):
        cells = [_number(c.glyph, c.count, c.need, c.coming) for c in line] if grid.columns_by else []
        rows.append(
            (margin.value or "-", *cells, _number(_mark(margin.state), margin.count, margin.need, margin.coming))
        )
    sums = [_number(_mark(m.state), m.count, m.need, m.coming) for m in (*grid.columns, grid.total)]
    table((first, *(m.value or "-" for m in grid.columns), "all"), [*rows, ("all", *sums)])
    out()
    for work in report.work:
        out(f"! {'' if report.suite else work.suite + ': '}{work.words} → {work.step}")
    for size in report.sizes[:1]:
        out(size.sentence)
    rest = [
        (f"{TITLES[s.dimension]}: {s.value or '-'}", s.n, f"{s.effective:.1f}", f"{s.low:.0%}-{s.high:.0%}",
         "none" if s.change is None else f"{s.change * 100:.0f} points")
        for s in report.sizes[1:]
    ]  # fmt: skip
    if rest:
        out()
        table(("STRATUM", "N", "EFFECTIVE", "95%", "SMALLEST CHANGE"), rest)
    say(report.assumptions)


def _mark(state: str) -> str:
    return {"gap": "!", "met": "✓"}.get(state, "")


def _number(glyph: str, count: int, need: float, coming: int) -> str:
    return f"{glyph} {count}{f'/{need:g}' if need else ''}{f' +{coming}' if coming else ''}".strip()


def _look(context: Context, suite: str, cell: str, case: str) -> None:
    from curator.services.coverage import Board, strata_of

    if case:
        table(("DIMENSION", "VALUE", "HOW"), [(s.dimension, s.value or "-", s.how) for s in strata_of(context, case)])
        return
    where = dict(pair.strip().partition("=")[::2] for pair in cell.split(","))
    board = Board(context)
    board.refresh()
    rows = [(c.id, c.kind, c.side or "-") for c in board.cell(suite, where)]
    table(("CASE", "COUNTS", "SIDE"), rows, empty="no case lies there")


def gaps(
    ctx: typer.Context,
    suite: Suite = "",
    as_json: Json = False,
) -> None:
    """List the unmet quotas with the pages and failures that would fill each, best first."""
    from curator.services.coverage import Board

    with opened(ctx) as context:
        board = Board(context)
        with progress() as shown:
            board.refresh(shown)
        found = board.work(suite)
    if as_json:
        out_json(found)
        return
    for work in found:
        _print_work(work)
    if not found:
        say("every quota is met")


def _print_work(work: Work) -> None:
    out(f"! {work.suite}: {work.words}")
    out(f"  → {work.step}")
    for p in work.places:
        sections = f": {'; '.join(p.sections)}" if p.sections else ""
        pages = f"pp. {p.first_page}-{p.last_page} of {p.pages} ({p.position})"
        out(f"  {p.document_id}  {pages}, {counted(p.cases, 'case')} there{sections}")
    for f in work.failures:
        out(f"  {f.failure_id}  {', '.join(f.reasons)}")
