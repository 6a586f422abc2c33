"""A file is read for the workspace: by several processes, and what was read before a kill is not read again.

Pages are kept in `.curator/tmp/` until the document is stored. What was begun and never finished goes after a week.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from curator.domain.document import ParsedDocument
from curator.progress import Progress
from curator.services.context import Context

FOLDER = "tmp"
KEPT_SECONDS = 7 * 86400.0
Seen = Callable[[int, str], None]


def read(
    ctx: Context, path: Path, *, name: str = "", progress: Progress, jobs: int = 0, seen: Seen | None = None,
    keep: bool = True,
) -> ParsedDocument:  # fmt: skip
    """Read a file; see parsing.pdf.parse_pdf.

    Args:
        ctx: Open workspace.
        path: The file.
        name: The name under which it is known, when its copy has another one.
        progress: A stage for the file.
        jobs: How many processes; 0 = as `[documents] jobs` says, else one a processor, at most four.
        seen: Told the number and the text of each page as soon as it was read.
        keep: Whether pages are kept until `forget`; a dry run leaves nothing.

    Raises:
        InputError: It cannot be read.
        Cancelled: Stopped; the pages that were read are kept.
    """
    from curator.parsing import parse_pdf  # the reader is loaded only when something is read

    folder = ctx.hidden / FOLDER if keep else None
    jobs = jobs or ctx.settings.documents.jobs
    return parse_pdf(path, name=name, progress=progress, jobs=jobs, keep=folder, seen=seen)


def forget(ctx: Context, sha256: str) -> None:
    """Remove the pages that were kept of a file."""
    from curator.parsing import kept_pages

    kept_pages.forget(ctx.hidden / FOLDER, sha256)


def sweep(ctx: Context) -> None:
    """Remove what was begun long ago and never finished."""
    from curator.parsing import kept_pages

    kept_pages.sweep(ctx.hidden / FOLDER, KEPT_SECONDS)
