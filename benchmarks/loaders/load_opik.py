"""Opik: its own JSON Lines converter gives every item back unchanged."""

import os

from reading import run, same
from records import held

os.environ |= {"OPIK_TRACK_DISABLE": "true", "OPIK_URL_OVERRIDE": "http://127.0.0.1:9", "OPIK_SENTRY_ENABLE": "false"}


def load(folder, cases):
    from opik.api_objects.dataset import converters

    read = getattr(converters, "from_jsonl_file", None) or converters.iter_jsonl_file
    items = [i.get_content() if hasattr(i, "get_content") else i for i in read(str(folder / "items.jsonl"), {}, [])]
    same([i["caseId"] for i in items], [*cases], "ids")
    for item in items:
        held(item["caseId"], item["input"], item["expected_output"], item["metadata"], cases[item["caseId"]])
    return f"{len(items)} items unchanged"


run(load)
