"""What keeps the coverage right while it is looked at: a look at the files of the workspace, a few times a second."""

from __future__ import annotations

import os
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from curator.environment import FILE_NAME
from curator.errors import CuratorError
from curator.tui.screens.room import Room

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.workspace import Workspace

LOOK = 0.03
"""Seconds between two looks: four file states, some 20 millionths of a second."""
LATER = 2
"""So many looks more after a change: a file's time is told in steps, and a write may go on within one."""

Stamp = tuple[tuple[int, int] | None, ...]


def stamp(paths: tuple[Path, ...]) -> Stamp:
    """Time and size of each file; None = it is not there."""
    found: list[tuple[int, int] | None] = []
    for path in paths:
        try:
            state = os.stat(path)  # noqa: PTH116 - a third of the time that Path.stat takes
            found.append((state.st_mtime_ns, state.st_size))
        except OSError:
            found.append(None)
    return tuple(found)


class Live(Room):
    """A room that counts again whenever the database, `curator.toml` or the declared lengths change, by whomever.

    Counting is done by one worker at a time, so that a stream of changes cannot starve it.

    Attributes:
        trouble: What keeps it from being counted; "" = nothing.
        unread: What is wrong with the settings, so that those before stay; "" = nothing.
        counted_at: Version of the board, and what was asked of it, when it was counted last.
    """

    def __init__(self) -> None:
        super().__init__()
        self.trouble = self.unread = ""
        self._stamp: Stamp = ()
        self._looks = 0
        self._counting = self._again = False
        self.counted_at: tuple[int, tuple[object, ...]] | None = None

    def counted_by(self) -> tuple[object, ...]:
        """What the answer goes by, the board apart."""
        raise NotImplementedError

    def start_counting(self) -> None:
        """Count in a worker, which ends in `was_counted`."""
        raise NotImplementedError

    def on_mount(self) -> None:
        """Begin to look."""
        super().on_mount()
        self.set_interval(LOOK, self.look)

    def refresh_room(self) -> None:
        """The screen came up: what happened meanwhile is counted."""
        self._stamp = ()
        self.look()

    def look(self) -> None:
        """Count again when something was written since the last look."""
        ctx = self.curator.ctx
        if ctx is None or not self.is_current:
            return
        now = stamp(self._paths(ctx))
        if now != self._stamp:
            settings, self._looks = now[2:3] != self._stamp[2:3], LATER
            self._stamp = now
            if settings:
                self._read_settings()
        elif self._looks:
            self._looks -= 1
        else:
            return
        self.count_again()

    def _paths(self, ctx: Context) -> tuple[Path, ...]:
        database = ctx.db.path
        profile = ctx.settings.lengths.profile
        own = (database, database.with_name(f"{database.name}-wal"), ctx.root / FILE_NAME)
        return (*own, ctx.root / profile) if profile else own

    def count_again(self) -> None:
        """Count, now or as soon as the count that runs is over."""
        if self.curator.ctx is None or not self.is_mounted:
            return
        self._again = self._counting
        if self._counting:
            return
        self._counting = True
        self.start_counting()

    def was_counted(self, version: int, by: tuple[object, ...]) -> None:
        """A count is over; count again when something else was asked for meanwhile.

        Args:
            version: Of the board that was counted; -1 = it failed.
            by: What it went by.
        """
        self._counting = False
        self.counted_at = (version, by)
        if self._again or by != self.counted_by():
            self.count_again()

    # -- settings -----------------------------------------------------------------------------------------------

    def _read_settings(self) -> None:
        """`curator.toml` may have been written: by another process, in an editor, or by a dialog of ours."""
        self.ask(partial(_read_again, self.curator.workspace), self._has_settings, doing=f"read {FILE_NAME}",
                 group="settings")  # fmt: skip

    def _has_settings(self, found: Context | str) -> None:
        before, self.unread = self.unread, found if isinstance(found, str) else ""
        if not isinstance(found, str) and found is not self.curator.ctx:
            self.curator.take_settings(found)
        if before != self.unread:
            self.settings_told()
        self.count_again()

    def settings_told(self) -> None:
        """Settings cannot be read, or can be again."""
        raise NotImplementedError


def _read_again(workspace: Workspace, _ctx: Context) -> Context | str:
    """The workspace with the settings of now, or what is wrong with them; in a worker."""
    try:
        return workspace.read_settings()
    except CuratorError as error:
        return str(error)
