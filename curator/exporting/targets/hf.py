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
from curator.exporting.targets.protocol import Choices, Folder, Release
from curator.exporting.targets.streamed import Streamed

_DATES = (
    "datasets writes 00:00:00 behind the dates of a column that has a date on every line, such as confirmedAt: cut "
    "them to 10 characters."
)


def _files(release: Release, folder: Folder, choices: Choices) -> CanonicalFiles:
    def described(partitions: tuple[str, ...]) -> tuple[str]:
        text = "\n".join(_readme(release, partitions)) + "\n"
        folder.open("README.md").write(text.encode())
        return (_DATES,)

    return CanonicalFiles(folder, described)


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


TARGET = Streamed(
    name="hf",
    evaluator="Hugging Face datasets",
    tested="5.2.0",
    summary="README.md with column types and the canonical files: load_dataset(folder); also pandas, polars, DuckDB",
    carries=EVERY_FIELD,
    writer=_files,
)
