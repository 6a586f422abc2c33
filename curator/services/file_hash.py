"""The hash of a file that lies in a folder: which revision it is."""

from __future__ import annotations

import hashlib
from pathlib import Path

from curator.progress import Progress

_PART = 1 << 20


def file_sha256(path: Path, progress: Progress) -> str:
    """SHA-256 of the bytes of a file, in hex; `progress` may stop it.

    Raises:
        OSError: It cannot be read.
    """
    digest = hashlib.sha256()
    with path.open("rb") as stream:
        while block := stream.read(_PART):
            progress.checkpoint()
            digest.update(block)
    return digest.hexdigest()
