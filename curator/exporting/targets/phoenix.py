"""Arize Phoenix: examples for `client.datasets.create_dataset(inputs=, outputs=, metadata=)`.

Not as a table: on that path the client turns lists into text.
"""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import asked, expected, metadata
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records


def _example(release: Release, case: Line) -> Record:
    return {"input": asked(case), "output": expected(case), "metadata": metadata(case)}


TARGET = Records(
    name="phoenix",
    evaluator="Arize Phoenix client",
    tested="3.5.0",
    summary="examples.jsonl: input, output, metadata, one example a line",
    file="examples.jsonl",
    record=_example,
    carries=EVERY_FIELD,
)
