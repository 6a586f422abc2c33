"""The suite that a run is held against: the open cases of a release, or a holdout. No workspace needed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from curator.domain.answers import question_key
from curator.domain.case import HIDDEN_PARTITIONS, PARTITIONS
from curator.domain.expecting import Expectation, expectation
from curator.errors import CheckFailed, InputError, StorageError
from curator.exporting.line import line_problems
from curator.exporting.read import LINE_LIMIT, read_object
from curator.exporting.targets.texts import transcript
from curator.progress import Progress
from curator.services.released_folder import ReleasedFolder
from curator.services.uncollected import uncollected
from curator.text import counted

_AGAIN = "take the folder from its release again; `curator suite verify` lists all that differs"


@dataclass(frozen=True, kw_only=True)
class GatedSuite:
    """Cases to hold a run against.

    Attributes:
        folder: Where they were read.
        manifest_sha256: Hash of the release's manifest.json; "" = it is not here.
        cases: By id, in the order of ids within a partition.
        aliases: Earlier names of sources -> their ids today.
        asked: `answers.question_key` -> ids of the cases that ask so.
    """

    suite: str
    version: str
    folder: Path
    manifest_sha256: str
    partitions: tuple[str, ...]
    cases: dict[str, Expectation]
    aliases: dict[str, str]
    asked: dict[str, list[str]]

    @property
    def hidden(self) -> bool:
        """Whether any of it lies in the holdout."""
        return any(p in HIDDEN_PARTITIONS for p in self.partitions)


@uncollected()
def open_suite(folder: Path, progress: Progress) -> GatedSuite:
    """The open cases of a released version; every byte is checked against the release.

    Raises:
        InputError: It is no release.
        CheckFailed: It is not what was released, or was yanked.
        StorageError: It cannot be read.
    """
    released = ReleasedFolder(folder, progress)
    aliases = {alias: line["id"] for line, _ in released.sources() for alias in line["aliases"]}
    lines = (line for line, _ in released.cases())
    digest = hashlib.sha256(released.small("manifest.json")).hexdigest()
    return _gathered(lines, released.suite, released.version, folder, digest, aliases)


def is_holdout(folder: Path) -> bool:
    """Whether a folder holds a holdout that was fetched, not a release."""
    return not (folder / "manifest.json").is_file() and any(
        (folder / f"{p}.jsonl").is_file() for p in HIDDEN_PARTITIONS
    )


def holdout_files(release: Path, progress: Progress) -> tuple[str, str, dict[str, str]]:
    """Name and version of a release, and the SHA-256 of each file of its holdout.

    Raises:
        InputError: It has no case in the holdout, or is no release.
        CheckFailed: It is not what was released, or was yanked.
    """
    released = ReleasedFolder(release, progress)
    files = {entry["path"]: entry["sha256"] for entry in released.manifest["holdout"]}
    if not files:
        raise InputError(f"{release}: no case lies in its holdout", "all of it is open: leave out --holdout")
    return released.suite, released.version, files


def holdout_suite(folder: Path, files: dict[str, str], suite: str, version: str, progress: Progress) -> GatedSuite:
    """The holdout of a version.

    Args:
        folder: Where its files lie.
        files: Name -> SHA-256 of each, as the manifest of the release has it.
        suite: Name of the suite.
        version: Of it.
        progress: Its checkpoint is called for every line.

    Raises:
        CheckFailed: A file is missing or not what was released.
        StorageError: It cannot be read.
    """
    lines = (line for name in sorted(files) for line in _hidden_lines(folder / name, files[name], progress))
    return _gathered(lines, suite, version, folder, "", {})


def _hidden_lines(path: Path, digest: str, progress: Progress) -> Iterator[dict[str, Any]]:
    seen = hashlib.sha256()
    try:
        with path.open("rb") as stream:
            number = 0
            while raw := stream.readline(LINE_LIMIT + 1):
                progress.checkpoint()
                number += 1
                seen.update(raw)
                try:
                    row = read_object(raw, f"{path} line {number}")
                    problem = bool(line_problems(row))
                except InputError:
                    problem = True
                if problem:  # its text may not be told
                    raise CheckFailed(f"{path} line {number}: no line of a release", _AGAIN)
                yield row
    except FileNotFoundError:
        raise CheckFailed(f"{path}: missing", _AGAIN) from None
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None
    if seen.hexdigest() != digest:
        raise CheckFailed(f"{path}: not the bytes that were released", _AGAIN)


def _gathered(
    lines: Iterator[dict[str, Any]], suite: str, version: str, folder: Path, digest: str, aliases: dict[str, str]
) -> GatedSuite:
    cases: dict[str, Expectation] = {}
    asked: dict[str, list[str]] = {}
    found: set[str] = set()
    for line in lines:
        cases[line["id"]] = expectation(line)
        found.add(line["partition"])
        for key in dict.fromkeys((cases[line["id"]].asked, question_key((transcript(line),)))):
            asked.setdefault(key, []).append(line["id"])
    if not cases:
        raise InputError(f"{folder}: {counted(0, 'case')} to hold a run against", "gate a partition that has cases")
    return GatedSuite(
        suite=suite, version=version, folder=folder, manifest_sha256=digest,
        partitions=tuple(p for p in PARTITIONS if p in found), cases=cases, aliases=aliases, asked=asked,
    )  # fmt: skip
