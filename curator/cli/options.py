"""Options and arguments that several commands have, each said once."""

from __future__ import annotations

from typing import Annotated

import typer

Json = Annotated[bool, typer.Option("--json", help="Print JSON on stdout.")]
