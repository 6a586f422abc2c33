"""OpenAI Evals API: the client's own types take the items and their schema; the schema takes every item."""

import json

from reading import rest, rows, run, same


def load(folder, cases):
    from jsonschema import Draft202012Validator
    from openai.types.eval_create_params import DataSourceConfigCustom
    from openai.types.evals.create_eval_jsonl_run_data_source_param import CreateEvalJSONLRunDataSourceParam
    from pydantic import TypeAdapter

    lines = rows(folder / "items.jsonl")
    schema = json.loads((folder / "item_schema.json").read_text("utf-8"))
    Draft202012Validator.check_schema(schema)
    taken = TypeAdapter(DataSourceConfigCustom).validate_python({"type": "custom", "item_schema": schema})
    same(taken["item_schema"], schema, "schema")
    source = {"type": "jsonl", "source": {"type": "file_content", "content": lines}}
    made = TypeAdapter(CreateEvalJSONLRunDataSourceParam).validate_python(source)
    items = [dict(c["item"]) for c in made["source"]["content"]]
    same([i["caseId"] for i in items], [*cases], "ids")
    for item in items:
        case = cases[item["caseId"]]
        same(rest(item, "caseId", "question", "contexts"), rest(case, "id"), case["id"])
        assert not list(Draft202012Validator(schema).iter_errors(item)), case["id"]
        assert list(Draft202012Validator(schema).iter_errors({**item, "risk": "none"})), "the schema takes anything"
    return f"{len(items)} items by their schema"


run(load)
