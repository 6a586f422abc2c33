"""What a system under test did with a case, whatever file it was told in: the line of a run as the gate takes it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

from curator.domain.case import FailureStage

Reported = Literal["", "answer", "refuse", "escalate"]
"""Behavior that a system says it showed; "" = it does not say."""


class Retrieved(NamedTuple):
    """Something retrieved. `id` "" = its evaluator tells texts alone; ranks count from 1."""

    id: str
    text: str
    rank: int


class TurnAnswer(NamedTuple):
    """What was done at an earlier turn of a follow-up; turns count from 1. `retrieved` None = not told."""

    turn: int
    answer: str
    behavior: Reported
    retrieved: tuple[Retrieved, ...] | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """One answer.

    Attributes:
        case_id: Id of the case, or "" where the file has no place for it: then `turns_asked` tells.
        turns_asked: What was asked, turn by turn, where the file says so.
        retrieved: None = the file does not tell what was retrieved, which is another thing than nothing.
        citations: Ids of sources that it names; None = the file does not tell.
        stage: Stage that failed; "none" = none did.
        error: What it said when it failed.
        latency_ms: 0 = not measured.
        cost_usd: 0 = not measured.
        turns: Earlier turns.
        scores: What the evaluator itself measured, by name.
        verdict: Whether the evaluator itself passed it; None = it does not say.
    """

    case_id: str = ""
    turns_asked: tuple[str, ...] = ()
    answer: str = ""
    behavior: Reported = ""
    retrieved: tuple[Retrieved, ...] | None = None
    citations: tuple[str, ...] | None = None
    route: str = ""
    stage: FailureStage = "none"
    error: str = ""
    latency_ms: float = 0.0
    cost_usd: float = 0.0
    turns: tuple[TurnAnswer, ...] = ()
    scores: Mapping[str, float] = field(default_factory=dict)
    verdict: bool | None = None


def question_key(turns: tuple[str, ...]) -> str:
    """By what a question is known again in a file without ids: its turns, white space and case aside."""
    return "\n".join(" ".join(turn.split()).casefold() for turn in turns)
