"""OpenAI Evals API: {"item": ...} lines for a jsonl data source, and the item_schema of a custom one."""

from __future__ import annotations

import json
from typing import Any

from curator.exporting.schema import pretty
from curator.exporting.targets.lost import EVERY_FIELD
from curator.exporting.targets.protocol import Folder, Line, Release
from curator.exporting.targets.records import Record, Records
from curator.exporting.targets.texts import source_texts, without

_TEXTS = {"type": "array", "items": {"type": "string"}}


def _item(release: Release, case: Line) -> Record:
    item = {"caseId": case["id"], "question": case["turns"][-1], **without(case, "id"), "contexts": source_texts(case)}
    return {"item": item}


def _schema(release: Release, folder: Folder) -> None:
    properties: dict[str, Any] = dict(json.loads(release.small("case.schema.json"))["properties"])
    described = {"caseId": properties.pop("id"), "question": {"type": "string"}, **properties, "contexts": _TEXTS}
    schema = {
        "type": "object",
        "additionalProperties": False,
        "required": list(described),
        "properties": described,
    }
    folder.open("item_schema.json").write(pretty(schema))


TARGET = Records(
    name="openai_evals",
    evaluator="OpenAI Evals API",
    tested="3.57.0",
    summary="items.jsonl and item_schema.json: a jsonl data source and the schema of its items",
    file="items.jsonl",
    record=_item,
    carries=EVERY_FIELD,
    beside=_schema,
)
