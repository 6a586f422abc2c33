"""What the experiment platforms share: an input, what is expected of it, and the rest as metadata."""

from __future__ import annotations

from typing import Any

from curator.exporting.targets.protocol import Line
from curator.exporting.targets.texts import source_texts, without


def asked(case: Line) -> dict[str, Any]:
    """The input: the last question, all turns, and as of which date and by whom it is asked."""
    return {"question": case["turns"][-1], "turns": case["turns"], "asOf": case["asOf"], "asker": case["asker"]}


def expected(case: Line) -> dict[str, Any]:
    """What a right system does: its behavior, the answer, and the sources with their texts, one for each id."""
    return {
        "behavior": case["expectedBehavior"],
        "answer": case["referenceAnswer"],
        "acceptableAnswers": case["acceptableAnswers"],
        "mustNotClaim": case["mustNotClaim"],
        "sourceIds": case["expectedSourceIds"],
        "contexts": source_texts(case),
    }


def metadata(case: Line, *, case_id: bool = True) -> dict[str, Any]:
    """Every other field under its name of the line; the id of the case as "caseId"."""
    rest = without(case, "id", "turns", "referenceAnswer")
    return {"caseId": case["id"], **rest} if case_id else rest
