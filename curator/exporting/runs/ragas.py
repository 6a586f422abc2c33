"""ragas: the rows of an EvaluationResult (to_pandas().to_json or to_csv), or Dataset lines."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from curator.domain.answers import Answer, Retrieved
from curator.exporting.runs.rows import BadRowError, Row, listed, mapping, retrieved, scores, text, told

_TEXTS = frozenset(
    ("user_input", "response", "reference", "retrieved_contexts", "retrieved_context_ids", "reference_contexts",
     "reference_context_ids", "rubrics", "multi_responses", "id", "case_id", "caseId")
)  # fmt: skip

_MADE = frozenset(
    ("response", "multi_responses", "retrieved_contexts", "retrieved_context_ids", "retrieved", "behavior")
)
"""Columns of which a run has one."""


def is_table(document: object) -> bool:
    """Whether it is what pandas writes of a result: by columns (its default), or with orient = split or table."""
    return isinstance(document, dict) and (
        isinstance(document.get("user_input"), dict)
        or ("user_input" in (listed(document, "columns") or ()) and isinstance(document.get("data"), list))
        or (isinstance(document.get("schema"), dict) and isinstance(document.get("data"), list))
    )


def rows(document: Row) -> Iterator[Row]:
    """The rows of such a table."""
    data = document.get("data")
    if isinstance(columns := document.get("columns"), list) and isinstance(data, list):
        yield from (dict(zip(columns, cells, strict=False)) for cells in data if isinstance(cells, list))
    elif isinstance(data, list):
        yield from (mapping(row) for row in data)
    else:
        for place in mapping(document["user_input"]):
            yield {name: mapping(column).get(place) for name, column in document.items()}


def answer(row: Row) -> Answer:
    """The answer of a row; every other column that holds a number is a score of ragas.

    Raises:
        BadRowError: A column is of the wrong kind, or there is no answer: a row of a data set.
    """
    asked = _asked(row)
    if not row.keys() & _MADE and not _ends_with_an_answer(asked):
        raise BadRowError("no response and nothing retrieved: a row of a data set")
    own = told(row)
    if own["retrieved"] is None or listed(row, "retrieved_contexts") is not None:
        own["retrieved"] = _retrieved(row)
    own["case_id"] = own["case_id"] or text(row, "id")
    if isinstance(asked, list):
        return Answer(
            turns_asked=_humans(asked), answer=text(row, "response") or _last(asked), scores=_scores(row), **own
        )
    return Answer(turns_asked=(text(row, "user_input"),), answer=text(row, "response"), scores=_scores(row), **own)


def _asked(row: Row) -> object:
    """The question, or the messages; in a cell of CSV these are written as Python does."""
    asked = row.get("user_input")
    if isinstance(asked, str) and asked.startswith("[{"):
        try:
            found = listed(row, "user_input") or ()
        except BadRowError:
            return asked
        return list(found) if found and all("type" in mapping(m) for m in found) else asked
    return asked


def _scores(row: Row) -> dict[str, float]:
    plain = {k: v for k, v in row.items() if k not in _TEXTS}
    for key, value in plain.items():
        if isinstance(value, str):  # a cell of CSV
            try:
                plain[key] = float(value)
            except ValueError:
                continue
    return scores(plain)


def _retrieved(row: Row) -> tuple[Retrieved, ...] | None:
    texts, ids = listed(row, "retrieved_contexts"), listed(row, "retrieved_context_ids")
    if texts is None:
        return retrieved([str(i) for i in ids]) if ids is not None else None
    if ids is not None and len(ids) != len(texts):
        raise BadRowError("retrieved_context_ids: another number than retrieved_contexts")
    pairs = zip(ids or [""] * len(texts), texts, strict=True)
    return retrieved([{"id": str(i), "text": t} for i, t in pairs])


def _humans(messages: list[Any]) -> tuple[str, ...]:
    return tuple(text(mapping(m), "content") for m in messages if mapping(m).get("type") == "human")


def _ends_with_an_answer(asked: object) -> bool:
    return isinstance(asked, list) and bool(asked) and mapping(asked[-1]).get("type") in ("ai", "tool")


def _last(messages: list[Any]) -> str:
    said = [mapping(m) for m in messages if mapping(m).get("type") == "ai"]
    return text(said[-1], "content") if said else ""
