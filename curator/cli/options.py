"""Options and arguments that several commands have, each said once."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
CaseId = Annotated[str, typer.Argument(metavar="CASE", help="Id of the case.")]

# how a file with questions or records of others is read
ProfileName = Annotated[str, typer.Option("--profile", metavar="P", help="A mapping profile of curator.toml.")]
SaveProfile = Annotated[str, typer.Option("--save-profile", metavar="P", help="Keep the mapping.")]
Encoding = Annotated[str, typer.Option("--encoding", help="Of the text; else found out.")]
Delimiter = Annotated[str, typer.Option("--delimiter", help="Of a table; else found out.")]
Header = Annotated[bool | None, typer.Option("--header/--no-header", help="Whether the first row names the columns.")]
Preview = Annotated[bool, typer.Option("--dry-run", help="Show five rows and the counts; store nothing.")]
