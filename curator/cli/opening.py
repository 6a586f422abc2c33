"""The workspace that the global options name, opened when a command first needs it."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from curator import log
from curator.cli.console import say, tell
from curator.errors import StorageError, UsageError

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.workspace import Workspace

    OpenApp = Callable[[Workspace], int]


class Here:
    """What `-w`, `--as` and `--verbose` said, and how the app is opened."""

    def __init__(
        self, folder: Path | None, actor: str, opener: OpenApp | None = None, *, verbose: bool = False
    ) -> None:
        self.verbose = verbose
        self.folder = folder
        self.actor = actor
        self._opener = opener

    @property
    def has_terminal(self) -> bool:
        """Whether a person sits at both ends, and there is an app to open."""
        return self._opener is not None and sys.stdin.isatty() and sys.stdout.isatty()

    def open_app(self, workspace: Workspace) -> int:
        """Run the app on a workspace and give its exit code.

        Raises:
            UsageError: There is no terminal.
        """
        if self._opener is None or not self.has_terminal:
            raise UsageError("the app needs a terminal", "`curator --help` lists the commands")
        return self._opener(workspace)

    @property
    def workspace(self) -> Workspace:
        """The workspace named, or the nearest one from here upwards.

        Raises:
            InputError: There is none.
        """
        from curator import workspace as spaces  # pydantic: 60 ms that `--help` need not pay

        root = spaces.named(self.folder) if self.folder else spaces.find(Path.cwd())
        return spaces.Workspace(root, self.actor)


@contextmanager
def opened(ctx: typer.Context, *, settings: bool = True) -> Iterator[Context]:
    """The open workspace of a command; closed when the block ends.

    Args:
        ctx: Of the command.
        settings: `curator.toml` is needed; without it a file that is wrong stands in nobody's way.
    """
    here: Here = ctx.obj
    with here.workspace as workspace, _logged(workspace.root, ctx.command_path, verbose=here.verbose):
        if not settings:
            workspace.forgo_settings()
        context = workspace.context
        _copy_of_the_day(context)
        yield context


@contextmanager
def _logged(root: Path, doing: str, *, verbose: bool) -> Iterator[None]:
    """A line in the log for what was run and how it ended: without its words, which may be text of a case."""
    began = time.monotonic()
    try:
        yield
    except BaseException as error:
        log.write(root, doing, log.said(error), verbose=verbose)
        raise
    log.write(root, doing, f"done in {time.monotonic() - began:.2f} s", verbose=verbose)


def _copy_of_the_day(context: Context) -> None:
    """Once a day; when it cannot be made, that is said and the command goes on."""
    from curator.services import backup

    try:
        made = backup.daily(context)
    except StorageError as error:
        tell(error)
        return
    if made is not None:  # once a day is often enough for what is merely unwise
        from curator.services import surroundings

        for line in surroundings.warnings(context):
            say(f"curator: {line}")
