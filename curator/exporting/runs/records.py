"""Rows of `input` and `output`, metadata and scores, as Langfuse, LangSmith, Braintrust, Opik and Phoenix write them.

LangSmith's tables say `inputs.question` and `outputs.answer`; its runs say `inputs` and `outputs`. What is expected
stands there too, under `expected`, `expectedOutput` or `reference`: it is never read.
"""

from __future__ import annotations

import ast
import json
from typing import Any

from curator.domain.answers import Answer
from curator.exporting.runs.rows import BadRowError, Row, listed, mapping, number, score, text, told

_QUESTIONS = ("question", "query", "input", "user_input", "prompt", "text")
_ANSWERS = ("answer", "response", "output", "text", "content", "completion", "result")
_FAILED = ("error", "statusMessage")
_DOTTED = ("inputs.", "outputs.", "metadata.", "feedback.", "input.", "output.")

_EXPECTED = frozenset(("acceptableAnswers", "mustNotClaim", "expectedBehavior", "keyProvisions", "referenceAnswer"))
_OF_RUNS = frozenset(
    ("run_id", "session_id", "trace_id", "reference_example_id", "execution_time", "latency", "start_time", "scores",
     "feedback", "error", "experiment_id", "dataset_run_id")
)  # fmt: skip
"""What a result has and an example of a data set has not."""


def is_row(row: Row) -> bool:
    """Whether it has a question and an answer under these names. In a row of a data set the answer is expected."""
    if _is_expected(row):
        return False
    return any({one, other} <= row.keys() for one, other in (("input", "output"), ("inputs", "outputs"))) or (
        any(k.startswith("inputs.") for k in row)
        and any(k.startswith(("outputs.", "feedback.")) or k == "error" for k in row)
    )


def _is_expected(row: Row) -> bool:
    """Whether what stands as the output is what is expected: an example of Phoenix or LangSmith, an export of ours."""
    if "dataset_id" in row and not row.keys() & _OF_RUNS:
        return True
    for key in ("output", "outputs"):
        beneath = {k.partition(".")[2] for k in row if k.startswith(f"{key}.")}
        if (beneath | mapping(_read(row.get(key))).keys()) & _EXPECTED:
            return True
    return False


def answer(row: Row) -> Answer:
    """The answer of a row; one with an error, or without an output, failed in the harness.

    Raises:
        BadRowError: A key is of the wrong kind, or the output is what is expected.
    """
    if _is_expected(row):
        raise BadRowError("what is expected, not what was answered: a row of a data set")
    parts = _parts(row)
    asked, said = _value(parts, "input", "inputs"), _value(parts, "output", "outputs")
    about = [mapping(_read(parts.get(k))) for k in ("metadata", "itemMetadata", "dataset_metadata")]
    own = told(mapping(said), beside=(*about, mapping(asked)))
    own["case_id"] = own["case_id"] or text(row, "caseId", "case_id")
    failure = next((v for k in _FAILED if isinstance(v := row.get(k), str) and v), "")
    failed: dict[str, Any] = {}
    if failure or said in (None, "", {}):
        failed = {"stage": "harness", "error": failure[:200] or "no output"}
    return Answer(
        turns_asked=_turns(asked),
        answer=_text(said, _ANSWERS),
        latency_ms=1000 * _seconds(row),
        cost_usd=number(row, "totalCost", "total_cost", "cost"),
        scores=_scores(parts),
        **own,
        **failed,
    )


def _parts(row: Row) -> dict[str, Any]:
    """The row with its dotted columns put together: `inputs.question` is `question` of `inputs`."""
    found: dict[str, Any] = {}
    for key, value in row.items():
        head, dot, rest = key.partition(".")
        if dot and f"{head}." in _DOTTED:
            inner = found.setdefault(head, {})
            if isinstance(inner, dict):
                inner[rest] = _read(value)
        else:
            found.setdefault(key, value)
    return found


def _read(value: Any) -> Any:
    """A cell of a table that holds an object or a list, written as JSON or as Python does."""
    if not (isinstance(value, str) and value[:1] in "[{" and value[-1:] in "]}" and len(value) < 2_000_000):
        return value
    for read in (json.loads, ast.literal_eval):
        try:
            return read(value)
        except (ValueError, SyntaxError, MemoryError, RecursionError):
            continue
    return value


def _value(parts: Row, *names: str) -> Any:
    return next((found for n in names if (found := _read(parts.get(n))) is not None), None)


def _text(value: Any, names: tuple[str, ...]) -> str:
    """A text, or the one of an object or of the last message."""
    if isinstance(value, str):
        return text({"text": value}, "text")
    if isinstance(value, list):
        return _text(value[-1], names) if value else ""
    inner = mapping(value)
    for name in names:
        found = inner.get(name)
        if isinstance(found, str):
            return text(inner, name)
        if isinstance(found, dict | list):
            return _text(found, names)
    return _text(inner["message"], names) if isinstance(inner.get("message"), dict) else ""


def _turns(value: Any) -> tuple[str, ...]:
    inner = mapping(value)
    turns = inner.get("turns")
    if isinstance(turns, list) and turns and all(isinstance(t, str) for t in turns):
        return tuple(turns)
    messages = inner.get("messages") if inner else value
    if isinstance(messages, list):
        said = [m for m in map(mapping, messages) if m.get("role", m.get("type")) in ("user", "human")]
        return tuple(_text(m, ("content",)) for m in said)
    asked = _text(value, _QUESTIONS)
    return (asked,) if asked else ()


def _seconds(row: Row) -> float:
    for key in ("latency", "execution_time", "duration"):
        if isinstance(value := _number(row.get(key)), float):
            return value
    return 0.0


def _number(value: object) -> float | None:
    if isinstance(value, str):  # a cell of CSV
        try:
            value = float(value)
        except ValueError:
            return None
    found = score(value)
    return found if found is not None and found >= 0 else None


def _scores(parts: Row) -> dict[str, float]:
    """Scores by name: an object, or a list of {name, value}; LangSmith's columns `feedback.NAME`."""
    found: dict[str, float] = {}
    for key in ("scores", "feedback", "feedback_scores", "evaluations"):
        value = _read(parts.get(key))
        if isinstance(value, list):
            try:
                entries = [mapping(e) for e in listed({key: value}, key) or ()]
            except BadRowError:
                continue
            pairs = [(str(e.get("name", e.get("key", ""))), e.get("value", e.get("score"))) for e in entries]
        else:
            pairs = [(name, mapping(v).get("value", mapping(v).get("score")) if isinstance(v, dict) else v)
                     for name, v in mapping(value).items()]  # fmt: skip
        for name, said in pairs:
            if name and (measured := _number(said)) is not None:
                found[name] = measured
    return found
