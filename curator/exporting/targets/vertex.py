"""Vertex AI evaluation: EvalCase objects. The types are tested; a run needs a project in the cloud."""

from __future__ import annotations

from typing import Any

from curator.exporting.targets.protocol import Line, Release
from curator.exporting.targets.records import LeftOut, Record, Records


def _content(text: str, role: str = "user") -> dict[str, Any]:
    return {"role": role, "parts": [{"text": text}]}


def _case(release: Release, case: Line) -> Record:
    if not case["referenceAnswer"]:
        return LeftOut("it has no reference answer")
    *earlier, last = case["turns"]
    history = [{"turn_id": str(n), "content": _content(turn)} for n, turn in enumerate(earlier, 1)]
    return {
        "eval_case_id": case["id"],
        "prompt": _content(last),
        "reference": {"response": _content(case["referenceAnswer"], "model")},
        **({"conversation_history": history} if history else {}),
    }


TARGET = Records(
    name="vertex",
    evaluator="Vertex AI evaluation",
    tested="2.7.0",
    summary="eval_cases.jsonl: EvalCase objects for an EvaluationDataset",
    file="eval_cases.jsonl",
    record=_case,
    carries=frozenset({"id", "turns", "referenceAnswer"}),
)
