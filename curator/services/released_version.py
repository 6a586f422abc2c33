"""A released version by its name, as people type it (NAME or NAME@VERSION), and what was recorded of it."""

from __future__ import annotations

from curator.errors import InputError
from curator.services.context import Context
from curator.services.verifying import Record, Recorded
from curator.store import releases


def released(ctx: Context, suite: str, version: str = "") -> releases.Release:
    """The version of a suite that was released here; "" = the latest.

    Raises:
        InputError: There is none; the message names those that there are.
    """
    with ctx.db.read() as tx:
        made = releases.versions(tx, suite)
    chosen = next((r for r in reversed(made) if not version or r.version == version), None)
    if chosen is None:
        known = ", ".join(r.version for r in made) or "none"
        raise InputError(f"no release {suite}{f'@{version}' if version else ''} here", f"released: {known}")
    return chosen


def recorded(ctx: Context) -> Recorded:
    """What this workspace recorded of its versions, for `verifying.verified`."""

    def found(suite: str, version: str) -> Record | None:
        with ctx.db.read() as tx:
            made = next((r for r in releases.versions(tx, suite) if r.version == version), None)
            return None if made is None else Record(made.manifest, releases.lines(tx, suite, version), made.build)

    return found
