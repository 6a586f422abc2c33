"""DeepEval: goldens as JSON, JSON Lines and CSV, and conversational goldens apart, because one set holds one kind."""

from __future__ import annotations

from typing import Any

from curator.domain.canonical import dumps
from curator.exporting.targets.files import JsonLines, JsonList, Table
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.nested import metadata
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed
from curator.exporting.targets.texts import source_texts

CONTEXT_DELIMITER = "|||"
"""Between the contexts of a CSV cell; the loader's own default, "|", would split rows of tables."""
_COLUMNS = ("input", "expected_output", "context", "name", "additional_metadata")


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        self._folder = folder
        self._list = JsonList(folder, "goldens.json")
        self._lines = JsonLines(folder, "goldens.jsonl")
        self._talks = JsonLines(folder, "conversational.jsonl")
        self._table: Table | None = None
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        golden = _golden(case)
        self._outcome.written += 1
        if len(case["turns"]) > 1:
            self._talks.write(golden)
            return
        self._list.write(golden)
        self._lines.write(golden)
        self._table = self._table or Table(self._folder, "goldens.csv", _COLUMNS)
        context = CONTEXT_DELIMITER.join(text.replace(CONTEXT_DELIMITER, "| | |") for text in golden["context"])
        extra = dumps(golden["additional_metadata"])
        self._table.write((golden["input"], golden["expected_output"], context, golden["name"], extra))

    def add_source(self, source: Line, raw: bytes) -> None:
        """The texts of sources come with the cases."""

    def finish(self) -> Outcome:
        self._list.finish()
        self._outcome.notes.append(
            "Load goldens.csv with context_col_delimiter='|||'. It has no expectations, and a cell that a spreadsheet "
            "would take for a formula begins with an apostrophe: goldens.json is exact."
        )
        return self._outcome


def _golden(case: Line) -> dict[str, Any]:
    """The case id is in `name`, because the loader drops `id`; `scenario` is what makes a golden conversational."""
    rest = {
        "name": case["id"],
        "context": source_texts(case),
        "expectations": {"must": case["requiredBehaviors"], "must_not": case["mustNotClaim"]},
        "additional_metadata": metadata(case),
    }
    turns = case["turns"]
    if len(turns) == 1:
        return {"input": turns[0], "expected_output": case["referenceAnswer"], **rest}
    return {
        "scenario": f"Somebody asks {len(turns)} questions, each after the answer to the one before.",
        "turns": [{"role": "user", "content": turn} for turn in turns],
        "expected_outcome": case["referenceAnswer"],
        **rest,
    }


TARGET = Streamed(
    name="deepeval",
    evaluator="DeepEval",
    tested="4.3.1",
    summary="goldens.json, .jsonl and .csv (contexts joined by |||), conversational.jsonl for follow-ups",
    carries=EVERY_FIELD,
    writer=_Writer,
)
