"""A run as files: run.jsonl, one answer a case, and run.json beside it, which says what answered."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from curator.domain.canonical import dumps
from curator.domain.model import Model
from curator.exporting.schema import pretty

RUN_FILE, SETTINGS_FILE = "run.jsonl", "run.json"


class Retrieved(Model):
    """A source that was retrieved; ranks count from 1, scores compare within one answer only."""

    id: str
    text: str
    rank: int
    score: float


class Cited(Model):
    """A source that an answer names; `claim`: what for, "" = not said."""

    source_id: str
    claim: str = ""


class RunTurn(Model):
    """What was done at an earlier turn of a follow-up; turns count from 1."""

    turn: int
    answer: str
    behavior: Literal["", "answer", "refuse", "escalate"]
    retrieved: tuple[Retrieved, ...]


class RunLine(Model):
    """One answer. Latency and cost 0 = not measured."""

    case_id: str
    answer: str
    behavior: Literal["", "answer", "refuse", "escalate"]
    retrieved: tuple[Retrieved, ...]
    citations: tuple[Cited, ...] = ()
    route: str = ""
    stage_error: str = ""
    latency_ms: float = 0
    cost_usd: float = 0
    turns: tuple[RunTurn, ...] = ()


class Setting(Model):
    """A setting of the system, as text."""

    name: str
    value: str


class RunSettings(Model):
    """What answered, over which version of which suite."""

    run: str
    suite: str
    version: str
    manifest_sha256: str
    system: str
    started_at: str
    settings: tuple[Setting, ...] = ()


def run_files(lines: Iterable[RunLine], settings: RunSettings) -> dict[str, bytes]:
    """Both files, by name; lines in the order of their case ids."""
    ordered: Sequence[RunLine] = sorted(lines, key=lambda n: n.case_id)
    body = "".join(dumps(n.model_dump(mode="json", by_alias=True)) + "\n" for n in ordered)
    return {RUN_FILE: body.encode(), SETTINGS_FILE: pretty(settings.model_dump(mode="json", by_alias=True))}
