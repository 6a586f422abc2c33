"""A log before it is read: what kind of file it is, opened safely, its text as a stream."""

from __future__ import annotations

import gzip
import io
import os
import stat
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any, cast

from curator.errors import InputError, UsageError
from curator.parsing.files import open_descriptor, shown_name
from curator.parsing.logs.encodings import Encoding, EncodingCheck
from curator.progress import Progress, Silent

LONGEST_LINE = 32 * 1024 * 1024
_PART = 1 << 20
_MAGIC = (
    (b"SQLite format 3\x00", "is a SQLite database, not a {what}", "export the table as CSV"),
    (b"%PDF", "is a PDF, not a {what}", "run `curator ingest` on it"),
    (b"\xd0\xcf\x11\xe0", "is an old Office file", "save it as CSV"),
    (b"\x7fELF", "is a program, not a {what}", "name a CSV or JSON file"),
    (b"\x89PNG", "is an image, not a {what}", "name a CSV or JSON file"),
    (b"BZh", "is packed with bzip2", "unpack it first"),
    (b"\xfd7zXZ", "is packed with xz", "unpack it first"),
    (b"\x28\xb5\x2f\xfd", "is packed with zstd", "unpack it first"),
)


class LogFile:
    """A regular file that is open for reading.

    Attributes:
        name: Its name, safe to show.
        path: Where it lies.
        kind: "text", "parquet" or "zip".
        size: Bytes on the disk.
    """

    def __init__(self, path: Path, descriptor: int, what: str = "log") -> None:
        self.name = shown_name(path)
        self.path = path
        self._descriptor = descriptor
        self._streams: list[IO[Any]] = []
        self.size = os.fstat(descriptor).st_size
        head = os.pread(descriptor, 64, 0)
        for magic, said, hint in _MAGIC:
            if head.startswith(magic):
                raise InputError(f"{self.name}: {said.format(what=what)}", hint)
        self._packed = head.startswith(b"\x1f\x8b")
        self.kind = "parquet" if head.startswith(b"PAR1") else "zip" if head.startswith(b"PK\x03\x04") else "text"

    def binary(self) -> IO[bytes]:
        """Its bytes from the start, unpacked; closed with the file at the latest."""
        stream: IO[bytes] = os.fdopen(os.dup(self._descriptor), "rb")
        stream.seek(0)
        self._streams.append(stream)
        if self._packed:
            stream = cast("IO[bytes]", gzip.GzipFile(fileobj=stream))
            self._streams.append(stream)
        return stream

    def close(self) -> None:
        """Close what was opened of it."""
        for stream in reversed(self._streams):
            stream.close()

    def encoding(self, given: str, progress: Progress | None = None) -> tuple[Encoding, bool]:
        """How it is encoded, and whether its lines end in more than one way. Reads it once.

        Raises:
            Unsure: Nothing speaks clearly for one encoding.
            InputError: It is packed, and damaged.
            UsageError: The given encoding is none.
        """
        check = EncodingCheck()
        progress = progress or Silent()
        try:
            with self.binary() as stream:
                while part := stream.read(_PART):
                    progress.checkpoint()
                    check.feed(part)
        except (OSError, EOFError, zlib.error):
            raise InputError(f"{self.name}: damaged archive", "pack it again") from None
        if given:
            try:
                "".encode(given)
            except LookupError:
                raise UsageError(f"{given!a} is no encoding", "such as utf-8, cp1252, cp949, utf-16") from None
            return Encoding(
                "utf-8-sig" if given.lower().replace("_", "-") in ("utf-8", "utf8") else given, "given"
            ), check.mixed_newlines
        return check.found(self.name), check.mixed_newlines

    def text(self, encoding: Encoding, *, newline: str = "") -> io.TextIOWrapper:
        """Its text from the start. A given encoding is trusted: what does not fit it becomes U+FFFD."""
        errors = "replace" if encoding.by == "given" else "strict"
        stream = io.TextIOWrapper(self.binary(), encoding=encoding.name, errors=errors, newline=newline)
        self._streams.append(stream)
        return stream


@contextmanager
def opened(path: Path, what: str = "log") -> Iterator[LogFile]:
    """A regular, non-empty file; `what` it should be, for messages: a log, or a list.

    Raises:
        InputError: Anything else, in one line with the next step.
    """
    name, descriptor = shown_name(path), open_descriptor(path)
    try:
        status = os.fstat(descriptor)
        if not stat.S_ISREG(status.st_mode):
            found = "a folder" if stat.S_ISDIR(status.st_mode) else "not a regular file"
            raise InputError(f"{name}: is {found}", f"name a {what} file")
        if status.st_size == 0:
            raise InputError(f"{name}: empty file", "export it again")
        file = LogFile(path, descriptor, what)
        try:
            yield file
        finally:
            file.close()
    finally:
        os.close(descriptor)
