"""Langfuse: dataset items for `create_dataset_item`. There is no file loader: a loop sends the lines."""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import asked, expected, metadata
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records


def _item(release: Release, case: Line) -> Record:
    return {
        "id": f"{release.suite}-{release.version}-{case['id']}",  # an id is global to a project
        "input": asked(case),
        "expected_output": expected(case),
        "metadata": metadata(case),
    }


TARGET = Records(
    name="langfuse",
    evaluator="Langfuse",
    tested="5.0.4",
    summary="items.jsonl: the arguments of create_dataset_item, one item a line",
    file="items.jsonl",
    record=_item,
    carries=EVERY_FIELD,
)
