"""Amazon Bedrock evaluation jobs: retrieve-only, retrieve-and-generate, model evaluation, and a system's own answers.

A job takes 1,000 prompts, a conversation 5 turns, a retrieve-only prompt 1. No line has room for an id, and results
come back by order: bedrock-index.tsv says which line of which file is which case.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from curator.exporting.targets.bedrock_answers import own_turns
from curator.exporting.targets.files import JsonLines, Table
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import early_answers, transcript

PROMPTS_A_JOB = 1000
TURNS = 5

_NO_REFERENCE = "it has no reference answer"
_TOO_LONG = f"it has more than {TURNS} turns (--long-followups split cuts it into pieces)"


class _Sharded:
    """A dataset in files of at most 1,000 prompts: NAME.jsonl, NAME-2.jsonl ..."""

    def __init__(self, folder: Folder, name: str, index: Table) -> None:
        self._folder = folder
        self._name = name
        self._index = index
        self._shards = 1
        self._file = JsonLines(folder, f"{name}.jsonl")

    def write(self, prompt: dict[str, Any], case_id: str, part: str = "1/1") -> None:
        """Append a prompt and its line of the index."""
        if self._file.count == PROMPTS_A_JOB:
            self._shards += 1
            self._file = JsonLines(self._folder, f"{self._name}-{self._shards}.jsonl")
        self._file.write(prompt)
        self._index.write((self._file.name, self._file.count, case_id, part))


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._choices = choices
        index = Table(folder, "bedrock-index.tsv", ("file", "line", "id", "part"), "\t")
        self._retrieve = _Sharded(folder, "retrieve_only", index)
        self._generate = _Sharded(folder, "retrieve_and_generate", index)
        self._judge = _Sharded(folder, "model_eval_judge", index)
        self._own_retrieve = _Sharded(folder, "byoi_retrieve", index)
        self._own_generate = _Sharded(folder, "byoi_retrieve_and_generate", index)
        self._own_judge = _Sharded(folder, "model_eval_judge_byoi", index)
        self._source = _identifier(choices.answers.system) if choices.answers else ""
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        if not case["referenceAnswer"]:
            self._outcome.leave_out(case["id"], _NO_REFERENCE)
            return
        if len(case["turns"]) > TURNS and self._choices.long_followups == "refuse":
            self._outcome.leave_out(case["id"], _TOO_LONG)
            return
        self._outcome.written += 1
        alone = self._why_not_alone(case)
        turns = _turns(case)
        if alone:
            self._outcome.miss("retrieve_only.jsonl", alone)
        else:
            self._retrieve.write({"conversationTurns": turns}, case["id"])
        pieces = _pieces(turns)
        for number, piece in enumerate(pieces, 1):
            self._generate.write({"conversationTurns": piece}, case["id"], f"{number}/{len(pieces)}")
        judged = {"prompt": transcript(case), "referenceResponse": case["referenceAnswer"]}
        judged |= {"category": case["domain"]} if case["domain"] else {}
        self._judge.write(judged, case["id"])
        if self._choices.answers is not None:
            self._own(case, self._choices.answers.get(case["id"]), turns, judged, alone)

    def _why_not_alone(self, case: Line) -> str:
        """Why a case is no retrieve-only prompt; "" = it is one."""
        if len(case["turns"]) > 1:
            return "retrieve-only takes one turn"
        return "a summary is of whole documents" if case["task"] == "summary" else ""

    def _own(
        self, case: Line, said: Line | None, turns: list[dict[str, Any]], judged: dict[str, Any], alone: str
    ) -> None:
        """The three files of a system's own answers."""
        if said is None:
            for name in ("byoi_retrieve", "byoi_retrieve_and_generate", "model_eval_judge_byoi"):
                self._outcome.miss(f"{name}.jsonl", "the run has no line for it")
            return
        if alone:
            self._outcome.miss("byoi_retrieve.jsonl", alone)
        else:
            own = own_turns(turns, said, self._source, generated=False)
            self._own_retrieve.write({"conversationTurns": own}, case["id"])
        if not said["answer"]:
            for name in ("byoi_retrieve_and_generate", "model_eval_judge_byoi"):
                self._outcome.miss(f"{name}.jsonl", "the run has no answer for it")
            return
        answer = {"response": said["answer"], "modelIdentifier": self._source}
        self._own_judge.write({**judged, "modelResponses": [answer]}, case["id"])
        if len({t["turn"] for t in said["turns"] if t["answer"]}) < len(turns) - 1:
            self._outcome.miss("byoi_retrieve_and_generate.jsonl", "the run has no answer of an earlier turn")
            return
        pieces = _pieces(own_turns(turns, said, self._source, generated=True))
        for number, piece in enumerate(pieces, 1):
            self._own_generate.write({"conversationTurns": piece}, case["id"], f"{number}/{len(pieces)}")

    def add_source(self, source: Line, raw: bytes) -> None:
        """The knowledge base has the sources."""

    def finish(self) -> Outcome:
        notes = self._outcome.notes
        if self._choices.answers is None:
            notes.append("The files of a system's own answers (byoi_*) are written with --run RUN.jsonl.")
        notes.append(f"Each file is for one job of at most {PROMPTS_A_JOB} prompts; upload them apart.")
        notes.append("No service was asked: the files are checked against the user guide and the client's own shapes.")
        return self._outcome


def _turns(case: Line) -> list[dict[str, Any]]:
    references = early_answers(case) | {len(case["turns"]): case["referenceAnswer"]}
    found = []
    for number, text in enumerate(case["turns"], 1):
        turn: dict[str, Any] = {"prompt": _content(text)}
        if number in references:
            turn["referenceResponses"] = [_content(references[number])]
        found.append(turn)
    return found


def _pieces(turns: Sequence[dict[str, Any]]) -> list[Sequence[dict[str, Any]]]:
    """At most five turns each, cut from the end: the last turn, which is judged, keeps as much before it as it may."""
    ends = range(len(turns), 0, -TURNS)
    return [turns[max(0, end - TURNS) : end] for end in ends][::-1]


def _content(text: str) -> dict[str, Any]:
    return {"content": [{"text": text}]}


def _identifier(system: str) -> str:
    """The name of a system as Bedrock takes one for a source of answers."""
    kept = re.sub(r"[^a-zA-Z0-9._-]+", "-", system).lstrip("._-")[:256]
    return kept or "system"


TARGET = Streamed(
    name="bedrock",
    evaluator="Amazon Bedrock evaluations",
    tested="boto3 1.44.8 and the user guide",
    summary="retrieve_only, retrieve_and_generate, model_eval_judge, byoi_* with a run; 1,000 a file; an index",
    carries=frozenset({"id", "turns", "referenceAnswer", "domain"}),
    partly={
        "turnExpectations.turn": "by its place, where there is a reference answer",
        "turnExpectations.referenceAnswer": "as reference of its turn, where there is one",
    },
    writer=_Writer,
)
