"""Bedrock has no offline loader: a job is asked of a stub of its client, and lines are held against the user guide."""

import csv

from reading import rows, run, same, transcript


def load(folder, cases):
    import boto3
    from botocore.session import get_session
    from botocore.stub import Stubber
    from botocore.validate import ParamValidator

    runtime = get_session().get_service_model("bedrock-agent-runtime")
    files = {p.name: rows(p) for p in folder.glob("*.jsonl")}
    with (folder / "bedrock-index.tsv").open(encoding="utf-8", newline="") as stream:
        index = list(csv.DictReader(stream, delimiter="\t"))
    same(len(index), sum(map(len, files.values())), "index")
    turns, told = {}, {}
    for entry in index:
        row, case = files[entry["file"]][int(entry["line"]) - 1], cases[entry["id"]]
        if "prompt" in row:
            same((row["prompt"], row["referenceResponse"]), (transcript(case), case["referenceAnswer"]), entry["id"])
            continue
        same(set(row), {"conversationTurns"}, entry["id"])
        assert 1 <= len(row["conversationTurns"]) <= (1 if "retrieve_only" in entry["file"] else 5), entry
        last = row["conversationTurns"][-1].get("referenceResponses")
        if entry["file"].startswith("retrieve_and_generate"):
            turns.setdefault(entry["id"], []).extend(
                t["prompt"]["content"][0]["text"] for t in row["conversationTurns"]
            )
            told[entry["id"]] = last
        for turn in row["conversationTurns"]:
            for result in turn.get("output", {}).get("retrievedResults", {}).get("retrievalResults", ()):
                plain = {k: v for k, v in result.items() if k != "name"}
                report = ParamValidator().validate(plain, runtime.shape_for("KnowledgeBaseRetrievalResult"))
                assert not report.has_errors(), report.generate_report()
    wanted = {name: case for name, case in cases.items() if case["referenceAnswer"] and len(case["turns"]) <= 5}
    same({n: t for n, t in turns.items() if n in wanted}, {n: c["turns"] for n, c in wanted.items()}, "turns")
    for name in wanted:
        same(told[name], [{"content": [{"text": cases[name]["referenceAnswer"]}]}], name)
    client = boto3.client("bedrock", "us-east-1", aws_access_key_id="x", aws_secret_access_key="x")
    for name in files:
        assert len(files[name]) <= 1000, name
        with Stubber(client) as stub:
            arn = "arn:aws:bedrock:us-east-1:111122223333:evaluation-job/abcdefghij12"
            stub.add_response("create_evaluation_job", {"jobArn": arn})
            ask(client, name)
    return f"{len(index)} lines of {len(files)} files, each a job that the client takes"


def ask(client, name):
    judged = {"bedrockEvaluatorModels": [{"modelIdentifier": "anthropic.claude-3-haiku-20240307-v1:0"}]}
    data = {"name": name.removesuffix(".jsonl"), "datasetLocation": {"s3Uri": f"s3://bucket/{name}"}}
    metric = {"taskType": "QuestionAndAnswer", "dataset": data, "metricNames": ["Builtin.Correctness"]}
    base = {"knowledgeBaseId": "ABCDEFGHIJ"}
    source = {"retrieveConfig": {**base, "knowledgeBaseRetrievalConfiguration": {"vectorSearchConfiguration": {}}}}
    client.create_evaluation_job(
        jobName="golden", roleArn="arn:aws:iam::111122223333:role/evaluation", applicationType="RagEvaluation",
        evaluationConfig={"automated": {"datasetMetricConfigs": [metric], "evaluatorModelConfig": judged}},
        inferenceConfig={"ragConfigs": [{"knowledgeBaseConfig": source}]}, outputDataConfig={"s3Uri": "s3://bucket/out/"},
    )  # fmt: skip


run(load)
