"""Vertex AI: each line as an EvalCase in an EvaluationDataset. A run needs a project in the cloud."""

from reading import rows, run, same


def load(folder, cases):
    from vertexai._genai import types

    lines = rows(folder / "eval_cases.jsonl")
    data = types.EvaluationDataset(eval_cases=[types.EvalCase.model_validate(r) for r in lines])
    told = {n: c for n, c in cases.items() if c["referenceAnswer"]}
    same([c.eval_case_id for c in data.eval_cases], [*told], "ids")
    for made in data.eval_cases:
        case = told[made.eval_case_id]
        said = [m.content.parts[0].text for m in made.conversation_history or []]
        same([*said, made.prompt.parts[0].text], case["turns"], case["id"])
        same(made.reference.response.parts[0].text, case["referenceAnswer"], case["id"])
    return f"{len(data.eval_cases)} eval cases"


run(load)
