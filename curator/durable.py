"""What a file needs to outlast a power cut and other people's eyes: the same for the database and for every writer."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import time
from collections.abc import Iterable, Iterator
from pathlib import Path

_CANNOT = (errno.EINVAL, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.ENOTTY)
STALE = 3600.0
"""Seconds after which a part that nobody has finished was left by a program that was killed."""
NO_LINKS = (errno.EPERM, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EMLINK)
"""What the system says where a file can have no second name."""


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk: a file that was put there is still there after a crash.

    A file system that has no such thing for folders is left to itself.

    Raises:
        OSError: The folder cannot be opened, or the disk refused.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in _CANNOT:
            raise
    finally:
        os.close(handle)


def sync_file(path: Path) -> None:
    """Make sure that the bytes of a file that another program or library wrote are on the disk.

    Raises:
        OSError: It cannot be opened, or the disk refused.
    """
    with path.open("rb+") as stream:
        os.fsync(stream.fileno())


@contextlib.contextmanager
def alone(path: Path) -> Iterator[None]:
    """Only one process at a time, the others wait; where the system has no such lock, the last one wins.

    Args:
        path: A folder that is there, or a lock file, which is made.

    Raises:
        OSError: It cannot be opened, or its file system knows no locks.
    """
    try:
        import fcntl
    except ImportError:
        yield
        return
    held = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR | os.O_CREAT)
    try:
        fcntl.flock(held, fcntl.LOCK_EX)
        yield
    finally:
        os.close(held)


def sync_names(folder: Path) -> None:
    """The same for a folder and every folder below it.

    Raises:
        OSError: As `sync_folder`.
    """
    for place, _, _ in os.walk(folder):
        sync_folder(Path(place))


def make_folder(folder: Path, mode: int = 0o777) -> None:
    """Make a folder that may be there already, and those above it that are missing; their names are on the disk then.

    Args:
        folder: To be there.
        mode: Of each one that is made.

    Raises:
        OSError: It cannot be made, or something else has its name.
    """
    missing = [folder]
    while not missing[-1].parent.exists():
        missing.append(missing[-1].parent)
    for path in reversed(missing):
        if not path.is_dir():
            path.mkdir(mode=mode, exist_ok=True)
            sync_folder(path.parent)


def put_new(part: Path, target: Path) -> None:
    """Give a whole file its name, never over another one; its name is on the disk then.

    Raises:
        FileExistsError: There is one.
        OSError: The disk refused; there is none, and the part is where it was.
    """
    try:
        os.link(part, target)
        linked = True
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        target.open("xb").close()  # sticks and shares have no second names: an empty file keeps the place
        part.replace(target)
        linked = False
    try:
        sync_folder(target.parent)
    except OSError:
        if linked:
            target.unlink(missing_ok=True)
        else:
            target.replace(part)
        raise
    with contextlib.suppress(OSError):  # a second name does no harm
        part.unlink(missing_ok=True)


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet: whole, or not at all.

    Raises:
        FileExistsError: It is there.
        OSError: The disk refused; there is none.
    """
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    try:
        with part.open("wb") as stream:
            stream.write(data)
            stream.flush()
            os.fsync(stream.fileno())
        put_new(part, path)
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)


def sweep(folder: Path, patterns: Iterable[str] = (".*.part*",), *, older: float = STALE) -> None:
    """Remove what a kill left of a file or a folder that was being written.

    Args:
        folder: Where it lies.
        patterns: Of its name.
        older: Seconds since it was changed last; what is younger may be finished yet.
    """
    for pattern in patterns:
        for part in folder.glob(pattern):
            with contextlib.suppress(OSError):
                if time.time() - part.lstat().st_mtime >= older:
                    shutil.rmtree(part) if part.is_dir() and not part.is_symlink() else part.unlink()


def private(path: str, flags: int) -> int:
    """Opener for `open`: a file that is made is its owner's alone; no link is followed."""
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o600)


def identity(path: Path) -> tuple[int, int]:
    """Which file lies at a path now: another one put in its place has another; (0, 0) = none that can be seen."""
    try:
        found = path.stat()
    except OSError:
        return 0, 0
    return found.st_dev, found.st_ino
