"""DeepEval: the test run that it saves (testCases, conversationalTestCases), or the test_results of evaluate()."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.domain.answers import Answer, TurnAnswer
from curator.exporting.runs.rows import Row, listed, mapping, number, retrieved, score, text, told


def rows(document: Row) -> Iterator[Row]:
    """The test cases of a saved run, single and conversational."""
    for key in ("testCases", "conversationalTestCases", "test_cases", "conversational_test_cases", "test_results"):
        found = document.get(key)
        yield from (mapping(row) for row in found if isinstance(row, dict)) if isinstance(found, list) else ()


def answer(row: Row) -> Answer:
    """The answer of a test case; one without an output failed in the harness.

    Raises:
        BadRowError: A key is of the wrong kind.
    """
    extra = [mapping(row.get(k)) for k in ("metadata", "additionalMetadata", "additional_metadata")]
    own = told(row, beside=extra)
    own["case_id"] = own["case_id"] or text(row, "name")
    success = row.get("success")
    shared: dict[str, Any] = {
        "latency_ms": 1000 * number(row, "completionTime", "completion_time"),
        "cost_usd": number(row, "tokenCost", "token_cost"),
        "scores": _scores(row),
        "verdict": success if isinstance(success, bool) else None,
    }
    if turns := listed(row, "turns"):
        return _conversation([mapping(t) for t in turns], own, shared)
    contexts = listed(row, "retrievalContext", "retrieval_context")
    if own["retrieved"] is None and contexts is not None:
        own["retrieved"] = retrieved([{"text": c} if isinstance(c, str) else c for c in contexts])
    output = row.get("actualOutput", row.get("actual_output"))
    failed: dict[str, Any] = {"stage": "harness", "error": "no output"} if output is None else {}
    said = text(row, "actualOutput", "actual_output")
    return Answer(turns_asked=(text(row, "input"),), answer=said, **own, **shared, **failed)


def _conversation(turns: list[Row], own: dict[str, Any], shared: dict[str, Any]) -> Answer:
    asked = tuple(text(t, "content") for t in turns if t.get("role") == "user")
    said = [t for t in turns if t.get("role") == "assistant"]
    found = [listed(t, "retrievalContext", "retrieval_context") for t in said]
    lists = [None if f is None else retrieved([{"text": c} if isinstance(c, str) else c for c in f]) for f in found]
    if own["retrieved"] is None and lists:
        own["retrieved"] = lists[-1]
    earlier = tuple(
        TurnAnswer(n, text(t, "content"), "", r) for n, (t, r) in enumerate(zip(said[:-1], lists, strict=False), 1)
    )
    failed: dict[str, Any] = {} if said else {"stage": "harness", "error": "no turn of the assistant"}
    last = text(said[-1], "content") if said else ""
    return Answer(turns_asked=asked, answer=last, turns=earlier, **own, **shared, **failed)


def _scores(row: Row) -> dict[str, float]:
    found = {}
    for entry in listed(row, "metricsData", "metrics_data") or ():
        value = score(mapping(entry).get("score"))
        if value is not None and (name := text(mapping(entry), "name")):
            found[name] = value
    return found
