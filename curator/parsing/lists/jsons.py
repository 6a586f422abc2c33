"""JSON and JSON lines, as strictly as they are written and as kindly as they can be read.

Comments, trailing commas, NaN and a byte order mark are passed over, and said. Numbers stay the text that was written,
so that an id of 19 digits is not rounded. A key that stands twice gives `Twice`, with both values.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

from curator.domain.list_values import Number, Twice
from curator.errors import InputError
from curator.parsing.logs.values import literal
from curator.progress import Progress

_SKIPPED = re.compile(r'"(?:[^"\\]|\\.)*"|//[^\n]*|/\*.*?\*/|,(?=\s*(?:(?://[^\n]*\s*|/\*.*?\*/\s*)*)[}\]])', re.S)
_NANS = ("NaN", "Infinity", "-Infinity")
COMMENTS = "comments and trailing commas were passed over: it is no strict JSON"
NAN = "NaN and Infinity are no numbers: read as empty"


class Line(NamedTuple):
    """A value of a file of lines: the number of its line, the value, or why there is none."""

    number: int
    value: Any
    problem: str = ""


class Reader:
    """Decodes texts; `said` is what had to be passed over."""

    def __init__(self) -> None:
        self.said: set[str] = set()
        self._decoder = json.JSONDecoder(
            object_pairs_hook=_pairs, parse_constant=self._constant, parse_float=Number, parse_int=Number, strict=False
        )

    def _constant(self, _name: str) -> None:
        self.said.add(NAN)

    def value(self, text: str) -> Any:
        """The value of a text.

        Raises:
            ValueError: It is none, kindly read; `args[0]` says why without a word of it.
        """
        try:
            return self._decoder.decode(text)
        except RecursionError:
            raise ValueError("nested too deep") from None
        except json.JSONDecodeError as error:
            first = error
        plain = _SKIPPED.sub(_blanked, text) if "//" in text or "/*" in text or "," in text else text
        if plain != text:
            try:
                value = self._decoder.decode(plain)
            except RecursionError:
                raise ValueError("nested too deep") from None
            except json.JSONDecodeError:
                pass
            else:
                self.said.add(COMMENTS)
                return value
        raise ValueError(f"not valid JSON: {_words(first)}")


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made: dict[str, Any] = dict(pairs)
    if len(made) != len(pairs):
        made = {}
        for key, value in pairs:
            made[key] = Twice.of(made[key], value) if key in made else value
    return made


def _blanked(match: re.Match[str]) -> str:
    """A string stays; a comment or comma becomes white space of the same length, line feeds kept."""
    found = match[0]
    return found if found[0] == '"' else re.sub(r"[^\n]", " ", found)


def _words(error: json.JSONDecodeError) -> str:
    if error.msg.startswith("Unterminated string"):
        return "it ends inside a string" if error.lineno == 1 else f"it ends inside a string, line {error.lineno}"
    where = f"column {error.colno}" if error.lineno == 1 else f"line {error.lineno} column {error.colno}"
    return f"{error.msg.lower()} at {where}"


def read(text: str, name: str, progress: Progress) -> tuple[Any, list[Line], list[str]]:
    """One document, or the lines of a file of JSON lines (then the document is None), and what was passed over.

    Raises:
        InputError: It is neither.
    """
    reader = Reader()
    try:
        return reader.value(text), [], sorted(reader.said)
    except ValueError as error:
        why = str(error.args[0])
    reader = Reader()
    lines = list(_lines(text, reader, progress))
    good = [line for line in lines if not line.problem]
    if good and isinstance(good[0].value, dict | list) and len(lines) > 1:
        return None, lines, sorted(reader.said)
    raise InputError(f"{name}: {why}", "correct it in an editor and import it again")


def _lines(text: str, reader: Reader, progress: Progress) -> Iterator[Line]:
    for number, line in enumerate(text.split("\n"), 1):
        if number % 500 == 0:
            progress.checkpoint()
        if not (line := line.strip().lstrip("\ufeff")):
            continue
        if line.startswith(("//", "#")):
            reader.said.add(COMMENTS)
            continue
        try:
            yield Line(number, reader.value(line.removesuffix(",") if line[-2:] in ("},", "],") else line))
        except ValueError as error:
            found = literal(line) if line[:1] == "{" else None
            if isinstance(found, dict):
                yield Line(number, _plain(found))
            else:
                yield Line(number, None, str(error.args[0]))


def _plain(value: Any, depth: int = 0) -> Any:
    """A Python literal as JSON gives it."""
    if isinstance(value, dict) and depth < 40:
        return {str(k): _plain(v, depth + 1) for k, v in value.items()}
    if isinstance(value, list | tuple | set) and depth < 40:
        return [_plain(v, depth + 1) for v in value]
    if value is None or isinstance(value, bool | str):
        return value
    return Number(value) if isinstance(value, int | float) else str(value)
