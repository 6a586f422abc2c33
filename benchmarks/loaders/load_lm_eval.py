"""lm-evaluation-harness: its own task is run with the dummy model; prompts and targets are those of the cases."""

import datetime
import os
import tempfile

import yaml
from reading import run, same

os.environ |= {"HF_HUB_OFFLINE": "1", "HF_DATASETS_OFFLINE": "1", "HF_DATASETS_CACHE": tempfile.mkdtemp()}


def days(value):
    """`datasets`, by which the harness reads, takes a column of dates for times."""
    if isinstance(value, dict):
        return {k: days(v) for k, v in value.items()}
    if isinstance(value, list):
        return [days(v) for v in value]
    if isinstance(value, datetime.datetime):
        return value.date().isoformat()
    return value.removesuffix(" 00:00:00") if isinstance(value, str) else value


def load(folder, cases):
    import lm_eval
    from lm_eval.tasks import TaskManager

    os.chdir(folder)
    name = yaml.safe_load((folder / "golden.yaml").read_text("utf-8"))["task"]
    manager = TaskManager(include_path=str(folder), include_defaults=False)
    found = lm_eval.simple_evaluate(
        model="dummy", tasks=[name], task_manager=manager, bootstrap_iters=0, log_samples=True
    )["samples"][name]
    told = {n: c for n, c in cases.items() if c["referenceAnswer"]}
    same([s["doc"]["id"] for s in found], [*told], "ids")
    for sample in found:
        case = told[sample["doc"]["id"]]
        prompt = "".join(f"User: {turn}\n" for turn in case["turns"]) + "Assistant:"
        same(sample["arguments"][0][0], prompt, case["id"])
        same(sample["target"], case["referenceAnswer"], case["id"])
        same(days(sample["doc"]["evidence"]), case["evidence"], case["id"])
    return f"{len(found)} documents of task {name}"


run(load)
