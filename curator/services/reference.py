"""The reference median: how long a document is in production, as declared; never measured on the golden set."""

from __future__ import annotations

import csv
import datetime
import io
from collections.abc import Sequence

from curator.domain.filling import Shelved
from curator.domain.strata import median
from curator.errors import InputError
from curator.exporting.released import Reference
from curator.services.context import Context

TOO_FEW = 3
"""With fewer documents than this, equal lengths are a coincidence."""


def reference(ctx: Context) -> Reference:
    """Median pages by `[lengths]`: from a profile (CSV with a column `pages`), else the number; 0 = not declared.

    Raises:
        InputError: The profile cannot be read or has a row without a number.
    """
    table = ctx.settings.lengths
    if not table.profile:
        return Reference(median=table.median, origin="curator.toml" if table.median else "", as_of=table.as_of)
    pages = [p for _, p in profile(ctx)]
    return Reference(median=median(pages), origin=table.profile, as_of=table.as_of)


def profile(ctx: Context) -> list[tuple[str, float]]:
    """Document and pages of each row of the declared profile; empty when a number is declared, or nothing.

    Raises:
        InputError: As `reference`.
    """
    table = ctx.settings.lengths
    if not table.profile:
        return []
    path = (ctx.root / table.profile).resolve()
    if not path.is_relative_to(ctx.root.resolve()):
        raise InputError(f"lengths.profile: {table.profile} lies outside the workspace", "copy it into datasets/")
    try:
        rows = list(csv.DictReader(io.StringIO(path.read_text("utf-8-sig"), newline="")))
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise InputError(f"lengths.profile: {table.profile}: {error}", "a CSV of document,pages in UTF-8") from None
    return [(str(r.get("document") or "").strip(), _pages(table.profile, n, r)) for n, r in enumerate(rows, 2)]


def _pages(name: str, line: int, row: dict[str, str]) -> float:
    try:
        pages = float(row.get("pages", ""))
    except (TypeError, ValueError):
        pages = 0
    if not 0 < pages < 1e6:
        raise InputError(f"{name}, line {line}: no number of pages", "the columns are document,pages")
    return pages


def warnings(
    ctx: Context, documents: Sequence[Shelved], names: Sequence[str] = (), *, days: int = 0
) -> tuple[str, ...]:  # fmt: skip
    """What speaks against the declared median: it is missing, undated, old, or was measured on the golden set itself.

    Args:
        ctx: Open workspace.
        documents: Those that are here.
        names: How else they may be called: names of their files.
        days: From which age on it is old; 0 = above `lengths.max_age_days`.
    """
    table, found = ctx.settings.lengths, reference(ctx)
    if not found.median:
        return ("no reference median is declared, so no case has a length; set [lengths] in curator.toml",)
    origin = found.origin
    said = [_age(ctx, origin, days)]
    rows = profile(ctx)
    here = {n.casefold() for d in documents for n in (d.document_id, d.title)} | {n.casefold() for n in names}
    known = sum(name.casefold() in here for name, _ in rows)
    lengths = sorted(float(d.pages) for d in documents)
    same = len(lengths) >= TOO_FEW and (
        sorted(p for _, p in rows) == lengths if rows else table.median == median(lengths)
    )
    if same or (rows and known * 2 >= len(rows)):
        what = (
            f"{known} of its {len(rows)} documents are here" if known else "its lengths are those of the documents here"
        )
        said.append(f"{origin}: {what}; a median measured on the golden set moves with it: measure production")
    return tuple(s for s in said if s)


def _age(ctx: Context, origin: str, limit: int) -> str:
    table = ctx.settings.lengths
    if not table.as_of:
        return f"{origin} has no date; set lengths.as_of to the day on which it was measured"
    try:
        days = (datetime.date.fromisoformat(ctx.now()[:10]) - datetime.date.fromisoformat(table.as_of[:10])).days
    except ValueError:
        return f"lengths.as_of {table.as_of!a} is no date; write it as YYYY-MM-DD"
    if limit and days >= limit:
        return f"{origin} is of {table.as_of}, {days} days ago; measure production again"
    if days > table.max_age_days:
        return f"{origin} is of {table.as_of}, {days} days ago; measure production again, or raise lengths.max_age_days"
    return ""
