"""Values out of a row that anybody may have written: of the right kind, or an error that names the key."""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from operator import attrgetter
from typing import Any, get_args

from curator.domain.answers import Retrieved
from curator.domain.case import FailureStage
from curator.domain.scoring import reported
from curator.text import clean, one_line

Row = Mapping[str, Any]
MOST_RETRIEVED = 10_000
"""Of one answer: what a line holds beyond it is no retrieval."""
MOST_NUMBER = 1e15
"""What is beyond it is no measurement, and no sum of such numbers overflows."""
_CELL_LIMIT = 2_000_000


class BadRowError(ValueError):
    """Why a row is no answer, in words."""


def text(row: Row, *names: str) -> str:
    """The first of these keys that holds a text, clean; "" when none does or it is null.

    Raises:
        BadRowError: It holds something else.
    """
    for name in names:
        value = row.get(name)
        if isinstance(value, str):
            return clean(value)[0]
        if value is not None:
            raise BadRowError(f"{one_line(name, 40)}: no text")
    return ""


def number(row: Row, *names: str) -> float:
    """The first of these keys that holds a number of at least 0; 0 when none does or it is null.

    Raises:
        BadRowError: It holds something else.
    """
    for name in names:
        value = row.get(name)
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= MOST_NUMBER:
            raise BadRowError(f"{one_line(name, 40)}: no number from 0 to {MOST_NUMBER:.0e}")
        return float(value)
    return 0.0


def mapping(value: object) -> Row:
    """It when it is an object, else an empty one."""
    return value if isinstance(value, Mapping) else {}


def listed(row: Row, *names: str) -> Sequence[Any] | None:
    """The first of these keys that holds a list (a CSV cell may write it as Python or JSON does); None when none does.

    Raises:
        BadRowError: It holds something else.
    """
    for name in names:
        value = row.get(name)
        if isinstance(value, str) and value.strip():
            value = _literal(value, name)
        if value is None or value == "":
            continue
        if not isinstance(value, list | tuple):
            raise BadRowError(f"{one_line(name, 40)}: no list")
        return value
    return None


def _literal(cell: str, name: str) -> object:
    if len(cell) > _CELL_LIMIT:
        raise BadRowError(f"{one_line(name, 40)}: too long")
    try:
        return ast.literal_eval(cell)
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        raise BadRowError(f"{one_line(name, 40)}: no list") from None


def score(value: object) -> float | None:
    """A measured value as a number: a yes is 1, inspect's "C" is 1 and "I" 0; None when it is none, or NaN."""
    if isinstance(value, bool):
        return float(value)
    if isinstance(value, int | float):
        return float(value) if -MOST_NUMBER <= value <= MOST_NUMBER else None
    letters = {"C": 1.0, "I": 0.0, "P": 0.5, "N": 0.0}
    return letters.get(value) if isinstance(value, str) else None


def scores(row: Row) -> dict[str, float]:
    """Every key that holds a number or a yes or no."""
    return {one_line(k, 60): found for k, v in row.items() if (found := score(v)) is not None}


def retrieved(value: Sequence[Any] | None) -> tuple[Retrieved, ...] | None:
    """What was retrieved, as our runs tell it (id, text, rank), or as a list of ids, or of (id, text).

    Raises:
        BadRowError: An entry is none.
    """
    if value is None:
        return None
    if len(value) > MOST_RETRIEVED:
        raise BadRowError(f"retrieved: more than {MOST_RETRIEVED} entries")
    found = [_retrieved(place, entry) for place, entry in enumerate(value, 1)]
    found.sort(key=attrgetter("rank"))  # of 50 passages that all say rank 1, ten are among the first ten
    return tuple(r if r.rank >= place else r._replace(rank=place) for place, r in enumerate(found, 1))


def _retrieved(place: int, entry: object) -> Retrieved:
    """One entry. Its text is only compared, never shown or stored, and stays as it is."""
    if isinstance(entry, str):
        return Retrieved(entry, "", place)
    if not isinstance(entry, dict):
        raise BadRowError(f"retrieved, entry {place}: no object")
    rank = entry.get("rank", place)
    if type(rank) is not int or rank < 1:
        raise BadRowError(f"retrieved, entry {place}: a rank is a whole number from 1")
    name, body = entry.get("id"), entry.get("text")
    if type(name) is not str:
        name = text(entry, "id", "sourceId", "source_id", "chunk_id", "name")
    if type(body) is not str:
        body = text(entry, "text", "content", "page_content")
    return Retrieved(name, body, rank)


def citations(value: Sequence[Any] | None) -> tuple[str, ...] | None:
    """Ids that are cited, from objects with `sourceId` or from plain ids.

    Raises:
        BadRowError: An entry is none.
    """
    if value is None:
        return None
    found = []
    for place, entry in enumerate(value, 1):
        name = entry if isinstance(entry, str) else text(mapping(entry), "sourceId", "source_id", "id")
        if not name:
            raise BadRowError(f"citations, entry {place}: no sourceId")
        found.append(clean(name)[0])
    return tuple(found)


def stage(value: str) -> tuple[FailureStage, str]:
    """Stage and message of "stage: message"; ("none", "") for "".

    Raises:
        BadRowError: It is no stage.
    """
    name, _, message = value.partition(":")
    known: tuple[FailureStage, ...] = get_args(FailureStage)
    for one in known[1:]:
        if name == one:
            return one, one_line(message, 200)
    if value:
        raise BadRowError(f"stageError: no stage {one_line(name, 40)!a}")
    return "none", ""


def told(*places: Row, beside: Sequence[Row] = ()) -> dict[str, Any]:
    """What free metadata says under the names of our own run: retrieved, citations, behavior, route, caseId.

    Evaluators have no place for them; a harness puts them where it may. The first place that has one wins.

    Args:
        places: What the system said.
        beside: What stands beside the question, the expectation among it: its `route` is the one that is expected.

    Raises:
        BadRowError: One is of another kind.
    """
    merged: dict[str, Any] = {}
    for place in (*places, *beside):
        for key in _TOLD if any(place is p for p in places) else _TOLD - {"route"}:
            if place.get(key) is not None:
                merged.setdefault(key, place[key])
    return {
        "case_id": text(merged, "caseId", "case_id"),
        "retrieved": retrieved(listed(merged, "retrieved", "retrieved_context_ids", "retrievedIds")),
        "citations": citations(listed(merged, "citations")),
        "behavior": reported(merged.get("behavior")),
        "route": text(merged, "route"),
    }


_TOLD = frozenset(
    ("caseId", "case_id", "retrieved", "retrieved_context_ids", "retrievedIds", "citations", "behavior", "route")
)
