"""ragas: single-turn samples of all cases, multi-turn samples of follow-ups, and which line is which case.

ragas drops keys that it does not know without a word, so nothing else stands on its lines.
"""

from __future__ import annotations

from typing import Any

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import source_texts, transcript

_CITED = "only of expected sources, as expected ids"
_QUOTED = "only of expected sources, as the text that an evaluator is sent; a row as title, section, header and cells"


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._golden = JsonLines(folder, "golden.jsonl")
        self._multi = JsonLines(folder, "multi.jsonl")
        self._index = JsonLines(folder, "index.jsonl")
        self._answers = choices.answers
        self._unanswered = 0
        self._unscored = 0
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        self._outcome.written += 1
        self._unscored += not (case["referenceAnswer"] and case["expectedSourceIds"])
        self._write(
            self._golden,
            case,
            {
                "user_input": transcript(case),
                "reference": case["referenceAnswer"],
                "reference_contexts": source_texts(case),
                "reference_context_ids": case["expectedSourceIds"],
                **self._answer(case),
            },
        )
        if len(case["turns"]) > 1:
            said = [{"content": turn, "type": "human"} for turn in case["turns"]]
            self._write(self._multi, case, {"user_input": said, "reference": case["referenceAnswer"]})

    def _write(self, file: JsonLines, case: Line, sample: dict[str, Any]) -> None:
        file.write(sample)
        self._index.write({"file": file.name, "line": file.count, "id": case["id"]})

    def _answer(self, case: Line) -> dict[str, Any]:
        if self._answers is None:
            return {}
        said = self._answers.get(case["id"])
        if said is None:
            self._unanswered += 1
            return {}
        return {
            "response": said["answer"],
            "retrieved_contexts": [found["text"] for found in said["retrieved"]],
            "retrieved_context_ids": [found["id"] for found in said["retrieved"]],
        }

    def add_source(self, source: Line, raw: bytes) -> None:
        """The texts of sources come with the cases."""

    def finish(self) -> Outcome:
        notes = self._outcome.notes
        if self._unscored:
            notes.append(
                f"{self._unscored} cases have no reference answer or no expected source. ragas scores an empty "
                "reference 0 and empty ids NaN: leave them out of those metrics."
            )
        notes.append("Alternatives of one evidence group all count as needed in the recall of ids.")
        notes.append("multi.jsonl has no sources: a multi-turn sample has no place for them; golden.jsonl has them.")
        if self._unanswered:
            notes.append(f"The run has no line for {self._unanswered} cases: their samples hold no response.")
        return self._outcome


TARGET = Streamed(
    name="ragas",
    evaluator="ragas",
    tested="0.4.3",
    summary="golden.jsonl (all cases), multi.jsonl (follow-ups), index.jsonl (line to case id)",
    carries=frozenset({"id", "turns", "referenceAnswer", "expectedSourceIds"}),
    partly={
        "evidence.sourceId": _CITED,
        "evidence.quote": _QUOTED,
        "evidence.tableTitle": _QUOTED,
        "evidence.tableHeader": _QUOTED,
        "evidence.tableCells": _QUOTED,
    },
    writer=_Writer,
)
