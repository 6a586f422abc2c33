"""run.jsonl: our own form, one answer a line (run.schema.json)."""

from __future__ import annotations

from curator.domain.answers import Answer, TurnAnswer
from curator.domain.case import BEHAVIORS
from curator.domain.scoring import reported
from curator.exporting.runs.rows import (
    BadRowError,
    Row,
    citations,
    listed,
    mapping,
    number,
    retrieved,
    scores,
    stage,
    text,
)

_NEEDED = ("answer", "behavior", "retrieved")


def answer(row: Row) -> Answer:
    """The answer of a line; keys beyond the schema are passed over, but for `scores` and `passed`.

    Raises:
        BadRowError: A key is missing or of the wrong kind.
    """
    name = text(row, "caseId")
    if not name:
        raise BadRowError("caseId: missing")
    _needed(row)
    failed, message = stage(text(row, "stageError"))
    verdict = row.get("passed")
    return Answer(
        case_id=name,
        answer=text(row, "answer"),
        behavior=reported(row["behavior"]),
        retrieved=retrieved(listed(row, "retrieved")) or (),
        citations=citations(listed(row, "citations")),
        route=text(row, "route"),
        stage=failed,
        error=message,
        latency_ms=number(row, "latencyMs"),
        cost_usd=number(row, "costUsd"),
        turns=tuple(map(_turn, listed(row, "turns") or ())),
        scores=scores(mapping(row.get("scores"))),
        verdict=verdict if isinstance(verdict, bool) else None,
    )


def _needed(row: Row) -> None:
    for key in _NEEDED:
        if key not in row:
            raise BadRowError(f"{key}: missing")
    if row["behavior"] not in ("", *BEHAVIORS):
        raise BadRowError("behavior: answer, refuse, escalate, or empty for not reported")


def _turn(entry: object) -> TurnAnswer:
    row = mapping(entry)
    turn = row.get("turn")
    if isinstance(turn, bool) or not isinstance(turn, int) or turn < 1:
        raise BadRowError("turns: a turn is a whole number from 1")
    _needed(row)
    return TurnAnswer(turn, text(row, "answer"), reported(row["behavior"]), retrieved(listed(row, "retrieved")) or ())
