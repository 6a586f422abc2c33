"""Rows of a table in a text file, as a stream; an unclosed quote costs its own row and no other."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator
from typing import IO, NamedTuple

from curator.parsing.logs.opening import LONGEST_LINE

_MOST_LINES = 200
_DELIMITERS = ",;\t|"
_SEPARATOR_LINE = re.compile(r"sep=(.)\r?\n?", re.I)
_BACKSLASHED = re.compile(r"(?<!\\)\\\"(?![\",;\t|\r\n]|$)")
_DOUBLED = re.compile(r"[^,;\t|\r\n\"]\"\"|\"\"[^,;\t|\r\n\"]")

csv.field_size_limit(LONGEST_LINE)


class Dialect(NamedTuple):
    r"""How a table is written. `escaped`: a quote in a quoted cell is written \\" instead of ""."""

    delimiter: str
    escaped: bool = False
    skip: int = 0


class CsvRow(NamedTuple):
    """A row: its line in the file, from 1, its cells, and why it cannot be read ("" = it can)."""

    line: int
    cells: list[str]
    problem: str = ""


def dialect_of(sample: str, given: str = "") -> Dialect:
    """How a table is written, from its first lines.

    Args:
        sample: The start of its text, cut at a line end.
        given: The delimiter, when a person named it.
    """
    head = _SEPARATOR_LINE.match(sample)
    body = sample[head.end() :] if head else sample
    escaped = bool(_BACKSLASHED.search(body)) and not _DOUBLED.search(body)
    chosen = given or (head[1] if head else "") or _sniffed(body, escaped=escaped)
    return Dialect(chosen, escaped, 1 if head else 0)


def _sniffed(sample: str, *, escaped: bool) -> str:
    best, best_score = ",", (0.0, 0)
    for delimiter in _DELIMITERS:
        rows = [r for r in _parsed(sample, Dialect(delimiter, escaped))[:60] if any(c.strip() for c in r)]
        widths = [len(r) for r in rows]
        if not widths:
            continue
        common = max(set(widths), key=widths.count)
        score = (widths.count(common) / len(widths), common)
        if common > 1 and score > best_score:
            best, best_score = delimiter, score
    return best


def _parsed(sample: str, dialect: Dialect) -> list[list[str]]:
    try:
        return list(_reader(sample.splitlines(keepends=True), dialect))
    except csv.Error:
        return []


def _reader(lines: list[str], dialect: Dialect) -> Iterator[list[str]]:
    if dialect.escaped:
        return csv.reader(lines, delimiter=dialect.delimiter, doublequote=False, escapechar="\\")
    return csv.reader(lines, delimiter=dialect.delimiter)


def rows(stream: IO[str], dialect: Dialect) -> Iterator[CsvRow]:
    """The rows of a table, in order.

    A quoted cell may span lines, at most 200; when its quote is not closed by then, the row where it opens is given
    with a problem, and reading goes on in the next line.

    Args:
        stream: Text that splits at every kind of line end (newline="").
        dialect: From `dialect_of`.
    """
    source = _Lines(stream)
    for _ in range(dialect.skip):
        source.next()
    while (first := source.next()) is not None:
        number, line = first
        if len(line) > LONGEST_LINE:
            yield CsvRow(number, [], f"the line is longer than {LONGEST_LINE // 1024**2} MB")
            continue
        lines = [line]
        if '"' in line and _is_open(line, dialect, is_open=False):
            tail = _closing(source, lines, dialect)
            if not tail:
                yield CsvRow(number, [], "a quote is opened and not closed")
                continue
        try:
            cells = next(_reader(lines, dialect), [])
        except csv.Error:
            yield CsvRow(number, [], "it cannot be read as a row")
            continue
        yield CsvRow(number, cells)


def _closing(source: _Lines, lines: list[str], dialect: Dialect) -> bool:
    """Add the lines up to the one that closes the quote; False, with none taken, when there is none near."""
    taken: list[tuple[int, str]] = []
    size = len(lines[0])
    while len(taken) < _MOST_LINES and (more := source.next()) is not None:
        taken.append(more)
        size += len(more[1])
        if size > LONGEST_LINE:
            break
        if '"' in more[1] and not _is_open(more[1], dialect, is_open=True):
            lines += [text for _, text in taken]
            return True
    source.back(taken)
    return False


def _is_open(line: str, dialect: Dialect, *, is_open: bool) -> bool:
    """Whether a quoted cell is open at the end of a line, as the csv module counts."""
    place, length = 0, len(line)
    start = not is_open
    while place < length:
        if is_open:
            end = line.find('"', place)
            if end < 0:
                return True
            if dialect.escaped and end > 0 and line[end - 1] == "\\":
                place = end + 1
            elif not dialect.escaped and line[end + 1 : end + 2] == '"':
                place = end + 2
            else:
                is_open, start, place = False, False, end + 1
        elif start and line[place] == '"':
            is_open, place = True, place + 1
        else:
            end = line.find(dialect.delimiter, place)
            if end < 0:
                return False
            start, place = True, end + 1
    return is_open


class _Lines:
    """Lines with their numbers, some of which were given back."""

    def __init__(self, stream: IO[str]) -> None:
        self._stream = stream
        self._number = 0
        self._waiting: list[tuple[int, str]] = []

    def next(self) -> tuple[int, str] | None:
        if self._waiting:
            return self._waiting.pop()
        line = self._stream.readline(LONGEST_LINE + 1)
        if not line:
            return None
        self._number += 1
        if len(line) > LONGEST_LINE:
            while (rest := self._stream.readline(LONGEST_LINE)) and not rest.endswith(("\n", "\r")):
                pass
        return self._number, line

    def back(self, lines: list[tuple[int, str]]) -> None:
        self._waiting += reversed(lines)
