"""What went wrong, kept over restarts: `.curator/errors.jsonl`, one line each, the oldest dropped beyond a limit.

A line says when, who acted, what was being done and why it failed. It holds no text of a case: our own errors name
ids, files and keys, and of a bug only the type is kept (its message may quote what was typed).
"""

from __future__ import annotations

import json
import os
import threading
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from textual.app import App

from curator import log
from curator.errors import CuratorError
from curator.text import one_line
from curator.tui.workers import serve

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.workspace import Workspace

    _App = App[int]
else:
    _App = object

FILE = "errors.jsonl"
KEPT = 200
LONGEST = 1000
_writing = threading.Lock()


class Trouble(NamedTuple):
    """Something that went wrong.

    Attributes:
        doing: What was being done: "save the case".
        said: Why it failed, in one line.
        at: When, ISO in UTC.
        actor: Who acted.
    """

    doing: str
    said: str
    at: str = ""
    actor: str = ""


def now() -> str:
    """The time, in UTC, to the second."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def keep(hidden: Path, troubles: list[Trouble]) -> None:
    """Write them down; a full disk or a folder that cannot be written to is no further trouble. In a worker."""
    lines = [json.dumps([t.at, t.actor, t.doing[:LONGEST], t.said[:LONGEST]], ensure_ascii=True) for t in troubles]
    path = hidden / FILE
    with _writing:
        try:
            with path.open("a", encoding="ascii") as stream:
                stream.write("".join(f"{line}\n" for line in lines))
            _cut(path)
        except OSError:
            return


def _cut(path: Path) -> None:
    """Drop the oldest when there are twice as many as are kept."""
    lines = path.read_text("ascii", errors="replace").splitlines(keepends=True)
    if len(lines) >= 2 * KEPT:
        beside = path.with_suffix(f".{os.getpid()}")
        beside.write_text("".join(lines[-KEPT:]), "ascii")
        beside.replace(path)


def earlier(hidden: Path) -> list[Trouble]:
    """Those of earlier times, oldest first; a line that cannot be read is left out. In a worker."""
    try:
        lines = (hidden / FILE).read_text("ascii", errors="replace").splitlines()
    except OSError:
        return []
    return [found for line in lines[-KEPT:] if (found := _read(line))]


def _read(line: str) -> Trouble | None:
    try:
        at, actor, doing, said = json.loads(line)
    except (ValueError, TypeError):
        return None
    parts = (doing, said, at, actor)
    return Trouble(*parts) if all(isinstance(p, str) for p in parts) else None


def forget(hidden: Path) -> None:
    """Drop all of them. In a worker."""
    with _writing:
        (hidden / FILE).unlink(missing_ok=True)


class Troubled(_App):
    """Mix-in of the app.

    Attributes:
        errors: What went wrong in this session, newest last; it is kept in the file too.
        unseen: How many of them nobody has looked at yet.
    """

    ctx: Context | None
    workspace: Workspace

    def begin_errors(self) -> None:
        """Nothing went wrong yet."""
        self.errors: list[Trouble] = []
        self.unseen = 0

    def note_error(self, doing: str, error: Exception) -> None:
        """Put an error where it stays readable, and show it once. A bug is named by its type, its traceback logged."""
        if isinstance(error, CuratorError):
            said = kept = str(error)
        else:
            kept = f"{type(error).__name__} (a bug: details in .curator/log)"
            said = f"{type(error).__name__}: {error} (a bug: details in .curator/log)"
            self._log_bug(doing, error)
        line = one_line(said)
        self.list_error(doing, line, one_line(kept))
        self.notify(
            one_line(line, 300), title=one_line(f"could not {doing}"), severity="error", markup=False, timeout=8
        )

    def list_error(self, doing: str, line: str, kept: str = "") -> None:
        """Put a line where it stays readable, in this session and after it.

        Args:
            doing: What was being done.
            line: Why it failed.
            kept: What the file says instead, where the line may quote what was typed.
        """
        found = Trouble(one_line(doing), line, now(), self.workspace.actor_id)
        self.errors.append(found)
        self.unseen += 1
        if self.ctx is not None:
            serve(
                self, partial(keep, self.ctx.hidden, [found._replace(said=kept or line)]), doing="write the error down"
            )

    def _log_bug(self, doing: str, error: BaseException) -> None:
        """Where it happened and of what type it is; no values and no message, which may quote what was typed."""
        log.write(self.workspace.root, f"app, {log.quoteless(one_line(doing))}", log.said(error))

    def action_errors(self) -> None:
        """What went wrong, in this session and before."""
        ctx, here = self.ctx, len(self.errors)
        if ctx is None:
            self._show_errors([])
            return

        def work() -> list[Trouble]:
            return earlier(ctx.hidden)

        def show(kept: list[Trouble]) -> None:
            mine = {(e.at, e.doing) for e in self.errors[:here]}
            self._show_errors([e for e in kept if (e.at, e.doing) not in mine])

        serve(self, work, show, doing="read the errors", group="errors")

    def _show_errors(self, before: list[Trouble]) -> None:
        from curator.tui.screens.errors import Errors

        self.unseen = 0
        self.push_screen(Errors([*before, *self.errors], self.forget_errors))

    def forget_errors(self) -> None:
        """Drop all errors, the kept ones too."""
        self.errors.clear()
        if self.ctx is not None:
            serve(self, partial(forget, self.ctx.hidden), doing="drop the errors")
