"""Coverage as Markdown, for a pull request or a wiki."""

from __future__ import annotations

from collections.abc import Iterator

from curator.domain.coverage import Cell, Grid, Margin
from curator.domain.coverage_report import CoverageReport
from curator.domain.suite import TITLES
from curator.exporting.markdown import code, plain, table
from curator.text import counted


def coverage_markdown(report: CoverageReport) -> str:
    """The text; outside text in it is escaped."""
    return "\n".join(_lines(report)) + "\n"


def _lines(report: CoverageReport) -> Iterator[str]:
    yield f"# Coverage: {plain(report.suite or 'all cases')}"
    yield ""
    yield (
        f"{counted(report.cases, 'case counts', 'cases count')}, {report.holdout} of them in the holdout; "
        f"{counted(report.coming, 'is on its way', 'are on their way')}, "
        f"{counted(report.stale, 'is stale', 'are stale')}."
    )
    if report.wear.cases:
        yield from ("", plain(report.wear.words) + ".")
    for warning in report.warnings:
        yield from ("", f"**!** {plain(warning)}")
    yield from _gaps(report)
    yield from _heat_map(report.grid)
    yield from ("", "## What these cases can show", "")
    if report.sizes:
        yield from (plain(report.sizes[0].sentence), "")
    rows = [
        (
            f"{plain(TITLES.get(s.dimension, s.dimension))}: {plain(s.value) or 'not stated'}"
            if s.dimension
            else "all",
            s.n,
            s.documents,
            f"{s.effective:.1f}",
            f"{s.low:.0%}–{s.high:.0%}",
            "none" if s.change is None else f"{s.change * 100:.0f} points",
        )
        for s in report.sizes
    ]
    yield from table(("Stratum", "n", "Documents", "Effective n", "95% interval", "Smallest change"), rows)
    yield from ("", plain(report.assumptions), "", "## Every dimension", "")
    found = [
        (plain(d.title), plain(m.value) or "(none)", m.count, m.coming, plain(d.how))
        for d in report.dimensions
        for m in d.values
    ]
    yield from table(("Dimension", "Value", "Cases", "Coming", "How"), found)


def _gaps(report: CoverageReport) -> Iterator[str]:
    if report.quotas or report.work:
        yield from ("", "## Quotas", "")
    for work in report.work:
        suite = f"{plain(work.suite)}: " if not report.suite else ""
        yield f"- **!** {suite}{plain(work.words)} → {plain(work.step)}"
        for place in work.places:
            sections = "; ".join(plain(s, 60) for s in place.sections)
            pages = f"pp. {place.first_page}–{place.last_page} of {place.pages} ({place.position})"
            there = f"{counted(place.cases, 'case')} there" + (f": {sections}" if sections else "")
            yield f"  - {code(place.document_id)} {pages}, {there}"
        for failure in work.failures:
            yield f"  - failure {code(failure.failure_id)}: {plain(', '.join(failure.reasons))}"
    for asked in report.quotas:
        if asked.met:
            have, need = (
                f"{v:.1%}" if asked.quota.unit == "share" else f"{v:g}" for v in (asked.have, asked.quota.minimum)
            )
            yield f"- ✓ {plain(asked.quota.name)}: has {have}, needs {need}"


def _heat_map(grid: Grid) -> Iterator[str]:
    names = [TITLES.get(d, d) for d in (grid.rows_by, grid.columns_by) if d]
    yield from ("", f"## {' by '.join(map(plain, names))}", "")
    columns = [plain(m.value, 40) or "(none)" for m in grid.columns]
    rows: list[tuple[object, ...]] = [
        (plain(m.value, 40) or "(none)", *(map(_cell, line) if grid.columns_by else ()), _margin(m))
        for m, line in zip(grid.rows, grid.cells, strict=True)
    ]
    rows.append(("**all**", *map(_margin, grid.columns), _margin(grid.total)))
    yield from table((plain(names[0]), *columns, "all"), rows)
    yield from ("", "! below its quota, ✓ quota met, · empty, ░▒▓█ by quarters of the fullest cell, +n on their way")


def _cell(cell: Cell) -> str:
    need = f" of {cell.need:g}" if cell.state != "free" else ""
    return f"{cell.glyph} {cell.count}{need}{f' +{cell.coming}' if cell.coming else ''}"


def _margin(margin: Margin) -> str:
    mark = {"gap": "! ", "met": "✓ "}.get(margin.state, "")
    need = f" of {margin.need:g}" if margin.state != "free" else ""
    return f"{mark}{margin.count}{need}{f' +{margin.coming}' if margin.coming else ''}"
