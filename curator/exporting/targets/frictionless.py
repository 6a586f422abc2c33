"""Frictionless Data: the descriptor of the release with the files that it describes, hash by hash."""

from __future__ import annotations

from curator.exporting.targets.canonical_files import CanonicalFiles
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Choices, Folder, Release
from curator.exporting.targets.streamed import Streamed


def _files(release: Release, folder: Folder, choices: Choices) -> CanonicalFiles:
    folder.open("datapackage.json").write(release.small("datapackage.json"))
    return CanonicalFiles(folder)


TARGET = Streamed(
    name="frictionless",
    evaluator="Frictionless",
    tested="5.21.0",
    summary="datapackage.json with the canonical files: `frictionless validate datapackage.json`",
    carries=EVERY_FIELD,
    writer=_files,
)
