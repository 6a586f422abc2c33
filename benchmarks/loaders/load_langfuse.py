"""Langfuse: each item through the client's own request onto a transport that answers here, then a local experiment."""

import json
import os

from reading import rows, run, same
from records import held

os.environ |= {"LANGFUSE_TRACING_ENABLED": "false", "LANGFUSE_PUBLIC_KEY": "pk-lf-x", "LANGFUSE_SECRET_KEY": "sk-lf-x"}
os.environ["LANGFUSE_BASE_URL"] = "http://127.0.0.1:9"


def load(folder, cases):
    import httpx
    from langfuse import Evaluation, Langfuse

    sent = []

    def serve(request):
        body = json.loads(request.content)
        sent.append(body)
        time = "2026-01-01T00:00:00Z"
        reply = {"status": "ACTIVE", "datasetId": "d", "createdAt": time, "updatedAt": time, "mediaReferences": []}
        reply |= {"sourceTraceId": None, "sourceObservationId": None}
        kept = {k: body.get(k) for k in ("id", "input", "expectedOutput", "metadata", "datasetName")}
        return httpx.Response(200, json=reply | kept)

    client = Langfuse(httpx_client=httpx.Client(transport=httpx.MockTransport(serve)))
    items = rows(folder / "items.jsonl")
    for item in items:
        client.create_dataset_item(dataset_name="golden", **item)
    same({b["metadata"]["caseId"] for b in sent}, set(cases), "ids")
    same(len({b["id"] for b in sent}), len(cases), "ids of items")
    for body in sent:
        name = body["metadata"]["caseId"]
        held(name, body["input"], body["expectedOutput"], body["metadata"], cases[name])

    def equal(*, output, expected_output, **_):
        return Evaluation(name="equal", value=float(output == expected_output))

    data = [{k: i[k] for k in ("input", "expected_output", "metadata")} for i in items]
    done = client.run_experiment(
        name="x", data=data, task=lambda *, item, **_: item["expected_output"], evaluators=[equal]
    )
    same([r.evaluations[0].value for r in done.item_results], [1.0] * len(items), "experiment")
    return f"{len(items)} items sent as they are, and run"


run(load)
