"""Tables: rows with a column map, from CSV, spreadsheets or Parquet alike."""

from __future__ import annotations

import io
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from curator.errors import InputError, UsageError
from curator.parsing.logs import columns as known
from curator.parsing.logs.csvrows import CsvRow, Dialect, dialect_of, rows
from curator.parsing.logs.encodings import Encoding
from curator.parsing.logs.opening import LogFile
from curator.parsing.logs.record import LogContext, LogRecord, Profile, Rejection, Skipped
from curator.parsing.logs.values import (
    UNREADABLE,
    BadCell,
    contexts_of_cell,
    contexts_of_list,
    flags_of,
    told_feedback,
    told_time,
)
from curator.text import counted

SAMPLE_ROWS = 50
_SAMPLE_CHARACTERS = 400_000
_NOTHING = ("", "-", "[]")
_IDS = re.compile(r"[|;,\s]+")

Item = LogRecord | Rejection | Skipped


class TableReader:
    """Rows of a table as records.

    Attributes:
        profile: As it was settled: delimiter, header and every column that is used.
        warnings: What a person should know, one line each; filled while reading.
    """

    def __init__(self, name: str, header: Sequence[str], columns: dict[str, str], width: int, profile: Profile) -> None:
        self._name = name
        self.header = list(header)
        self._width = max(width, len(header))
        self.profile = profile.model_copy(update={"columns": columns})
        self._places = known.resolved(columns, header, self._width)
        if "question" not in self._places:
            raise UsageError(
                f"{name}: no column holds the question", f"map one: --map question={'NAME' if header else 'NUMBER'}"
            )
        self._most = 0.0
        self.odd_times = 0
        self.blank = 0

    def learn(self, sample: Iterable[Sequence[Any]]) -> None:
        """Look at the first rows: the scale of the feedback."""
        if (place := self._places.get("feedback")) is None:
            return
        for cells in sample:
            try:
                self._most = max(self._most, float(str(cells[place]).replace(",", ".")))
            except (ValueError, IndexError):
                continue

    def records(self, table: Iterable[tuple[int, Sequence[Any], str]]) -> Iterator[Item]:
        """The records of rows (line in the file, cells, why it cannot be read), numbered from 1, blank ones not."""
        long_format = "group" in self._places and "context_text" in self._places
        yield from self._grouped(table) if long_format else self._single(table)

    def _single(self, table: Iterable[tuple[int, Sequence[Any], str]]) -> Iterator[Item]:
        number = 0
        for line, cells, problem in table:
            if not problem and all(_blank(c) for c in cells):
                self.blank += 1
                continue
            number += 1
            if problem := problem or self._misfit(cells):
                yield Rejection(number, "", f"line {line}: {problem}" if line else problem)
            else:
                yield self._record(number, cells)

    def _misfit(self, cells: Sequence[Any]) -> str:
        if len(cells) < self._width and self._places and max(self._places.values()) >= len(cells):
            return f"it has {counted(len(cells), 'cell')}, not {self._width}"
        if len(cells) > self._width and any(not _blank(c) for c in cells[self._width :]):
            return f"it has {counted(len(cells), 'cell')}, not {self._width}"
        if any(cells[place] is UNREADABLE for place in self._places.values() if place < len(cells)):
            return "a text is not UTF-8"
        return ""

    def _grouped(self, table: Iterable[tuple[int, Sequence[Any], str]]) -> Iterator[Item]:
        """Several rows a record, one beside the other: the long format of retrieval runs."""
        number, open_group, record = 0, "", None
        for line, cells, problem in table:
            if not problem and all(_blank(c) for c in cells):
                self.blank += 1
                continue
            if problem := problem or self._misfit(cells):
                number += 1
                yield Rejection(number, "", f"line {line}: {problem}")
                continue
            group = self._text(cells, "group")
            if record is None or group != open_group:
                if record is not None:
                    yield record
                number += 1
                made = self._record(number, cells)
                if isinstance(made, Rejection):
                    yield made
                    record, open_group = None, ""
                    continue
                record, open_group = made, group
                record.id = record.id or group
            elif not record.answer:
                record.answer = self._text(cells, "answer")
            if text := self._text(cells, "context_text"):
                record.contexts.append(LogContext(text, self._text(cells, "context_id")))
        if record is not None:
            yield record

    def _text(self, cells: Sequence[Any], field: str) -> str:
        place = self._places.get(field, -1)
        if not 0 <= place < len(cells):
            return ""
        value = cells[place]
        return value.strip() if isinstance(value, str) else "" if value is None else str(value)

    def _record(self, number: int, cells: Sequence[Any]) -> LogRecord | Rejection:
        question = _unprefixed(self._text(cells, "question"))
        if not question:
            return Rejection(number, self.profile.columns["question"], "the question is empty")
        record = LogRecord(number, question, _unprefixed(self._text(cells, "answer")))
        for field in ("id", "session", "route", "reference", "error", "language", "score"):
            setattr(record, field, self._text(cells, field))
        record.time, understood = told_time(self._text(cells, "time"))
        self.odd_times += not understood
        record.feedback = told_feedback(self._text(cells, "feedback"), most=self._most)
        try:
            record.contexts = self._contexts(cells)
        except BadCell as error:
            return Rejection(number, self.profile.columns["contexts"], str(error))
        record.flags = flags_of(record.question, record.answer)
        return record

    def _contexts(self, cells: Sequence[Any]) -> list[LogContext]:
        place = self._places.get("contexts", -1)
        found: list[LogContext] = []
        if 0 <= place < len(cells):
            value = cells[place]
            found = (
                contexts_of_cell(value)
                if isinstance(value, str)
                else contexts_of_list(value)
                if value is not None
                else []
            )
        ids = self._text(cells, "context_ids")
        return found + [LogContext("", part) for part in _IDS.split(ids) if part and part not in _NOTHING]


def _blank(cell: Any) -> bool:
    return cell is None or (isinstance(cell, str) and not cell.strip())


def _unprefixed(text: str) -> str:
    """Without the apostrophe that our own CSV exports put before a formula."""
    return text[1:] if len(text) > 1 and text[0] == "'" and text[1] in "=+-@\t\r＝＋－＠" else text


def open_table(
    file: LogFile, encoding: Encoding, profile: Profile
) -> tuple[TableReader, Iterator[tuple[int, Sequence[Any], str]]]:
    """A text file as a table: the reader of its rows, and the rows.

    Raises:
        UsageError: No column holds the question.
    """
    with file.text(encoding) as stream:
        sample = stream.read(_SAMPLE_CHARACTERS)
        if len(sample) == _SAMPLE_CHARACTERS:
            sample = sample[: sample.rfind("\n") + 1] or sample
    dialect = dialect_of(sample, profile.delimiter)
    first = list(itertools.islice((r for r in _sampled(sample, dialect) if not r.problem), SAMPLE_ROWS))
    cells = [r.cells for r in first if any(c.strip() for c in r.cells)]
    reader = settled(file.name, cells, profile.model_copy(update={"format": "table", "delimiter": dialect.delimiter}))
    return reader, _stream(file, encoding, dialect, header=bool(reader.profile.header))


def _sampled(sample: str, dialect: Dialect) -> Iterator[CsvRow]:
    return rows(io.StringIO(sample, newline=""), dialect)


def settled(name: str, first: Sequence[Sequence[Any]], profile: Profile) -> TableReader:
    """The reader of a table, from its first rows: is there a header, and which column is what."""
    if not first:
        raise InputError(f"{name}: no rows in it", "export it again")
    texts = [["" if c is None else str(c) for c in row] for row in first]
    header = profile.header
    if header is None:  # a column that a person named stands in the header
        named = {c.strip() for c in profile.columns.values() if not c.strip().isdigit()}
        header = bool(named & {c.strip() for c in texts[0]}) or known.is_header(texts[0], texts[1:])
    names = texts[0] if header else []
    body = texts[1:] if header else texts
    guessed = known.by_header(names) if header else known.by_content(body)
    mapped = {k: v for k, v in {**guessed, **profile.columns}.items() if v}
    taken = set(profile.columns.values())
    mapped = {k: v for k, v in mapped.items() if k in profile.columns or v not in taken}
    widths = [len(r) for r in texts]
    reader = TableReader(
        name, names, mapped, max(set(widths), key=widths.count), profile.model_copy(update={"header": header})
    )
    reader.learn(body)
    return reader


def _stream(
    file: LogFile, encoding: Encoding, dialect: Dialect, *, header: bool
) -> Iterator[tuple[int, Sequence[Any], str]]:
    with file.text(encoding) as stream:
        for row in rows(stream, dialect):
            if header and not row.problem and any(c.strip() for c in row.cells):
                header = False
                continue
            yield row.line, row.cells, row.problem
