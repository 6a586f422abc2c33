"""promptfoo: what `promptfoo eval -o results.json` or `.jsonl` writes: an output for each test, provider and prompt."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from curator.domain.answers import Answer
from curator.exporting.runs.rows import Row, mapping, number, score, scores, text, told


def rows(document: Row) -> Iterator[Row]:
    """The results of a saved evaluation."""
    results = document.get("results")
    found = mapping(results).get("results") if isinstance(results, dict) else results
    yield from (mapping(row) for row in found if isinstance(row, dict)) if isinstance(found, list) else ()


def answer(row: Row) -> Answer:
    """The answer of a result. An output that is an object may say `answer` and what else our run says.

    Raises:
        BadRowError: A key is of the wrong kind.
    """
    test, response = mapping(row.get("testCase")), mapping(row.get("response"))
    variables = mapping(row.get("vars")) or mapping(test.get("vars"))
    output = response.get("output", row.get("output"))
    said = mapping(output)
    own = told(
        said, mapping(response.get("metadata")),
        beside=(mapping(row.get("metadata")), variables, mapping(test.get("metadata"))),
    )  # fmt: skip
    own["case_id"] = own["case_id"] or text(test, "description")
    asked = next((v for k in ("query", "question", "prompt", "input") if isinstance(v := variables.get(k), str)), "")
    failed: dict[str, Any] = {}
    # failureReason 2 = the provider failed, 1 = an assertion did; an assertion is no error of the harness
    if row.get("failureReason") == 2 or (output is None and row.get("error")):
        failed = {"stage": "harness", "error": text(row, "error")[:200]}
    success = row.get("success")
    overall = score(row.get("score"))
    return Answer(
        turns_asked=(asked,) if asked else (),
        answer=_answer(output),
        latency_ms=number(row, "latencyMs"),
        cost_usd=number(row, "cost"),
        scores=scores(mapping(row.get("namedScores"))) | ({} if overall is None else {"score": overall}),
        verdict=success if isinstance(success, bool) else None,
        **own,
        **failed,
    )


def _answer(output: object) -> str:
    if isinstance(output, dict):
        for key in ("answer", "output", "text", "response", "content"):
            if isinstance(output.get(key), str):
                return text(output, key)
    if isinstance(output, str):
        return text({"output": output}, "output")
    return "" if output is None else json.dumps(output, ensure_ascii=False)
