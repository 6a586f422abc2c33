"""The workspace that the global options name, opened when a command first needs it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.workspace import Workspace


class Here:
    """What `-w` and `--as` said."""

    def __init__(self, folder: Path | None, actor: str) -> None:
        self.folder = folder
        self.actor = actor

    @property
    def workspace(self) -> Workspace:
        """The workspace named, or the nearest one upwards.

        Raises:
            InputError: There is none.
        """
        from curator import workspace as spaces  # pydantic: 60 ms that `--help` need not pay

        return spaces.Workspace(spaces.find(self.folder or Path.cwd()), self.actor)


@contextmanager
def opened(ctx: typer.Context) -> Iterator[Context]:
    """The open workspace of a command; closed when the block ends."""
    here: Here = ctx.obj
    with here.workspace as workspace:
        yield workspace.context
