"""Which importer a log is for, by its content, and the one stream that all of them give."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from curator.errors import InputError
from curator.parsing.logs import spans, tickets, traces
from curator.parsing.logs.binary import ParquetRows, sheet_rows
from curator.parsing.logs.encodings import Encoding
from curator.parsing.logs.flat import FlatReader, unwrapped
from curator.parsing.logs.jsonvalues import JsonValue, values
from curator.parsing.logs.opening import LogFile, opened
from curator.parsing.logs.record import Format, LogRecord, Profile, Rejection, Skipped
from curator.parsing.logs.tables import SAMPLE_ROWS, TableReader, open_table, settled
from curator.progress import Progress

Item = LogRecord | Rejection | Skipped


class LogStream:
    """A log that is open: its records in order, and how it is read.

    Attributes:
        profile: How it is read, every choice made: what can be saved and used again.
        encoding: How its text is encoded, and how that was found; None for Parquet and spreadsheets.
        size: Bytes on the disk.
        warnings: What a person should know; complete when the stream has ended.
    """

    def __init__(
        self, name: str, profile: Profile, items: Iterator[Item], size: int, encoding: Encoding | None = None
    ) -> None:
        self.name = name
        self.profile = profile
        self.encoding = encoding
        self.size = size
        self.warnings: list[str] = []
        self._items = items

    def __iter__(self) -> Iterator[Item]:
        return self._items


@contextmanager
def read(path: Path, profile: Profile | None = None, progress: Progress | None = None) -> Iterator[LogStream]:
    """Open a log.

    Args:
        path: The file.
        profile: What a person said of it; the rest is found in its content.
        progress: Its checkpoint is called while the file is looked through.

    Raises:
        InputError: It cannot be read at all: no log, empty, damaged.
        Unsure: Its encoding must be named.
        UsageError: No column holds the question, or the map names one that is not there.
        MissingExtra: Parquet or spreadsheets need one.
    """
    profile = profile or Profile()
    with opened(path) as file:
        try:
            yield _stream(file, profile, progress)
        except UnicodeDecodeError:
            raise InputError(
                f"{file.name}: its end is in another encoding than its start", "name it with --encoding"
            ) from None


def _stream(file: LogFile, profile: Profile, progress: Progress | None) -> LogStream:
    if file.kind == "parquet":
        table = ParquetRows(file)
        return _tabular(
            file, [table.header], table.rows(), profile.model_copy(update={"format": "parquet", "header": True})
        )
    if file.kind == "zip":
        rows = sheet_rows(file)
        first = list(itertools.islice(rows, SAMPLE_ROWS))
        return _tabular(
            file,
            [list(c) for _, c, _ in first],
            itertools.chain(first, rows),
            profile.model_copy(update={"format": "xlsx"}),
        )
    encoding, mixed = file.encoding(profile.encoding, progress)
    profile = profile.model_copy(update={"encoding": encoding.name})
    with file.text(encoding, newline="\n") as text:
        head = text.read(4096).lstrip("\ufeff \t\r\n")
    if not head:
        raise InputError(f"{file.name}: nothing but white space", "export it again")
    if head[0] in "{[" or profile.format not in ("", "table", "trulens"):
        stream = _json(file, encoding, profile)
    else:
        stream = _text_table(file, encoding, profile)
        if mixed:
            stream.warnings.append("lines end in more than one way")
    stream.encoding = encoding
    return stream


def _tabular(
    file: LogFile, first: list[list[Any]], rows: Iterator[tuple[int, Any, str]], profile: Profile
) -> LogStream:
    reader = settled(file.name, first, profile)
    body = _without_header(rows) if reader.profile.header and profile.format == "xlsx" else rows
    stream = LogStream(file.name, reader.profile, iter(()), file.size)
    stream._items = _told(reader, reader.records(body), stream)
    return stream


def _without_header(rows: Iterator[tuple[int, Any, str]]) -> Iterator[tuple[int, Any, str]]:
    next(rows, None)
    return rows


def _text_table(file: LogFile, encoding: Encoding, profile: Profile) -> LogStream:
    if profile.format in ("", "trulens"):
        header = _header(file, encoding)
        if {"record_attributes", "trace"} <= set(header):
            return _trulens(file, encoding, profile)
    reader, rows = open_table(file, encoding, profile)
    stream = LogStream(file.name, reader.profile, iter(()), file.size)
    stream._items = _told(reader, reader.records(rows), stream)
    if not reader.profile.header:
        stream.warnings.append("no header: the columns were told by what stands in them; check the mapping")
    return stream


def _told(reader: TableReader | FlatReader, items: Iterator[Item], stream: LogStream) -> Iterator[Item]:
    """The items, and at the end what the reader has to say."""
    yield from items
    if reader.odd_times:
        stream.warnings.append(f"times not understood and kept as text: {reader.odd_times}")
    if blank := getattr(reader, "blank", 0):
        stream.warnings.append(f"blank rows left out: {blank}")


def _header(file: LogFile, encoding: Encoding) -> list[str]:
    import csv

    with file.text(encoding) as text:
        first = text.readline(20_000)
    try:
        return next(csv.reader([first]), [])
    except csv.Error:
        return []


def _trulens(file: LogFile, encoding: Encoding, profile: Profile) -> LogStream:
    from curator.parsing.logs.csvrows import Dialect, rows

    def objects() -> Iterator[JsonValue]:
        with file.text(encoding) as text:
            names: list[str] = []
            for n, row in enumerate(rows(text, Dialect(","))):
                if n == 0:
                    names = row.cells
                else:
                    yield JsonValue(n, row.line, dict(zip(names, row.cells, strict=False)), row.problem)

    used = profile.model_copy(update={"format": "trulens", "columns": traces.MAPPINGS["trulens"]})
    return LogStream(file.name, used, traces.records(objects(), spans.trulens), file.size)


_SPANS: dict[str, traces.Reader] = {
    "otlp": spans.otlp,
    "openinference": spans.openinference,
    "langfuse": spans.langfuse,
    "langsmith": spans.langsmith,
}
_TICKETS: dict[str, tuple[Callable[[Iterator[JsonValue]], Iterator[Item]], dict[str, str]]] = {
    "zendesk": (tickets.zendesk, tickets.ZENDESK),
    "intercom": (tickets.intercom, tickets.INTERCOM),
}


def _json(file: LogFile, encoding: Encoding, profile: Profile) -> LogStream:
    raw: list[int] = []

    def counted() -> Iterator[JsonValue]:
        for value in values(_text(file, encoding), file.name):
            if value.raw:
                raw.append(value.row)
            yield value

    def told(items: Iterator[Item]) -> Iterator[Item]:
        yield from items
        if raw:
            made.warnings.append(
                f"records with control characters that JSON wants escaped, read as they stand: {len(raw)}"
                f" (first in row {raw[0]})"
            )

    made = _json_stream(file, counted(), profile)
    made._items = told(made._items)
    return made


def _json_stream(file: LogFile, stream: Iterator[JsonValue], profile: Profile) -> LogStream:
    first = list(itertools.islice(stream, SAMPLE_ROWS))
    whole = itertools.chain(first, stream)
    chosen = profile.format or _format(first)
    if chosen in _SPANS:
        used = profile.model_copy(update={"format": chosen, "columns": traces.MAPPINGS[chosen]})
        return LogStream(file.name, used, traces.records(_listed(whole, chosen), _SPANS[chosen]), file.size)
    if chosen in _TICKETS:
        importer, mapping = _TICKETS[chosen]
        used = profile.model_copy(update={"format": chosen, "columns": mapping})
        return LogStream(file.name, used, importer(whole), file.size)
    records = unwrapped(whole)
    sample = list(itertools.islice(records, SAMPLE_ROWS))
    reader = FlatReader(file.name, [v.value for v in sample if not v.problem], profile)
    made = LogStream(file.name, reader.profile, iter(()), file.size)
    made._items = _told(reader, reader.records(itertools.chain(sample, records)), made)
    return made


def _text(file: LogFile, encoding: Encoding) -> Any:
    return file.text(encoding, newline="\n")


def _listed(whole: Iterator[JsonValue], chosen: str) -> Iterator[JsonValue]:
    """The spans of a file that has one object around the list of them."""
    key = {"langsmith": "runs", "langfuse": "data", "openinference": "spans"}.get(chosen, "")
    for value in whole:
        inner = value.value.get(key) if key and isinstance(value.value, dict) else None
        if isinstance(inner, list) and inner and all(isinstance(i, dict) for i in inner):
            yield from (JsonValue(n, 0, item) for n, item in enumerate(inner, 1))
        else:
            yield value


def _format(first: list[JsonValue]) -> Format:
    for value in (v.value for v in first):
        if not isinstance(value, dict):
            continue
        if "resourceSpans" in value or "resource_spans" in value:
            return "otlp"
        if isinstance(value.get("tickets"), list) or ("requester_id" in value and "description" in value):
            return "zendesk"
        if isinstance(value.get("conversations"), list) or "conversation_parts" in value:
            return "intercom"
        for item in (value, *_inner(value)):
            if "run_type" in item:
                return "langsmith"
            if isinstance(item.get("observations"), list) or _is_langfuse(item.get("trace")):
                return "langfuse"
            if "openinference.span.kind" in str(item.get("attributes", ""))[:20_000] or (
                "span_kind" in item and ("parent_id" in item or "context" in item)
            ):
                return "openinference"
        return "json"
    return "json"


def _inner(value: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for key in ("runs", "data", "spans"):
        inner = value.get(key)
        if isinstance(inner, list) and inner and isinstance(inner[0], dict):
            yield inner[0]


def _is_langfuse(trace: Any) -> bool:
    return isinstance(trace, dict) and ("observations" in trace or "input" in trace)
