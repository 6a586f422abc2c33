"""Azure AI Evaluation: data for `evaluate(data=...)`, with graded truth for DocumentRetrievalEvaluator."""

from __future__ import annotations

from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import Record, Records
from curator.exporting.targets.texts import grades, is_retrieval, source_texts, transcript, without


def _row(release: Release, case: Line) -> Record:
    judged = grades(case) if is_retrieval(case) else []
    return {
        "query": transcript(case),
        "context": "\n".join(source_texts(case)),
        "ground_truth": case["referenceAnswer"],  # never null: that scores NaN, and the mean skips it
        "retrieval_ground_truth": [{"document_id": name, "query_relevance_label": grade} for name, grade in judged],
        "caseId": case["id"],
        "metadata": without(case, "id", "referenceAnswer"),
    }


TARGET = Records(
    name="azure",
    evaluator="Azure AI Evaluation",
    tested="1.18.10",
    summary="data.jsonl: query, context, ground_truth, retrieval_ground_truth for evaluate(data=)",
    file="data.jsonl",
    record=_row,
    carries=EVERY_FIELD,
    notes=(
        "A refusal has an empty ground_truth and scores 0 where an answer is compared with it: "
        "leave such rows out of those evaluators.",
        "Distractors are graded 0, supporting sources 1, required ones 2.",
    ),
)
