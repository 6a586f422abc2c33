"""Which cases a run got right, out of a file: what the size panel and an allocation take instead of an assumption."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from curator.domain.identity import CASE_ID
from curator.errors import InputError

_IDS = ("caseId", "case_id", "case", "id")
_RIGHTS = ("passed", "pass", "right", "correct", "success")
_WORDS = {"true": True, "yes": True, "1": True, "pass": True, "passed": True} | {
    "false": False, "no": False, "0": False, "fail": False, "failed": False
}  # fmt: skip
_HINT = "a CSV or JSONL with caseId and passed (true or false)"


def read_results(path: Path) -> dict[str, bool]:
    """Case id -> whether it was right.

    Raises:
        InputError: The file cannot be read, a line has no case id or no result, or a case is there twice.
    """
    try:
        text = path.read_text("utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"{path.name}: {getattr(error, 'strerror', None) or 'not UTF-8'}", _HINT) from None
    found: dict[str, bool] = {}
    for number, row in rows(text, path.name):
        name = next((str(row[k]) for k in _IDS if row.get(k)), "")
        value = next((row[k] for k in _RIGHTS if row.get(k) not in (None, "")), None)
        right = value if isinstance(value, bool) else _WORDS.get(str(value).strip().casefold())
        if not CASE_ID.fullmatch(name) or right is None:
            raise InputError(f"{path.name}, line {number}: no case id or no result", _HINT)
        if name in found:
            raise InputError(f"{path.name}, line {number}: {name} is there twice", "one result a case")
        found[name] = right
    if not found:
        raise InputError(f"{path.name}: no result in it", _HINT)
    return found


def rows(text: str, name: str) -> Iterator[tuple[int, Mapping[str, Any]]]:
    """The rows of a CSV or JSONL, each with the number of its line.

    Raises:
        InputError: A line is none.
    """
    if not text.lstrip().startswith("{"):
        try:
            header = text.lstrip().partition("\n")[0]  # spreadsheets write semicolons where a comma is for decimals
            divider = max(",;\t", key=header.count)
            yield from enumerate(csv.DictReader(io.StringIO(text, newline=""), delimiter=divider), 2)
        except csv.Error as error:
            raise InputError(f"{name}: {error}", _HINT) from None
        return
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        try:
            row = json.loads(line)
        except (ValueError, RecursionError):
            raise InputError(f"{name}, line {number}: no JSON", _HINT) from None
        if not isinstance(row, dict):
            raise InputError(f"{name}, line {number}: no object", _HINT)
        yield number, row
