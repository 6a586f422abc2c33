"""Arize Phoenix: the client's own upload onto a transport that answers here; what arrives is what was written."""

import json

from reading import rows, run, same
from records import held


def load(folder, cases):
    import httpx
    from phoenix.client import Client

    lines, sent = rows(folder / "examples.jsonl"), []
    about = {"id": "d", "name": "g", "description": None, "metadata": {}, "example_count": len(lines)}
    about |= {"created_at": "2026-01-01T00:00:00Z", "updated_at": "2026-01-01T00:00:00Z"}

    def serve(request):
        head = {"x-phoenix-server-version": "99.0.0"}
        path = request.url.path
        ids = {"dataset_id": "d", "version_id": "v"}
        if path.endswith("/upload"):
            sent.append(json.loads(request.content))
            return httpx.Response(200, headers=head, json={"data": ids})
        if path.endswith("/examples"):
            return httpx.Response(200, headers=head, json={"data": {**ids, "examples": []}})
        if path == "/v1/datasets":
            return httpx.Response(200, headers=head, json={"data": [about], "next_cursor": None})
        return httpx.Response(200, headers=head, json={"data": about})

    transport = httpx.Client(transport=httpx.MockTransport(serve), base_url="http://127.0.0.1:9")
    client = Client(http_client=transport)
    columns = {"inputs": "input", "outputs": "output", "metadata": "metadata"}
    client.datasets.create_dataset(name="g", **{k: [r[v] for r in lines] for k, v in columns.items()})
    (body,) = sent
    same([m["caseId"] for m in body["metadata"]], [*cases], "ids")
    for given, wanted, extra in zip(body["inputs"], body["outputs"], body["metadata"], strict=True):
        held(extra["caseId"], given, wanted, extra, cases[extra["caseId"]])
    return f"{len(lines)} examples uploaded as they are"


run(load)
