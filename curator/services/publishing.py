"""Files that appear whole or not at all, and never change afterwards.

Everything is written into a new folder beside the target, synced, and renamed over nothing: a rename onto a folder that
has files fails, so of two that publish the same version one wins. A crash leaves a folder named `.tmp-*`, swept later.
"""

from __future__ import annotations

import errno
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import IO

from curator.durable import make_folder, sweep, sync_folder
from curator.errors import Conflict, StorageError, UsageError

_PREFIX = ".tmp-"


@contextmanager
def exclusive(path: Path, what: str) -> Iterator[None]:
    """Hold a lock file, or a folder itself, while the block runs; it is free when this process ends, however it ends.

    Args:
        path: A folder that is there, or a file, which is made.
        what: What is being done, for the one who comes second: "a release".

    Raises:
        Conflict: Another process holds it.
        StorageError: It cannot be opened.
    """
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        flags = os.O_RDONLY | os.O_DIRECTORY if path.is_dir() else os.O_RDWR | os.O_CREAT
        handle = os.open(path, flags | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "check that the folder may be written to") from None
    try:
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Conflict(f"{what} is being done by another process", "wait for it and try again") from None
        yield
    finally:
        os.close(handle)


def publish(folder: Path, files: Mapping[str, bytes], *, mode: int = 0o755, is_ours: bool = True) -> None:
    """Make a folder with these files, whole and once.

    Args:
        folder: Must not exist, or be empty.
        files: Plain names and their bytes.
        mode: Of the folder.
        is_ours: Whether the folder that it lies in is curator's: then what a crash left there is swept.

    Raises:
        Conflict: It exists and is not empty.
        StorageError: The disk refused; nothing of it is left but a `.tmp-*` folder at worst.
    """
    try:
        make_folder(folder.parent, mode)
        if is_ours:
            sweep(folder.parent, (f"{_PREFIX}*",))
        draft = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder.parent))
        try:
            draft.chmod(mode)
            for name, data in files.items():
                with (draft / name).open("xb") as stream:
                    stream.write(data)
                    stream.flush()
                    os.fsync(stream.fileno())
            sync_folder(draft)
            _rename(draft, folder)
        except BaseException:
            shutil.rmtree(draft, ignore_errors=True)
            raise
        sync_folder(folder.parent)
    except OSError as error:
        next_step = (
            "free some space" if error.errno in (errno.ENOSPC, errno.EDQUOT) else "check that it may be written to"
        )
        raise StorageError(f"{folder}: {error.strerror}", f"{next_step}, and try again") from None


def _rename(draft: Path, folder: Path) -> None:
    try:
        draft.rename(folder)
    except OSError as error:
        if error.errno in (errno.ENOTEMPTY, errno.EEXIST):
            raise Conflict(f"{folder} exists", "a version is never written again") from None
        raise


def replace(folder: Path, files: Mapping[str, bytes], *, mode: int = 0o755) -> None:
    """Make a folder with these files in place of one that nothing refers to; no files: no folder.

    Raises:
        StorageError: The disk refused.
    """
    try:
        if folder.exists():
            shutil.rmtree(folder)
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "check that the folder may be written to") from None
    if files:
        publish(folder, files, mode=mode)


def read_folder(folder: Path) -> dict[str, bytes]:
    """The regular files of a folder, by name; links are not followed.

    Raises:
        StorageError: It cannot be read.
    """
    try:
        return {p.name: p.read_bytes() for p in sorted(folder.iterdir()) if p.is_file() and not p.is_symlink()}
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "name the folder of a released version") from None


@contextmanager
def whole_file(path: Path) -> Iterator[IO[bytes]]:
    """A file to write: it appears when the block ends, in place of one of this name; when that fails nothing changed.

    Raises:
        UsageError: It is something else than a file: a folder, a device.
        StorageError: The disk refused; what was there before is there still.
    """
    target = path.resolve()
    if target.exists() and not target.is_file():
        raise UsageError(f"{path} is no file", "name a file, or `-` for stdout")
    draft = target.parent / f"{_PREFIX}{secrets.token_hex(8)}"
    try:
        try:
            with draft.open("xb") as stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            draft.replace(target)
        except BaseException:
            draft.unlink(missing_ok=True)
            raise
        sync_folder(target.parent)
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "name a file that may be written, or free some space") from None


def write_report(path: Path, data: bytes) -> None:
    """Write a file that a person named; one that was there is replaced by the whole new one, or stays as it is.

    A device or a pipe takes the bytes as they are.

    Raises:
        StorageError: The disk refused, or it is a folder.
    """
    if path.exists() and not path.is_file():
        try:
            path.write_bytes(data)
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}", "name a file that may be written") from None
        return
    with whole_file(path) as stream:
        stream.write(data)
