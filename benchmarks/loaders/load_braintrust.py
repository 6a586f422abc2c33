"""Braintrust: each record as an EvalCase, and a local Eval over all of them."""

import os

from reading import rows, run, same
from records import held

os.environ["BRAINTRUST_DISABLE_ATEXIT_FLUSH"] = "1"


def load(folder, cases):
    from braintrust import Eval, EvalCase

    made = [EvalCase(**r) for r in rows(folder / "records.jsonl")]
    same([c.id for c in made], [*cases], "ids")
    for case in made:
        held(case.id, case.input, case.expected, case.metadata, cases[case.id])
        same(case.tags, cases[case.id]["tags"], case.id)
    answers = {repr(c.input): c.expected for c in made}

    def right(input, output, expected):  # noqa: A002  the names are Braintrust's
        return {"name": "right", "score": float(output == expected)}

    done = Eval("golden", data=lambda: made, task=lambda i: answers[repr(i)], scores=[right], no_send_logs=True)
    assert all(not r.error for r in done.results), done.results
    same(len(done.results), len(cases), "results")
    assert sum(r.scores["right"] for r in done.results) >= len(answers)
    return f"{len(made)} records run"


run(load)
