"""lm-evaluation-harness: the canonical lines of cases with a reference answer, and a task that reads them."""

from __future__ import annotations

import re

from curator.exporting.targets.files import JsonLines
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Choices, Folder, Line, Outcome, Release
from curator.exporting.targets.streamed import Streamed

_TASK = """\
# Run in this folder: lm_eval --include_path . --tasks {task} --model MODEL
task: {task}
dataset_path: json
dataset_kwargs:
  data_files:
    test: golden.jsonl
test_split: test
output_type: generate_until
doc_to_text: "{{% for turn in turns %}}User: {{{{turn}}}}\\n{{% endfor %}}Assistant:"
doc_to_target: "{{{{referenceAnswer}}}}"
generation_kwargs:
  until: ["\\nUser:"]
  max_gen_toks: 512
metric_list:
  - metric: exact_match
    aggregation: mean
    higher_is_better: true
    ignore_case: true
    ignore_punctuation: true
metadata:
  version: "{version}"
"""


def task_name(suite: str) -> str:
    """The task of a suite."""
    return "golden_" + re.sub(r"\W", "_", suite)


class _Writer:
    def __init__(self, release: Release, folder: Folder, choices: Choices) -> None:
        task = _TASK.format(task=task_name(release.suite), version=release.version)
        folder.open("golden.yaml").write(task.encode())
        self._file = JsonLines(folder, "golden.jsonl")
        self._outcome = Outcome()

    def add(self, case: Line, raw: bytes) -> None:
        if not case["referenceAnswer"]:
            self._outcome.leave_out(case["id"], "it has no reference answer, and an empty one would match silence")
            return
        self._file.write_raw(raw)
        self._outcome.written += 1

    def add_source(self, source: Line, raw: bytes) -> None:
        """The harness retrieves nothing."""

    def finish(self) -> Outcome:
        self._outcome.notes.append(
            "The harness reads by way of datasets, which takes a column with a date on every line for times: "
            "2026-02-01 arrives as 2026-02-01 00:00:00."
        )
        self._outcome.notes.append(
            "exact_match compares whole answers: put another metric in golden.yaml where wording is free."
        )
        return self._outcome


TARGET = Streamed(
    name="lm_eval",
    evaluator="lm-evaluation-harness",
    tested="0.4.13",
    summary="golden.jsonl and golden.yaml: `lm_eval --include_path . --tasks golden_SUITE` in the folder",
    carries=EVERY_FIELD,
    writer=_Writer,
)
