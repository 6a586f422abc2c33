"""JSON values of a file as a stream: one a line, one after another, printed over many lines, or in one array."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator
from typing import IO, Any, NamedTuple

from curator.errors import InputError
from curator.parsing.logs.opening import LONGEST_LINE

LARGEST_VALUE = 128 * 1024 * 1024
_CHUNK = 1 << 20
_SPACE = re.compile(r"[ \t\r\n\ufeff]*")
_CONTROL = re.compile(r"[\x00-\x1f]")
_SEPARATOR = re.compile(r"[ \t\r\n,]*")


class JsonValue(NamedTuple):
    """A value, its number from 1 and its line; or why it cannot be read, without its text.

    `raw`: a text of it holds a control character as such, which JSON wants escaped; it is read as it stands.
    """

    row: int
    line: int
    value: Any
    problem: str = ""
    raw: bool = False


class _Refused(ValueError):
    """The value holds what we do not take."""


def _pairs(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                shown = name if re.fullmatch(r"[A-Za-z_][\w.-]{0,40}", name) else "one"
                raise _Refused(f"the key {shown} stands twice")
            seen.add(name)
    return made


def _constant(name: str) -> Any:
    raise _Refused(f"{name} is no number of JSON")


def _float(text: str) -> float:
    value = float(text)
    if math.isinf(value):
        raise _Refused("a number is too large")
    return value


def _int(text: str) -> int | float:
    if len(text) > 400:
        raise _Refused("a number is too large")
    return int(text)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_pairs, parse_constant=_constant, parse_float=_float, parse_int=_int, strict=False
)


def decoded(text: str, place: int = 0) -> tuple[Any, int]:
    """The value at a place of a text, and where it ends.

    Raises:
        ValueError: There is none; the message holds no text of it. `JSONDecodeError` when it may only be cut off.
    """
    try:
        return _DECODER.raw_decode(text, place)
    except RecursionError:
        raise _Refused("nested too deep") from None


def _is_raw(text: str) -> bool:
    """Whether a value that was read would not be by the letter of the standard."""
    if not _CONTROL.search(text):
        return False
    try:
        json.loads(text)
    except json.JSONDecodeError:
        return True
    return False


def values(stream: IO[str], name: str) -> Iterator[JsonValue]:
    r"""The values of a file, in order.

    Args:
        stream: Text that splits at line feeds alone (newline="\\n").
        name: Of the file, for messages.

    Raises:
        InputError: One value is larger than 128 MB, or an array is broken off.
    """
    first = stream.readline(LONGEST_LINE + 1)
    while first and not first.strip("\ufeff \t\r\n"):
        first = stream.readline(LONGEST_LINE + 1)
    head = first.lstrip("\ufeff \t\r\n")
    second = "" if len(first) > LONGEST_LINE else stream.readline(LONGEST_LINE + 1)
    if (head.startswith("[") and not _is_whole(head)) or (head.startswith("[") and not second.strip()):
        yield from _Array(stream, name, first + second).values()
    elif (
        _is_whole(head)
        or second.lstrip().startswith("{")
        or not head.startswith(("{", "["))
        or len(first) > LONGEST_LINE
    ):
        yield from _lines(stream, [first, second] if second else [first])
    else:
        yield from _Blocks(stream, name, first + second).values()


def _is_whole(text: str) -> bool:
    try:
        decoded(text)
    except json.JSONDecodeError:
        return False
    except ValueError:
        return True
    return True


def _lines(stream: IO[str], first: list[str]) -> Iterator[JsonValue]:
    row = line = 0
    waiting = list(reversed(first))
    while True:
        text = waiting.pop() if waiting else stream.readline(LONGEST_LINE + 1)
        if not text and not waiting:
            return
        line += 1
        if len(text) > LONGEST_LINE:
            row += 1
            yield JsonValue(row, line, None, f"the line is longer than {LONGEST_LINE // 1024**2} MB")
            while (rest := stream.readline(LONGEST_LINE)) and not rest.endswith("\n"):
                pass
            continue
        for value in _of_line(text, row, line):
            row = value.row
            yield value


def _of_line(text: str, row: int, line: int) -> Iterator[JsonValue]:
    place = _SPACE.match(text).end()  # type: ignore[union-attr]
    while place < len(text):
        row += 1
        start = place
        try:
            value, place = decoded(text, place)
        except json.JSONDecodeError as error:
            yield JsonValue(row, line, None, f"no JSON at column {error.pos + 1}")
            return
        except ValueError as error:
            yield JsonValue(row, line, None, str(error) if isinstance(error, _Refused) else "no JSON")
            return
        yield JsonValue(row, line, value, raw=_is_raw(text[start:place]))
        place = _SEPARATOR.match(text, place).end()  # type: ignore[union-attr]


class _Blocks:
    """Values one after another, each over as many lines as it likes."""

    def __init__(self, stream: IO[str], name: str, start: str) -> None:
        self._stream = stream
        self._name = name
        self._text = start
        self._ended = False
        self._row = 0

    def values(self) -> Iterator[JsonValue]:
        while True:
            self._text = self._text[_SEPARATOR.match(self._text.lstrip("\ufeff")).end() :]  # type: ignore[union-attr]
            if not self._text and not self._more():
                return
            if self._text.strip():
                value = self._one()
                yield value
                if value.problem:
                    return

    def _one(self) -> JsonValue:
        self._row += 1
        while True:
            try:
                value, end = decoded(self._text)
            except json.JSONDecodeError as error:
                if self._more():
                    continue
                return JsonValue(self._row, 0, None, f"no JSON, or cut off, at line {error.lineno} of it")
            except ValueError as error:
                return JsonValue(self._row, 0, None, str(error) if isinstance(error, _Refused) else "no JSON")
            raw = _is_raw(self._text[:end])
            self._text = self._text[end:]
            return JsonValue(self._row, 0, value, raw=raw)

    def _more(self) -> bool:
        """Read as much again as there is: the work stays linear."""
        if self._ended:
            return False
        part = self._stream.read(max(_CHUNK, len(self._text)))
        if len(self._text) + len(part) > LARGEST_VALUE:
            raise InputError(
                f"{self._name}: one JSON value of more than {LARGEST_VALUE // 1024**2} MB", "export it as JSON lines"
            )
        self._text += part
        self._ended = not part
        return bool(part)


class _Array(_Blocks):
    """The elements of one array."""

    def values(self) -> Iterator[JsonValue]:
        self._text = self._text[self._text.index("[") + 1 :]
        place = 0
        while True:
            place = _SEPARATOR.match(self._text, place).end()  # type: ignore[union-attr]
            if place >= len(self._text):
                self._text, place = "", 0
                if not self._more():
                    yield JsonValue(self._row + 1, 0, None, "the array is cut off")
                    return
                continue
            if self._text[place] == "]":
                return
            try:
                value, end = decoded(self._text, place)
                if end >= len(self._text) - 1 and not self._ended:
                    grown, end, place = self._grow(place), end - place, 0
                    if grown:
                        continue
            except json.JSONDecodeError:
                if self._grow(place):
                    place = 0
                    continue
                yield JsonValue(self._row + 1, 0, None, "no JSON, or cut off")
                return
            except ValueError as error:
                yield JsonValue(self._row + 1, 0, None, str(error) if isinstance(error, _Refused) else "no JSON")
                return
            self._row += 1
            yield JsonValue(self._row, 0, value, raw=_is_raw(self._text[place:end]))
            place = end

    def _grow(self, place: int) -> bool:
        self._text = self._text[place:]
        return self._more()
