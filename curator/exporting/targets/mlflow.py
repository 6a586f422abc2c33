"""MLflow GenAI: records for `merge_records` and `genai.evaluate`. Its rows are keyed by their inputs."""

from __future__ import annotations

from typing import Any

from curator.domain.canonical import dumps
from curator.domain.identity import sha256
from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.nested import asked
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import source_texts

_TAGS = (
    *("task", "language", "expectedBehavior", "refusalReason", "escalateTo", "escalateWhen", "risk", "consequence"),
    *("domain", "documentType", "difficulty", "route", "lengthStratum", "sectionPosition", "partition"),
    *("failureStage", "origin", "notes", "confirmedAt", "canary", "contentHash"),
)
"""Fields that are one text each: tags of a record are texts."""
_SENT = "only of expected sources, as the text that an evaluator is sent"


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._file = JsonLines(folder, "records.jsonl")
        self._seen: set[str] = set()
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        inputs = asked(case)
        key = sha256(dumps(inputs).encode())
        if key in self._seen:
            self._outcome.leave_out(case["id"], "another case asks the same: records are keyed by their inputs")
            return
        self._seen.add(key)
        tags = {"caseId": case["id"], **{name: case[name] for name in _TAGS}}
        self._file.write({"inputs": inputs, "expectations": _expectations(case), "tags": tags})
        self._outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """The texts of sources come with the cases."""

    def finish(self) -> Outcome:
        return self._outcome


def _expectations(case: Line) -> dict[str, Any]:
    """Facts and response exclude each other for the Correctness judge: facts, where an answer has mandatory ones."""
    contexts = zip(case["expectedSourceIds"], source_texts(case), strict=True)
    found: dict[str, Any] = {
        "expected_retrieved_context": [{"doc_uri": name, "content": text} for name, text in contexts]
    }
    facts = [p["text"] for p in case["keyProvisions"] if p["mandatory"]]
    if case["expectedBehavior"] == "answer" and facts:
        found["expected_facts"] = facts
    elif case["referenceAnswer"]:
        found["expected_response"] = case["referenceAnswer"]
    if case["requiredBehaviors"]:
        found["guidelines"] = case["requiredBehaviors"]
    return found


TARGET = Streamed(
    name="mlflow",
    evaluator="MLflow",
    tested="3.17.2",
    summary="records.jsonl: inputs, expectations, tags for merge_records and genai.evaluate",
    carries=frozenset({"id", "turns", "asOf", "asker", "expectedSourceIds", "requiredBehaviors", *_TAGS}),
    partly={
        "referenceAnswer": "only where no mandatory provision says it as facts: both at once the judge does not take",
        "keyProvisions.text": "only of mandatory ones of answers, as expected facts",
        "evidence.sourceId": "only of expected sources",
        "evidence.quote": _SENT,
        "evidence.tableTitle": _SENT,
        "evidence.tableHeader": _SENT,
        "evidence.tableCells": _SENT,
    },
    writer=_Writer,
)
