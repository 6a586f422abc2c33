"""MLflow GenAI: merge_records into a dataset on SQLite, read back, and evaluated."""

import logging
import os
import tempfile
import warnings

from reading import rows, run, same

HERE = tempfile.mkdtemp()
os.environ |= {"MLFLOW_DISABLE_TELEMETRY": "true", "DO_NOT_TRACK": "1", "GIT_PYTHON_REFRESH": "quiet"}
os.environ["MLFLOW_TRACKING_URI"] = f"sqlite:///{HERE}/m.db"
warnings.simplefilter("ignore")


def load(folder, cases):
    import mlflow
    from mlflow.genai.datasets import create_dataset
    from mlflow.genai.scorers import scorer

    os.chdir(HERE)
    logging.disable(logging.WARNING)
    lines = rows(folder / "records.jsonl")
    data = create_dataset(name="golden", experiment_id=mlflow.create_experiment("golden"))
    data.merge_records(lines)
    table = data.to_df()
    same(len(table), len(lines), "rows")
    for given, wanted, tags in zip(table.inputs, table.expectations, table.tags, strict=True):
        case = cases[tags["caseId"]]
        same((given["turns"], given["asOf"], given["asker"]), (case["turns"], case["asOf"], case["asker"]), case["id"])
        same([c["doc_uri"] for c in wanted["expected_retrieved_context"]], case["expectedSourceIds"], case["id"])
        assert "expected_facts" in wanted or wanted.get("expected_response", "") == case["referenceAnswer"], case["id"]
        same((tags["risk"], tags["contentHash"]), (case["risk"], case["contentHash"]), case["id"])

    @scorer
    def answered(outputs, expectations):
        return outputs == expectations.get("expected_response", "")

    mlflow.set_experiment("golden")
    right = [{**r, "outputs": r["expectations"].get("expected_response", "")} for r in lines]
    same(mlflow.genai.evaluate(data=right, scorers=[answered]).metrics["answered/mean"], 1, "score")
    return f"{len(lines)} records merged, read back and evaluated"


run(load)
