"""What an import of a log or a list came to, in the lines that both show."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from curator.text import one_line

if TYPE_CHECKING:
    from curator.services.report import ImportReport, Rejected
    from curator.tui.app import CuratorApp

SHOWN = 5


def counts(report: ImportReport) -> str:
    """New, same, changed, rejected."""
    return (
        f"{report.new:,} new, {report.same:,} here already, {report.changed:,} changed, "
        f"{len(report.rejected):,} rejected"
    )


def rejected_lines(report: ImportReport) -> Iterator[str]:
    """The first rows that are not taken, and how many more there are."""
    for row in report.rejected[:SHOWN]:
        yield f"! {_place(row)}: {one_line(row.reason, 200)}"
    if len(report.rejected) > SHOWN:
        yield f"! and {len(report.rejected) - SHOWN} more rows are rejected"


def preview_lines(rows: Iterable[dict[str, str]]) -> Iterator[str]:
    """The first rows as they are mapped, a field a line."""
    for row in rows:
        yield ""
        yield f"row {row['row']}"
        yield from (f"  {name}: {one_line(text, 160)}" for name, text in row.items() if name != "row")


def list_errors(app: CuratorApp, doing: str, report: ImportReport) -> None:
    """Each row that was not taken and each warning among the errors (F12)."""
    for row in report.rejected:
        app.list_error(doing, f"{_place(row)}: {row.reason}")
    for warning in report.warnings:
        app.list_error(doing, warning)


def _place(row: Rejected) -> str:
    return f"row {row.row}" + (f", {one_line(row.column, 40)}" if row.column else "")
