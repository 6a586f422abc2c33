"""TruLens: ground truth for `add_ground_truth_to_dataset`, through a DataFrame with dtype=object."""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records
from curator.exporting.targets.texts import source_texts, transcript, without


def _row(release: Release, case: Line) -> Record:
    chunks = zip(case["expectedSourceIds"], source_texts(case), strict=True)
    return {
        "query_id": case["id"],
        "query": transcript(case),
        "expected_response": case["referenceAnswer"],  # a null would become NaN there, and is refused
        "expected_chunks": [{"text": text, "title": name, "expected_score": 1.0} for name, text in chunks],
        "meta": without(case, "id", "referenceAnswer"),
    }


TARGET = Records(
    name="trulens",
    evaluator="TruLens",
    tested="2.16.0",
    summary="ground_truth.jsonl: the rows of a ground truth dataset",
    file="ground_truth.jsonl",
    record=_row,
    carries=EVERY_FIELD,
)
