"""Pages of a file that were read before it was stored, kept on the disk, so that what was stopped is not done again.

A folder for each file and rules, `<sha256>-<rules>/`; in it a file of lines for each process that read, so that two
can read the same file at once. Its first line says by which libraries; a line that was cut short by a kill is left
out. Of a page by an optional engine the line says which. Nothing here is needed: where it cannot be written, nothing
is kept.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import time
from collections.abc import Iterator
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from curator import __version__
from curator.domain.identity import slug
from curator.parsing.raw import RawPage, from_wire

_LIBRARIES = ("pypdfium2", "pypdf")
_OURS = re.compile(r"[0-9a-f]{64}-.+")


def folder_of(root: Path, sha256: str, rules: str) -> Path:
    """Where the pages of a file are kept."""
    return root / f"{sha256}-{slug(rules, dots=True)}"


def forget(root: Path, sha256: str) -> None:
    """Remove what is kept of a file, by whatever rules."""
    for folder in root.glob(f"{sha256}-*"):
        shutil.rmtree(folder, ignore_errors=True)


def sweep(root: Path, seconds: float) -> None:
    """Remove what nobody has added to for so long."""
    with contextlib.suppress(OSError):
        for folder in root.iterdir():
            if _OURS.fullmatch(folder.name) and time.time() - folder.stat().st_mtime > seconds:
                shutil.rmtree(folder, ignore_errors=True)


class KeptPages:
    """The pages of one file. `root` None: none are kept.

    Attributes:
        pages: Those that were read before, by number; `recognized`: those that an engine read.
    """

    def __init__(self, root: Path | None, sha256: str, rules: str) -> None:
        self.pages: dict[int, RawPage] = {}
        self.recognized: dict[int, RawPage] = {}
        self._folder = folder_of(root, sha256, rules) if root is not None else None
        self._head = json.dumps({"curator": __version__} | {n: metadata.version(n) for n in _LIBRARIES}).encode()
        self._stream: BinaryIO | None = None
        if self._folder is not None:
            self._load()

    def __enter__(self) -> KeptPages:
        return self

    def __exit__(self, *exception: object) -> None:
        if self._stream is not None:
            self._stream.close()

    def _load(self) -> None:
        assert self._folder is not None
        with contextlib.suppress(OSError):
            for path in sorted(self._folder.glob("*.jsonl")):
                for message in self._messages(path.read_bytes()):
                    with contextlib.suppress(KeyError, TypeError, ValueError, AttributeError):
                        page = from_wire(message["page"])
                        place = self.recognized if message.get("engine") else self.pages
                        place.setdefault(page.index, page)

    def _messages(self, data: bytes) -> Iterator[dict[str, Any]]:
        *lines, _cut = data.split(b"\n")
        if not lines or lines[0] != self._head:
            return
        for line in lines[1:]:
            with contextlib.suppress(ValueError):
                yield json.loads(line)

    def add(self, line: bytes) -> None:
        """Keep a page, as the reading process told it, without the line feed."""
        if self._folder is None:
            return
        try:
            if self._stream is None:
                self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
                name = self._folder / f"{os.getpid()}-{time.monotonic_ns()}.jsonl"
                self._stream = name.open("xb", buffering=0)
                self._stream.write(self._head + b"\n")
            self._stream.write(line + b"\n")
        except OSError:  # a full disk costs only what would have been saved later
            self._folder = None
