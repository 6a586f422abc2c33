"""A run out of a file: which format it is, and its answers one by one. A bad row costs itself, not its file.

Lines are read one at a time. A file that is one JSON document (DeepEval, promptfoo, inspect_ai) is held whole, and may
have DOCUMENT_LIMIT bytes at most.
"""

from __future__ import annotations

import csv
import io
import itertools
import json
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

from curator.domain.answers import Answer
from curator.errors import InputError, StorageError
from curator.exporting.read import LINE_LIMIT, read_object
from curator.exporting.runs import bedrock, canonical, deepeval, inspect_ai, promptfoo, ragas, records
from curator.exporting.runs.rows import BadRowError, Row
from curator.progress import Progress
from curator.text import one_line

Format = Literal["run", "ragas", "deepeval", "promptfoo", "inspect_ai", "bedrock", "records"]
DOCUMENT_LIMIT = 512_000_000
_TRIED = 100
_CSV_HEADS = (b"user_input", b"inputs.", b"input,", b'input",')
_KEY_OF_DOCUMENT = re.compile(
    rb'"(?:testCases|conversationalTestCases|test_results|evalId|results|samples|eval)"|"user_input":\s*\{|^\{"schema":'
)
_HINT = "a run.jsonl, or results of an evaluator: docs/gate.md lists the forms"
_ANSWERS: dict[Format, Callable[[Row], Answer]] = {
    "run": canonical.answer,
    "ragas": ragas.answer,
    "deepeval": deepeval.answer,
    "promptfoo": promptfoo.answer,
    "inspect_ai": inspect_ai.answer,
    "bedrock": bedrock.answer,
    "records": records.answer,
}
_DOCUMENTS: dict[Format, Callable[[Row], Iterator[Row]]] = {
    "ragas": ragas.rows,
    "deepeval": deepeval.rows,
    "promptfoo": promptfoo.rows,
    "inspect_ai": inspect_ai.rows,
}


class Told(NamedTuple):
    """A row of a run: where it stands, and its answer, or why it is none."""

    where: str
    answer: Answer | str


_ENDINGS = (".jsonl", ".json", ".csv", ".eval")


def files_of(path: Path) -> list[Path]:
    """The files of a run: a file; of a folder its run.jsonl, else all results in it, in the order of their names.

    DeepEval, for one, keeps conversations apart.

    Raises:
        InputError: A folder holds none.
        StorageError: It cannot be listed.
    """
    if not path.is_dir():
        return [path]
    if (path / "run.jsonl").is_file():
        return [path / "run.jsonl"]
    try:
        found = sorted(p for p in path.iterdir() if p.suffix in _ENDINGS and p.is_file())
    except OSError as error:
        raise StorageError(f"{path}: {error.strerror}", "name a folder that may be read") from None
    if not found:
        raise InputError(f"{path}: no run in it", _HINT)
    return found


class RunFile:
    """A file of a run.

    Attributes:
        path: The file.
        format: What wrote it.
    """

    def __init__(self, path: Path, progress: Progress) -> None:
        """Find out what it is.

        Raises:
            InputError: It is no run of a known form.
            StorageError: It cannot be read.
        """
        self.path = path
        self._progress = progress
        try:
            with self.path.open("rb") as stream:
                head = stream.readline(LINE_LIMIT + 1)
                while head and not head.strip():
                    head = stream.readline(LINE_LIMIT + 1)
                more = bool(stream.read(1))
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror}", "name the file of a run") from None
        if not head:
            raise InputError(f"{self.path}: empty", _HINT)
        self._whole = _is_whole(head, more)
        self._is_csv = any(name in head for name in _CSV_HEADS) and not head.lstrip(b"\xef\xbb\xbf \t").startswith(
            (b"{", b"[")
        )
        self.format: Format = "inspect_ai" if head.startswith(b"PK\x03\x04") else self._find(head)

    def answers(self) -> Iterator[Told]:
        """Its rows in their order.

        Raises:
            InputError: The file is broken as a whole.
            StorageError: It cannot be read any more.
        """
        read = _ANSWERS[self.format]
        try:
            for where, row in self._rows():
                self._progress.checkpoint()
                if isinstance(row, str):
                    yield Told(where, row)
                    continue
                try:
                    yield Told(where, read(row))
                except BadRowError as error:
                    yield Told(where, str(error))
        except OSError as error:
            raise StorageError(f"{self.path}: {error.strerror}", "check that it may be read") from None

    def settings(self) -> dict[str, Any]:
        """What run.json beside it says of what answered; {} when there is none.

        Raises:
            InputError: It cannot be taken.
        """
        path = self.path.with_suffix(".json")
        if self.format != "run" or path == self.path:
            return {}
        try:
            return read_object(path.read_bytes(), str(path))
        except FileNotFoundError:
            return {}
        except OSError as error:
            raise StorageError(f"{path}: {error.strerror}", "check that it may be read") from None

    def _find(self, head: bytes) -> Format:
        found: Format | None = None
        if self._whole:
            document = self._document()
            found = _document_format(document)
            if found is None and isinstance(document, list):
                found = next((f for row in document if isinstance(row, dict) and (f := _row_format(row))), None)
        elif self._is_csv:
            found = "ragas" if b"user_input" in head else "records"
        else:
            found = self._first_that_fits()
        if found is None:
            raise InputError(f"{self.path}: no run of a form that is known", _HINT)
        return found

    def _first_that_fits(self) -> Format | None:
        """The form of the first line that has one: a broken first line costs itself alone."""
        for _, raw in itertools.islice(self._lines(), _TRIED):
            row = _lenient(raw)
            if isinstance(row, dict) and (found := _row_format(row)):
                return found
        return None

    def _rows(self) -> Iterator[tuple[str, Row | str]]:
        if zipfile.is_zipfile(self.path):
            yield from self._samples()
        elif self._whole:
            yield from self._of_document(self._document())
        elif self._is_csv:
            yield from self._of_csv()
        else:
            for where, raw in self._lines():
                yield where, _strict(raw) if self.format == "run" else _as_row(_lenient(raw))

    def _lines(self) -> Iterator[tuple[str, bytes]]:
        """Lines that hold anything, each with its place; of one that is too long, its beginning."""
        with self.path.open("rb") as stream:
            number = 0
            while raw := stream.readline(LINE_LIMIT + 1):
                number += 1
                if len(raw) > LINE_LIMIT:
                    while (rest := stream.readline(LINE_LIMIT)) and not rest.endswith(b"\n"):
                        self._progress.checkpoint()
                if number == 1:
                    raw = raw.removeprefix(b"\xef\xbb\xbf")
                if raw.strip():
                    yield f"line {number}", raw

    def _document(self) -> Any:
        if self.path.stat().st_size > DOCUMENT_LIMIT:
            size = f"longer than {DOCUMENT_LIMIT // 1_000_000} MB in one piece"
            raise InputError(f"{self.path}: {size}", "write it as JSON Lines")
        return _lenient(self.path.read_bytes())

    def _of_document(self, document: Any) -> Iterator[tuple[str, Row | str]]:
        if isinstance(document, str):
            raise InputError(f"{self.path}: {document}", _HINT)
        known = _document_format(document)
        rows = _DOCUMENTS[known](document) if known else document if isinstance(document, list) else [document]
        for number, row in enumerate(rows, 1):
            yield f"entry {number}", _as_row(row)

    def _of_csv(self) -> Iterator[tuple[str, Row | str]]:
        csv.field_size_limit(LINE_LIMIT)
        with self.path.open("rb") as stream:
            lines = io.TextIOWrapper(stream, "utf-8-sig", errors="replace", newline="")
            try:
                for number, row in enumerate(csv.DictReader(lines), 1):
                    yield f"row {number}", {k: v for k, v in row.items() if k and v != ""}
            except csv.Error as error:
                yield "the rest", f"no CSV: {error}"

    def _samples(self) -> Iterator[tuple[str, Row | str]]:
        """The samples of an .eval archive."""
        try:
            with zipfile.ZipFile(self.path) as archive:
                for entry in archive.infolist():
                    if entry.filename.startswith("samples/") and entry.filename.endswith(".json"):
                        where = one_line(entry.filename, 80)
                        if entry.file_size > LINE_LIMIT * 10:
                            yield where, f"longer than {LINE_LIMIT // 100_000} MB"
                            continue
                        yield where, _as_row(_lenient(archive.read(entry)))
        except (zipfile.BadZipFile, NotImplementedError, zlib.error, EOFError, RuntimeError) as error:
            raise InputError(
                f"{self.path}: {one_line(str(error), 100)}", "`inspect log convert --to json --output-dir DIR FILE`"
            ) from None


def _is_whole(head: bytes, more: bool) -> bool:
    """Whether the file is one JSON document, not one object a line."""
    start = head.lstrip()[:1]
    if start != b"{":
        return start == b"["
    if len(head) > LINE_LIMIT:
        return _KEY_OF_DOCUMENT.search(head[:2000]) is not None
    row = _lenient(head)
    if isinstance(row, str):  # it goes on in the next line, as indented JSON does; or it is a line that is broken
        return more and head.rstrip().endswith((b"{", b",", b"["))
    return _document_format(row) is not None


def _document_format(document: Any) -> Format | None:
    if not isinstance(document, dict):
        return None
    if document.keys() & {"testCases", "conversationalTestCases", "test_cases", "test_results"}:
        return "deepeval"
    if isinstance(document.get("samples"), list) and "eval" in document:
        return "inspect_ai"
    if ragas.is_table(document):
        return "ragas"
    if isinstance(document.get("results"), dict | list) and not {"conversationTurns", "caseId"} & document.keys():
        return "promptfoo"
    return None


def _row_format(row: Row) -> Format | None:
    keys = row.keys()
    if "caseId" in keys and keys & {"answer", "retrieved", "stageError"}:
        return "run"
    if keys & {"conversationTurns", "automatedEvaluationResult"} or {"inputRecord", "modelResponses"} <= keys:
        return "bedrock"
    if "user_input" in keys:
        return "ragas"
    if keys & {"testCase", "promptIdx"}:
        return "promptfoo"
    if keys & {"actualOutput", "actual_output", "metricsData", "metrics_data"}:
        return "deepeval"
    if {"input", "target", "output"} <= keys:
        return "inspect_ai"
    return "records" if records.is_row(row) else None


def _as_row(value: Any) -> Row | str:
    if isinstance(value, str):
        return value
    return value if isinstance(value, dict) else "no object"


def _strict(raw: bytes) -> Row | str:
    """A line of our own form, in which NaN is no number."""
    if len(raw) > LINE_LIMIT:
        return f"longer than {LINE_LIMIT // 1_000_000} MB"
    return _as_row(_parsed(raw, _refused))


def _refused(word: str) -> None:
    raise ValueError(f"{word} is no number")


def _lenient(raw: bytes) -> Any:
    """JSON as evaluators write it, NaN as null; a text says why it is none."""
    return _parsed(raw, lambda _: None)


def _parsed(raw: bytes, constant: Callable[[str], None]) -> Any:
    try:
        return json.loads(raw.decode("utf-8-sig"), parse_constant=constant)
    except UnicodeDecodeError as error:
        return f"not UTF-8 at byte {error.start + 1}"
    except RecursionError:
        return "nested too deep"
    except json.JSONDecodeError as error:
        return f"not JSON at column {error.colno}: {one_line(error.msg, 80)}"
    except ValueError as error:
        return one_line(str(error), 80)
