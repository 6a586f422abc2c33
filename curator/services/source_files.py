"""The files that documents were made from: copies kept in the workspace, and the one door to whatever needs a file.

A file that was ingested from anywhere may be gone, or another one, when a page of it is to be read again. So a copy is
kept in `.curator/files/`, under the hash of its bytes, unless `curator.toml` says `[documents] keep_files = false`;
then the file is looked for in the folder of the workspace, by its name and hash.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from curator.durable import make_folder, private, sweep, sync_folder
from curator.errors import InputError, StorageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.services.file_hash import file_sha256
from curator.store import documents
from curator.text import visible

FOLDER = "files"
_PART = 1 << 20


@dataclass(frozen=True)
class SourceFile:
    """The file of a revision: where it lies, the name under which it was ingested, and the hash of its bytes."""

    path: Path
    name: str
    sha256: str


def kept_path(ctx: Context, sha256: str) -> Path:
    """Where the copy of a file lies, if one was kept."""
    return ctx.hidden / FOLDER / f"{sha256}.pdf"


def keep(ctx: Context, path: Path, sha256: str, progress: Progress) -> bool:
    """Keep a copy of a file; it is there whole, or not at all. Gives whether one was made.

    Raises:
        InputError: The file has other bytes by now.
        StorageError: It cannot be written.
        OSError: The file cannot be read.
        Cancelled: Stopped.
    """
    target = kept_path(ctx, sha256)
    if not ctx.settings.documents.keep_files or _is_whole(target, sha256, progress):
        return False
    part = target.with_name(f".{sha256}.{os.getpid()}.part")
    with path.open("rb") as stream:
        try:
            make_folder(target.parent, 0o700)
            sweep(target.parent)
            digest = hashlib.sha256()
            with open(part, "wb", opener=private) as copy:
                while block := stream.read(_PART):
                    progress.checkpoint()
                    digest.update(block)
                    copy.write(block)
                copy.flush()
                os.fsync(copy.fileno())
            if digest.hexdigest() != sha256:
                raise InputError(f"{visible(path.name)} was changed while it was read", "ingest it again")
            part.replace(target)
            sync_folder(target.parent)
        except OSError as error:
            raise StorageError(
                f"the copy of {visible(path.name)} cannot be kept: {error.strerror}",
                "free some space, or say `[documents] keep_files = false` in curator.toml",
            ) from None
        finally:
            with contextlib.suppress(OSError):
                part.unlink(missing_ok=True)
    return True


def discard(ctx: Context, sha256: str) -> None:
    """Remove a copy that was made for a document that was not stored after all."""
    with ctx.db.read() as tx:
        known = documents.by_hash(tx, sha256)
    if not known:
        with contextlib.suppress(OSError):
            kept_path(ctx, sha256).unlink(missing_ok=True)


def file_of(
    ctx: Context, document_id: str, path: Path | None = None, *, progress: Progress | None = None
) -> SourceFile:  # fmt: skip
    """The file of the current revision: the one given, else the kept copy, else the one of its name in the workspace.

    Its bytes are those of the revision.

    Raises:
        InputError: It is not there, or has other bytes.
        Cancelled: Stopped.
    """
    progress = progress or Silent()
    with ctx.db.read() as tx:
        document = documents.get(tx, document_id)
    name, sha256 = document.revision.file, document.revision.sha256
    if path is not None:
        try:
            if file_sha256(path, progress) == sha256:
                return SourceFile(path, name, sha256)
        except OSError as error:
            raise InputError(f"{visible(path.name)}: {error.strerror}", "check the path") from None
        raise InputError(f"{visible(path.name)} is not the file of {document.id}", "give the file that was ingested")
    kept = kept_path(ctx, sha256)
    if _is_whole(kept, sha256, progress):
        return SourceFile(kept, name, sha256)
    found = _in_folder(ctx, name, sha256, progress)
    if found is not None:
        return SourceFile(found, name, sha256)
    what = "the kept copy is damaged, and the file" if kept.exists() else "it"
    raise InputError(f"{visible(name)}: {what} is not in the folder of the workspace", "give its path with --file")


def _in_folder(ctx: Context, name: str, sha256: str, progress: Progress) -> Path | None:
    from curator.parsing import iter_pdf_files  # the reader is loaded only when something is read

    for found in iter_pdf_files([p for p in (ctx.root / "datasets", ctx.root) if p.is_dir()]):
        progress.checkpoint()
        if found.name == name and _is_whole(found, sha256, progress):
            return found
    return None


def _is_whole(path: Path, sha256: str, progress: Progress) -> bool:
    try:
        return path.is_file() and file_sha256(path, progress) == sha256
    except OSError:
        return False
