"""Opik: items for `Dataset.read_jsonl_from_file`. A top-level "id" would be eaten as the server's own: "caseId"."""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import asked, expected, metadata
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records


def _item(release: Release, case: Line) -> Record:
    return {
        "caseId": case["id"],
        "input": asked(case),
        "expected_output": expected(case),
        "metadata": metadata(case, case_id=False),
    }


TARGET = Records(
    name="opik",
    evaluator="Opik",
    tested="2.2.122",
    summary="items.jsonl: for Dataset.read_jsonl_from_file",
    file="items.jsonl",
    record=_item,
    carries=EVERY_FIELD,
)
