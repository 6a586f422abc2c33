"""LangSmith: examples for `Client.create_examples`, each with an id that is the same in every upload of a version."""

from __future__ import annotations

import uuid

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import asked, expected, metadata
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records


def _example(release: Release, case: Line) -> Record:
    return {
        "id": str(uuid.uuid5(uuid.NAMESPACE_URL, f"urn:curator:{release.suite}:{release.version}:{case['id']}")),
        "inputs": asked(case),
        "outputs": expected(case),
        "metadata": metadata(case),
        "split": case["partition"],
    }


TARGET = Records(
    name="langsmith",
    evaluator="LangSmith",
    tested="0.15.1",
    summary="examples.jsonl: the arguments of create_examples, the partition as split",
    file="examples.jsonl",
    record=_example,
    carries=EVERY_FIELD,
)
