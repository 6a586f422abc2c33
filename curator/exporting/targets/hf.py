"""Hugging Face datasets: the canonical files and a README.md with their column types, a split for each partition.

Without the types a partition in which a list is always empty is typed unlike its neighbor, and they fail to load.
"""

from __future__ import annotations

import json
from collections.abc import Iterator

from curator.exporting.datapackage import features
from curator.exporting.markdown import code, plain
from curator.exporting.targets.canonical_files import CanonicalFiles
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release


class HuggingFace:
    """A folder that `load_dataset` takes."""

    name = "hf"
    evaluator = "Hugging Face datasets"
    tested = "5.2.0"
    summary = "README.md with column types and the canonical files: load_dataset(folder); also pandas, polars, DuckDB"
    carries = EVERY_FIELD
    partly: dict[str, str] = {}  # noqa: RUF012  the protocol says Mapping

    def begin(self, release: Release, folder: Folder, choices: Choices) -> _Writer:
        """Open the files."""
        return _Writer(release, folder)


TARGET = HuggingFace()


class _Writer:
    def __init__(self, release: Release, folder: Folder) -> None:
        self._release = release
        self._folder = folder
        self._files = CanonicalFiles(folder)

    def add(self, case: Line, raw: bytes) -> None:
        self._files.add(case, raw)

    def add_source(self, source: Line, raw: bytes) -> None:
        self._files.add_source(source, raw)

    def finish(self) -> Outcome:
        text = "\n".join(_readme(self._release, self._files.partitions)) + "\n"
        self._folder.open("README.md").write(text.encode())
        outcome = self._files.finish()
        outcome.notes.append(
            "datasets writes 00:00:00 behind the dates of a column that has a date on every line, such as confirmedAt: "
            "cut them to 10 characters."
        )
        return outcome


def _readme(release: Release, partitions: tuple[str, ...]) -> Iterator[str]:
    schema = json.loads(release.small("case.schema.json"))
    yield from ("---", "configs:", "- config_name: default", "  data_files:")
    for name in partitions:
        yield from (f"  - split: {name}", f"    path: {name}.jsonl")
    yield from ("dataset_info:", f"  features: {json.dumps(features(schema))}", "---", "")
    yield from (f"# {release.suite} {release.version}", "")
    if description := release.manifest["description"]:
        yield from (plain(description), "")
    yield "Golden cases, one line a case, a split for each open partition. The sources that they cite stand in full in"
    yield "`sources.jsonl`."
    yield from ("", f"**Do not train on these files.** Canary: {code(release.manifest['canary'])}")
