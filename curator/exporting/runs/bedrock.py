"""Amazon Bedrock: the lines of an evaluation job's output, of retrieval, of generation, or of a model with a judge."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curator.domain.answers import Answer, Retrieved, TurnAnswer
from curator.exporting.runs.rows import BadRowError, Row, listed, mapping, retrieved, score, text


def answer(row: Row) -> Answer:
    """The answer of a line: what was asked, said and retrieved at each turn, the scores of the last.

    Raises:
        BadRowError: A key is of the wrong kind.
    """
    turns = listed(row, "conversationTurns")
    return _model(row) if turns is None else _conversation([mapping(t) for t in turns])


def _conversation(turns: Sequence[Row]) -> Answer:
    if not turns:
        raise BadRowError("conversationTurns: empty")
    asked = tuple(_content(_record(t).get("prompt")) for t in turns)
    outputs = [mapping(t.get("output")) or mapping(_record(t).get("output")) for t in turns]
    last = outputs[-1]
    failed: dict[str, Any] = {} if last else {"stage": "harness", "error": "no output"}
    earlier = tuple(
        TurnAnswer(n, text(o, "text"), "", _passages(o)) for n, o in enumerate(outputs[:-1], 1) if o
    )  # fmt: skip
    return Answer(
        turns_asked=asked,
        answer=text(last, "text"),
        retrieved=_passages(last),
        citations=_cited(last),
        turns=earlier,
        scores=_scores(listed(turns[-1], "results")),
        **failed,
    )


def _record(turn: Row) -> Row:
    return mapping(turn.get("inputRecord")) or turn


def _model(row: Row) -> Answer:
    record = mapping(row.get("inputRecord")) or row
    responses = listed(row, "modelResponses") or listed(record, "modelResponses") or ()
    first = mapping(responses[0]) if responses else {}
    failed: dict[str, Any] = {} if first else {"stage": "harness", "error": "no response"}
    measured = mapping(row.get("automatedEvaluationResult"))
    asked = record.get("prompt")
    return Answer(
        turns_asked=(asked if isinstance(asked, str) else _content(asked),),
        answer=text(first, "response"),
        scores=_scores(listed(measured, "scores")),
        **failed,
    )


def _content(value: object) -> str:
    """Text of {"content": [{"text": ...}]}."""
    parts = listed(mapping(value), "content") or ()
    return "\n".join(text(mapping(p), "text") for p in parts)


def _passages(output: Row) -> tuple[Retrieved, ...] | None:
    for key in ("retrievedPassages", "retrievedResults"):
        if key in output:
            return retrieved([_passage(mapping(p)) for p in listed(mapping(output[key]), "retrievalResults") or ()])
    return None


def _passage(row: Row) -> dict[str, str]:
    return {"id": _name(row), "text": text(mapping(row.get("content")), "text")}


def _name(row: Row) -> str:
    """An id that our own export put there, the service's own, or its place."""
    about = mapping(row.get("metadata"))
    known = text(about, "sourceId", "x-amz-bedrock-kb-chunk-id") or text(row, "name")
    return known or text(mapping(mapping(row.get("location")).get("s3Location")), "uri")


def _cited(output: Row) -> tuple[str, ...] | None:
    found = listed(output, "citations")
    if found is None:
        return None
    references = [mapping(r) for c in found for r in listed(mapping(c), "retrievedReferences") or ()]
    return tuple(name for r in references if (name := _name(r)))


def _scores(results: Sequence[Any] | None) -> dict[str, float]:
    kept = {}
    for entry in results or ():
        value = score(mapping(entry).get("result"))
        if value is not None and (name := text(mapping(entry), "metricName")):
            kept[name] = value
    return kept
