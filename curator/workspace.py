"""The one place that wires: a folder becomes an open workspace.

Nothing heavy is imported before `context` is asked for, so that the app paints first and `curator --help` stays light.
"""

from __future__ import annotations

import errno
import threading
from pathlib import Path
from typing import TYPE_CHECKING

from curator.durable import make_folder, write_new
from curator.environment import FILE_NAME, default_actor
from curator.errors import Conflict, CuratorError, InputError, StorageError, UsageError

if TYPE_CHECKING:
    from curator.services.context import Context
    from curator.settings import Settings

HIDDEN = ".curator"
DATABASE = "curator.db"


def find(start: Path) -> Path:
    """The nearest folder at or above start that is a workspace.

    Raises:
        InputError: There is none.
    """
    here = start.resolve()
    for folder in (here, *here.parents):
        if _is_workspace(folder):
            return folder
    raise InputError(f"no workspace in {start} or above", "run `curator init`, or name one with --workspace DIR")


def named(folder: Path) -> Path:
    """The workspace of this very folder: who names one does not mean another that lies above it.

    Raises:
        InputError: It is none.
    """
    if not _is_workspace(folder):
        raise InputError(f"{folder} is no workspace: it has no {FILE_NAME}", f"run `curator init {folder}`")
    return folder.resolve()


def _is_workspace(folder: Path) -> bool:
    try:
        return (folder / FILE_NAME).is_file()
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "check its permissions") from None


def lay_out(folder: Path) -> None:
    """The folders of a workspace; files that are there are left alone.

    Raises:
        OSError: It cannot be written.
    """
    for name in ("datasets", "exports"):
        make_folder(folder / name)
    _hide(folder)


def _hide(folder: Path) -> None:
    """Our own folder: closed to other people and, since the holdout lies there, to git."""
    hidden = folder / HIDDEN
    make_folder(hidden, 0o700)
    ignore = hidden / ".gitignore"
    if not ignore.exists():
        write_new(ignore, b"*\n")


def create(folder: Path, actor_id: str = "", *, keep_files: bool = True) -> Path:
    """Make a folder a workspace: `curator.toml`, `datasets/`, `exports/`, `.curator/`. Gives the folder.

    Args:
        folder: Made when it is not there; files in it are left alone.
        actor_id: Listed under `[people]` as lead; "" = nobody is listed, and anyone may act.
        keep_files: Whether a copy of every file that is ingested is kept.

    Raises:
        UsageError: The actor's id is none.
        Conflict: It is a workspace already.
        StorageError: It cannot be written.
    """
    from curator.domain.actors import ACTOR_ID

    if actor_id and not ACTOR_ID.fullmatch(actor_id):
        raise UsageError(f"{actor_id!a} is no actor id", "use letters, digits and . _ - @")
    if _is_workspace(folder):
        raise Conflict(f"{folder} is a workspace already", "open it with `curator`")
    try:
        lay_out(folder)
        write_new(folder / FILE_NAME, _template(actor_id, keep_files).encode())
    except OSError as error:
        if _is_workspace(folder):
            raise Conflict(f"{folder} is a workspace already", "open it with `curator`") from None
        raise StorageError(f"{folder}: {error.strerror}", "choose a folder that may be written to") from None
    return folder


def _template(actor_id: str, keep_files: bool) -> str:
    import tomlkit

    document = tomlkit.document()
    document.add(tomlkit.comment("Curator workspace. https://toml.io"))
    document.add(tomlkit.nl())
    if actor_id:
        people = tomlkit.table(is_super_table=True)
        people.add(actor_id, tomlkit.table().add("role", "lead"))
        document.add("people", people)
    review = tomlkit.table().add(tomlkit.comment("a one-person team sets this to true; the manifest then says so"))
    document.add("review", review.add("solo", False))
    partitions = tomlkit.table().add(tomlkit.comment("share of the groups that go to the holdout, and the draw's seed"))
    document.add("partitions", partitions.add("holdout", 0.25).add("seed", 1))
    lengths = tomlkit.table().add(
        tomlkit.comment("median pages of a document in production: a number, or profile = a CSV of document,pages")
    )
    document.add("lengths", lengths.add("median", 0))
    kept = tomlkit.table().add(tomlkit.comment("keep a copy of every file that is ingested, in .curator/files"))
    document.add("documents", kept.add("keep_files", keep_files))
    return tomlkit.dumps(document)


def _require_what_was(hidden: Path) -> None:
    """Refuse to begin with an empty database where there was one: everything would look lost, and be written over.

    Raises:
        StorageError: The database is gone or empty, and copies of it or what belonged to it are here.
    """
    database = hidden / DATABASE
    logs = [database, database.with_name(f"{DATABASE}-wal")]
    if any(p.exists() and p.stat().st_size for p in logs):
        return
    traces = ("backups/*.db", "files/*.pdf", "holdout/*/*", "index.db")
    if any(next(hidden.glob(pattern), None) for pattern in traces):
        state = "is empty" if database.exists() else "is not there"
        raise StorageError(
            f"{database} {state}, and this workspace had one",
            f"`curator restore --here` takes the newest copy; to begin anew, move {HIDDEN} away",
        )


class Workspace:
    """A workspace that is opened on first use, and closed once.

    Attributes:
        root: Its folder.
        actor_id: Who acts; "" when nobody was named.
    """

    def __init__(self, root: Path, actor_id: str = "") -> None:
        self.root = root
        self.actor_id = actor_id or default_actor()
        self._settings: Settings | None = None
        self._context: Context | None = None
        self._opening = threading.Lock()  # the app's workers may ask for it at once

    @property
    def settings(self) -> Settings:
        """`curator.toml`, read once.

        Raises:
            InputError: It is missing or wrong; the message names the key.
        """
        if self._settings is None:
            from curator.settings import load

            self._settings = load(self.root / FILE_NAME)
        return self._settings

    def forgo_settings(self) -> CuratorError | None:
        """Go on without `curator.toml` when it is wrong: who looks after the database needs none. Gives what is wrong.

        Only the file's own name and its keys are told, in one line.
        """
        from curator.settings import Settings

        try:
            _ = self.settings
        except (InputError, StorageError) as error:
            self._settings = Settings()
            return error
        return None

    @property
    def context(self) -> Context:
        """The open workspace for services. The first use loads SQLModel and opens the database: half a second.

        Raises:
            StorageError: The database cannot be opened.
            InputError: The settings are wrong.
        """
        with self._opening:
            if self._context is None:
                self._context = self._open()
            return self._context

    def _open(self) -> Context:
        from curator.services.context import Context
        from curator.store.database import Database

        try:
            _hide(self.root)
        except OSError as error:
            hints = {errno.ENOSPC: "free some space", errno.EEXIST: "move away what has its name"}
            hint = hints.get(error.errno or 0, "change its permissions")
            raise StorageError(f"{self.root / HIDDEN}: {error.strerror}", hint) from None
        _require_what_was(self.root / HIDDEN)
        return Context(self.root, self.settings, Database(self.root / HIDDEN / DATABASE), self.actor_id)

    def read_settings(self) -> Context:
        """Read `curator.toml` again; gives the workspace as it is open, with the settings of now.

        Raises:
            InputError: They are wrong; the ones before stay.
            StorageError: They may not be read.
        """
        from dataclasses import replace

        from curator.settings import load

        now = load(self.root / FILE_NAME)
        context = self.context
        with self._opening:
            if now != context.settings:
                self._settings = now
                self._context = context = replace(context, settings=now)
            return context

    def close(self) -> None:
        """Close the database; the workspace can be opened again."""
        if self._context is not None:
            self._context.db.close()
            self._context = None

    def __enter__(self) -> Workspace:
        return self

    def __exit__(self, *exception: object) -> None:
        self.close()
