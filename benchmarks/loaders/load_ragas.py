"""ragas: EvaluationDataset.from_jsonl, single and multi-turn; the metrics over ids give a perfect answer 1."""

import os
import warnings

from reading import rows, run, same, transcript

os.environ["RAGAS_DO_NOT_TRACK"] = "true"
warnings.simplefilter("ignore")


def load(folder, cases):
    from ragas import EvaluationDataset, evaluate
    from ragas.metrics import ExactMatch, IDBasedContextPrecision, IDBasedContextRecall

    index = rows(folder / "index.jsonl")
    ids = [e["id"] for e in index if e["file"] == "golden.jsonl"]
    golden = EvaluationDataset.from_jsonl(folder / "golden.jsonl")
    same(sorted(ids), sorted(cases), "ids")
    for name, sample in zip(ids, golden, strict=True):
        case = cases[name]
        same(sample.user_input, transcript(case), name)
        same(sample.reference, case["referenceAnswer"], name)
        same(sample.reference_context_ids, case["expectedSourceIds"], name)
        for entry in case["evidence"]:  # a row arrives with its title and its header
            if entry["role"] == "required" and entry["tableCells"]:
                text = sample.reference_contexts[case["expectedSourceIds"].index(entry["sourceId"])]
                assert entry["tableTitle"] in text, name
                assert all(
                    f"{h}: {c}" in text
                    for h, c in zip(entry["tableHeader"], entry["tableCells"], strict=False)
                    if h and c
                ), name
    talks = [e["id"] for e in index if e["file"] == "multi.jsonl"]
    if talks:
        for name, sample in zip(talks, EvaluationDataset.from_jsonl(folder / "multi.jsonl"), strict=True):
            same([m.content for m in sample.user_input], cases[name]["turns"], name)
    scored = [s for s in golden if s.reference and s.reference_context_ids]
    for sample in scored:
        sample.response = sample.reference
        sample.retrieved_contexts = list(sample.reference_contexts)
        sample.retrieved_context_ids = list(sample.reference_context_ids)
    metrics = [IDBasedContextRecall(), IDBasedContextPrecision(), ExactMatch()]
    table = evaluate(EvaluationDataset(samples=scored), metrics=metrics, show_progress=False).to_pandas()
    for column in ("id_based_context_recall", "id_based_context_precision", "exact_match"):
        assert (table[column] == 1).all(), column
    return f"{len(golden)} single-turn and {len(talks)} multi-turn samples, {len(scored)} scored 1"


run(load)
