"""What a file needs to outlast a power cut and other people's eyes: the same for the database and for every writer."""

from __future__ import annotations

import os
from pathlib import Path


def sync_folder(folder: Path) -> None:
    """Make sure that the names in a folder are on the disk: a file that was put there is still there after a crash.

    Raises:
        OSError: The folder cannot be opened, or the disk refused.
    """
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


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
