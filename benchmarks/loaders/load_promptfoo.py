"""promptfoo: its own config runs, each line one test; right answers pass, wrong ones fail. Needs node and promptfoo."""

import json
import os
import subprocess
import tempfile
from pathlib import Path

from reading import rows, run, same

REFUSAL = "I can't help with that: the sources do not cover it."
UNRELATED = "Bananas are yellow and the answer is seven."


def evaluate(config, where):
    out = where / "out.json"
    out.unlink(missing_ok=True)
    quiet = dict.fromkeys(("DISABLE_TELEMETRY", "DISABLE_UPDATE", "DISABLE_REMOTE_GENERATION"), "1")
    env = os.environ | {f"PROMPTFOO_{n}": v for n, v in quiet.items()} | {"PROMPTFOO_CONFIG_DIR": str(where)}
    words = ["promptfoo", "eval", "-c", str(config), "--no-cache", "--no-write", "--no-progress-bar", "--no-table"]
    done = subprocess.run([*words, "-o", str(out)], env=env, capture_output=True, text=True, cwd=config.parent)
    assert out.is_file(), (done.stdout + done.stderr)[-800:]
    found = json.loads(out.read_text("utf-8"))["results"]
    same(found["stats"]["errors"], 0, "errors")
    return found["results"]


def load(folder, cases):
    tests = rows(folder / "tests.jsonl")
    with tempfile.TemporaryDirectory() as name:
        where = Path(name)
        own = evaluate(folder / "promptfooconfig.yaml", where)
        same(sorted(r["testCase"]["description"] for r in own), sorted(cases), "tests of the config")
        for result in own:  # the echo provider gives back what was asked, letter by letter
            case = cases[result["testCase"]["description"]]
            asked = (
                case["turns"] if len(case["turns"]) == 1 else [f"Turn {n}: {t}" for n, t in enumerate(case["turns"], 1)]
            )
            same(result["response"]["output"].strip(), "\n".join(asked).strip(), case["id"])
            same(result["testCase"]["metadata"]["turns"], case["turns"], case["id"])
            same(result["testCase"]["metadata"]["risk"], case["risk"], case["id"])
        prompts = ["{{referenceAnswer}}", REFUSAL, UNRELATED, " "]
        config = where / "config.json"
        config.write_text(
            json.dumps({"prompts": prompts, "providers": ["echo"], "tests": f"file://{folder / 'tests.jsonl'}"}),
            "utf-8",
        )
        got = {(r["testCase"]["description"], r["promptIdx"]): r["success"] for r in evaluate(config, where)}
    for name, case in cases.items():
        refuses = case["expectedBehavior"] == "refuse"
        assert not got[name, 2], f"{name}: an unrelated answer passes"
        assert not got[name, 3], f"{name}: an empty answer passes"
        same(got[name, 1], refuses, f"{name}: a refusal")
        assert refuses or not case["referenceAnswer"] or got[name, 0], f"{name}: the reference answer fails"
    return f"{len(tests)} tests, right answers pass and wrong ones fail"


run(load)
