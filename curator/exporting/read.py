"""Canonical JSONL in: strict, row by row, and never a traceback. A bad row costs itself, not its file."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator
from typing import Any

from pydantic import ValidationError

from curator.domain.canonical import composed, dumps, is_composed
from curator.domain.case import Case
from curator.errors import InputError
from curator.exporting.caseline import CASE_KEYS, NESTED
from curator.exporting.line import model_problems
from curator.text import clean, counted, is_clean, one_line, visible

LINE_LIMIT = 10_000_000
DEPTH_LIMIT = 64
NUMBER_LIMIT = 2**53
DERIVED = (
    "expectedSourceIds",
    "lengthStratum",
    "sectionPosition",
    "partition",
    "caseVersion",
    "confirmedAt",
    "approvals",
    "canary",
    "contentHash",
)
"""Keys of the line that follow from other things; a case does not hold them."""

_RISK_PROBLEM = "risk: Input should be 'low', 'medium', 'high' or 'critical'"
"""Only a draft may leave its risk open; a line says it."""
_FIELDS = frozenset(CASE_KEYS)
_NESTED_FIELDS = {name: frozenset(keys) for name, keys in NESTED.items()}


class _BadRowError(ValueError):
    """Why a row is no row, in words."""


def read_lines(
    data: bytes, name: str, *, note: Callable[[str], None] | None = None
) -> Iterator[tuple[int, dict[str, Any] | InputError]]:
    """Rows of a canonical JSONL file, each with the number of its line from 1; a bad one is an error in its place.

    Lines end at LF alone. Blank lines are skipped, a byte order mark is taken off: both are noted. A file without any
    row gives one error under number 0. Text is as it stands in the file: `cleaned` makes it storable.

    Args:
        data: The file.
        name: Its name, for the errors.
        note: Takes one line for each thing that was passed over.
    """
    shown, tell = visible(name), note or (lambda _: None)
    start = 0
    if data.startswith(b"\xef\xbb\xbf"):
        start = 3
        tell(f"{shown}: a byte order mark at the beginning was passed over")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        yield 0, InputError(f"{shown}: UTF-16, not UTF-8", "save it as UTF-8")
        return
    rows = blank = number = 0
    for number, line in enumerate(_split(data, start), 1):
        if not line.strip():
            blank += 1
            continue
        rows += 1
        try:
            yield number, _row(line)
        except _BadRowError as error:
            yield number, InputError(f"{shown} line {number}: {error}", "correct the line and import the file again")
    if not rows:
        yield 0, InputError(f"{shown}: no rows", "one JSON object a line")
    if blank:
        tell(f"{shown}: {counted(blank, 'blank line')} skipped")


def read_object(data: bytes, name: str) -> dict[str, Any]:
    """One JSON object out of a file, as strictly as a row: no duplicate keys, no NaN, no depth without end.

    Raises:
        InputError: It is none; the message says why, in one line.
    """
    try:
        return _row(data)
    except _BadRowError as error:
        raise InputError(f"{visible(name)}: {error}", "take the file from its release again") from None


def _split(data: bytes, start: int) -> Iterator[bytes]:
    """The lines of data without a copy of all of it; what follows the last line feed counts when there is any."""
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        # one byte over the limit is enough to know that it is too long
        yield data[start : min(end, start + LINE_LIMIT + 1)]
        start = end + 1


def _row(line: bytes) -> dict[str, Any]:
    if len(line) > LINE_LIMIT:
        raise _BadRowError(f"longer than {LINE_LIMIT // 1_000_000} MB")
    try:
        text = line.decode("utf-8", "strict")
    except UnicodeDecodeError as error:
        raise _BadRowError(f"not UTF-8 at byte {error.start + 1}") from None
    try:
        value = _DECODER.decode(text)
    except json.JSONDecodeError as error:
        where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
        raise _BadRowError(f"not JSON at {where}: {one_line(error.msg)}") from None
    except RecursionError:
        raise _BadRowError("nested too deep") from None
    if not isinstance(value, dict):
        raise _BadRowError("not an object")
    if line.count(b"[") + line.count(b"{") > DEPTH_LIMIT and _deeper_than(value, DEPTH_LIMIT):
        raise _BadRowError("nested too deep")
    return value


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [k for k, _ in pairs]
        twice = next(k for k in names if names.count(k) > 1)
        raise _BadRowError(f"the key {one_line(twice, 40)} stands twice")
    return found


def _constant(word: str) -> float:
    raise _BadRowError(f"{word} is no number")


def _real(digits: str) -> float:
    value = float(digits)
    if not math.isfinite(value):
        raise _BadRowError(f"{one_line(digits, 20)} is too large")
    return value


def _whole(digits: str) -> int:
    if len(digits) > 17 or abs(int(digits)) > NUMBER_LIMIT:
        raise _BadRowError(f"{one_line(digits, 20)} is too large")
    return int(digits)


_DECODER = json.JSONDecoder(object_pairs_hook=_once, parse_constant=_constant, parse_float=_real, parse_int=_whole)


def _deeper_than(value: Any, limit: int) -> bool:
    level = [value]
    for _ in range(limit):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, dict | list)
        ]
        if not level:
            return False
    return True


def cleaned(value: Any) -> tuple[Any, int]:
    """A value of JSON with every text storable (`text.clean`), and how many characters had to be replaced."""
    if isinstance(value, str):
        return clean(value)
    if isinstance(value, list):
        items = [cleaned(v) for v in value]
        return [v for v, _ in items], sum(n for _, n in items)
    if isinstance(value, dict):
        pairs = [(clean(k), cleaned(v)) for k, v in value.items()]
        return {k[0]: v[0] for k, v in pairs}, sum(k[1] + v[1] for k, v in pairs)
    return value, 0


def storable(value: Any) -> Any:
    """A value of JSON, clean and NFC, but for quotes and cells, which keep the form of their document."""
    return value if _is_storable(value) else composed(cleaned(value)[0])


def _is_storable(value: Any) -> bool:
    """Whether it surely is so already: one look at its text instead of one at each of its parts."""
    try:
        text = dumps(value)
    except (ValueError, TypeError, RecursionError):
        return False
    return is_composed(text) and is_clean(text) and "\\u0000" not in text


def case_from_line(line: dict[str, Any]) -> Case:
    """The case that a line says; keys that are derived are dropped, keys that are missing are unknown.

    Text is made storable and NFC (quotes and cells keep the form of their document). The case may be incomplete:
    `rules.problems` says what is missing.

    Raises:
        InputError: A key is unknown, or a value is of the wrong kind; the message names it.
    """
    values = storable(line)
    if unknown := _unknown_keys(values):
        raise InputError(f"unknown key {unknown[0]}", "the keys of the line are in case.schema.json")
    try:
        case = Case.model_validate({k: v for k, v in values.items() if k not in DERIVED})
    except ValidationError as error:
        found = [_RISK_PROBLEM if p.startswith("risk: ") else p for p in model_problems(error)]
        more = f" (and {len(found) - 1} more)" if len(found) > 1 else ""
        raise InputError(f"{found[0]}{more}", "correct the line and import it again") from None
    if "risk" in values and not case.risk:
        raise InputError(_RISK_PROBLEM, "correct the line and import it again")
    return case


def _unknown_keys(line: dict[str, Any]) -> list[str]:
    found = [one_line(k, 60) for k in line if k not in _FIELDS]
    for name, known in _NESTED_FIELDS.items():
        entries = line.get(name)
        for number, entry in enumerate(entries if isinstance(entries, list) else ()):
            if isinstance(entry, dict) and not entry.keys() <= known:
                found += [f"{name}/{number}/{one_line(k, 60)}" for k in entry if k not in known]
    return found
