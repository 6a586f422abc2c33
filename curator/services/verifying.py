"""Whether released folders are what was released: every byte hashed again, and what differs named."""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from curator.domain.case import HIDDEN_PARTITIONS, OPEN_PARTITIONS
from curator.domain.changes import version_key
from curator.domain.identity import sha256
from curator.domain.model import Model
from curator.errors import CuratorError, InputError, StorageError
from curator.exporting.read import read_lines
from curator.exporting.schema import pretty
from curator.exporting.verify import MOST_PROBLEMS
from curator.exporting.verify import verify as verify_files
from curator.progress import Progress, Silent
from curator.services.released_folder import yank_line, yanked
from curator.text import counted, one_line

FILE_LIMIT = 500_000_000
_VERSION = re.compile(r"\d+\.\d+\.\d+", re.ASCII)
_SUITE = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")


class Verified(Model):
    """What verifying one version found.

    Attributes:
        folder: The folder; version: its name.
        problems: What differs, one line each; () = sound.
        yanked: Who yanked it, when and why; "" = nobody did. The bytes of a yanked version may well be sound.
        holdout: Whether its holdout pair was looked at; recorded: whether its lines were compared with those that
            this workspace released.
    """

    folder: str
    version: str
    problems: tuple[str, ...] = ()
    yanked: str = ""
    holdout: bool = False
    recorded: bool = False


@dataclass(frozen=True)
class Found:
    """A folder read: its files, and what is no file of it, or was not read, with why."""

    files: dict[str, bytes] = field(default_factory=dict)
    problems: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()


@dataclass(frozen=True)
class Record:
    """What a workspace recorded of a version: manifest, lines by case id, hash of build.json ("" = not kept)."""

    manifest: dict[str, Any]
    lines: dict[str, dict[str, Any]]
    build: str = ""


Recorded = Callable[[str, str], Record | None]
"""What a workspace recorded of a suite and version; None = it knows none."""


def verify(folder: Path, holdout: Path | None = None, progress: Progress | None = None) -> tuple[str, ...]:
    """What is wrong with a released folder, or with all versions of a suite's folder, by itself; see `verified`."""
    found = verified(folder, holdout, progress=progress)
    several = (folder / "manifest.json").exists() is False
    return tuple(f"{v.version}: {p}" if several else p for v in found for p in v.problems)


def verified(
    folder: Path, holdout: Path | None = None, *, recorded: Recorded | None = None, progress: Progress | None = None
) -> tuple[Verified, ...]:
    """Verify a released folder, or all versions of a suite's folder, without following a link.

    Args:
        folder: exports/SUITE/VERSION, or its parent: then every version there.
        holdout: Folder of the holdout pair, or its parent, to be checked against the manifest too. None: the one of
            the workspace, where the folder lies in one.
        recorded: What a workspace recorded of a suite and version (`released_version.recorded`); a version that it
            released is compared with that, line by line.
        progress: Its checkpoint is called for every line.

    Raises:
        InputError: A folder named is none.
        StorageError: A folder cannot be read.
    """
    progress = progress or Silent()
    if not folder.is_dir():
        raise InputError(f"{folder} is no folder", "name exports/SUITE/VERSION")
    if holdout is not None and not holdout.is_dir():
        raise InputError(f"{holdout} is no folder", "name .curator/holdout/SUITE/VERSION")
    versions = [p for p in folder.iterdir() if _VERSION.fullmatch(p.name) and p.is_dir() and not p.is_symlink()]
    if not versions or (folder / "manifest.json").exists():
        return (_verified(folder, hidden_of(folder) if holdout is None else holdout, recorded, progress),)
    found = []
    for place in sorted(versions, key=lambda p: version_key(p.name)):
        progress.stage(f"verifying {place.name}")
        pair = hidden_of(place) if holdout is None else holdout / place.name
        found.append(_verified(place, pair, recorded, progress))
    return tuple(found)


def hidden_of(folder: Path) -> Path | None:
    """Where the holdout pair of a version in the exports/ of a workspace lies; None = it is not here."""
    place = folder.resolve()
    root = place.parents[2] if len(place.parents) > 2 and place.parents[1].name == "exports" else None
    hidden = root / ".curator" / "holdout" / place.parent.name / place.name if root else None
    return hidden if hidden is not None and hidden.is_dir() else None


def _verified(folder: Path, holdout: Path | None, recorded: Recorded | None, progress: Progress) -> Verified:
    """A version without a case in the holdout has no folder there."""
    here = read(folder)
    there = None if holdout is None else read(holdout) if holdout.exists() else Found()
    problems = [*here.problems, *(f"holdout {p}" for p in (there.problems if there else ()))]
    files = None if there is None else there.files
    problems += verify_files(here.files, files, progress, unread=(*here.unread, *(there.unread if there else ())))
    made = _record_of(recorded, here.files) if recorded is not None else None
    if made is not None:
        problems += compared(made, {**here.files, **(files or {})}, hidden=files is not None, progress=progress)
    try:
        said = yanked(folder.resolve().parent).get(folder.resolve().name)
        gone = yank_line(said) if said else ""
    except CuratorError as error:
        gone = ""
        problems.append(f"yanked.jsonl: {error.message}: whether it is yanked is unknown")
    return Verified(
        folder=str(folder), version=folder.resolve().name, problems=tuple(dict.fromkeys(problems)), yanked=gone,
        holdout=there is not None, recorded=made is not None,
    )  # fmt: skip


def read(folder: Path) -> Found:
    """The regular files of a folder and everything else that lies there; a huge file is not read.

    Raises:
        StorageError: The folder cannot be read.
    """
    files, problems, unread = {}, [], []
    try:
        entries = sorted(os.scandir(folder), key=lambda e: e.name)
    except OSError as error:
        raise StorageError(f"{folder}: {error.strerror}", "name the folder of a released version") from None
    for entry in entries:
        data, why = _bytes(Path(entry.path))
        if data is not None:
            files[entry.name] = data
        else:
            problems.append(f"{one_line(entry.name, 60)}: {why}")
            unread.append(entry.name)
    return Found(files, tuple(problems), tuple(unread))


def _bytes(path: Path) -> tuple[bytes | None, str]:
    """The bytes of a regular file, or why they were not read; a pipe does not hold anybody up."""
    try:
        handle = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except OSError as error:
        if path.is_symlink():
            return None, "a link, not a file"
        return None, f"cannot be read: {error.strerror}"
    try:
        facts = os.fstat(handle)
        if stat.S_ISDIR(facts.st_mode):
            return None, "a folder, not a file"
        if not stat.S_ISREG(facts.st_mode):
            return None, "no regular file"
        if facts.st_size > FILE_LIMIT:
            return None, f"larger than {FILE_LIMIT // 1_000_000} MB: not read"
        with open(handle, "rb", closefd=False) as stream:
            return stream.read(FILE_LIMIT + 1), ""
    except OSError as error:
        return None, f"cannot be read: {error.strerror}"
    finally:
        os.close(handle)


def _record_of(recorded: Recorded, files: Mapping[str, bytes]) -> Record | None:
    """What a workspace recorded of the version that these files say they are; None = it knows none."""
    try:
        manifest = json.loads(files.get("manifest.json", b""))
        suite, version = str(manifest["suite"]), str(manifest["version"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    if not (_SUITE.fullmatch(suite) and _VERSION.fullmatch(version)):
        return None
    return recorded(suite, version)


def compared(record: Record, files: Mapping[str, bytes], *, hidden: bool, progress: Progress) -> Iterator[str]:
    """How files differ from what was released, line by line; of the holdout ids and names of fields alone."""
    if files.get("manifest.json") != pretty(record.manifest):
        yield "manifest.json: not the one that was released here"
    if record.build and sha256(files.get("build.json", b"")) != record.build:
        yield "build.json: not the one that was released here"
    for partition in (*OPEN_PARTITIONS, *(HIDDEN_PARTITIONS if hidden else ())):
        name = f"{partition}.jsonl"
        wanted = {i: line for i, line in record.lines.items() if line["partition"] == partition}
        told = 0
        for problem in _lines_compared(name, files.get(name, b""), wanted, progress):
            told += 1
            if told <= MOST_PROBLEMS:
                yield problem
        if told > MOST_PROBLEMS:
            yield f"{name}: and {counted(told - MOST_PROBLEMS, 'more line')} that differ from what was released"


def _lines_compared(
    name: str, data: bytes, wanted: Mapping[str, dict[str, Any]], progress: Progress
) -> Iterator[str]:  # fmt: skip
    seen = set()
    for number, row in read_lines(data, name) if data else ():
        progress.checkpoint()
        if isinstance(row, InputError):
            continue  # told by the rules of the file
        case = row.get("id")
        where = f"{name} line {number} {one_line(str(case), 60)}"
        if not isinstance(case, str) or case not in wanted:
            yield f"{where}: was not released"
            continue
        seen.add(case)
        if row != wanted[case]:
            fields = [k for k in dict.fromkeys((*wanted[case], *row)) if row.get(k) != wanted[case].get(k)]
            yield f"{where}: not the line that was released: {', '.join(one_line(f, 40) for f in fields[:8])}"
    for case in wanted:
        if case not in seen:
            yield f"{name}: {case} was released and is missing"
