"""Where an erased text may stand beside the database: our own files are rewritten, other people's are named."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

from curator import log
from curator.durable import sweep
from curator.environment import FILE_NAME
from curator.errors import StorageError
from curator.services import backup, rescue
from curator.services.context import Context
from curator.services.publishing import write_report
from curator.services.rejects import FOLDER as REJECTS

READ_FROM_FILES = ("page", "section", "block", "anchor")
"""Tables whose texts were read from a document's own file."""


def databases(ctx: Context) -> list[Path]:
    """Every copy of the database here: in `backups`, and what `restore --here` has put aside."""
    aside = [p for p in ctx.hidden.glob("curator.db.*.aside") if p.is_file()]
    return [*sorted((ctx.hidden / "backups").glob("*.db")), *sorted(aside)]


def rewrite(ctx: Context, change: Callable[[str], str]) -> tuple[str, ...]:
    """Take the text out of what was typed and not stored, of the log and of the list of errors; gives the files.

    What a program has begun to write and not finished is removed, since it was copied from what stood there before.

    Raises:
        StorageError: One cannot be rewritten.
    """
    done = []
    backup.sweep_unfinished(ctx.hidden, older=0)
    for folder in rescue.places(ctx.root):
        sweep(folder, older=0)
    sweep(ctx.hidden / REJECTS, (".rejects.*",), older=0)
    own = [ctx.hidden / "errors.jsonl", *log.files(ctx.root), *sorted((ctx.hidden / REJECTS).glob("*.csv"))]
    own += [p for folder in rescue.places(ctx.root) if folder.is_dir() for p in sorted(folder.glob("*.json"))]
    for path in own:
        try:
            before = path.read_text("utf-8", errors="replace")
            if (after := change(before)) != before:
                write_report(path, after.encode("utf-8", "replace"))
                done.append(str(path))
        except FileNotFoundError:
            continue
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}", "delete it yourself, and erase again") from None
    return tuple(done)


def holding(ctx: Context, pattern: re.Pattern[str]) -> tuple[str, ...]:
    """Files of the workspace that are not ours to change and say it in plain text: inputs, settings, other exports."""
    released = re.compile(r"exports/[^/]+/[^/]+/")  # told beside their versions
    found = []
    for path in _others(ctx.root):
        name = path.relative_to(ctx.root).as_posix()
        if released.match(name):
            continue
        with suppress(OSError):
            if pattern.search(path.read_text("utf-8", errors="replace")) is not None:
                found.append(name)
    return tuple(found)


def _others(root: Path) -> Iterator[Path]:
    yield root / FILE_NAME
    for folder in ("datasets", "exports", ".curator/tmp"):
        yield from (p for p in sorted((root / folder).rglob("*")) if p.is_file() and not p.is_symlink())
