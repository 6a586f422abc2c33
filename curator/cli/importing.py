"""What every import does: read the file, ask what only a person can know, tell what it came to."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import typer

from curator.cli.console import out, out_json, progress, say
from curator.cli.opening import opened
from curator.errors import InputError, UsageError
from curator.text import one_line

if TYPE_CHECKING:
    from curator.parsing.lists import ListProfile
    from curator.parsing.logs import Profile
    from curator.services.report import ImportReport

How = TypeVar("How", "ListProfile", "Profile")
Report = TypeVar("Report")
_TOLD = 20


def take(ctx: typer.Context, file: Path, service: Callable[..., ImportReport], *, dry_run: bool, as_json: bool) -> None:
    """Hand the rows of a file to an import of the services, and tell its outcome."""
    rows = read_rows(file)
    with opened(ctx) as context, progress() as shown:
        shown.stage(f"importing {file.name}", len(rows))
        report = service(context, rows, dry_run=dry_run, progress=shown)
    tell_report(report, file, as_json)


def read_rows(file: Path) -> list[tuple[int, dict[str, Any] | InputError]]:
    """Rows of a canonical JSONL file: numbers from 1, and objects or the errors that reading them gave."""
    from curator.exporting.read import read_lines

    try:
        data = file.read_bytes()
    except OSError as error:
        raise InputError(f"{file.name}: {error.strerror}", "name a .jsonl file") from None
    if not data.strip():
        raise InputError(f"{file.name}: empty file", "name a .jsonl file with lines")
    return list(read_lines(data, file.name, note=say))


def tell_report(report: ImportReport, file: Path, as_json: bool) -> None:
    """Print the outcome of an import; exit code 3 when a row was refused."""
    if as_json:
        out_json(report)
    else:
        out(f"{file.name}: {report.new} new, {report.same} same, {len(report.rejected)} rejected")
    for row in report.rejected:
        say(f"{file.name}, line {row.row}: {row.reason}")
    for warning in report.warnings:
        say(warning)
    if report.rejected:
        raise typer.Exit(3)


def said_of_file(form: str, encoding: str, delimiter: str, header: bool | None) -> dict[str, Any]:
    """What was said of how a file is read, under the names of a profile's fields; the rest is found out."""
    said = {"format": form, "encoding": encoding, "delimiter": delimiter, "header": header}
    return {name: value for name, value in said.items() if value not in ("", None)}


def pairs_of(mapping: Sequence[str], such_as: str, *, may_lack: bool = False) -> Iterator[tuple[str, str]]:
    """Field and column of each `--map FIELD=COLUMN`.

    Args:
        mapping: As it was typed.
        such_as: An example, for who typed something else.
        may_lack: `FIELD=` alone says that no column is this field.

    Raises:
        UsageError: One is no such pair.
    """
    for pair in mapping:
        field, equals, column = (part.strip() for part in pair.partition("="))
        if not equals or not (column or may_lack):
            raise UsageError(f"--map {pair!a} is no FIELD=COLUMN", f"such as --map {such_as}")
        yield field, column


def with_encoding(how: How, run: Callable[[How], Report]) -> tuple[Report, How]:
    """What an import came to, and how it read; a person at a terminal is asked for the encoding when it is not sure."""
    from curator.parsing.logs import Unsure

    try:
        return run(how), how
    except Unsure as unsure:
        if not (unsure.choices and sys.stdin.isatty() and sys.stderr.isatty()):
            raise
        say(unsure.message)
        chosen = typer.prompt(f"Encoding ({', '.join(unsure.choices)})", default=unsure.choices[0], err=True)
        how = how.model_copy(update={"encoding": chosen})
        return run(how), how


def tell_preview(rows: Sequence[dict[str, str]]) -> None:
    """The first rows as they are mapped, a field a line."""
    for row in rows:
        out(f"  row {row['row']}")
        for name, value in row.items():
            if name != "row":
                out(f"    {name}: {one_line(value, 100)}")


def tell_rejected(report: ImportReport, file: Path, kept: str = "") -> None:
    """The first rows that were not taken, and the warnings; exit code 3 when a row was not.

    Args:
        report: What the import came to.
        file: What was read.
        kept: Where all rejected rows are listed; "" = nowhere.
    """
    for rejected in report.rejected[:_TOLD]:
        where = f", {rejected.column}" if rejected.column else ""
        say(f"{file.name}, row {rejected.row}{where}: {rejected.reason}")
    if len(report.rejected) > _TOLD:
        say(f"... and {len(report.rejected) - _TOLD} more" + (f": {kept}" if kept else ""))
    for warning in report.warnings:
        say(warning)
    if report.rejected:
        raise typer.Exit(3)
