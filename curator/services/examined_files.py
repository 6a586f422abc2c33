"""The files of a workspace, looked at by `doctor`: releases, kept source files, copies of the database, the index."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from curator.domain.canonical import text_bytes
from curator.domain.case import PARTITIONS
from curator.domain.identity import sha256 as hash_of
from curator.errors import CuratorError, InputError
from curator.exporting.verify import verify
from curator.progress import Progress
from curator.services.backup import FOLDER, newest_sound
from curator.services.context import Context
from curator.services.file_hash import file_sha256
from curator.services.publishing import read_folder
from curator.services.released_folder import yanked
from curator.services.source_files import kept_path
from curator.store import copies as stored_copies
from curator.store import indexing, soundness
from curator.store import releases as stored_releases
from curator.store.index import FILE, Index, is_sound
from curator.store.releases import Release
from curator.store.soundness import Found
from curator.text import one_line


@dataclass
class Looked:
    """What was found in files, what is worth a word, and how many were looked at."""

    found: list[Found] = field(default_factory=list)
    advice: list[str] = field(default_factory=list)
    looked: int = 0


def releases(ctx: Context, progress: Progress) -> Looked:
    """Every released version: by itself, with its holdout, and against what the database keeps of it."""
    report = Looked()
    with ctx.db.read() as tx:
        known = stored_releases.versions(tx)
    for release in known:
        where = f"{release.suite} {release.version}"
        folder = ctx.exports / release.suite / release.version
        if not folder.is_dir():
            report.advice.append(f"{where} does not lie in {ctx.exports.name}/ any more")
            continue
        try:
            gone = release.version in yanked(folder.parent)
            found = list(_release(ctx, release, folder, progress, yanked_now=gone))
        except CuratorError as error:
            found = [error.message]
        report.looked += sum(1 for _ in folder.iterdir())
        report.found += [Found("release-file", where, one_line(said, 300)) for said in found]
    return report


def _release(
    ctx: Context, release: Release, folder: Path, progress: Progress, *, yanked_now: bool
) -> Iterator[str]:  # fmt: skip
    files = read_folder(folder)
    hidden = ctx.hidden / "holdout" / release.suite / release.version
    holdout = read_folder(hidden) if hidden.is_dir() else {}
    yield from verify(files, holdout, progress)
    build = files.get("build.json", b"")
    if release.build and hash_of(build) != release.build:
        yield "build.json is not the one that was written"
    elif build and not _is_json(build):
        yield "build.json cannot be read"
    if yanked_now:
        return  # what was erased stands in its files still
    with ctx.db.read() as tx:
        lines = soundness.released_lines(tx, release.suite, release.version)
    parts: dict[str, list[tuple[str, str]]] = {}
    for name, line in lines.items():
        parts.setdefault(str(json.loads(line)["partition"]), []).append((name, line))
    for partition in PARTITIONS:
        name = f"{partition}.jsonl"
        there = files.get(name, holdout.get(name))
        if there is not None and there != text_bytes(parts.get(partition, [])):
            yield f"{name} does not hold the lines that the database keeps of it"
    manifest = files.get("manifest.json", b"")
    if _is_json(manifest) and json.loads(manifest) != release.manifest:
        yield "manifest.json is not the one that the database keeps"


def _is_json(data: bytes) -> bool:
    try:
        json.loads(data)
    except ValueError:
        return False
    return True


def files(ctx: Context, progress: Progress) -> Looked:
    """The file of each revision: the kept copy has the bytes that were ingested."""
    report = Looked()
    with ctx.db.read() as tx:
        known = soundness.revision_files(tx)
    for sha256, name in known.items():
        progress.checkpoint()
        path = kept_path(ctx, sha256)
        if not path.is_file():
            if ctx.settings.documents.keep_files:
                report.advice.append(f"no copy of {one_line(name, 80)} is kept: its pages cannot be read again")
            continue
        report.looked += 1
        report.found += _whole("source-file", path, sha256, name, progress)
    return report


def _whole(code: str, path: Path, sha256: str, name: str, progress: Progress) -> Iterator[Found]:
    try:
        if file_sha256(path, progress) != sha256:
            yield Found(code, one_line(name, 80), f"{path.name} is not the file that was ingested")
    except OSError as error:
        yield Found(code, one_line(name, 80), f"{path.name}: {error.strerror}")


def copies(ctx: Context, progress: Progress) -> Looked:
    """The copies of the database: each is sound, and the newest agrees with what has not changed since."""
    report = Looked()
    for path in sorted((ctx.hidden / FOLDER).glob("*.db")):
        progress.checkpoint()
        report.looked += 1
        report.found += [
            Found("copy", path.name, one_line(said, 200)) for said in stored_copies.copy_problems(path)[:1]
        ]
    bad = {found.where for found in report.found}
    newest = newest_sound(ctx.hidden)
    if newest is not None and newest.name not in bad:
        try:
            report.found += stored_copies.against(ctx.db, newest)
        except CuratorError as error:
            report.found.append(Found("unreadable", newest.name, error.message))
    return report


def index(ctx: Context, progress: Progress) -> Looked:
    """The search index: sound, and where it says that it is up to date, it holds what the store holds."""
    path = ctx.hidden / FILE
    report = Looked()
    if not path.exists():
        return report
    report.looked = 1
    if not is_sound(path):
        report.found.append(Found("index", FILE, "it is damaged"))
        return report
    try:
        with Index(path) as opened, ctx.db.read() as tx:
            stamps = indexing.stamps(tx)
            stale = set(opened.outdated(stamps))
            for document in sorted(stamps.keys() - stale):
                progress.checkpoint()
                if Counter(opened.entries_of(document)) != Counter(indexing.entries(tx, document)):
                    report.found.append(Found("index", document, "search finds another text than the store holds"))
    except CuratorError as error:
        report.found.append(Found("index", FILE, error.message))
    except (ValueError, TypeError, InputError):
        report.found.append(Found("index", FILE, "a row of it cannot be read"))
    return report


Look = Callable[[Context, Progress], Looked]
