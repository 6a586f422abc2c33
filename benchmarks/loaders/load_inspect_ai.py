"""inspect_ai: its own task file is evaluated with the mock model, with right answers and with wrong ones."""

import importlib.util
import sys
import tempfile

from reading import rest, run, same


def canned(text):
    from inspect_ai.model import ModelOutput, ModelUsage

    output = ModelOutput.from_content("mockllm/model", text)
    output.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)  # without it a tokenizer is fetched
    return output


def load(folder, cases):
    from inspect_ai import eval as evaluate
    from inspect_ai.model import get_model

    spec = importlib.util.spec_from_file_location("golden_task", folder / "task.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules["golden_task"] = module
    spec.loader.exec_module(module)
    data = list(module.golden().dataset)
    same([s.id for s in data], [*cases], "ids")
    for sample in data:
        case = cases[sample.id]
        turns = [sample.input] if isinstance(sample.input, str) else [m.content for m in sample.input]
        same((turns, sample.target), (case["turns"], case["referenceAnswer"]), sample.id)
        same(rest(sample.metadata, "checks"), rest(case, "id", "turns", "referenceAnswer"), sample.id)
    refusal = "I can't help with that: the sources do not cover it."
    right = [refusal if cases[s.id]["expectedBehavior"] == "refuse" else str(s.target) for s in data]
    wrong = ["Bananas are yellow." for _ in data]
    for answers, wanted in ((right, "C"), (wrong, "I")):
        model = get_model("mockllm/model", custom_outputs=[canned(a or refusal) for a in answers], memoize=False)
        logs = tempfile.mkdtemp()
        (log,) = evaluate(module.golden(), model=model, log_dir=logs, display="none", max_samples=1)
        same(log.status, "success", str(log.error)[:300])
        got = {s.id: s.scores["words"].value for s in log.samples}
        told = {s.id for s, a in zip(data, answers, strict=True) if a}
        same({n: v for n, v in got.items() if n in told}, dict.fromkeys(told, wanted), "scores")
    return f"{len(data)} samples of task.py, right answers scored C and wrong ones I"


run(load)
