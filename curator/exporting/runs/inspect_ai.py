"""inspect_ai: an evaluation log, as .json or as the .eval archive of one file a sample."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.domain.answers import Answer
from curator.exporting.runs.rows import Row, mapping, number, score, text, told


def rows(document: Row) -> Iterator[Row]:
    """The samples of a log."""
    found = document.get("samples")
    yield from (mapping(row) for row in found if isinstance(row, dict)) if isinstance(found, list) else ()


def answer(row: Row) -> Answer:
    """The answer of a sample. What was retrieved stands in its store or metadata, where the solver put it.

    Raises:
        BadRowError: A key is of the wrong kind.
    """
    output = mapping(row.get("output"))
    own = told(
        mapping(row.get("store")), mapping(output.get("metadata")), beside=(mapping(row.get("metadata")),)
    )  # fmt: skip
    own["case_id"] = own["case_id"] or str(row.get("id", ""))
    failure = row.get("error") or output.get("error")
    failed: dict[str, Any] = {}
    if failure:
        message = failure if isinstance(failure, str) else text(mapping(failure), "message")
        failed = {"stage": "harness", "error": message[:200]}
    return Answer(
        turns_asked=_asked(row.get("input")),
        answer=_said(output),
        latency_ms=1000 * number(row, "total_time", "working_time"),
        scores=_scores(mapping(row.get("scores"))),
        **own,
        **failed,
    )


def _asked(value: object) -> tuple[str, ...]:
    if isinstance(value, str):
        return (value,)
    messages = value if isinstance(value, list) else []
    return tuple(_content(mapping(m).get("content")) for m in messages if mapping(m).get("role") == "user")


def _said(output: Row) -> str:
    if isinstance(output.get("completion"), str):
        return text(output, "completion")
    choices = output.get("choices")
    first = mapping(choices[0]) if isinstance(choices, list) and choices else {}
    return _content(mapping(first.get("message")).get("content"))


def _content(value: object) -> str:
    """A message's content: a text, or parts of which some are texts."""
    if isinstance(value, str):
        return text({"content": value}, "content")
    parts = value if isinstance(value, list) else []
    return "\n".join(text(mapping(p), "text") for p in parts if mapping(p).get("type") == "text")


def _scores(found: Row) -> dict[str, float]:
    """A score's value, or each part of one that has several."""
    kept: dict[str, float] = {}
    for name, entry in found.items():
        value = mapping(entry).get("value")
        for part, inner in value.items() if isinstance(value, dict) else (("", value),):
            if (measured := score(inner)) is not None:
                kept[f"{name}.{part}" if part else name] = measured
    return kept
