"""The task file beside the samples for inspect_ai: it stands alone, and knows nothing of this package."""

from __future__ import annotations

from curator.exporting.targets.wording import REFUSAL

_BEFORE = '''\
"""Golden cases for inspect_ai: inspect eval task.py --model MODEL

The scorer compares words (see LOST.md). An answer names an accepted phrase of each mandatory provision, a refusal reads
like one, an escalation names whom to turn to, and none claims what must not be claimed.
"""

import re
from pathlib import Path

from inspect_ai import Task, task
from inspect_ai.dataset import json_dataset
from inspect_ai.scorer import CORRECT, INCORRECT, Score, accuracy, scorer, stderr
from inspect_ai.solver import generate

HERE = Path(__file__).parent
REFUSAL = re.compile(
    r"""'''
_AFTER = '''""",
    re.IGNORECASE,
)


def judge(answer, checks):
    """What stands against an answer, in words; empty = nothing."""
    said = answer.lower()
    problems = [f"claims {claim}" for claim in checks["mustNotSay"] if claim.lower() in said]
    if checks["refuses"] and not REFUSAL.search(answer):
        problems.append("does not refuse")
    for group in checks["mustSay"]:
        if not any(phrase.lower() in said for phrase in group):
            problems.append(f"says none of {group}")
    return problems


@scorer(metrics=[accuracy(), stderr()])
def words():
    async def score(state, target):
        problems = judge(state.output.completion, state.metadata["checks"])
        return Score(
            value=INCORRECT if problems else CORRECT,
            answer=state.output.completion,
            explanation="; ".join(problems),
        )

    return score


@task
def golden():
    return Task(dataset=json_dataset(str(HERE / "samples.jsonl")), solver=[generate()], scorer=words())
'''
TASK_FILE = _BEFORE + REFUSAL + _AFTER
