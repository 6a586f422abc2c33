"""The chunks of another system's index: one JSON object a line, read as a stream; a bad line costs itself alone."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from pydantic import BaseModel, ConfigDict, ValidationError
from pydantic.alias_generators import to_camel

from curator.errors import InputError
from curator.exporting.caseline import PageNumber, Text, Words
from curator.exporting.line import model_problems
from curator.exporting.read import LINE_LIMIT, read_object
from curator.exporting.schema import published
from curator.text import clean, is_clean, one_line

CHUNKS_SCHEMA_ID = "urn:curator:chunks:1.0.0"
_BOM = b"\xef\xbb\xbf"
_ALSO = ("documentId", "page")


class Lines(Protocol):
    """A binary file, as far as it is needed."""

    def readline(self, limit: int = -1, /) -> bytes:
        """The next line, at most so many bytes of it."""


class ChunkLine(BaseModel):
    """No nulls. Further keys may follow."""

    model_config = ConfigDict(frozen=True, extra="allow", alias_generator=to_camel)

    id: Words
    text: Words
    document_id: Text
    page: PageNumber


class Rejected(NamedTuple):
    """A line that was not taken: its number from 1, the key that is at fault ("" = the whole line), and why."""

    row: int
    column: str
    reason: str


class Taken(NamedTuple):
    """A line that was taken; `replaced`: characters of its text that cannot be stored."""

    row: int
    id: str
    text: str
    document_id: str
    page: int
    replaced: int
    assumed: bool


def chunks_schema() -> dict[str, Any]:
    """JSON Schema (draft 2020-12) of a line of chunks."""
    return published(ChunkLine, CHUNKS_SCHEMA_ID, "A chunk of another system's index, one JSONL line")


def read_chunks(stream: Lines, name: str) -> Iterator[Taken | Rejected]:
    """The lines of a file of chunks; blank ones are skipped, a byte order mark is passed over.

    `documentId` and `page` may be left out: they are then unknown (`assumed`). An id that stood before is rejected.

    Args:
        stream: The file, binary.
        name: Its name, for errors.

    Raises:
        InputError: It is UTF-16, or has no line.
    """
    seen: set[int] = set()
    number = 0
    some = False
    while raw := stream.readline(LINE_LIMIT + 2):
        number += 1
        if number == 1 and raw.startswith((b"\xff\xfe", b"\xfe\xff")):
            raise InputError(f"{one_line(name)}: UTF-16, not UTF-8", "save it as UTF-8")
        _skip_rest(stream, raw)
        body = raw.removeprefix(_BOM) if number == 1 else raw
        if not body.strip():
            continue
        some = True
        found = _read(body.rstrip(b"\r\n"), number)
        if isinstance(found, Taken):
            key = hash(found.id)
            if key in seen:
                found = Rejected(number, "id", f"{one_line(found.id, 60)} stands twice")
            seen.add(key)
        yield found
    if not some:
        raise InputError(f"{one_line(name)}: no chunks", "one JSON object a line: id, text, documentId, page")


def _skip_rest(stream: Lines, raw: bytes) -> None:
    """The rest of a line that is too long is passed over, a piece at a time."""
    while len(raw) > LINE_LIMIT and not raw.endswith(b"\n"):
        raw = stream.readline(LINE_LIMIT + 2)
        if len(raw) <= LINE_LIMIT:
            return


def _read(body: bytes, number: int) -> Taken | Rejected:
    try:
        row = read_object(body, "")
    except InputError as error:
        return Rejected(number, "", error.message.removeprefix(": "))
    assumed = not all(key in row for key in _ALSO)
    name, text = row.get("id"), row.get("text")
    document, page = row.get("documentId", ""), row.get("page", 0)
    if not (type(name) is type(text) is type(document) is str and type(page) is int and name and text and page >= 0):
        return _rejected({"documentId": "", "page": 0} | row, number)
    assert isinstance(name, str)
    assert isinstance(text, str)
    if not is_clean(name):
        return Rejected(number, "id", "NUL, a lone surrogate or a noncharacter in it")
    text, replaced = (text, 0) if is_clean(text) else clean(text)
    return Taken(number, name, text, clean(document)[0], page, replaced, assumed)


def _rejected(row: dict[str, Any], number: int) -> Rejected:
    try:
        ChunkLine.model_validate(row)
    except ValidationError as error:
        column, _, reason = model_problems(error)[0].partition(": ")
        return Rejected(number, column, reason)
    return Rejected(number, "", "it is no chunk")
