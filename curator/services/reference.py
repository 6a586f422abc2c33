"""The reference median: how long a document is in production, as declared; never measured on the golden set."""

from __future__ import annotations

import csv
import io

from curator.domain.strata import median
from curator.errors import InputError
from curator.exporting.released import Reference
from curator.services.context import Context


def reference(ctx: Context) -> Reference:
    """Median pages by `[lengths]`: from a profile (CSV with a column `pages`), else the number; 0 = not declared.

    Raises:
        InputError: The profile cannot be read or has a row without a number.
    """
    table = ctx.settings.lengths
    if not table.profile:
        return Reference(median=table.median, origin="curator.toml" if table.median else "", as_of=table.as_of)
    path = (ctx.root / table.profile).resolve()
    if not path.is_relative_to(ctx.root.resolve()):
        raise InputError(f"lengths.profile: {table.profile} lies outside the workspace", "copy it into datasets/")
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"lengths.profile: {table.profile}: {error}", "a CSV of document,pages in UTF-8") from None
    return Reference(median=median([_pages(table.profile, n, r) for n, r in enumerate(rows, 2)]),
                     origin=table.profile, as_of=table.as_of)  # fmt: skip


def _pages(name: str, line: int, row: dict[str, str]) -> float:
    try:
        pages = float(row.get("pages", ""))
    except (TypeError, ValueError):
        pages = 0
    if not 0 < pages < 1e6:
        raise InputError(f"{name}, line {line}: no number of pages", "the columns are document,pages")
    return pages
