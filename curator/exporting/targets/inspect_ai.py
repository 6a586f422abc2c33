"""inspect_ai: samples for `json_dataset`, and a task file that runs them with a scorer of its own."""

from __future__ import annotations

from curator.exporting.targets.inspect_task import TASK_FILE
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Folder, Line, Release
from curator.exporting.targets.records import Record, Records
from curator.exporting.targets.texts import without
from curator.exporting.targets.wording import checks


def _sample(release: Release, case: Line) -> Record:
    turns = case["turns"]
    return {
        "id": case["id"],
        "input": turns[0] if len(turns) == 1 else [{"role": "user", "content": turn} for turn in turns],
        "target": case["referenceAnswer"],
        "metadata": {**without(case, "id", "turns", "referenceAnswer"), "checks": checks(case).wire()},
    }


def _task(release: Release, folder: Folder) -> None:
    folder.open("task.py").write(TASK_FILE.encode())


TARGET = Records(
    name="inspect_ai",
    evaluator="inspect_ai",
    tested="0.3.285",
    summary="samples.jsonl and task.py: `inspect eval task.py --model MODEL`",
    file="samples.jsonl",
    record=_sample,
    carries=EVERY_FIELD,
    beside=_task,
    notes=(
        "The scorer of task.py compares words: an accepted phrase for each mandatory provision, none that must not be "
        "claimed, a refusal that reads like one. It finds 5 days in 15 days. Put a judge in its place where that is "
        "not enough.",
    ),
)
