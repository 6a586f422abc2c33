"""A released version read from its folder, line by line: every byte is checked against the hashes of the release."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from curator.domain.case import OPEN_PARTITIONS
from curator.domain.identity import sha256
from curator.errors import CheckFailed, InputError, StorageError
from curator.exporting.line import line_problems, model_problems, source_problems
from curator.exporting.manifest import Manifest
from curator.exporting.read import LINE_LIMIT, read_object
from curator.exporting.schema import CASE_SCHEMA_ID
from curator.exporting.verify import HIDDEN_FILES, UNSUMMED
from curator.progress import Progress
from curator.services.file_hash import file_sha256
from curator.text import counted, one_line

SMALL_LIMIT = 50_000_000
_SUM = re.compile(r"([0-9a-f]{64})  ([A-Za-z0-9_][A-Za-z0-9._-]*)")
_AGAIN = "take the folder from its release again; `curator suite verify` lists all that differs"
_NAME_IT = "name the folder of one version, exports/SUITE/VERSION; in a workspace `curator suite list` shows them"


class ReleasedFolder:
    """A version whose files are what their hashes say.

    Opening it hashes every file; reading hashes again what is read, so that a file that is changed meanwhile is noticed
    too, at its end. Memory holds one line at a time.

    Attributes:
        folder: exports/SUITE/VERSION.
        manifest: manifest.json.
        yanked: Who yanked it, when and why; "" = nobody did.
    """

    def __init__(self, folder: Path, progress: Progress, *, allows_yanked: bool = False) -> None:
        """Open a version; one that is yanked only to look at it.

        Raises:
            InputError: It is no released version, or one of an unknown schema.
            CheckFailed: It is yanked, or a file is missing, unknown, or has other bytes than were released.
            StorageError: It cannot be read.
        """
        self.folder = folder
        self._progress = progress
        self._allows_yanked = allows_yanked
        self.yanked = ""
        if not (folder / "manifest.json").is_file() or not (folder / "SHA256SUMS").is_file():
            raise InputError(f"{folder} is no released version: {_lacks(folder)}", _NAME_IT)
        self._sums = self._read_sums()
        self._check_sums()
        self.manifest = self._read_manifest()
        self._refuse_yanked()

    @property
    def suite(self) -> str:
        """Name of the suite."""
        return str(self.manifest["suite"])

    @property
    def version(self) -> str:
        """Its version."""
        return str(self.manifest["version"])

    def small(self, name: str) -> bytes:
        """The bytes of a small file.

        Raises:
            CheckFailed: They changed.
            InputError: The release has no such file.
        """
        if name not in self._sums:
            raise InputError(f"{self.folder}: {one_line(name)} is not of the release", _AGAIN)
        data = self._bytes(name)
        if sha256(data) != self._sums[name]:
            raise self._changed(name)
        return data

    def cases(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The cases of the open partitions, each with its line; of a partition in the order of ids.

        Raises:
            CheckFailed: A line is not by the rules, or the file changed, or is short of cases.
        """
        counts = self.manifest["counts"]["partition"]
        for partition in OPEN_PARTITIONS:
            name, found = f"{partition}.jsonl", 0
            for line, raw in self._rows(name, line_problems) if name in self._sums else ():
                if line["partition"] != partition:
                    raise CheckFailed(f"{self.folder / name}: {line['id']} is of {line['partition']}", _AGAIN)
                found += 1
                yield line, raw
            if found != counts[partition]:
                raise CheckFailed(
                    f"{self.folder / name}: {counted(found, 'case')}, the manifest says {counts[partition]}", _AGAIN
                )

    def lines(self, partition: str) -> Iterator[bytes]:
        """The lines of a partition as they are, unread; () = it has no file.

        Raises:
            CheckFailed: The file changed meanwhile, or a line is too long.
        """
        name, digest = f"{partition}.jsonl", hashlib.sha256()
        if name not in self._sums:
            return
        try:
            with (self.folder / name).open("rb") as stream:
                while raw := stream.readline(LINE_LIMIT + 1):
                    self._progress.checkpoint()
                    digest.update(raw)
                    if len(raw) > LINE_LIMIT:
                        raise CheckFailed(
                            f"{self.folder / name}: a line longer than {LINE_LIMIT // 1_000_000} MB", _AGAIN
                        )
                    yield raw
        except OSError as error:
            raise self._unreadable(name, error) from None
        if digest.hexdigest() != self._sums[name]:
            raise self._changed(name)

    def sources(self) -> Iterator[tuple[dict[str, Any], bytes]]:
        """The lines of sources.jsonl, each with its bytes."""
        return self._rows("sources.jsonl", source_problems)

    def _rows(
        self, name: str, check: Callable[[Mapping[str, Any]], list[str]]
    ) -> Iterator[tuple[dict[str, Any], bytes]]:
        digest, before = hashlib.sha256(), ""
        try:
            with (self.folder / name).open("rb") as stream:
                number = 0
                while raw := stream.readline(LINE_LIMIT + 1):
                    self._progress.checkpoint()
                    number += 1
                    digest.update(raw)
                    where = f"{self.folder / name} line {number}"
                    row = read_object(raw, where)
                    if problems := check(row):
                        raise CheckFailed(f"{where}: {problems[0]}", _AGAIN)
                    if row["id"] <= before:
                        raise CheckFailed(f"{where}: the ids are not sorted", _AGAIN)
                    before = row["id"]
                    yield row, raw
        except OSError as error:
            raise self._unreadable(name, error) from None
        if digest.hexdigest() != self._sums[name]:
            raise self._changed(name)

    def _read_sums(self) -> dict[str, str]:
        text = self._bytes("SHA256SUMS").decode("utf-8", "replace")
        found: dict[str, str] = {}
        for number, line in enumerate(text.removesuffix("\n").split("\n"), 1):
            match = _SUM.fullmatch(line)
            if not match or match[2] in found:
                raise CheckFailed(f"{self.folder / 'SHA256SUMS'} line {number}: no checksum and name", _AGAIN)
            found[match[2]] = match[1]
        return found

    def _check_sums(self) -> None:
        try:
            entries = list(os.scandir(self.folder))
            odd = sorted(e.name for e in entries if not e.is_file(follow_symlinks=False))
            here = {e.name for e in entries} - set(UNSUMMED)
        except OSError as error:
            raise StorageError(f"{self.folder}: {error.strerror}", "check its permissions") from None
        for name in odd:
            raise CheckFailed(f"{self.folder / one_line(name)}: no regular file", _AGAIN)
        for name in sorted(here - set(self._sums)):
            why = "the holdout may not lie here" if name in HIDDEN_FILES else "not in SHA256SUMS"
            raise CheckFailed(f"{self.folder / one_line(name)}: {why}", _AGAIN)
        for name in ("manifest.json", "sources.jsonl", "case.schema.json", "datapackage.json", *self._sums):
            if name not in here or name not in self._sums:
                raise CheckFailed(f"{self.folder / name}: missing", _AGAIN)
        for name, digest in self._sums.items():
            if self._digest(name) != digest:
                raise self._changed(name)

    def _digest(self, name: str) -> str:
        try:
            return file_sha256(self.folder / name, self._progress)
        except OSError as error:
            raise self._unreadable(name, error) from None

    def _read_manifest(self) -> dict[str, Any]:
        manifest = read_object(self.small("manifest.json"), str(self.folder / "manifest.json"))
        try:
            Manifest.model_validate(manifest)
        except ValidationError as error:
            raise InputError(f"{self.folder / 'manifest.json'}: {model_problems(error)[0]}", _AGAIN) from None
        if (name := manifest["schema"]["id"]) != CASE_SCHEMA_ID:
            raise InputError(
                f"{self.folder}: its lines are of {one_line(name, 60)}; this version reads {CASE_SCHEMA_ID}",
                "install the version of golden-curator that wrote it",
            )
        for entry in manifest["files"]:
            if self._sums.get(entry["path"]) != entry["sha256"]:
                raise self._changed(entry["path"])
        return manifest

    def _refuse_yanked(self) -> None:
        entry = yanked(self.folder.parent).get(self.version)
        if entry is not None:
            self.yanked = yank_line(entry)
            if not self._allows_yanked:
                raise CheckFailed(f"{self.suite} {self.version} was {self.yanked}", "take a later version")

    def _bytes(self, name: str) -> bytes:
        try:
            with (self.folder / name).open("rb") as stream:
                data = stream.read(SMALL_LIMIT + 1)
        except OSError as error:
            raise self._unreadable(name, error) from None
        if len(data) > SMALL_LIMIT:
            raise InputError(f"{self.folder / name}: longer than {SMALL_LIMIT // 1_000_000} MB", _AGAIN)
        return data

    def _changed(self, name: str) -> CheckFailed:
        return CheckFailed(f"{self.folder / name}: not the bytes that were released", _AGAIN)

    def _unreadable(self, name: str, error: OSError) -> StorageError:
        return StorageError(f"{self.folder / name}: {error.strerror}", "check that it may be read")


def _lacks(folder: Path) -> str:
    """Why a folder is no released version: it is not there, it holds versions, or two files are missing."""
    if not folder.is_dir():
        return "there is no such folder"
    versions = sorted(p.parent.name for p in folder.glob("*/manifest.json"))
    return f"it holds {', '.join(versions[-3:])}" if versions else "it has no manifest.json and SHA256SUMS"


def yank_line(entry: Mapping[str, Any]) -> str:
    """An entry of yanked.jsonl in words."""
    by, at, reason = (one_line(str(entry.get(k, "")), 200) for k in ("by", "at", "reason"))
    return f"yanked by {by or 'somebody'} on {at or 'some day'}: {reason or 'no reason was given'}"


def yanked(suite_folder: Path) -> dict[str, dict[str, Any]]:
    """The entries of exports/SUITE/yanked.jsonl by version; {} = no such file.

    Raises:
        InputError: A line of it cannot be read: whether a version is yanked is then unknown.
    """
    path = suite_folder / "yanked.jsonl"
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        return {}
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
    found = {}
    for number, raw in enumerate(data.split(b"\n"), 1):
        if raw.strip():
            entry = read_object(raw, f"{path} line {number}")
            if not isinstance(entry.get("version"), str):
                raise InputError(f"{path} line {number}: no version", "correct the line")
            found[entry["version"]] = entry
    return found
