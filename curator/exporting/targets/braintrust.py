"""Braintrust: records for `Eval(data=...)` or `init_dataset().insert`; another key would be a TypeError there."""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import asked, expected, metadata
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records


def _record(release: Release, case: Line) -> Record:
    return {
        "id": case["id"],
        "input": asked(case),
        "expected": expected(case),
        "metadata": metadata(case, case_id=False),
        "tags": case["tags"],
    }


TARGET = Records(
    name="braintrust",
    evaluator="Braintrust",
    tested="0.48.1",
    summary="records.jsonl: the arguments of EvalCase, one record a line",
    file="records.jsonl",
    record=_record,
    carries=EVERY_FIELD,
)
