"""JSON records with a path map: one object a record, however it is nested."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from curator.errors import UsageError
from curator.parsing.logs import columns as known
from curator.parsing.logs.jsonvalues import JsonValue
from curator.parsing.logs.messages import answered, asked, turns_of, unpacked
from curator.parsing.logs.record import FIELDS, LogContext, LogRecord, Profile, Rejection, Skipped
from curator.parsing.logs.values import BadCell, contexts_of_cell, contexts_of_list, flags_of, told_feedback, told_time

_STEP = re.compile(r"([^.\[\]]+)|\[(-?\d+)\]")
_DEEPEST = 4
_MESSAGES = ("messages", "turns", "conversation", "history", "chat_history")


def at_path(value: Any, path: str) -> Any:
    """The value at a path such as `inputs.messages[-1].content`; None when there is none. Keys may hold points."""
    if path == "" or value is None:
        return value
    if isinstance(value, dict):
        if path in value:
            return value[path]
        ends = [m.start() for m in re.finditer(r"[.\[]", path)]
        for end in reversed(ends):
            if path[:end] in value:
                return at_path(value[path[:end]], path[end:].removeprefix("."))
        return None
    step = _STEP.match(path)
    if isinstance(value, list) and step and step[2] is not None and -len(value) <= int(step[2]) < len(value):
        return at_path(value[int(step[2])], path[step.end() :].removeprefix("."))
    return None


def unwrapped(values: Iterator[JsonValue]) -> Iterator[JsonValue]:
    """The records of a file that has one object around its lists of records; else the values as they are."""
    first = next(values, None)
    second = next(values, None)
    if first is None:
        return
    inner = _lists(first.value) if second is None and isinstance(first.value, dict) else []
    if inner:
        yield from (JsonValue(row, 0, item) for row, item in enumerate(inner, 1))
        return
    yield first
    if second is not None:
        yield second
    yield from values


def _lists(value: dict[str, Any]) -> list[Any]:
    if known.by_header(list(value)).get("question") or any(k in value for k in _MESSAGES):
        return []
    found: list[Any] = []
    for item in value.values():
        if isinstance(item, list) and item and all(isinstance(i, dict) for i in item):
            found += item
    return found


def guessed(sample: Sequence[Any]) -> dict[str, str]:
    """Field -> path, from the first records."""
    best: dict[str, tuple[int, int, str]] = {}
    for value in sample:
        for path, names, item in _leaves(value, "", (), 0):
            for name in names:
                if (hit := known.field_of(name)) is None:
                    continue
                field, rank = hit
                if field in ("context_text", "context_id", "group") or not _fits(field, item):
                    continue
                key = (rank, path.count("."), path)
                if field not in best or key < best[field]:
                    best[field] = key
    return {field: path for field, (_, _, path) in best.items()}


def _fits(field: str, value: Any) -> bool:
    if field in ("contexts", "context_ids"):
        return isinstance(value, str | list)
    if field in ("question", "answer"):
        return not isinstance(value, bool | int | float) or field == "question"
    return not isinstance(value, dict | list)


def _leaves(value: Any, path: str, above: tuple[str, ...], depth: int) -> Iterator[tuple[str, tuple[str, ...], Any]]:
    if not isinstance(value, dict) or depth > _DEEPEST:
        return
    for key, item in value.items():
        here = f"{path}.{key}" if path else key
        yield here, (key, f"{above[-1]}{key}" if above else key), item
        yield from _leaves(item, here, (*above, key), depth + 1)


class FlatReader:
    """Objects as records, by a path map.

    Attributes:
        profile: As it was settled.
        odd_times: Times that were not understood so far.
    """

    def __init__(self, name: str, sample: Sequence[Any], profile: Profile) -> None:
        objects = [v for v in sample if isinstance(v, dict)]
        found = guessed(objects) if objects else {}
        columns = {k: v for k, v in {**found, **profile.columns}.items() if v}
        if wrong := [f for f in profile.columns if f not in FIELDS]:
            raise UsageError(f"there is no field {wrong[0]!a}", f"use one of {', '.join(FIELDS)}")
        messages = next((k for v in objects for k in _MESSAGES if turns_of(v.get(k))), "")
        if messages and "question" not in profile.columns:
            columns["question"] = messages
        if "question" not in columns and objects and any(objects):
            raise UsageError(
                f"{name}: no key holds the question", "map one: --map question=PATH, such as inputs.question"
            )
        self.profile = profile.model_copy(update={"format": "json", "columns": columns})
        self._columns = {"question": "question", **columns}
        self._most = max(
            (v for o in objects if isinstance(v := at_path(o, columns.get("feedback", "\0")), int | float)), default=0.0
        )
        self.odd_times = 0

    def records(self, values: Iterator[JsonValue]) -> Iterator[LogRecord | Rejection | Skipped]:
        """The records of values, in order."""
        for value in values:
            if value.problem:
                yield Rejection(value.row, "", f"line {value.line}: {value.problem}" if value.line else value.problem)
            else:
                yield self.record(value.row, value.value)

    def record(self, row: int, value: Any) -> LogRecord | Rejection:
        """One record."""
        if not isinstance(value, dict):
            return Rejection(row, "", f"it is {_kind(value)}, not an object")
        path = self._columns["question"]
        raw = at_path(value, path)
        if raw is None:
            return Rejection(row, path, "there is no question")
        if not isinstance(raw, str) and not turns_of(raw):
            return Rejection(row, path, f"the question is {_kind(raw)}, not text")
        question, before = asked(raw) if not isinstance(raw, str) else (raw.strip(), [])
        if not question:
            return Rejection(row, path, "the question is empty")
        record = LogRecord(row, question, before=before)
        turns = turns_of(raw)
        if turns and turns[-1].role == "assistant":
            record.answer = turns[-1].text
        if (answer := at_path(value, self._columns.get("answer", "\0"))) is not None:
            record.answer = answer.strip() if isinstance(answer, str) else answered(answer)
        for field in ("id", "session", "route", "reference", "error", "language", "score"):
            setattr(record, field, self._text(value, field))
        record.time, understood = told_time(self._raw(value, "time"))
        self.odd_times += not understood
        record.feedback = told_feedback(self._raw(value, "feedback"), most=self._most)
        try:
            record.contexts = self._contexts(value)
        except BadCell as error:
            return Rejection(row, self._columns["contexts"], str(error))
        record.flags = flags_of(record.question, record.answer)
        if any(self._columns.get(f, "").lower().endswith("preview") for f in ("question", "answer")):
            record.flags.append("preview")
        return record

    def _raw(self, value: Any, field: str) -> Any:
        return at_path(value, self._columns[field]) if field in self._columns else None

    def _text(self, value: Any, field: str) -> str:
        found = self._raw(value, field)
        if isinstance(found, str):
            return found.strip()
        return str(found) if isinstance(found, int | float) and not isinstance(found, bool) else ""

    def _contexts(self, value: Any) -> list[LogContext]:
        found = self._raw(value, "contexts")
        if isinstance(found, str):
            is_name = self._columns["contexts"].rsplit(".", 1)[-1] in ("source", "document", "doc")
            contexts = [LogContext("", found)] if is_name and found else contexts_of_cell(found)
        else:
            contexts = contexts_of_list(unpacked(found)) if found is not None else []
        ids = self._raw(value, "context_ids")
        if isinstance(ids, list):
            contexts += [LogContext("", i) for i in ids if isinstance(i, str)]
        return contexts


def _kind(value: Any) -> str:
    for kind, word in (
        (bool, "a truth value"),
        (str, "text"),
        (int, "a number"),
        (float, "a number"),
        (list, "a list"),
        (dict, "an object"),
    ):
        if isinstance(value, kind):
            return word
    return "null"
