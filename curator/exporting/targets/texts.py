"""What an evaluator is sent for a case: its question as one text, the text of each source, and grades."""

from __future__ import annotations

from typing import Any

from curator.domain.canonical import row_text
from curator.exporting.caseline import CASE_KEYS
from curator.exporting.targets.protocol import Line

GRADES = {"required": 2, "supporting": 1, "distractor": 0}


def transcript(case: Line) -> str:
    """The question; of a follow-up all turns ("Turn 1: ..."), because its last one makes no sense alone."""
    turns: list[str] = case["turns"]
    return turns[0] if len(turns) == 1 else "\n".join(f"Turn {n}: {turn}" for n, turn in enumerate(turns, 1))


def source_text(case: Line, source_id: str) -> str:
    """A cited row as title, section and "header: cell; ...", never its bare cells; a chunk as its distinct quotes."""
    cited = [e for e in case["evidence"] if e["sourceId"] == source_id]
    first = cited[0]
    if first["tableCells"]:
        return row_text(first["tableTitle"], first["sectionPath"], first["tableHeader"], first["tableCells"])
    return " ".join(dict.fromkeys(e["quote"] for e in cited))


def source_texts(case: Line) -> list[str]:
    """The text of each expected source, in the order of `expectedSourceIds`."""
    return [source_text(case, name) for name in case["expectedSourceIds"]]


def grades(case: Line) -> list[tuple[str, int]]:
    """The judged sources: required 2, supporting 1, distractor 0; the highest where a source has two roles.

    The expected sources come first, in their order.
    """
    found = dict.fromkeys(case["expectedSourceIds"], GRADES["required"])
    for entry in case["evidence"]:
        name = entry["sourceId"]
        found[name] = max(GRADES[entry["role"]], found.get(name, 0))
    return sorted(found.items(), key=lambda item: -item[1])


def early_answers(case: Line) -> dict[int, str]:
    """The reference answers of earlier turns, by turn from 1; turns without one are absent."""
    return {t["turn"]: t["referenceAnswer"] for t in case["turnExpectations"] if t["referenceAnswer"]}


def without(case: Line, *names: str) -> dict[str, Any]:
    """The case under the names of the line, in their order, without some of them."""
    return {key: case[key] for key in CASE_KEYS if key not in names}


def is_retrieval(case: Line) -> bool:
    """Whether finding sources can be judged: it has required sources, and is no summary of whole documents."""
    return bool(case["expectedSourceIds"]) and case["task"] == "question"
