"""Azure AI Evaluation: evaluate() with F1 over perfect answers, and document retrieval over the graded truth."""

import json
import os
import tempfile
from pathlib import Path

from reading import rest, rows, run, same, transcript

os.environ["APPLICATIONINSIGHTS_STATSBEAT_DISABLED_ALL"] = "true"


def load(folder, cases):
    from azure.ai.evaluation import DocumentRetrievalEvaluator, F1ScoreEvaluator, evaluate

    lines = rows(folder / "data.jsonl")
    same([r["caseId"] for r in lines], [*cases], "ids")
    told = [{**r, "response": r["ground_truth"]} for r in lines if r["ground_truth"]]
    path = Path(tempfile.mkdtemp()) / "data.jsonl"
    path.write_text("".join(json.dumps(r) + "\n" for r in told), "utf-8")
    done = evaluate(data=str(path), evaluators={"f1": F1ScoreEvaluator()})
    same(len(done["rows"]), len(told), "rows")
    for row in done["rows"]:
        case = cases[row["inputs.caseId"]]
        same((row["inputs.query"], row["inputs.ground_truth"]), (transcript(case), case["referenceAnswer"]), case["id"])
        same(row["inputs.metadata"], rest(case, "id", "referenceAnswer"), case["id"])
        if case["referenceAnswer"].isascii():  # F1 works on Latin words
            same(row["outputs.f1.f1_score"], 1, case["id"])
    judged = [r["retrieval_ground_truth"] for r in lines if r["retrieval_ground_truth"]]
    for truth in judged:
        order = sorted(truth, key=lambda d: -d["query_relevance_label"])
        found = [{"document_id": d["document_id"], "relevance_score": 1 - n / 10} for n, d in enumerate(order)]
        measure = DocumentRetrievalEvaluator(ground_truth_label_min=0, ground_truth_label_max=2)
        score = measure(retrieval_ground_truth=truth, retrieved_documents=found)
        score = score.get("document_retrieval_properties", score)
        same((score["ndcg@3"], score["holes"]), (1, 0), str(truth))
    return f"{len(lines)} rows, {len(told)} with F1, {len(judged)} with retrieval truth"


run(load)
