"""human_ratings.jsonl from a disk: what a gate and an evaluation of judges read."""

from __future__ import annotations

from pathlib import Path

from curator.errors import InputError
from curator.exporting.ratings import RatingsFile, read_ratings


def load_ratings(path: Path, suite: str = "", version: str = "") -> RatingsFile:
    """Human ratings out of a file, every line checked; no workspace is needed.

    Args:
        path: The human_ratings.jsonl that `curator sample-review export` wrote.
        suite: Only what was said of this suite; "" = of any.
        version: Only of this version; "" = of any.

    Raises:
        InputError: It cannot be read, a line is none, or it holds no rating of this suite and version.
    """
    try:
        data = path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: {error.strerror}", "name the human_ratings.jsonl of an export") from None
    found = read_ratings(data, str(path))

    kept = RatingsFile(
        tuple(n for n in found.samples if n.is_of(suite, version)),
        tuple(n for n in found.summaries if n.is_of(suite, version)),
        tuple(n for n in found.ratings if n.is_of(suite, version)),
    )
    if not kept.ratings:
        raise InputError(f"{path}: no rating of {suite}{f' {version}' if version else ''}", "name the export of it")
    return kept
