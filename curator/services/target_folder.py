"""Folders of targets: written beside their place, synced, and put there whole; of two exporters one works."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from curator.durable import make_folder, sync_folder, sync_names
from curator.errors import StorageError
from curator.services.publishing import exclusive

_PREFIX = ".tmp-"
_NAME = re.compile(r"[A-Za-z0-9_][A-Za-z0-9._-]*(/[A-Za-z0-9_][A-Za-z0-9._-]*)*")


class Draft:
    """A folder that is being written; `exporting.targets.protocol.Folder` on a disk."""

    def __init__(self, parent: Path, name: str) -> None:
        self.place = parent / name
        self._draft = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=parent))
        self._draft.chmod(0o755)
        self._streams: dict[str, BinaryIO] = {}
        self._gone = False

    def open(self, name: str) -> BinaryIO:
        """A new file within.

        Raises:
            ValueError: The name is no plain name, or names joined by "/"; names come from targets, not from cases.
        """
        if not _NAME.fullmatch(name):
            raise ValueError(f"{name!a} is no name of a file")
        path = self._draft / name
        path.parent.mkdir(parents=True, exist_ok=True)
        stream = path.open("xb")
        self._streams[name] = stream
        return stream

    def discard(self, name: str) -> None:
        """Forget a file, or a folder with its files."""
        for known in [n for n in self._streams if n == name or n.startswith(f"{name}/")]:
            self._streams.pop(known).close()
            (self._draft / known).unlink()
        if (self._draft / name).is_dir():
            shutil.rmtree(self._draft / name)

    def sync(self) -> tuple[str, ...]:
        """Close all files, make sure that they are on the disk, and give their names."""
        for stream in self._streams.values():
            stream.flush()
            os.fsync(stream.fileno())
            stream.close()
        sync_names(self._draft)
        return tuple(sorted(self._streams))

    def publish(self) -> None:
        """Put the folder in its place, at once with taking away one that is there. `sync` was called.

        Where the system cannot exchange two folders, there is none for a moment.
        """
        if self.place.is_symlink() or self.place.is_file():
            raise StorageError(f"{self.place} is no folder", "move it away")
        old = self._draft
        if not self.place.exists():
            self._draft.rename(self.place)
        elif not _exchange(self._draft, self.place):
            old = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=self.place.parent))
            self.place.rename(old)  # onto an empty folder: allowed
            self._draft.rename(self.place)
        self._gone = True
        sync_folder(self.place.parent)
        shutil.rmtree(old, ignore_errors=True)

    def drop(self) -> None:
        """Remove what was written, unless it was published."""
        for stream in self._streams.values():
            with suppress(OSError):
                stream.close()
        if not self._gone:
            shutil.rmtree(self._draft, ignore_errors=True)


@contextmanager
def drafts(parent: Path, names: tuple[str, ...]) -> Iterator[dict[str, Draft]]:
    """Drafts of folders in parent, one a name; what is not published when the block ends is removed.

    Raises:
        Conflict: Another process writes there.
        StorageError: The disk refused.
    """
    made: dict[str, Draft] = {}
    try:
        make_folder(parent)
        with exclusive(parent, f"another export to {parent}"):
            for leftover in parent.glob(f"{_PREFIX}*"):  # nobody else writes here: a crash left it
                shutil.rmtree(leftover, ignore_errors=True)
            try:
                for name in names:
                    made[name] = Draft(parent, name)
                yield made
            finally:
                for draft in made.values():
                    draft.drop()
    except OSError as error:
        raise StorageError(
            f"{parent}: {error.strerror}", "free some space, or check that it may be written to"
        ) from None


def _exchange(one: Path, other: Path) -> bool:
    """Exchange two folders in one step (renameat2 of Linux); False: this system or file system cannot."""
    call = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if call is None:
        return False
    here = -100  # AT_FDCWD: paths are taken as they are
    done: int = call(here, os.fsencode(one), here, os.fsencode(other), ctypes.c_uint(2))
    return done == 0
