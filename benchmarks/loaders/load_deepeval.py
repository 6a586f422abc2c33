"""DeepEval: EvaluationDataset from JSON, JSON Lines, CSV and conversational lines; exact answers pass its metric."""

import os

from reading import run, same

os.environ |= {"DEEPEVAL_TELEMETRY_OPT_OUT": "YES", "DEEPEVAL_UPDATE_WARNING_OPT_IN": "NO", "ERROR_REPORTING": "NO"}


def load(folder, cases):
    from deepeval.dataset import ConversationalGolden, EvaluationDataset, Golden
    from deepeval.metrics import ExactMatchMetric
    from deepeval.test_case import LLMTestCase

    single = {n: c for n, c in cases.items() if len(c["turns"]) == 1}
    talks = {n: c for n, c in cases.items() if len(c["turns"]) > 1}
    exact = []
    for kind in ("json", "jsonl"):
        data = EvaluationDataset()
        getattr(data, f"add_goldens_from_{kind}_file")(str(folder / f"goldens.{kind}"))
        same([g.name for g in data.goldens], sorted(single), kind)
        for golden in data.goldens:
            assert isinstance(golden, Golden)
            case = single[golden.name]
            same((golden.input, golden.expected_output), (case["turns"][0], case["referenceAnswer"]), golden.name)
            same(golden.additional_metadata["evidence"], case["evidence"], golden.name)
            same(golden.additional_metadata["contentHash"], case["contentHash"], golden.name)
            same(len(golden.context), len(case["expectedSourceIds"]), golden.name)
            same(golden.expectations.must_not, case["mustNotClaim"], golden.name)
        exact = list(data.goldens)
    table = EvaluationDataset()
    table.add_goldens_from_csv_file(str(folder / "goldens.csv"), context_col_delimiter="|||")
    same(len(table.goldens), len(single), "csv")
    for golden, other in zip(table.goldens, exact, strict=True):
        same(golden.input.removeprefix("'"), other.input, "csv")
        contexts = [c.replace("|||", "| | |") for c in other.context]
        same([c.removeprefix("'") for c in golden.context or []], contexts, "csv")
    if talks:
        data = EvaluationDataset()
        data.add_goldens_from_jsonl_file(str(folder / "conversational.jsonl"))
        same(
            {g.name: [t.content for t in g.turns] for g in data.goldens}, {n: c["turns"] for n, c in talks.items()}, ""
        )
        assert all(isinstance(g, ConversationalGolden) for g in data.goldens)
        same(
            [g.expected_outcome or "" for g in data.goldens],
            [talks[g.name]["referenceAnswer"] for g in data.goldens],
            "",
        )
    told = [g for g in exact if g.expected_output]
    for golden in told:
        answer = golden.expected_output
        metric = ExactMatchMetric()
        metric.measure(LLMTestCase(input=golden.input, actual_output=answer, expected_output=answer))
        assert metric.is_successful(), golden.name
    return f"{len(single)} goldens in three files, {len(talks)} conversational, {len(told)} exact matches"


run(load)
