"""Backups: a copy of the database a day, and archives that hold a whole workspace.

An archive is a zip with `archive.json` (hash and size of every other member), the database as one verified copy,
`curator.toml`, the files of the documents, the releases and the holdout. It is there whole or not at all, and is only
restored when every member is what the archive says.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from curator.domain.model import Model
from curator.durable import (
    NO_LINKS,
    STALE,
    make_folder,
    private,
    put_new,
    sweep,
    sync_file,
    sync_folder,
    sync_names,
    write_new,
)
from curator.environment import FILE_NAME
from curator.errors import Conflict, InputError, StorageError
from curator.progress import Progress, Silent
from curator.services.context import Context
from curator.store.database import Database, examined, too_new

FOLDER = "backups"
KEPT = 10
DAY = 24 * 60 * 60.0
INDEX = "archive.json"
FORMAT = "curator-archive 1"
DATABASE = ".curator/curator.db"
_TREES = (".curator/files", ".curator/holdout", "exports", "datasets")
_PART = 1 << 20
LARGEST_INDEX = 1 << 26
DEEPEST, LONGEST_NAME = 64, 255


class Archive(Model):
    """What an archive holds."""

    path: str
    files: int
    bytes: int


class PutBack(NamedTuple):
    """The copy that is the database now, and where the one before it lies."""

    copy: Path
    aside: Path


# -- a copy a day -------------------------------------------------------------------------------------------------


def look_after(ctx: Context) -> StorageError | None:
    """At the start of the app: look whether the database is sound, then make the copy of the day.

    Gives what is wrong with it, with the newest sound copy as the next step; nothing can be written then.

    Raises:
        StorageError: The copy could not be made.
    """
    damage = ctx.db.look()
    if not damage:
        daily(ctx)
        return None
    copy = newest_sound(ctx.hidden)
    step = f"quit; `curator restore --here` puts back {copy.name}" if copy else "quit; restore an archive"
    return StorageError(f"the database is damaged: {damage}; it can be read, not written", step)


def due(ctx: Context, now: float | None = None) -> bool:
    """Whether the newest daily copy, or the workspace when it has none, is older than a day."""
    now = time.time() if now is None else now
    made = [at for path in _daily(ctx) if (at := _changed(path)) <= now]  # none from the future: the clock was set back
    born = _changed(ctx.hidden / ".gitignore") or now
    return now - max(made, default=born) >= DAY


def daily(ctx: Context, *, force: bool = False) -> Path | None:
    """Make the copy of the day when it is due, and drop the oldest above ten. Gives the new copy.

    Raises:
        StorageError: It could not be made; nothing was dropped.
    """
    if not force and not due(ctx):
        return None
    folder = ctx.hidden / FOLDER
    stamp = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime())
    target = folder / f"daily-{stamp}.db"
    try:
        make_folder(folder, 0o700)
        sweep_unfinished(ctx.hidden)
        ctx.db.copy_to(target)
        for old in _daily(ctx)[:-KEPT]:
            old.unlink(missing_ok=True)
    except OSError as error:
        raise StorageError(f"{target}: {error.strerror}", "no backup was made today; free some space") from None
    return target


def sweep_unfinished(hidden: Path, *, older: float = STALE) -> None:
    """Remove copies of the database, whole or in part, that a killed program has left; see `durable.sweep`."""
    sweep(hidden, (f".{Path(DATABASE).name}.*.part*", "backup-*"), older=older)
    sweep(hidden / FOLDER, older=older)


def newest_sound(hidden: Path) -> Path | None:
    """The newest copy of the database in `.curator/backups` that is sound, and not of a newer program."""
    found = sorted((hidden / FOLDER).glob("*.db"), key=_changed, reverse=True)
    return next((path for path in found if not examined(path) and not too_new(path)), None)


def put_back(root: Path) -> PutBack:
    """Put the newest sound copy in the place of the database; nothing is deleted. Nobody may have it open.

    Raises:
        InputError: There is no sound copy.
        StorageError: The folder refuses it.
    """
    hidden = root / Path(DATABASE).parent
    copy = newest_sound(hidden)
    if copy is None:
        raise InputError(f"{hidden / FOLDER} holds no sound copy", "`curator restore ARCHIVE.zip DIR` takes an archive")
    database = root / DATABASE
    aside = database.with_name(f"{database.name}.{time.strftime('%Y%m%dT%H%M%SZ', time.gmtime())}.aside")
    fresh = database.with_name(f".{database.name}.{os.getpid()}.part")
    try:
        _copied(copy, fresh)
        _exchanged(database, fresh, aside)
    except OSError as error:
        told = f"{error.filename or database}: {error.strerror}"
        raise StorageError(told, "the database is as it was; check permissions and space") from None
    finally:
        with contextlib.suppress(OSError):
            fresh.unlink(missing_ok=True)
    return PutBack(copy, aside)


def _copied(source: Path, target: Path) -> None:
    shutil.copyfile(source, target)
    sync_file(target)


def _exchanged(database: Path, fresh: Path, aside: Path) -> None:
    """Put a file in the place of a database, which lies aside from then on, with its log; one of them is always there.

    Raises:
        OSError: The disk refused; the database is as it was.
    """
    pairs = [(database.with_name(database.name + s), aside.with_name(aside.name + s)) for s in ("", "-wal", "-shm")]
    pairs = [(path, other) for path, other in pairs if path.exists()]
    made: list[tuple[Path, Path]] = []
    try:
        for path, other in pairs:
            _doubled(path, other)
            made.append((path, other))
        for path, _ in made:
            if path != database:  # a log belongs to the database that goes
                path.unlink()
        fresh.replace(database)
    except OSError:
        with contextlib.suppress(OSError):
            for path, other in made:
                if not path.exists():
                    _doubled(other, path)
                other.unlink(missing_ok=True)
        raise
    sync_folder(database.parent)


def _doubled(path: Path, other: Path) -> None:
    """A second name for a file; a copy, where the file system has no such names."""
    try:
        os.link(path, other)
    except OSError as error:
        if error.errno not in NO_LINKS:
            raise
        _copied(path, other)


def _daily(ctx: Context) -> list[Path]:
    return sorted((ctx.hidden / FOLDER).glob("daily-*.db"), key=lambda p: (_changed(p), p.name))


def _changed(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


# -- a whole workspace ----------------------------------------------------------------------------------------------


def back_up(ctx: Context, target: Path, progress: Progress | None = None) -> Archive:
    """Write an archive of the workspace; other programs may go on working in it.

    Raises:
        Conflict: The file exists.
        StorageError: It cannot be written, or the copy of the database is not sound.
    """
    progress = progress or Silent()
    if target.exists():
        raise Conflict(f"{target} exists", "name another file; an archive is never overwritten")
    part = target.with_name(f".{target.name}.{os.getpid()}.part")
    try:
        with tempfile.TemporaryDirectory(dir=ctx.hidden, prefix="backup-") as scratch:
            copy = Path(scratch) / "curator.db"
            ctx.db.copy_to(copy)
            members = [(DATABASE, copy), *_members(ctx.root)]
            progress.stage("writing the archive", len(members))
            made = _write(part, members, progress)
        put_new(part, target)
    except FileExistsError:
        raise Conflict(f"{target} exists", "name another file; an archive is never overwritten") from None
    except OSError as error:
        raise StorageError(
            f"{target}: {error.strerror or error}", "choose another place; nothing was written"
        ) from None
    finally:
        with contextlib.suppress(OSError):
            part.unlink(missing_ok=True)
    return made.model_copy(update={"path": str(target)})


def _members(root: Path) -> Iterator[tuple[str, Path]]:
    """Name in the archive and path of every file but the database; links are not followed."""
    yield FILE_NAME, root / FILE_NAME
    for tree in _TREES:
        for folder, folders, names in os.walk(root / tree):
            folders.sort()
            for name in sorted(names):
                path = Path(folder) / name
                if path.is_file() and not path.is_symlink() and not name.endswith(".part"):
                    yield path.relative_to(root).as_posix(), path


def _write(part: Path, members: list[tuple[str, Path]], progress: Progress) -> Archive:
    index: list[dict[str, Any]] = []
    with open(part, "xb", opener=private) as stream:
        with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED, strict_timestamps=False) as archive:
            for name, path in members:
                progress.checkpoint()
                digest, size = hashlib.sha256(), 0
                with path.open("rb") as source, archive.open(zipfile.ZipInfo(name), "w", force_zip64=True) as member:
                    while block := source.read(_PART):
                        progress.checkpoint()
                        digest.update(block)
                        size += len(block)
                        member.write(block)
                index.append({"path": name, "sha256": digest.hexdigest(), "bytes": size})
                progress.advance()
            archive.writestr(INDEX, json.dumps({"format": FORMAT, "files": index}, ensure_ascii=False, indent=1))
        stream.flush()
        os.fsync(stream.fileno())
    return Archive(path=str(part), files=len(index), bytes=sum(int(e["bytes"]) for e in index))


def restore(source: Path, folder: Path, progress: Progress | None = None) -> Archive:
    """Make a workspace of an archive, in a folder that is empty or not there; it is there whole, or not at all.

    Raises:
        InputError: It is no archive, or a member is not what the archive says.
        Conflict: The folder is not empty.
        StorageError: It cannot be written.
    """
    progress = progress or Silent()
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Conflict(f"{folder} is not empty", "name a folder that is empty or not there")
    scratch = folder.parent / f".{folder.name}.{os.getpid()}.restore"
    try:
        make_folder(folder.parent)
        scratch.mkdir(mode=0o700)
        with zipfile.ZipFile(source) as archive:
            made = _extract(archive, scratch, progress)
        if problems := examined(scratch / DATABASE):
            raise InputError(f"{source.name}: its database is damaged: {problems[0]}", "restore another archive")
        Database(scratch / DATABASE).close()  # one of a newer version is refused, an older one is brought up to date
        for name in ("datasets", "exports"):
            (scratch / name).mkdir(exist_ok=True)
        write_new(scratch / ".curator" / ".gitignore", b"*\n")
        sync_names(scratch)
        if folder.exists():
            folder.rmdir()
        scratch.rename(folder)
        try:
            sync_folder(folder.parent)
        except OSError:
            folder.rename(scratch)
            raise
    except (zipfile.BadZipFile, zipfile.LargeZipFile, NotImplementedError, EOFError) as error:
        raise InputError(
            f"{source.name} is no whole archive: {error}", "restore another; nothing was written"
        ) from None
    except OSError as error:
        where = error.filename or source
        raise StorageError(f"{where}: {error.strerror or error}", "nothing was restored") from None
    finally:
        with contextlib.suppress(OSError):
            shutil.rmtree(scratch)
    return made.model_copy(update={"path": str(folder)})


def _extract(archive: zipfile.ZipFile, folder: Path, progress: Progress) -> Archive:
    entries = _entries(archive)
    progress.stage("restoring", len(entries))
    _require_room(folder, sum(int(e["bytes"]) for e in entries))
    total = 0
    for entry in entries:
        progress.checkpoint()
        name, size = str(entry["path"]), int(entry["bytes"])
        target = folder / name
        target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        digest, left = hashlib.sha256(), size
        with archive.open(name) as member, target.open("xb") as stream:
            while block := member.read(min(_PART, left + 1)):
                progress.checkpoint()
                left -= len(block)
                if left < 0:
                    break
                digest.update(block)
                stream.write(block)
            stream.flush()
            os.fsync(stream.fileno())
        if left or digest.hexdigest() != entry["sha256"]:
            raise InputError(f"{name} is not what the archive says", "restore another; nothing was written")
        total += size
        progress.advance()
    return Archive(path=str(folder), files=len(entries), bytes=total)


def _require_room(folder: Path, wanted: int) -> None:
    free = shutil.disk_usage(folder).free
    if wanted > free:
        raise StorageError(f"the archive holds {wanted:,} bytes, and {free:,} are free", "nothing was restored")


def _entries(archive: zipfile.ZipFile) -> list[dict[str, Any]]:
    """The index of an archive, checked: every member is named once, inside the workspace."""
    name = Path(archive.filename or "").name
    try:
        if archive.getinfo(INDEX).file_size > LARGEST_INDEX:
            raise ValueError("too large")
        index = json.loads(archive.read(INDEX))
        entries: list[dict[str, Any]] = [
            {"path": str(e["path"]), "sha256": str(e["sha256"]), "bytes": int(e["bytes"])} for e in index["files"]
        ]
        made_as = index.get("format")
    except (KeyError, TypeError, ValueError, AttributeError, OverflowError, RecursionError):
        raise InputError(f"{name} has no readable index", "it is no archive of a Curator workspace") from None
    if made_as != FORMAT:
        raise InputError(f"{name} is of the format {str(made_as)[:60]!a}", "restore it with the version that made it")
    names = [str(e["path"]) for e in entries]
    within = all(_is_ours(n) for n in names) and len(set(names)) == len(names)
    whole = {DATABASE, FILE_NAME} <= set(names) and set(names) | {INDEX} == set(archive.namelist())
    if not within or not whole or any(e["bytes"] < 0 for e in entries):
        raise InputError(f"{name}: index and members differ", "it was changed, or is no archive of a workspace")
    return entries


def _is_ours(name: str) -> bool:
    """Whether a member is one that we write: the settings, the database, or a file in one of our folders."""
    path = PurePosixPath(name)
    if name in (FILE_NAME, DATABASE):
        return True
    plain = not path.is_absolute() and ".." not in path.parts and "\\" not in name and "\0" not in name
    if len(path.parts) > DEEPEST or any(len(part.encode("utf-8", "replace")) > LONGEST_NAME for part in path.parts):
        return False
    return plain and any(name.startswith(f"{tree}/") for tree in _TREES) and path.as_posix() == name
