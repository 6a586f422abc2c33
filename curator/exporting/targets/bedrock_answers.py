"""A system's own answers in the shape of Bedrock: retrieved results, passages and citations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from curator.exporting.targets.protocol import Line


def own_turns(turns: Sequence[dict[str, Any]], said: Line, source: str, *, generated: bool) -> list[dict[str, Any]]:
    """The turns of a prompt with what the system did at each.

    Args:
        turns: Prompt and references of each turn.
        said: The line of the run; its `turns` hold what was said before the last one.
        source: Identifier of the system; one for a whole file.
        generated: With answer and citations; without, what was retrieved alone.
    """
    earlier = {turn["turn"]: turn for turn in said["turns"]}
    found = []
    for number, turn in enumerate(turns, 1):
        own = said if number == len(turns) else earlier[number]
        output = _generated(own, source) if generated else _retrieved(own, source)
        found.append({**turn, "output": output})
    return found


def _retrieved(own: Line, source: str) -> dict[str, Any]:
    return {"knowledgeBaseIdentifier": source, "retrievedResults": {"retrievalResults": _results(own)}}


def _generated(own: Line, source: str) -> dict[str, Any]:
    return {
        "text": own["answer"],
        "knowledgeBaseIdentifier": source,
        "modelIdentifier": source,
        "retrievedPassages": {"retrievalResults": _results(own)},
        "citations": _citations(own),
    }


def _results(own: Line) -> list[dict[str, Any]]:
    return [_result(found) for found in own["retrieved"]]


def _result(found: Line) -> dict[str, Any]:
    return {"name": found["id"], "content": {"text": found["text"]}, "metadata": {"sourceId": found["id"]}}


def _citations(own: Line) -> list[dict[str, Any]]:
    """Claims that stand in the answer, each with what was retrieved under the id that it cites; `end` is inclusive."""
    found = []
    for cited in own.get("citations", ()):
        claim, start = cited["claim"], own["answer"].find(cited["claim"])
        references = [_result(r) for r in own["retrieved"] if r["id"] == cited["sourceId"]]
        if claim and start >= 0 and references:
            span = {"start": start, "end": start + len(claim) - 1}
            part = {"textResponsePart": {"span": span, "text": claim}}
            found.append({"generatedResponsePart": part, "retrievedReferences": references})
    return found
