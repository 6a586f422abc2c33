"""Rows that an import refused, listed in a file beside the database for the person who corrects them."""

from __future__ import annotations

import csv
import io
import os
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from curator.errors import StorageError
from curator.services.context import Context
from curator.services.report import Rejected

FOLDER = "rejects"


def write_rejects(ctx: Context, name: str, rejected: Iterable[Rejected]) -> str:
    """Write row, column and reason of rejected rows as a CSV; no text of what was imported is in it.

    Args:
        ctx: Open workspace.
        name: Of the file, without its ending.
        rejected: The rows.

    Returns:
        Where it lies, from the workspace.

    Raises:
        StorageError: It cannot be written; what was imported is stored.
    """
    folder = ctx.hidden / FOLDER
    target = folder / f"{name}.csv"
    text = io.StringIO(newline="")
    writer = csv.writer(text)
    writer.writerow(("row", "column", "reason"))
    writer.writerows((r.row, _defused(r.column), r.reason) for r in rejected)
    temporary = ""
    try:
        folder.mkdir(mode=0o700, exist_ok=True)
        handle, temporary = tempfile.mkstemp(prefix=".rejects.", dir=folder)
        with os.fdopen(handle, "w", encoding="utf-8", newline="") as stream:
            stream.write(text.getvalue())
            stream.flush()
            os.fsync(stream.fileno())
        Path(temporary).replace(target)
    except OSError as error:
        if temporary:
            with suppress(OSError):
                Path(temporary).unlink()
        raise StorageError(
            f"{target}: {error.strerror}", "what was imported is stored; free some space and import again"
        ) from None
    return str(target.relative_to(ctx.root))


def _defused(cell: str) -> str:
    """A cell that no spreadsheet takes for a formula."""
    return f"'{cell}" if cell[:1] in "=+-@\t\r" and cell else cell
