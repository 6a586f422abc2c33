"""`curator case import`: canonical lines, and any list of questions that a team keeps."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from curator.cli.console import out, out_json, progress
from curator.cli.importing import pairs_of, said_of_file, take, tell_preview, tell_rejected, with_encoding
from curator.cli.opening import opened
from curator.cli.options import Delimiter, Encoding, Header, Json, Preview, ProfileName, SaveProfile
from curator.errors import UsageError
from curator.text import counted

if TYPE_CHECKING:
    from curator.parsing.lists import ListProfile
    from curator.services.context import Context
    from curator.services.list_import import ListReport

_CANONICAL = {"task", "turns", "expectedBehavior", "evidence", "keyProvisions"}
_LOOKED = 50
_HEAD = 4_000_000


def register(case: typer.Typer) -> None:
    """Add the command."""
    case.command("import")(import_)


def import_(
    ctx: typer.Context,
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="Canonical lines, or a list: JSON, JSONL, CSV, TSV, YAML, XLSX, text."),
    ],
    profile: ProfileName = "",
    mapping: Annotated[
        list[str],
        typer.Option("--map", metavar="FIELD=COLUMN", help="Which column a field is; attribute=COLUMN keeps it."),
    ] = [],  # noqa: B006  Typer reads the default and never changes it
    list_format: Annotated[
        str, typer.Option("--format", help="canonical, json, yaml, table, xlsx or text; else by the content.")
    ] = "",
    encoding: Encoding = "",
    delimiter: Delimiter = "",
    header: Header = None,
    save_profile: SaveProfile = "",
    status: Annotated[str, typer.Option("--status", help="draft, or approved (elsewhere).")] = "draft",
    approved_by: Annotated[str, typer.Option("--approved-by", metavar="ACTOR", help="Who had approved them.")] = "",
    reason: Annotated[str, typer.Option("--reason", metavar="TEXT", help="Why that is taken.")] = "",
    no_look: Annotated[
        bool, typer.Option("--no-look", help="Do not look for quotes and articles in the documents here.")
    ] = False,
    dry_run: Preview = False,
    as_json: Json = False,
) -> None:
    """Take a list of questions as drafts; canonical lines keep their ids. The same file again gives nothing new."""
    if status not in ("draft", "approved"):
        raise UsageError(f"--status {status!a} is none", "use draft or approved")
    listed = profile or mapping or save_profile or (list_format and list_format != "canonical")
    if list_format == "canonical" or (not listed and is_canonical(file)):
        if status == "approved":
            raise UsageError(f"{file.name}: canonical lines come in as drafts", "their reviews: curator review import")
        from curator.services.importing import import_cases

        take(ctx, file, import_cases, dry_run=dry_run, as_json=as_json)
        return
    from curator.services.list_import import import_list

    options: dict[str, Any] = {
        "status": status, "approved_by": approved_by, "reason": reason, "dry_run": dry_run, "look": not no_look,
    }  # fmt: skip
    with opened(ctx) as context:
        how = list_profile(context, profile, said_of_file(list_format, encoding, delimiter, header), mapping)
        with progress() as shown:
            report, how = with_encoding(how, lambda h: import_list(context, file, h, **options, progress=shown))
        if save_profile:
            from curator.services import profiles

            columns = {c: f for c, f in report.mapping.items() if "[type=" not in c} | how.columns
            profiles.save(context, save_profile, how.model_copy(update={"columns": columns}))
    _tell(report, file, dry_run=dry_run, as_json=as_json)


def is_canonical(file: Path) -> bool:
    """Whether one of a file's first lines is a case in canonical form."""
    try:
        with file.open("rb") as stream:
            head = stream.read(_HEAD)
    except OSError:
        return False
    for line in head.split(b"\n")[:_LOOKED]:
        if not line.lstrip(b"\xef\xbb\xbf").startswith(b"{"):
            continue
        try:
            value = json.loads(line.decode("utf-8-sig", "replace"))
        except (ValueError, RecursionError):
            continue
        if isinstance(value, dict) and set(value) >= _CANONICAL:
            return True
    return False


def list_profile(context: Context, name: str, given: dict[str, Any], mapping: list[str]) -> ListProfile:
    """How a list is read: a saved profile, what was said beside it, and FIELD=COLUMN pairs.

    Raises:
        UsageError: There is no such profile, a pair is none, or there is no such format.
    """
    from curator.parsing.lists import ListProfile
    from curator.services import profiles

    base = profiles.named_list(context, name) if name else ListProfile()
    columns = dict(base.columns)
    columns.update((column, field) for field, column in pairs_of(mapping, "turns=Frage"))
    try:
        return ListProfile.model_validate({**base.model_dump(), **given, "columns": columns})
    except ValueError:
        raise UsageError("no such format, or a delimiter of more than one character", "see --help") from None


def _tell(report: ListReport, file: Path, *, dry_run: bool, as_json: bool) -> None:
    if as_json:
        out_json(report)
    else:
        for line in told(report):
            out(line)
        if dry_run:
            tell_preview(report.preview)
            out("  dry run: nothing was stored")
    tell_rejected(report, file, report.reject_file)


def told(report: ListReport) -> list[str]:
    """What an import of a list came to, for people: counts, the mapping, what is to be confirmed."""
    how = ", ".join(p for p in (report.format, report.encoding) if p)
    lines = [
        f"{report.new} new, {report.same} same, {report.changed} changed, {len(report.rejected)} rejected  ({how})"
    ]
    fields: dict[str, list[str]] = {}
    for column, field in report.mapping.items():
        fields.setdefault(field, []).append(column)
    lines += [f"  {field} = {', '.join(columns)}" for field, columns in fields.items()]
    if report.unknown_columns:
        lines.append(f"  kept as attributes: {', '.join(report.unknown_columns)}")
    for word, rows in (("refuse", report.refusals), ("escalate", report.escalations)):
        if rows:
            lines.append(f"  {word}: {counted(len(rows), 'row')}")
    if report.suggested:
        lines.append(f"  suggested, to be confirmed: {counted(len(report.suggested), 'behavior')}")
    if report.hints:
        lines.append(f"  evidence: {report.located} of {counted(report.hints, 'case')} found in the documents here")
    if report.approved or report.kept_drafts:
        lines.append(f"  approved, unverified: {report.approved}; kept as drafts: {report.kept_drafts}")
    if report.reject_file:
        lines.append(f"  rejected rows: {report.reject_file}")
    return lines
