"""LangSmith: each line as an ExampleCreate, then a local evaluation over all of them."""

import datetime
import os
import uuid

from reading import rows, run, same
from records import held

os.environ |= {"LANGSMITH_TRACING": "false", "LANGSMITH_API_KEY": "x", "LANGSMITH_ENDPOINT": "http://127.0.0.1:9"}


def load(folder, cases):
    from langsmith import Client, evaluate, schemas

    lines = rows(folder / "examples.jsonl")
    same(len({r["id"] for r in lines}), len(cases), "ids")
    examples = []
    for row in lines:
        made = schemas.ExampleCreate(**row)
        name = made.metadata["caseId"]
        wanted = getattr(made, "reference_outputs", None) or made.outputs
        held(name, made.inputs, wanted, made.metadata, cases[name])
        same((made.id, made.split), (uuid.UUID(row["id"]), cases[name]["partition"]), name)
        facts = {"dataset_id": uuid.uuid4(), "created_at": datetime.datetime.now(datetime.UTC)}
        examples.append(
            schemas.Example(id=made.id, inputs=made.inputs, outputs=wanted, metadata=made.metadata, **facts)
        )
    answers = {r["inputs"]["question"]: r["outputs"]["answer"] for r in lines}

    def right(outputs, reference_outputs):
        return {"key": "right", "score": float(outputs["answer"] == reference_outputs["answer"])}

    client = Client(api_key="x", api_url="http://127.0.0.1:9", info={})
    found = evaluate(
        lambda inputs: {"answer": answers[inputs["question"]]}, data=examples, evaluators=[right], upload_results=False,
        client=client, blocking=True,
    )  # fmt: skip
    scores = [r["evaluation_results"]["results"][0].score for r in found]
    same(len(scores), len(cases), "scores")
    assert sum(scores) >= len(answers), scores
    return f"{len(lines)} examples, splits {sorted({r['split'] for r in lines})}, evaluated here"


run(load)
